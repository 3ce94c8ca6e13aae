# The Python class of a board, with its C state for other modules.

cimport cython

from gomoku_brain.game.board cimport BoardState


@cython.final
cdef class Board:
    cdef BoardState *state
    cdef int rule_code
    cdef int winning_side       # BLACK, WHITE or -1
    cdef list order             # [(Move, stone, winner before (None: set up), side before)]
    cdef void start(self, int width, int height) noexcept
    cdef void take_over(self, Board other)
    cdef int standing_winner(self) noexcept
    cdef int put(self, object move, int stone, bint setup=*) except -1
    cdef int cell_for(self, object move) except -1
    cdef bint may_play(self, int cell) noexcept
    cdef bint last_is_foul(self) except -1
    cdef int refuse(self, object move) except -1
    cdef int fill_planes(self, unsigned char *cells, bint last_move) except -1
    cdef void note_winner(self, int cell) noexcept
    cdef bytes key_of(self, const unsigned char *cells, int symmetry)


cdef int run_winner(const BoardState *board, int cell) noexcept nogil
