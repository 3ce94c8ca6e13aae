"""Records of games: PSQ, SGF (also set-up positions) and libraries of RenLib."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gomoku_brain.game.rules import DEFAULT_RULE
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_formats import (
    LIB_RULE,
    GameRecord,
    SetUp,
    lines_from_lib,
    lines_from_sgf,
    parse_games,
)
from gomoku_brain.records.setting import (
    ReadError,
    Setting,
    checked,
    from_moves,
    set_up,
    side_named,
    size_of,
)

__all__ = ["from_record", "read_lib", "read_records"]


def from_record(record: GameRecord, setting: Setting, name: str = "") -> Game:
    """The game that a record tells."""
    rule = record.rule if setting.rule is None else setting.rule
    size = setting.size or (record.width, record.height)
    moves = [played.move for played in record.moves]
    game = from_moves(moves, Setting(rule, size, setting.side))
    return replace(game, name=record.id or name, record=record)


def read_lib(data: bytes, name: str, setting: Setting) -> list[Game]:
    """The games of a library of RenLib; without a statement by renju's rule."""
    rule = LIB_RULE if setting.rule is None else setting.rule
    try:
        lines = lines_from_lib(data, rule)
    except ValueError as error:
        raise ReadError(f"{name}: {error}") from None
    return list(of_lines([lines], name, setting))


def read_records(text: str, name: str, setting: Setting) -> Iterator[Game]:
    """PSQ and SGF."""
    rule = DEFAULT_RULE if setting.rule is None else setting.rule
    size = size_of(setting)[0]
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
    yield from of_lines(games, name, setting)


def of_lines(
    games: Sequence[Sequence[GameRecord | SetUp]], name: str, setting: Setting
) -> Iterator[Game]:
    """Games that were read line by line, the main line of each first."""
    for number, lines in enumerate(games, start=1):
        place = name if len(games) == 1 else f"{name}, game {number}"
        for count, line in enumerate(lines, start=1):
            here = place if count == 1 else f"{place}, line {count}"
            if isinstance(line, SetUp):
                # a library of RenLib has no lines of text
                at = f"{name}:{line.line}" if line.line else here
                game = _from_set_up(line, setting, at)
            else:
                game = from_record(line, setting, here)
            if count > 1:
                game = replace(game, name=here)
            elif not setting.variations:
                game = replace(game, others=len(lines) - 1)
            yield checked(game, here)
            if not setting.variations:
                break


def _from_set_up(line: SetUp, setting: Setting, name: str) -> Game:
    """A position and the moves from it."""
    game = set_up(
        line.black,
        line.white,
        (),
        setting,
        size=line.size,
        rule=line.rule,
        side=side_named(line.first.lower()) if line.first else None,
        name=line.name or name,
    )
    return replace(game, moves=line.moves)
