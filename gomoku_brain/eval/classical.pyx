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
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from gomoku_brain.eval.score cimport EVAL_LIMIT
from gomoku_brain.game.board cimport BoardState
from gomoku_brain.game.patterns cimport (
    CLASSES, CODES, PAIRS, RANK_MASK, CellValue, RuleTables, mover_total, pack_score,
    pack_total, rule_tables, waiter_total
)
from gomoku_brain.game.rules cimport BLACK, CARO_EXACT

from gomoku_brain.eval.weights import pack_hand_weights

cdef enum:
    ROLES = 4           # attack, defend, mover, waiter
    PACKED = 2 * (KINDS * ROLES + TEMPO_SIZE)   # 16-bit numbers in a set of weights

cdef ClassicalWeights *LOADED[CARO_EXACT + 1]      # by rule code; NULL until loaded
cdef int16_t[CODES] KIND_OF_CODE


cdef inline int kind_of(int a, int b, int c, int d) noexcept nogil:
    """Number of the unordered four classes: their rank in the combinatorial system."""
    if a < b:
        a, b = b, a
    if c < d:
        c, d = d, c
    if a < c:
        a, c = c, a
    if b < d:
        b, d = d, b
    if b < c:
        b, c = c, b
    return (
        (a + 3) * (a + 2) * (a + 1) * a / 24 + (b + 2) * (b + 1) * b / 6
        + (c + 1) * c / 2 + d
    )


cdef void number_kinds() noexcept:
    cdef int[PAIRS][2] members
    cdef int a, b, code
    cdef const RuleTables *tables = rule_tables(0)      # pairs are the same everywhere
    for a in range(CLASSES):
        for b in range(CLASSES):
            members[tables.pair[a | b << 4]][0] = a
            members[tables.pair[a | b << 4]][1] = b
    for code in range(CODES):
        KIND_OF_CODE[code] = kind_of(
            members[code / PAIRS][0], members[code / PAIRS][1],
            members[code % PAIRS][0], members[code % PAIRS][1],
        )


number_kinds()


cdef const int16_t *kinds_by_code() noexcept nogil:
    """The kind of a cell, 0..KINDS - 1, by the code of its four classes."""
    return KIND_OF_CODE


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
    cdef int side, code
    if len(packed) != 2 * PACKED:
        raise ValueError(f"weights: {len(packed)} bytes instead of {2 * PACKED}")
    for side in range(2):
        side_weights = <const int16_t *> <const char *> packed + side * (PACKED // 2)
        for code in range(CODES):
            row = &side_weights[KIND_OF_CODE[code] * ROLES]
            value = &self.values[side * CODES + code]
            value.rank = tables.rank[side][code]
            value.total = pack_total(row[2], row[3])
            if side == BLACK:
                value.score = pack_score(row[0], row[1])
            else:
                value.score = pack_score(row[1], row[0])
        memcpy(self.tempo[side], side_weights + KINDS * ROLES, 2 * TEMPO_SIZE)
    return 0


def kind_ranks(int rule, int side):
    """The rank (without its four bit) of every kind of cell for a side."""
    cdef int code
    ranks = bytearray(KINDS)
    for code in range(CODES):
        ranks[KIND_OF_CODE[code]] = rule_tables(rule).rank[side][code] & RANK_MASK
    return bytes(ranks)


def load_classical(int rule, bytes packed):
    """Make the linear weights of a rule ready; None = the hand-set ones.

    ``network.load_weights`` reads them. Raises ValueError for another size.
    """
    if LOADED[rule] != NULL:
        return
    if packed is None:
        packed = pack_hand_weights([kind_ranks(rule, side) for side in range(2)])
    cdef ClassicalWeights *weights = <ClassicalWeights *> malloc(sizeof(ClassicalWeights))
    if weights == NULL:
        raise MemoryError("no memory for the evaluation weights")
    try:
        fill_weights(weights, rule, packed)
    except ValueError:
        free(weights)
        raise
    LOADED[rule] = weights
