# Victory by continuous threats: fours, and moves that threaten a victory by fours.

cimport cython
from libc.stdint cimport int16_t, uint16_t, uint32_t, uint64_t

from gomoku_brain.game.board cimport BoardState
from gomoku_brain.game.geometry cimport STRIDE
from gomoku_brain.game.position cimport Board
from gomoku_brain.game.rules cimport MAX_STONES
from gomoku_brain.search.control cimport ControlState, SearchControl
from gomoku_brain.search.params cimport MAX_PLY
from gomoku_brain.search.threats cimport MoveSet
from gomoku_brain.search.vcf cimport VcfSearch

cdef enum:
    ENTRIES = 4                 # of a bucket
    VCT_FAILURES = 1 << 16      # remembered failures of fours, for each of two tables


cdef struct Region:             # a set of cells, as padded rows of bits
    uint32_t[STRIDE] rows


cdef struct Proof:              # work left, at least: to prove the win, to refute it
    uint32_t win
    uint32_t refute


cdef struct VctEntry:           # 24 bytes
    uint64_t key
    Proof proof
    uint32_t work               # nodes spent on it; 0 = the entry is free
    int16_t move                # the attacker's winning move, where the win is proved
    uint16_t age


cdef struct Level:              # one node on the path
    MoveSet moves
    Proof[MAX_STONES] proofs


cdef struct VctSearch:
    BoardState board
    VctEntry *table
    uint64_t buckets
    uint64_t solves             # positions solved
    uint64_t salt               # tells apart what was stored for the others
    uint16_t age                # 2 * solves, plus 1 in the second phase
    int last_tier               # of the attacks that are tried
    bint wide                   # the second phase, with all tiers, has begun
    int most                    # moves that the attacker may make; 0: any number
    int root_ply                # where they are counted from
    bint fours_only             # he makes nothing but fours
    bint every                  # his moves of any rank are tried, if they are threats
    uint64_t nodes              # moves made
    uint64_t limit
    uint64_t next_poll
    ControlState *control
    bint stopped                # a limit was met: nothing found since then counts
    bint incomplete             # some search of fours was cut off
    VcfSearch vcf
    uint64_t[VCT_FAILURES] failures         # of the attacker with static tests (vcf)
    uint64_t[VCT_FAILURES] null_failures    # of fours_win
    uint64_t threat_limit                   # of the fours_win under way
    bint threat_cut                         # it was cut off
    bint threat_gave_up                     # ... by another limit than the fours allowed
    Level[MAX_PLY + 2] levels


cdef bint fours_win(VctSearch *self, int fours, Region *region) noexcept nogil
cdef VctEntry *probe(VctSearch *self, uint64_t key) noexcept nogil
cdef Proof look_at_attack(VctSearch *self, int *move) noexcept nogil
cdef Proof solve_position(VctSearch *self) noexcept nogil


@cython.final
cdef class VctSolver:
    cdef VctSearch *search
    cdef SearchControl control      # of the last search, kept alive for ``tree``
    cdef int set_position(self, Board board, SearchControl control, nodes) except -1
    cdef object _run(self)
    cdef object _attack_tree(self, dict known)
    cdef list _defences(self)
