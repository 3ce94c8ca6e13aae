"""Classical evaluation: cell values by line classes plus a tempo term.

score = sum over empty cells of (what the cell is worth to the side to move, as mover)
      - sum over empty cells of (what it is worth to the opponent, as waiter)
      + tempo[which kinds of threat each side has].

The form is common in classical engines; ours has separate cell values for the side to
move and the other side. The weights are data (data/classical.txt): values per line class
and per rank from which the tables of all 11,025 codes are filled.
"""

from libc.stdint cimport int16_t, int32_t
from libc.stdlib cimport malloc

from gomoku_brain.eval.score cimport EVAL_LIMIT
from gomoku_brain.game.board cimport BoardState, count_of
from gomoku_brain.game.patterns cimport (
    CLASSES, CODES, FIVE, FOUR, FOUR_OPEN, FOUR_PLUS, FOUR_THREE, PAIRS, RANKS,
    RANK_MASK, THREE, THREE_PLUS, THREE_TWO, CellValue, RuleTables, mover_total,
    pack_score, pack_total, rule_tables, waiter_total
)
from gomoku_brain.game.rules cimport BLACK, CARO_EXACT

from gomoku_brain.eval.weights import read_classical

cdef enum:
    ROLES = 4           # attack, defend, mover, waiter

cdef ClassicalWeights *LOADED[CARO_EXACT + 1]      # by rule code; NULL until loaded


cdef inline int tempo_index(const BoardState *board) noexcept nogil:
    """Eleven bits, lowest first: the opponent has a five cell; open fours of the mover
    and of the opponent; then, for the mover, four-three or better four, simple four,
    double or better three, three; and the same four for the opponent.
    """
    cdef int me = board.side, other = board.side ^ 1
    return (
        (count_of(board, other, FIVE) != 0)
        | (count_of(board, me, FOUR_OPEN) != 0) << 1
        | (count_of(board, other, FOUR_OPEN) != 0) << 2
        | (count_of(board, me, FOUR_THREE) + count_of(board, me, FOUR_PLUS) != 0) << 3
        | (count_of(board, me, FOUR) != 0) << 4
        | (count_of(board, me, THREE_TWO) + count_of(board, me, THREE_PLUS) != 0) << 5
        | (count_of(board, me, THREE) != 0) << 6
        | (count_of(board, other, FOUR_THREE) + count_of(board, other, FOUR_PLUS) != 0) << 7
        | (count_of(board, other, FOUR) != 0) << 8
        | (count_of(board, other, THREE_TWO) + count_of(board, other, THREE_PLUS) != 0) << 9
        | (count_of(board, other, THREE) != 0) << 10
    )


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
        + weights.tempo[tempo_index(board)]
    )
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, score))


cdef const ClassicalWeights *classical_weights(int rule) noexcept nogil:
    """The weights of a rule; NULL unless ``load_classical`` was called for it."""
    return LOADED[rule]


cdef void fill_values(
    ClassicalWeights *weights, const RuleTables *tables, int side,
    int32_t[CLASSES][ROLES] by_class, int32_t[RANKS][ROLES] by_rank
) noexcept nogil:
    """Cell values: those of the four classes and of the rank, added up."""
    cdef int[PAIRS][2] members
    cdef int a, b, code, role, rank
    cdef int32_t[ROLES] total
    cdef CellValue *value
    for a in range(CLASSES):
        for b in range(CLASSES):
            members[tables.pair[a | b << 4]][0] = a
            members[tables.pair[a | b << 4]][1] = b
    for code in range(CODES):
        rank = tables.rank[side][code] & RANK_MASK
        for role in range(ROLES):
            total[role] = (
                by_rank[rank][role]
                + by_class[members[code / PAIRS][0]][role]
                + by_class[members[code / PAIRS][1]][role]
                + by_class[members[code % PAIRS][0]][role]
                + by_class[members[code % PAIRS][1]][role]
            )
        value = &weights.values[side * CODES + code]
        value.rank = tables.rank[side][code]
        value.total = pack_total(total[2], total[3])
        if side == BLACK:
            value.score = pack_score(total[0], total[1])
        else:
            value.score = pack_score(total[1], total[0])


def load_classical(int rule):
    """Make the weights of a rule ready; raises ValueError for a damaged file."""
    if LOADED[rule] != NULL:
        return
    classes, ranks, tempo = read_classical()
    cdef int32_t[CLASSES][ROLES] by_class
    cdef int32_t[RANKS][ROLES] by_rank
    cdef int k, role, index, bit
    for k in range(CLASSES):
        for role in range(ROLES):
            by_class[k][role] = classes[k][role]
    for k in range(RANKS):
        for role in range(ROLES):
            by_rank[k][role] = ranks[k][role]
    cdef ClassicalWeights *weights = <ClassicalWeights *> malloc(sizeof(ClassicalWeights))
    if weights == NULL:
        raise MemoryError("no memory for the evaluation weights")
    for k in range(2):
        fill_values(weights, rule_tables(rule), k, by_class, by_rank)
    for index in range(TEMPO_SIZE):
        k = 0
        for bit in range(TEMPO_BITS):
            if index >> bit & 1:
                k += <int> tempo[bit]
        weights.tempo[index] = <int16_t> k
    LOADED[rule] = weights
