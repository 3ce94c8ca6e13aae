from typing import Literal, final

from gomoku_brain.control.limits import ThreatTree
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.game.position import Board

@final
class VctSolver:
    """A search for wins by fours and threes, with a table of its own.

    The table of ``hash_mb`` MB (24 bytes a position) is allocated once. Raises
    ValueError for a size that is not positive, MemoryError when memory is short.
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
    ) -> Literal["win", "no win", "unknown"]:
        """Whether the side to move wins by continuous threats.

        "no win" is a proof within what counts as a threat; "unknown" says that
        ``control``, ``nodes`` (moves made) or an inner limit ended the search.

        With ``moves`` only wins count in which the attacker makes at most so many, the
        five included; ``fours_only`` lets him make nothing but fours, ``every`` try
        moves of any rank that are threats, as the proof needs that no win at all is so
        short; ``wide`` begins with all kinds of moves at once. Raises ValueError for a
        negative number of moves.
        """
    def resume(self, nodes: int) -> Literal["win", "no win", "unknown"]:
        """Go on with an "unknown" for so many moves more; answers as ``solve`` does.

        Raises ValueError when nothing has been solved.
        """
    def tree(self, nodes: int = 2_000_000) -> ThreatTree | None:
        """The tree of the win that ``solve`` or ``resume`` has just found.

        It costs at most so many moves, under the ``control`` of that search, what the
        table has lost being searched again; None when they end it. Raises ValueError
        without such a search.
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
