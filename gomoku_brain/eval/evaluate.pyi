from typing import Final

from gomoku_brain.eval.evaluator import Evaluation
from gomoku_brain.eval.weights import Weights

MAKERS: Final[dict[str, type[Evaluation]]]

def evaluation_from(weights: Weights) -> Evaluation:
    """The evaluation that a set of weights describes.

    Raises ValueError, in one line, for an unknown kind and for parts that do not fit.
    """

def evaluation_of(rule: int) -> Evaluation:
    """The shipped evaluation of a rule; the hand-set values where no file is shipped.

    Raises ValueError for a damaged file, since that is better than playing weakly in
    silence."""
