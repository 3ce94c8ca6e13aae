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
    """A line on which a side has a four, or an open three."""

    side: Side
    """Whose stones they are."""
    direction: int
    """0 row, 1 column, 2 falling and 3 rising diagonal."""
    line: int
    """Which line of the direction."""
    is_four: bool
    """A five threatens; otherwise an open four."""
    is_solid: bool
    """The stones stand in a row without a gap."""
    @property
    def is_diagonal(self) -> bool:
        """Whether the line is a diagonal."""

class Weighed(NamedTuple):
    """A legal move near the stones, and how it looks."""

    move: Move
    own: int
    """What it makes for its player: MAKES_FIVE, the most, or less; 0: little."""
    theirs: int
    """What it would make for the opponent, so what it takes away."""
    value: int
    """The worth of all that it makes and takes away; about 20 is an open three."""

def threats(board: Board) -> list[Threat]:
    """The fours and open threes of both sides, one a line."""

def weigh(
    board: Board, unseen: Iterable[tuple[int, int, int]] = (), forks: bool = True
) -> list[Weighed]:
    """The legal moves within two cells of a stone, row by row, as they look.

    ``unseen`` lists (side, direction, line): what the side has on that line does not
    count. Without ``forks`` each line is looked at by itself: that a move makes two
    threats at once goes unnoticed.
    """
