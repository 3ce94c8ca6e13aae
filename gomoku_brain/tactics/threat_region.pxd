# Wins by fours of a side that has just moved, with the cells that might prevent them.

from libc.stdint cimport uint32_t, uint64_t

from gomoku_brain.game.board cimport BoardState
from gomoku_brain.game.geometry cimport STRIDE

cdef enum:
    THREAT_FAILURES = 1 << 16   # stored positions without such a win


cdef struct Region:             # a set of cells, as padded rows of bits
    uint32_t[STRIDE] rows


cdef struct ThreatSearch:
    BoardState *board
    uint64_t *nodes             # the caller's node counter
    uint64_t limit              # of the current search
    bint cut                    # whether more fours than allowed might have won
    bint gave_up                # stopped by a limit other than the allowed fours
    uint64_t salt               # another one clears all failures at once
    uint64_t[THREAT_FAILURES] failed


cdef bint threatens(
    ThreatSearch *self, int fours, uint64_t nodes, Region *region
) noexcept nogil
