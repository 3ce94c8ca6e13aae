# Classical evaluation: the value of every empty cell to either side, summed by the board
# as stones come and go, and a term for whose move it is.

from libc.stdint cimport int16_t

from gomoku_brain.game.board cimport BoardState
from gomoku_brain.game.patterns cimport CODES, CellValue

cdef enum:
    TEMPO_BITS = 11
    TEMPO_SIZE = 1 << TEMPO_BITS


cdef struct ClassicalWeights:
    CellValue[2 * CODES] values     # [side * CODES + code]
    int16_t[TEMPO_SIZE] tempo       # by which threats exist (see tempo_index)


cdef const ClassicalWeights *classical_weights(int rule) noexcept nogil
cdef int classical_score(
    const ClassicalWeights *weights, const BoardState *board
) noexcept nogil
