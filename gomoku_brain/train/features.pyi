from typing import Final

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board

COUNT_OF_KINDS: Final[int]

def position_features(board: Board) -> tuple[bytes, bytes, int] | None:
    """(kinds, counts, tempo) as a static evaluation sees the position, else None.

    ``kinds`` and ``counts`` are uint16 arrays as bytes: which kinds of empty cells
    there are and how many of each, those of the side to move first, the other side's
    kinds raised by 2,380. None when the position is won or lost by static tests or has
    only one move against a five, for it is then never evaluated.
    """

def move_features(board: Board, move: Move) -> tuple[bytes, bytes, int] | None:
    """(own kinds, other's kinds, index of ``move``) over the moves to choose from.

    The moves are those that the search would try: the candidates, or the only replies
    to a threat. None when there is nothing to choose, ``move`` is not among them, or
    static tests end the game.
    """
