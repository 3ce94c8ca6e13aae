"""Options of a reading, its errors and notes, and cells as other programs name them.

Other programs and servers mostly count rows from the bottom, as renju players do. Ours
count from the top; so h15 of such a file is our h1.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

from gomoku_brain.foreign_text import brief
from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import DEFAULT_RULE, Rule, Side
from gomoku_brain.records.game_record import (
    GameRecord,
    first_wrong,
    foul_at_end,
    natural_end,
)

if TYPE_CHECKING:
    from gomoku_brain.records.game import Game

__all__ = [
    "Errors",
    "Item",
    "Progress",
    "ReadError",
    "ReadNote",
    "ReadOptions",
    "Rows",
    "cell_named",
    "finished",
    "from_bottom",
    "lines_of",
    "parse_size",
]

Rows = Literal["top", "bottom"]
"""Edge from which the numbers of rows count."""
Errors = Literal["raise", "games", "skip"]
"""What happens on an error.

"raise": the first one is raised. "games": a broken game of a file is reported if others
of the file can be read, else raised. "skip": every error is reported.
"""
Progress = Callable[[int, int], None]
"""Callback now and then with the amount read and the whole amount.

An exception that it raises ends the reading.
"""


_EMPTY_LINES = "\n" * 1000


class ReadError(ValueError):
    """Error of a text that cannot be read: "puzzles.txt:3: not a move: 'h0'"."""

    def __init__(self, message: str) -> None:
        """Create the error. Long quotes of the text are shortened."""
        super().__init__(brief(message))


class ReadNote(UserWarning):
    """Part of a text that a reader interpreted in its own way, in one line."""

    def __init__(self, message: str) -> None:
        """Create the note. Long quotes of the text are shortened."""
        super().__init__(brief(message))


Item = tuple[str, "Game | GameRecord | ValueError | ReadNote"]
"""Game of a text, the error of a broken one, or a note, and behind the name of the text
its place: ":3", ", puzzle 2", or "" for the only one.
"""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options of a reading; the same ones for every format."""

    rule: Rule | None = None
    """Rule; None: the usual one of the format."""
    size: tuple[int, int] | None = None
    """(width, height); None: 15x15."""
    encoding: str | None = None
    """Encoding of texts; None: by their bytes and by what they name."""
    rows: Rows | None = None
    """Edge from which the rows of "h8" count.

    None: the top, and the bottom in the formats of programs that count so.
    """
    errors: Errors = "raise"
    report: Callable[[ReadError | ReadNote], None] = lambda _: None
    """Callback with each error that is not raised, and with each note."""
    progress: Progress | None = None
    side: Side | None = None
    """Side to move at the end of a position.

    A list of moves after which the other side is to move becomes a start position of
    those stones.
    """
    variations: bool = False
    """Whether every line of a game is a position of its own, not only the main line."""
    max_lines: int | None = None
    """Largest number of lines of one game with variations; None: all."""

    def __post_init__(self) -> None:
        """Check the values. Raises ValueError for an unknown word, and TypeError."""
        for name, value, words in (
            ("errors", self.errors, get_args(Errors)),
            ("rows", self.rows, (None, *get_args(Rows))),
        ):
            if value not in words:
                known = ", ".join(map(repr, words))
                raise ValueError(f"{name} is {value!r}, not one of {known}")
        if self.rule is not None and not isinstance(self.rule, Rule):
            raise TypeError(f"the rule is a Rule, not {self.rule!r}")
        match self.size:
            case None | (int(), int()):
                return
        raise TypeError(f"a size is (width, height), not {self.size!r}")

    @property
    def square(self) -> int:
        """Cells along a side of the board if a text names no size."""
        return self.size[0] if self.size else 15

    def rule_or(self, usual: Rule = DEFAULT_RULE) -> Rule:
        """Return the rule of the options, or the usual one of the format."""
        return usual if self.rule is None else self.rule


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text with their numbers, without storing all of them.

    Of very many empty ones in a row some are left out.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    number, at = 1, 0
    while (end := text.find("\n", at)) >= 0:
        yield number, text[at:end]
        number, at = number + 1, end + 1
        if text.startswith(_EMPTY_LINES, at):
            number, at = number + len(_EMPTY_LINES), at + len(_EMPTY_LINES)
    if at < len(text):
        yield number, text[at:]


def side_named(value: object) -> Side | None:
    """Return a side by its name; None for none. Raises ValueError for another value."""
    if value is None:
        return None
    names = {"black": Side.BLACK, "b": Side.BLACK, "white": Side.WHITE, "w": Side.WHITE}
    if isinstance(value, str) and value.lower() in names:
        return names[value.lower()]
    raise ValueError(f"the side to move is {value!r}, not black or white")


def parse_size(text: str) -> tuple[int, int]:
    """Parse "15" or "15x20" (width x height). Raises ValueError for other text."""
    words = text.lower().split("x")
    if len(words) > 2 or not all(word.isascii() and word.isdigit() for word in words):
        raise ValueError(f'not a size: {text!r} (write "15" or "15x20")')
    return int(words[0]), int(words[-1])


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
