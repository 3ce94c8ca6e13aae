from typing import Final

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board

COUNT_OF_KINDS: Final[int]

def line_classes(rule: int) -> tuple[int, bytes]:
    """(reach, table) of a rule: the line classes that an empty cell has in a window.

    The table is bytes by key: two bits for each cell but the middle one, lowest first,
    coded as in ``game.board``; black's class | white's class << 4.
    """

def position_features(board: Board) -> tuple[bytes, bytes, int] | None:
    """(kinds, counts, tempo) as a static evaluation sees the position, else None.

    ``kinds`` and ``counts`` are uint16 arrays as bytes: which kinds of empty cells
    there are and how many of each, those of the side to move first, the other side's
    kinds raised by 2,380. None when the position is won or lost by static tests or has
    only one move against a five, for it is then never evaluated.
    """

def kinds_of_cells(board: Board) -> bytes:
    """Two uint16 a cell, rows from the top, as bytes: black's kind and white's.

    2,380 (``COUNT_OF_KINDS``) stands for a cell that is not empty.
    """

def move_choices(board: Board) -> list[Move]:
    """The moves to choose from, as ``move_features`` has them; [] where it has none."""

def move_features(board: Board, move: Move) -> tuple[bytes, bytes, int] | None:
    """(own kinds, other's kinds, index of ``move``) over the moves to choose from.

    The moves are those that the search would try: the candidates, or the only replies
    to a threat. None when there is nothing to choose, ``move`` is not among them, or
    static tests end the game.
    """
