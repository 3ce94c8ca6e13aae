"""All JSON that the commands print has the form that docs/output.schema.json tells."""

import importlib.util
import json
from pathlib import Path

import pytest

from gomoku_brain.__main__ import main
from gomoku_brain.control.limits import Limits
from gomoku_brain.study.service import Defaults, Service

pytestmark = pytest.mark.source
jsonschema = pytest.importorskip("jsonschema")

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "output.schema.json").read_text("utf-8"))
VALID = jsonschema.Draft202012Validator(SCHEMA)
GAME = "f6 d4 c4 i6 e7 g5 e6 d6 e8 e5 d7 f5"
LEVEL = ROOT / "tests" / "positions" / "levels.jsonl"

COMMANDS = [
    "analyze h8 h9 --nodes 300 --hash 1 --json",
    f"analyze {GAME} --game --threats --lines 2 --values --nodes 300 --hash 1 --json",
    "analyze h8 a1 i8 a2 j8 a3 k8 a4 l8 --threats --json",
    "analyze --rule caro_exact h8 a1 i8 a2 j8 a3 --values --nodes 200 --json",
    "analyze --size 5 c3 --threats --nodes 300 --json",
    f"solve {LEVEL} --time 0.01 --tree 6 --json",
    "solve h8 a1 i8 a2 j8 a3 k8 a4 l8 --json",
    "solve h8 a1 i8 a2 j8 a3 --shortest --json",
    "solve --rule renju h9 a1 h10 a15 i8 o1 j8 o15 h8 --json",
    "analyze --rule renju h9 a1 h10 a15 i8 o1 j8 o15 h8 --json",
    "solve --rule caro_exact h8 --nodes 50 --json",
    "levels --json",
    "bench --depth 1 --json",
    "openings info --json",
    "openings list --json",
    "openings list --as offset --json",
    "openings check --json",
    "openings balance --sample 1 --games 1 --nodes 20 --json",
    "levels calibrate --only novice --games 2 --nodes 50 --json",
]


def check(text, kinds):
    rows = [json.loads(line) for line in text.splitlines()]
    assert rows
    for row in rows:
        VALID.validate(row)
    assert {row["type"] for row in rows} <= kinds
    return rows


def test_the_file_is_made_from_the_types_of_the_rows():
    tool = ROOT / ".ci" / "output_schema.py"
    spec = importlib.util.spec_from_file_location("output_schema", tool)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    expected = module.text()
    assert (ROOT / "docs" / "output.schema.json").read_text("utf-8") == expected, (
        "run: python .ci/output_schema.py --write"
    )


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("words", COMMANDS)
def test_what_a_command_prints_is_in_the_schema(words, capsys):
    assert main(words.split()) == 0
    kinds = {"solution", "summary"} if words.startswith("solve") else {"analysis"}
    kinds |= {words.split()[0], "levels_measured"}
    check(capsys.readouterr().out, kinds)


def test_what_doctor_finds_is_in_the_schema(capsys, tmp_path):
    path = tmp_path / "pbrain-mine.zip"
    path.write_bytes(b"PK\x03\x04")
    assert main(["doctor", "--engine", str(path), "--json"]) == 1
    (row,) = check(capsys.readouterr().out, {"doctor"})
    assert [found["status"] for found in row["checks"]] == ["pass", "fail", "pass"]


def test_nothing_is_left_open_in_the_schema():
    waiting, free = [("", SCHEMA)], []
    while waiting:
        place, part = waiting.pop()
        if part.get("type") == "object" and place.count("/"):
            closed = part.get("additionalProperties") is not None
            free += [] if closed else [place]
            assert part.get("additionalProperties") is not True, place
        for key, below in part.items():
            for one in below if isinstance(below, list) else [below]:
                if isinstance(one, dict):
                    waiting.append((f"{place}/{key}", one))
    assert free == []


def test_one_bad_line_is_an_error_in_the_schema(capsys, tmp_path):
    path = tmp_path / "moves.txt"
    path.write_text("h8\nh0\n")
    for command in ("analyze", "solve"):
        main([command, str(path), "--skip-errors", "--nodes", "50", "--json"])
        kinds = {"error", "analysis", "solution", "summary"}
        check(capsys.readouterr().out, kinds)


def test_the_streams_answers_are_in_the_schema():
    said = []
    service = Service(said.append, Defaults(Limits(nodes=300)), hash_mb=1)
    for row in (
        {"id": 1, "moves": "h8 a1 i8 a2 j8 a3", "partial": 0,
         "report": ["lines", "values", "threats", "win"]},
        {"id": 2, "moves": GAME, "report": ["win"], "rule": "caro_exact"},
        {"id": "x", "cancel": "nobody"},
        {"moves": 7},
        {"id": 9, "moves": "h8", "limits": {"time": 90}},
        {"cancel": 9},
    ):  # fmt: skip
        service.take(json.dumps(row))
    service.close()
    rows = check("\n".join(said), {"result", "partial", "error", "cancelled"})
    assert len({row["type"] for row in rows}) == 4


def test_another_form_is_refused_by_the_schema():
    for row in (
        {"type": "cancelled"},
        {"type": "cancelled", "id": 1, "more": 2},
        {"type": "nothing"},
        {"type": "error", "id": 1.5, "message": "x"},
    ):
        assert not VALID.is_valid(row)
