"""The moves of ``prove.hints``, and its steps from one position to the next."""

import random

import pytest

from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.prove.hints import Hints
from gomoku_brain.tactics.vct import VctSolver

SIZE = 11
STRIDE = SIZE + 1
NODES = 3_000


def masks(board, side):
    """The stones of a side and those of the other."""
    stones = [0, 0]
    for y in range(board.height):
        for x in range(board.width):
            owner = board.stone((x, y))
            if owner is not None:
                stones[owner != side] |= 1 << y * (board.width + 1) + x
    return stones


def random_boards(seed, count, side, rule=Rule.FREESTYLE):
    """Positions with few stones close together, the side to move, without a five."""
    rng = random.Random(seed)
    cells = [(x, y) for x in range(2, 9) for y in range(2, 9)]
    while count:
        taken = rng.sample(cells, rng.randrange(6, 16))
        split = len(taken) * 4 // 7
        stones = taken[:split], taken[split:]
        first, second = stones if side == Side.BLACK else stones[::-1]
        board = Board.from_stones(first, second, turn=side, size=SIZE, rule=rule)
        if board.winner is None:
            count -= 1
            yield board


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("rule", [Rule.FREESTYLE, Rule.STANDARD])
def test_hints_agree_with_the_solver(side, rule):
    hints = Hints(SIZE, SIZE, rule, side)
    solver = VctSolver(4)
    found = set()
    for board in random_boards(f"{side} {rule}", 60, side, rule):
        hints.clear()
        expected = hints.solve(*masks(board, side), NODES)
        assert expected == solver.solve(board, SearchControl(), NODES)
        found.add(expected)
    assert {"win", "no win"} <= found


def test_what_was_proved_stays_and_a_hint_leads_to_the_five():
    """Every hint wins on, whatever the defender replies."""
    rng = random.Random(3)
    hints = Hints(SIZE, SIZE, Rule.FREESTYLE, Side.BLACK)
    won = 0
    for board in random_boards(4, 60, Side.BLACK):
        if hints.solve(*masks(board, Side.BLACK), NODES) != "win":
            continue
        won += 1
        hints.age()
        for _ in range(40):
            move = hints.threat(*masks(board, Side.BLACK), NODES)
            assert move is not None
            board.play(Move(move % STRIDE, move // STRIDE))
            if board.winner is not None:
                break
            fives = [reply for reply in board.legal_moves() if board.wins_at(reply)]
            assert not fives
            board.turn = Side.BLACK
            fours = [reply for reply in board.legal_moves() if board.wins_at(reply)]
            board.turn = Side.WHITE
            board.play(rng.choice(fours or board.legal_moves()))
        assert board.winner == Side.BLACK
    assert won > 10


def test_a_four_hint_makes_a_four():
    hints = Hints(SIZE, SIZE, Rule.FREESTYLE, Side.BLACK)
    board = Board.from_stones(
        [(3, 3), (4, 3), (5, 3)], [(3, 5), (4, 5)], turn=Side.BLACK, size=SIZE
    )
    move = hints.four(*masks(board, Side.BLACK), NODES)
    assert move in (3 * STRIDE + 2, 3 * STRIDE + 6)
    board = Board.from_stones([(3, 3), (4, 3)], [(3, 5)], turn=Side.BLACK, size=SIZE)
    assert hints.four(*masks(board, Side.BLACK), NODES) is None


@pytest.mark.parametrize(
    ("attacker", "defender"),
    [(1 << SIZE, 0), (0, 1 << STRIDE * SIZE), (1, 1), (1 << 600, 0), (-1, 0)],
    ids=["beside the board", "below it", "one cell twice", "far off", "negative"],
)
def test_impossible_stones_are_refused(attacker, defender):
    hints = Hints(SIZE, SIZE, Rule.FREESTYLE, Side.BLACK)
    with pytest.raises(ValueError, match="stone"):
        hints.solve(attacker, defender, NODES)
