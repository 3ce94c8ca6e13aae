"""Make docs/output.schema.json from the types of the rows that the commands print.

    python .ci/output_schema.py          exit status 1 if the file is not up to date
    python .ci/output_schema.py --write  writes it

A typed dictionary becomes an object without other keys, a dataclass or a named tuple
the object of its fields. The classes stand in ``$defs`` by their names in small
letters, without "Row". ``Schema`` in ``Annotated`` adds its keywords.
"""

import dataclasses
import inspect
import json
import re
import sys
import types
import typing
from pathlib import Path
from typing import Any, Literal, Union

from gomoku_brain.commands import _level_games, _opening_lists, levels, openings
from gomoku_brain.commands._prove_check import ProofCheckLine
from gomoku_brain.commands._prove_search import ProofSearchLine
from gomoku_brain.commands._prove_show import ProofLine
from gomoku_brain.commands.bench import BenchLine
from gomoku_brain.doctor.program import DoctorLine
from gomoku_brain.match.report import MatchLine, RateLine
from gomoku_brain.plain.tables import ExperimentLine
from gomoku_brain.study import row_types as rows

PATH = Path(__file__).parents[1] / "docs" / "output.schema.json"
LINES: dict[str, tuple[type, ...]] = {
    "analysis": (rows.AnalysisLine,),
    "solution": (rows.SolutionLine,),
    "summary": (rows.SummaryLine,),
    "result": (rows.ResultLine,),
    "partial": (rows.PartialLine,),
    "cancelled": (rows.CancelledLine, rows.StoppedLine),
    "version": (rows.VersionLine,),
    "error": (rows.ErrorLine,),
    "match": (MatchLine,),
    "rating": (RateLine,),
    "levels": (levels.LevelsLine,),
    "levels_measured": (_level_games.LevelsMeasuredLine,),
    "openings": openings.LINES + _opening_lists.LINES,
    "experiment": (ExperimentLine,),
    "doctor": (DoctorLine,),
    "bench": (BenchLine,),
    "proof": (ProofLine,),
    "proof_check": (ProofCheckLine,),
    "proof_search": (ProofSearchLine,),
}
"""The "type" of a line, and its forms."""
SIMPLE = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
}
HEAD = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A line of JSON that gomoku-brain prints",
    "description": "Every command that prints JSON prints one object a line, with its"
    ' kind in "type". Moves are "h8", rules and sides names in small letters. Scores'
    " are evaluation units of the side to move (of the mover in a game); win_in counts"
    " plies, positive for a win.",
}


def schema() -> dict[str, Any]:
    """Return the schema of all lines."""
    defs: dict[str, Any] = {}
    forms = []
    for kind, classes in LINES.items():
        for each in classes:
            name = name_of(each)
            part = object_of(each, defs)
            part["properties"] = {"type": {"const": kind}} | part["properties"]
            part["required"] = ["type", *part["required"]]
            defs[name] = {"description": text_of(each)} | part
            forms.append({"$ref": f"#/$defs/{name}"})
    return HEAD | {"oneOf": forms, "$defs": dict(sorted(defs.items()))}


def name_of(record: type) -> str:
    """Return the name of a record in ``$defs``: "analysis_line" for AnalysisLine."""
    words = re.findall("[A-Z][a-z0-9]*", record.__name__.removesuffix("Row"))
    return "_".join(words).lower()


def text_of(record: type) -> str:
    """Return the docstring of a class in one line."""
    return " ".join((inspect.getdoc(record) or "").split())


def object_of(record: type, defs: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a record, and add the records of its fields to ``defs``."""
    fields = typing.get_type_hints(record, include_extras=True)
    if dataclasses.is_dataclass(record):
        names = [field.name for field in dataclasses.fields(record)]
        fields = {name: fields[name] for name in names}
    optional = getattr(record, "__optional_keys__", ())
    return {
        "type": "object",
        "properties": {name: part_of(kind, defs) for name, kind in fields.items()},
        "required": [name for name in fields if name not in optional],
        "additionalProperties": False,
    }


def part_of(kind: Any, defs: dict[str, Any]) -> dict[str, Any]:  # noqa: ANN401
    """Return the schema of a type."""
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.NotRequired:
        return part_of(inside[0], defs)
    if origin is typing.Annotated:
        part = part_of(inside[0], defs)
        for more in inside[1:]:
            part = part | more.keywords
        return {k: v for k, v in part.items() if not (k == "type" and "enum" in part)}
    if origin in (Union, types.UnionType):
        return one_of([part_of(each, defs) for each in inside])
    if origin is Literal:
        return {"enum": list(inside)}
    if origin is list:
        return {"type": "array", "items": part_of(inside[0], defs)}
    if origin is dict:
        return {"type": "object", "additionalProperties": part_of(inside[1], defs)}
    if kind in SIMPLE:
        return {"type": SIMPLE[kind]}
    if not (typing.is_typeddict(kind) or hasattr(kind, "_fields")
            or dataclasses.is_dataclass(kind)):  # fmt: skip
        raise TypeError(f"no schema for {kind}")
    name = name_of(kind)
    if name not in defs:
        defs[name] = {}  # for a record that contains itself
        text = {"description": text_of(kind)} if typing.is_typeddict(kind) else {}
        defs[name] = text | object_of(kind, defs)
    return {"$ref": f"#/$defs/{name}"}


def one_of(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the schema of a union, in its shortest form."""
    *rest, last = parts
    if last == {"type": "null"} and len(rest) == 1:
        (part,) = rest
        if "enum" in part:
            return {"enum": [*part["enum"], None]}
        if isinstance(part.get("type"), str) and part["type"] != "array":
            return part | {"type": [part["type"], "null"]}
    if all(set(part) == {"type"} for part in parts):
        return {"type": [part["type"] for part in parts]}
    return {"anyOf": parts}


def text() -> str:
    """Return the text of the file."""
    return json.dumps(schema(), indent=1) + "\n"


def main() -> int:
    """Compare the file with the types, or write it."""
    if "--write" in sys.argv[1:]:
        PATH.write_text(text(), encoding="utf-8", newline="\n")
        return 0
    if PATH.read_text("utf-8") == text():
        return 0
    print(f"{PATH} is not up to date: run python .ci/output_schema.py --write")
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
