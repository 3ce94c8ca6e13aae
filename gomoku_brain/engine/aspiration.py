"""Search within a window around the expected score, widened until the score fits.

Most scores change little from one depth to the next, and a narrow window causes more
cutoffs.
"""

from gomoku_brain.eval.score import INFINITY
from gomoku_brain.game.notation import Move
from gomoku_brain.search.worker import Worker

__all__ = ["aspirate"]

WIDEN = 3  # factor of the half-width after each failure
WIDEST = 1000  # score units: beyond it a side is opened completely; set by hand


def aspirate(
    worker: Worker,
    depth: int,
    expected: int | None,
    half_width: int,
    exclude: tuple[Move, ...] = (),
) -> int:
    """Return the score of the worker's position at ``depth`` plies.

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
