from collections.abc import Iterable
from typing import NamedTuple

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side

MAKES_FORK: int
"""``Weighed.own`` and ``Weighed.theirs`` of a winning fork."""
MAKES_OPEN_FOUR: int
MAKES_FIVE: int

class Threat(NamedTuple):
    """Line on which a side has a four, or an open three."""

    side: Side
    """Side that has the four or three."""
    direction: int
    """0 row, 1 column, 2 falling and 3 rising diagonal."""
    line: int
    """Number of the line in its direction."""
    is_four: bool
    """Whether a five threatens; otherwise an open four."""
    is_solid: bool
    """Whether the stones stand in a row without a gap."""
    @property
    def is_diagonal(self) -> bool:
        """Whether the line is a diagonal."""

class Weighed(NamedTuple):
    """Candidate move with its heuristic score."""

    move: Move
    own: int
    """Best shape for its player: ``MAKES_FIVE`` is the most; 0: little."""
    theirs: int
    """Best shape that it prevents, in the same numbers."""
    value: int
    """Value of all shapes that it makes and prevents; about 20 is an open three."""

def threats(board: Board) -> list[Threat]:
    """Return the fours and open threes of both sides, one for each line."""

def weigh(
    board: Board, unseen: Iterable[tuple[int, int, int]] = (), forks: bool = True
) -> list[Weighed]:
    """Return the legal moves within two cells of a stone, row by row, with their
    values.

    ``unseen`` lists (side, direction, line): shapes of the side on that line do not
    count. Without ``forks`` each line is rated by itself, so a move with two threats at
    once has no extra value.
    """
