# A small network over the kinds of empty cells, on top of the linear evaluation. The
# sums of its rows are kept for the path of the search and brought up to date, when an
# evaluation asks for them, by the cells that changed since (the board's undo list).

from libc.stdint cimport int16_t, int32_t, uint64_t

from gomoku_brain.game.board cimport BoardState
from gomoku_brain.game.patterns cimport KINDS
from gomoku_brain.game.rules cimport MAX_STONES

cdef enum:
    WIDTH = 16          # numbers in a row
    HIDDEN = 16
    NETWORK_NUMBERS = 2 * KINDS * WIDTH + WIDTH + HIDDEN * WIDTH + 2 * HIDDEN


cdef struct KindRow:                # what a kind of cell of one side adds
    int16_t[2 * WIDTH] numbers      # with black to move, then with white to move


cdef struct Head:                   # after the sums, for a side to move
    int16_t[WIDTH] bias
    int16_t[WIDTH][HIDDEN] hidden   # by number first: one that is 0 costs nothing
    int32_t[HIDDEN] hidden_bias
    int32_t[HIDDEN] output


cdef struct NetworkWeights:
    KindRow[2][KINDS] rows          # side
    Head[2] heads                   # side to move


cdef struct Accumulator:
    int32_t[2 * WIDTH] sums         # black to move, white to move; bias not included
    uint64_t key                    # of the position they belong to


cdef struct Network:
    const NetworkWeights *weights   # NULL: none
    Accumulator[MAX_STONES + 1] path        # by ply of the board


cdef const NetworkWeights *network_weights(int rule) noexcept nogil
cdef int fill_network(NetworkWeights *self, bytes packed) except -1
cdef void forget_path(Network *self) noexcept nogil
cdef int network_score(Network *self, const BoardState *board) noexcept nogil
