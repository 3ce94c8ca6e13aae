# State of one searching thread, and the interface of the node function.

from libc.stdint cimport int16_t, int32_t, uint8_t, uint64_t

from gomoku_brain.eval.evaluate cimport Evaluator
from gomoku_brain.game.board cimport BoardState
from gomoku_brain.control.search_control cimport ControlState
from gomoku_brain.search.history cimport History
from gomoku_brain.control.params cimport MAX_PLY, PARAMS
from gomoku_brain.search.tt cimport Table
from gomoku_brain.tactics.vcf cimport VcfSearch

cdef enum:
    ARENA_KEYS = 1 << 17    # move keys of all nodes on the path
    MAX_EXCLUDED = 484     # root moves
    FAILURES = 1 << 16      # stored failures of VCF searches


cdef enum Feature:          # parts of the search that a test may switch off
    STATIC_TESTS = 1        # static wins and reply sets
    LEAF_VCF = 2
    PRUNING = 4             # razoring, futility, late moves
    REDUCTIONS = 8
    EXTENSIONS = 16
    TABLE_CUTS = 32
    ALL_FEATURES = 63


cdef struct WorkerState:
    BoardState board
    Evaluator *evaluator
    History history
    VcfSearch vcf
    Table *table
    ControlState *control
    uint64_t nodes          # moves made since set_position
    uint64_t node_limit     # stop when reached
    uint64_t next_poll
    int seldepth
    int features
    int root_plies          # depth of the iteration
    bint stopped
    int[PARAMS] params
    int excluded_count
    int16_t[MAX_EXCLUDED] excluded             # root cells not to be searched
    int16_t[MAX_PLY + 2][MAX_PLY + 2] pv        # triangular: pv[ply][0..pv_length)
    int[MAX_PLY + 2] pv_length
    int[MAX_PLY + 4] static_evals               # by ply; NO_SCORE when not taken
    uint64_t[FAILURES] failures                 # see VcfSearch.failed
    int arena_top
    int32_t[ARENA_KEYS] arena
    int16_t[ARENA_KEYS] arena_cells     # the positions of the searched keys after their moves


cdef int search(
    WorkerState *worker, int alpha, int beta, int depth, int ply, bint cut_node
) noexcept nogil
