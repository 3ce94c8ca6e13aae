"""The shipped puzzles: every one is what it says."""

from itertools import islice

import pytest

from gomoku_brain import Engine, Limits
from gomoku_brain.game.rules import Side
from gomoku_brain.lab.puzzle_maker import make, rating_of
from gomoku_brain.study.puzzles import exercises


def test_the_set_goes_from_easy_to_hard_and_every_position_is_whole():
    found = exercises()
    assert len(found) == 400
    assert len({each.name for each in found}) == 400
    assert [each.rating for each in found] == sorted(each.rating for each in found)
    for each in found:
        board = each.board
        assert board.winner is None
        assert board.turn is each.side
        assert 1 <= len(each.answers) <= 3
        assert all(board.is_legal(move) for move in each.answers)
    assert {each.side for each in found} == set(Side)


@pytest.mark.parametrize(
    "step", [160, pytest.param(40, marks=pytest.mark.slow("more puzzles", ci=True))]
)
def test_the_answers_win_as_the_solver_proves_again(step):
    with Engine(hash_mb=16) as engine:
        for each in exercises()[::step]:
            solved = engine.find_win(each.board, "auto", Limits(nodes=400_000))
            assert solved.status == "win"
            board = each.board
            board.play(each.answers[0])
            reply = engine.search(board, Limits(nodes=400_000))
            assert reply.win_in is not None
            assert reply.win_in < 0


@pytest.mark.parametrize("number", [196, 380, 382])
def test_the_stated_win_is_the_shortest_by_threats(number):
    each = exercises()[number - 1]
    limits = Limits(nodes=200_000)
    with Engine(hash_mb=16) as engine:
        solved = engine.find_win(each.board, "auto", limits, shortest=True)
    assert each.plies == len(solved.line) == solved.least
    assert each.answers[0] == solved.line[0]


@pytest.mark.slow("searches for new puzzles", ci=True)
def test_new_puzzles_are_made_as_the_shipped_ones_were():
    for each in islice(make(3, seed=7), 3):
        assert each.board.is_legal(each.answers[0])
        assert each.plies % 2
        assert 400 <= each.rating <= 2600


def test_longer_and_better_hidden_wins_are_rated_higher():
    assert rating_of(9, 500, 1) > rating_of(5, 500, 1)
    assert rating_of(9, 5000, 1) > rating_of(9, 50, 1)
    assert rating_of(9, 500, 1) > rating_of(9, 500, 3)
