"""Games of any file as trees: moves, variations, comments, labels, marks and the rest.

SGF and RenLib have trees of their own; a game of another format becomes a tree of one
line. ``read_trees`` reads files, ``parse_trees`` texts, ``to_sgf`` writes a tree.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from gomoku_brain.game.rules import Rule
from gomoku_brain.records.encodings import decode
from gomoku_brain.records.game_formats import (
    is_lib,
    parse_games,
    read_games,
    tree_from_lib,
    tree_of,
)
from gomoku_brain.records.record_tree import RecordTree
from gomoku_brain.records.sgf_trees import Watch
from gomoku_brain.records.sgf_trees import read_trees as trees_of_sgf

__all__ = ["iterate_trees", "parse_trees", "read_trees"]

Skip = Callable[[ValueError], None]


def read_trees(
    path: str | Path,
    rule: Rule | None = None,
    size: int = 15,
    skip: Skip | None = None,
    watch: Watch | None = None,
) -> list[RecordTree]:
    """Read all games of a file as trees; ``rule`` and ``size`` apply if it names none.

    ``skip`` is called with the error of each game of SGF that cannot be read; without
    it such a game raises ValueError, which begins with the file's name. ``watch`` is
    called now and then with the number of characters (of RenLib bytes) that are read
    and their sum; an exception that it raises ends the reading and passes to the
    caller. Notes of the reader, for example on the encoding, are in the ``notes`` of
    the trees; a ``CA`` becomes UTF-8, in which the tree is to be written. Raises
    OSError for a file that cannot be read.
    """
    return list(iterate_trees(path, rule, size, skip, watch))


def iterate_trees(
    path: str | Path,
    rule: Rule | None = None,
    size: int = 15,
    skip: Skip | None = None,
    watch: Watch | None = None,
) -> Iterator[RecordTree]:
    """Yield the games of a file one by one, as ``read_trees``; only one is in
    memory.
    """
    data = Path(path).read_bytes()
    try:
        if is_lib(data):
            tree = tree_from_lib(data, watch)
            if rule is not None:
                tree.rule = rule
            yield tree
            return
        text = decode(data)
        if _is_sgf(text.text):
            for tree in _assumed(text.text, rule, size, skip, watch):
                if text.note:
                    tree.notes.insert(0, text.note)
                if tree.has("CA"):  # the text is Unicode now, and is written as such
                    tree.properties["CA"] = ["UTF-8"]
                yield tree
            return
        for game in read_games(path, rule, size):
            yield tree_of(game)
    except ValueError as error:
        if str(error).startswith(f"{path}: "):
            raise
        raise ValueError(f"{path}: {error}") from None


def parse_trees(
    text: str,
    rule: Rule | None = None,
    size: int = 15,
    skip: Skip | None = None,
    watch: Watch | None = None,
) -> list[RecordTree]:
    """Read all games of a text as trees, as ``read_trees`` reads those of a file."""
    if _is_sgf(text):
        return list(_assumed(text, rule, size, skip, watch))
    return [tree_of(game) for game in parse_games(text, rule, size)]


def _is_sgf(text: str) -> bool:
    return text.lstrip("\ufeff \t\r\n").startswith("(")


def _assumed(
    text: str, rule: Rule | None, size: int, skip: Skip | None, watch: Watch | None
) -> Iterator[RecordTree]:
    for tree in trees_of_sgf(text, skip, watch):
        tree.assume(rule, (size, size))
        yield tree
