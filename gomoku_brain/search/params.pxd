# The tunable constants of the node function; those of iterative deepening stand in
# engine.py. Depths are in 1/64 ply, scores in evaluation
# units. "hand" = set by hand for the first version, to be fitted by games.

cdef enum:
    ONE_PLY = 64            # depth units
    MAX_PLY = 250           # deepest ply that search and VCF may reach

    # Pruning at nodes that are not on the principal variation
    RAZOR_DEPTH = 160       # below it a hopeless node is left to the leaf search; hand
    RAZOR_BASE = 60         # score; hand
    RAZOR_SLOPE = 60        # score per ply; hand
    FUTILITY_DEPTH = 512    # reverse futility up to 8 plies; hand
    FUTILITY_SLOPE = 55     # score per ply above beta that fails high; hand
    LATE_MOVE_BASE = 5      # quiet moves tried before the late ones are pruned; hand
    LATE_MOVE_DEPTH = 448   # up to 7 plies; hand

    # Extensions and reductions
    FIVE_EXTENSION = 64     # reply to a threatened five: costs no depth; hand
    REDUCE_FROM = 3         # first move (counted from 1) that may be reduced; hand
    REDUCE_DEPTH = 128      # least depth at which moves are reduced; hand
    REDUCE_SCALE = 32       # 1/64 ply per unit of log2(depth) * log2(moves); hand
    REDUCE_CUT_NODE = 40    # more in an expected cut node; hand
    REDUCE_PV = 48          # less in a PV node; hand
    REDUCE_NOT_IMPROVING = 32
    REDUCE_HISTORY = 128    # history units per 1/64 ply; hand

    # Move ordering, in units of the cells' move scores
    KILLER_BONUS = 50       # hand
    COUNTER_BONUS = 35      # hand
    HISTORY_SHIFT = 6       # history / 64 joins the move score

    # Leaf search: victory by continuous fours
    LEAF_FOURS = 10         # own fours in a row; hand
    LEAF_NODES = 160        # moves made; hand
