# What search and solvers know of evaluations: this module, the class Evaluation as a type,
# and the score scale. They ask for the evaluation of a rule, take an evaluator from it, set
# a board up for it and ask for values; what the weights are, and what is kept to follow the
# moves, stays behind the seam.

from gomoku_brain.eval.evaluator cimport Evaluation, Evaluator, free_evaluator
from gomoku_brain.eval.score cimport EVAL_LIMIT
from gomoku_brain.game.board cimport BoardState, copy_board


cdef inline void set_up(
    Evaluator *self, BoardState *board, const BoardState *source
) noexcept nogil:
    """Make ``board`` a copy of ``source`` that the evaluator can follow from there."""
    copy_board(board, source, self.kind_values)
    self.begin(self, board)


cdef inline int evaluate(Evaluator *self, const BoardState *board) noexcept nogil:
    """Static evaluation for the side to move, within +-EVAL_LIMIT.

    Assumes that ``board`` is the one that was set up last, moved on.
    """
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, self.value(self, board)))
