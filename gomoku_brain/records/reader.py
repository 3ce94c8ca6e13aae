"""Reader of any text with positions or games: moves, pictures, JSON, protocol, records.

The content determines the format, never the name of the file:

* moves: "h8 h9 j10" or "7,7 8,8"; in a file one game a line, # begins a comment;
* pictures of boards, as `notation.parse_board` reads them, divided by empty lines;
* JSON: an object, a list of them, or one a line. Stones are "black", "white" and
  "walls", moves "moves"; a cell is [x, y] or "h8"; "rule", "size" (or "width" and
  "height") and "side_to_move" may be missing;
* records of games: PSQ, SGF (also set-up positions), libraries of RenLib, the JSON
  lines of `match`; of SGF and RenLib the main line, or every line as a game;
* lines of the Gomocup protocol: START, RECTSTART, INFO rule, BOARD .. DONE;
* formats of other programs and servers, by `foreign_forms`: PGN, RenjuNet's XML ..
"""

import errno
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from gomoku_brain.game.notation import parse_board, parse_moves
from gomoku_brain.records.encodings import decode
from gomoku_brain.records.foreign_forms import (
    form_of,
    pos_form,
    refuse_unread,
    refuse_unread_text,
)
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_formats import is_lib, is_psq
from gomoku_brain.records.json_reader import from_row, read_json
from gomoku_brain.records.protocol_reader import read_protocol
from gomoku_brain.records.record_reader import read_form, read_lib, read_records
from gomoku_brain.records.setting import (
    ReadError,
    Setting,
    attempt,
    checked,
    from_moves,
    in_rows,
    parse_size,
    set_up,
)

__all__ = [
    "Game",
    "ReadError",
    "Setting",
    "from_json_value",
    "parse_size",
    "read",
    "read_bytes",
    "read_text",
]


_PROTOCOL_WORDS = {"START", "RECTSTART", "INFO", "BOARD", "YXBOARD"}


def read(words: str | Sequence[str], setting: Setting | None = None) -> list[Game]:
    """Read the words of a command line: files, "-" (standard input), or moves.

    A text is a single word: a file, or moves. Raises ReadError if it cannot be read,
    and if there is no position.
    """
    if isinstance(words, str):
        words = [words]
    if not "".join(words).strip():
        raise ReadError("nothing to read: name a file or moves")
    if list(words) == ["-"]:
        return _read_standard_input(setting)
    if len(words) > 1 and all(map(_is_file, words)):
        return [game for word in words for game in read([word], setting)]
    text = " ".join(words)
    path = Path(text)
    there = False
    try:
        there = path.exists()
        if path.is_dir():
            raise ReadError(f"{text} is a folder: name the files in it")
        if there:  # also a pipe: a shell's <(command)
            return read_bytes(path.read_bytes(), text, setting)
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:  # moves of a long game
            raise ReadError(f"{text}: {error.strerror}") from None
    if (form := form_of(text)) is not None:  # the address or code of a web board
        read_words = partial(form.read, text)
        return list(read_form(read_words, "the position", setting or Setting()))
    try:
        game = _from_line(text, setting or Setting())
    except ValueError as error:
        # one word that is no move was meant as a file
        if len(words) == 1 and not there and not _like_moves(text):
            raise ReadError(f"there is no file {text}, and it is {error}") from None
        raise ReadError(str(error)) from None
    return [checked(game, "moves")]


def _is_file(word: str) -> bool:
    """Whether a word names a file or a pipe; False for an invalid path."""
    try:
        return Path(word).exists() and not Path(word).is_dir()
    except (OSError, ValueError):
        return False


def _read_standard_input(setting: Setting | None) -> list[Game]:
    """Read all of standard input, in the same way as files."""
    data = getattr(sys.stdin, "buffer", None)
    if data is None:
        return read_text(sys.stdin.read(), "standard input", setting)
    return read_bytes(data.read(), "standard input", setting)


def from_json_value(value: object, setting: Setting | None = None) -> Game:
    """Return the position or game of one JSON value, in the form of a line of a JSON
    file.

    Raises ValueError, also for a position that no board can have.
    """
    game = from_row(value, setting or Setting())
    game.board()
    return game


def read_bytes(data: bytes, name: str, setting: Setting | None = None) -> list[Game]:
    """Read all positions and games of a file's bytes; errors begin with ``name``.

    Raises ReadError if they cannot be read, and if there is no position.
    """
    setting = setting or Setting()
    if is_lib(data):
        return read_lib(data, name, setting)
    if (read := pos_form(data)) is not None:
        return list(read_form(read, name, setting))
    try:
        refuse_unread(data)
    except ValueError as error:
        raise ReadError(f"{name}: {error}") from None
    text = decode(data)
    if text.note:
        setting.note(f"{name}: {text.note}")
    return read_text(text.text, name, setting)


def read_text(text: str, name: str, setting: Setting | None = None) -> list[Game]:
    """Read all positions and games of a text; errors begin with ``name``.

    Raises ReadError if it cannot be read, and if there is no position.
    """
    setting = setting or Setting()
    text = text.removeprefix("\ufeff")
    start = text.lstrip()
    word = start.split(None, 1)[0].upper() if start else ""
    form = None if word in _PROTOCOL_WORDS else form_of(start)
    if form is not None:
        games = read_form(partial(form.read, text), name, setting)
    elif start[:1] in ("{", "["):
        games = read_json(text, name, setting)
    elif start.startswith("(") or is_psq(start):
        games = read_records(text, name, setting)
    elif word in _PROTOCOL_WORDS:
        games = read_protocol(text, name, setting)
    elif _is_picture(start):
        games = _read_pictures(text, name, setting)
    else:
        try:
            refuse_unread_text(text)
        except ValueError as error:
            raise ReadError(f"{name}: {error}") from None
        games = _read_move_lines(text, name, setting)
    try:
        found = list(games)
    except RecursionError:  # of JSON
        raise ReadError(f"{name}: nested too deeply") from None
    if not found:
        raise ReadError(f"{name}: no position and no game in it")
    return found


# Moves


def _like_moves(text: str) -> bool:
    """Whether a text may have been meant as moves: it has a digit, no folder."""
    return any(c.isdigit() for c in text) and not set(text) & set("/\\.")


def _read_move_lines(text: str, name: str, setting: Setting) -> Iterator[Game]:
    """Yield the games of a text, one on each line."""
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.partition("#")[0].strip()
        if line:
            make = partial(_from_line, line, setting)
            yield from attempt(make, f"{name}:{number}", setting)


def _from_line(line: str, setting: Setting) -> Game:
    return from_moves(in_rows(parse_moves(line), setting), setting)


# Pictures


def _is_picture(text: str) -> bool:
    """Whether the first line is a row of cells, or letters above the columns."""
    first = text.split("\n", 1)[0]
    cells = "".join(first.split())
    if cells.lower().startswith("abcde"):
        return True
    cells = cells.lstrip("0123456789")
    signs = set(cells.upper()) - {"X", "O"}
    return len(cells) >= 5 and not any(c.isalpha() or c in ",;" for c in signs)


def _read_pictures(text: str, name: str, setting: Setting) -> Iterator[Game]:
    for number, block in _blocks(text):
        make = partial(_from_picture, block, setting)
        yield from attempt(make, f"{name}:{number}", setting)


def _from_picture(block: str, setting: Setting) -> Game:
    picture = parse_board(block)
    size = (picture.width, picture.height)
    if setting.size not in (None, size):
        raise ValueError(f"the picture shows {size[0]}x{size[1]} cells")
    return set_up(picture.black, picture.white, picture.walls, setting, size=size)


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a text between empty lines, with their first line's number."""
    lines: list[str] = []
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        if line.strip():
            lines.append(line)
        elif lines:
            yield number - len(lines), "\n".join(lines)
            lines = []
