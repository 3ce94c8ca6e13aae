"""Small formats of moves: files of Yixin-Board, Gomotur and Niren, strings of web
boards, our links.

- ``.sav`` of Yixin-Board: rows, columns, the number of moves, then "row column" from 0;
- ``.rec`` of Gomotur, which Piskvork writes: two names, then "x,y,milliseconds" from 0,
  then the code of the end; the first named player began;
- ``.pos``: a byte with the number of moves, then bytes 15 * column + row from 0;
- addresses and codes of web boards: "..#h8i9", "H8I9{A1}{B2}" and "H8I9&A1&B2&15",
  moves, then stones of black and white. Their rows count from the bottom;
- links: a game or a position as a short text for chats and mails.

    gomoku:renju/15/h8i9j10             rule, size, moves
    gomoku:freestyle/20x15/-/h8j8/i9/w  the same, then black stones, white stones and
                                        the side to move; "-" is an empty part

Rows of links count from the top. ``web_link`` makes an address of gomocalc.com, a
calculator in the web whose rows count from the bottom.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_record import GameRecord, bare
from gomoku_brain.records.psq import from_psq
from gomoku_brain.records.read_options import (
    Item,
    ReadOptions,
    finished,
    from_bottom,
    lines_of,
)

__all__ = [
    "LINK_SCHEME",
    "is_link",
    "is_pos",
    "is_rec",
    "is_sav",
    "is_web",
    "link_of",
    "read_link",
    "read_pos",
    "read_rec",
    "read_sav",
    "read_web",
    "web_link",
]

_SIZE = 15
_LEAST, _MOST = 5, 22  # cells of a side that the rules support

# ----- .sav -----

_NUMBER = re.compile(r"\s*(\d{1,4})\s*")
_PAIR = re.compile(r"\s*(\d{1,3})[ \t]+(\d{1,3})\s*")


def is_sav(text: str) -> bool:
    """Whether the first lines are two sizes, a count, and then a pair of numbers."""
    lines = text.lstrip().split("\n", 4)
    if len(lines) < 3 or not all(map(_NUMBER.fullmatch, lines[:3])):
        return False
    following = "".join(lines[3:4]).strip()
    if following:
        return _PAIR.fullmatch(following) is not None
    return int(lines[2]) == 0


def read_sav(text: str, options: ReadOptions) -> Iterator[Item]:
    """Read a file of Yixin-Board. Raises ValueError with the number of the line."""
    rows = [(n, row) for n, row in enumerate(text.split("\n"), 1) if row.strip()]
    height, width, count = (int(row) for _, row in rows[:3])
    if not (_LEAST <= height <= _MOST and _LEAST <= width <= _MOST):
        raise ValueError(f"line {rows[0][0]}: no board has {width}x{height} cells")
    moves: list[Move] = []
    for number, row in rows[3:]:
        found = _PAIR.fullmatch(row)
        if found is None:
            raise ValueError(f'line {number}: {row.strip()[:20]!r} is no "row column"')
        moves.append(Move(int(found[2]), int(found[1])))
    if len(moves) != count:
        raise ValueError(f"{count} moves are announced, and there are {len(moves)}")
    record = GameRecord(options.rule_or(), width, height, moves=tuple(map(bare, moves)))
    yield "", finished(record)


# ----- .rec -----

_TIMED = re.compile(r"\s*(\d{1,2})\s*,\s*(\d{1,2})\s*,\s*(\d+)\s*")
_CODE = re.compile(r"\s*-?\d{1,3}\s*")
_REC_SIZE = 20


def is_rec(text: str) -> bool:
    """Whether two lines of names are followed by a move with its time."""
    lines = [line for line in text[:1000].splitlines() if line.strip()][:3]
    return (
        len(lines) == 3
        and _TIMED.fullmatch(lines[2]) is not None
        and not any(
            _TIMED.fullmatch(line) or _CODE.fullmatch(line) for line in lines[:2]
        )
    )


_MAX_LINES = 4000  # of a game


def read_rec(text: str, options: ReadOptions) -> Iterator[Item]:
    """Read a record of Gomotur. Raises ValueError with the number of the line."""
    some = islice(lines_of(text), _MAX_LINES)
    rows = [(n, row) for n, line in some if (row := line.strip())]
    names = [row for _, row in rows[:2]]
    size = options.square if options.square != _SIZE else _REC_SIZE
    lines = [f"Piskvorky {size}x{size}, 0:0, 0"]
    at = 2
    while at < len(rows) and (found := _TIMED.fullmatch(rows[at][1])):
        x, y = int(found[1]) + 1, int(found[2]) + 1
        lines.append(f"{x},{y},{found[3]}")
        at += 1
    if len(rows) - at > 1 or (at < len(rows) and not _CODE.fullmatch(rows[at][1])):
        raise ValueError(f"line {rows[at][0]}: {rows[at][1][:20]!r} is no move")
    lines += names + [row for _, row in rows[at:]]
    yield "", from_psq("\n".join(lines), options.rule_or(), line=rows[1][0])


# ----- .pos -----

_PASS = 240  # row 0 of a column that no board has


def is_pos(data: bytes) -> bool:
    """Whether bytes are a count and so many different cells, and no text."""
    return (
        1 < len(data) == data[0] + 1
        and len(set(data[1:])) == data[0]
        and all(byte < _SIZE * _SIZE or byte == _PASS for byte in data[1:])
        and not all(32 <= byte < 127 or byte in b"\t\r\n" for byte in data)
    )


def read_pos(data: bytes, options: ReadOptions) -> Iterator[Item]:
    """Read a file ``.pos``; one with a pass is a position and the moves after it."""
    cells = [
        None if byte == _PASS else Move(byte // _SIZE, byte % _SIZE)
        for byte in data[1:]
    ]
    after = len(cells) - cells[::-1].index(None) if None in cells else 0
    moves = tuple(cell for cell in cells[after:] if cell)
    if not after:
        played = tuple(map(bare, moves))
        yield "", finished(GameRecord(options.rule_or(), _SIZE, _SIZE, moves=played))
        return
    yield (
        ":1",
        Game(
            _SIZE,
            options.rule_or(),
            black_stones=[cell for cell in cells[:after:2] if cell],
            white_stones=[cell for cell in cells[1:after:2] if cell],
            first=Side(after % 2),
            moves=moves,
        ),
    )


# ----- Web boards -----

_CELL = r"[A-Za-z][1-9]\d?"
_CELLS = rf"((?:{_CELL})*)"
_BRACED = re.compile(rf"\s*{_CELLS}\s*\{{{_CELLS}\}}\s*(?:\{{{_CELLS}\}})?\s*")
_JOINED = re.compile(
    rf"\s*(?:\S*#)?{_CELLS}[&%]{_CELLS}[&%]{_CELLS}"
    r"(?:[&%](\d{0,2}))?(?:[&%][\w-]*)*\s*"
)
_ADDRESS = re.compile(
    rf"\s*(?:https?://|www\.)\S*?[#/=?]((?:{_CELL}[-_,.]?){{2,}})(?:[/?&#]\S*)?\s*",
    re.IGNORECASE,
)


def is_web(text: str) -> bool:
    """Whether a text is the code or the address of a position of a web board."""
    return _web(text) is not None


def read_web(text: str, options: ReadOptions) -> Iterator[Item]:
    """Read the code or the address of a web board."""
    found = _web(text)
    if found is None:
        raise ValueError("no code of a web board")
    size = options.square
    parts = [*found.groups(), "", "", ""][:3]
    if found.re is _JOINED and found[4]:
        size = int(found[4])
        if not _LEAST <= size <= _MOST:
            raise ValueError(f"no board has {size}x{size} cells")
    cells = [parse_moves(re.sub("[-_.]", " ", part or "")) for part in parts]
    if found.re is _ADDRESS:
        cells = [cells[0], [], []]
    if options.rows != "top":
        height = _SIZE if found.re is _JOINED else size  # small boards lie in 15x15
        cells = [from_bottom(moves, height) for moves in cells]
    moves, black, white = cells
    if not (black or white):
        yield (
            "",
            finished(
                GameRecord(options.rule_or(), size, size, moves=tuple(map(bare, moves)))
            ),
        )
        return
    game = Game(
        size, options.rule_or(), black_stones=black, white_stones=white, moves=moves
    )
    yield ":1", game


def _web(text: str) -> "re.Match[str] | None":
    if len(text) > 10_000:
        return None
    for form in (_BRACED, _JOINED, _ADDRESS):
        found = form.fullmatch(text)
        if found is not None and any(found.groups()):
            return found
    return None


# ----- Links -----

LINK_SCHEME = "gomoku:"
_PART = r"(-|(?:[a-z][1-9]\d?)+)"
_MAX_LINK = 50_000  # characters
_LINK = re.compile(
    rf"\s*<?gomoku:([a-z_]+)/(\d\d?)(?:x(\d\d?))?/{_PART}(?:/{_PART}/{_PART}/([bw]))?"
    r">?\s*",
    re.IGNORECASE,
)


def is_link(text: str) -> bool:
    """Whether a text is a link, perhaps a damaged one."""
    return text.lstrip().removeprefix("<")[: len(LINK_SCHEME)].lower() == LINK_SCHEME


def read_link(text: str, options: ReadOptions) -> Iterator[Item]:
    """Read a link. Raises ValueError for a damaged one."""
    found = _LINK.fullmatch(text) if len(text) <= _MAX_LINK else None
    name = "" if found is None else found[1].upper()
    if found is None or name not in Rule.__members__:
        raise ValueError("the link is damaged: gomoku:freestyle/15/h8i9 is one")
    rule = Rule[name]
    width, height = int(found[2]), int(found[3] or found[2])
    moves, black, white = (
        parse_moves("" if part in (None, "-") else part) for part in found.groups()[3:6]
    )
    if found[7] is None:
        played = tuple(map(bare, moves))
        yield "", finished(GameRecord(rule, width, height, moves=played))
        return
    game = Game(
        (width, height),
        rule,
        black_stones=black,
        white_stones=white,
        first=Side(found[7].lower() == "w"),
        moves=moves,
    )
    yield ":1", game


_WEB = "https://gomocalc.com/#/"


def link_of(game: Game) -> str:
    """Return a game as a link.

    Raises:
        ValueError: The board has walls, which a link cannot hold.
    """
    if game.walls:
        raise ValueError("a link cannot hold walls")
    size = str(game.width)
    if game.height != game.width:
        size += f"x{game.height}"
    parts = [game.rule.name.lower(), size, _cells_text(game.moves)]
    if game.is_set_up:
        parts += [
            _cells_text(game.black_stones),
            _cells_text(game.white_stones),
            "bw"[game.first],
        ]
    return LINK_SCHEME + "/".join(parts)


def _cells_text(moves: Iterable[Move]) -> str:
    return "".join(map(str, moves)) or "-"


def web_link(game: Game) -> str:
    """Return the address of a game at gomocalc.com, where size and rule are settings.

    Raises:
        ValueError: The game begins with stones on the board, or the board is not
            square.
    """
    if game.is_set_up:
        raise ValueError("the game begins with stones on the board")
    if game.width != game.height:
        raise ValueError("the board is not square")
    cells = (Move(move.x, game.height - 1 - move.y) for move in game.moves)
    return _WEB + "".join(map(str, cells))
