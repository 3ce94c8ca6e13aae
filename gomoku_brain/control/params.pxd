# Tunable constants of the node function; root_search.py has those of iterative
# deepening. A worker has its own copy, so tuning can play one set against another in
# one process. Depths are in 1/64 ply, scores in evaluation units. params.pyx has the
# values, their ranges and origins.

cdef enum:
    ONE_PLY = 64            # depth units
    MAX_PLY = 250           # deepest ply that search and VCF may reach
    # Beyond it no search makes another step, since arrays by ply end soon
    LAST_PLY = MAX_PLY - 4

cdef enum:                  # indices of WorkerState.params
    # Pruning at nodes that are not on the principal variation
    RAZOR_DEPTH             # depth below which a node that cannot reach alpha becomes a leaf
    RAZOR_BASE              # score missing to alpha from which this applies, at depth 0
    RAZOR_SLOPE             # further missing score for each ply of depth
    FUTILITY_DEPTH          # depth below which reverse futility is tried
    FUTILITY_SLOPE          # score above beta for each ply of depth that fails high
    # Pruning of late moves, at every node but the root. The limit of a node is
    # LATE_MOVE_BASE + LATE_MOVE_SLOPE * plies * plies / 64 moves, and half of that
    # when the static evaluation has not risen.
    LATE_MOVE_DEPTH         # depth below which late moves are pruned
    LATE_MOVE_BASE          # moves
    LATE_MOVE_SLOPE         # 1/64 move for each square of plies
    LATE_THREES             # 1/64 of the limit for moves that make a three
    LATE_DELAY              # 1/64 move a ply: limit for simple fours that only delay a threat
    # Extensions
    FIVE_EXTENSION          # additional depth of the reply to a threatened five
    FOUR_EXTENSION          # the same for the reply to an open four or four-three
    # Reductions
    INTERNAL_DEPTH          # least depth at which a node without a table move is reduced
    INTERNAL_REDUCTION      # depth by which it is reduced
    REDUCE_FROM             # first move (counted from 1) that may be reduced
    REDUCE_DEPTH            # least depth at which moves are reduced
    REDUCE_SCALE            # 1/64 ply per unit of log2(depth) * log2(moves)
    REDUCE_CUT_NODE         # depth by which an expected cut node is reduced in addition
    REDUCE_PV               # depth that a PV node is reduced by less
    REDUCE_NOT_IMPROVING    # depth in addition when the static evaluation has not risen
    REDUCE_THREAT           # depth less for a move that makes or stops a three or better
    REDUCE_HISTORY          # history units that change the reduction by 1/64 ply
    RESEARCH_MARGIN         # score: a reduced move that beats the best by less than this
    RESEARCH_LESS           # is searched again with a depth less by this than the full one
    # Move ordering, in units of the cells' move scores
    KILLER_BONUS            # for a move that caused a cutoff at this ply elsewhere
    COUNTER_BONUS           # for the move that refuted the opponent's last move elsewhere
    HISTORY_WEIGHT          # 1/1024 of the history that is added to the move score
    # Leaf search: victory by continuous fours
    LEAF_FOURS              # own fours in a row
    LEAF_SIMPLE             # plies of it in which fours that make nothing else are tried
    LEAF_NODES              # moves made
    PARAMS


cdef const int *default_params() noexcept nogil
