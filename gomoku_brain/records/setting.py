"""The user's settings for input, and games made under them.

Every format of positions and games becomes a ``Game`` here, so a setting of the user,
for example another rule, has the same meaning for all formats.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import DEFAULT_RULE, Rule, Side
from gomoku_brain.records.form_reading import Rows, from_bottom
from gomoku_brain.records.game import DEFAULT_SIZE, Game
from gomoku_brain.records.sgf_trees import Watch

__all__ = ["ReadError", "Setting", "parse_size"]


class ReadError(ValueError):
    """Error of a text that cannot be read: "puzzles.txt:3: not a move: 'h0'"."""


class Setting(NamedTuple):
    """The user's settings; they have priority over those of the source."""

    rule: Rule | None = None
    size: tuple[int, int] | None = None
    """(width, height)"""
    side: Side | None = None
    """Side to move at the end.

    A list of moves after which the other side is to move becomes a set-up of those
    stones.
    """
    skip: Callable[[ReadError], None] | None = None
    """Callback with each error in moves, pictures, JSON and protocol blocks.

    Without it the first error ends the reading.
    """
    variations: bool = False
    """Whether every line of a game with variations is a game of its own, not only the
    main line.
    """

    bad_game: Callable[[ReadError], None] | None = None
    """Callback with the error of each broken game of a collection, if others can be
    read.
    """
    on_note: Callable[[str], None] | None = None
    """Callback with a line about each part that a reader interpreted in its own way."""

    watch: Watch | None = None
    """Callback now and then with the amount read and the whole amount.

    An exception that it raises ends the reading.
    """
    most_lines: int | None = None
    """Largest number of lines of one game with variations; None: all."""
    rows: Rows | None = None
    """Edge from which the rows of "h8" count.

    None: the top, and the bottom in the formats of programs that count so.
    """

    def note(self, text: str) -> None:
        """Report an interpretation of a reader's own, if there is a callback."""
        if self.on_note is not None:
            self.on_note(text)

    def refuse(self, error: ReadError) -> None:
        """Report an error to ``skip``, or raise it."""
        if self.skip is None:
            raise error
        self.skip(error)


def parse_size(text: str) -> tuple[int, int]:
    """Parse "15" or "15x20" (width x height). Raises ValueError for other text."""
    words = text.lower().split("x")
    if len(words) > 2 or not all(word.isascii() and word.isdigit() for word in words):
        raise ValueError(f'not a size: {text!r} (write "15" or "15x20")')
    return int(words[0]), int(words[-1])


def size_of(setting: Setting, own: tuple[int, int] | None = None) -> tuple[int, int]:
    return setting.size or own or (DEFAULT_SIZE, DEFAULT_SIZE)


def in_rows(moves: Sequence[Move], setting: Setting) -> list[Move]:
    """Return the cells of names like "h8", by the user's way to count rows.

    Raises ValueError for a row beyond the board.
    """
    if setting.rows != "bottom":
        return list(moves)
    return from_bottom(list(moves), size_of(setting)[1])


def from_moves(moves: Sequence[Move], setting: Setting) -> Game:
    if setting.side not in (None, Side(len(moves) % 2)):
        return set_up(moves[::2], moves[1::2], (), setting)
    width, height = size_of(setting)
    rule = DEFAULT_RULE if setting.rule is None else setting.rule
    return Game(rule, width, height, moves=tuple(moves))


def set_up(
    black: Sequence[Move],
    white: Sequence[Move],
    walls: Sequence[Move],
    setting: Setting,
    *,
    size: tuple[int, int] | None = None,
    rule: Rule | None = None,
    side: Side | None = None,
    name: str = "",
) -> Game:
    """Return a position; without a side, black moves unless it has more stones."""
    if setting.rule is not None:
        rule = setting.rule
    if setting.side is not None:
        side = setting.side
    if side is None:
        side = Side(len(black) > len(white))
    width, height = size_of(setting, size)
    return Game(
        DEFAULT_RULE if rule is None else rule,
        width,
        height,
        tuple(black),
        tuple(white),
        tuple(walls),
        side,
        name=name,
    )


def named(game: Game, name: str) -> Game:
    return game if game.name else replace(game, name=name)


def checked(game: Game, place: str) -> Game:
    """Return the game itself if a board can have it; errors begin with the place."""
    try:
        game.board()
    except ValueError as error:
        raise ReadError(f"{place}: {error}") from None
    return game


def attempt(make: Callable[[], Game], place: str, setting: Setting) -> Iterator[Game]:
    """Yield the game of ``make`` if a board can have it; else report its error."""
    try:
        game = checked(named(make(), place), place)
    except ReadError as error:
        setting.refuse(error)
    except ValueError as error:
        setting.refuse(ReadError(f"{place}: {error}"))
    else:
        yield game


def side_named(value: object) -> Side | None:
    """Return a side by its name; None for none. Raises ValueError for another value."""
    if value is None:
        return None
    names = {"black": Side.BLACK, "b": Side.BLACK, "white": Side.WHITE, "w": Side.WHITE}
    if isinstance(value, str) and value.lower() in names:
        return names[value.lower()]
    raise ValueError(f"the side to move is {value!r}, not black or white")
