# Victory by continuous threats: fours, and moves that threaten a victory by fours.

cimport cython
from libc.stdint cimport uint64_t

from gomoku_brain.game.board cimport BoardState, table_key
from gomoku_brain.game.position cimport Board
from gomoku_brain.game.rules cimport MAX_STONES
from gomoku_brain.control.search_control cimport ControlState, SearchControl
from gomoku_brain.control.params cimport MAX_PLY
from gomoku_brain.tactics.proof_table cimport ProofCost, ProofTable
from gomoku_brain.tactics.threat_region cimport ThreatSearch
from gomoku_brain.tactics.threats cimport MoveSet
from gomoku_brain.tactics.vcf cimport VcfSearch

cdef enum:
    VCT_FAILURES = 1 << 16      # stored failures of fours


cdef struct Frame:              # one node on the path
    MoveSet moves
    ProofCost[MAX_STONES] costs


cdef struct VctSearch:
    BoardState board
    ProofTable proofs           # of age 2 * solves, plus 1 in the second phase
    uint64_t solves             # positions solved
    uint64_t salt           # changes the keys, so that entries for other settings do not match
    int last_tier               # of the attacks that are tried
    bint wide                   # the second phase, with all tiers, has begun
    int maximum                    # moves that the attacker may make; 0: any number
    int root_ply                # ply from which they are counted
    bint fours_only             # he makes only fours
    bint every                  # his moves of any rank are tried, if they are threats
    MoveSet excluded            # none of them is his first move
    uint64_t nodes              # moves made
    uint64_t limit
    uint64_t next_poll
    ControlState *control
    bint stopped                # a limit was met: nothing found since then counts
    bint incomplete             # some search of fours was cut off
    VcfSearch vcf
    uint64_t[VCT_FAILURES] failures         # of the attacker with static tests (vcf)
    ThreatSearch threat                     # of wins if the defender passed
    Frame[MAX_PLY + 2] frames


cdef inline uint64_t proof_key(const VctSearch *self) noexcept nogil:
    """Return the key of the position, in the table of this search."""
    return table_key(&self.board) ^ self.salt


cdef ProofCost probe_attack(VctSearch *self, int *move) noexcept nogil
cdef ProofCost solve_position(VctSearch *self) noexcept nogil
cdef void forget_positions(VctSearch *self) noexcept nogil


@cython.final
cdef class VctSolver:
    cdef VctSearch *search
    cdef SearchControl control      # of the last search, referenced for ``tree``
    cdef int set_position(self, Board board, SearchControl control, nodes) except -1
    cdef object _run(self)
    cdef object _attack_tree(self, dict known)
    cdef list _defences(self)
