from array import array
from collections.abc import Iterable
from os import PathLike
from typing import Final, final

from gomoku_brain.eval.evaluator import Evaluation
from gomoku_brain.eval.weights import Weights
from gomoku_brain.game.position import Board

MAKERS: Final[dict[str, type[Evaluation]]]

def evaluation_from(weights: Weights) -> Evaluation:
    """Return the evaluation for a set of weights.

    Raises ValueError, in one line, for an unknown kind and for parts that do not fit.
    """

def evaluation_in(path: str | PathLike[str]) -> Evaluation:
    """Return the evaluation for the weights in a file.

    Raises OSError, and ValueError, in one line with the path, for other content.
    """

def use_weights(path: str | PathLike[str]) -> None:
    """Evaluate by a weights file in place of the shipped one of its rule, in the whole
    process. Call it before the first search. Raises as ``evaluation_in``.
    """

def evaluation_of(rule: int) -> Evaluation:
    """Return the shipped evaluation of a rule, or the hand-set values without a file.

    Raises ValueError for a damaged file, since that is better than playing weakly
    without notice.
    """

@final
class BoardEvaluator:
    """Static evaluations of boards of any rule and size, without a search.

    Two threads may use it at the same time: the GIL is held for each board.
    """

    def set_evaluation(self, evaluation: Evaluation | None) -> None:
        """Use an evaluation in place of the shipped one of its rule; None = the shipped
        one."""
    def value(self, board: Board) -> int:
        """Return the value of a position for its side to move, in score units.

        It is the static evaluation, as at a leaf of the search: threats are neither
        searched nor proved. After the end of the game it is the score of a win (WIN), a
        loss (-WIN) or a draw (0).
        """
    def move_scores(self, board: Board) -> array[float]:
        """Return the move scores of all cells in rows from the top, as an ``array`` of
        C doubles: NaN for a cell that the side to move may not play.
        """
    def values(self, boards: Iterable[Board]) -> array[int]:
        """Return the ``value`` of each board, as an ``array`` of C integers.

        Raises TypeError for an element that is not a ``Board``.
        """
