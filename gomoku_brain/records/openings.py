"""Openings: the first stones of a game. Lists of them, and the shipped book.

An opening is written on one line, black first, in one of two forms (both are those of
c-gomoku-cli). The *position* form names cells from the upper left corner, ``h8i9j10``;
blanks and commas between them are allowed, and so are numbers, ``7,7 8,8``. The
*offset* form counts from the centre (width // 2, height // 2), ``0,0, 1,1, 2,-2``:
Gomocup's own, which fits boards of every size. Numbers can be either; unless the caller
names the form, a line of numbers is offsets. ``#`` begins a comment.

Only the position of an opening counts: two orders of the same stones, or two images
under the symmetries of the board, are one opening.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import chain
from pathlib import Path
from random import Random
from typing import Literal

from gomoku_brain.game.notation import Move, foul_words, parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import DEFAULT_RULE, Rule, Side
from gomoku_brain.game.symmetry import canonical as canonical_groups
from gomoku_brain.records.encodings import decoded
from gomoku_brain.records.game import Game
from gomoku_brain.records.read import format_of, parse_games

__all__ = [
    "BOOK_SIZES",
    "Form",
    "Key",
    "Opening",
    "Part",
    "Size",
    "book",
    "canonical",
    "duplicates",
    "format_opening",
    "has_book",
    "measures",
    "opening_lines",
    "parse_opening",
    "position",
    "read_openings",
    "select",
]

Size = int | tuple[int, int]
"""Cells along a side, or (width, height)."""
Form = Literal["auto", "pos", "offset"]
Part = Literal["tuning", "final", "all"]
Key = tuple[tuple[Move, ...], ...]
"""(black stones, white stones) of the image that all symmetric openings share."""

BOOK_SIZES = (15, 20)  # cells along a side
# cells: on a smaller board the stones of the book are too near the edges
BOOK_SMALLEST = 12
FINAL_EACH = 4  # every fourth opening of the book is of its final part


@dataclass(frozen=True, slots=True)
class Opening:
    """First stones of a game; colours alternate from black."""

    moves: tuple[Move, ...]
    name: str = ""
    """Source, such as "freestyle15:12"; openings are compared without it."""


def measures(size: Size) -> tuple[int, int]:
    """Return (width, height) of a size."""
    return (size, size) if isinstance(size, int) else size


def parse_opening(text: str, size: Size, form: Form = "auto") -> Opening:
    """Parse one opening; ``position`` checks whether its stones fit the board.

    Raises ValueError for text that is not of that form.
    """
    if form == "pos" or (form == "auto" and re.search("[a-zA-Z]", text)):
        return Opening(tuple(parse_moves(text)))
    words = re.split(r"[\s,]+", text.strip(", \t\r\n"))
    for word in words:
        if not re.fullmatch(r"-?[0-9]{1,3}", word):
            raise ValueError(f'not an offset: {word[:20]!r} (write "0,0, 1,-1")')
    if len(words) % 2:
        raise ValueError("offsets come in pairs, and here is an odd number of them")
    width, height = measures(size)
    values = [int(word) for word in words]
    pairs = zip(values[::2], values[1::2], strict=True)
    return Opening(tuple([Move(x + width // 2, y + height // 2) for x, y in pairs]))


def format_opening(opening: Opening, size: Size, form: Form = "offset") -> str:
    """Return one line that ``parse_opening`` can read; "auto" is the offset form.

    Raises ValueError for the position form of a cell beyond the letters (x > 25).
    """
    if form == "pos":
        if any(x > 25 for x, _ in opening.moves):
            raise ValueError("the position form has no letters for such a board")
        return "".join([str(move) for move in opening.moves])
    width, height = measures(size)
    return ", ".join([f"{x - width // 2},{y - height // 2}" for x, y in opening.moves])


def position(opening: Opening, size: Size, rule: Rule | int) -> Board:
    """Return the board after the opening, played in its order.

    Raises ValueError, with the move, if the opening cannot be played or leaves no game
    to play: a stone off the board or on another one, a foul of black under renju, a
    five or a full board.
    """
    board = Board(size, rule)
    for number, move in enumerate(opening.moves, start=1):
        if not (0 <= move.x < board.width and 0 <= move.y < board.height):
            why = f"is off the {board.width}x{board.height} board"
        elif not board.is_empty(move):
            why = "is on a stone"
        elif board.wins_at(move):
            why = "wins: nothing is left to play"
        elif not board.is_legal(move):
            why = f"is forbidden to black ({foul_words(board.foul(move))})"
        else:
            board.play(move)
            continue
        raise ValueError(f"move {number}, {_cell(move)}, {why}")
    if board.is_full:
        raise ValueError("the board is full: nothing is left to play")
    return board


def _cell(move: Move) -> str:
    """Return a cell for a message, also one off the board."""
    return str(move) if min(move) >= 0 else f"({move.x},{move.y})"


def opening_lines(source: Path | str) -> Iterator[tuple[str, int, str]]:
    """Yield (name, line number, text) of the lines that contain an opening.

    ``source`` is a file as a ``Path``, or the text itself as a ``str``; the name is the
    file's without suffix, or "text". Raises OSError, and ValueError if the file is not
    text.
    """
    name, text = _text_of(source)
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.partition("#")[0].strip()
        if line:
            yield name, number, line


def _text_of(source: Path | str) -> tuple[str, str]:
    """Return the name of a source, and its text."""
    if not isinstance(source, Path):
        return "text", source
    try:
        data = source.read_bytes()
    except OSError as error:  # an error of reading has no name
        raise type(error)(error.errno, error.strerror, str(source)) from None
    text = decoded(data)
    if re.search(r"[\0-\x08\x0e-\x1f]", text):
        raise ValueError(f"{source} is not a text file")
    return source.stem, text


def _are_games(text: str) -> bool:
    """Whether a text contains games of a format that has more than bare moves."""
    form = format_of(text)
    return form is not None and form.name not in ("protocol", "picture")


def _moves_of(game: Game) -> tuple[Move, ...]:
    """Return the moves of a game; the stones of its start position come first.

    Raises ValueError if these stones are no opening.
    """
    stones = game.black_stones, game.white_stones
    moves = [*chain.from_iterable(zip(*stones, strict=False))]
    moves += stones[0][len(stones[1]) :]
    if len(stones[0]) - len(stones[1]) not in (0, 1):
        many = f"{len(stones[0])} black and {len(stones[1])} white stones"
        raise ValueError(f"{many} are no opening")
    for node in game.mainline():
        if node.move is not None:
            if node.side is not Side(len(moves) % 2):
                raise ValueError(f"{node.side} moves out of turn")
            moves.append(node.move)
    return tuple(moves)


def read_openings(
    source: Path | str,
    size: Size,
    form: Form = "auto",
    rule: Rule | int = DEFAULT_RULE,
) -> list[Opening]:
    """Return all openings of a file (a ``Path``) or of a text (a ``str``), in their
    order.

    The moves of the games in a file of games (SGF, PSQ, JSON lines, and other programs'
    formats) are openings. They are named by file and line ("freestyle15:3"), and each
    can be played under the rule (see ``position``). Equal ones stay: see
    ``duplicates``. Raises OSError, and ValueError with the line for the first line that
    is no such opening, or if there is none at all.
    """
    place = source if isinstance(source, Path) else "openings"
    openings = []
    name, text = _text_of(source)
    if _are_games(text):
        try:
            games = parse_games(text, Rule(rule), measures(size)[0])
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from None
        for number, game in enumerate(games, start=1):
            try:
                opening = Opening(_moves_of(game))
                position(opening, size, rule)
            except ValueError as error:
                raise ValueError(f"{place}, game {number}: {error}") from None
            openings.append(Opening(opening.moves, f"{name}:{number}"))
        return openings
    for name, number, line in opening_lines(source):
        try:
            opening = parse_opening(line, size, form)
            position(opening, size, rule)
        except ValueError as error:
            raise ValueError(f"{place}, line {number}: {error}") from None
        openings.append(Opening(opening.moves, f"{name}:{number}"))
    if not openings:
        raise ValueError(f"{place}: there is no opening in it")
    return openings


def canonical(opening: Opening, width: int, height: int) -> Key:
    """Return the key that all images and all orders of the same opening share.

    It does not include the side to move, which follows from the number of stones.
    Raises no error for stones off the board.
    """
    groups = opening.moves[::2], opening.moves[1::2]
    return canonical_groups(groups, width, height).groups


def duplicates(openings: Sequence[Opening], size: Size) -> list[tuple[int, int]]:
    """Return pairs (earlier, later) of places in the list whose openings are equal.

    Each later one is paired with the first equal one.
    """
    first: dict[Key, int] = {}
    found = []
    for place, opening in enumerate(openings):
        earlier = first.setdefault(canonical(opening, *measures(size)), place)
        if earlier != place:
            found.append((earlier, place))
    return found


def select(
    openings: Sequence[Opening], count: int | None = None, seed: int | None = None
) -> list[Opening]:
    """Return the first ``count`` openings (None: all), shuffled before if there is a
    seed.

    Equal seeds give equal orders: a greater ``count`` only adds openings at the end.
    Raises ValueError if there are fewer openings, since none is returned twice.
    """
    chosen = list(openings)
    if seed is not None:
        Random(seed).shuffle(chosen)
    if count is None:
        return chosen
    if not 0 <= count <= len(chosen):
        raise ValueError(f"{count} openings wanted, and there are {len(chosen)}")
    return chosen[:count]


def has_book(rule: Rule, size: Size) -> bool:
    """Whether the package has openings for a rule on a board."""
    smaller = min(measures(size))
    name, _ = _book_of(rule, smaller)
    return smaller >= BOOK_SMALLEST and (_data() / f"openings_{name}.txt").is_file()


def _book_of(rule: Rule, smaller: int) -> tuple[str, int]:
    """Return the name of a book, and the cells along a side of its boards."""
    shipped = 20 if smaller >= 20 else 15
    return f"{rule.name.lower()}{shipped}", shipped


def _data() -> Traversable:
    return resources.files("gomoku_brain") / "data"


def book(rule: Rule | int, size: Size, part: Part = "tuning") -> list[Opening]:
    """Return the shipped openings of a rule, always in the same order, no two of them
    equal.

    Three quarters are the "tuning" part, for any use. The "final" part is for the last
    check of results that were tuned with the other part; the two have no opening in
    common. "all" is both, in the order of the file.

    There is a book for 15x15 and one for 20x20. A board of 20x20 cells or more uses
    the larger one, other boards the smaller one, around their centre. An opening is
    left out if a stone would be off the board, or a foul because an edge is near.
    Raises ValueError for a board with a side below 12, and for a rule without a book.
    """
    rule = Rule(rule)
    width, height = measures(size)
    if min(width, height) < BOOK_SMALLEST:
        raise ValueError(
            f"the book is for boards of {BOOK_SMALLEST}x{BOOK_SMALLEST} and more"
        )
    Board(size=(width, height))  # ValueError when it is too large
    if not has_book(rule, size):
        raise ValueError(
            f"the package has no openings for {rule.name.lower()}: name a file of"
            " openings, or play without"
        )
    return list(_read_book(rule, (width, height), part))


@cache  # a reading takes 15 to 40 ms, and the board's tournament needs several
def _read_book(rule: Rule, size: tuple[int, int], part: Part) -> tuple[Opening, ...]:
    """Return the openings of a book that exists, for ``book``."""
    name, shipped = _book_of(rule, min(size))
    text = (_data() / f"openings_{name}.txt").read_text(encoding="ascii")
    openings = []
    for number, (_, _, line) in enumerate(opening_lines(text), start=1):
        final = number % FINAL_EACH == 0
        if part != "all" and final != (part == "final"):
            continue
        opening = parse_opening(line, shipped, "pos")
        if size != (shipped, shipped):
            opening = parse_opening(format_opening(opening, shipped), size, "offset")
            try:
                position(opening, size, rule)
            except ValueError:
                continue
        openings.append(Opening(opening.moves, f"{name}:{number}"))
    return tuple(openings)
