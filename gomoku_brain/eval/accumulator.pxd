# State of an evaluation that keeps sums for the path of the search and updates them on
# demand: the plies for which they are known. The evaluation itself walks over the cells
# that changed since then: as a shared function, that cost 2 % of the search's speed.

from libc.stdint cimport uint64_t

from gomoku_brain.eval.evaluator cimport Evaluator, take_evaluator
from gomoku_brain.eval.linear cimport Linear, LinearWeights
from gomoku_brain.game.board cimport BoardState
from gomoku_brain.game.rules cimport MAX_STONES


cdef struct PathEvaluator:          # head of an evaluator that keeps such sums
    Evaluator evaluator
    const LinearWeights *linear
    # By ply of the board: the key of the position to which the sums of this ply belong.
    uint64_t[MAX_STONES + 1] keys


cdef inline void reset_path(PathEvaluator *self, const BoardState *board) noexcept nogil:
    """Mark only the sums of the board's position as known; ``reset`` computes them
    afterwards.
    """
    cdef int ply
    for ply in range(MAX_STONES + 1):
        self.keys[ply] = <uint64_t> 0x9E3779B97F4A7C15     # the key of no position
    self.keys[board.ply] = board.plies[board.ply].key


cdef inline PathEvaluator *take_path_evaluator(
    Linear evaluation, const void *weights, size_t bytes,
    int (*value)(Evaluator *, const BoardState *) noexcept nogil,
    void (*reset)(Evaluator *, const BoardState *) noexcept nogil
) except NULL:
    """Return a block of so many bytes that begins with ``PathEvaluator``; ``reset``
    fills it.

    Raises MemoryError, and ValueError for an evaluation without weights.
    """
    cdef PathEvaluator *self
    if weights == NULL:
        raise ValueError("the evaluation has no network")
    self = <PathEvaluator *> take_evaluator(
        evaluation.kind_values, bytes, value, reset
    )
    self.linear = evaluation.linear
    return self


cdef inline bint is_known(
    const PathEvaluator *self, const BoardState *board, int ply
) noexcept nogil:
    """Whether the sums of a ply of the board's path are up to date."""
    return self.keys[ply] == board.plies[ply].key


cdef inline int known_ply(const PathEvaluator *self, const BoardState *board) noexcept nogil:
    """Return the last earlier ply of the board's path whose sums are known.

    Those of the position that was set up are always known.
    """
    cdef int ply = board.ply - 1
    while ply > 0 and not is_known(self, board, ply):
        ply -= 1
    return ply
