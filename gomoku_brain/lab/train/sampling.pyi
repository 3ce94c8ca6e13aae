from typing import Final, final

from gomoku_brain.eval.evaluator import Evaluation
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board

MOST_PATHS: Final[int]
MOST_PLIES: Final[int]

@final
class Sampling(Evaluation):
    """Another evaluation, of whose calls every so many are remembered.

    Search sees the same values as without it. For one search at a time, since what is
    remembered is shared by all that evaluate.
    """

    def __init__(self, evaluation: Evaluation, every: int) -> None:
        """Remember each ``every``-th call. ValueError for less than 1."""

    def take(self, root: Board) -> list[tuple[Move, ...]]:
        """The moves from the searched position ``root`` to each of the remembered ones.

        In the order of the calls, at most MOST_PATHS of at most MOST_PLIES plies. What
        was evaluated from another position is left out: an engine that finds a forced
        line replays it. All paths are forgotten, and the count of calls begins anew.
        """
