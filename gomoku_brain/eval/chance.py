"""Winning chance of a score; no other module converts scores to chances.

A chance is the expected result of a game for a side, from 0 to 1: 1 is a win, 0 a loss,
and a draw counts one half. Chances are for people and for managers; search and
evaluation use scores only.

    chance = 1 / (1 + exp(-score / scale)),    scale = SCALE * cells / empty cells

A lead is worth less on a fuller board, since fewer moves are left to win with.
"""

TYPE_CHECKING = False  # typing takes milliseconds of the start to import
if TYPE_CHECKING:
    from gomoku_brain.game.position import Board

__all__ = ["SCALE", "chance", "scale_of"]

SCALE = 250.0
"""Score units per logit on an empty board, under every rule.

``lab.train.calibration`` finds 253 for the weights of one version and 223 (188 to 267)
for those of a later one, each in 340 games at about 100,000 nodes a move. 250 fits
both; see ``docs/WEIGHTS.md``.
"""
_STEEPEST = 40.0  # logits; beyond them a chance is 0 or 1 to twelve digits


def scale_of(board: "Board") -> float:
    """Return the score units per logit in a position."""
    cells = board.width * board.height
    return SCALE * cells / max(1, cells - board.ply)


def chance(score: int, win_in: int | None = None, scale: float = SCALE) -> float:
    """Return the chance of the side with the score; 0 or 1 for a proved result."""
    if win_in is not None:
        return 1.0 if win_in > 0 else 0.0
    import math  # late, as typing

    return 1 / (1 + math.exp(-max(-_STEEPEST, min(_STEEPEST, score / scale))))
