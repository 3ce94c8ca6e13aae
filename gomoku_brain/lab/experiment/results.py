"""The results of an experiment: one a job, kept in a file that survives a kill.

A job is named by all that its result depends on, so that a run which was interrupted,
or has other settings, repeats nothing.
"""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Self

from gomoku_brain.control.limits import Limits
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.position import Board
from gomoku_brain.runs.journal import Journal
from gomoku_brain.study.puzzles import puzzle_levels

__all__ = ["Job", "Result", "Results", "engine_nodes", "job_key"]

Result = dict[str, Any]

SIGNATURE_DEPTH = 8
SIGNATURE_GAME = "h8 i9 h10 i7 i10 g10 h9 h11 g8"


class Job(NamedTuple):
    """One measurement."""

    key: dict[str, Any]
    """All that the result depends on; plain JSON."""
    run: Callable[[], Result]
    """Measures; the result is plain JSON."""


class Results:
    """What was measured, by job; kept in a file of JSON lines, one a job.

    Use it as a context manager; results are added inside. Raises OSError for a
    file that cannot be read or written, and ValueError for one with something else.
    """

    def __init__(self, path: Path) -> None:
        """Read what an earlier run left; a line that a kill cut off is dropped."""
        self._journal = Journal(path, "a file of an experiment's results", '{"key": ')
        self._found: dict[str, Result] = {}
        for number, line in enumerate(self._journal.lines, start=1):
            try:
                entry = json.loads(line)
                self._found[_name(entry["key"])] = entry["result"]
            except (ValueError, KeyError, TypeError, RecursionError):
                raise ValueError(
                    f"{path}, line {number}: not a result of an experiment"
                ) from None

    def __enter__(self) -> Self:
        self._journal.begin()
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.close()

    def get(self, key: dict[str, Any]) -> Result | None:
        """The result of a job; None when it was not done."""
        return self._found.get(_name(key))

    def add(self, key: dict[str, Any], result: Result) -> None:
        """Keep a result, in the file as well."""
        line = json.dumps({"key": key, "result": result})
        self._journal.append(line)
        self._found[_name(key)] = json.loads(line)["result"]


def _name(key: dict[str, Any]) -> str:
    return json.dumps(key, sort_keys=True)


def engine_nodes() -> int:
    """The nodes of fixed searches by our engine: another number, another engine.

    It is part of a job's name, so that results of an older engine are not taken for
    this one's.
    """
    boards = [puzzle.board for puzzle in puzzle_levels()]
    moves = SIGNATURE_GAME.split()
    boards += [Board.from_moves(" ".join(moves[:k])) for k in range(3, len(moves) + 1)]
    nodes = 0
    with Engine(hash_mb=1) as engine:
        for board in boards:
            engine.new_game()
            nodes += engine.search(board, Limits(depth=SIGNATURE_DEPTH)).nodes
    return nodes


_engine = cache(engine_nodes)


_engine = cache(engine_nodes)


def job_key(study: str, **rest: object) -> dict[str, Any]:
    """The name of a job: its study, the engine that measures, and what else counts."""
    return {"study": study, "engine": _engine(), **rest}
