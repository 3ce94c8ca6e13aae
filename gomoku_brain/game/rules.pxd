# The rules as data. A RuleSpec says, for one rule and one colour, which lines win and
# which are fouls; tables, board and tests read it, and no other place knows what tells
# the rules apart. Their list is the registry in rules.pyx.

cdef enum:
    RULE_CODES = 10     # codes of rules are smaller; not every number is one
    FREESTYLE = 0       # for what exists under this rule alone

cdef enum:
    BLACK = 0
    WHITE = 1
    WALL = 2            # a stone of neither side: border, or a dead stone (field 3)
    EMPTY = 3

cdef enum:
    MIN_SIZE = 5        # cells along a side
    MAX_SIZE = 22       # 32 bits a padded row, less 5 border cells at each end
    MAX_STONES = MAX_SIZE * MAX_SIZE


cdef struct RuleSpec:
    bint exact          # six or more in a row do not win
    bint free_end       # five with the opponent at both ends does not win (caro)
    bint fouls          # overline, double-four and double-three lose (renju's black)
    int reach           # cells each way that a line class depends on


cdef RuleSpec rule_spec(int rule, int side) noexcept nogil
cdef bint is_rule(int rule) noexcept nogil
