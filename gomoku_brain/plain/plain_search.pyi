from enum import IntEnum
from typing import NamedTuple, final

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board

class SourceEvaluation(IntEnum):
    """Static evaluation at the leaves of a search.

    The rule score of S1 to S3, the best shape of every stone of S4, our evaluation, and
    ours after the static tests for wins (a win found by them is 100,000 minus its
    plies).
    """

    RULES = 0
    STONES = 1
    OURS = 2
    PROVED = 3

class Method(IntEnum):
    """Search method; each one adds a technique to the one before it."""

    MINIMAX = 0
    ALPHABETA = 1
    ORDERED = 2
    TABLE = 3

class DepthResult(NamedTuple):
    """Result of a search to one depth.

    ``nodes`` are moves made, ``evaluations`` static evaluations (those that order moves
    are evaluations, not nodes). If a limit came first, ``finished`` is False and
    ``move`` and ``score`` have no meaning.
    """

    move: Move
    score: int
    nodes: int
    evaluations: int
    finished: bool

@final
class PlainSearch:
    """Fixed-depth searches whose cutoffs never change the value.

    ``radius`` 1 or 2: the moves tried are the empty cells at most so far from a stone
    (a diagonal step counts as one); 0: every empty cell.

    All methods raise ValueError for another rule than freestyle. Those that search also
    raise it for a finished game and for a depth outside 1..20.
    """

    def __init__(
        self, evaluation: SourceEvaluation, method: Method = ..., radius: int = 2
    ) -> None: ...
    def search(self, board: Board, depth: int, nodes: int | None = None) -> DepthResult:
        """Return the best move after exactly ``depth`` plies; ``nodes`` is a limit.

        Of equally good moves it is the first in search order.
        """
    def values(
        self, board: Board, depth: int, nodes: int | None = None
    ) -> dict[Move, int] | None:
        """Return the exact value of every candidate; None if the limit stopped the
        search.
        """
    def tree_size(self, board: Board, depth: int) -> int:
        """Count the nodes of plain minimax, without a search."""
    def evaluate(self, board: Board) -> int:
        """Return the static evaluation for the side to move."""
    def shape_counts(self, board: Board) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the shape counts of black and of white.

        Each is a tuple: blocked twos, open twos, blocked threes, open threes, fours,
        open fours, fives. Raises ValueError unless the evaluation is ``RULES``.
        """
    @property
    def nodes(self) -> int:
        """Nodes of the last call of ``search`` or ``values``."""

def win_in(score: int) -> int | None:
    """Return the plies to the end by a score, negative if lost; None if undecided."""
