"""Values of the node function's constants, with ranges for tuning.

They were set by hand, then 20 of them were tuned together by SPSA, and 17 again by
games of 50,000 nodes a move (``docs/lessons.md`` has the command). ``docs/data/tries.csv``
lists the games that confirmed or changed a value, and the values that were rejected.
"""

cdef int[PARAMS] DEFAULTS

# constant: (name, value, least, most); units in params.pxd
cdef dict TABLE = {
    RAZOR_DEPTH: ("razor_depth", 64, 0, 384),
    RAZOR_BASE: ("razor_base", 129, 0, 300),
    RAZOR_SLOPE: ("razor_slope", 75, 0, 200),
    FUTILITY_DEPTH: ("futility_depth", 512, 0, 1024),
    FUTILITY_SLOPE: ("futility_slope", 54, 15, 150),
    LATE_MOVE_DEPTH: ("late_move_depth", 1024, 0, 1024),
    LATE_MOVE_BASE: ("late_move_base", 3, 1, 30),
    LATE_MOVE_SLOPE: ("late_move_slope", 42, 8, 192),
    LATE_THREES: ("late_threes", 99, 64, 1000),
    LATE_DELAY: ("late_delay", 91, 1, 1000),
    FIVE_EXTENSION: ("five_extension", 92, 0, 128),
    FOUR_EXTENSION: ("four_extension", 54, 0, 64),
    INTERNAL_DEPTH: ("internal_depth", 64, 64, 100000),
    INTERNAL_REDUCTION: ("internal_reduction", 64, 0, 128),
    REDUCE_FROM: ("reduce_from", 3, 1, 6),
    REDUCE_DEPTH: ("reduce_depth", 128, 64, 320),
    REDUCE_SCALE: ("reduce_scale", 22, 8, 96),
    REDUCE_CUT_NODE: ("reduce_cut_node", 43, 0, 160),
    REDUCE_PV: ("reduce_pv", 72, 0, 160),
    REDUCE_NOT_IMPROVING: ("reduce_not_improving", 20, 0, 128),
    REDUCE_THREAT: ("reduce_threat", 15, 0, 160),
    REDUCE_HISTORY: ("reduce_history", 138, 32, 600),
    RESEARCH_MARGIN: ("research_margin", 78, 0, 1000),
    RESEARCH_LESS: ("research_less", 65, 0, 128),
    KILLER_BONUS: ("killer_bonus", 8, 0, 300),
    COUNTER_BONUS: ("counter_bonus", 146, 0, 300),
    HISTORY_WEIGHT: ("history_weight", 23, 0, 128),
    LEAF_FOURS: ("leaf_fours", 10, 0, 40),
    LEAF_SIMPLE: ("leaf_simple", 1, 0, 100),
    LEAF_NODES: ("leaf_nodes", 160, 0, 2000),
}


cdef const int *default_params() noexcept nogil:
    return DEFAULTS


def fill_defaults():
    """Write the values of the table into the array from which workers start."""
    for index in range(PARAMS):
        DEFAULTS[index] = TABLE[index][1]


fill_defaults()

# name -> (index, value, least, most)
PARAMETERS = {row[0]: (index, *row[1:]) for index, row in TABLE.items()}
