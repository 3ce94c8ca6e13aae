"""Conversion of a proof's positions, whose stones are bits, to the engine's board and
back.
"""

from collections.abc import Iterable

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.proofs.grid import Grid, Position, bits_of

__all__ = ["board_of", "cell_of", "move_of", "stones_of"]


def board_of(
    grid: Grid, stones: Position, winner: Side, turn: Side, rule: Rule
) -> Board:
    """Return the board with a position's stones; ``winner`` is the side of the
    attacker's.
    """
    attacker, defender = (
        [move_of(grid, cell) for cell in bits_of(part)] for part in stones
    )
    black, white = (
        (attacker, defender) if winner is Side.BLACK else (defender, attacker)
    )
    size = grid.width, grid.height
    return Board.from_stones(black, white, turn=turn, size=size, rule=rule)


def stones_of(
    grid: Grid, board: Board, moves: Iterable[Move]
) -> dict[Side, int] | None:
    """Return each side's stones on these cells of a board; None if a cell has no such
    stone.

    With ``board.moves`` these are all stones, and None means that there is a wall.
    """
    stones = {Side.BLACK: 0, Side.WHITE: 0}
    for move in moves:
        side = board.stone(move)
        if side is None:
            return None
        stones[side] |= 1 << cell_of(grid, move)
    return stones


def move_of(grid: Grid, cell: int) -> Move:
    """Return the move on the cell with this bit number."""
    y, x = divmod(cell, grid.stride)
    return Move(x, y)


def cell_of(grid: Grid, move: Move) -> int:
    """Return the bit number of the cell of a move."""
    return move.y * grid.stride + move.x
