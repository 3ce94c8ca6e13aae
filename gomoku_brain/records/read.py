"""Readers of games and positions: a path, bytes or text in, games out.

The content determines the format, never the name of the file. Each format is a module
of its own; this one chooses it, decodes a file, and treats errors and notes alike for
all of them.

* ``read_games``, ``iter_games``, ``parse_games``: games with all their variations, as
  the file has them;
* ``read_positions``: what analysis and the board need: a start position and moves in
  turn, under the rule and size that the user names.
"""

import errno
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.encodings import decode
from gomoku_brain.records.game import Game, NodeError
from gomoku_brain.records.game_head import rule_named, stated_result
from gomoku_brain.records.game_record import is_match
from gomoku_brain.records.json_games import game_of_row, is_json, read_json
from gomoku_brain.records.plain_text import (
    is_picture,
    is_protocol,
    moves_game,
    read_moves,
    read_pictures,
    read_protocol,
)
from gomoku_brain.records.portal_games import (
    is_contest,
    is_pgn,
    is_renjunet,
    read_contest,
    read_pgn,
    read_renjunet,
)
from gomoku_brain.records.psq import is_psq, read_psq
from gomoku_brain.records.read_options import (
    Errors,
    Item,
    Progress,
    ReadError,
    ReadNote,
    ReadOptions,
    Rows,
)
from gomoku_brain.records.renlib import is_lib, read_lib
from gomoku_brain.records.result_words import result_named
from gomoku_brain.records.sgf import is_sgf, line_of, read_sgf
from gomoku_brain.records.short_forms import (
    is_link,
    is_pos,
    is_rec,
    is_sav,
    is_web,
    read_link,
    read_pos,
    read_rec,
    read_sav,
    read_web,
)

__all__ = [
    "FORMATS",
    "Format",
    "format_of",
    "iter_games",
    "parse_games",
    "position_of_row",
    "read_bytes",
    "read_games",
    "read_positions",
    "read_text",
]

_MAX_ERRORS = 1000  # of a file in which no game was found
_NOTHING = "no position and no game in it"
Source = str | Path
Report = Callable[[ReadError | ReadNote], None]
Finish = Callable[[Game], list[Game | ValueError]]
"""Function that gives a game its form, or all its lines; an error stands for a line."""


class Format(NamedTuple):
    """Format of a text that is read."""

    name: str
    matches: Callable[[str], bool]
    """Test that a text has the format, by its beginning."""
    read: Callable[[str, ReadOptions], Iterator[Item]]
    in_lines: bool = False
    """Whether a broken part is an error of the whole text, which "games" raises."""


FORMATS = (
    Format("protocol", is_protocol, read_protocol, in_lines=True),
    Format("link", is_link, read_link),
    Format("contest record", is_contest, read_contest),
    Format("PGN", is_pgn, read_pgn),
    Format("RenjuNet XML", is_renjunet, read_renjunet),
    Format("Yixin-Board .sav", is_sav, read_sav),
    Format("Gomotur .rec", is_rec, read_rec),
    Format("code of a web board", is_web, read_web),
    Format("JSON", is_json, read_json, in_lines=True),
    Format("SGF", is_sgf, read_sgf),
    Format("PSQ", is_psq, read_psq),
    Format("picture", is_picture, read_pictures, in_lines=True),
)
"""Formats of texts, in the order in which they are tried. Other texts are moves."""
_BEGINNING = 1 << 16  # characters
_MOVES = Format("moves", lambda text: True, read_moves, in_lines=True)


def format_of(text: str) -> Format | None:
    """Return the format of a text; None for moves, and for an unknown one."""
    start = text[:_BEGINNING].lstrip("\ufeff \t\r\n")
    return next((form for form in FORMATS if form.matches(start)), None)


_BINARY = (
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive: unpack it first"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\x1f\x8b", "a file packed with gzip: unpack it first"),
    (b"7z\xbc\xaf'\x1c", "a 7z archive: unpack it first"),
    (b"Rar!", "a RAR archive: unpack it first"),
    (b"BZh", "a file packed with bzip2: unpack it first"),
    (b"\xfd7zXZ", "a file packed with xz: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "a file packed with zstd: unpack it first"),
    (
        b"\x04\x22\x4d\x18",
        "a file of LZ4, mostly a database of Rapfi or Yixin,",
    ),
    (b"SQLite format 3", "an SQLite database"),
    (b"\xd0\xcf\x11\xe0", "a document of an old Office program"),
    (b"MZ", "a program of Windows"),
    (b"\x7fELF", "a program of Linux"),
)
_UNKNOWN = "a binary file of a kind that is not known is not read"
_WEB_PAGE = re.compile(r"\s*(?:<!doctype\s+html|<html|<head|<body|<svg)", re.IGNORECASE)
_CONTROL = re.compile(r"[\0-\x08\x0e-\x1a\x1c-\x1f]")
_MAX_CONTROLS = 20  # of the first 2000 bytes of a text
_CONTROL_BYTES = re.compile(_CONTROL.pattern.encode())


def _refuse_bytes(data: bytes) -> None:
    """Raise ValueError for the bytes of an unsupported format, with its name."""
    is_binary = _CONTROL_BYTES.search(data[:512]) is not None
    for begin, name in _BINARY:
        if data.startswith(begin) and (len(begin) > 2 or is_binary):
            what, colon, advice = name.partition(":")
            raise ValueError(f"{what} is not read{colon}{advice}")
    is_wide = data[:2] in (b"\xff\xfe", b"\xfe\xff") or data[:3] == b"\0\0\xfe"
    if not is_wide and len(_CONTROL_BYTES.findall(data[:2000])) > _MAX_CONTROLS:
        raise ValueError(_UNKNOWN)


def _refuse_text(text: str) -> None:
    """Raise ValueError for a text of an unsupported format, with its name."""
    if _WEB_PAGE.match(text):
        raise ValueError("a web page or a drawing is not read: save the game itself")
    if text[:_BEGINNING].lstrip().startswith("<"):
        raise ValueError("XML of a kind other than RenjuNet's is not read")
    if _CONTROL.search(text[:2000]):
        raise ValueError(_UNKNOWN)


# ----- Games -----


def read_games(
    source: Source | Iterable[Source],
    rule: Rule | str | None = None,
    size: int | tuple[int, int] | None = None,
    *,
    encoding: str | None = None,
    rows: Rows | None = None,
    errors: Errors = "raise",
    report: Report | None = None,
    progress: Progress | None = None,
) -> list[Game]:
    """Read all games of a file, of several files, or of all files in a folder.

    Args:
        source: A path, several paths, or a folder, with all folders in it; hidden files
            of a folder are left out.
        rule: Rule of the games that name none; None: freestyle, and renju for RenLib
            and RenjuNet.
        size: Cells along a side, or (width, height), if a game names none; None: 15.
        encoding: Encoding of texts, by Python's name; None: by their bytes and by what
            they name.
        rows: Edge from which the rows of "h8" count, "top" or "bottom"; None: as usual
            in the format.
        errors: "raise" raises the first error. "games" reports a broken game if others
            of its file can be read. "skip" reports every error.
        report: Callback with each ReadError that is not raised, and with each ReadNote
            about a part that a reader interpreted in its own way.
        progress: Callback now and then with the amount read of a large file and the
            whole amount; an exception that it raises ends the reading.

    Raises:
        OSError: A file cannot be read.
        ReadError: A file has another content; the text begins with its name and, if
            there is one, the line. A ReadError is a ValueError.
    """
    options = _options(rule, size, encoding, rows, errors, report, progress)
    return list(_iter_files(source, options))


def iter_games(
    source: Source | Iterable[Source],
    rule: Rule | str | None = None,
    size: int | tuple[int, int] | None = None,
    *,
    encoding: str | None = None,
    rows: Rows | None = None,
    errors: Errors = "raise",
    report: Report | None = None,
    progress: Progress | None = None,
) -> Iterator[Game]:
    """Read games one by one, as ``read_games``; only one is in memory."""
    options = _options(rule, size, encoding, rows, errors, report, progress)
    return _iter_files(source, options)


def parse_games(
    text: str,
    rule: Rule | str | None = None,
    size: int | tuple[int, int] | None = None,
    *,
    rows: Rows | None = None,
    errors: Errors = "raise",
    report: Report | None = None,
    progress: Progress | None = None,
) -> list[Game]:
    """Read all games of a text, as ``read_games``; errors have no name."""
    if not isinstance(text, str):
        kind = type(text).__name__
        raise TypeError(f"a text is needed, not {kind}: read_games takes files")
    options = _options(rule, size, None, rows, errors, report, progress)
    return list(_read_text(text, "", options, _whole))


def _options(
    rule: Rule | str | None,
    size: int | tuple[int, int] | None,
    encoding: str | None,
    rows: Rows | None,
    errors: Errors,
    report: Report | None,
    progress: Progress | None,
) -> ReadOptions:
    usual = ReadOptions()
    return ReadOptions(
        None if rule is None else Rule(rule),
        (size, size) if isinstance(size, int) else size,
        encoding,
        rows,
        errors,
        usual.report if report is None else report,
        progress,
    )


def _iter_files(
    source: Source | Iterable[Source], options: ReadOptions
) -> Iterator[Game]:
    is_one = isinstance(source, str | Path) and not Path(source).is_dir()
    for path in _files(source):
        try:
            yield from _read_bytes(path.read_bytes(), str(path), options, _whole)
        except ReadError as error:
            if is_one or options.errors != "skip":
                raise
            options.report(error)  # of a file among several


def _files(source: Source | Iterable[Source]) -> Iterator[Path]:
    """Yield the files of a source, those of a folder by their names, not the hidden
    ones.
    """
    sources = [source] if isinstance(source, str | Path) else source
    for path in map(Path, sources):
        if path.is_dir():
            for each in sorted(path.rglob("*")):
                hidden = any(n.startswith(".") for n in each.relative_to(path).parts)
                if each.is_file() and not hidden:
                    yield each
        else:
            yield path


def _whole(game: Game) -> list[Game | ValueError]:
    """Return a game as it was read. Raises NodeError for a wrong main line."""
    game.check_main_line()
    return [game]


# ----- Positions -----


def read_positions(
    words: Source | Sequence[Source], options: ReadOptions | None = None
) -> list[Game]:
    """Read positions and games for an analysis: files, "-" (standard input), or moves.

    A text is a single word: a file, or moves. The rule, the size and the side of the
    options hold for every source. The moves of each game alternate; a line with a pass,
    and one that white begins, has a start position. ``name`` is the name of a game or
    its place, ``line`` the number of a variation, and ``facts`` has other facts of
    JSON.

    Raises:
        ReadError: The source cannot be read, or there is no position.
    """
    options = options or ReadOptions()
    words = [words] if isinstance(words, str | Path) else list(words)
    texts = list(map(str, words))
    if not "".join(texts).strip():
        raise ReadError("nothing to read: name a file or moves")
    if texts == ["-"]:
        return _read_standard_input(options)
    if len(words) > 1 and all(map(_is_file, texts)):
        return [game for word in words for game in read_positions(word, options)]
    text = " ".join(texts)
    path = Path(text)
    there = isinstance(words[0], Path)
    try:
        there = there or path.exists()
        if path.is_dir():
            raise ReadError(f"{text} is a folder: name the files in it")
        if there:  # also a pipe: a shell's <(command)
            return read_bytes(path.read_bytes(), text, options)
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:  # moves of a long game
            raise ReadError(f"{text}: {error.strerror}") from None
    form = format_of(text)
    if form is not None and not form.in_lines:  # the address or code of a web board
        return read_text(text, "the position", options)
    try:
        game = moves_game(text, options)
    except ValueError as error:
        # one word that is no move was meant as a file
        if len(words) == 1 and not there and not _like_moves(text):
            raise ReadError(f"there is no file {text}, and it is {error}") from None
        raise ReadError(str(error)) from None
    try:
        return [_regular_line(game, options, 1)]
    except ValueError as error:
        raise ReadError(f"moves: {error}") from None


def _is_file(word: str) -> bool:
    """Whether a word names a file or a pipe; False for an invalid path."""
    try:
        return Path(word).exists() and not Path(word).is_dir()
    except (OSError, ValueError):
        return False


def _like_moves(text: str) -> bool:
    """Whether a text may have been meant as moves: it has a digit, no folder."""
    return any(c.isdigit() for c in text) and not set(text) & set("/\\.")


def _read_standard_input(options: ReadOptions) -> list[Game]:
    """Read all of standard input, in the same way as files."""
    data = getattr(sys.stdin, "buffer", None)
    if data is None:
        return read_text(sys.stdin.read(), "standard input", options)
    return read_bytes(data.read(), "standard input", options)


def read_bytes(data: bytes, name: str, options: ReadOptions) -> list[Game]:
    """Read the positions and games of a file's bytes, as ``read_positions``.

    Errors begin with ``name``.
    """
    return _some(_read_bytes(data, name, options, _regular(options)), name)


def read_text(text: str, name: str, options: ReadOptions) -> list[Game]:
    """Read the positions and games of a text, as ``read_bytes``."""
    return _some(_read_text(text, name, options, _regular(options)), name)


def _some(games: Iterator[Game], name: str) -> list[Game]:
    """Return positions. Raises ReadError if there is none: a match without games."""
    found = list(games)
    if not found:
        raise _placed(ValueError(_NOTHING), name)
    return found


def position_of_row(value: object, options: ReadOptions) -> Game:
    """Return the position or game of one JSON value, as on a line of a JSON file.

    Raises ValueError, also for a position that no board can have.
    """
    return _regular_line(game_of_row(value, options), options, 1)


def _regular(options: ReadOptions) -> Finish:
    """Return the function that gives a game the form of a position."""

    def finish(game: Game) -> list[Game | ValueError]:
        if not options.variations:
            return [_regular_line(game, options, 1)]
        found: list[Game | ValueError] = []
        known = set()
        ends = [line[-1] for line in islice(game.lines(), options.max_lines)]
        for number, end in enumerate(ends, start=1):
            try:
                found.append(_regular_line(game.cut(None, end), options, number))
            except ValueError as error:
                if str(error) not in known:  # lines share the node with the error
                    found.append(error)
                known.add(str(error))
        return found

    return finish


def _regular_line(game: Game, options: ReadOptions, number: int) -> Game:
    """Give a line the regular form under the user's rule, size and side."""
    game.line = number
    try:
        game.make_regular(options.max_lines)
    except NodeError:
        Board(size=game.size)  # its error, if the size is not supported, comes first
        raise
    if options.rule is not None and options.rule is not game.rule:
        game.rule = options.rule
    if options.size is not None and options.size != game.size:
        game.size = options.size
    side = options.side
    if side is not None and game.is_set_up:
        game.set_up(game.black_stones, game.white_stones, game.walls, side)
    elif side is not None and side is not Side(len(game.moves) % 2):
        moves = game.moves
        game.variations = []
        game.set_up(moves[::2], moves[1::2], (), side)
    game.history.clear()
    game.board()
    return game


# ----- Any file -----


def _read_bytes(
    data: bytes, name: str, options: ReadOptions, finish: Finish
) -> Iterator[Game]:
    """Yield the games of a file's bytes."""
    reader = read_lib if is_lib(data) else read_pos if is_pos(data) else None
    if reader is not None:
        yield from _finished(reader(data, options), name, "", options, finish)
        return
    try:
        _refuse_bytes(data)
        text = decode(data, options.encoding)
        del data  # a large file is in memory once
    except ValueError as error:
        raise _placed(error, name) from None
    if text.note:
        options.report(ReadNote(f"{name}: {text.note}" if name else text.note))

    def finish_decoded(game: Game) -> list[Game | ValueError]:
        if text.note:
            game.notes.insert(0, text.note)
        if game.has("CA"):  # the text is Unicode now, and is written as such
            game.properties["CA"] = ["UTF-8"]
        return finish(game)

    yield from _read_text(text.text, name, options, finish_decoded)


def _read_text(
    text: str, name: str, options: ReadOptions, finish: Finish
) -> Iterator[Game]:
    """Yield the games of a text."""
    text = text.removeprefix("\ufeff")
    form = format_of(text)
    if form is None:
        try:
            _refuse_text(text)
        except ValueError as error:
            raise _placed(error, name) from None
        form = _MOVES
    if form.in_lines and options.errors == "games":
        options = replace(options, errors="raise")
    yield from _finished(form.read(text, options), name, text, options, finish)


def _finished(
    items: Iterator[Item],
    name: str,
    text: str,
    options: ReadOptions,
    finish: Finish,
) -> Iterator[Game]:
    """Yield the games among the items of a reader, finished; treat its errors and
    notes as the options say.
    """
    errors: list[ReadError] = []  # until a game is read
    notes: dict[str, int] = {}
    found = False

    def refuse(error: ReadError) -> None:
        if options.errors == "raise":
            raise error
        if found or options.errors == "skip":
            options.report(error)
        else:
            errors.append(error)
            if len(errors) > _MAX_ERRORS:
                raise errors[0]

    def placed(error: ValueError, here: str) -> ReadError:
        """Return an error with its place; of a node of SGF that is its line."""
        node = error.node if isinstance(error, NodeError) else None
        if node is not None and text and node.at >= 0:
            error = ValueError(f"line {line_of(text, node.at)}: {error}")
        return _placed(error, name, here)

    try:
        for place, item in _numbered(items):
            here = f"{name}{place}" if name else _without_name(place)
            if isinstance(item, ReadNote):
                notes[str(item)] = notes.get(str(item), 0) + 1
                continue
            if isinstance(item, ValueError):
                refuse(placed(item, here))
                continue
            try:
                game = Game.of(item)
                front = game if game.has("RE") and game.has("RU") else game.front()
                if result_named(stated := stated_result(front)) is None:
                    game.notes.append(f"the result {stated[:40]!r} is not known")
                if (named := front.text("RU")) and rule_named(named) is None:
                    game.notes.append(f"the rule {named[:40]!r} is not known")
                new_notes = dict.fromkeys(game.notes)
                results = finish(game)
            except ValueError as error:
                refuse(placed(error, here))
                continue
            for note in new_notes:
                notes[note] = notes.get(note, 0) + 1
            for result in results:
                if isinstance(result, ValueError):
                    refuse(placed(result, here))
                    continue
                found = True
                while errors:
                    options.report(errors.pop(0))
                if result.line > 1:
                    result.name = f"{here}, line {result.line}"
                if not result.name:
                    result.name = result.text("GN") or (here if name else "")
                yield result
    except RecursionError:  # of JSON
        raise _placed(ValueError("nested too deeply"), name) from None
    except ReadError:
        raise
    except ValueError as error:  # of the whole text
        if options.errors != "skip" or not found:
            raise _placed(error, name) from None
        options.report(_placed(error, name))
    if errors:
        raise errors[0]
    if not found and not is_match(text):
        raise _placed(ValueError(_NOTHING), name)
    for note, count in notes.items():
        many = f" ({count} games)" if count > 1 else ""
        options.report(ReadNote(f"{name}: {note}{many}" if name else f"{note}{many}"))


def _without_name(place: str) -> str:
    """Return a place in a text without a name: ":3" is "line 3"."""
    return f"line {place[1:]}" if place[:1] == ":" else place.removeprefix(", ")


def _numbered(items: Iterator[Item]) -> Iterator[Item]:
    """Yield the items of a reader; if there are several games without a place, their
    place is their number.
    """
    waiting: Item | None = None
    number = 0
    for place, item in items:
        if place or isinstance(item, ReadNote | ValueError):
            yield place, item
            continue
        number += 1
        if number == 1:
            waiting = place, item
            continue
        if waiting is not None:
            yield ", game 1", waiting[1]
            waiting = None
        yield f", game {number}", item
    if waiting is not None:
        yield waiting


def _placed(error: ValueError, name: str, here: str = "") -> ReadError:
    """Return the error of a reader, with the name of the text before its line."""
    if isinstance(error, ReadError):
        return error
    line, _, rest = str(error).removeprefix("line ").partition(": ")
    if not str(error).startswith("line ") or not line.isdigit():
        return ReadError(f"{here or name}: {error}" if here or name else str(error))
    return ReadError(f"{name}:{line}: {rest}" if name else str(error))
