# Choice of the next move: the table's move, then the best of the rest, one at a time.

from libc.stdint cimport int16_t, int32_t

from gomoku_brain.game.board cimport BoardState
from gomoku_brain.game.rules cimport MAX_STONES
from gomoku_brain.search.history cimport History
from gomoku_brain.tactics.threats cimport Forced, MoveSet

cdef enum:
    BLOCK = 16
    MAX_BLOCKS = MAX_STONES / BLOCK + 1


cdef enum Stage:
    TABLE_MOVE
    SCORE_MOVES
    BEST_NEXT


# The moves of a node are in the worker's arena, so that recursion needs little of the
# thread's stack. A sort key is score << 10 | index into cells: the largest key is the
# best move, and the index distinguishes equal scores in the same way on every machine.
cdef struct MovePicker:
    Stage stage
    int table_move
    int score               # of the move last taken, unless it was the table's
    int blocks              # in use
    int32_t[MAX_BLOCKS] best       # the best sort key of each block
    const int *params
    int32_t *keys           # room for BLOCK - 1 more than there are moves
    int16_t *cells


cdef inline void start_picker(
    MovePicker *self, int table_move, int32_t *keys, int16_t *cells, const int *params
) noexcept nogil:
    """Start a node: the table's move, or NO_CELL, comes first."""
    self.stage = TABLE_MOVE
    self.table_move = table_move
    self.keys = keys
    self.cells = cells
    self.params = params


cdef int next_move(
    MovePicker *self, BoardState *board, const History *history, int ply,
    Forced forced, const MoveSet *answers
) noexcept nogil
