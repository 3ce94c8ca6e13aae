# The tunable constants of the node function; those of iterative deepening stand in
# root_search.py. A worker holds its own copy, so that tuning can play one set against
# another in one process. Depths are in 1/64 ply, scores in evaluation units. The values,
# their ranges and origins stand in params.pyx.

cdef enum:
    ONE_PLY = 64            # depth units
    MAX_PLY = 250           # deepest ply that search and VCF may reach
    LAST_PLY = MAX_PLY - 4  # deeper, no search begins a step: arrays by ply end soon

cdef enum:                  # indices of WorkerState.params
    # Pruning at nodes that are not on the principal variation
    RAZOR_DEPTH             # depth below which a hopeless node becomes a leaf
    RAZOR_BASE              # score that must be missing to alpha at depth 0
    RAZOR_SLOPE             # score that must be missing in addition for each ply of depth
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
    FIVE_EXTENSION          # depth that the reply to a threatened five gains
    FOUR_EXTENSION          # the same for the reply to an open four or four-three
    # Reductions
    INTERNAL_DEPTH          # least depth at which a node without a table move is reduced
    INTERNAL_REDUCTION      # depth by which it is reduced
    REDUCE_FROM             # first move (counted from 1) that may be reduced
    REDUCE_DEPTH            # least depth at which moves are reduced
    REDUCE_SCALE            # 1/64 ply per unit of log2(depth) * log2(moves)
    REDUCE_CUT_NODE         # depth that an expected cut node is reduced by in addition
    REDUCE_PV               # depth that a PV node is reduced by less
    REDUCE_NOT_IMPROVING    # depth in addition when the static evaluation has not risen
    REDUCE_THREAT           # depth less for a move that makes or stops a three or better
    REDUCE_HISTORY          # history units that change the reduction by 1/64 ply
    RESEARCH_MARGIN         # score: a reduced move that beats the best by less than this
    RESEARCH_LESS           # is searched again this depth less deep than in full
    # Move ordering, in units of the cells' move scores
    KILLER_BONUS            # for a move that cut at this ply elsewhere
    COUNTER_BONUS           # for the move that refuted the opponent's last move elsewhere
    HISTORY_WEIGHT          # 1/1024 of the history joins the move score
    # Leaf search: victory by continuous fours
    LEAF_FOURS              # own fours in a row
    LEAF_SIMPLE             # plies of it in which fours that make nothing else are tried
    LEAF_NODES              # moves made
    PARAMS


cdef const int *default_params() noexcept nogil
