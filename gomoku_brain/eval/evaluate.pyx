"""Choice of the evaluation: the one in the weights file of a rule."""

from gomoku_brain.eval.hand_weights import hand_weights
from gomoku_brain.eval.linear import Linear, kind_ranks
from gomoku_brain.eval.points import Points
from gomoku_brain.eval.weights import RULE_NAMES, shipped_weights

# By the kind that a weights file names.
MAKERS = {"linear": Linear, "points": Points}

# Rule code -> Evaluation. A file is read once, and its evaluation stays for the life of
# the process: boards point to its cell values.
cdef dict LOADED = {}


def evaluation_from(weights):
    """Return the evaluation for a set of weights.

    Raises ValueError, in one line, for an unknown kind and for parts that do not fit.
    """
    maker = MAKERS.get(weights.kind)
    if maker is None:
        raise ValueError(
            f"weights: kind {weights.kind!r}, but there are only {', '.join(MAKERS)}"
        )
    return maker(weights)


def evaluation_of(int rule):
    """Return the shipped evaluation of a rule, or the hand-set values without a file.

    Raises ValueError for a damaged file, since that is better than playing weakly
    without notice.
    """
    evaluation = LOADED.get(rule)
    if evaluation is None:
        weights = shipped_weights(rule)
        if weights is None:
            weights = hand_weights(rule, [kind_ranks(rule, side) for side in range(2)])
        try:
            evaluation = LOADED[rule] = evaluation_from(weights)
        except ValueError as error:
            raise ValueError(f"the weights of {RULE_NAMES[rule]}: {error}") from error
    return evaluation
