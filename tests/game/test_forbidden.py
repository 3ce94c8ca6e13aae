"""Renju's forbidden points: published maps, and the reference on random boards.

GOMOKU_ORACLE_BOARDS sets the number of random boards (100000 for a full run).
"""

import os
import random

import pytest

from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.game.symmetry import symmetries, transform_moves
from tests.cases import board_of, forbidden_maps
from tests.reference import (
    BLACK,
    RENJU,
    WHITE,
    RefBoard,
    random_clutter,
    random_position,
)

BOARDS = int(os.environ.get("GOMOKU_ORACLE_BOARDS", "600"))
by_name = {"ids": lambda case: case.name}


@pytest.mark.parametrize("case", forbidden_maps(), **by_name)
def test_published_maps(case):
    board = Board.from_stones(case.black, case.white, size=case.size, rule=Rule.RENJU)
    assert sorted(board.forbidden_moves()) == sorted(case.forbidden)
    assert {at: board.foul(at) for at in case.kinds} == case.kinds
    board.turn = Side.BLACK
    empty = {cell for cell in RefBoard(case.size).empties()}
    assert len(board.legal_moves()) == (
        len(empty) - len(case.black) - len(case.white) - len(case.forbidden)
    )
    board.turn = Side.WHITE
    assert sorted(board.forbidden_moves()) == sorted(case.forbidden)


@pytest.mark.parametrize("case", forbidden_maps(), **by_name)
def test_published_maps_from_every_side(case):
    for k in symmetries(case.size, case.size):
        stones = [
            transform_moves(group, case.size, case.size, k)
            for group in (case.black, case.white, case.forbidden)
        ]
        board = Board.from_stones(*stones[:2], size=case.size, rule=Rule.RENJU)
        assert sorted(board.forbidden_moves()) == sorted(stones[2])


def random_board(rng, number):
    """Clutter, positions from play, odd shapes and boards with walls, in turn."""
    size = rng.choice([15, 15, 15, 9, 20, (12, 17), (6, 22)])
    if number % 4 == 3:
        return random_position(rng, RENJU, size, rng.randint(16, 40), walls=3)
    return random_clutter(rng, RENJU, size)


@pytest.mark.timeout(0)
def test_random_boards_have_the_fouls_of_the_reference():
    found = {"overline": 0, "double-four": 0, "double-three": 0}
    for number in range(BOARDS):
        # One seed a board: a failure can be run again alone.
        rng = random.Random(f"forbidden {number}")
        reference = random_board(rng, number)
        board = board_of(reference)
        expected = reference.fouls()
        points = board.forbidden_moves()
        fouls = {tuple(at): board.foul(at) for at in points}
        assert fouls == expected, f"board {number}\n{reference}"
        assert len(points) == len(fouls)
        for foul in expected.values():
            found[foul] += 1
    print(f"{BOARDS} boards, {found}")
    assert all(found.values())


def test_foul_agrees_with_the_reference_on_every_cell():
    for number in range(40):
        rng = random.Random(f"cells {number}")
        reference = random_board(rng, number)
        board = board_of(reference)
        for p in reference.empties():
            at = reference.cell(p)
            assert board.foul(at) == reference.foul(at), f"{at}\n{reference}"


def test_fouls_follow_stones_that_come_and_go():
    """The same board object through play, undo and removal."""
    for number in range(12):
        rng = random.Random(f"walk {number}")
        reference = random_board(rng, 0)
        board = board_of(reference)
        for _ in range(12):
            p = rng.choice(reference.all_cells)
            at = reference.cell(p)
            if reference.cells[p] in (BLACK, WHITE):
                board.remove(at)
                reference.clear(p)
            elif board.is_empty(at):
                side = rng.choice((BLACK, BLACK, WHITE))
                board.turn = Side(side)
                board.play(at)
                reference.place(p, side)
            fouls = {tuple(at): board.foul(at) for at in board.forbidden_moves()}
            assert fouls == reference.fouls(), reference


def test_a_forbidden_point_is_no_move_for_black_only():
    reference = random_clutter(random.Random(11), RENJU, 15)
    board = board_of(reference)
    forbidden = set(reference.fouls())
    assert forbidden
    empty = {reference.cell(p) for p in reference.empties()}
    board.turn = Side.BLACK
    assert set(board.legal_moves()) == empty - forbidden
    assert not any(board.is_legal(at) for at in forbidden)
    board.turn = Side.WHITE
    assert set(board.legal_moves()) == empty
    assert all(board.is_legal(at) for at in forbidden)
