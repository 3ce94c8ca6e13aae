# The rules as data. A RuleSpec lists, for one rule and one colour, which lines win and
# which are fouls. Tables, board and tests read it; no other module has the differences
# of the rules. The registry in rules.pyx lists the rules.

cdef enum:
    RULE_CODES = 10     # codes of rules are smaller; some numbers are unused
    FREESTYLE = 0       # code for features of this rule alone

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
    int reach           # cells each way on which a line class depends


cdef RuleSpec rule_spec(int rule, int side) noexcept nogil
cdef bint is_rule(int rule) noexcept nogil
