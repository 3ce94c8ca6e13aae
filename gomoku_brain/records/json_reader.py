"""Positions and games as JSON: an object, a list of them, or one on each line."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial

from gomoku_brain.game.notation import Move, parse_move, parse_moves
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.form_reading import from_bottom
from gomoku_brain.records.game import DEFAULT_SIZE, Game
from gomoku_brain.records.game_formats import from_json
from gomoku_brain.records.game_record import is_unfinished
from gomoku_brain.records.record_reader import from_record
from gomoku_brain.records.setting import (
    ReadError,
    Setting,
    attempt,
    from_moves,
    parse_size,
    set_up,
    side_named,
)
from gomoku_brain.spelling import did_you_mean

__all__ = ["from_row", "read_json"]


def read_json(text: str, name: str, setting: Setting) -> Iterator[Game]:
    """Yield all positions and games of a JSON text; errors begin with ``name``."""
    empty = 0
    for number, item, row in _spread(_json_values(text, name)):
        place = f"{name}, puzzle {item}" if item is not None else f"{name}:{number}"
        if item is not None and not _has_stones(row):
            empty += 1
            continue
        if isinstance(row, dict) and "match" in row and "moves" not in row:
            continue  # the first line of a file of games: the settings of the match
        if isinstance(row, ReadError):
            setting.refuse(row)
        else:
            yield from attempt(partial(from_row, row, setting), place, setting)
    if empty:
        setting.note(f"{name}: {empty} puzzles have no stones")


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


def _from_puzzle(row: dict[str, object], setting: Setting) -> Game:
    """Read a puzzle of a web board: rows count from the bottom, rule 2 is renju."""
    size = _row_size(row) if row.get("size") is not None else None
    width, height = setting.size or size or (DEFAULT_SIZE, DEFAULT_SIZE)
    texts = [row.get(key) or "" for key in _STONES]
    for key, text in zip(_STONES, texts, strict=True):
        if not isinstance(text, str):
            raise ValueError(f'"{key}" is {text!r}, not a text of cells')
    played, *set_up_stones = map(str, texts)
    # A smaller board is the upper left part of one of 15x15.
    rows = max(height, DEFAULT_SIZE)

    def cells(text: str) -> list[Move]:
        moves = parse_moves(text)
        return moves if setting.rows == "top" else from_bottom(moves, rows)

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
    known = known if setting.rule is None else setting.rule
    side = side if setting.side is None else setting.side
    facts = {k: v for k, v in row.items() if k not in (*_STONES, "size", "rule")}
    if black or white or side not in (None, Side(len(moves) % 2)):
        black, white = black + moves[::2], white + moves[1::2]
        game = set_up(
            black, white, (), setting, size=(width, height), rule=known, side=side
        )
    else:
        game = from_moves(moves, Setting(known, (width, height)))
    return replace(game, name=str(row.get("id", "")), facts=facts)


def _is_json(line: str) -> bool:
    """Whether a line by itself is a JSON object or list."""
    try:
        return isinstance(json.loads(line), dict | list)
    except ValueError:
        return False


def _why(error: ValueError) -> str:
    """Return the fault of a text that is no JSON, in one line."""
    return error.msg if isinstance(error, json.JSONDecodeError) else str(error)


def _json_values(text: str, name: str) -> Iterator[tuple[int, object]]:
    """Yield the values of a JSON or JSON lines text, with their lines' numbers.

    A line that is no JSON yields its error.
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
                if k == filled[-1] and is_unfinished(text):
                    return
                yield k + 1, ReadError(f"{name}:{k + 1}: broken JSON: {_why(error)}")
        return
    try:
        value = json.loads(text)
    except ValueError as error:
        # Numbers of 5000 digits are refused without the number of the line.
        line = getattr(error, "lineno", filled[0] + 1)
        raise ReadError(f"{name}:{line}: broken JSON: {_why(error)}") from None
    if isinstance(value, list) and not value:
        return  # no position, rather than an empty board
    if isinstance(value, list) and isinstance(value[0], dict):
        for row in value:
            yield filled[0] + 1, row
    else:
        yield filled[0] + 1, value


def from_row(row: object, setting: Setting) -> Game:
    """Return a position or a game from one JSON value."""
    if isinstance(row, list):
        return from_moves(_cells(row, "moves"), setting)
    if not isinstance(row, dict):
        raise ValueError("a JSON object or a list of moves was expected")
    if "width" in row and isinstance(row.get("black", ""), str):
        return from_record(from_json(json.dumps(row)), setting)
    if any(key in row for key in _STONES) and "moves" not in row:
        return _from_puzzle(row, setting)
    moves = tuple(_cells(row.get("moves"), "moves"))
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
        rule = setting.rule if setting.rule is not None else rule
        side = setting.side if setting.side is not None else side
        stated = Setting(rule, setting.size or _row_size(row), side)
        game = from_moves(moves, stated)
    else:
        game = set_up(
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
