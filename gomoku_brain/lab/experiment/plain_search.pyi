from enum import IntEnum
from typing import NamedTuple, final

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board

class SourceEvaluation(IntEnum):
    """Which static evaluation ends the lines.

    The rule score of S1 to S3, the best shape of every stone of S4, ours, and ours
    after the static tests for wins (a win seen is 100,000 less its plies).
    """

    RULES = 0
    STONES = 1
    OURS = 2
    PROVED = 3

class Method(IntEnum):
    """How the tree is searched; each has what the one before it has, and more."""

    MINIMAX = 0
    ALPHABETA = 1
    ORDERED = 2
    TABLE = 3

class DepthResult(NamedTuple):
    """What a search of one depth found.

    ``nodes`` are moves made, ``evaluations`` static evaluations (those that order moves
    are evaluations, not nodes). When a limit came first, ``finished`` is False and
    ``move`` and ``score`` mean nothing.
    """

    move: Move
    score: int
    nodes: int
    evaluations: int
    finished: bool

@final
class PlainSearch:
    """Fixed-depth searches that cut only what cannot change the value.

    ``radius`` 1 or 2: the moves tried are the empty cells so near to a stone (diagonal
    steps count as one); 0: every empty cell. All calls raise ValueError for another
    rule than freestyle, and those that search for a game that is over and for a depth
    that is not 1..20.
    """

    def __init__(
        self, evaluation: SourceEvaluation, method: Method = ..., radius: int = 2
    ) -> None: ...
    def search(self, board: Board, depth: int, nodes: int | None = None) -> DepthResult:
        """The best move after exactly ``depth`` plies; ``nodes`` is a limit.

        Of equally good moves the first in search order.
        """
    def values(
        self, board: Board, depth: int, nodes: int | None = None
    ) -> dict[Move, int] | None:
        """The exact value of every candidate; None when the limit came first."""
    def tree_size(self, board: Board, depth: int) -> int:
        """How many nodes plain minimax takes: counted, not searched."""
    def evaluate(self, board: Board) -> int:
        """The static evaluation for the side to move."""
    def shape_counts(self, board: Board) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """For black and for white: blocked twos, open twos, blocked threes, open
        threes, fours, open fours, fives. ValueError unless the evaluation is RULES."""
    @property
    def nodes(self) -> int:
        """Nodes of the last search or ``values``."""

def win_in(score: int) -> int | None:
    """Plies to the end that a score tells (negative = lost); None when undecided."""
