"""Search with an evaluation in Python, beside the compiled searches of the sources."""

import importlib
import sys
from collections.abc import Callable
from pathlib import Path

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.plain.plain_search import DepthResult

__all__ = ["Evaluate", "OwnSearch", "load_evaluation"]

Evaluate = Callable[[Board], float]
"""Evaluation: the value of a position for the side to move."""

WON = 100_000
MOST = 50_000  # largest value of an evaluation; beyond are wins by their distance
RADIUS = 2  # of the moves tried, as in the compiled searches


class OutOfNodes(Exception):
    """End of a search at its limit of nodes."""


def load_evaluation(name: str) -> Evaluate:
    """Return the function of a name "module:function".

    Modules of the current folder are found. Raises ValueError if there is none.
    """
    module, _, function = name.partition(":")
    if not module or not function:
        raise ValueError(f"--evaluation {name}: write MODULE:FUNCTION")
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        found = getattr(importlib.import_module(module), function)
    except ImportError as error:
        raise ValueError(f"--evaluation {name}: {error}") from None
    except AttributeError:
        raise ValueError(
            f"--evaluation {name}: the module has no {function!r}"
        ) from None
    if not callable(found):
        raise ValueError(f"--evaluation {name}: {function!r} is no function")
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
        """Return the best move after ``depth`` plies; ``nodes`` is a limit.

        Of equally good moves it is the first in search order.
        """
        self._nodes = self._evaluations = 0
        self._limit = nodes
        board = board.copy()
        moves = self._moves(board)
        best, alpha = moves[0], -WON
        try:
            for move in moves:
                score = self._after(board, move, depth, 1, -WON, -alpha)
                if score > alpha:
                    best, alpha = move, score
        except OutOfNodes:
            return DepthResult(best, 0, self._nodes, self._evaluations, finished=False)
        return DepthResult(best, alpha, self._nodes, self._evaluations, finished=True)

    def _after(
        self, board: Board, move: Move, depth: int, ply: int, alpha: int, beta: int
    ) -> int:
        """Return the score of a move for the side that makes it."""
        if self._limit is not None and self._nodes >= self._limit:
            raise OutOfNodes
        self._nodes += 1
        wins = board.wins_at(move)
        if wins:
            return WON - ply
        board.play(move)
        try:
            return -self._value(board, depth - 1, ply + 1, alpha, beta)
        finally:
            board.undo()

    def _value(self, board: Board, depth: int, ply: int, alpha: int, beta: int) -> int:
        if board.is_full:
            return 0
        if depth == 0:
            self._evaluations += 1
            return round(min(max(self._evaluate(board), -MOST), MOST))
        for move in self._moves(board):
            alpha = max(alpha, self._after(board, move, depth, ply, -beta, -alpha))
            if alpha >= beta:
                break
        return alpha

    @staticmethod
    def _moves(board: Board) -> list[Move]:
        """Return the legal moves near the stones, those near the centre first."""
        legal = board.legal_moves()
        stones = board.moves
        near = {
            (x + dx, y + dy)
            for x, y in stones
            for dx in range(-RADIUS, RADIUS + 1)
            for dy in range(-RADIUS, RADIUS + 1)
        }
        middle = (board.width - 1) / 2, (board.height - 1) / 2
        found = [move for move in legal if move in near] or legal
        return sorted(
            found, key=lambda m: max(abs(m.x - middle[0]), abs(m.y - middle[1]))
        )
