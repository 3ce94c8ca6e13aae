from typing_extensions import disjoint_base

from gomoku_brain.eval.evaluator import Evaluation
from gomoku_brain.eval.weights import Weights

@disjoint_base
class Linear(Evaluation):
    """Linear evaluation with one set of weights, of kind "linear"."""

    def __init__(self, weights: Weights) -> None:
        """Load the weights. Raises ValueError for an unknown rule and for parts that do
        not fit.
        """

def kind_ranks(rule: int, side: int) -> bytes:
    """Return the rank (without its four bit) of every kind of cell for a side."""
