"""Positions and games as JSON: an object, a list of them, or one on each line."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, pairwise

from gomoku_brain.game.notation import Move, parse_move, parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.game import DEFAULT_SIZE, Game, as_record
from gomoku_brain.records.game_node import GameNode
from gomoku_brain.records.game_record import (
    GameRecord,
    is_match,
    record_line,
    record_of_row,
)
from gomoku_brain.records.read_options import (
    Item,
    ReadNote,
    ReadOptions,
    from_bottom,
    lines_of,
    parse_size,
    side_named,
)
from gomoku_brain.spelling import did_you_mean

_MAX_JSON = 4_000_000  # characters of one value, a line or the text

__all__ = ["game_of_row", "is_json", "read_json", "to_json"]


def to_json(source: Game | GameNode | GameRecord | Board) -> str:
    """Return a game as one line of JSON, without a newline, as ``match`` stores it.

    It is the main line, or the line through a node. Raises ValueError for a game that
    is no record: see ``Game.record``.
    """
    return record_line(as_record(source))


def is_json(text: str) -> bool:
    """Whether a text begins like JSON."""
    return text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[")


def read_json(text: str, options: ReadOptions) -> Iterator[Item]:
    """Yield all positions and games of a JSON text, and the errors of broken ones.

    Raises ValueError for a text that is no JSON as a whole.
    """
    empty = 0
    for number, item, row in _spread(_json_values(text)):
        place = f":{number}" if item is None else f", puzzle {item}"
        if item is not None and not _has_stones(row):
            empty += 1
            continue
        if isinstance(row, dict) and "match" in row and "moves" not in row:
            continue  # the first line of a file of games: the settings of the match
        if isinstance(row, ValueError | ReadNote):
            yield place, row
            continue
        try:
            yield place, game_of_row(row, options)
        except ValueError as error:
            yield place, error
    if empty:
        yield "", ReadNote(f"{empty} puzzles have no stones")


def _spread(
    values: Iterator[tuple[int, object]],
) -> Iterator[tuple[int, int | None, object]]:
    """Yield each value with its line, and those of collections of puzzles one by one.

    A collection is {"defaultSettings": {..}, "puzzles": [{..}, ..]}.
    """
    for number, value in values:
        many = value.get("puzzles") if isinstance(value, dict) else None
        if not isinstance(value, dict) or not isinstance(many, list):
            yield number, None, value
            continue
        usual = value.get("defaultSettings")
        usual = usual if isinstance(usual, dict) else {}
        for item, row in enumerate(many, start=1):
            yield number, item, usual | row if isinstance(row, dict) else row


_PASS = re.compile(r"[Aa]0")
_CELL_OR_PASS = re.compile(r"[A-Za-z][0-9]+")
_STONES = ("stones", "blackStones", "whiteStones")  # of puzzles of web boards


def _has_stones(row: object) -> bool:
    return not isinstance(row, dict) or any(
        row.get(key) for key in (*_STONES, "moves", "black", "white")
    )


def _puzzle(row: dict[str, object], options: ReadOptions) -> Game:
    """Read a puzzle of a web board: rows count from the bottom, rule 2 is renju."""
    size = _row_size(row) if row.get("size") is not None else None
    width, height = size or options.size or (DEFAULT_SIZE, DEFAULT_SIZE)
    texts = [row.get(key) or "" for key in _STONES]
    for key, text in zip(_STONES, texts, strict=True):
        if not isinstance(text, str):
            raise ValueError(f'"{key}" is {text!r}, not a text of cells')
    played, *set_up_stones = map(str, texts)
    # A smaller board is the upper left part of one of 15x15.
    rows = max(height, DEFAULT_SIZE)

    def cells(text: str) -> list[Move]:
        moves = parse_moves(text)
        return moves if options.rows == "top" else from_bottom(moves, rows)

    black, white = map(cells, set_up_stones)
    moves: list[Move] = []
    if _PASS.search(played):  # with passes it is no game
        for ply, part in enumerate(_CELL_OR_PASS.findall(played)):
            if not _PASS.fullmatch(part):
                (black, white)[ply % 2].extend(cells(part))
    else:
        moves = cells(played)
    rules = {1: Rule.FREESTYLE, 2: Rule.RENJU}
    rule = row.get("rule")
    known = rules.get(rule) if isinstance(rule, int) else _rule(rule)
    number = row.get("side")
    side = {1: Side.BLACK, 2: Side.WHITE}.get(number if isinstance(number, int) else 0)
    facts = {k: v for k, v in row.items() if k not in (*_STONES, "size", "rule")}
    if black or white or side not in (None, Side(len(moves) % 2)):
        black, white, moves = black + moves[::2], white + moves[1::2], []
    else:
        side = None
    game = Game(
        (width, height),
        options.rule_or() if known is None else known,
        black_stones=black,
        white_stones=white,
        first=side,
        moves=moves,
    )
    return _about(game, row, facts)


def _about(game: Game, row: dict[str, object], facts: dict[str, object]) -> Game:
    game.name, game.facts = str(row.get("id", "")), facts
    return game


def _loads(text: str) -> object:
    """Return the value of a JSON text. Raises ValueError for a larger one than any game
    has.
    """
    if len(text) > _MAX_JSON:
        raise ValueError(f"more than {_MAX_JSON // 1_000_000} MB in one value")
    return json.loads(text)


def _is_json(line: str) -> bool:
    """Whether a line by itself is a JSON object or list."""
    try:
        return isinstance(_loads(line), dict | list)
    except ValueError:
        return False


def _is_cut(error: ValueError, text: str) -> bool:
    """Whether the last line of a text has no end, and its JSON neither."""
    if text.endswith("\n") or not isinstance(error, json.JSONDecodeError):
        return False
    return error.msg.startswith("Unterminated") or error.pos >= len(error.doc)


def _why(error: ValueError) -> str:
    """Return the fault of a text that is no JSON, in one line."""
    return error.msg if isinstance(error, json.JSONDecodeError) else str(error)


def _json_values(text: str) -> Iterator[tuple[int, object]]:
    """Yield the values of a JSON or JSON lines text, with their lines' numbers.

    A line that is no JSON yields its error.
    """
    filled = (row for row in lines_of(text) if row[1].strip())
    unfinished = is_match(text) and not text.endswith("\n")
    first, second = next(filled), next(filled, None)
    # One value over many lines, a broken first line, or no JSON at all?
    if second is not None and (_is_json(first[1]) or _is_json(second[1])):
        last = (0, "")  # behind the lines
        for (number, line), after in pairwise(chain([first, second], filled, [last])):
            try:
                yield number, _loads(line)
            except ValueError as error:
                if after is last and unfinished:
                    return
                if after is last and _is_cut(error, text):
                    yield number, ReadNote("the last line is not complete")
                    return
                if number == 1 and is_match(text):
                    continue  # its first line has the settings
                yield number, ValueError(f"broken JSON: {_why(error)}")
        return
    try:
        value = _loads(text)
    except ValueError as error:
        if unfinished:
            return
        # Numbers of 5000 digits are refused without the number of the line.
        place = getattr(error, "lineno", first[0])
        raise ValueError(f"line {place}: broken JSON: {_why(error)}") from None
    if isinstance(value, list) and not value:
        return  # no position, rather than an empty board
    if isinstance(value, list) and isinstance(value[0], dict):
        for row in value:
            yield first[0], row
    else:
        yield first[0], value


def game_of_row(row: object, options: ReadOptions) -> Game:
    """Return a position or a game from one JSON value.

    Raises ValueError for a value of another form.
    """
    if row == []:
        raise ValueError("an empty list is no position")
    if isinstance(row, list):
        size = options.size or (DEFAULT_SIZE, DEFAULT_SIZE)
        return Game(size, options.rule_or(), moves=_cells(row, "moves"))
    if not isinstance(row, dict):
        raise ValueError("a JSON object or a list of moves was expected")
    if {"width", "rule"} <= row.keys() and isinstance(row.get("black", ""), str):
        return Game.from_record(record_of_row(row))
    if any(key in row for key in _STONES) and "moves" not in row:
        return _puzzle(row, options)
    moves = _cells(row.get("moves"), "moves")
    black = _cells(row.get("black"), "black")
    white = _cells(row.get("white"), "white")
    walls = _cells(row.get("walls"), "walls")
    if not (moves or "black" in row or "white" in row):
        raise ValueError('neither "black" and "white" nor "moves" in it')
    rule = _rule(row.get("rule"))
    side = side_named(row.get("side_to_move", row.get("turn")))
    known = {"rule", "size", "width", "height", "moves", "black", "white", "walls"}
    facts = {key: value for key, value in row.items() if key not in known}
    if {*moves[::2]} == {*black} and {*moves[1::2]} == {*white}:
        black, white = [], []  # the stones are those of the moves
    if moves and not (black or white or walls):
        if side not in (None, Side(len(moves) % 2)):
            black, white, moves = moves[::2], moves[1::2], []
        else:
            side = None
    game = Game(
        _row_size(row) or options.size or (DEFAULT_SIZE, DEFAULT_SIZE),
        options.rule_or() if rule is None else rule,
        black_stones=black,
        white_stones=white,
        walls=walls,
        first=side,
        moves=moves,
    )
    return _about(game, row, facts)


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
    """Return a rule by its name or its number in the protocol."""
    if value is None:
        return None
    if isinstance(value, str | int) and not isinstance(value, bool):
        with suppress(ValueError):
            return Rule(value)
    names = [rule.name.lower() for rule in Rule]
    tip = did_you_mean(str(value), names)
    raise ValueError(f'"rule" is {value!r}, not one of {", ".join(names)}{tip}')


def _cells(value: object, key: str) -> list[Move]:
    """Return cells from a list of [x, y], "h8" or {"move": "h8"}, or from one text."""
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
