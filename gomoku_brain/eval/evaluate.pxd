# The one entry that search calls. An Evaluator belongs to one worker and owns what its
# evaluation accumulates; today that is the weights and the board's totals, and a learned
# evaluation adds its accumulators here, fed by the cells that make_move saved (the
# board's undo list between two plies names every cell whose classes changed).

from gomoku_brain.eval.classical cimport (
    ClassicalWeights, classical_score, classical_weights
)
from gomoku_brain.game.board cimport BoardState
from gomoku_brain.game.patterns cimport CellValue


cdef struct Evaluator:
    const ClassicalWeights *classical


cdef inline void choose_evaluator(Evaluator *self, int rule) noexcept nogil:
    """Pick the evaluation of a rule, once per search (its weights are loaded)."""
    self.classical = classical_weights(rule)


cdef inline const CellValue *cell_values(const Evaluator *self) noexcept nogil:
    """The values with which the searched board must be set up."""
    return self.classical.values


cdef inline int evaluate(const Evaluator *self, const BoardState *board) noexcept nogil:
    """Static evaluation for the side to move, within +-EVAL_LIMIT."""
    return classical_score(self.classical, board)
