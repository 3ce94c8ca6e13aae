"""The 20 end-game levels of the source report S2, as puzzles: black moves and wins."""

from typing import NamedTuple

from gomoku_brain.game.notation import Move, parse_move, parse_moves
from gomoku_brain.game.package_data import read_data
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side

__all__ = ["Puzzle", "puzzle_levels"]


class Puzzle(NamedTuple):
    """Puzzle of one level."""

    number: int
    """Number of the level, 1 to 20, roughly from easy to hard."""
    board: Board
    """Position: freestyle, 15x15, black to move."""
    move: Move
    """Move that wins; there may be others."""
    plies: int
    """Single moves to the five in the shortest known win."""


def puzzle_levels() -> tuple[Puzzle, ...]:
    """Return all levels in order, from ``data/levels.txt``, with new boards."""
    found = []
    for line in read_data("levels.txt").decode("ascii").splitlines():
        if line.startswith("#"):
            continue
        number, black, white, move, plies = line.split()
        board = Board.from_stones(
            parse_moves(black), parse_moves(white), turn=Side.BLACK
        )
        found.append(Puzzle(int(number), board, parse_move(move), int(plies)))
    return tuple(found)
