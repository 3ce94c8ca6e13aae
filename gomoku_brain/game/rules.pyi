from __future__ import annotations  # pdoc runs the stub

from enum import IntEnum
from typing import Literal, Self

SIDE_LENGTHS: range

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

    def __new__(cls, value: int | str) -> Self: ...
    @property
    def has_fouls(self) -> bool:
        """Whether some moves are forbidden to black."""

    @property
    def sides_differ(self) -> bool:
        """Whether the same stones on a line may have another meaning for the other
        side.
        """

DEFAULT_RULE: Rule

class Side(IntEnum):
    """Colour of a player. Black moves first.

    ``Side("white")`` finds a side by its name, in any case. ValueError for another one.
    A side prints as "black" or "white", and both are true as conditions; the value of
    black is 0, that of white 1.
    """

    BLACK = 0
    WHITE = 1

    def __new__(cls, value: int | str) -> Self: ...
    def __bool__(self) -> Literal[True]: ...
    def __format__(self, form: str, /) -> str: ...
    @property
    def other(self) -> Side:
        """The opponent."""
