"""Helper threads: they help, they stop, and they change nothing that must repeat."""

import threading

from gomoku_brain.game.position import Board
from gomoku_brain.search.engine import Engine
from gomoku_brain.search.limits import Limits

OPEN = Board.from_moves("h8 i9 g9 i7 i8 g8 j10")


def test_helpers_search_along_and_are_gone_afterwards():
    before = threading.active_count()
    with Engine(threads=3, hash_mb=4) as engine:
        alive = []

        def on_info(info):
            alive.append(threading.active_count())
            if info.nodes > engine.worker.nodes:
                engine.stop()

        result = engine.search(OPEN, on_info=on_info)
        assert max(alive) == before + 2
        assert threading.active_count() == before
        assert OPEN.is_legal(result.move)
        assert result.nodes > engine.worker.nodes


def test_limits_that_must_repeat_use_one_thread():
    def result(threads):
        with Engine(threads=threads, hash_mb=4) as engine:
            found = engine.search(OPEN, Limits(nodes=20_000))
            return found.move, found.score, found.nodes, found.pv

    assert result(3) == result(1)


def test_stop_ends_all_threads_at_once():
    with Engine(threads=2, hash_mb=4) as engine:
        before = threading.active_count()
        result = engine.search(OPEN, on_info=lambda info: engine.stop())
        assert OPEN.is_legal(result.move)
        assert threading.active_count() == before


def test_helpers_agree_about_a_proved_result():
    board = Board.from_moves("h8 a1 i8 a2 j8 a3")
    with Engine(threads=2, hash_mb=4) as engine:
        assert engine.search(board, Limits(time=5)).win_in == 3
        lost = board.copy()
        lost.play(engine.search(board).move)
        assert engine.search(lost, Limits(time=5)).win_in == -2
