"""A search within a window round the expected score, widened until the score fits.

Most scores change little from one depth to the next, and a narrow window cuts more.
"""

from gomoku_brain.eval.score import INFINITY
from gomoku_brain.game.notation import Move
from gomoku_brain.search.worker import Worker

__all__ = ["aspirate"]

WIDEN = 3  # times the half-width after each failure
WIDEST = 1000  # score units: a wider side is opened entirely; set by hand


def aspirate(
    worker: Worker,
    depth: int,
    expected: int | None,
    half_width: int,
    exclude: tuple[Move, ...] = (),
) -> int:
    """The score of the worker's position at ``depth`` plies.

    ``expected``: the middle of the first window in score units, None for a full window;
    ``half_width``: of the first window. The score means nothing when the worker was
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
