"""Search with an evaluation in Python, beside the compiled searches of the sources."""

import pkgutil
import sys
from collections.abc import Callable
from pathlib import Path

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.plain.plain_search import DepthResult
from gomoku_brain.study.annotate import candidates

__all__ = ["Evaluate", "OwnSearch", "load_evaluation"]

Evaluate = Callable[[Board], float]
"""Evaluation: the value of a position for the side to move."""

WON = 10_000_000  # as in the compiled searches
MAX_VALUE = 50_000  # of an evaluation


class OutOfNodes(Exception):
    """End of a search at its limit of nodes."""


def load_evaluation(name: str) -> Evaluate:
    """Return the function of a name "module:function".

    Modules of the current folder are found. Raises ValueError if there is none.
    """
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        found = pkgutil.resolve_name(name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"--evaluation {name}: {error}") from None
    if ":" not in name or not callable(found):
        raise ValueError(f"--evaluation {name}: not MODULE:FUNCTION")
    evaluate: Evaluate = found
    return evaluate


class OwnSearch:
    """Alpha-beta search to a fixed depth with an evaluation in Python."""

    def __init__(self, evaluate: Evaluate) -> None:
        """``evaluate`` is called at the leaves."""
        self._evaluate = evaluate
        self._nodes = self._evaluations = 0
        self._limit: int | None = None

    def search(self, board: Board, depth: int, nodes: int | None = None) -> DepthResult:
        """Return the best move after ``depth`` plies; ``nodes`` is a limit."""
        self._nodes = self._evaluations = 0
        self._limit = nodes
        finished = True
        try:
            move, score = self._best(board.copy(), depth, 1, -WON, WON)
        except OutOfNodes:
            move, score, finished = Move(0, 0), 0, False
        return DepthResult(move, score, self._nodes, self._evaluations, finished)

    def _best(
        self, board: Board, depth: int, ply: int, alpha: int, beta: int
    ) -> tuple[Move, int]:
        """Return the best move and its score, those near the centre first."""
        middle = (board.width - 1) / 2, (board.height - 1) / 2
        moves = sorted(
            candidates(board),
            key=lambda m: max(abs(m.x - middle[0]), abs(m.y - middle[1])),
        )
        best = moves[0]
        for move in moves:
            if self._nodes == self._limit:
                raise OutOfNodes
            self._nodes += 1
            score = WON - ply
            if not board.wins_at(move):
                board.play(move)
                if board.is_full:
                    score = 0
                elif depth == 1:
                    self._evaluations += 1
                    value = self._evaluate(board)
                    score = -round(min(max(value, -MAX_VALUE), MAX_VALUE))
                else:
                    score = -self._best(board, depth - 1, ply + 1, -beta, -alpha)[1]
                board.undo()
            if score > alpha:
                best, alpha = move, score
            if alpha >= beta:
                break
        return best, alpha
