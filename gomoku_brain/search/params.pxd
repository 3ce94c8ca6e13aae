# The tunable constants of the node function; those of iterative deepening stand in
# engine.py. A worker holds its own copy, so that tuning can play one set against another
# in one process. Depths are in 1/64 ply, scores in evaluation units. The values, their
# ranges and origins stand in params.pyx.

cdef enum:
    ONE_PLY = 64            # depth units
    MAX_PLY = 250           # deepest ply that search and VCF may reach

cdef enum:                  # indices of Params
    # Pruning at nodes that are not on the principal variation
    RAZOR_DEPTH             # below it a hopeless node is left to the leaf search
    RAZOR_BASE              # score
    RAZOR_SLOPE             # score per ply
    FUTILITY_DEPTH          # reverse futility below it
    FUTILITY_SLOPE          # score per ply above beta that fails high
    LATE_MOVE_DEPTH         # late moves are pruned below it
    LATE_MOVE_BASE          # moves tried before they are, at depth 0 ..
    LATE_MOVE_LEAST         # moves tried in any case
    LATE_THREAT             # 1/64 of that for moves that stop a three or better
    LATE_FOURS              # 1: simple fours, too
    LATE_THREES             # 1/64 of the limit for moves that make a three; 0: not pruned
    LATE_DELAY              # 1/64 a ply: simple fours that only delay a threat; 0: not pruned
    LATE_PV                 # 1/64 of the limit in PV nodes; 0: none there
    LATE_MOVE_SLOPE         # .. and 1/64 more per square of plies
    # Extensions
    FIVE_EXTENSION          # reply to a threatened five
    FOUR_EXTENSION          # reply to a threatened open four or four-three
    SINGULAR_DEPTH          # least depth at which the table's move is tested
    SINGULAR_TT             # the table's entry may be so much less deep
    SINGULAR_MARGIN         # 1/64 score per ply that the others must stay below
    SINGULAR_SHARE          # 1/64 of the depth for the test
    SINGULAR_DOUBLE         # score: so far below, the move is extended twice
    SINGULAR_MINUS          # less depth when another move is likely good, too
    # Reductions
    INTERNAL_DEPTH          # least depth at which a node without a table move is reduced
    INTERNAL_REDUCTION
    REDUCE_FROM             # first move (counted from 1) that may be reduced
    REDUCE_DEPTH            # least depth at which moves are reduced
    REDUCE_SCALE            # 1/64 ply per unit of log2(depth) * log2(moves)
    REDUCE_CUT_NODE         # more in an expected cut node
    REDUCE_PV               # less in a PV node
    REDUCE_NOT_IMPROVING    # more when the static evaluation has not risen
    REDUCE_THREAT           # less for a move that makes or stops a three or better
    REDUCE_FOURS            # fours may be reduced: 0 none, 1 simple ones, 2 all
    REDUCE_HISTORY          # history units per 1/64 ply
    REDUCE_POLICY           # 1/1024 depth units per unit of score behind the best move
    REDUCE_POLICY_FREE      # score units behind that cost nothing
    REDUCE_POLICY_MOST      # depth units at most
    RESEARCH_MARGIN         # score: a reduced move better than the best by less ..
    RESEARCH_LESS           # .. is searched again so much less deep than in full
    LIKELY_MARGIN           # score above beta at which a cut node is thought decided
    LIKELY_REDUCTION
    RAISED_REDUCTION        # less depth for the rest once a move raised alpha
    # Move ordering, in units of the cells' move scores
    KILLER_BONUS
    COUNTER_BONUS
    HISTORY_WEIGHT          # 1/1024 of the history joins the move score
    # Leaf search: victory by continuous fours
    LEAF_FOURS              # own fours in a row
    LEAF_SIMPLE             # plies of it in which fours that make nothing else are tried
    LEAF_NODES              # moves made
    PARAMS


cdef const int *default_params() noexcept nogil
