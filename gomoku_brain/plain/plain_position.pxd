# The position of a plain search: stones on lines, the cells near them, and the sums
# that the evaluations of the sources update with each move. It has a board of its own.
# Our engine's board updates line patterns, which would cost these searches time that
# the sources' searches did not need, and the study compares seconds. For our own
# evaluations, those of a caller and other rules than freestyle it holds our board as
# well.

from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t

from gomoku_brain.eval.evaluate cimport Evaluation, Evaluator
from gomoku_brain.plain.shape_counts cimport FIVE_SHAPE, entry_at
from gomoku_brain.game.board cimport BoardState, make_move, rank_at, undo_move
from gomoku_brain.game.geometry cimport (
    CELLS, LINES, MARGIN, STRIDE, line_index, line_place
)
from gomoku_brain.game.patterns cimport FIVE
from gomoku_brain.game.position cimport Board
from gomoku_brain.game.rules cimport MAX_STONES

cdef enum:
    RULES = 0               # number of the evaluation, see SourceEvaluation
    STONES = 1
    OURS = 2
    PROVED = 3
    CALLED = 4              # a function of the caller
    MAX_RADIUS = 2
    SEEN = 100_000          # PROVED: a win found by the static tests


cdef struct Saved:              # state that undoing the move restores
    uint64_t[4][2] counts
    uint32_t[2 * MAX_RADIUS + 1] near
    int cell


cdef struct PlainPosition:
    int width
    int height
    int side                    # to move
    int stones                  # on the board, walls included
    int empties
    int evaluation
    int radius                  # distance of a candidate from a stone; 0: all cells
    bint follows                # whether ``board`` is kept in step
    bint fouls                  # whether the rule has forbidden moves
    bint is_won                 # the position that was set up has a winner
    uint64_t key
    uint64_t evaluations        # static evaluations taken
    uint64_t[4 * LINES] lines   # as BoardState's
    uint32_t[STRIDE] empty      # padded rows of empty cells
    uint32_t[STRIDE] near       # padded rows of cells near a stone
    uint64_t[4 * LINES][2] counts   # line, side -> its shapes, SHAPE_BITS each, packed
    uint64_t[2] totals          # their sums
    uint8_t[CELLS][4] shape_of  # STONES: the shape of each stone on its four lines
    int[2] worth                # STONES: sum over the stones of a side
    int[2] centre               # RULES: sum of the stones' distances from the edge
    Saved[MAX_STONES + 1] saved
    Evaluator *evaluator
    BoardState *board           # the same position with our line patterns


cdef inline int line_of(int cell, int direction) noexcept nogil:
    return direction * LINES + line_index(cell, direction)


cdef void put(PlainPosition *s, int cell, int stone) noexcept nogil
cdef void take(PlainPosition *s) noexcept nogil


cdef inline void make(PlainPosition *s, int cell) noexcept nogil:
    put(s, cell, s.side)
    s.side ^= 1
    if s.follows:
        make_move(s.board, cell)


cdef inline void unmake(PlainPosition *s) noexcept nogil:
    if s.follows:
        undo_move(s.board)
    s.side ^= 1
    take(s)


cdef inline bint wins_at(const PlainPosition *s, int cell) noexcept nogil:
    """Whether the side to move wins by a stone on the empty cell."""
    cdef int d
    if s.follows:
        return rank_at(s.board, cell, s.side) == FIVE
    for d in range(4):
        if (
            entry_at(s.lines[line_of(cell, d)], line_place(cell, d), s.side) & 15
        ) == FIVE_SHAPE:
            return True
    return False


cdef int static_value(PlainPosition *s) noexcept nogil
cdef int find_candidates(const PlainPosition *s, int16_t *cells) noexcept nogil
cdef int count_candidates(const PlainPosition *s) noexcept nogil
cdef PlainPosition *take_position() except NULL
cdef void free_position(PlainPosition *s) noexcept nogil
cdef int set_up_plain(PlainPosition *s, Board board, Evaluation ours) except -1
