"""End of a game on the board: a five, a full board, or a foul of black in renju.

A ``Board`` detects only the first two, because a position alone does not show that a
stone of it was forbidden when it was played. The moves of a game show it.
"""

from typing import NamedTuple

from gomoku_brain.game.notation import Move, foul_words
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.records.game import Game

__all__ = ["Foul", "foul_of", "is_over", "winner_of"]


class Foul(NamedTuple):
    """Forbidden move of black, which lost the game."""

    move: Move
    number: int
    """Number of the move in its game, from 1."""
    kind: str
    """"double three", "double four" or "overline"."""
    later: int
    """Number of the moves that were made after it."""

    def __str__(self) -> str:
        """Return the foul in words: "black's move 9, h8, is forbidden (double
        three)".
        """
        text = f"black's move {self.number}, {self.move}, is forbidden ({self.kind})"
        if self.later:
            text += f", {self.later} move{'s follow' if self.later > 1 else ' follows'}"
        return text


def foul_of(game: Game, board: Board) -> Foul | None:
    """Return the foul on the way from the game's start to a position of the game.

    None if there is none, and if a five ended the game before it.
    """
    if not board.rule.has_fouls:
        return None
    start = game.board(0)
    moves = board.moves[start.ply :]
    for number, move in enumerate(moves, start=1):
        if start.winner is not None:
            return None
        if start.turn is Side.BLACK and (kind := start.foul(move)) is not None:
            return Foul(move, number, foul_words(kind), len(moves) - number)
        start.play(move)
    return None


def winner_of(game: Game, board: Board) -> Side | None:
    """Return the side that has won at a position of a game; None for neither."""
    return Side.WHITE if foul_of(game, board) is not None else board.winner


def is_over(game: Game, board: Board) -> bool:
    """Whether a game has ended at a position of it."""
    return winner_of(game, board) is not None or board.is_full
