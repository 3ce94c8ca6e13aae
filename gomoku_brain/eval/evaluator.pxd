# The seam between evaluations and all that uses them. An *evaluation* is what a weights file
# describes, shared by every worker that plays its rule. An *evaluator* is one worker's use of
# it: a block of memory that begins with the struct below and goes on with what the
# evaluation keeps for the position at hand. evaluate.pxd is the users' side of the seam.

from gomoku_brain.game.board cimport BoardState
from gomoku_brain.game.patterns cimport KindValue


cdef struct Evaluator:
    # [side * KINDS + kind]. The board adds these up as stones come and go: how many cells
    # have a rank, two totals a side that only the evaluation reads, and the move scores
    # that order the moves.
    const KindValue *kind_values
    # The value of a position for its side to move, in score units; it may be of any size.
    # ``board`` is the one that was set up last, some moves further on: what changed since a
    # position that the evaluator knows is in its plies, lines and undo list, so sums can
    # follow the moves and come back from them without being told of each.
    int (*value)(Evaluator *self, const BoardState *board) noexcept nogil
    # ``board`` was set up with another position: what was kept for the one before is void.
    void (*begin)(Evaluator *self, const BoardState *board) noexcept nogil
    size_t bytes                    # of the whole block


cdef class Evaluation:
    cdef readonly int rule          # code of the rule that it was made for
    cdef const KindValue *kind_values

    cdef Evaluator *new_evaluator(self) except NULL


cdef Evaluator *take_evaluator(
    const KindValue *kind_values, size_t bytes,
    int (*value)(Evaluator *, const BoardState *) noexcept nogil,
    void (*begin)(Evaluator *, const BoardState *) noexcept nogil
) except NULL
cdef void free_evaluator(Evaluator *self) noexcept nogil
