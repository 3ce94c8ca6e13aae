"""Positions of a proof, whose stones are bits, on the engine's board."""

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.prove.grid import Grid, Position, bits_of

__all__ = ["board_of", "cell_of", "move_of"]


def board_of(
    grid: Grid, stones: Position, winner: Side, turn: Side, rule: Rule
) -> Board:
    """The board with a position's stones; ``winner`` is the side of the first ones."""
    attacker, defender = (
        [move_of(grid, cell) for cell in bits_of(part)] for part in stones
    )
    black, white = (
        (attacker, defender) if winner is Side.BLACK else (defender, attacker)
    )
    size = grid.width, grid.height
    return Board.from_stones(black, white, turn=turn, size=size, rule=rule)


def move_of(grid: Grid, cell: int) -> Move:
    """The move on the cell with this bit number."""
    y, x = divmod(cell, grid.stride)
    return Move(x, y)


def cell_of(grid: Grid, move: Move) -> int:
    """The bit number of the cell of a move."""
    return move.y * grid.stride + move.x
