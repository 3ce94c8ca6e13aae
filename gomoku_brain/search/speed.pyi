from gomoku_brain.game.position import Board

def time_moves(position: Board, rounds: int) -> float:
    """Nanoseconds per make and undo of a candidate move, on average."""

def time_evaluate(position: Board, rounds: int) -> float:
    """Nanoseconds per static evaluation, each side to move in turn."""
