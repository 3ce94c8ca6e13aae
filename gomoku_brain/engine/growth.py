"""When the transposition table grows: between searches, before them and within them.

A table takes memory as it fills. To take it costs milliseconds, for a large table
tenths of a second, so it is best done between two searches (``settle``); within a
search only what cannot wait is done.
"""

from gomoku_brain.search.tt import TranspositionTable

__all__ = ["Growth"]

NODES_PER_SECOND = 1_500_000  # of a thread, at most
OVERLOAD = 4  # nodes an entry, and the table has to grow before the search goes on
GROWTH_SECONDS = 0.5  # with less time left the table does not grow within a search
UNKNOWN_SECONDS = 30.0  # what several threads without a limit may take
NEXT_SEARCH = 3  # times the nodes of the last search: what ``settle`` makes room for


class Growth:
    """The nodes that a table has seen since it was cleared, and its size for more."""

    def __init__(self, table: TranspositionTable) -> None:
        """Starts with an empty table."""
        self._table = table
        self._searched = 0
        self._last = 0  # nodes of the last search

    def forget(self) -> None:
        """The table was cleared."""
        self._searched = self._last = 0

    def count(self, nodes: int) -> None:
        """A search of so many nodes has ended."""
        self._searched += nodes
        self._last = nodes

    def settle(self) -> bool:
        """One step of growing between two searches; whether another may follow."""
        return self._table.settle(self._searched + NEXT_SEARCH * self._last)

    def make_room(self, nodes: float, left: float | None = None) -> None:
        """Prepare for so many nodes of the search that begins or goes on.

        ``left`` seconds remain for it, None = no limit; with few of them nothing is
        done.
        """
        if left is None or left > GROWTH_SECONDS:
            self._table.make_room(max(nodes, (self._searched + nodes) / OVERLOAD))

    def make_room_for(self, seconds: float | None, threads: int) -> None:
        """Prepare for what so many threads may search in a time; None = no limit."""
        seconds = UNKNOWN_SECONDS if seconds is None else seconds
        self.make_room(seconds * NODES_PER_SECOND * threads)
