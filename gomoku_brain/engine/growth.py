"""Growth of the transposition table: between searches, before them and within them.

A table takes memory as it fills. That costs milliseconds, or tenths of a second for a
large table, so it is best done between two searches (``grow_idle``). A search itself
does only the growth that cannot wait.
"""

from gomoku_brain.search.tt import TranspositionTable

__all__ = ["Growth"]

NODES_PER_SECOND = 1_500_000  # most nodes per second of a thread
OVERLOAD = 4  # nodes for each entry at which the table must grow during the search
GROWTH_SECONDS = 0.5  # with less time left the table does not grow within a search
# Seconds that several threads without a limit are expected to use
UNKNOWN_SECONDS = 30.0
NEXT_SEARCH = 3  # factor of the last search's nodes, for which ``grow_idle`` prepares


class Growth:
    """Nodes that a table has seen since it was cleared, and its size for more."""

    def __init__(self, table: TranspositionTable) -> None:
        """Start with an empty table."""
        self._table = table
        self._searched = 0
        self._last = 0  # nodes of the last search

    def forget(self) -> None:
        """Note that the table was cleared."""
        self._searched = self._last = 0

    def count(self, nodes: int) -> None:
        """Count the nodes of a finished search."""
        self._searched += nodes
        self._last = nodes

    def grow_idle(self) -> bool:
        """Do one step of growth between two searches; return whether another may
        follow.
        """
        return self._table.grow_idle(self._searched + NEXT_SEARCH * self._last)

    def make_room(self, nodes: float, left: float | None = None) -> None:
        """Prepare for so many nodes of the search that starts or continues.

        ``left`` seconds remain for it, None = no limit; with little time left nothing
        is done.
        """
        if left is None or left > GROWTH_SECONDS:
            self._table.make_room(max(nodes, (self._searched + nodes) / OVERLOAD))

    def make_room_for(self, seconds: float | None, threads: int) -> None:
        """Prepare for the nodes of so many threads in ``seconds``; None = no limit."""
        seconds = UNKNOWN_SECONDS if seconds is None else seconds
        self.make_room(seconds * NODES_PER_SECOND * threads)
