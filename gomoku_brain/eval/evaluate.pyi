from typing import Final

from gomoku_brain.eval.evaluator import Evaluation
from gomoku_brain.eval.weights import Weights

MAKERS: Final[dict[str, type[Evaluation]]]

def evaluation_from(weights: Weights) -> Evaluation:
    """Return the evaluation for a set of weights.

    Raises ValueError, in one line, for an unknown kind and for parts that do not fit.
    """

def evaluation_of(rule: int) -> Evaluation:
    """Return the shipped evaluation of a rule, or the hand-set values without a file.

    Raises ValueError for a damaged file, since that is better than playing weakly
    without notice.
    """
