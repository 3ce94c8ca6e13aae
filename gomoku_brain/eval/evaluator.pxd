# The interface between evaluations and their users. An *evaluation* is the content of a
# weights file, shared by every worker that plays its rule. An *evaluator* is one
# worker's use of it: a block of memory that begins with the struct below and continues
# with the evaluation's state for the current position. evaluate.pxd is the users' side
# of the interface.

from gomoku_brain.game.board cimport BoardState
from gomoku_brain.game.patterns cimport KindValue


cdef struct Evaluator:
    # [side * KINDS + kind]. The board sums these when stones are placed and removed:
    # the number of cells of each rank, two totals a side that only the evaluation
    # reads, and the move scores that order the moves.
    const KindValue *kind_values
    # The value of a position for its side to move, in score units; it may be of any
    # size. ``board`` is the one that was set up last, some moves further on. The
    # changes since a position that the evaluator knows are in its plies, lines and undo
    # list, so sums can follow the moves forward and back without a call for each of
    # them.
    int (*value)(Evaluator *self, const BoardState *board) noexcept nogil
    # ``board`` was set up with another position: the state for the one before is
    # invalid.
    void (*reset)(Evaluator *self, const BoardState *board) noexcept nogil
    size_t bytes                    # of the whole block


cdef class Evaluation:
    cdef readonly int rule          # code of the rule that it evaluates
    cdef const KindValue *kind_values

    cdef Evaluator *new_evaluator(self) except NULL


cdef Evaluator *take_evaluator(
    const KindValue *kind_values, size_t bytes,
    int (*value)(Evaluator *, const BoardState *) noexcept nogil,
    void (*reset)(Evaluator *, const BoardState *) noexcept nogil
) except NULL
cdef void free_evaluator(Evaluator *self) noexcept nogil
