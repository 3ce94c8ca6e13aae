"""Turned, mirrored and recoloured positions are worth the same."""

import pytest

from gomoku_brain.control.limits import Limits
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.game.symmetry import symmetries, transform_moves
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Features, Worker
from gomoku_brain.tactics.threats import _py_defences, _py_static_win
from tests.boards import image_of, random_boards, with_colours_swapped
from tests.reference import RULES
from tests.sampled import sampled

SIZES = (15, 9, 20, 22, 6, (11, 16))
SYMMETRIC_RULES = (Rule.FREESTYLE, Rule.STANDARD, Rule.CARO, Rule.CARO_EXACT)


def images_of(board):
    return [image_of(board, k) for k in symmetries(board.width, board.height)]


def evaluation(board, worker):
    worker.set_position(board, SearchControl())
    return worker.evaluate()


def fixed_depth_score(board, depth, features):
    worker = Worker(TranspositionTable(0.1), features)
    worker.set_position(board, SearchControl())
    return worker.search(depth)


@pytest.mark.parametrize("rule", RULES)
@sampled(4, 60)
def test_all_images_have_the_same_evaluation(rule, count):
    worker = Worker(TranspositionTable(0.1))
    seen = set()
    for board in random_boards("evaluation", rule, count, SIZES, walls=3):
        values = {evaluation(image, worker) for image in images_of(board)}
        assert len(values) == 1, f"{values}\n{board}"
        seen |= values
    assert len(seen) > count // 2


@pytest.mark.parametrize("rule", SYMMETRIC_RULES)
@sampled(4, 80)
def test_the_evaluation_does_not_know_colours(rule, count):
    worker = Worker(TranspositionTable(0.1))
    for board in random_boards("colours", rule, count, SIZES, walls=3):
        swapped = with_colours_swapped(board)
        assert evaluation(board, worker) == evaluation(swapped, worker), str(board)
        assert _py_static_win(board) == _py_static_win(swapped), str(board)


@pytest.mark.parametrize("rule", SYMMETRIC_RULES)
def test_the_search_does_not_know_colours(rule):
    for board in random_boards("colours", rule, 15, (7, 9), stones=(6, 30)):
        score = fixed_depth_score(board, 2, 0)
        assert score == fixed_depth_score(with_colours_swapped(board), 2, 0), str(board)


@pytest.mark.parametrize("rule", RULES)
@sampled(6, 80)
def test_all_images_have_the_same_static_claim_and_replies(rule, count):
    claims, duties = set(), set()
    for board in random_boards("claims", rule, count, SIZES, walls=3):
        claim, answer = _py_static_win(board), _py_defences(board)
        claims.add(claim)
        width, height = board.width, board.height
        for k in symmetries(width, height):
            image = image_of(board, k)
            assert _py_static_win(image) == claim, f"symmetry {k}\n{board}"
            if claim:
                continue  # replies are asked for only when nothing is proved
            duties.add(answer and answer[0])
            turned = _py_defences(image)
            if answer is None:
                assert turned is None, f"symmetry {k}\n{board}"
            else:
                assert turned[0] == answer[0], f"symmetry {k}\n{board}"
                assert set(turned[1]) == set(
                    transform_moves(answer[1], width, height, k)
                ), f"symmetry {k}\n{board}"
    if count >= 80:  # a few have not all of them
        assert {0, 1, 3} <= claims
        assert {None, "five", "open-four"} <= duties


@pytest.mark.parametrize(
    "features", [0, Features.STATIC_TESTS], ids=["plain", "static"]
)
@pytest.mark.parametrize("rule", RULES)
@sampled(2, 10)
def test_all_images_have_the_same_fixed_depth_score(rule, features, count):
    sizes = (7, 9, (8, 9))
    boards = random_boards("depth", rule, count, sizes, stones=(6, 40), walls=2)
    for board in boards:
        scores = {fixed_depth_score(image, 2, features) for image in images_of(board)}
        assert len(scores) == 1, f"{scores}\n{board}"


@pytest.mark.parametrize("rule", RULES)
@sampled(3, 60)
def test_all_images_have_the_same_win_by_fours(rule, count):
    lengths = set()
    with Engine(hash_mb=1) as engine:
        for board in random_boards("vcf", rule, count, (15, 9, (11, 16))):
            lines = [engine.solve(image) for image in images_of(board)]
            found = {line and len(line) for line in lines}
            assert len(found) == 1, f"{found}\n{board}"
            lengths |= found
    assert {None, 1, 3, 5} <= lengths or count < 60


@pytest.mark.parametrize("rule", RULES)
@sampled(1, 12)
def test_all_images_of_a_quickly_won_position_are_announced(rule, count):
    """What is decided within five plies is announced in all images."""
    wins = 0
    with Engine(hash_mb=1) as engine:
        for board in random_boards("announced", rule, count):
            expected = []
            for image in images_of(board):
                engine.new_game()
                expected.append(engine.search(image, Limits(nodes=20_000)).win_in)
            if expected[0] is not None and abs(expected[0]) <= 5:
                wins += expected[0] > 0
                assert all(
                    n is not None and (n > 0) == (expected[0] > 0) for n in expected
                ), f"{expected}\n{board}"
    assert wins or count < 12


def test_an_empty_board_is_not_much_better_for_the_first_move():
    # the fits have seen no board with fewer than two stones; 320 units a logit
    worker = Worker(TranspositionTable(0.1))
    for rule in RULES:
        assert 0 <= evaluation(Board(15, rule), worker) < 450
