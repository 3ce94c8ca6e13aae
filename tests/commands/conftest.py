"""Every line of JSON that a command prints in these tests is held to the schema."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from gomoku_brain.runs import json_rows

PATH = Path(__file__).parents[2] / "docs" / "output.schema.json"


@pytest.fixture(scope="session")
def checked():
    """``json.dumps`` that validates what it writes."""
    try:
        from jsonschema import Draft202012Validator
    except ImportError:  # beside a wheel that is tried without the extras
        return json.dumps
    schema = Draft202012Validator(json.loads(PATH.read_text(encoding="utf-8")))

    def dumps(row, **options):
        line = json.dumps(row, **options)
        schema.validate(json.loads(line))
        return line

    return dumps


@pytest.fixture(autouse=True)
def commands_keep_to_the_schema(monkeypatch, checked):
    monkeypatch.setattr(json_rows, "json", SimpleNamespace(dumps=checked))
