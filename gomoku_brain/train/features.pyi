from typing import Final

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board

COUNT_OF_KINDS: Final[int]

def position_features(board: Board) -> tuple[bytes, bytes, int] | None: ...
def move_features(board: Board, move: Move) -> tuple[bytes, bytes, int] | None: ...
