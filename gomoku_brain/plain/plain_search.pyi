from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import Literal, NamedTuple, final, overload

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board

clock: Callable[[], float]

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

class SearchMethod(IntEnum):
    """Search method; each one adds a technique to the one before it."""

    MINIMAX = 0
    ALPHABETA = 1
    ORDERED = 2
    TABLE = 3

class DepthResult(NamedTuple):
    """Result of a search to one depth.

    ``nodes`` are moves made, ``evaluations`` static evaluations (those that order moves
    are evaluations, not nodes). ``cutoffs`` are positions in which a move made others
    needless. ``seconds`` are processor time. The score of a win is 10,000,000 minus its
    plies. If a limit came first, ``finished`` is False and ``move`` and ``score`` have
    no meaning.
    """

    move: Move
    score: float
    nodes: int
    evaluations: int
    cutoffs: int
    seconds: float
    finished: bool

@final
class PlainSearch:
    """Fixed-depth searches whose cutoffs never change the value.

    ``evaluation`` is a ``SourceEvaluation``, or a function that receives a ``Board``
    and returns its value for the side to move; values are limited to +-1,000,000. With
    ``batched`` it receives a list of boards, the positions after several moves of one
    position, and returns a value for each (a list or a numpy array). The search uses
    the boards again: copy one that you keep. The function is not called for a position
    whose game is over.

    ``radius`` 1 or 2: the moves tried are the legal cells at most so far from a stone
    (a diagonal step counts as one); 0: every legal cell.

    The methods that search raise ValueError for a finished game, for a position without
    a legal candidate and for a depth outside 1..20. A search that is running refuses
    another one (RuntimeError).
    """

    @overload
    def __init__(
        self,
        evaluation: SourceEvaluation | Callable[[Board], float],
        method: SearchMethod = ...,
        radius: int = 2,
        *,
        batched: Literal[False] = False,
    ) -> None: ...
    @overload
    def __init__(
        self,
        evaluation: Callable[[list[Board]], Iterable[float]],
        method: SearchMethod = ...,
        radius: int = 2,
        *,
        batched: Literal[True],
    ) -> None: ...
    def search(self, board: Board, depth: int, nodes: int | None = None) -> DepthResult:
        """Return the best move after exactly ``depth`` plies; ``nodes`` is a limit.

        Of equally good moves it is the first in search order.
        """
    @overload
    def values(self, board: Board, depth: int, nodes: None = None) -> dict[Move, float]:
        """Return the exact value of every candidate; None if the limit stopped the
        search.
        """
    @overload
    def values(
        self, board: Board, depth: int, nodes: int | None = None
    ) -> dict[Move, float] | None:
        """Return the exact value of every candidate; None if the limit stopped the
        search.
        """
    def tree_size(self, board: Board, depth: int) -> int:
        """Count the nodes of plain minimax, without a search."""
    def evaluate(self, board: Board) -> float:
        """Return the static evaluation for the side to move."""
    def shape_counts(self, board: Board) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the shape counts of black and of white.

        Each is a tuple: blocked twos, open twos, blocked threes, open threes, fours,
        open fours, fives. Raises ValueError unless the evaluation is ``RULES``.
        """
    @property
    def nodes(self) -> int:
        """Nodes of the last call of ``search`` or ``values``."""

def win_in(score: float) -> int | None:
    """Return the plies to the end by a score, negative if lost; None if undecided."""
