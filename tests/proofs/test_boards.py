"""Positions as bits and as boards: there and back, on boards of every shape."""

from hypothesis import given
from hypothesis import strategies as st

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.proofs.boards import board_of, cell_of, move_of, stones_of
from gomoku_brain.proofs.grid import Grid

SIZES = st.integers(5, 22)
BOTH = (Side.BLACK, Side.WHITE)


@st.composite
def positions(draw: st.DrawFn) -> tuple[Grid, list[Move], list[Move]]:
    """A grid, and cells of it for each side."""
    grid = Grid(draw(SIZES), draw(SIZES))
    cells = st.sampled_from(list(grid.cells()))
    moves = [move_of(grid, cell) for cell in draw(st.lists(cells, unique=True))]
    split = draw(st.integers(0, len(moves)))
    return grid, moves[:split], moves[split:]


@given(positions(), st.sampled_from(BOTH), st.sampled_from(BOTH))
def test_stones_come_back(
    position: tuple[Grid, list[Move], list[Move]], winner: Side, turn: Side
) -> None:
    grid, *parts = position
    attacker, defender = (sum(1 << cell_of(grid, move) for move in p) for p in parts)
    board = board_of(grid, (attacker, defender), winner, turn, Rule.FREESTYLE)
    assert (board.width, board.height, board.turn) == (grid.width, grid.height, turn)
    for side, moves in ((winner, parts[0]), (winner.other, parts[1])):
        assert all(board.stone(move) is side for move in moves)
    stones = stones_of(grid, board, board.moves)
    assert stones == {winner: attacker, winner.other: defender}


def test_of_some_cells_only() -> None:
    board = Board.from_moves("h8 h9 j10")
    grid = Grid(15, 15)
    stones = stones_of(grid, board, board.moves[:2])
    assert stones == {
        Side.BLACK: 1 << grid.cell("h8"),
        Side.WHITE: 1 << grid.cell("h9"),
    }


def test_a_wall_or_an_empty_cell_is_no_stone() -> None:
    board = Board.from_stones(["h8"], [], ["a1"])
    grid = Grid(15, 15)
    assert stones_of(grid, board, board.moves) is None
    assert stones_of(grid, board, [Move(4, 4)]) is None
