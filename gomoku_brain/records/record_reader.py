"""Records of games: PSQ, SGF (also set-up positions), RenLib, other programs'
formats.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice

from gomoku_brain.game.rules import DEFAULT_RULE, Rule
from gomoku_brain.records.form_reading import Line, Reading
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_formats import (
    LIB_RULE,
    GameRecord,
    SetUp,
    lib_lines,
    psq_games,
    tree_from_lib,
    tree_lines,
)
from gomoku_brain.records.record_tree import RecordTree
from gomoku_brain.records.setting import (
    ReadError,
    Setting,
    checked,
    from_moves,
    set_up,
    side_named,
    size_of,
)
from gomoku_brain.records.sgf_trees import read_trees

__all__ = ["from_record", "read_form", "read_lib", "read_records"]


def from_record(record: GameRecord, setting: Setting, name: str = "") -> Game:
    """Return the game of a record."""
    rule = record.rule if setting.rule is None else setting.rule
    size = setting.size or (record.width, record.height)
    moves = [played.move for played in record.moves]
    game = from_moves(moves, Setting(rule, size, setting.side))
    return replace(game, name=record.id or name, record=record)


def read_lib(data: bytes, name: str, setting: Setting) -> list[Game]:
    """Return the games of a library of RenLib; by renju's rule if none is set."""
    rule = LIB_RULE if setting.rule is None else setting.rule
    try:
        tree = tree_from_lib(data, setting.watch)
        lines = list(lib_lines(tree, rule, _most(setting)))
    except ValueError as error:
        raise ReadError(f"{name}: {error}") from None
    for note in tree.notes:
        setting.note(f"{name}: {note}")
    others = _others(tree, setting, len(lines))
    tree.dissolve()
    return list(_of_game(lines, name, name, setting, others))


def read_records(text: str, name: str, setting: Setting) -> Iterator[Game]:
    """Yield the games of PSQ and SGF."""
    rule = DEFAULT_RULE if setting.rule is None else setting.rule
    size = size_of(setting)[0]
    if text.lstrip().startswith("("):
        yield from _read_sgf(text, name, setting, rule, size)
        return
    errors: list[ReadError] = []
    games = psq_games(text, rule, lambda error: errors.append(_placed(error, name)))
    _report(errors, bool(games), setting)
    yield from of_lines([[record] for record in games], name, setting)


def read_form(
    read: Callable[[Reading], Iterator[Line]], name: str, setting: Setting
) -> Iterator[Game]:
    """Read the games of a foreign format; a broken one does not stop the others."""
    errors: list[ReadError] = []
    found: list[Game] = []
    notes: list[str] = []
    reading = Reading(
        setting.rule,
        size_of(setting)[0],
        setting.rows,
        lambda error: errors.append(_placed(error, name)),
        notes.append,
    )
    try:
        for number, line in enumerate(read(reading), start=1):
            place = f"{name}, game {number}" if number > 1 else name
            try:
                found += _of_game([line], name, place, setting, 0)
            except ReadError as error:
                errors.append(error)
    except ValueError as error:
        errors.append(_placed(error, name))
    _report(errors, bool(found), setting)
    for note in notes:
        setting.note(f"{name}: {note}")
    yield from found


def _most(setting: Setting) -> int | None:
    """Return the largest number of lines of one game to read."""
    return setting.most_lines if setting.variations else 1


def _others(tree: RecordTree, setting: Setting, read: int) -> int:
    """Count the lines of a game that were skipped."""
    if _most(setting) is None:
        return 0
    return max(tree.count_lines() - read, 0)


def _report(errors: list[ReadError], others: bool, setting: Setting) -> None:
    """Report the broken games of a file, by whether others of it were read."""
    for error in errors:
        if others and setting.bad_game is not None:
            setting.bad_game(error)
        else:
            setting.refuse(error)


def _placed(error: ValueError, name: str) -> ReadError:
    """Return the error of a reader, with the name of the text before its line."""
    line, _, rest = str(error).removeprefix("line ").partition(": ")
    place = f":{line}: {rest}" if line.isdigit() else f": {error}"
    return ReadError(f"{name}{place}")


def _read_sgf(
    text: str, name: str, setting: Setting, rule: Rule, size: int
) -> Iterator[Game]:
    """Yield the games of a collection; a broken one does not stop the others."""
    errors: list[ReadError] = []
    found: list[Game] = []
    trees = read_trees(
        text, lambda error: errors.append(_placed(error, name)), setting.watch
    )
    begin = [*islice(trees, 2)]
    several = len(begin) + len(errors) > 1
    notes: dict[str, int] = {}
    for number, tree in enumerate(chain(begin, trees), start=1):
        place = f"{name}, game {number}" if several else name
        bad: dict[str, ReadError] = {}  # lines share the node with the error

        def skip(error: ValueError, bad: dict[str, ReadError] = bad) -> None:
            bad.setdefault(str(error), _placed(error, name))

        try:
            lines = tree_lines(text, tree, rule, size, _most(setting), skip)
        except ValueError as error:
            skip(error)
            lines = []
        others = _others(tree, setting, len(lines) + len(bad))
        tree.dissolve()
        found += _of_game(lines, name, place, setting, others, skip)
        errors += bad.values()
        for note in tree.notes:
            notes[note] = notes.get(note, 0) + 1
    _report(errors, bool(found), setting)
    for note, count in notes.items():
        setting.note(f"{name}: {note}" + (f" ({count} games)" if count > 1 else ""))
    yield from found


def of_lines(
    games: Sequence[Sequence[GameRecord | SetUp]], name: str, setting: Setting
) -> Iterator[Game]:
    """Yield games that were read line by line, the main line of each first."""
    for number, lines in enumerate(games, start=1):
        place = name if len(games) == 1 else f"{name}, game {number}"
        others = 0 if setting.variations else len(lines) - 1
        yield from _of_game(
            lines if setting.variations else lines[:1], name, place, setting, others
        )


def _of_game(
    lines: Sequence[GameRecord | SetUp],
    name: str,
    place: str,
    setting: Setting,
    others: int,
    skip: Callable[[ValueError], None] | None = None,
) -> Iterator[Game]:
    """Yield the lines of one game, the main line first; ``others`` were skipped.

    ``skip`` is called with the error of each line that no board can have.
    """
    for count, line in enumerate(lines, start=1):
        here = place if count == 1 else f"{place}, line {count}"
        if isinstance(line, SetUp):
            # a library of RenLib has no lines of text
            at = f"{name}:{line.line}" if line.line else here
            game = _from_set_up(line, setting, at)
        else:
            game = from_record(line, setting, here)
        if count > 1:
            game = replace(game, name=here, line=count)
        try:
            yield checked(replace(game, others=others), here)
        except ReadError as error:
            if skip is None:
                raise
            skip(error)


def _from_set_up(line: SetUp, setting: Setting, name: str) -> Game:
    """Return a position and the moves from it."""
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
    return replace(game, moves=line.moves, head=line.head or {})
