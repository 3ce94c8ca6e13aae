"""Incremental board: updates of everything that one stone changes.

Each of the four directions keeps its lines as 64-bit words of two bits a cell. A stone
changes one line for each direction, and on it only the windows within reach. Their new
classes come from one table look-up each, and a cell with the same classes as before is
skipped. ``place`` saves every cell that it changes, so ``unplace`` only copies back.
"""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from gomoku_brain.game.bits cimport pop_lsb32, prefetch, rotr64
from gomoku_brain.game.geometry cimport (
    CELLS, LINES, MARGIN, NO_CELL, STRIDE, cell_of, column_bit, direction_step,
    line_index, line_place, padded_x, padded_y
)
from gomoku_brain.game.patterns cimport (
    COUNT_WORDS, KINDS, MAKES_FOUR, KindValue, RuleTables, kind_of
)
from gomoku_brain.game.rules cimport BLACK, EMPTY, WALL, WHITE
from gomoku_brain.game.zobrist cimport ZOBRIST

# Candidates of a stone: the 7x7 square around it and the cells at distance 4 on its
# eight rays, as bits of nine rows whose bit 4 is the stone's column.
cdef uint32_t[9] NEAR = [
    0b100010001, 0b011111110, 0b011111110, 0b011111110, 0b111111111,
    0b011111110, 0b011111110, 0b011111110, 0b100010001,
]

# Every second bit: one bit a cell of a line word.
cdef uint64_t ALL_WALLS = <uint64_t> 0xAAAAAAAAAAAAAAAA     # WALL = 0b10 everywhere


cdef inline uint32_t window_key(uint64_t word, int reach) noexcept nogil:
    """Return the 2 * reach cells around the centre of the window, in the word's low
    bits.
    """
    return <uint32_t> (
        (word & ((<uint64_t> 1 << 2 * reach) - 1))
        | (word >> 2 & (((<uint64_t> 1 << 2 * reach) - 1) << 2 * reach))
    )


cdef enum:
    MAX_CHANGED = 40       # 4 lines, 5 cells each way
    # a changed cell in 32 bits: the cell, the place of its class in Cell.classes, the
    # changed bits
    CELL_MASK = CELLS - 1
    SHIFT_AT = 10
    CHANGE_AT = 16


# Change of a side's sums by a stone. With AVX2 the four words of a KindValue are added
# as one vector (the fourth has its score and rank, whose sum is not used). Left to the
# compiler, make and undo take 1.15 times as long; without AVX2 the same vector costs
# 1.1.
cdef extern from * nogil:
    """
    #include <stdint.h>
    #if defined(__GNUC__) && defined(__AVX2__)
    typedef int64_t gb_sums __attribute__((vector_size(32), aligned(8), may_alias));
    static inline void gb_change_sums(gb_sums *sums, const void *old, const void *value) {
        *sums += *(const gb_sums *)value - *(const gb_sums *)old;
    }
    #define gb_sum(sums, word) ((sums)[word])
    #else
    typedef struct { int64_t words[3]; } gb_sums;
    static inline void gb_change_sums(gb_sums *sums, const void *old, const void *value) {
        int k;
        for (k = 0; k < 3; k++)
            sums->words[k] += ((const int64_t *)value)[k] - ((const int64_t *)old)[k];
    }
    #define gb_sum(sums, word) ((sums).words[word])
    #endif
    """
    ctypedef struct Sums "gb_sums":
        pass
    void change_sums "gb_change_sums"(
        Sums *sums, const KindValue *old, const KindValue *value
    )
    int64_t sum_of "gb_sum"(Sums sums, int word)


cdef inline void add_sums(Ply *ply, int side, Sums *sums) noexcept nogil:
    ply.counts[side][0] += sum_of(sums[0], 0)
    ply.counts[side][1] += sum_of(sums[0], 1)
    ply.totals[side] += sum_of(sums[0], 2)


cdef inline int kind_for(
    const RuleTables *tables, uint32_t classes, int side
) noexcept nogil:
    """Return the kind of a cell for one side, by ``Cell.classes``."""
    cdef uint32_t nibbles = classes >> 4 * side & 0x0F0F0F0F
    nibbles |= nibbles >> 4
    return kind_of(tables, nibbles & 255, nibbles >> 16 & 255)


cdef inline void toggle_fours(
    BoardState *board, int cell, const uint8_t *ranks, const uint8_t *was
) noexcept nogil:
    """Update the sets of cells that make a four after the ranks of both sides
    changed.
    """
    cdef int black = (ranks[BLACK] ^ was[BLACK]) & MAKES_FOUR
    cdef int white = (ranks[WHITE] ^ was[WHITE]) & MAKES_FOUR
    cdef uint32_t bit
    if black | white:       # rare
        bit = column_bit(cell)
        if black:
            board.fours[BLACK][padded_y(cell)] ^= bit
        if white:
            board.fours[WHITE][padded_y(cell)] ^= bit


cdef inline void withdraw(BoardState *board, Ply *ply, int cell) noexcept nogil:
    """Remove a cell that is being occupied from counts, totals and bit sets."""
    cdef const Cell *here = &board.cells[cell]
    cdef const KindValue *value
    cdef uint32_t bit = column_bit(cell)
    cdef int side, k
    for side in range(2):
        value = &board.values[side][here.kind[side]]
        ply.totals[side] -= value.total
        for k in range(COUNT_WORDS):
            ply.counts[side][k] -= value.counts[k]
        board.fours[side][padded_y(cell)] &= ~bit
    board.empty[padded_y(cell)] &= ~bit


cdef inline void toggle_lines(BoardState *board, int cell, int stone) noexcept nogil:
    """Put a stone on an empty cell of the line words, or take it off again."""
    cdef uint64_t change = EMPTY ^ stone
    cdef int d
    for d in range(4):
        board.lines[d * LINES + line_index(cell, d)] ^= change << 2 * line_place(cell, d)


cdef inline int collect(
    const BoardState *board, int cell, int d, int reach, uint32_t *changed, int count
) noexcept nogil:
    """Collect the empty cells of one line whose classes change; return their number so
    far.

    ``reach`` is a literal in every call, so that the loop unrolls.
    """
    cdef const uint8_t *classes = board.tables.classes
    cdef int k, step = direction_step(d)
    cdef uint32_t change, at = cell - reach * step | d << SHIFT_AT + 3
    cdef uint64_t empty, word = rotr64(
        board.lines[d * LINES + line_index(cell, d)],
        2 * (line_place(cell, d) - 2 * reach),
    )
    empty = word & word >> 1        # EMPTY = 0b11: the low bit of a cell suffices
    for k in range(2 * reach + 1):
        if k != reach:
            change = (
                board.cells[at & CELL_MASK].classes >> 8 * d & 255
                ^ classes[window_key(word >> 2 * k, reach)]
            )
            changed[count] = at | change << CHANGE_AT
            count += (change != 0) & (empty >> 2 * (k + reach))
        at += step
    return count


cdef inline void update_lines(BoardState *board, Ply *ply, int cell) noexcept nogil:
    """Reclassify the empty cells within reach.

    There are three passes. Whether a window changes is hard to predict, so the first
    only collects the changed cells, without a branch on it. The second finds their
    kinds, so that the look-ups of many overlap. The third changes the sums. The tables
    and the new ranks are locals, since a store to a byte of a cell could alias their
    sources.
    """
    cdef Cell *near
    cdef uint32_t top = ply.undo_top
    cdef int d, k, count = 0
    cdef const RuleTables *tables = board.tables
    cdef const KindValue *black = board.values[BLACK]
    cdef const KindValue *white = board.values[WHITE]
    cdef const KindValue *black_value
    cdef const KindValue *white_value
    cdef Sums black_sums, white_sums
    cdef uint8_t[2] ranks
    cdef uint32_t[MAX_CHANGED] changed
    cdef uint16_t[MAX_CHANGED] black_kinds, white_kinds
    if tables.reach == 4:
        for d in range(4):
            count = collect(board, cell, d, 4, changed, count)
    else:
        for d in range(4):
            count = collect(board, cell, d, 5, changed, count)
    memset(&black_sums, 0, sizeof(Sums))
    memset(&white_sums, 0, sizeof(Sums))
    for k in range(count):
        near = &board.cells[changed[k] & CELL_MASK]
        board.undo[top] = near[0]
        top += 1
        near.classes ^= changed[k] >> CHANGE_AT << (changed[k] >> SHIFT_AT & 31)
        black_kinds[k] = kind_for(tables, near.classes, BLACK)
        white_kinds[k] = kind_for(tables, near.classes, WHITE)
        prefetch(&black[black_kinds[k]])
        prefetch(&white[white_kinds[k]])
    for k in range(count):
        near = &board.cells[changed[k] & CELL_MASK]
        black_value = &black[black_kinds[k]]
        white_value = &white[white_kinds[k]]
        change_sums(&black_sums, &black[near.kind[BLACK]], black_value)
        change_sums(&white_sums, &white[near.kind[WHITE]], white_value)
        ranks[BLACK] = black_value.rank
        ranks[WHITE] = white_value.rank
        toggle_fours(board, near.at, ranks, near.rank)
        near.kind[BLACK] = black_kinds[k]
        near.kind[WHITE] = white_kinds[k]
        near.score = black_value.score + white_value.score
        near.rank[BLACK] = ranks[BLACK]
        near.rank[WHITE] = ranks[WHITE]
    ply.undo_top = top
    add_sums(ply, BLACK, &black_sums)
    add_sums(ply, WHITE, &white_sums)


cdef void place(BoardState *board, int cell, int stone) noexcept nogil:
    """Put BLACK, WHITE or WALL on an empty cell; the side to move stays the same.

    The cell must be empty. ``unplace`` undoes every effect.
    """
    cdef Ply *ply = &board.plies[board.ply + 1]
    cdef int column = padded_x(cell) - 4, row = padded_y(cell) - 4, k
    memcpy(ply, &board.plies[board.ply], sizeof(Ply))
    board.ply += 1
    board.empties -= 1
    ply.move = <int16_t> cell
    ply.stone = <int16_t> stone
    ply.key ^= ZOBRIST[stone][cell]
    withdraw(board, ply, cell)
    if stone != WALL:
        for k in range(9):
            ply.candidates[row + k] |= NEAR[k] << column
    toggle_lines(board, cell, stone)
    update_lines(board, ply, cell)


cdef void unplace(BoardState *board) noexcept nogil:
    """Undo the last ``place``."""
    cdef const Ply *ply = &board.plies[board.ply]
    cdef int cell = ply.move, side
    cdef uint32_t top = ply.undo_top, bottom, bit
    cdef const Cell *saved
    cdef Cell *near
    board.ply -= 1
    board.empties += 1
    bottom = board.plies[board.ply].undo_top
    while top > bottom:
        top -= 1
        saved = &board.undo[top]
        near = &board.cells[saved.at]
        toggle_fours(board, saved.at, saved.rank, near.rank)
        near[0] = saved[0]
    toggle_lines(board, cell, ply.stone)
    bit = column_bit(cell)
    board.empty[padded_y(cell)] |= bit
    near = &board.cells[cell]
    for side in range(2):
        if near.rank[side] & MAKES_FOUR:
            board.fours[side][padded_y(cell)] |= bit


cdef void refresh(BoardState *board) noexcept nogil:
    """Compute every incremental value from the lines alone, and clear the undo list.

    The current position becomes the root: nothing before it can be undone.
    """
    cdef int x, y, d, cell, side, k, reach = board.tables.reach
    cdef uint32_t key
    cdef uint64_t word
    cdef const KindValue *value
    cdef Cell *here
    cdef Ply *ply = &board.plies[0]
    cdef int move = board.plies[board.ply].move, stone = board.plies[board.ply].stone
    memset(ply, 0, sizeof(Ply))
    board.ply = 0
    board.empties = 0
    ply.move = <int16_t> move
    ply.stone = <int16_t> stone
    memset(board.empty, 0, sizeof(board.empty))
    memset(board.fours, 0, sizeof(board.fours))
    memset(board.cells, 0, sizeof(board.cells))
    for y in range(board.height):
        for x in range(board.width):
            cell = cell_of(x, y)
            here = &board.cells[cell]
            here.at = cell
            for d in range(4):
                word = rotr64(
                    board.lines[d * LINES + line_index(cell, d)],
                    2 * (line_place(cell, d) - reach),
                )
                key = window_key(word, reach)
                here.classes |= <uint32_t> board.tables.classes[key] << 8 * d
            for side in range(2):
                here.kind[side] = kind_for(board.tables, here.classes, side)
                value = &board.values[side][here.kind[side]]
                here.rank[side] = value.rank
                here.score += value.score
            if stone_at(board, cell) != EMPTY:
                ply.key ^= ZOBRIST[stone_at(board, cell)][cell]
                if stone_at(board, cell) != WALL:
                    for d in range(9):
                        ply.candidates[padded_y(cell) - 4 + d] |= (
                            NEAR[d] << (padded_x(cell) - 4)
                        )
                continue
            board.empties += 1
            board.empty[padded_y(cell)] |= column_bit(cell)
            for side in range(2):
                value = &board.values[side][here.kind[side]]
                ply.totals[side] += value.total
                for k in range(COUNT_WORDS):
                    ply.counts[side][k] += value.counts[k]
                if here.rank[side] & MAKES_FOUR:
                    board.fours[side][padded_y(cell)] |= column_bit(cell)


cdef void set_tables(
    BoardState *board, const RuleTables *tables, const KindValue *values
) noexcept nogil:
    """Point a board at its tables; ``values`` has 2 * KINDS entries, black's first."""
    board.tables = tables
    board.values[BLACK] = values
    board.values[WHITE] = values + KINDS


cdef void clear_board(
    BoardState *board, int width, int height,
    const RuleTables *tables, const KindValue *values
) noexcept nogil:
    """Set up an empty board, black to move. Sizes are MIN_SIZE..MAX_SIZE."""
    cdef int x, y, d, cell
    board.width = width
    board.height = height
    board.side = BLACK
    set_tables(board, tables, values)
    board.ply = 0
    board.plies[0].move = NO_CELL
    board.plies[0].stone = EMPTY
    for d in range(4 * LINES):
        board.lines[d] = ALL_WALLS
    for y in range(height):
        for x in range(width):
            cell = cell_of(x, y)
            for d in range(4):
                board.lines[d * LINES + line_index(cell, d)] ^= (
                    <uint64_t> (WALL ^ EMPTY) << 2 * line_place(cell, d)
                )
    refresh(board)


cdef void copy_board(
    BoardState *board, const BoardState *source, const KindValue *values
) noexcept nogil:
    """Make ``board`` a copy of ``source`` that weights cells by ``values``.

    The copied position is the root of ``board``; only ``last_move`` reads earlier
    moves.
    """
    board.width = source.width
    board.height = source.height
    board.side = source.side
    set_tables(board, source.tables, values)
    memcpy(board.lines, source.lines, sizeof(board.lines))
    board.ply = 0
    board.plies[0].move = source.plies[source.ply].move
    board.plies[0].stone = source.plies[source.ply].stone
    refresh(board)


cdef int class_with(
    const BoardState *board, int cell, int direction, int side, int offset, int stone
) noexcept nogil:
    """Return the class of ``cell`` on a line if a stone stood ``offset`` places along
    it.

    ``offset`` is not 0 and at most the rule's reach either way; the place is empty.
    """
    cdef int reach = board.tables.reach
    cdef uint64_t word = rotr64(
        board.lines[direction * LINES + line_index(cell, direction)],
        2 * (line_place(cell, direction) - reach),
    )
    word ^= <uint64_t> (EMPTY ^ stone) << 2 * (reach + offset)
    return board.tables.classes[window_key(word, reach)] >> 4 * side & 15


cdef int cells_of_rank(
    const BoardState *board, int side, int rank, int *cells, int maximum
) noexcept nogil:
    """Find the cells of one four-making rank, in board order; return their number.

    At most ``maximum`` cells are stored and counted.
    """
    cdef int row, cell, found = 0
    cdef uint32_t bits
    for row in range(MARGIN, MARGIN + board.height):
        bits = board.fours[side][row]
        while bits:
            cell = row * STRIDE + pop_lsb32(&bits)
            if board.cells[cell].rank[side] == rank:
                cells[found] = cell
                found += 1
                if found == maximum:
                    return found
    return found
