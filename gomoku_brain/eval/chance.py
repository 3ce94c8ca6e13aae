"""The winning chance that a score stands for: the one place that turns it into one.

A chance is the result that a game is expected to have for a side, from 0 to 1: 1 is a
win, 0 a loss, and a draw counts one half. It is for people and for managers; search and
evaluation know scores only.
"""

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gomoku_brain.game.position import Board

__all__ = ["SCALE", "chance", "scale_of"]

SCALE = 200.0
"""Score units per logit. A logistic curve through the results of 774,678 positions of
43,500 games that the engine played against itself (freestyle, 2,000 nodes a move,
fitted weights) has the scale 211 +- 1."""
_STEEPEST = 40.0  # logits; beyond them a chance is 0 or 1 to twelve digits


def scale_of(board: "Board") -> float:
    """Score units per logit in a position."""
    return SCALE


def chance(score: int, win_in: int | None = None, scale: float = SCALE) -> float:
    """The chance of the side whose score it is: 1 / (1 + exp(-score / scale)).

    0 or 1 for a proved result.
    """
    if win_in is not None:
        return 1.0 if win_in > 0 else 0.0
    return 1 / (1 + math.exp(-max(-_STEEPEST, min(_STEEPEST, score / scale))))
