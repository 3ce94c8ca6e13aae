"""Rule cases with known answers, as data for the tests of the reference and the core.

Cells are (x, y) tuples. tests/positions holds the files; their positions come from
public test suites and puzzles (see the `source` of each).
"""

import json
from pathlib import Path
from typing import NamedTuple

from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from tests.reference import (
    BLACK,
    CARO,
    CARO_EXACT,
    FREESTYLE,
    RENJU,
    STANDARD,
    WALL,
    WHITE,
    Cell,
    RefBoard,
)

POSITIONS = Path(__file__).parent / "positions"
RULE_NAMES = {
    "freestyle": FREESTYLE,
    "standard": STANDARD,
    "renju": RENJU,
    "caro": CARO,
    "caro_exact": CARO_EXACT,
}
VERDICTS = {
    "ok": None,
    "five": "five",
    "overline": "overline",
    "4x4": "double-four",
    "3x3": "double-three",
}
KINDS = {"overline": "overline", "44": "double-four", "33": "double-three"}


def board_of(reference: RefBoard) -> Board:
    """The same position for the engine."""
    return Board.from_stones(
        reference.stones(BLACK),
        reference.stones(WHITE),
        reference.stones(WALL),
        turn=Side(reference.turn),
        size=(reference.width, reference.height),
        rule=Rule(reference.rule),
    )


class RenjuCase(NamedTuple):
    """Black to play `move`: "five", a foul, or None for a plain legal move."""

    name: str
    black: list[Cell]
    white: list[Cell]
    move: Cell
    verdict: str | None
    why: str


class ForbiddenMap(NamedTuple):
    """All forbidden cells of a position; `kinds` where the source names the foul."""

    name: str
    size: int
    black: list[Cell]
    white: list[Cell]
    forbidden: list[Cell]
    kinds: dict[Cell, str]


class WinCase(NamedTuple):
    """Whether `move` wins for its side; `wins` by rule number."""

    name: str
    own: list[Cell]
    other: list[Cell]
    move: Cell
    wins: dict[int, bool]


class Outcome(NamedTuple):
    """Who has won after a move: 0 black, 1 white, None nobody."""

    name: str
    rule: int
    size: int
    black: list[Cell]
    white: list[Cell]
    side: int
    move: Cell
    winner: int | None


def cell(text: str) -> Cell:
    """The cell written "h8"."""
    return ord(text[0]) - ord("a"), int(text[1:]) - 1


def cells(text: str) -> list[Cell]:
    """The cells written "h8 h9"."""
    return [cell(word) for word in text.split()]


def renju_cases() -> list[RenjuCase]:
    """the rules section 6, R1..R46."""
    lines = (POSITIONS / "renju_positions.txt").read_text(encoding="utf-8").split("\n")
    cases = []
    for line in lines:
        if line and not line.startswith("#"):
            black, white, move, verdict, why = line.split("|")
            name = f"R{len(cases) + 1}"
            cases.append(
                RenjuCase(
                    name,
                    cells(black),
                    cells(white),
                    cell(move),
                    VERDICTS[verdict],
                    why,
                )
            )
    return cases


def win_cases() -> list[WinCase]:
    """the rules section 7, C1..C10."""
    table = """
        d8 e8 f8 g8                   | c8 i8       | h8 | 1 1 0 0
        d8 e8 f8 g8                   | c8          | h8 | 1 1 1 1
        a8 b8 c8 d8                   | f8          | e8 | 1 1 1 1
        d8 e8 f8 g8 i8                |             | h8 | 1 0 1 0
        d8 e8 f8 g8 i8                | c8 j8       | h8 | 1 0 1 0
        d8 e8 f8 g8 i8 j8             | c8 k8       | h8 | 1 0 1 0
        d8 e8 f8 g8 h4 h5 h6 h7       | c8 i8       | h8 | 1 1 1 1
        d8 e8 f8 g8 i8 h4 h5 h6 h7    |             | h8 | 1 1 1 1
        d8 e8 g8 h8                   | b8 j8       | f8 | 1 1 1 1
        d8 e8 f8 g8 h4 h5 h6 h7       | c8 i8 h3 h9 | h8 | 1 1 0 0
    """
    cases = []
    for line in table.strip().split("\n"):
        own, other, move, wins = line.split("|")
        answers = [word == "1" for word in wins.split()]
        rules = (FREESTYLE, STANDARD, CARO, CARO_EXACT)
        cases.append(
            WinCase(
                f"C{len(cases) + 1}",
                cells(own),
                cells(other),
                cell(move.strip()),
                dict(zip(rules, answers, strict=True)),
            )
        )
    return cases


def forbidden_maps(path: Path = POSITIONS / "forbidden.jsonl") -> list[ForbiddenMap]:
    """Positions with all their forbidden cells."""
    maps = []
    for row in _rows(path):
        expected = row["expected"]
        maps.append(
            ForbiddenMap(
                row["id"],
                row["size"],
                _tuples(row["black"]),
                _tuples(row["white"]),
                _tuples(expected["all_forbidden"]),
                {
                    tuple(point["xy"]): KINDS[point["kind"]]
                    for point in expected["points"]
                    if point.get("kind") and point["forbidden"]
                },
            )
        )
    return maps


def outcomes(path: Path = POSITIONS / "outcomes.jsonl") -> list[Outcome]:
    """Moves with the game's result after them; a foul of black counts for white."""
    return [
        Outcome(
            row["id"],
            RULE_NAMES[row["rule"]],
            row["size"],
            _tuples(row["black"]),
            _tuples(row["white"]),
            ("black", "white").index(row["move"]["color"]),
            tuple(row["move"]["xy"]),
            {"black": 0, "white": 1, "none": None}[row["expected"]["result"]],
        )
        for row in _rows(path)
    ]


def _rows(path: Path) -> list[dict]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _tuples(pairs: list[list[int]]) -> list[Cell]:
    return [(x, y) for x, y in pairs]
