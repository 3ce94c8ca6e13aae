from typing import final

from gomoku_brain.eval.evaluator import Evaluation
from gomoku_brain.game.notation import Move

@final
class Sampling(Evaluation):
    """Another evaluation, of whose calls every so many are remembered.

    Search sees the same values as without it. For one search at a time, since what is
    remembered is shared by all that evaluate.
    """

    def __init__(self, evaluation: Evaluation, every: int) -> None:
        """Remember each ``every``-th call. ValueError for less than 1."""

    def take(self) -> list[tuple[Move, ...]]:
        """The moves from the searched position to each of the remembered ones.

        In the order of the calls, at most 1,024 of at most 64 plies; forgets them and
        begins to count anew.
        """
