# The board as a plain C struct. make_move and undo_move update, for every empty cell,
# its line classes, ranks and move scores, and for the whole board the counts of ranks,
# four weighted totals, the candidate cells and the Zobrist key.

from libc.stdint cimport int16_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from gomoku_brain.game.geometry cimport CELLS, LINES, MARGIN, STRIDE, padded_x, padded_y
from gomoku_brain.game.patterns cimport (
    COUNT_WORDS, FIVE, LANE_BITS, LANE_MASK, LANES, KindValue, RuleTables, lane_of,
    unpack_score
)
from gomoku_brain.game.rules cimport EMPTY, MAX_STONES
from gomoku_brain.game.zobrist cimport WHITE_TO_MOVE, ZOBRIST

cdef enum:
    UNDO_CELLS = 40 * MAX_STONES    # most cells that a stone changes (about 20 usually)


cdef struct Cell:               # 16 bytes
    uint32_t classes            # byte d: black's class | white's class << 4 on line d
    uint16_t[2] kind            # side -> its kind: the four classes, in any order
    uint32_t score              # both sides' move scores, packed (see score_at)
    uint8_t[2] rank             # side -> rank
    uint16_t at                 # the cell's own index


cdef struct Ply:                # state that undo restores by stepping back
    int64_t[2][COUNT_WORDS] counts  # side -> empty cells of each rank, in lanes
    int64_t[2] totals           # side -> sum over the empty cells, packed
    uint32_t[STRIDE] candidates     # padded rows of cells near a stone (occupied ones too)
    uint64_t key
    uint32_t undo_top           # saved cells below this index belong to earlier plies
    int16_t move                # the last stone; NO_CELL at the root
    int16_t stone               # BLACK, WHITE or WALL


cdef struct BoardState:
    int width
    int height
    int side                    # the side to move: BLACK or WHITE
    int ply                     # index into plies: stones placed since clear_board
    int empties                 # empty cells
    const RuleTables *tables
    const KindValue *values[2]      # side -> [kind]
    uint64_t[4 * LINES] lines   # two bits a cell: BLACK, WHITE, WALL or EMPTY
    uint32_t[STRIDE] empty      # padded rows of empty cells
    uint32_t[2][STRIDE] fours   # side -> padded rows of empty cells that make a four
    Cell[CELLS] cells           # an occupied cell keeps its values from before its stone
    Ply[MAX_STONES + 1] plies
    Cell[UNDO_CELLS] undo


cdef inline int stone_at(const BoardState *board, int cell) noexcept nogil:
    """Return the content of a cell: BLACK, WHITE, WALL or EMPTY."""
    return <int> (board.lines[padded_y(cell)] >> 2 * padded_x(cell) & 3)


cdef inline uint64_t table_key(const BoardState *board) noexcept nogil:
    """Return the key of a position with its side to move, for the tables."""
    return board.plies[board.ply].key ^ (WHITE_TO_MOVE if board.side else 0)


cdef inline uint64_t table_key_after(const BoardState *board, int cell) noexcept nogil:
    """Return the ``table_key`` after a move of the side to move to an empty cell."""
    return (
        board.plies[board.ply].key ^ ZOBRIST[board.side][cell]
        ^ (0 if board.side else WHITE_TO_MOVE)
    )


cdef inline bint is_empty(const BoardState *board, int cell) noexcept nogil:
    return board.empty[padded_y(cell)] >> padded_x(cell) & 1


cdef inline int class_at(
    const BoardState *board, int cell, int direction, int side
) noexcept nogil:
    return board.cells[cell].classes >> (8 * direction + 4 * side) & 15


cdef inline int rank_at(const BoardState *board, int cell, int side) noexcept nogil:
    return board.cells[cell].rank[side]


cdef inline int score_at(const BoardState *board, int cell, int side) noexcept nogil:
    """Return the move score of a cell for the side, in the values' units."""
    return unpack_score(board.cells[cell].score, side)


cdef inline int count_of(const BoardState *board, int side, int rank) noexcept nogil:
    """Return the number of empty cells with the rank, one that is counted, for the
    side.
    """
    cdef int lane = lane_of(rank)
    return <int> (
        board.plies[board.ply].counts[side][lane / LANES] >> LANE_BITS * (lane % LANES)
    ) & LANE_MASK


cdef inline bint has_fours(const BoardState *board, int side) noexcept nogil:
    """Whether some cell makes a four or better for the side."""
    return board.plies[board.ply].counts[side][1] != 0


cdef inline int last_move(const BoardState *board, int back) noexcept nogil:
    """Return the stone placed ``back`` plies ago (0 = the last); NO_CELL before the
    first.
    """
    return board.plies[board.ply - back].move if board.ply >= back else 0


cdef void clear_board(
    BoardState *board, int width, int height,
    const RuleTables *tables, const KindValue *values
) noexcept nogil
cdef void copy_board(
    BoardState *board, const BoardState *source, const KindValue *values
) noexcept nogil
cdef void refresh(BoardState *board) noexcept nogil
cdef void place(BoardState *board, int cell, int stone) noexcept nogil
cdef void unplace(BoardState *board) noexcept nogil
cdef int class_with(
    const BoardState *board, int cell, int direction, int side, int offset, int stone
) noexcept nogil
cdef int cells_of_rank(
    const BoardState *board, int side, int rank, int *cells, int maximum
) noexcept nogil


cdef inline int five_cells(
    const BoardState *board, int side, int *cells, int maximum
) noexcept nogil:
    """Find the cells where ``side`` wins at once, in board order; return their
    number.
    """
    if not count_of(board, side, FIVE):
        return 0
    return cells_of_rank(board, side, FIVE, cells, maximum)


cdef inline void make_move(BoardState *board, int cell) noexcept nogil:
    """Place a stone of the side to move on an empty cell, and change the side to
    move.
    """
    place(board, cell, board.side)
    board.side ^= 1


cdef inline void undo_move(BoardState *board) noexcept nogil:
    board.side ^= 1
    unplace(board)
