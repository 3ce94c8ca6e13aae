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
    def other(self) -> Side:
        """The opponent."""
