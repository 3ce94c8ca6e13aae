from gomoku_brain.game.position import Board

def time_moves(position: Board, rounds: int) -> float:
    """Return the nanoseconds per make and undo of a candidate move, on average."""

def time_moves_evaluated(position: Board, rounds: int) -> float:
    """Return the nanoseconds per make, evaluation and undo of a candidate move, on
    average.

    The evaluation's state follows by one move each time.
    """

def time_evaluate(position: Board, rounds: int) -> float:
    """Return the nanoseconds per static evaluation, with each side to move in turn."""
