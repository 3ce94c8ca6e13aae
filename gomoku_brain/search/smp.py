"""Lazy SMP: helpers search the same position and share nothing but the table.

Each helper deepens on its own; what it stores in the table lets the main worker cut
sooner and know more. The main worker alone decides when the search ends and what is
played, so a single thread behaves as if this file did not exist. The idea is common to
today's chess programs.
"""

import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from gomoku_brain.eval.score import WIN_ZONE
from gomoku_brain.game.position import Board
from gomoku_brain.search.aspiration import aspirate
from gomoku_brain.search.control import SearchControl
from gomoku_brain.search.worker import Worker

__all__ = ["Helpers"]

DELTA = 32  # score units, half-width of a helper's first window; set by hand


class Helpers:
    """Workers that search along while the ``with`` block runs."""

    def __init__(
        self, workers: Sequence[Worker], board: Board, last_depth: int
    ) -> None:
        """``last_depth``: plies; a helper that gets there stops by itself."""
        self._workers = workers
        self._control = SearchControl()
        self._threads = []
        for number, worker in enumerate(workers):
            worker.set_position(board, self._control)
            first = 1 + (number + 1) % 2  # not all at the same depth
            self._threads.append(
                threading.Thread(
                    target=self._deepen, args=(worker, first, last_depth), daemon=True
                )
            )

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._control.stop()
        for thread in self._threads:
            thread.join()

    @property
    def nodes(self) -> int:
        """Searched by all helpers so far."""
        return sum(worker.nodes for worker in self._workers)

    @staticmethod
    def _deepen(worker: Worker, first: int, last: int) -> None:
        """Iterative deepening with a window around the last score."""
        expected: int | None = None
        for depth in range(first, last + 1):
            score = aspirate(worker, depth, expected, DELTA)
            if worker.stopped or abs(score) > WIN_ZONE:
                return  # what is proved, the main worker finds in the table
            expected = score
