# Victory by continuous fours.

from libc.stdint cimport int16_t, uint64_t

from gomoku_brain.game.board cimport BoardState
from gomoku_brain.control.search_control cimport ControlState
from gomoku_brain.control.params cimport MAX_PLY
from gomoku_brain.tactics.threats cimport MoveSet

cdef enum:
    POLL_NODES = 1024


cdef struct VcfSearch:
    BoardState *board
    uint64_t *nodes             # the caller's node counter
    uint64_t limit              # stop when it has reached this
    # Positions without a win by so many fours: key with the number in its low byte;
    # NULL = no table.
    uint64_t *failed
    uint64_t failed_mask        # entries - 1
    uint64_t salt               # another one clears all failures at once
    bint local                  # only fours near the last one
    int simple_plies            # fours without a further shape are tried before this ply
    bint fours_only             # a double-three that also wins does not count
    bint gave_up                # a limit was met: a negative result proves nothing
    ControlState *control       # may be NULL
    int16_t[MAX_PLY + 2] line   # the winning line found, from the first ply


cdef int vcf_attack(VcfSearch *self, int fours, int ply, int last) noexcept nogil
cdef int vcf_without(
    VcfSearch *self, int fours, const MoveSet *excluded
) noexcept nogil
cdef int shortest_vcf(VcfSearch *self, int fours, const MoveSet *excluded) noexcept nogil
