"""Pairs of games in one process between two settings of the engine, at fixed nodes.

An opening is played twice, with colours changed, so that neither it nor the first move
helps a side. At fixed nodes nothing depends on the clock, so pairs may run beside other
work, and the same pair gives the same result.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from gomoku_brain.eval.evaluate import evaluation_from
from gomoku_brain.eval.weights import Weights
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.search.engine import Engine
from gomoku_brain.search.limits import Limits

__all__ = ["Duel", "DuelSetting"]

HASH_MB = 8
FULL = 0.9  # share of a board that, once full, is called a draw


@dataclass(frozen=True, slots=True)
class DuelSetting:
    """What one side plays with."""

    nodes: int
    """A move."""
    params: dict[str, int] = field(default_factory=dict)
    """Other values for constants of ``search.params``."""
    weights: Weights | None = None
    """Of the evaluation; None = those of the package."""


class Duel:
    """Two engines with their settings, for one rule."""

    def __init__(
        self, first: DuelSetting, second: DuelSetting, rule: Rule, size: int
    ) -> None:
        """KeyError for a constant that does not exist, ValueError out of range.

        ValueError also for weights that no evaluation can take; those of another rule
        stay unused.
        """
        self.rule, self.size = rule, size
        self._sides: list[tuple[Engine, Limits]] = []
        for setting in (first, second):
            engine = Engine(hash_mb=HASH_MB)
            for name, value in setting.params.items():
                engine.worker.set_param(name, value)
            if setting.weights is not None:
                engine.set_evaluation(evaluation_from(setting.weights))
            self._sides.append((engine, Limits(nodes=setting.nodes)))

    def set_params(self, side: int, params: dict[str, int]) -> None:
        """Other constants for the first (0) or second (1) engine."""
        for name, value in params.items():
            self._sides[side][0].worker.set_param(name, value)

    def pair(self, opening: Sequence[Move]) -> tuple[float, float] | None:
        """Points of the first engine (0, 0.5, 1) moving first, then second.

        None when the opening is not playable.
        """
        points = []
        for first in (0, 1):
            board = Board(self.size, self.rule)
            for move in opening:
                if board.winner is not None or not board.is_legal(move):
                    return None
                board.play(move)
            if board.winner is not None:
                return None
            points.append(self._game(board, first))
        return points[0], points[1]

    def _game(self, board: Board, turn: int) -> float:
        for engine, _ in self._sides:
            engine.new_game()
        while board.ply < FULL * self.size * self.size:
            engine, limits = self._sides[turn]
            found = engine.search(board, limits)
            if found.win_in is not None and found.win_in > 0:  # replayed by the engine
                return 1.0 if turn == 0 else 0.0
            board.play(found.move)
            if board.winner is not None:  # a foul by renju's black, with no other move
                return 0.0 if turn == 0 else 1.0
            turn ^= 1
        return 0.5
