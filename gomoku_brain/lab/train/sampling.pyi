from typing import Final, final

from gomoku_brain.eval.evaluator import Evaluation
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board

MAX_PATHS: Final[int]
MAX_PLIES: Final[int]

@final
class Sampling(Evaluation):
    """Wrapper of another evaluation that records every so many of its calls.

    The values of the search are the same as without it. Use it for one search at a
    time, since all threads that evaluate share the records.
    """

    def __init__(self, evaluation: Evaluation, every: int) -> None:
        """Record every ``every``-th call. ValueError for less than 1."""

    def take(self, root: Board) -> list[tuple[Move, ...]]:
        """Return the moves from the searched position ``root`` to each recorded
        position.

        They are in the order of the calls: at most MAX_PATHS paths of at most
        MAX_PLIES plies. Positions that were not reached from ``root`` are left out (an
        engine that finds a forced line replays it). All paths are cleared, and the
        count of calls starts again.
        """
