"""Evaluation of three of the source reports: shapes of stones, counted line by line.

Shapes. Four lines of nine cells run through every stone; a cell off the board counts as
a stone of the opponent. The shape of a stone on a line is the best one of all windows
around it:

    five cells without the opponent's:  5 own are a five, 4 a four, 3 a blocked three,
                                        2 a blocked two
    six cells, both ends empty, none of the opponent's between:
                                        4 own are an open four, 3 an open three,
                                        2 an open two

To count the shapes of a side, a line is read from its left end (a column from its top).
The own stones of a counted window are not counted again; of equal windows the leftmost
counts.

``ShapeCounts`` offers this evaluation through the interface of ``eval.evaluator``, so
that our search can use it in place of its own.
"""

cimport cython
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from gomoku_brain.eval.evaluator cimport Evaluation, Evaluator, take_evaluator
from gomoku_brain.game.bits cimport pop_lsb64
from gomoku_brain.game.board cimport BoardState
from gomoku_brain.game.geometry cimport LINES, MARGIN, cell_of
from gomoku_brain.game.memory cimport return_memory, take_memory
from gomoku_brain.game.patterns cimport (
    KINDS, RANK_MASK, KindValue, pack_score, rule_tables, set_rank
)
from gomoku_brain.game.rules cimport BLACK, EMPTY, FREESTYLE, WHITE

cdef enum:
    OWN_RANK = 16      # by number of a rank: move score for the side that would make the shape
    OTHER_RANK = 12         # the same for the side that would prevent it

# Value of a shape, by shape. The rule score counts each shape once, for the side to
# move and for the other side, which is one move behind. The stone score adds the value
# for every stone.
cdef int[8] MOVER = [0, 6, 40, 60, 0, 0, 0, 0]
cdef int[8] WAITER = [0, 4, 25, 40, 100, 300, 0, 0]


cdef int stones_in(int mask) noexcept nogil:
    cdef int count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


cdef void fill_shapes() noexcept nogil:
    """Fill the table of every window of nine cells with an own stone in its middle, for
    both sides.
    """
    cdef int side, key, k, place, code, own, empty, shape, mask, window, count, found
    for side in range(2):
        for key in range(1 << 16):
            own = 1 << 4
            empty = 0
            for k in range(8):
                code = key >> 2 * k & 3
                place = k if k < 4 else k + 1
                own |= (code == side) << place
                empty |= (code == EMPTY) << place
            shape = NO_SHAPE
            mask = 0
            for k in range(5):
                window = 0b11111 << k
                if (own | empty) & window == window:
                    count = stones_in(own & window)
                    found = (
                        FIVE_SHAPE if count == 5 else FOUR_SHAPE if count == 4
                        else BLOCKED_THREE if count == 3
                        else BLOCKED_TWO if count == 2 else NO_SHAPE
                    )
                    if found > shape:
                        shape = found
                        mask = own & window
            for k in range(4):
                window = 0b011110 << k
                if (
                    (own | empty) & window == window
                    and empty & (0b100001 << k) == 0b100001 << k
                ):
                    count = stones_in(own & window)
                    found = (
                        OPEN_FOUR if count == 4 else OPEN_THREE if count == 3
                        else OPEN_TWO if count == 2 else NO_SHAPE
                    )
                    if found > shape:
                        shape = found
                        mask = own & window
            SHAPES[side][key] = <uint16_t> (shape | mask << 4)


fill_shapes()


cdef void count_line(uint64_t line, uint64_t *counts) noexcept nogil:
    """Count the shapes of both sides on a line, as packed counts."""
    cdef uint64_t stones = ~line & <uint64_t> 0xAAAAAAAAAAAAAAAA
    cdef uint32_t counted = 0
    cdef int place, side, entry
    counts[0] = counts[1] = 0
    while stones:
        place = pop_lsb64(&stones) >> 1
        if counted >> place & 1:
            continue
        side = <int> (line >> 2 * place & 1)
        entry = entry_at(line, place, side)
        if entry & 15:
            counts[side] += <uint64_t> 1 << SHAPE_BITS * ((entry & 15) - 1)
            counted |= <uint32_t> (entry >> 4) << (place - 4)


cdef int rule_score(uint64_t mine, uint64_t theirs, int centre) noexcept nogil:
    """Return which side leads by the shapes of both, as rules; else the sum of their
    values.

    five > open four > two fours > four and open three > ..; a threat of the side to
    move comes one move earlier than the same threat of the other side, and its smaller
    shapes count more as well. ``mine`` and ``theirs`` are packed counts. ``centre`` is
    the lead of the side to move in the stones' distances from the edge.
    """
    cdef int score, shape
    if count_in(mine, FIVE_SHAPE):
        return 100_000
    if count_in(theirs, FIVE_SHAPE):
        return -100_000
    score = centre
    for shape in range(1, 8):
        score += (
            MOVER[shape] * count_in(mine, shape) - WAITER[shape] * count_in(theirs, shape)
        )
    if count_in(mine, OPEN_FOUR) or count_in(mine, FOUR_SHAPE):
        return 90_000 + score
    if count_in(theirs, OPEN_FOUR):
        return score - 80_000
    if count_in(theirs, FOUR_SHAPE) >= 2:
        return score - 70_000
    if count_in(theirs, FOUR_SHAPE) and count_in(theirs, OPEN_THREE):
        return score - 60_000
    if count_in(mine, OPEN_THREE) and not count_in(theirs, FOUR_SHAPE):
        return 50_000 + score
    if count_in(theirs, OPEN_THREE) >= 2 and not (
        count_in(mine, OPEN_THREE) or count_in(mine, BLOCKED_THREE)
    ):
        return score - 40_000
    return score + 200 * min(1, count_in(mine, OPEN_THREE))


cdef struct ShapeEvaluator:
    Evaluator evaluator
    uint64_t[4 * LINES] lines       # state of each line at its last count
    uint64_t[4 * LINES][2] counts   # line, side -> its shapes, SHAPE_BITS each, packed
    uint64_t[2] totals              # their sums


cdef void reset(Evaluator *evaluator, const BoardState *board) noexcept nogil:
    """Reset all counts; a line without a stone has no shapes."""
    cdef ShapeEvaluator *self = <ShapeEvaluator *> evaluator
    memset(self.lines, 0xFF, sizeof(self.lines))        # EMPTY everywhere
    memset(self.counts, 0, sizeof(self.counts))
    memset(self.totals, 0, sizeof(self.totals))


cdef int centre_lead(const BoardState *board) noexcept nogil:
    """Return by how much the stones of the side to move stand nearer to the centre."""
    cdef int x, y, stone, lead = 0
    for y in range(board.height):
        for x in range(board.width):
            stone = <int> (board.lines[y + MARGIN] >> 2 * (x + MARGIN) & 3)
            if stone == BLACK or stone == WHITE:
                lead += centre_bonus(board.width, board.height, cell_of(x, y)) * (
                    1 if stone == board.side else -1
                )
    return lead


cdef int value(Evaluator *evaluator, const BoardState *board) noexcept nogil:
    """Return the rule score, in its own units; changed lines are counted again."""
    cdef ShapeEvaluator *self = <ShapeEvaluator *> evaluator
    cdef int k, side
    for k in range(4 * LINES):
        if board.lines[k] != self.lines[k]:
            self.lines[k] = board.lines[k]
            for side in range(2):
                self.totals[side] -= self.counts[k][side]
            count_line(self.lines[k], self.counts[k])
            for side in range(2):
                self.totals[side] += self.counts[k][side]
    return rule_score(
        self.totals[board.side], self.totals[board.side ^ 1], centre_lead(board)
    )


@cython.final
cdef class ShapeCounts(Evaluation):
    """Rule score of shape counts, as an evaluation for ``Engine.set_evaluation``.

    Freestyle only: five or more win. Moves are ordered by the rank of their cell.
    """

    cdef KindValue *values

    def __cinit__(self):
        cdef int side, kind, rank
        cdef KindValue *each
        if rule_tables(FREESTYLE) == NULL:
            raise MemoryError("no memory for the tables of a rule")
        self.values = <KindValue *> take_memory(2 * KINDS * sizeof(KindValue))
        if self.values == NULL:
            raise MemoryError("no memory for the values of cells")
        for side in range(2):
            for kind in range(KINDS):
                each = &self.values[side * KINDS + kind]
                set_rank(each, rule_tables(FREESTYLE).rank[side][kind])
                rank = each.rank & RANK_MASK
                if side == BLACK:
                    each.score = pack_score(OWN_RANK * rank, OTHER_RANK * rank)
                else:
                    each.score = pack_score(OTHER_RANK * rank, OWN_RANK * rank)
        self.rule = FREESTYLE
        self.kind_values = self.values

    def __dealloc__(self):
        return_memory(self.values, 2 * KINDS * sizeof(KindValue))

    cdef Evaluator *new_evaluator(self) except NULL:
        return take_evaluator(self.kind_values, sizeof(ShapeEvaluator), value, reset)
