"""Linear evaluation: cell values by line classes, and a tempo term.

score = sum over empty cells of the cell's mover value for the side to move
      - sum over empty cells of the cell's waiter value for the opponent
      + tempo[kinds of threat of each side].

Engines without a network often have this form. Ours has separate cell values for the
side to move (mover) and for the other side (waiter). A cell's value depends on its
kind: its four classes, in any order. A weights file of kind "linear" has the parts

    cells   2 x KINDS x 4   side (black first), kind -> attack, defend, mover, waiter
    tempo   2 x 2048        side to move, ``tempo_index`` -> score units

where attack and defend are the cell's move scores, for the side that would make the
shape and for the side that would prevent it.
"""

from libc.stdint cimport int16_t
from libc.string cimport memcpy

from gomoku_brain.eval.evaluator cimport Evaluation, Evaluator, take_evaluator
from gomoku_brain.eval.score cimport EVAL_LIMIT
from gomoku_brain.game.board cimport BoardState
from gomoku_brain.game.memory cimport return_memory, take_memory
from gomoku_brain.game.patterns cimport (
    KINDS, RANK_MASK, KindValue, RuleTables, mover_total, pack_score,
    pack_total, rule_tables, set_rank, waiter_total
)
from gomoku_brain.game.rules cimport BLACK

from gomoku_brain.eval.weights import RULE_NAMES

cdef enum:
    ROLES = 4           # attack, defend, mover, waiter
    MAX_SCORE = 16383  # a cell's score is the sum of two in 16 bits (patterns.pack_score)


cdef struct LinearEvaluator:
    Evaluator evaluator
    const LinearWeights *weights


cdef int linear_score(const LinearWeights *weights, const BoardState *board) noexcept nogil:
    """Return the evaluation for the side to move, within +-EVAL_LIMIT.

    The board must have been set up with ``weights.values``. A network adds its part to
    the limited score.
    """
    cdef int me = board.side
    cdef int score = (
        mover_total(board.plies[board.ply].totals[me])
        - waiter_total(board.plies[board.ply].totals[me ^ 1])
        + weights.tempo[me][tempo_index(board)]
    )
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, score))


cdef int value(Evaluator *self, const BoardState *board) noexcept nogil:
    return linear_score((<LinearEvaluator *> self).weights, board)


cdef void reset(Evaluator *self, const BoardState *board) noexcept nogil:
    """Do nothing, since the board updates all sums."""


cdef class Linear(Evaluation):
    """Linear evaluation with one set of weights, of kind "linear"."""

    def __init__(self, weights):
        """Load the weights. Raises ValueError for an unknown rule and for parts that do
        not fit.
        """
        cdef const RuleTables *tables = tables_of(weights.rule)
        cells = weights.part("cells", (2, KINDS, ROLES))
        tempo = weights.part("tempo", (2, TEMPO_SIZE))
        if weights.kind == "linear":  # others add parts of their own
            weights.refuse_others(("cells", "tempo"))
        if self.linear != NULL:
            raise TypeError("an evaluation cannot be initialised twice; create another one")
        self.linear = <LinearWeights *> take_memory(sizeof(LinearWeights))
        if self.linear == NULL:
            raise MemoryError("no memory for the evaluation weights")
        if not fill_values(self.linear.values, tables, numbers_of(cells)):
            raise ValueError(
                f"weights of kind {weights.kind!r}: a move score beyond +-{MAX_SCORE}"
            )
        memcpy(self.linear.tempo, numbers_of(tempo), sizeof(self.linear.tempo))
        self.rule = weights.rule
        self.kind_values = self.linear.values

    def __dealloc__(self):
        return_memory(self.linear, sizeof(LinearWeights))

    cdef Evaluator *new_evaluator(self) except NULL:
        cdef Evaluator *made = take_evaluator(
            self.kind_values, sizeof(LinearEvaluator), value, reset
        )
        (<LinearEvaluator *> made).weights = self.linear
        return made


cdef const int16_t *numbers_of(part, int first=0) except NULL:
    """Return the numbers of a part from an index on; they live as long as the part."""
    return <const int16_t *> <const char *> <bytes> part.numbers + first


cdef const RuleTables *tables_of(rule) except NULL:
    """Return the tables of a rule by its code; raises ValueError for an unknown one."""
    cdef const RuleTables *tables
    if rule not in RULE_NAMES:
        raise ValueError(f"weights: no rule {rule!r}")
    tables = rule_tables(rule)
    if tables == NULL:
        raise MemoryError("no memory for the tables of a rule")
    return tables


cdef bint fill_values(
    KindValue *values, const RuleTables *tables, const int16_t *cells
) noexcept nogil:
    """Expand the part "cells", so that the board finds all values of a kind in one
    place.

    Return False if a move score is so large that the sum of two would not fit into 16
    bits.
    """
    cdef const int16_t *row = cells
    cdef KindValue *value
    cdef int side, kind
    for side in range(2):
        for kind in range(KINDS):
            value = &values[side * KINDS + kind]
            if not (
                -MAX_SCORE <= row[0] <= MAX_SCORE and -MAX_SCORE <= row[1] <= MAX_SCORE
            ):
                return False
            set_rank(value, tables.rank[side][kind])
            value.total = pack_total(row[2], row[3])
            if side == BLACK:
                value.score = pack_score(row[0], row[1])
            else:
                value.score = pack_score(row[1], row[0])
            row += ROLES
    return True


def kind_ranks(int rule, int side):
    """Return the rank (without its four bit) of every kind of cell for a side."""
    cdef const RuleTables *tables = tables_of(rule)
    cdef int kind
    return bytes([tables.rank[side][kind] & RANK_MASK for kind in range(KINDS)])
