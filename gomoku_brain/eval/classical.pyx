"""Classical evaluation: cell values by line classes plus a tempo term.

score = sum over empty cells of (what the cell is worth to the side to move, as mover)
      - sum over empty cells of (what it is worth to the opponent, as waiter)
      + tempo[which kinds of threat each side has].

The form is common in classical engines; ours has separate cell values for the side to
move and the other side. A cell's value depends on its kind: which four classes it has,
in any order. The weights are data: one fitted file a rule (data/weights-*.bin), or,
where there is none, values per line class and per rank set by hand (data/classical.txt).
"""

from libc.stdint cimport int16_t
from libc.string cimport memcpy

from gomoku_brain.eval.score cimport EVAL_LIMIT
from gomoku_brain.game.board cimport BoardState
from gomoku_brain.game.memory cimport return_memory, take_memory
from gomoku_brain.game.patterns cimport (
    KINDS, RANK_MASK, CellValue, RuleTables, mover_total, pack_score,
    pack_total, rule_tables, set_rank, waiter_total
)
from gomoku_brain.game.rules cimport BLACK, CARO_EXACT

from gomoku_brain.eval.weights import pack_hand_weights

cdef enum:
    ROLES = 4           # attack, defend, mover, waiter
    PACKED = 2 * (KINDS * ROLES + TEMPO_SIZE)   # 16-bit numbers in a set of weights

cdef ClassicalWeights *LOADED[CARO_EXACT + 1]      # by rule code; NULL until loaded


cdef int classical_score(
    const ClassicalWeights *weights, const BoardState *board
) noexcept nogil:
    """The static evaluation for the side to move, within +-EVAL_LIMIT.

    Assumes that the board was set up with ``weights.values``.
    """
    cdef int me = board.side
    cdef int score = (
        mover_total(board.plies[board.ply].totals[me])
        - waiter_total(board.plies[board.ply].totals[me ^ 1])
        + weights.tempo[me][tempo_index(board)]
    )
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, score))


cdef const ClassicalWeights *classical_weights(int rule) noexcept nogil:
    """The weights of a rule; NULL unless ``network.load_weights`` was called for it."""
    return LOADED[rule]


cdef int fill_weights(ClassicalWeights *self, int rule, bytes packed) except -1:
    """Unfold a set of weights as ``weights.read_fitted`` gives it.

    Per side, black first: KINDS rows of attack, defend, mover, waiter, then TEMPO_SIZE
    tempo terms, all int16 in the machine's order. Raises ValueError for another size.
    """
    cdef const RuleTables *tables = rule_tables(rule)
    cdef const int16_t *side_weights
    cdef const int16_t *row
    cdef CellValue *value
    cdef int side, kind
    if len(packed) != 2 * PACKED:
        raise ValueError(f"weights: {len(packed)} bytes instead of {2 * PACKED}")
    for side in range(2):
        side_weights = <const int16_t *> <const char *> packed + side * (PACKED // 2)
        for kind in range(KINDS):
            row = &side_weights[kind * ROLES]
            value = &self.values[side * KINDS + kind]
            set_rank(value, tables.rank[side][kind])
            value.total = pack_total(row[2], row[3])
            if side == BLACK:
                value.score = pack_score(row[0], row[1])
            else:
                value.score = pack_score(row[1], row[0])
        memcpy(self.tempo[side], side_weights + KINDS * ROLES, 2 * TEMPO_SIZE)
    return 0


def kind_ranks(int rule, int side):
    """The rank (without its four bit) of every kind of cell for a side."""
    cdef int kind
    return bytes([rule_tables(rule).rank[side][kind] & RANK_MASK for kind in range(KINDS)])


def load_classical(int rule, bytes packed):
    """Make the linear weights of a rule ready; None = the hand-set ones.

    ``network.load_weights`` reads them. Raises ValueError for another size.
    """
    if LOADED[rule] != NULL:
        return
    if packed is None:
        packed = pack_hand_weights([kind_ranks(rule, side) for side in range(2)])
    cdef ClassicalWeights *weights = <ClassicalWeights *> take_memory(
        sizeof(ClassicalWeights)
    )
    if weights == NULL:
        raise MemoryError("no memory for the evaluation weights")
    try:
        fill_weights(weights, rule, packed)
    except ValueError:
        return_memory(weights, sizeof(ClassicalWeights))
        raise
    LOADED[rule] = weights
