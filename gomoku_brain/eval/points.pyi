from typing import Final

from typing_extensions import disjoint_base

from gomoku_brain.eval.linear import Linear
from gomoku_brain.eval.weights import Weights

NETWORK: Final[dict[str, int]]
REGION_ZONES: Final[tuple[int, ...]]

@disjoint_base
class Points(Linear):
    """Linear evaluation and network over points, of a file of kind "points"."""

    def __init__(self, weights: Weights) -> None:
        """Load the weights. Raises ValueError for an unknown rule and for parts that do
        not fit.
        """
