"""Incremental board: what one stone changes, and nothing else.

Each of the four directions keeps its lines as 64-bit words of two bits a cell. A stone
changes one line per direction, and on it only the windows within reach; their new
classes come from one table look-up each, and a cell whose classes stayed the same is
left alone. ``place`` saves every cell it changes, so ``unplace`` only copies back.
"""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from gomoku_brain.game.bits cimport ctz32, prefetch, rotr64
from gomoku_brain.game.geometry cimport (
    LINES, MARGIN, NO_CELL, STRIDE, cell_of, direction_step, line_index, line_place
)
from gomoku_brain.game.patterns cimport (
    COUNT_WORDS, KINDS, MAKES_FOUR, CellValue, RuleTables, kind_of
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
    """The 2 * reach cells around the centre of the window in the word's low bits."""
    return <uint32_t> (
        (word & ((<uint64_t> 1 << 2 * reach) - 1))
        | (word >> 2 & (((<uint64_t> 1 << 2 * reach) - 1) << 2 * reach))
    )


cdef enum:
    MOST_CHANGED = 40       # 4 lines, 5 cells each way


cdef struct Sums:           # what a stone changes of a side's sums
    int64_t total
    int64_t low             # the two words of counts
    int64_t high


cdef inline void add_sums(Ply *ply, int side, const Sums *sums) noexcept nogil:
    ply.totals[side] += sums.total
    ply.counts[side][0] += sums.low
    ply.counts[side][1] += sums.high


cdef inline int kind_for(
    const RuleTables *tables, uint32_t classes, int side
) noexcept nogil:
    """The kind of a cell for one side, by ``Cell.classes``."""
    cdef uint32_t nibbles = classes >> 4 * side & 0x0F0F0F0F
    nibbles |= nibbles >> 4
    return kind_of(tables, nibbles & 255, nibbles >> 16 & 255)


cdef inline void change_side(
    BoardState *board, Sums *sums, Cell *cell, int side, int kind,
    const CellValue *values
) noexcept nogil:
    """Bring one side's kind, score and rank up to date with changed classes.

    The side's sums change with them. The tables are passed in, since a store to a byte
    of a cell could alias the board's own pointers.
    """
    cdef const CellValue *value = &values[kind]
    cdef const CellValue *old = &values[cell.kind[side]]
    cdef int rank = value.rank
    cdef int was = cell.rank[side]
    cell.score += value.score - old.score
    cell.kind[side] = kind
    cell.rank[side] = rank
    sums.total += value.total - old.total
    sums.low += value.counts[0] - old.counts[0]
    sums.high += value.counts[1] - old.counts[1]
    if (rank ^ was) & MAKES_FOUR:
        board.fours[side][cell.at >> 5] ^= <uint32_t> 1 << (cell.at & (STRIDE - 1))


cdef inline void withdraw(BoardState *board, Ply *ply, int cell) noexcept nogil:
    """Take a cell that is being occupied out of counts, totals and bit sets."""
    cdef const Cell *here = &board.cells[cell]
    cdef const CellValue *value
    cdef uint32_t bit = <uint32_t> 1 << (cell & (STRIDE - 1))
    cdef int side, k
    for side in range(2):
        value = &board.values[side][here.kind[side]]
        ply.totals[side] -= value.total
        for k in range(COUNT_WORDS):
            ply.counts[side][k] -= value.counts[k]
        board.fours[side][cell >> 5] &= ~bit
    board.empty[cell >> 5] &= ~bit


cdef inline void toggle_lines(BoardState *board, int cell, int stone) noexcept nogil:
    """Put a stone on an empty cell of the line words, or take it off again."""
    cdef uint64_t change = EMPTY ^ stone
    cdef int d
    for d in range(4):
        board.lines[d * LINES + line_index(cell, d)] ^= change << 2 * line_place(cell, d)


cdef inline void update_lines(BoardState *board, Ply *ply, int cell, int reach) noexcept nogil:
    """Reclassify the empty cells within reach; ``reach`` is a literal, so it folds.

    Three passes: whether a window changes is hard to predict, so the first only collects
    the changed cells, without a branch on it; the second finds their kinds, so that the
    look-ups of many overlap; the third changes the sums.
    """
    cdef const uint8_t *classes = board.tables.classes
    cdef Cell *near
    cdef uint64_t word
    cdef uint32_t change, top = ply.undo_top
    cdef int d, k, step, at, count = 0
    cdef const RuleTables *tables = board.tables
    cdef const CellValue *black = board.values[BLACK]
    cdef const CellValue *white = board.values[WHITE]
    cdef Sums black_sums, white_sums
    cdef uint32_t[MOST_CHANGED] changed     # cell | change of its classes << 16 ..
    cdef uint16_t[MOST_CHANGED] black_kinds, white_kinds
    cdef uint8_t[MOST_CHANGED] shift        # .. at these bits of Cell.classes
    for d in range(4):
        step = direction_step(d)
        word = rotr64(
            board.lines[d * LINES + line_index(cell, d)],
            2 * (line_place(cell, d) - 2 * reach),
        )
        for k in range(2 * reach + 1):
            if k == reach:
                continue
            at = cell + (k - reach) * step
            change = (
                board.cells[at].classes >> 8 * d & 255
                ^ classes[window_key(word >> 2 * k, reach)]
            )
            changed[count] = <uint32_t> at | change << 16
            shift[count] = 8 * d
            count += (change != 0) & ((word >> 2 * (k + reach) & 3) == EMPTY)
    memset(&black_sums, 0, sizeof(Sums))
    memset(&white_sums, 0, sizeof(Sums))
    for k in range(count):
        near = &board.cells[changed[k] & 0xFFFF]
        board.undo[top] = near[0]
        top += 1
        near.classes ^= changed[k] >> 16 << shift[k]
        black_kinds[k] = kind_for(tables, near.classes, BLACK)
        white_kinds[k] = kind_for(tables, near.classes, WHITE)
        prefetch(&black[black_kinds[k]])
        prefetch(&white[white_kinds[k]])
    for k in range(count):
        near = &board.cells[changed[k] & 0xFFFF]
        change_side(board, &black_sums, near, BLACK, black_kinds[k], black)
        change_side(board, &white_sums, near, WHITE, white_kinds[k], white)
    ply.undo_top = top
    add_sums(ply, BLACK, &black_sums)
    add_sums(ply, WHITE, &white_sums)


cdef void place(BoardState *board, int cell, int stone) noexcept nogil:
    """Put BLACK, WHITE or WALL on an empty cell; the side to move stays.

    Assumes that the cell is empty. Every effect is undone by ``unplace``.
    """
    cdef Ply *ply = &board.plies[board.ply + 1]
    cdef int column = (cell & (STRIDE - 1)) - 4, row = (cell >> 5) - 4, k
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
    if board.tables.reach == 4:
        update_lines(board, ply, cell, 4)
    else:
        update_lines(board, ply, cell, 5)


cdef void unplace(BoardState *board) noexcept nogil:
    """Take back the last ``place``."""
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
        for side in range(2):
            if (saved.rank[side] ^ near.rank[side]) & MAKES_FOUR:
                board.fours[side][saved.at >> 5] ^= (
                    <uint32_t> 1 << (saved.at & (STRIDE - 1))
                )
        near[0] = saved[0]
    toggle_lines(board, cell, ply.stone)
    bit = <uint32_t> 1 << (cell & (STRIDE - 1))
    board.empty[cell >> 5] |= bit
    near = &board.cells[cell]
    for side in range(2):
        if near.rank[side] & MAKES_FOUR:
            board.fours[side][cell >> 5] |= bit


cdef void refresh(BoardState *board) noexcept nogil:
    """Compute every incremental value from the lines alone, and forget the undo list.

    The current position becomes the root: nothing before it can be undone.
    """
    cdef int x, y, d, cell, side, k, reach = board.tables.reach
    cdef uint32_t key
    cdef uint64_t word
    cdef const CellValue *value
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
                        ply.candidates[(cell >> 5) - 4 + d] |= (
                            NEAR[d] << ((cell & (STRIDE - 1)) - 4)
                        )
                continue
            board.empties += 1
            board.empty[cell >> 5] |= <uint32_t> 1 << (cell & (STRIDE - 1))
            for side in range(2):
                value = &board.values[side][here.kind[side]]
                ply.totals[side] += value.total
                for k in range(COUNT_WORDS):
                    ply.counts[side][k] += value.counts[k]
                if here.rank[side] & MAKES_FOUR:
                    board.fours[side][cell >> 5] |= <uint32_t> 1 << (cell & (STRIDE - 1))


cdef void set_tables(
    BoardState *board, const RuleTables *tables, const CellValue *values
) noexcept nogil:
    """Point a board at its tables; ``values`` has 2 * KINDS entries, black's first."""
    board.tables = tables
    board.values[BLACK] = values
    board.values[WHITE] = values + KINDS


cdef void clear_board(
    BoardState *board, int width, int height,
    const RuleTables *tables, const CellValue *values
) noexcept nogil:
    """An empty board, black to move. Sizes are MIN_SIZE..MAX_SIZE."""
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
    BoardState *board, const BoardState *source, const CellValue *values
) noexcept nogil:
    """Make ``board`` a copy of ``source`` that weighs cells by ``values``.

    The copied position is the root of ``board``; only ``last_move`` looks behind it.
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
    """The class of ``cell`` on a line if a stone stood ``offset`` places along it.

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
    const BoardState *board, int side, int rank, int *cells, int most
) noexcept nogil:
    """The cells of one four-making rank, in board order; how many (``most`` at most)."""
    cdef int row, cell, found = 0
    cdef uint32_t bits
    for row in range(MARGIN, MARGIN + board.height):
        bits = board.fours[side][row]
        while bits:
            cell = row * STRIDE + ctz32(bits)
            bits &= bits - 1
            if board.cells[cell].rank[side] == rank:
                cells[found] = cell
                found += 1
                if found == most:
                    return found
    return found
