# Line classes and cell ranks: the pattern of a stone on an empty cell, on one line, and
# on its four lines together. One set of tables for each rule, generated from the
# RuleSpec.

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t

cdef enum:              # line classes, by the stone in the centre of the window
    DEAD = 0            # can never become five
    B1                  # one that can become a blocked two
    F1                  # one that can become an open two
    B2                  # two that can become a blocked three
    F2                  # open two with one or two ways to an open three
    F2A                 # open two, three ways
    F2B                 # open two, four ways or more (solid)
    B3                  # three that can become a four
    F3                  # open three, one way to an open four
    F3S                 # open three, two ways or more (solid)
    B4                  # four: one stone can stop all the fives that it threatens
    F4                  # open four: no single stone can stop its fives
    F5                  # five: wins
    OL                  # overline that does not win; renju's black: any foul on one line
    CLASSES

cdef enum:
    PAIRS = 105         # unordered pairs of the 14 classes
    KINDS = 2380        # unordered fours of the 14 classes: the kinds of cells

# The numbers of cells with a rank are counted in lanes of 64-bit words: six ranks a
# word, and all that make a four or better in the second one.
cdef enum:
    COUNT_WORDS = 2
    LANES = 6
    LANE_BITS = 10      # enough for every cell of the largest board
    LANE_MASK = 1023

# Ranks of an empty cell for one side, weakest first. The low four bits number them; bit
# 4 marks the cells that make a four or better.
cdef enum:
    RANK_MASK = 15
    MAKES_FOUR = 16
    NONE = 0
    FOUL = 1            # renju's black: overline or double-four
    TWO = 2
    BLOCKED_THREE = 3
    TWO_TWO = 4
    BLOCKED_THREE_PLUS = 5
    THREE = 6
    THREE_PLUS = 7
    THREE_TWO = 8       # two open threes
    MAYBE_THREE_TWO = 9             # renju's black: double-three unless a three is void
    MAYBE_FOUR_THREE_TWO = 10 | MAKES_FOUR  # the same with one four
    FOUR = 11 | MAKES_FOUR
    FOUR_PLUS = 12 | MAKES_FOUR
    FOUR_THREE = 13 | MAKES_FOUR
    FOUR_OPEN = 14 | MAKES_FOUR     # open four, or two fours
    FIVE = 15 | MAKES_FOUR


# Values of a kind of cell for one side. The board adds these numbers up and does not
# interpret them; each packs several, so one addition serves them all. 32 bytes, of
# which board.pyx adds the first three words (with AVX2 all four, as one vector).
cdef struct KindValue:
    # one in the lane of the kind's rank (see lane_of), to count the cells of the rank
    int64_t[COUNT_WORDS] counts
    # pack_total(mover, waiter): parts of the side's two totals, when it is to move and
    # when it is not
    int64_t total
    uint32_t score      # pack_score(black, white): move scores for either side
    uint8_t rank        # from RuleTables.rank, to have it in the same cache line


cdef inline int lane_of(int rank) noexcept nogil:
    """Return the lane in which a rank is counted, -1 for a rank without one: TWO and
    the like.
    """
    if rank & MAKES_FOUR:
        return (rank & RANK_MASK) - (MAYBE_FOUR_THREE_TWO & RANK_MASK) + LANES
    if rank >= THREE:
        return rank - THREE
    return LANES - 1 if rank == FOUL else -1


cdef inline int64_t pack_total(int mover, int waiter) noexcept nogil:
    return mover + <int64_t> waiter * (<int64_t> 1 << 32)


cdef inline int mover_total(int64_t total) noexcept nogil:
    return <int> <int32_t> total


cdef inline int waiter_total(int64_t total) noexcept nogil:
    return <int> ((total + (<int64_t> 1 << 31)) >> 32)


cdef inline uint32_t pack_score(int black, int white) noexcept nogil:
    """Pack two scores of 16 bits; their sums must stay within 16 bits as well."""
    return <uint32_t> black + (<uint32_t> white << 16)


cdef inline int unpack_score(uint32_t score, int side) noexcept nogil:
    if side:
        return <int> <int16_t> ((score + 0x8000) >> 16)
    return <int> <int16_t> (score & 0xFFFF)


cdef struct RuleTables:
    int rule
    int reach                   # h: the window is h cells each way
    bint fouls                  # black has fouls (renju)
    bint free_end               # caro: a five can be stopped at its ends
    const uint8_t *classes      # window key -> black's class | white's class << 4
    uint8_t[256] pair           # class | class << 4 -> 0..104
    uint16_t[256] pair_high     # the same times PAIRS
    uint16_t[PAIRS * PAIRS] kind        # pair + pair_high -> 0..KINDS - 1, in any order
    uint8_t[2][KINDS] rank      # side, kind -> rank
    KindValue[2 * KINDS] plain  # [side * KINDS + kind]: ranks only, with all values 0


cdef inline int kind_of(const RuleTables *tables, int one, int two) noexcept nogil:
    """Return the kind of four classes, given as two bytes of class | class << 4."""
    return tables.kind[tables.pair[one] + tables.pair_high[two]]


cdef void set_rank(KindValue *value, int rank) noexcept nogil
cdef const RuleTables *rule_tables(int rule) noexcept nogil
