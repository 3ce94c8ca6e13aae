# The interface of evaluations for search and solvers: this module, the class Evaluation
# as a type, and the score scale. They request the evaluation of a rule, take an
# evaluator from it, set a board up for it and request values. The weights, and the
# state that follows the moves, are internal to the evaluation.

from gomoku_brain.eval.evaluator cimport Evaluation, Evaluator, free_evaluator
from gomoku_brain.eval.score cimport EVAL_LIMIT
from gomoku_brain.game.board cimport BoardState, copy_board


cdef inline void set_up(
    Evaluator *self, BoardState *board, const BoardState *source
) noexcept nogil:
    """Make ``board`` a copy of ``source`` that the evaluator can follow from there."""
    copy_board(board, source, self.kind_values)
    self.reset(self, board)


cdef inline int evaluate(Evaluator *self, const BoardState *board) noexcept nogil:
    """Return the static evaluation for the side to move, within +-EVAL_LIMIT.

    ``board`` must be the one that was set up last, with later moves.
    """
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, self.value(self, board)))
