"""Puzzles: the 20 end-game levels of the source report S2, and a set of our solver."""

from functools import cache
from typing import NamedTuple

from gomoku_brain.game.notation import Move, parse_move, parse_moves
from gomoku_brain.game.package_data import read_data
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side

__all__ = ["Exercise", "Puzzle", "exercises", "puzzle_levels"]

EXERCISES = "gui_puzzles.txt"  # in the package's data
EXERCISE_SIZE = 15


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


class Exercise(NamedTuple):
    """Position to solve: the side to move wins by force."""

    name: str
    """Unique name, "set:17" for a shipped one."""
    rule: Rule
    size: int
    moves: tuple[Move, ...]
    """Moves from the empty board to the position, black first."""
    answers: tuple[Move, ...]
    """First moves that are proved to win, the quickest first."""
    plies: int
    """Single moves to the five after the quickest of them."""
    rating: int
    """Difficulty, on the scale of the ratings of the people who solve it."""

    @property
    def board(self) -> Board:
        """New board with the position."""
        return Board.from_moves(self.moves, self.size, self.rule)

    @property
    def side(self) -> Side:
        """Side to move, which finds the win."""
        return Side.WHITE if len(self.moves) % 2 else Side.BLACK


@cache
def exercises() -> tuple[Exercise, ...]:
    """Return the shipped set, from easy to hard."""
    found = []
    for line in read_data(EXERCISES).decode("ascii").splitlines():
        if not line.startswith("#"):
            number, rule, moves, answers, plies, rating = line.split()
            found.append(
                Exercise(
                    f"set:{number}",
                    Rule[rule.upper()],
                    EXERCISE_SIZE,
                    tuple(parse_moves(moves)),
                    tuple(parse_moves(answers)),
                    int(plies),
                    int(rating),
                )
            )
    return tuple(found)
