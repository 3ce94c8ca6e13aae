from collections.abc import Iterable
from typing import Literal, final

from gomoku_brain.control.limits import ThreatTree
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.game.position import Board

@final
class VctSolver:
    """Search for wins by fours and threes, with a table of its own.

    The table of ``hash_mb`` MB (24 bytes a position) is allocated once. Raises
    ValueError for a size that is not positive, MemoryError if memory is short.
    """

    def __new__(cls, hash_mb: float = 32) -> VctSolver: ...
    def solve(
        self,
        board: Board,
        control: SearchControl,
        nodes: int | None = None,
        *,
        moves: int = 0,
        fours_only: bool = False,
        every: bool = False,
        wide: bool = False,
        exclude: Iterable[tuple[int, int]] = (),
    ) -> Literal["win", "no win", "unknown"]:
        """Search for a win of the side to move by continuous threats.

        Return "win", "no win" or "unknown". "no win" is a proof within the moves that
        count as threats; "unknown" means that ``control``, ``nodes`` (moves made) or an
        inner limit ended the search.

        With ``moves`` only wins count in which the attacker makes at most so many, the
        five included. ``fours_only`` lets him make only fours. ``every`` lets him try
        moves of any rank that are threats, as needed to prove that no win at all is so
        short. ``wide`` starts with all kinds of moves at once. The attacker's first
        move is none of ``exclude``; then all threats are tried as that move. Raises
        ValueError for a negative number of moves.
        """
    def resume(self, nodes: int) -> Literal["win", "no win", "unknown"]:
        """Continue an "unknown" search for so many moves more; return a status as
        ``solve``.

        Raises ValueError if no position has been searched.
        """
    def tree(self, nodes: int = 2_000_000) -> ThreatTree | None:
        """Return the tree of the win that ``solve`` or ``resume`` has just found.

        It makes at most so many moves, under the ``control`` of that search, and
        repeats the search of positions that the table has lost; None if a limit ends
        it. Raises ValueError without such a search.
        """
    @property
    def nodes(self) -> int:
        """Moves made by the last search."""
    @property
    def stopped(self) -> bool:
        """Whether ``control`` or the node limit ended the last search."""
    @property
    def incomplete(self) -> bool:
        """Whether an inner limit cut off some search of fours."""
