"""Common parts of the readers of foreign formats: the caller's settings, cells by name.

Other programs and servers mostly count rows from the bottom, as renju players do. Ours
count from the top; so h15 of such a file is our h1.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, NamedTuple

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import DEFAULT_RULE, Rule
from gomoku_brain.records.game_record import (
    GameRecord,
    first_wrong,
    foul_at_end,
    natural_end,
)
from gomoku_brain.records.sgf import SetUp

__all__ = ["Line", "Reading", "Rows", "cell_named", "finished", "from_bottom"]

Rows = Literal["top", "bottom"]
"""Edge from which the numbers of rows count."""
Line = GameRecord | SetUp


class Reading(NamedTuple):
    """Settings of one reading; they apply where the text itself states nothing."""

    rule: Rule | None = None
    size: int | None = None
    rows: Rows | None = None
    """Edge from which rows count; None: the usual one of the format."""
    skip: Callable[[ValueError], None] | None = None
    """Callback with the error of each game that cannot be read; without it the first
    one is raised.
    """
    note: Callable[[str], None] = lambda _: None
    """Callback with each part that was interpreted in a way of our own."""

    def refuse(self, error: ValueError) -> None:
        """Report an error to ``skip``, or raise it."""
        if self.skip is None:
            raise error
        self.skip(error)

    def rule_or(self, usual: Rule = DEFAULT_RULE) -> Rule:
        """Return the caller's rule, or the usual one of the format."""
        return usual if self.rule is None else self.rule


def cell_named(letter: str, number: int, height: int, rows: Rows) -> Move:
    """Return the cell of a letter and a row number; it need not be on the board."""
    y = number - 1 if rows == "top" else height - number
    return Move(ord(letter.lower()) - ord("a"), y)


def from_bottom(moves: list[Move], height: int) -> list[Move]:
    """Return cells whose rows were read from the top as cells of rows from the bottom.

    Raises ValueError for a row that the board does not have.
    """
    for move in moves:
        if move.y >= height:
            raise ValueError(f"{move} is off the board of {height} rows")
    return [Move(x, height - 1 - y) for x, y in moves]


def finished(record: GameRecord, place: str = "") -> GameRecord:
    """Return a game with the end that its last move makes, if it makes one.

    The end on the board has priority over the text's. Raises ValueError, which begins
    with the place, for a move off the board or on a stone.
    """
    moves = [played.move for played in record.moves]
    _, wrong = first_wrong(moves, record.width, record.height)
    if wrong:
        raise ValueError(f"{place}{wrong}")
    result, reason = natural_end(record)
    if result == "*":
        return record
    detail = foul_at_end(record) if reason == "foul" else record.detail
    return replace(record, result=result, reason=reason, detail=detail)
