"""Lazy SMP: helpers search the same position, over one table.

Each helper deepens on its own. The entries that it stores in the table cause earlier
cutoffs in the main worker. The main worker alone decides when the search ends; the move
comes from the worker that has finished the greatest depth. A search with a single
thread uses ``aspirate`` alone. Today's chess programs work in the same way.
"""

from collections.abc import Sequence
from functools import partial

from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.control.task import Team
from gomoku_brain.dataclass import dataclass
from gomoku_brain.eval.score import INFINITY, WIN_ZONE
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.search.worker import Worker

__all__ = ["Deepest", "Helpers", "aspirate"]

WIDEN = 3  # factor of a window's half-width after each failure
WIDEST = 1000  # score units: beyond it a side is opened completely; set by hand
DELTA = 32  # score units, half-width of a helper's first window; set by hand


@dataclass(frozen=True, slots=True)
class Deepest:
    """Deepest iteration that a helper has finished."""

    depth: int
    """Depth in plies."""
    score: int
    """Score in units of evaluation, or that of a proved win; never that of a proved
    loss.
    """
    pv: tuple[Move, ...]
    seldepth: int
    """Plies of the longest line."""


class Helpers(Team):
    """Workers that search along in a ``with`` block, from ``search_along`` to its
    end.
    """

    def __init__(
        self, workers: Sequence[Worker], board: Board, last_depth: int
    ) -> None:
        """Prepare the helpers; each stops by itself after ``last_depth`` plies.

        If memory or threads are short, fewer workers search along.
        """
        super().__init__(SearchControl())
        self._workers: list[Worker] = []
        self._last = last_depth
        self._finished: dict[int, Deepest] = {}  # by the number of the helper
        self.depth = 1
        """Plies that the main worker searches now; its driver sets it."""
        for worker in workers:
            try:
                worker.set_position(board, self.control)
            except MemoryError:
                break
            self._workers.append(worker)

    def search_along(self) -> None:
        """Let the helpers search until the block ends."""
        for number in range(len(self._workers)):
            if self.start(partial(self._help, number)) is None:
                break

    @property
    def nodes(self) -> int:
        """Nodes searched by all helpers so far."""
        return sum(worker.nodes for worker in self._workers)

    @property
    def deepest(self) -> Deepest | None:
        """Deepest iteration that any of them has finished; None = none yet.

        Raises the exception of a helper, except for lack of memory.
        """
        for task in self.tasks:
            if task.done:
                task.result()
        found = list(self._finished.values())
        return max(found, key=lambda line: line.depth, default=None)

    def _help(self, number: int) -> None:
        """Do the work of a helper's thread."""
        try:
            self._deepen(self._workers[number], number)
        except MemoryError:
            return  # the others continue

    def _deepen(self, worker: Worker, number: int) -> None:
        """Deepen with a window around the last score.

        Every other helper, the first one included, stays at least a ply ahead of the
        main worker, the others at least level with it. Otherwise the entries in the
        table would let two workers search the same depth in the same order.
        """
        expected: int | None = None
        depth = 0
        while depth < self._last:
            depth = min(max(depth, self.depth - number % 2) + 1, self._last)
            score = aspirate(worker, depth, expected, DELTA)
            if worker.stopped or score < -WIN_ZONE:
                return  # the main worker finds a proved loss in the table
            self._finished[number] = Deepest(depth, score, worker.pv, worker.seldepth)
            if score > WIN_ZONE:
                return
            expected = score


def aspirate(
    worker: Worker,
    depth: int,
    expected: int | None,
    half_width: int,
    exclude: tuple[Move, ...] = (),
) -> int:
    """Return the score of the worker's position at ``depth`` plies.

    The search has a window around the expected score, widened until the score fits:
    most scores change little from one depth to the next, and a narrow window causes
    more cutoffs.

    ``expected``: the middle of the first window in score units, None for a full window;
    ``half_width``: of the first window. The score has no meaning if the worker was
    stopped.
    """
    low, high = -INFINITY, INFINITY
    if expected is not None:
        low, high = expected - half_width, expected + half_width
    while True:
        score = worker.search(depth, low, high, exclude)
        if worker.stopped or low < score < high:
            return score
        half_width *= WIDEN
        if score <= low:
            if low == -INFINITY:
                return score
            low = score - half_width if half_width < WIDEST else -INFINITY
        else:
            if high == INFINITY:
                return score
            high = score + half_width if half_width < WIDEST else INFINITY
        low, high = max(low, -INFINITY), min(high, INFINITY)
