"""Results of an experiment, one for each job, stored in a file that survives a kill.

The key of a job names everything on which its result depends. So an interrupted run, or
a run with other settings, repeats no measurement.
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
    """Everything on which the result depends, as plain JSON."""
    run: Callable[[], Result]
    """Function that measures; its result is plain JSON."""


class Results:
    """Results by job, stored as a file of JSON lines.

    Use it as a context manager, and add results inside. Raises OSError if the file
    cannot be read or written, and ValueError if it has other content.
    """

    def __init__(self, path: Path) -> None:
        """Read the results of an earlier run; an incomplete last line is dropped."""
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
        self._journal.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.close()

    def get(self, key: dict[str, Any]) -> Result | None:
        """Return the result of a job; None if there is none."""
        return self._found.get(_name(key))

    def add(self, key: dict[str, Any], result: Result) -> None:
        """Store the result of a job, in memory and in the file."""
        line = json.dumps({"key": key, "result": result})
        self._journal.append(line)
        self._found[_name(key)] = json.loads(line)["result"]


def _name(key: dict[str, Any]) -> str:
    return json.dumps(key, sort_keys=True)


def engine_nodes() -> int:
    """Return the node count of fixed searches by our engine.

    Another number means another engine. It is part of a job's key, so that results of
    an older engine are not used for this one.
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


def job_key(study: str, **rest: object) -> dict[str, Any]:
    """Return the key of a job: its study, the engine that measures, and ``rest``."""
    return {"study": study, "engine": _engine(), **rest}
