"""Lazy SMP: helpers search the same position, over one table.

Each helper deepens on its own; what it stores in the table lets the main worker cut
sooner and know more. The main worker alone decides when the search ends; the move that
is played comes from whichever worker has finished the greatest depth. A single thread
behaves as if this file did not exist. The idea is common to today's chess programs.
"""

import _thread
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import NamedTuple, Self

from gomoku_brain.eval.score import WIN_ZONE
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.search.aspiration import aspirate
from gomoku_brain.search.control import SearchControl
from gomoku_brain.search.worker import Worker

__all__ = ["Deepest", "Helpers"]

DELTA = 32  # score units, half-width of a helper's first window; set by hand


class Deepest(NamedTuple):
    """The deepest iteration that a helper has finished."""

    depth: int
    """Plies."""
    score: int
    """Units of evaluation, or a win that is proved; never a loss that is proved."""
    pv: tuple[Move, ...]
    seldepth: int
    """Plies of the longest line."""


class Helpers:
    """Workers that search along while the ``with`` block runs."""

    def __init__(
        self, workers: Sequence[Worker], board: Board, last_depth: int
    ) -> None:
        """``last_depth``: plies; a helper that gets there stops by itself.

        Where memory or threads are short, fewer workers search along.
        """
        self._workers: list[Worker] = []
        self._control = SearchControl()
        self._last = last_depth
        self._finished: dict[int, Deepest] = {}  # by the number of the helper
        self.depth = 1
        """Plies that the main worker searches now; to be set by who drives it."""
        for worker in workers:
            try:
                worker.set_position(board, self._control)
            except MemoryError:
                break
            self._workers.append(worker)
        self._gate = threading.Lock()  # of the next two
        self._is_open = True  # whether a thread that comes may begin
        self._begun = [False for _ in self._workers]
        self._done = [False for _ in self._workers]
        self._ended = [threading.Lock() for _ in self._workers]
        for lock in self._ended:
            lock.acquire()  # until the thread releases it

    def __enter__(self) -> Self:
        # No threading.Thread: that waits for its beginning, and a thread that gets no
        # memory to begin with would let it wait for ever.
        try:
            for number in range(len(self._workers)):
                _thread.start_new_thread(self._run, (number,))
        except (RuntimeError, MemoryError):
            pass  # the system gives no more
        except BaseException:  # Ctrl-C
            self._end()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def _end(self) -> None:
        """Wait for all that have begun, and let no other begin any more.

        Ctrl-C is heard afterwards: a worker must not be lent again while it is at work.
        """
        interrupt: KeyboardInterrupt | None = None
        waiting = True
        while waiting:
            try:
                self._control.stop()
                with self._gate:
                    self._is_open = False
                for number, ended in enumerate(self._ended):
                    # (Ctrl-C may come after the wait and before the next step.)
                    while self._begun[number] and not self._done[number]:
                        ended.acquire()
                waiting = False
            except KeyboardInterrupt as error:
                interrupt = error
        if interrupt is not None:
            raise interrupt

    @property
    def nodes(self) -> int:
        """Searched by all helpers so far."""
        return sum(worker.nodes for worker in self._workers)

    @property
    def deepest(self) -> Deepest | None:
        """The deepest iteration that any of them has finished; None = none yet."""
        found = list(self._finished.values())
        return max(found, key=lambda line: line.depth, default=None)

    def _run(self, number: int) -> None:
        """What the thread of a helper does."""
        try:
            with self._gate:
                if not self._is_open:
                    return
                self._begun[number] = True
            self._deepen(self._workers[number], number)
        except MemoryError:
            pass  # the others go on
        finally:
            self._done[number] = True
            self._ended[number].release()

    def _deepen(self, worker: Worker, number: int) -> None:
        """Iterative deepening with a window around the last score.

        Every other helper, the first one included, keeps at least a ply ahead of the
        main worker, the others at least level with it: what the table tells would else
        let two workers search the same depth in the same order.
        """
        expected: int | None = None
        depth = 0
        while depth < self._last:
            depth = min(max(depth, self.depth - number % 2) + 1, self._last)
            score = aspirate(worker, depth, expected, DELTA)
            if worker.stopped or score < -WIN_ZONE:
                return  # a loss that is proved, the main worker finds in the table
            self._finished[number] = Deepest(depth, score, worker.pv, worker.seldepth)
            if score > WIN_ZONE:
                return
            expected = score
