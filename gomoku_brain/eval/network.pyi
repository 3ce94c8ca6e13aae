from typing import Final

from typing_extensions import disjoint_base

from gomoku_brain.eval.linear import Linear
from gomoku_brain.eval.weights import Weights

WIDTH: Final[int]
HIDDEN: Final[int]

@disjoint_base
class Network(Linear):
    """The linear evaluation and a network, with weights of kind "network"."""

    def __init__(self, weights: Weights) -> None:
        """Raises ValueError for an unknown rule and for parts that do not fit."""
