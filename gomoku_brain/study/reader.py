"""Reads whatever holds positions or games: moves, pictures, JSON, protocol, records.

The form is told by the content, never by the name of the file:

* moves: "h8 h9 j10" or "7,7 8,8"; in a file one game a line, # begins a comment;
* pictures of boards, as `notation.parse_board` reads them, divided by empty lines;
* JSON: an object, a list of them, or one a line. Stones are "black", "white" and
  "walls", moves "moves"; a cell is [x, y] or "h8"; "rule", "size" (or "width" and
  "height") and "side_to_move" may be missing;
* records of games: PSQ, SGF (also set-up positions), libraries of RenLib, the JSON
  lines of `match`; of SGF and RenLib the main line, or every line as a game;
* lines of the Gomocup protocol: START, RECTSTART, INFO rule, BOARD .. DONE.
"""

import errno
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from gomoku_brain.game.notation import Move, parse_board, parse_move, parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.match.record import (
    GameRecord,
    SetUp,
    decoded,
    from_json,
    is_lib,
    lines_from_lib,
    lines_from_sgf,
    parse_games,
)

__all__ = [
    "Game",
    "ReadError",
    "Setting",
    "from_json_value",
    "parse_count",
    "parse_size",
    "read",
    "read_bytes",
    "read_text",
]

DEFAULT_SIZE = 15
_PROTOCOL_WORDS = {"START", "RECTSTART", "INFO", "BOARD", "YXBOARD"}


class ReadError(ValueError):
    """What cannot be read, with the place: "puzzles.txt:3: not a move: 'h0'"."""


class Setting(NamedTuple):
    """What the user states; it wins over what the source says."""

    rule: Rule | None = None
    size: tuple[int, int] | None = None
    """(width, height)"""
    side: Side | None = None
    """The side to move at the end. A list of moves after which it is the other's turn
    becomes a set-up of those stones."""
    skip: Callable[[ReadError], None] | None = None
    """Is told what cannot be read of moves, pictures, JSON and protocol blocks; without
    it the first error ends the reading."""
    variations: bool = False
    """Whether every line of a game with variations is a game of its own, and not the
    main line alone."""

    def refuse(self, error: ReadError) -> None:
        """Tell an error to ``skip``, or raise it."""
        if self.skip is None:
            raise error
        self.skip(error)


@dataclass(frozen=True, slots=True)
class Game:
    """A position that was set up (mostly the empty board) and the moves from there."""

    rule: Rule = Rule.FREESTYLE
    width: int = DEFAULT_SIZE
    height: int = DEFAULT_SIZE
    black: tuple[Move, ...] = ()
    """Stones of the set-up."""
    white: tuple[Move, ...] = ()
    walls: tuple[Move, ...] = ()
    """Stones of neither side."""
    first: Side = Side.BLACK
    """Who makes the first of the moves."""
    moves: tuple[Move, ...] = ()
    name: str = ""
    """The name that the source gives, else the place: "puzzles.txt:3"."""
    record: GameRecord | None = None
    """Names, result, times and scores, where the source is the record of a game."""
    others: int = 0
    """Other lines of the same game in the source, which were passed over."""
    facts: dict[str, object] = field(default_factory=dict, compare=False)
    """Whatever else the source says: "expected", "note" ..."""

    @property
    def set_up(self) -> bool:
        """Whether it begins with stones on the board, or with white."""
        return bool(self.black or self.white or self.walls or self.first)

    def board(self, ply: int | None = None) -> Board:
        """The position after so many of the moves (all by default).

        Raises ValueError for a size that the board does not take, and for a cell off
        the board or occupied.
        """
        board = Board.from_stones(
            self.black,
            self.white,
            self.walls,
            turn=self.first,
            size=(self.width, self.height),
            rule=self.rule,
        )
        for number, move in enumerate(self.moves[:ply], start=1):
            try:
                board.play(move)
            except ValueError as error:
                raise ValueError(f"move {number}: {error}") from None
        return board

    def cut(self, ply: int | None) -> "Game":
        """The same with the first so many moves only (None: all)."""
        return replace(self, moves=self.moves[:ply])


def parse_size(text: str) -> tuple[int, int]:
    """Read "15" or "15x20" (width x height). Raises ValueError for anything else."""
    words = text.lower().split("x")
    if len(words) > 2 or not all(word.isascii() and word.isdigit() for word in words):
        raise ValueError(f'not a size: {text!r} (write "15" or "15x20")')
    return int(words[0]), int(words[-1])


def read(words: Sequence[str], setting: Setting | None = None) -> list[Game]:
    """Read what a command line names: files, "-" (standard input), or moves.

    Raises ReadError for what cannot be read, and when nothing is there.
    """
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
        if path.is_file():
            return read_bytes(path.read_bytes(), text, setting)
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:  # moves of a long game
            raise ReadError(f"{text}: {error.strerror}") from None
    try:
        game = _from_moves(parse_moves(text), setting or Setting())
    except ValueError as error:
        # one word that is no move was meant as a file
        if len(words) == 1 and not there and not _like_moves(text):
            raise ReadError(f"there is no file {text}, and it is {error}") from None
        raise ReadError(str(error)) from None
    return [_checked(game, "moves")]


def _is_file(word: str) -> bool:
    """Whether a word names a file; what no file system takes does not."""
    try:
        return Path(word).is_file()
    except (OSError, ValueError):
        return False


def parse_count(text: str, least: int = 0) -> int:
    """Read a whole number, "1000000" or "1e6". Raises ValueError for another thing."""
    number = None
    if text.isascii() and text.isdigit():
        number = int(text)
    elif re.fullmatch(r"[0-9]+(\.[0-9]+)?[eE]\+?[0-9]{1,2}", text):
        value = Decimal(text)
        number = int(value) if value == value.to_integral_value() else None
    if number is None or number < least:
        raise ValueError(f"{text!r} is not a whole number of {least} or more")
    return number


def _read_standard_input(setting: Setting | None) -> list[Game]:
    """All of it, read as files are."""
    data = getattr(sys.stdin, "buffer", None)
    if data is None:
        return read_text(sys.stdin.read(), "standard input", setting)
    return read_bytes(data.read(), "standard input", setting)


def from_json_value(value: object, setting: Setting | None = None) -> Game:
    """The position or game of one JSON value, in the form of a line of a JSON file.

    Raises ValueError, also for what no board takes.
    """
    game = _from_row(value, setting or Setting())
    game.board()
    return game


def read_bytes(data: bytes, name: str, setting: Setting | None = None) -> list[Game]:
    """Read all positions and games of a file's bytes; `name` is what errors call it.

    Raises ReadError for what cannot be read, and when nothing is there.
    """
    if not is_lib(data):
        return read_text(decoded(data), name, setting)
    setting = setting or Setting()
    rule = Rule.RENJU if setting.rule is None else setting.rule
    try:
        lines = lines_from_lib(data, rule)
    except ValueError as error:
        raise ReadError(f"{name}: {error}") from None
    return list(_of_lines([lines], name, setting))


def read_text(text: str, name: str, setting: Setting | None = None) -> list[Game]:
    """Read all positions and games of a text; `name` is what errors call it.

    Raises ReadError for what cannot be read, and when nothing is there.
    """
    setting = setting or Setting()
    text = text.removeprefix("\ufeff")
    start = text.lstrip()
    word = start.split(None, 1)[0].upper() if start else ""
    if start[:1] in ("{", "["):
        games = _read_json(text, name, setting)
    elif start.startswith("(") or word == "PISKVORKY":
        games = _read_records(text, name, setting)
    elif word in _PROTOCOL_WORDS:
        games = _read_protocol(text, name, setting)
    elif _is_picture(start):
        games = _read_pictures(text, name, setting)
    else:
        games = _read_move_lines(text, name, setting)
    try:
        found = list(games)
    except RecursionError:  # of JSON
        raise ReadError(f"{name}: nested too deeply") from None
    if not found:
        raise ReadError(f"{name}: no position and no game in it")
    return found


def _checked(game: Game, place: str) -> Game:
    """The game itself, if a board takes it; errors tell the place."""
    try:
        game.board()
    except ValueError as error:
        raise ReadError(f"{place}: {error}") from None
    return game


def _size(setting: Setting, own: tuple[int, int] | None = None) -> tuple[int, int]:
    return setting.size or own or (DEFAULT_SIZE, DEFAULT_SIZE)


# Moves


def _like_moves(text: str) -> bool:
    """Whether somebody who wrote it may have meant moves: it has a digit, no folder."""
    return any(c.isdigit() for c in text) and not set(text) & set("/\\.")


def _from_moves(moves: Sequence[Move], setting: Setting) -> Game:
    if setting.side not in (None, Side(len(moves) % 2)):
        return _set_up(moves[::2], moves[1::2], (), setting)
    width, height = _size(setting)
    rule = Rule.FREESTYLE if setting.rule is None else setting.rule
    return Game(rule, width, height, moves=tuple(moves))


def _read_move_lines(text: str, name: str, setting: Setting) -> Iterator[Game]:
    """One game a line."""
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.partition("#")[0].strip()
        if line:
            place = f"{name}:{number}"
            try:
                game = _from_moves(parse_moves(line), setting)
                game = _checked(_named(game, place), place)
            except ReadError as error:
                setting.refuse(error)
            except ValueError as error:
                setting.refuse(ReadError(f"{place}: {error}"))
            else:
                yield game


def _named(game: Game, name: str) -> Game:
    return game if game.name else replace(game, name=name)


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
        place = f"{name}:{number}"
        try:
            picture = parse_board(block)
            size = (picture.width, picture.height)
            if setting.size not in (None, size):
                raise ValueError(f"the picture shows {size[0]}x{size[1]} cells")
            stones = (picture.black, picture.white, picture.walls)
            game = _checked(_set_up(*stones, setting, size=size, name=place), place)
        except ReadError as error:
            setting.refuse(error)
        except ValueError as error:
            setting.refuse(ReadError(f"{place}: {error}"))
        else:
            yield game


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """The parts of a text that empty lines divide, with their first line's number."""
    lines: list[str] = []
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        if line.strip():
            lines.append(line)
        elif lines:
            yield number - len(lines), "\n".join(lines)
            lines = []


def _set_up(
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
    """A position; without a side, black moves unless it has more stones."""
    if setting.rule is not None:
        rule = setting.rule
    if setting.side is not None:
        side = setting.side
    if side is None:
        side = Side(len(black) > len(white))
    width, height = _size(setting, size)
    return Game(
        Rule.FREESTYLE if rule is None else rule,
        width,
        height,
        tuple(black),
        tuple(white),
        tuple(walls),
        side,
        name=name,
    )


# JSON


def _read_json(text: str, name: str, setting: Setting) -> Iterator[Game]:
    for number, row in _json_values(text, name):
        place = f"{name}:{number}"
        if isinstance(row, dict) and "match" in row and "moves" not in row:
            continue  # the first line of a file of games: the settings of the match
        try:
            if isinstance(row, ReadError):
                raise row
            game = _checked(_named(_from_row(row, setting), place), place)
        except ReadError as error:
            setting.refuse(error)
        except ValueError as error:
            setting.refuse(ReadError(f"{place}: {error}"))
        else:
            yield game


def _is_json(line: str) -> bool:
    """Whether a line by itself is a JSON object or list."""
    try:
        return isinstance(json.loads(line), dict | list)
    except ValueError:
        return False


def _why(error: ValueError) -> str:
    """What is wrong with a text that is no JSON, in one line."""
    return error.msg if isinstance(error, json.JSONDecodeError) else str(error)


def _json_values(text: str, name: str) -> Iterator[tuple[int, object]]:
    """The values of a JSON or JSON lines text, with their lines' numbers.

    A line of JSON lines that is none is told as its error.
    """
    lines = text.splitlines()
    filled = [k for k, line in enumerate(lines) if line.strip()]
    try:
        json.loads(lines[filled[0]])
        one_a_line = True
    except ValueError:
        # One value over many lines, a broken first line, or no JSON at all.
        one_a_line = len(filled) > 1 and _is_json(lines[filled[1]])
    if one_a_line and len(filled) > 1:
        for k in filled:
            try:
                yield k + 1, json.loads(lines[k])
            except ValueError as error:
                yield k + 1, ReadError(f"{name}:{k + 1}: broken JSON: {_why(error)}")
        return
    try:
        value = json.loads(text)
    except ValueError as error:
        # Numbers of 5000 digits are refused without telling the line.
        line = getattr(error, "lineno", filled[0] + 1)
        raise ReadError(f"{name}:{line}: broken JSON: {_why(error)}") from None
    if isinstance(value, list) and not value:
        return  # no position, rather than an empty board
    if isinstance(value, list) and isinstance(value[0], dict):
        for row in value:
            yield filled[0] + 1, row
    else:
        yield filled[0] + 1, value


def _from_row(row: object, setting: Setting) -> Game:
    """A position or a game from one JSON value."""
    if isinstance(row, list):
        return _from_moves(_cells(row, "moves"), setting)
    if not isinstance(row, dict):
        raise ValueError("a JSON object or a list of moves was expected")
    if "width" in row and isinstance(row.get("black", ""), str):
        return _from_record(from_json(json.dumps(row)), setting)
    moves = tuple(_cells(row.get("moves"), "moves"))
    black = _cells(row.get("black"), "black")
    white = _cells(row.get("white"), "white")
    walls = _cells(row.get("walls"), "walls")
    if not (moves or "black" in row or "white" in row):
        raise ValueError('neither "black" and "white" nor "moves" in it')
    rule = _rule(row.get("rule"))
    side = _side(row.get("side_to_move", row.get("turn")))
    known = {"rule", "size", "width", "height", "moves", "black", "white", "walls"}
    facts = {key: value for key, value in row.items() if key not in known}
    if {*moves[::2]} == {*black} and {*moves[1::2]} == {*white}:
        black, white = [], []  # the stones are those that the moves have put there
    if moves and not (black or white or walls):
        rule = setting.rule if setting.rule is not None else rule
        stated = Setting(rule, setting.size or _row_size(row), setting.side)
        game = _from_moves(moves, stated)
    else:
        game = _set_up(
            black, white, walls, setting, size=_row_size(row), rule=rule, side=side
        )
        game = replace(game, moves=moves)
    return replace(game, name=str(row.get("id", "")), facts=facts)


def _row_size(row: dict[str, object]) -> tuple[int, int] | None:
    size = row.get("size", [row.get("width"), row.get("height")])
    match size:
        case [None, None]:
            return None
        case [int(width), int(height)] | {"width": int(width), "height": int(height)}:
            return width, height
        case int(side):
            return side, side
        case str(text):
            return parse_size(text)
    raise ValueError(f'"size" is {size!r}')


def _rule(value: object) -> Rule | None:
    """A rule by its name or its number in the protocol."""
    if value is None:
        return None
    if isinstance(value, str | int) and not isinstance(value, bool):
        with suppress(ValueError):
            return Rule(value)
    names = ", ".join(rule.name.lower() for rule in Rule)
    raise ValueError(f'"rule" is {value!r}, not one of {names}')


def _side(value: object) -> Side | None:
    if value is None:
        return None
    names = {"black": Side.BLACK, "b": Side.BLACK, "white": Side.WHITE, "w": Side.WHITE}
    if isinstance(value, str) and value.lower() in names:
        return names[value.lower()]
    raise ValueError(f"the side to move is {value!r}, not black or white")


def _cells(value: object, key: str) -> list[Move]:
    """Cells from a list of [x, y], "h8" or {"move": "h8"}, or from one text."""
    if value is None:
        return []
    if isinstance(value, str):
        return parse_moves(value)
    if not isinstance(value, list):
        raise ValueError(f'"{key}" is {value!r}, not a list of cells')
    found = []
    for cell in value:
        match cell:
            case [int(x), int(y)]:
                found.append(Move(x, y))
            case str(text) | {"move": str(text)}:
                found.append(parse_move(text))
            case _:
                raise ValueError(f'"{key}" has {cell!r}, not a cell')
    return found


# Records of games


def _from_record(record: GameRecord, setting: Setting, name: str = "") -> Game:
    """The game that a record tells."""
    rule = record.rule if setting.rule is None else setting.rule
    size = setting.size or (record.width, record.height)
    moves = [played.move for played in record.moves]
    game = _from_moves(moves, Setting(rule, size, setting.side))
    return replace(game, name=record.id or name, record=record)


def _read_records(text: str, name: str, setting: Setting) -> Iterator[Game]:
    """PSQ and SGF."""
    rule = Rule.FREESTYLE if setting.rule is None else setting.rule
    size = _size(setting)[0]
    games: Sequence[Sequence[GameRecord | SetUp]]
    try:
        if text.lstrip().startswith("("):
            games = lines_from_sgf(text, rule, size)
        else:
            games = [[record] for record in parse_games(text, rule, size)]
    except ValueError as error:
        line, _, rest = str(error).removeprefix("line ").partition(": ")
        place = f":{line}: {rest}" if line.isdigit() else f": {error}"
        raise ReadError(f"{name}{place}") from None
    yield from _of_lines(games, name, setting)


def _of_lines(
    games: Sequence[Sequence[GameRecord | SetUp]], name: str, setting: Setting
) -> Iterator[Game]:
    """Games that were read line by line, the main line of each first."""
    for number, lines in enumerate(games, start=1):
        place = name if len(games) == 1 else f"{name}, game {number}"
        for count, line in enumerate(lines, start=1):
            here = place if count == 1 else f"{place}, line {count}"
            if isinstance(line, SetUp):
                game = _from_set_up(line, setting, f"{name}:{line.line}")
            else:
                game = _from_record(line, setting, here)
            if count > 1:
                game = replace(game, name=here)
            elif not setting.variations:
                game = replace(game, others=len(lines) - 1)
            yield _checked(game, here)
            if not setting.variations:
                break


def _from_set_up(line: SetUp, setting: Setting, name: str) -> Game:
    """A position and the moves from it."""
    game = _set_up(
        line.black,
        line.white,
        (),
        setting,
        size=line.size,
        rule=line.rule,
        side=_side(line.first.lower()) if line.first else None,
        name=line.name or name,
    )
    return replace(game, moves=line.moves)


# Protocol


def _read_protocol(text: str, name: str, setting: Setting) -> Iterator[Game]:
    """The positions of the BOARD blocks; other commands pass."""
    size, rule = None, None
    rows: list[list[int]] | None = None
    start = 0
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.replace(",", " ").split()
        if not words:
            continue
        word = words[0].upper()
        try:
            if rows is not None and word != "DONE":
                rows.append([int(number) for number in words])
                if len(rows[-1]) != 3 or rows[-1][2] not in (1, 2, 3):
                    raise ValueError
            elif rows is not None:
                place = f"{name}:{start}"
                block, rows = rows, None
                try:
                    game = _from_block(block, setting, size, rule, place)
                    game = _checked(game, place)
                except ReadError as error:
                    setting.refuse(error)
                else:
                    yield game
            elif word == "START":
                size = (int(words[1]), int(words[-1]))
            elif word == "RECTSTART":
                size = (int(words[1]), int(words[2]))
            elif word == "INFO" and words[1].lower() == "rule":
                rule = Rule(int(words[2]))
            elif word in ("BOARD", "YXBOARD"):
                rows, start = [], number
        except ReadError:
            raise
        except (ValueError, IndexError):
            raise ReadError(f"{name}:{number}: not understood: {line!r}") from None
    if rows is not None:
        raise ReadError(f"{name}:{start}: this BOARD has no DONE")


def _from_block(
    rows: list[list[int]],
    setting: Setting,
    size: tuple[int, int] | None,
    rule: Rule | None,
    name: str,
) -> Game:
    """The position of a BOARD block; a game when its stones alternate from black.

    Its reader is to move: with the white stones if the other has one stone more, with
    the black ones if both have as many, and else with those of the first line.
    """
    owners = [owner for *_, owner in rows]
    lead = owners.count(2) - owners.count(1)
    first = next((owner for owner in owners if owner != 3), 1)
    own = Side(lead) if lead in (0, 1) else Side(first == 2)
    cells = [Move(x, y) for x, y, _ in rows]
    black, white, walls = (
        [cell for cell, owner in zip(cells, owners, strict=True) if owner == wanted]
        for wanted in (own + 1, 2 - own, 3)
    )
    if owners == [own + 1 if k % 2 == 0 else 2 - own for k in range(len(rows))]:
        rule = setting.rule if setting.rule is not None else rule
        game = _from_moves(cells, Setting(rule, setting.size or size))
        return _named(game, name)
    return _set_up(
        black, white, walls, setting, size=size, rule=rule, side=own, name=name
    )
