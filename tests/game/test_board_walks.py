"""Incremental state against state built afresh, along random walks."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku_brain.game.notation import Move, parse_board
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from tests.sampled import sampled

SIZES = [*range(5, 23), (5, 22), (22, 5), (9, 16), (20, 15)]


def rebuilt(board, walls=()):
    """The same position, built from its stones."""
    stones = {Side.BLACK: [], Side.WHITE: []}
    for y in range(board.height):
        for x in range(board.width):
            side = board.stone((x, y))
            if side is not None:
                stones[side].append((x, y))
    return Board.from_stones(
        stones[Side.BLACK],
        stones[Side.WHITE],
        walls,
        turn=board.turn,
        size=(board.width, board.height),
        rule=board.rule,
    )


def test_str_is_the_picture_of_the_stones():
    board = Board.from_stones([(0, 0), (3, 1)], [(4, 4)], [(2, 2)], size=(5, 6))
    assert parse_board(str(board)) == (
        5,
        6,
        ((0, 0), (3, 1)),
        ((4, 4),),
        ((2, 2),),
    )


def snapshot(board):
    return (
        str(board),
        board.key,
        board.moves,
        board.ply,
        board.turn,
        board.winner,
        board.forbidden_moves(),
        board.legal_moves(),
    )


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize("size", SIZES, ids=str)
@sampled(2, 120)
def test_a_walk_of_play_undo_and_remove_keeps_the_state_right(rule, size, count):
    rng = random.Random(f"{rule} {size}")
    board = Board(size, rule)
    for step in range(count):
        empties = [
            Move(x, y)
            for x in range(board.width)
            for y in range(board.height)
            if board.is_empty((x, y))
        ]
        choice = rng.random()
        if board.ply and (choice < 0.25 or not empties):
            move = board.moves[-1]
            assert board.undo() == move
            assert board.is_empty(move)
        elif board.ply and choice < 0.35:
            move = rng.choice(board.moves)
            turn = board.turn
            board.remove(move)
            assert board.turn == turn.other
            assert move not in board.moves
        else:
            board.turn = rng.choice(list(Side))
            # Near an earlier stone, as in play.
            near = [
                m
                for m in empties
                if not board.ply
                or max(abs(m.x - board.moves[0].x), abs(m.y - board.moves[0].y)) < 5
            ]
            move = rng.choice(near or empties)
            side = board.turn
            board.play(move)
            assert board.stone(move) == side
            assert board.turn == side.other
            assert board.moves[-1] == move
        board.verify()
        if step % 20 == 9:
            fresh = rebuilt(board)
            assert fresh.key == board.key
            assert str(fresh) == str(board)
            assert fresh.legal_moves() == board.legal_moves()
            assert fresh.forbidden_moves() == board.forbidden_moves()


@pytest.mark.parametrize("rule", list(Rule))
def test_undo_restores_everything_down_to_the_empty_board(rule):
    rng = random.Random(rule)
    board = Board(11, rule)
    cells = [Move(x, y) for x in range(11) for y in range(11)]
    rng.shuffle(cells)
    before = []
    for move in cells:
        before.append(snapshot(board))
        board.play(move)
    assert board.is_full
    board.verify()
    for move in reversed(cells):
        assert board.undo() == move
        assert snapshot(board) == before.pop()
    board.verify()
    assert board.key == Board(11, rule).key
    assert board == Board(11, rule)


@given(
    rule=st.sampled_from(list(Rule)),
    size=st.sampled_from([5, 8, 15, 22, (6, 13)]),
    steps=st.lists(st.integers(0, 700), max_size=60),
)
@settings(max_examples=60, deadline=None)
def test_any_sequence_of_moves_keeps_the_state_right(rule, size, steps):
    """Steps 0..483 are cells of the board, others take back."""
    board = Board(size, rule)
    for step in steps:
        y, x = divmod(step, 22)
        if step >= 484:
            if board.ply:
                board.undo()
        elif board.is_empty((x, y)):
            board.play((x, y))
    board.verify()
    assert rebuilt(board).key == board.key


def test_the_order_of_the_stones_does_not_matter():
    rng = random.Random(3)
    cells = [Move(x, y) for x in range(15) for y in range(15)]
    for rule in Rule:
        stones = rng.sample(cells, 40)
        black, white = stones[:20], stones[20:]
        one = Board.from_stones(black, white, rule=rule)
        two = Board.from_stones(black[::-1], white[::-1], rule=rule)
        assert one.key == two.key
        assert str(one) == str(two)
        assert one.forbidden_moves() == two.forbidden_moves()
        two.verify()


def test_a_copy_is_independent():
    board = Board.from_moves("h8 h9 j10", rule=Rule.RENJU)
    before = snapshot(board)
    other = board.copy()
    assert snapshot(other) == before
    assert other == board
    other.play((0, 0))
    other.verify()
    assert other != board
    other.undo()
    other.undo()
    assert snapshot(board) == before
    board.verify()


@pytest.mark.parametrize("rule", list(Rule))
def test_walls_stay_through_a_walk(rule):
    rng = random.Random(rule)
    walls = [Move(x, y) for x, y in ((3, 3), (0, 0), (14, 7), (8, 8))]
    board = Board.from_stones([], [], walls, turn=Side.BLACK, rule=rule)
    for _ in range(80):
        move = Move(rng.randrange(15), rng.randrange(15))
        if board.is_empty(move):
            board.play(move)
        elif board.ply > len(walls) and move not in walls:
            board.remove(move)
        board.verify()
    assert all(board.is_wall(at) and board.stone(at) is None for at in walls)
    assert rebuilt(board, walls).key == board.key
