"""The five rules and the two sides."""

from enum import IntEnum


def _member_named(cls, kind, value):
    """The member of an enumeration that a text names; ValueError when none has it."""
    if isinstance(value, str):
        member = cls.__members__.get(value.strip().upper().replace("-", "_"))
        if member is not None:
            return member
    known = ", ".join(f"{member.name.lower()} ({member.value})" for member in cls)
    raise ValueError(f"no {kind} {value!r}; there are: {known}")


class Rule(IntEnum):
    """A rule set; the value is the code that the Gomocup protocol uses.

    ``Rule("renju")`` and ``Rule("caro-exact")`` find a rule by its name, in any case.
    ValueError for a name or number that is none.
    """

    FREESTYLE = 0
    STANDARD = 1
    RENJU = 4
    CARO = 8
    CARO_EXACT = 9

    @classmethod
    def _missing_(cls, value):
        return _member_named(cls, "rule", value)


class Side(IntEnum):
    """A colour. Black moves first.

    ``Side("white")`` finds a side by its name, in any case. ValueError for another one.
    """

    BLACK = 0
    WHITE = 1

    @classmethod
    def _missing_(cls, value):
        return _member_named(cls, "side", value)

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
