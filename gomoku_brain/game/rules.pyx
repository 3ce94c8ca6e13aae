"""The rules and the two sides.

A rule is a member of ``Rule`` and a call of ``_register`` with its differences from the
others; other modules read properties of the member. Besides this file (and its stub),
three files have an entry for each rule: the code that managers send
(``protocol.options``), the name that users see (``gui.base.words``) and the value of
the first move for balanced openings (``commands._opening_balance``).
``tests/test_rule_names.py`` checks that list.
"""

from enum import IntEnum

_NUMBER_FORMS = tuple("bcdoxXneEfFgG%")  # the last letter of a form for numbers

SIDE_LENGTHS = range(MIN_SIZE, MAX_SIZE + 1)  # cells along a side of a board

cdef RuleSpec SPECS[RULE_CODES][2]      # by code, then by side
cdef bint[RULE_CODES] known


def _member_named(cls, kind, value):
    """Return the member of an enumeration by its name; ValueError without one."""
    if isinstance(value, str):
        member = cls.__members__.get(value.strip().upper().replace("-", "_"))
        if member is not None:
            return member
    known = ", ".join(f"{member.name.lower()} ({member.value})" for member in cls)
    raise ValueError(f"no {kind} {value!r}; there are: {known}")


class Rule(IntEnum):
    """Rule set; the value is its code in the Gomocup protocol.

    ``Rule("renju")`` and ``Rule("caro-exact")`` find a rule by its name, in any case.
    ValueError for an unknown name or number.
    """

    FREESTYLE = 0
    STANDARD = 1
    RENJU = 4
    CARO = 8
    CARO_EXACT = 9

    @classmethod
    def _missing_(cls, value):
        return _member_named(cls, "rule", value)

    @property
    def has_fouls(self):
        """Whether some moves are forbidden to black."""
        return bool(SPECS[<int> self][BLACK].fouls)

    @property
    def sides_differ(self):
        """Whether the same stones on a line may have another meaning for the other
        side.
        """
        cdef RuleSpec *specs = SPECS[<int> self]
        return (
            specs[BLACK].exact != specs[WHITE].exact
            or specs[BLACK].fouls != specs[WHITE].fouls
        )


class Side(IntEnum):
    """Colour of a player. Black moves first.

    ``Side("white")`` finds a side by its name, in any case. ValueError for another one.
    A side prints as "black" or "white", and both are true as conditions; the value of
    black is 0, that of white 1.
    """

    BLACK = 0
    WHITE = 1

    @classmethod
    def _missing_(cls, value):
        return _member_named(cls, "side", value)

    def __bool__(self):
        return True  # also black, whose value is 0: `if board.winner:` is then right

    def __str__(self):
        return self.name.lower()

    def __format__(self, form):
        shown = int(self) if form.endswith(_NUMBER_FORMS) else str(self)
        return format(shown, form)

    @property
    def other(self):
        """The opponent."""
        return Side(1 - self)


def _register(int rule, *, exact=(), bint free_end=False, fouls=()):
    """Register the differences of a rule from the others.

    ``exact``: sides for which six or more in a row do not win. ``free_end``: a five
    with the opponent at both ends does not win. ``fouls``: sides for which an overline,
    a double-four and a double-three lose.
    """
    cdef RuleSpec *spec
    cdef int side
    if rule >= RULE_CODES:
        raise ValueError(f"rule {rule}: set RULE_CODES in rules.pxd to more than it")
    for side in (BLACK, WHITE):
        spec = &SPECS[rule][side]
        spec.exact = side in exact
        spec.free_end = free_end
        spec.fouls = side in fouls
        # The same for both sides, since they share one table.
        spec.reach = 5 if exact or free_end else 4
    known[rule] = True


_BOTH = (Side.BLACK, Side.WHITE)

_register(Rule.FREESTYLE)
_register(Rule.STANDARD, exact=_BOTH)
_register(Rule.RENJU, exact=(Side.BLACK,), fouls=(Side.BLACK,))
_register(Rule.CARO, free_end=True)
_register(Rule.CARO_EXACT, exact=_BOTH, free_end=True)

DEFAULT_RULE = Rule.FREESTYLE


cdef RuleSpec rule_spec(int rule, int side) noexcept nogil:
    """Return the winning lines and the fouls for ``side`` under ``rule``."""
    return SPECS[rule][side]


cdef bint is_rule(int rule) noexcept nogil:
    """Whether a code stands for a rule."""
    return 0 <= rule < RULE_CODES and known[rule]
