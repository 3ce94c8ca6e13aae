from collections.abc import Iterable, Sequence
from typing import Final, final

from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.eval.evaluator import Evaluation
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.search.tt import TranspositionTable

class Features:
    """Bits for ``Worker(features=)``, with which tests compare with plain searches."""

    STATIC_TESTS: Final[int]
    LEAF_VCF: Final[int]
    PRUNING: Final[int]
    REDUCTIONS: Final[int]
    EXTENSIONS: Final[int]
    TABLE_CUTS: Final[int]
    ALL: Final[int]

@final
class Worker:
    """Board, histories and stack of one searching thread, over a shared table.

    Methods that need a position raise RuntimeError before ``set_position``.
    """

    def __init__(self, table: TranspositionTable, features: int = ...) -> None: ...
    def set_param(self, name: str, value: int) -> None:
        """Set another value for one of ``params.PARAMETERS``, for tuning.

        KeyError for an unknown name, ValueError out of range.
        """
    def set_evaluation(self, evaluation: Evaluation | None) -> None:
        """Use an evaluation in place of the shipped one of its rule; None = the shipped
        one.

        It applies to positions set afterwards.
        """
    def forget(self) -> None:
        """Clear the histories."""
    def set_position(
        self, board: Board, control: SearchControl, nodes: int | None = None
    ) -> None:
        """Take a copy of a position and set the node counter to 0.

        ``nodes`` limits all searches until the next call together.
        """
    def count_nodes(self, nodes: int) -> None:
        """Count nodes that another search made for this one."""
    def search(
        self,
        plies: float,
        alpha: int = ...,
        beta: int = ...,
        exclude: tuple[Move, ...] = (),
    ) -> int:
        """Search to a depth within a window (see the node function); releases the GIL.

        The result has no meaning if ``stopped`` is set afterwards, but a ``pv`` that is
        not empty then still begins with a move better than alpha.
        """
    def solve_vcf(
        self,
        fours: int = ...,
        nodes: int | None = None,
        exclude: Iterable[tuple[int, int]] = (),
    ) -> tuple[tuple[Move, ...], int] | tuple[()] | None:
        """Return a victory by continuous fours of the side to move, with the fewest
        fours.

        A win is (line up to where static tests find the rest, plies to the five). ()
        means that there is none, None that a limit was met first (``nodes`` counts from
        now). The first move is none of ``exclude``.
        """
    def evaluate(self) -> int:
        """Return the static evaluation for the side to move."""
    def evaluate_along(
        self, moves: Sequence[tuple[int, int]], step: int = 1
    ) -> list[int]:
        """Return static evaluations after each move of a line, each for the side then
        to move.

        ``step``: evaluate after every so many moves only, like a search that needs no
        value of most nodes. ValueError for a cell that is not empty. The line is undone
        at the end.
        """
    def best_by_score(self, exclude: tuple[Move, ...] = ()) -> Move | None:
        """Return the legal candidate with the best move score; None without one."""
    @property
    def pv(self) -> tuple[Move, ...]:
        """Line found by the last search."""
    @property
    def nodes(self) -> int:
        """Moves made since ``set_position``."""
    @property
    def seldepth(self) -> int:
        """Deepest ply reached since ``set_position``."""
    @property
    def stopped(self) -> bool:
        """Whether a limit ended the last search."""
