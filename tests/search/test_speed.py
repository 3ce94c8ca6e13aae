"""What ``bench --speed`` times: it leaves the position alone and gives times."""

import pytest

from gomoku_brain.game.position import Board
from gomoku_brain.search.speed import time_evaluate, time_moves, time_moves_evaluated
from tests.reference import RULES


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("moves", ["", "h8 h9 j10"])
def test_times_are_of_work_done_and_the_board_stays(rule, moves):
    board = Board.from_moves(moves, rule=rule)
    before = board.copy()
    assert 0 < time_evaluate(board, 100) < 1e9
    assert 0 <= time_moves(board, 2) < 1e9  # an empty board has no candidates
    assert 0 <= time_moves_evaluated(board, 2) < 1e9
    assert board == before


def test_no_rounds_take_no_time():
    assert time_evaluate(Board(15), 0) < 1e9
    assert time_moves(Board.from_moves("h8"), 0) < 1e9
    assert time_moves_evaluated(Board.from_moves("h8"), 0) < 1e9
