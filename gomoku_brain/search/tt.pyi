from typing import final

@final
class TranspositionTable:
    """What searches remember of positions; shared by the workers of an engine."""

    size_mb: float
    def __new__(cls, size_mb: float) -> TranspositionTable: ...
    def resize(self, size_mb: float) -> None:
        """Forget everything and take another size, in MB.

        With too little memory the table gets smaller. ValueError out of range.
        """
    def clear(self) -> None:
        """Forget everything."""
    def age(self) -> None:
        """Begin a new search: older entries give way first."""
    def make_room(self, nodes: float) -> None:
        """Make the part in use large enough for so many nodes since the last clear.

        A cleared table uses 4 to 8 MB at first, because memory beyond the processor's
        caches slows every node; this doubles it until the size is reached. Nobody may
        search meanwhile.
        """
    def grow_idle(self, nodes: float) -> bool:
        """Take a step towards room for so many nodes; False: nothing to do.

        Most bring in 2 MB that the system has not given yet; once there is enough, one
        doubles the part in use. Nobody may search meanwhile.
        """
