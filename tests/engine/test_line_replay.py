"""Forced lines are completed by a worker of their own."""

import pytest

from gomoku_brain.control.limits import Limits
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.engine.line_replay import LineReplay
from gomoku_brain.eval.evaluator import Evaluation
from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.plain.shape_counts import ShapeCounts
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Worker

OPEN_THREE = "h8 a1 i8 a2 j8 a15"  # black to move wins in 3


def test_what_a_line_lacks_is_filled_in():
    board = Board.from_moves(OPEN_THREE)
    replay = LineReplay(TranspositionTable(0.1))
    whole = replay.complete(board, (), 3, SearchControl(), 10_000)
    assert whole is not None
    assert len(whole) == 3
    after = board.copy()
    for move in whole:
        after.play(move)
    assert after.winner == board.turn


def test_a_line_that_does_not_win_is_refused():
    board = Board.from_moves(OPEN_THREE)
    replay = LineReplay(TranspositionTable(0.1))
    for line, plies in (("b2 c3 d4", 3), ("h8", 3), ("g8 f8", 1), ("", -2)):
        moves = parse_moves(line) if line else ()
        assert replay.complete(board, moves, plies, SearchControl(), 10_000) is None


def test_the_searching_worker_keeps_its_position_and_its_counters():
    table = TranspositionTable(0.1)
    worker, replay = Worker(table), LineReplay(table)
    board = Board.from_moves("h8 h9 j10 i9")
    worker.set_position(board, SearchControl())
    worker.search(4)
    before = (worker.nodes, worker.seldepth, worker.pv, worker.evaluate())
    found = replay.complete(
        Board.from_moves(OPEN_THREE), (), 3, SearchControl(), 10_000
    )
    assert found is not None
    assert (worker.nodes, worker.seldepth, worker.pv, worker.evaluate()) == before


def test_a_replay_has_the_evaluation_of_its_engine():
    """An evaluation that brings no evaluator tells who asks it."""
    with Engine(threads=3, hash_mb=1) as engine:
        board = Board.from_moves(OPEN_THREE)
        before = engine._helpers(Limits(time=1))[0]
        engine.set_evaluation(Evaluation())
        requested = [*engine._helpers(Limits(time=1)), engine._worker]
        assert before in requested
        assert len(requested) == 3
        for worker in requested:
            with pytest.raises(NotImplementedError, match="brings no evaluator"):
                worker.set_position(board, SearchControl())
        with pytest.raises(NotImplementedError, match="brings no evaluator"):
            engine._replay.complete(board, (), 3, SearchControl(), 10_000)
        engine.set_evaluation(None)
        assert engine._replay.complete(board, (), 3, SearchControl(), 10_000)


def test_another_evaluation_plays_otherwise_and_leaves_nothing():
    board = Board.from_moves("h8 h9 j10 i9")
    with Engine(hash_mb=1) as engine, Engine(hash_mb=1) as other:
        shipped = engine.search(board, Limits(nodes=5_000))
        engine.set_evaluation(ShapeCounts())
        other.set_evaluation(ShapeCounts())
        changed = engine.search(board, Limits(nodes=5_000))
        assert (changed.score, changed.pv) != (shipped.score, shipped.pv)
        expected = other.search(board, Limits(nodes=5_000))
        assert (expected.score, expected.pv) == (
            changed.score,
            changed.pv,
        )  # nothing was kept
        engine.set_evaluation(None)
        again = engine.search(board, Limits(nodes=5_000))
        assert (again.score, again.pv) == (shipped.score, shipped.pv)
