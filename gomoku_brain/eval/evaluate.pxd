# The one entry that search calls. An Evaluator belongs to one worker and owns what its
# evaluation accumulates: the linear part reads the board's totals, the network keeps its
# own sums along the path.

from gomoku_brain.eval.classical cimport (
    ClassicalWeights, classical_score, classical_weights
)
from gomoku_brain.eval.network cimport (
    Network, NetworkWeights, forget_path, network_score, network_weights
)
from gomoku_brain.eval.score cimport EVAL_LIMIT
from gomoku_brain.game.board cimport BoardState
from gomoku_brain.game.patterns cimport CellValue


cdef struct Evaluator:
    const ClassicalWeights *classical
    Network network


cdef inline void choose_evaluator(Evaluator *self, int rule) noexcept nogil:
    """Pick the evaluation of a rule, once per search (its weights are loaded)."""
    self.classical = classical_weights(rule)
    use_network(self, network_weights(rule))


cdef inline void use_network(Evaluator *self, const NetworkWeights *weights) noexcept nogil:
    """Add a network to the linear evaluation; NULL = none."""
    self.network.weights = weights
    forget_path(&self.network)


cdef inline const CellValue *cell_values(const Evaluator *self) noexcept nogil:
    """The values with which the searched board must be set up."""
    return self.classical.values


cdef inline int evaluate(Evaluator *self, const BoardState *board) noexcept nogil:
    """Static evaluation for the side to move, within +-EVAL_LIMIT.

    Assumes that ``board`` is the one that the evaluator was chosen for, moved on.
    """
    cdef int score = classical_score(self.classical, board)
    if self.network.weights != NULL:
        score += network_score(&self.network, board)
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, score))
