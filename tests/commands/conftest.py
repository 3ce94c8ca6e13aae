"""Every line of JSON that a command prints in these tests is held to the schema."""

import json
import sys
from pathlib import Path

import pytest

from gomoku_brain.runs import json_rows

PATH = Path(__file__).parents[2] / "docs" / "output.schema.json"


@pytest.fixture(scope="session")
def json_lines():
    """Writes lines as the commands do, and validates them."""
    try:
        from jsonschema import Draft202012Validator
    except ImportError:  # beside a wheel that is tried without the extras
        return json_rows.json_line
    valid = Draft202012Validator(json.loads(PATH.read_text(encoding="utf-8")))

    def checked(kind, facts):
        line = json_rows.json_line(kind, facts)
        valid.validate(json.loads(line))
        return line

    return checked


@pytest.fixture(autouse=True)
def commands_keep_to_the_schema(monkeypatch, json_lines):
    import gomoku_brain.commands as commands

    for name in ("_arguments", "_prove_check", "_prove_search", "_prove_show",
                 "analyze", "bench", "doctor", "experiment", "levels", "match",
                 "openings", "solve"):  # fmt: skip
        __import__(f"{commands.__name__}.{name}")
        module = sys.modules[f"{commands.__name__}.{name}"]
        monkeypatch.setattr(module, "json_line", json_lines)
