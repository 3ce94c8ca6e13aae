from typing import final

@final
class TranspositionTable:
    """Table of search results by position; shared by the workers of an engine."""

    size_mb: float
    def __new__(cls, size_mb: float) -> TranspositionTable: ...
    def resize(self, size_mb: float) -> None:
        """Clear the table and set its size, in MB.

        With too little memory the table gets smaller. ValueError out of range.
        """
    def clear(self) -> None:
        """Clear all entries."""
    def age(self) -> None:
        """Start a new search: older entries are replaced first."""
    def make_room(self, nodes: float) -> None:
        """Make the part in use large enough for so many nodes since the last clear.

        A cleared table uses 4 to 8 MB at first, because memory beyond the processor's
        caches slows every node; this doubles it until the size is reached. No search
        may run meanwhile.
        """
    def grow_idle(self, nodes: float) -> bool:
        """Do one step of growth towards room for so many nodes; False: nothing to do.

        Most steps allocate 2 MB that the system has not given yet; once there is
        enough, one step doubles the part in use. No search may run meanwhile.
        """
