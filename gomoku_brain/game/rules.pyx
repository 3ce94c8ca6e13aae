"""The five rules and the two sides."""

from enum import IntEnum


class Rule(IntEnum):
    """A rule set; the value is the code that the Gomocup protocol uses."""

    FREESTYLE = 0
    STANDARD = 1
    RENJU = 4
    CARO = 8
    CARO_EXACT = 9


class Side(IntEnum):
    """A colour. Black moves first."""

    BLACK = 0
    WHITE = 1

    @property
    def other(self):
        """The opponent."""
        return Side(1 - self)


cdef RuleSpec rule_spec(int rule, int side) noexcept nogil:
    """What wins and what is a foul for ``side`` under ``rule``.

    ``reach`` is the same for both sides of a rule, since one table serves both: 4 where
    a longer run wins as well, 5 where the cell beyond a five decides.
    """
    cdef RuleSpec spec
    spec.exact = (
        rule == STANDARD or rule == CARO_EXACT or (rule == RENJU and side == BLACK)
    )
    spec.free_end = rule == CARO or rule == CARO_EXACT
    spec.fouls = rule == RENJU and side == BLACK
    spec.reach = 4 if rule == FREESTYLE else 5
    return spec


cdef bint is_rule(int rule) noexcept nogil:
    return (
        rule == FREESTYLE or rule == STANDARD or rule == RENJU
        or rule == CARO or rule == CARO_EXACT
    )
