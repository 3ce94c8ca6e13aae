"""What a score is worth to people and managers."""

import math

import pytest

from gomoku_brain import Board, Engine, Limits
from gomoku_brain.eval.chance import SCALE, chance, scale_of
from gomoku_brain.study.annotate import Value


def test_the_winning_chance_is_even_at_zero_and_sure_where_proved():
    assert chance(0) == 0.5
    assert chance(int(SCALE)) == pytest.approx(1 / (1 + math.exp(-1)))
    assert chance(-200) == pytest.approx(1 - chance(200))
    assert chance(6000) > 0.999
    assert (chance(100, 7), chance(-100, -6)) == (1.0, 0.0)


def test_a_lead_is_worth_less_on_a_fuller_board():
    board = Board()
    scales = [scale_of(board)]
    for move in board.legal_moves():
        board.play(move)
        scales.append(scale_of(board))
    assert scales[0] == SCALE
    assert scales[75] == pytest.approx(SCALE * 3 / 2)
    assert scales[150] == pytest.approx(SCALE * 3)
    assert sorted(scales) == scales
    assert chance(300, None, scales[150]) == pytest.approx(chance(100))
    assert 0.5 < chance(300, None, scales[-1]) < 0.51, "no cell is left"
    assert scale_of(Board(20)) == SCALE


def test_no_score_is_too_large():
    assert (chance(10**9), chance(-(10**9))) == pytest.approx((1.0, 0.0), abs=1e-12)


def test_every_result_has_the_chance_of_its_position():
    board = Board.from_moves("h8 h9 j10 i9 g7 g9")
    with Engine(hash_mb=1) as engine:
        found = engine.search(board, Limits(nodes=500, multipv=2))
        weak = engine.search(board, Limits(nodes=500, strength=10))
    for expected in (found, *found.lines, weak, *weak.lines):
        assert expected.chance == chance(
            expected.score, expected.win_in, scale_of(board)
        )
        assert Value.of(expected).chance == expected.chance
        assert Value.of(expected).other.chance == pytest.approx(1 - expected.chance)
