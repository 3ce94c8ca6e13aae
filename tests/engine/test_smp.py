"""Helper threads: they help, they stop, and they change nothing that must repeat."""

import _thread
import time

import pytest

from gomoku_brain.control.limits import Limits
from gomoku_brain.engine import engine as engine_module
from gomoku_brain.engine import root_search
from gomoku_brain.engine.engine import Engine
from gomoku_brain.engine.smp import Deepest, Helpers
from gomoku_brain.eval.score import WIN
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board

OPEN = Board.from_moves("h8 i9 g9 i7 i8 g8 j10")


@pytest.mark.timeout(60)
def test_helpers_search_along_and_are_gone_afterwards():
    before = _thread._count()
    with Engine(threads=3, hash_mb=4) as engine:
        alive = []

        def on_info(info):
            alive.append(_thread._count())
            if all(helper.nodes for helper in engine._more):
                engine.stop()

        result = engine.search(OPEN, on_info=on_info)
        assert max(alive) == before + 2
        wait_for_threads(before)
        assert OPEN.is_legal(result.move)
        assert result.nodes > engine._worker.nodes


def test_limits_that_must_repeat_use_one_thread():
    def result(threads):
        with Engine(threads=threads, hash_mb=4) as engine:
            found = engine.search(OPEN, Limits(nodes=20_000))
            return found.move, found.score, found.nodes, found.pv

    assert result(3) == result(1)


def test_stop_ends_all_threads_at_once():
    with Engine(threads=2, hash_mb=4) as engine:
        before = _thread._count()
        result = engine.search(OPEN, on_info=lambda info: engine.stop())
        assert OPEN.is_legal(result.move)
        wait_for_threads(before)


def test_helpers_that_cannot_be_started_are_done_without(monkeypatch):
    """And those that were started before them end with the search."""
    real = _thread.start_new_thread
    started = []

    def refuse(run, arguments):
        if started:
            raise RuntimeError("can't start new thread")
        started.append(real(run, arguments))

    with Engine(threads=4, hash_mb=4) as engine:
        before = _thread._count()
        monkeypatch.setattr(_thread, "start_new_thread", refuse)
        result = engine.search(OPEN, Limits(time=0.2))
        assert OPEN.is_legal(result.move)
        assert result.nodes > engine._worker.nodes
        monkeypatch.undo()
        wait_for_threads(before)
        assert OPEN.is_legal(engine.search(OPEN, Limits(time=0.1)).move)


@pytest.mark.timeout(60)
def test_a_helper_that_never_begins_is_not_waited_for(monkeypatch):
    """As when there is no memory to begin with; one that begins late does nothing."""
    late = []
    monkeypatch.setattr(
        _thread,
        "start_new_thread",
        lambda run, arguments: late.append((run, arguments)),
    )
    with Engine(threads=2, hash_mb=4) as engine:
        result = engine.search(OPEN, Limits(time=0.1))
        assert OPEN.is_legal(result.move)
        ((run, arguments),) = late
        run(*arguments)
        assert result.nodes == engine._worker.nodes


def test_an_error_of_a_helper_is_raised_and_the_others_continue():
    def fail():
        raise ArithmeticError("as it should not")

    workers = [Recorder(fail), Recorder()]
    with Helpers(workers, OPEN, 7) as helpers:
        helpers.search_along()
        while not all(task.done for task in helpers.tasks):
            time.sleep(0.001)
    assert workers[1].depths[-1] == 7
    with pytest.raises(ArithmeticError):
        print(helpers.deepest)


@pytest.mark.parametrize("step", ["__init__", "set_position"])
def test_helpers_for_which_there_is_no_memory_are_done_without(monkeypatch, step):
    if step == "__init__":
        real, made = engine_module.Worker, []

        def refuse(table):
            if made:
                raise MemoryError("no memory for a search worker")
            made.append(real(table))
            return made[0]

        with Engine(threads=4, hash_mb=4) as engine:
            monkeypatch.setattr(engine_module, "Worker", refuse)
            assert OPEN.is_legal(engine.search(OPEN, Limits(time=0.1)).move)
            assert engine._more == made
        return
    workers = [Recorder(), Poor(), Recorder()]
    with Helpers(workers, OPEN, 7) as helpers:
        helpers.search_along()
    assert not workers[1].depths
    assert not workers[2].depths


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
    seldepth = 20

    def __init__(self, on_search=lambda: None, scores=()):
        self.on_search = on_search
        self.scores = dict(scores)
        self.depths = []

    def set_position(self, board, control):
        pass

    @property
    def pv(self):
        return (Move(0, self.depths[-1]),)

    def search(self, depth, low, high, exclude):
        self.depths.append(depth)
        self.on_search()
        return self.scores.get(depth, 0)


class Poor(Recorder):
    """A worker for whose position there is no memory."""

    def set_position(self, board, control):
        raise MemoryError("no memory for an evaluator")


def wait_for_threads(count):
    """Until there are no more of them: one that has ended its work ends in a moment."""
    while _thread._count() > count:
        time.sleep(0.001)


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
    assert first == ([2, 3, 11, 12, 13], Deepest(13, 0, (Move(0, 13),), 20))
    assert second == ([1, 2, 10, 11, 12, 13], Deepest(13, 0, (Move(0, 13),), 20))
    assert third == first


def test_the_deepest_line_is_reported_whichever_helper_has_it():
    scores = [{3: WIN - 9}, {}, {2: 9 - WIN}]
    workers = [Recorder(scores=scores[number]) for number in range(3)]
    helpers = Helpers(workers, OPEN, 7)
    assert helpers.deepest is None
    helpers._deepen(workers[0], 0)  # ends with the win that it has proved
    assert helpers.deepest == Deepest(3, WIN - 9, (Move(0, 3),), 20)
    helpers._deepen(workers[1], 1)
    assert helpers.deepest == Deepest(7, 0, (Move(0, 7),), 20)
    helpers._deepen(workers[2], 2)
    assert helpers.deepest == Deepest(7, 0, (Move(0, 7),), 20)


def test_a_helper_reports_no_loss_and_no_stopped_search():
    workers = [Recorder(scores={2: 9 - WIN}), Recorder()]
    workers[1].stopped = True
    helpers = Helpers(workers, OPEN, 7)
    for number, worker in enumerate(workers):
        helpers._deepen(worker, number)
        assert len(worker.depths) == 1
    assert helpers.deepest is None


CORNER = Move(0, 0)
LOST = Board.from_moves("h8 b2 i8 b4 j8 b6 k8")  # two places for a five


def helped_search(monkeypatch, line, board, **limits):
    """The result after one depth, where ``line`` is the helpers' deepest."""

    class Told(Helpers):
        deepest = line

    monkeypatch.setattr(root_search, "Helpers", Told)
    with Engine(threads=2, hash_mb=4) as engine:
        return engine.search(
            board, Limits(**limits), on_info=lambda info: engine.stop()
        )


def test_a_deeper_line_of_a_helper_is_what_is_played(monkeypatch):
    line = Deepest(90, 77, (CORNER, Move(1, 1)), 95)
    result = helped_search(monkeypatch, line, OPEN)
    assert (result.move, result.score, result.depth) == (CORNER, 77, 90)
    assert result.pv == (CORNER, Move(1, 1))
    assert result.seldepth == 95


def test_a_win_of_a_helper_that_cannot_be_replayed_is_not_announced(monkeypatch):
    result = helped_search(monkeypatch, Deepest(90, WIN - 9, (CORNER,), 9), OPEN)
    assert (result.move, result.win_in) == (CORNER, None)
    assert result.score == root_search.UNPROVED


@pytest.mark.parametrize(
    ("depth", "pv", "board", "limits"),
    [
        (1, (CORNER,), OPEN, {}),
        (90, (), OPEN, {}),
        (90, (CORNER,), OPEN, {"multipv": 2}),
        (90, (CORNER,), OPEN, {"exclude": (Move(5, 5),)}),
        (90, (CORNER,), LOST, {}),
    ],
    ids=["less deep", "no move", "several lines", "moves left out", "a proved loss"],
)
def test_a_line_of_a_helper_is_left_alone(monkeypatch, depth, pv, board, limits):
    assert board.is_legal(CORNER)
    result = helped_search(monkeypatch, Deepest(depth, 77, pv, 95), board, **limits)
    assert result.move != CORNER
    if board == LOST:
        assert result.win_in == -2


def test_a_win_that_the_clock_left_unproved_is_not_given_up(monkeypatch):
    def unproved(self, depth):
        return [self.line_info(depth, 1, root_search.UNPROVED, (Move(5, 5),))]

    monkeypatch.setattr(root_search.RootSearch, "iteration", unproved)
    line = Deepest(200, 77, (CORNER,), 95)
    assert helped_search(monkeypatch, line, OPEN, depth=None).move == Move(5, 5)
