from __future__ import annotations  # pdoc runs the stub

from enum import IntEnum
from typing import Self

SIDE_LENGTHS: range

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

    def __new__(cls, value: int | str) -> Self: ...
    @property
    def has_fouls(self) -> bool:
        """Whether some moves are forbidden to black."""

    @property
    def sides_differ(self) -> bool:
        """Whether the same stones on a line may not mean the same for both sides."""

DEFAULT_RULE: Rule

class Side(IntEnum):
    """A colour. Black moves first.

    ``Side("white")`` finds a side by its name, in any case. ValueError for another one.
    """

    BLACK = 0
    WHITE = 1

    def __new__(cls, value: int | str) -> Self: ...
    @property
    def other(self) -> Side:
        """The opponent."""
