"""Types of the rows of JSON about positions, games and searches.

A class that ends in "Line" is a line of output, without its "type"; the others are
parts of lines. ``docs/output.schema.json`` is made from them.
"""

from collections.abc import Iterable
from typing import Annotated, Literal, NotRequired, TypedDict

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import SIDE_LENGTHS, Rule
from gomoku_brain.game.rules import Side as Colour
from gomoku_brain.runs.json_rows import (
    Cell,
    Count,
    Positive,
    Schema,
    Seconds,
    Share,
    SideName,
)

__all__ = [
    "AnalysisLine",
    "CancelledLine",
    "CandidateRow",
    "ErrorLine",
    "FoulRow",
    "JudgedRow",
    "LineRow",
    "MoveThreatsRow",
    "PartialLine",
    "PositionRow",
    "ResultLine",
    "ReviewRow",
    "ShapeRow",
    "SolutionLine",
    "SolutionRow",
    "StoppedLine",
    "SummaryLine",
    "ThreatsRow",
    "TreeRow",
    "ValueRow",
    "ValuesRow",
    "VersionLine",
    "names",
    "side_name",
]

Cells = list[Cell]
Side = Annotated[
    int, Schema(minimum=SIDE_LENGTHS[0], maximum=SIDE_LENGTHS[-1])
]  # cells along a side of the board
RuleName = Annotated[str, Schema(enum=[rule.name.lower() for rule in Rule])]
FoulName = Annotated[str, Schema(enum=["double_three", "double_four", "overline"])]
Id = str | int


def side_name(side: Colour) -> SideName:
    """Return a side in small letters."""
    return "black" if side is Colour.BLACK else "white"


def names(moves: Iterable[Move]) -> list[str]:
    """Return moves as "h8"."""
    return [str(move) for move in moves]


class FoulRow(TypedDict):
    """Black's forbidden move, which lost the game."""

    number: Positive
    move: Cell
    kind: FoulName


class PositionRow(TypedDict):
    """A position."""

    name: str
    rule: RuleName
    width: Side
    height: Side
    black: Cells
    white: Cells
    walls: Cells
    moves: Cells
    side_to_move: SideName
    winner: SideName | None
    over: bool
    foul: NotRequired[FoulRow]


class LineRow(TypedDict):
    """A line of play."""

    move: Cell
    score: int
    win_in: int | None
    chance: Share
    depth: Count
    seldepth: Count
    nodes: Count
    line: Cells


class ValueRow(TypedDict):
    """A value."""

    score: int
    win_in: int | None
    chance: Share


class CandidateRow(ValueRow):
    """A candidate move with its value."""

    move: Cell
    depth: Count
    nodes: Count
    line: Cells


class ValuesRow(TypedDict):
    """The values of all candidates."""

    depth: Count
    nodes: Count
    seconds: Seconds
    cells: list[CandidateRow]


class ShapeRow(TypedDict):
    """A four, a three and so on."""

    kind: str
    side: SideName
    stones: Cells
    points: Cells


class ThreatsRow(TypedDict):
    """The threats on a board."""

    words: list[str]
    shapes: list[ShapeRow]
    win_in: Annotated[
        Positive | None, Schema(description="plies in which the side to move wins")
    ]
    wins: Cells
    threatened_in: Annotated[
        Positive | None, Schema(description="plies in which the opponent would win")
    ]
    threats: Cells
    answers: Cells
    forbidden: Cells
    fouls: Annotated[
        list[FoulName], Schema(description="the foul on each forbidden point")
    ]


class MoveThreatsRow(TypedDict):
    """The effects of a move."""

    move: Cell
    side: SideName
    win_in: Annotated[
        Positive | None, Schema(description="plies in which the move wins by fours")
    ]
    foul: FoulName | None
    makes: list[ShapeRow]
    blocks: list[ShapeRow]
    denies: list[ShapeRow]
    threatened_in: Annotated[
        Positive | None, Schema(description="plies of the opponent's threatened win")
    ]
    stops: bool
    ways: Count
    leaves: Cells
    leaves_five: bool
    text: str


class JudgedRow(TypedDict):
    """A judged move of a game."""

    number: Positive
    side: SideName
    move: Cell
    value: ValueRow
    best: Cell
    best_value: ValueRow
    line: Cells
    loss: float
    label: Literal["best", "good", "inaccuracy", "mistake", "blunder", "opening"]
    why: str
    refutation: Cells
    threats: list[str]
    depth: Count
    nodes: Count


class ReviewRow(TypedDict):
    """A judged game."""

    first: Count
    curve: list[Share]
    moves: list[JudgedRow]
    end: Annotated[
        str, Schema(description="how the game ended on the board; empty without an end")
    ]
    after_end: Annotated[
        Count, Schema(description="moves that the source has after the end")
    ]


class TreeRow(TypedDict):
    """A winning move and its answers to the replies."""

    move: Cell
    plies: Positive
    replies: NotRequired[dict[str, "TreeRow"]]


class SolutionRow(TypedDict):
    """The result of a search for a win."""

    status: Literal["win", "no_win", "unknown"]
    kind: Literal["vcf", "vct"]
    plies: Positive | None
    line: Cells
    nodes: Count
    seconds: Seconds
    tree: NotRequired[TreeRow]
    least: NotRequired[
        Annotated[
            Positive,
            Schema(
                description="plies below which there is proved to be no win of the"
                " requested kind; with --shortest"
            ),
        ]
    ]
    least_of_all: NotRequired[
        Annotated[Positive | None, Schema(description="the same for wins of any kind")]
    ]
    shortest: NotRequired[
        Annotated[
            bool,
            Schema(
                description="whether the win is proved to be the shortest of the"
                " requested kind"
            ),
        ]
    ]


# Lines


class AnalysisLine(PositionRow):
    """One position or game of analyze --json."""

    depth: NotRequired[Count]
    nodes: NotRequired[Count]
    seconds: NotRequired[Seconds]
    win_by_fours: NotRequired[Cells | None]
    lines: NotRequired[list[LineRow]]
    threats: NotRequired[ThreatsRow]
    last_move: NotRequired[MoveThreatsRow]
    values: NotRequired[ValuesRow]
    review: NotRequired[ReviewRow]


class SolutionLine(PositionRow):
    """One position of solve --json; without a game over also the search's result."""

    status: Literal["win", "no_win", "unknown", "over"]
    kind: NotRequired[Literal["vcf", "vct"]]
    plies: NotRequired[Positive | None]
    line: NotRequired[Cells]
    nodes: NotRequired[Count]
    seconds: NotRequired[Seconds]
    tree: NotRequired[TreeRow]
    least: NotRequired[Positive]
    least_of_all: NotRequired[Positive | None]
    shortest: NotRequired[bool]


class SummaryLine(TypedDict):
    """The last line of solve --json: the number of positions of each status."""

    positions: Count
    win: Count
    no_win: Count
    unknown: Count
    over: Count
    seconds: NotRequired[dict[str, Seconds]]
    unread: NotRequired[Count]


class ResultLine(PositionRow):
    """analyze --stream: the answer to a request; nothing is searched if it is over."""

    id: Id
    depth: NotRequired[Count]
    nodes: NotRequired[Count]
    seconds: NotRequired[Seconds]
    win_by_fours: NotRequired[Cells | None]
    lines: NotRequired[list[LineRow]]
    threats: NotRequired[ThreatsRow]
    values: NotRequired[ValuesRow]
    win: NotRequired[SolutionRow]
    review: NotRequired[ReviewRow]


class PartialLine(TypedDict):
    """analyze --stream: the lines so far, for a request with partial."""

    id: Id
    depth: Count
    nodes: Count
    seconds: Seconds
    lines: list[LineRow]


class CancelledLine(TypedDict):
    """analyze --stream: the answer to a request that was cancelled in the queue."""

    id: Id


class StoppedLine(ResultLine):
    """analyze --stream: the answer to a request that was cancelled during its work,
    with what was found until then.
    """


class VersionLine(TypedDict):
    """analyze --stream: the answer to a request for the version."""

    id: Id | None
    version: Annotated[str, Schema(minLength=1)]


class ErrorLine(TypedDict):
    """analyze --stream: the error of a request, null without a readable id;
    --skip-errors with --json: the error of an input.
    """

    id: NotRequired[Id | None]
    message: Annotated[str, Schema(minLength=1)]
    line: NotRequired[Positive]
