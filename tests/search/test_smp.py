"""Helper threads: they help, they stop, and they change nothing that must repeat."""

import threading

import pytest

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.search import root_search
from gomoku_brain.search.engine import Engine
from gomoku_brain.search.limits import Limits
from gomoku_brain.search.smp import Deepest, Helpers

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


class Recorder:
    """A worker that finishes every depth at once and notes which were asked for."""

    stopped = False
    nodes = 0

    def __init__(self, on_search):
        self.on_search = on_search
        self.depths = []

    def set_position(self, board, control):
        pass

    @property
    def pv(self):
        return (Move(0, self.depths[-1]),)

    def search(self, depth, low, high, exclude):
        self.depths.append(depth)
        self.on_search()
        return 0


def helped(count, last):
    """Helpers that have come to ``last``; the main worker jumps to depth 10 soon."""

    def jump():
        if len(workers[number].depths) == 2:
            helpers.depth = 10

    for number in range(count):  # one after the other, so that nothing depends on speed
        workers = [Recorder(jump) for _ in range(count)]
        helpers = Helpers(workers, OPEN, last)
        helpers._deepen(workers[number], number)
        yield workers[number].depths, helpers.deepest


def test_helpers_follow_the_main_worker_one_of_two_a_ply_ahead():
    first, second, third = helped(3, 13)
    assert first == ([2, 3, 11, 12, 13], Deepest(13, 0, (Move(0, 13),)))
    assert second == ([1, 2, 10, 11, 12, 13], Deepest(13, 0, (Move(0, 13),)))
    assert third[0] == first[0]


def test_helpers_that_have_finished_no_depth_have_no_line():
    assert Helpers([], OPEN, 5).deepest is None


def deepest_of_helpers(monkeypatch, line):
    """Let the helpers say that ``line`` is the deepest that they have finished."""

    class Told(Helpers):
        deepest = line

    monkeypatch.setattr(root_search, "Helpers", Told)


CORNER = Move(0, 0)


def test_a_deeper_line_of_a_helper_is_what_is_played(monkeypatch):
    deepest_of_helpers(monkeypatch, Deepest(90, 77, (CORNER, Move(1, 1))))
    with Engine(threads=2, hash_mb=4) as engine:
        result = engine.search(OPEN, Limits(time=0.2))
        assert (result.move, result.score, result.depth) == (CORNER, 77, 90)
        assert result.pv == (CORNER, Move(1, 1))


@pytest.mark.parametrize(
    ("line", "board", "limits"),
    [
        (Deepest(1, 77, (CORNER,)), OPEN, {}),
        (Deepest(90, 77, ()), OPEN, {}),
        (Deepest(90, 77, (CORNER,)), OPEN, {"multipv": 2}),
        (Deepest(90, 77, (CORNER,)), OPEN, {"exclude": (Move(5, 5),)}),
        (Deepest(90, 77, (CORNER,)), Board.from_moves("h8 a1 i8 a2 j8 a3"), {}),
    ],
    ids=["less deep", "no move", "several lines", "moves left out", "a proved win"],
)
def test_a_line_of_a_helper_is_left_alone(monkeypatch, line, board, limits):
    deepest_of_helpers(monkeypatch, line)
    with Engine(threads=2, hash_mb=4) as engine:
        result = engine.search(board, Limits(time=0.2, **limits))
        assert result.move != CORNER
