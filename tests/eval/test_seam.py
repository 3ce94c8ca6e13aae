"""The seam between evaluations and search: one that is not ours plays through it."""

import pytest

from gomoku_brain.control.limits import Limits
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.eval.evaluator import Evaluation
from gomoku_brain.eval.score import EVAL_LIMIT
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.plain.plain_search import (
    PlainSearch,
    SearchMethod,
    SourceEvaluation,
)
from gomoku_brain.plain.shape_counts import ShapeCounts
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Features, Worker
from tests.boards import random_boards


def test_an_evaluation_of_the_source_reports_plays_a_whole_game():
    theirs, ours = Engine(hash_mb=1), Engine(hash_mb=1)
    theirs.set_evaluation(ShapeCounts())
    board, same = Board(15), 0
    while board.winner is None and not board.is_full:
        engine = (theirs, ours)[board.ply % 2]
        move = engine.search(board, Limits(nodes=1000)).move
        same += (
            move == (ours, theirs)[board.ply % 2].search(board, Limits(nodes=1000)).move
        )
        board.play(move)
    assert board.winner is not None
    assert board.ply > 9
    assert same < board.ply  # it is another evaluation that played


def test_its_values_are_those_of_the_report_along_every_line():
    """Lines that changed are counted anew, whether a move was made or taken back."""
    worker, plain = (
        Worker(TranspositionTable(0.01)),
        PlainSearch(SourceEvaluation.RULES),
    )
    worker.set_evaluation(ShapeCounts())
    compared = 0
    for board in random_boards("seam", Rule.FREESTYLE, 20, (15, 9, 22), stones=(0, 30)):
        worker.set_position(board, SearchControl())
        moves = board.legal_moves()[:: max(1, len(board.legal_moves()) // 6)]
        for count in (len(moves), 2, 4):
            walk, wanted = board.copy(), []
            for move in moves[:count]:
                if walk.winner is not None:
                    break
                walk.play(move)
                value = plain.evaluate(walk)
                wanted.append(max(-EVAL_LIMIT, min(EVAL_LIMIT, value)))
            assert worker.evaluate_along(moves[: len(wanted)]) == wanted
            compared += len(wanted)
    assert compared > 200


def test_the_search_finds_the_same_as_the_plain_one_with_it():
    """Without pruning, our node function's value is that of the report's minimax."""
    worker = Worker(TranspositionTable(0.1), Features.TABLE_CUTS)
    worker.set_evaluation(ShapeCounts())
    plain = PlainSearch(SourceEvaluation.RULES, SearchMethod.ALPHABETA, radius=0)
    board = Board.from_moves("c3 b2 d4 e5 c2", size=6)
    worker.set_position(board, SearchControl())
    exact = {
        move: value
        for move, value in plain.values(board, 2).items()
        if abs(value) < 5000
    }
    assert len(exact) > 5
    others = set(board.legal_moves())
    for move, value in exact.items():
        exclude = tuple(others - {move})
        assert worker.search(2, exclude=exclude) == value


def test_an_evaluation_that_brings_nothing_is_refused():
    worker = Worker(TranspositionTable(0.01))
    worker.set_evaluation(Evaluation())
    with pytest.raises(NotImplementedError, match="brings no evaluator"):
        worker.set_position(Board(15), SearchControl())
    with pytest.raises(RuntimeError, match="no position yet"):
        worker.evaluate()
    worker.set_evaluation(None)
    worker.set_position(Board(15), SearchControl())
