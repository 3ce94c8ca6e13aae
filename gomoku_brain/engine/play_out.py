"""Games between players in this process: the one loop that plays them."""

from collections.abc import Callable, Sequence

from gomoku_brain.control.limits import SearchResult
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side

__all__ = ["play_out"]


def play_out(
    board: Board,
    players: Sequence[Callable[[Board], Move | SearchResult | None]],
    max_stones: float | None = None,
) -> Side | None:
    """Play on a board until the game is over; return the winner, None if there is none.

    ``players``: for black and for white. A player returns a move, None to end the game
    here, or the result of a search. A proved result, which the engine has replayed,
    ends the game, without its move. A board with ``max_stones`` stones is a draw.
    """
    while board.winner is None and not board.is_full:
        if max_stones is not None and board.ply >= max_stones:
            break
        chosen = players[board.turn](board)
        if isinstance(chosen, SearchResult):
            if chosen.win_in is not None:
                return board.turn if chosen.win_in > 0 else board.turn.other
            chosen = chosen.move
        if chosen is None:
            break
        board.play(chosen)
    return board.winner
