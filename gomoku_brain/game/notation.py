"""Notation of moves and boards: "h8", "7,7", move lists and ASCII pictures.

A move is a cell: x counts from the left edge, y from the top edge, both from 0, as in
the Gomocup protocol. People read "h8": the letter is x (a = 0), the number is y + 1, so
row 1 is the top row.

>>> str(Move(7, 7))
'h8'
>>> parse_moves("h8h9 9,9")
[Move(x=7, y=7), Move(x=7, y=8), Move(x=9, y=9)]
"""

from collections import namedtuple
from collections.abc import Iterable, Mapping
from operator import index

TYPE_CHECKING = False  # importing typing takes milliseconds of the start
if TYPE_CHECKING:
    from typing import Any, NamedTuple

    class _Cell(NamedTuple):
        x: int
        y: int

    class _Picture(NamedTuple):
        width: int
        height: int
        black: "tuple[Move, ...]"
        white: "tuple[Move, ...]"
        walls: "tuple[Move, ...]"

else:
    _Cell = namedtuple("_Cell", ("x", "y"))
    _Picture = namedtuple("_Picture", ("width", "height", "black", "white", "walls"))

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"
_SEPARATORS = " \t\r\n\f\v,;"
_STONES = "XO#"
_EMPTY = ".+-_"
_MAX_DIGITS = 40  # of a cell
# Signs of other programs: stones, and the pieces of a grid.
_DRAWN = str.maketrans(
    {"●": "X", "⚫": "X", "○": "O", "⚪": "O", "■": "#", "█": "#"}
    | dict.fromkeys("·•∙・┼├┤┌┐└┘┬┴╋┏┓┗┛┠┨┯┷╬", ".")
)


class Move(_Cell):
    """Cell of the board: ``x`` is the column, ``y`` the row, both counted from 0.

    ``str(move)`` is "h8", or "30,2" beyond the last letter.
    """

    __slots__ = ()

    def __str__(self) -> str:
        """Return the written form of the cell."""
        if 0 <= self.x < len(_LETTERS) and self.y >= 0:
            return f"{_LETTERS[self.x]}{self.y + 1}"
        return f"{self.x},{self.y}"


class Picture(_Picture):
    """Content of an ASCII picture; stones are listed row by row, from the top left."""

    __slots__ = ()


NO_PAIRS = bytes, bytearray, set, frozenset, dict
"""Types that may hold two whole numbers but are no cell: undecoded text, or without
order.
"""


def as_move(value: object) -> Move:
    """Convert a value to a move: a Move, (x, y) in whole numbers, or text as "h8".

    The pair may be a tuple, a list or an array. Raises TypeError for another type and
    ValueError for text that names no cell. The cell need not be on a board.
    """
    if type(value) is Move and type(value.x) is int and type(value.y) is int:
        return value  # most of the calls
    if isinstance(value, str):
        return parse_move(value)
    cell: Any = value
    try:
        if not isinstance(cell, NO_PAIRS):
            x, y = cell
            return Move(index(x), index(y))
    except (TypeError, ValueError):
        pass
    raise TypeError(f'a move is "h8" or (x, y) in whole numbers, not {value!r}')


def as_moves(value: object) -> list[object]:
    """Convert a value to a list of moves: text as "h8 h9", or values for ``as_move``.

    Only text is parsed; other values are returned unchanged. Raises ValueError for text
    that names no cells, and TypeError for a value that is neither text nor a sequence.
    """
    if isinstance(value, str):
        return [*parse_moves(value)]
    several: Any = value
    try:
        return list(several)
    except TypeError:
        raise TypeError(
            f'moves are a text as "h8 h9" or a list of moves, not {value!r}'
        ) from None


def parse_move(text: str) -> Move:
    """Parse one move, "h8" or "7,7" (surrounding blanks are ignored).

    Raises ValueError for other text.
    """
    text = text.strip()
    if text:
        move, end = _scan_move(text, 0)
        if end == len(text):
            return move
    raise ValueError(f'not a move: {text!r} (write "h8" or "7,7")')


def parse_moves(text: str) -> list[Move]:
    """Parse a list of moves: "h8 h9 j10", "h8h9j10", "7,7 8,8", or a mixture.

    Blanks, commas and semicolons separate moves; between letter moves they may be left
    out. Numbers of moves, as in "1. h8 h9 2. j10", are skipped. Raises ValueError for
    other text between the moves.
    """
    moves = []
    start = 0
    while start < len(text):
        if text[start] in _SEPARATORS:
            start += 1
            continue
        after = _skip_digits(text, start)
        if after > start and text[after : after + 1] == ".":
            start = after
            while text[start : start + 1] == ".":  # "1." and "1..."
                start += 1
            continue
        move, start = _scan_move(text, start)
        moves.append(move)
    return moves


def format_moves(moves: Iterable[tuple[int, int]], separator: str = " ") -> str:
    """Format moves as "h8 h9 j10", which ``parse_moves`` can read.

    ``separator`` may be blanks, a comma or empty.
    """
    return separator.join([str(Move(x, y)) for x, y in moves])


def draw_board(
    width: int,
    height: int,
    stones: Mapping[tuple[int, int], str] | None = None,
) -> str:
    """Draw a board with its coordinates.

    ``stones`` has the sign of each stone: "X" black, "O" white, "#" a wall; other cells
    are ".". The picture has no newline at its end. Raises ValueError for a cell off the
    board, another sign, and a board without cells or wider than 26.
    """
    if not 1 <= width <= len(_LETTERS) or height < 1:
        raise ValueError(f"cannot draw a board of {width}x{height} cells")
    rows = [["."] * width for _ in range(height)]
    for (x, y), sign in (stones or {}).items():
        if len(sign) != 1 or sign not in _STONES:
            raise ValueError(f"cannot draw {sign!r} (use one of {_STONES})")
        if not (0 <= x < width and 0 <= y < height):
            raise ValueError(f"{Move(x, y)} is off the {width}x{height} board")
        rows[y][x] = sign
    margin = len(str(height))
    lines = [" " * margin + " " + " ".join(_LETTERS[:width])]
    lines += [f"{y + 1:{margin}} {' '.join(row)}" for y, row in enumerate(rows)]
    return "\n".join(lines)


def parse_board(text: str) -> Picture:
    """Parse a picture drawn by ``draw_board``, one of another program, or one without
    coordinates.

    X, x or ● is black, O, o or ○ white, # a wall; . + - _ and the pieces of a drawn
    grid are empty cells. Blanks between the cells are optional, empty lines are
    ignored. Row numbers stand left or right of the cells and count down or up; column
    letters stand above or below them, with or without an I. | may stand around the
    board or between its cells, with lines of + - = around the rows. The first row drawn
    is always the top row. Raises ValueError for every other character, for what may be
    a stone or a frame as well, for rows of different widths, row numbers out of order,
    and letters that do not fit.
    """
    drawn = [line.split() for line in text.splitlines() if line.strip()]
    if drawn and all(row[0][:-1].isdecimal() and row[0][-1] == "." for row in drawn):
        raise ValueError("write the numbers of rows without a dot")
    lines = ["".join(row).translate(_DRAWN) for row in drawn]
    # Column letters begin with "a", a row of cells never does.
    headers = [lines.pop(at) for at in (0, -1) if lines and lines[at][0] in "aA"]
    if any("|" in line for line in lines):
        lines = [line for line in lines if set(line) - set("+-=")]
    if not lines:
        raise ValueError("the picture shows no board")

    rows: list[str] = []
    numbers: list[str] = []
    for line in lines:
        cells = line.strip(_DIGITS)
        left, _, right = line.partition(cells) if cells else (line, "", "")
        numbers.append(left or right)
        if left and right and left != right:
            numbers[-1] = f"{left} and {right}"
        rows.append(cells.upper())
    rows = _without_frame(rows)
    width = len(rows[0])
    found: dict[str, list[Move]] = {sign: [] for sign in _STONES}
    for y, cells in enumerate(rows):
        if not cells or len(cells) != width:
            raise ValueError(f"row {y + 1} has {len(cells)} cells, not {width}")
        for x, sign in enumerate(cells):
            if sign in found:
                found[sign].append(Move(x, y))
            elif sign not in _EMPTY:
                known = f"X, O, # and {' '.join(_EMPTY)} are known"
                raise ValueError(f"unknown character {sign!r} in row {y + 1} ({known})")
    _check_numbers(numbers)
    for header in headers:
        if header.lower() not in (_LETTERS[:width], _LETTERS.replace("i", "")[:width]):
            raise ValueError(f"the column letters do not fit {width} columns")
    is_ours = headers == [_LETTERS[:width]] and numbers[0] == "1"
    if not is_ours:
        _check_edges(rows)
        if width > 2 and {*"".join(row[1::2] for row in rows)} == {"-"}:
            raise ValueError("every second column is of - only: draw the cells alone")
    black, white, walls = (tuple(found[sign]) for sign in _STONES)
    if walls and bool(black) != bool(white) and not is_ours:
        raise ValueError("# may be a wall or a stone: draw all stones as X and O")
    return Picture(width, len(rows), black, white, walls)


def _without_frame(rows: list[str]) -> list[str]:
    """Return the rows without | around the board or between the cells."""
    if not any("|" in row for row in rows):
        return rows
    inner = [row[1:-1] for row in rows if row[:1] == row[-1:] == "|" and len(row) > 2]
    if len(inner) < len(rows):
        raise ValueError("| stands around some rows only")
    if not any("|" in row for row in inner):
        return inner
    cells = [[cell or "." for cell in row.split("|")] for row in inner]
    if any(len(cell) > 1 for row in cells for cell in row):
        raise ValueError("| stands between some cells only")
    return ["".join(row) for row in cells]


def _check_edges(rows: list[str]) -> None:
    """Raise ValueError for an edge of one sign that no other cell has: it may be a
    frame.
    """
    sides = rows[0], rows[-1], [row[0] for row in rows], [row[-1] for row in rows]
    inside = {sign for row in rows[1:-1] for sign in row[1:-1]}
    for side in sides:
        signs = {*side[1:-1]}  # corners may be others
        if len(signs) == 1 and signs <= {*"+-_#"} and inside and not signs & inside:
            what = f"an edge of {signs.pop()} may be a frame or cells"
            raise ValueError(f"{what}: draw the cells alone")


def _check_numbers(numbers: list[str]) -> None:
    """Raise ValueError unless the row numbers count down or up."""
    height = len(numbers)
    faults = []
    for wanted in (range(1, height + 1), range(height, 0, -1)):
        pairs = zip(numbers, map(str, wanted), strict=True)
        bad = [y for y, (number, want) in enumerate(pairs) if number not in ("", want)]
        if not bad:
            return
        faults.append(bad)
    row = min(faults, key=len)[0]
    raise ValueError(f"row {row + 1} of the picture is numbered {numbers[row]}")


def _scan_move(text: str, start: int) -> tuple[Move, int]:
    """Return the move that begins at ``start``, and the place of its end."""
    first = text[start].lower()
    if first in _LETTERS:
        end = _skip_digits(text, start + 1)
        # Rows count from 1, so neither "h0" nor "h08" is a row.
        if start + 1 < end <= start + _MAX_DIGITS and text[start + 1] != "0":
            return Move(_LETTERS.index(first), int(text[start + 1 : end]) - 1), end
    elif first in _DIGITS:
        comma = _skip_digits(text, start)
        end = _skip_digits(text, comma + 1)
        is_pair = text[comma : comma + 1] == "," and end > comma + 1
        if is_pair and end - start <= _MAX_DIGITS:
            return Move(int(text[start:comma]), int(text[comma + 1 : end])), end
    # Python knows more blanks than this notation: no other text may remain.
    word = (text[start:].split(maxsplit=1) or [text[start:]])[0]
    if len(word) > 20:
        word = word[:20] + ".."
    raise ValueError(f'not a move: {word!r} (write "h8" or "7,7")')


def _skip_digits(text: str, start: int) -> int:
    """Return the first place at or after ``start`` that holds no digit."""
    while start < len(text) and text[start] in _DIGITS:
        start += 1
    return start


def foul_words(foul: str | None) -> str:
    """Return the result of ``Board.foul`` in words: "double three"; empty for none."""
    return (foul or "").replace("-", " ")
