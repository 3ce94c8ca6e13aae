from typing import Final

from gomoku_brain.eval.evaluate import BoardEvaluator
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule

COUNT_OF_KINDS: Final[int]

def position_features(board: Board) -> tuple[bytes, bytes, int] | None:
    """Return (kinds, counts, tempo) of a position as the static evaluation reads it.

    ``kinds`` and ``counts`` are uint16 arrays as bytes: the kinds of the empty cells
    and the number of cells of each. The kinds of the side to move come first; those of
    the other side are raised by 2,380. None if static tests decide the position or if
    only one move defends against a five, since such a position is never evaluated.
    """

def kinds_of_cells(board: Board) -> bytes:
    """Return two uint16 for each cell, as bytes: black's kind and white's.

    Cells are in rows from the top. The value of a cell with a stone is 2,380
    (``COUNT_OF_KINDS``).
    """

def kinds_of_stones(
    stones: bytes, white_moves: bytes, size: int, rule: Rule
) -> bytearray:
    """Return two uint16 for each cell of each position, as a bytearray: the mover's
    kind and the other side's.

    ``stones``: a byte for each cell, in rows from the top: 0 empty, 1 the mover's, 2
    the other's. ``white_moves``: a byte for each position, 1 if white is to move. The
    value of a cell with a stone is 2,380 (``COUNT_OF_KINDS``).
    """

def values_of_stones(
    stones: bytes, white_moves: bytes, size: int, rule: Rule, evaluator: BoardEvaluator
) -> list[int]:
    """Return the values of positions for the side to move, in score units, as a list.

    Positions as in ``kinds_of_stones``; ``evaluator``: a ``BoardEvaluator``.
    """

def move_features(board: Board, move: Move) -> tuple[bytes, bytes, int] | None:
    """Return (own kinds, other side's kinds, index of ``move``) over the moves to
    choose from.

    These are the moves that the search would try: the candidates, or the only replies
    to a threat. None if there is no choice, if ``move`` is not among them, or if static
    tests decide the position.
    """
