from gomoku_brain.game.position import Board

def time_moves(position: Board, rounds: int) -> float:
    """Nanoseconds per make and undo of a candidate move, on average."""

def time_moves_evaluated(position: Board, rounds: int) -> float:
    """Nanoseconds per make, evaluation and undo of a candidate move, on average.

    What an evaluation keeps for the position follows by one move each time.
    """

def time_evaluate(position: Board, rounds: int) -> float:
    """Nanoseconds per static evaluation, each side to move in turn."""
