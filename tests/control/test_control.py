"""Stops and deadlines, from any thread, at any time.

Whether a search ends is a matter of events: a bound in seconds only tells that it
hangs. How soon it ends is counted in nodes.
"""

import threading
import time

import pytest

from gomoku_brain.control.limits import Limits
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.position import Board
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Worker

HANGS = 300  # seconds
POLLED = 1024  # nodes between two looks at the control, but for a search of fours
OPEN = Board.from_moves("h8 i9 g9 i7")  # nothing is proved here for a long time


@pytest.fixture
def engine():
    with Engine(hash_mb=4) as engine:
        yield engine


def search_in_thread(engine, board=OPEN, limits=None, control=None):
    """Begin a search; (thread, answers, event set at the first iteration's end)."""
    answers = []
    begun = threading.Event()

    def run():
        answers.append(engine.search(board, limits, lambda info: begun.set(), control))

    thread = threading.Thread(target=run)
    thread.start()
    return thread, answers, begun


def test_a_new_control_has_no_deadline():
    control = SearchControl()
    assert not control.stopped
    assert not control.has_deadline
    assert control.deadline_in is None
    assert control.target_in is None


def test_deadlines_are_given_as_the_time_left():
    control = SearchControl()
    now = time.perf_counter()
    control.set_deadline(now + 1000, now + 500)
    assert control.has_deadline
    deadline, target = control.deadline_in, control.target_in
    passed = time.perf_counter() - now
    assert 1000 - passed <= deadline <= 1000
    assert 500 - passed <= target <= 500
    control.set_deadline(now / 2)  # the clock may have begun seconds ago
    assert control.deadline_in <= -now / 2
    assert control.target_in is None
    control.set_deadline(None)
    assert not control.has_deadline


@pytest.mark.parametrize("seconds", [float("inf"), 1e300, -1e300])
def test_far_deadlines_are_kept_in_range(engine, seconds):
    control = SearchControl()
    control.set_deadline(seconds)
    result = engine.search(OPEN, Limits(depth=3), control=control)
    assert result.depth == (3 if seconds > 0 else 0)


def test_a_stop_before_the_search_is_not_lost(engine):
    control = SearchControl()
    control.stop()
    result = engine.search(OPEN, control=control)
    assert control.stopped
    assert result.depth == 0
    assert result.nodes <= POLLED
    assert OPEN.is_legal(result.move)


def test_a_deadline_in_the_past_gives_a_move_at_once(engine):
    control = SearchControl()
    control.set_deadline(time.perf_counter() - 1)
    result = engine.search(OPEN, control=control)
    assert result.nodes <= POLLED
    assert OPEN.is_legal(result.move)


def test_a_passed_deadline_counts_as_a_stop(engine):
    control = SearchControl()
    control.set_deadline(time.perf_counter() + 0.02)
    engine.search(OPEN, control=control)
    assert control.stopped


def test_the_deadline_of_a_given_control_counts_instead_of_the_time_limit(engine):
    control = SearchControl()
    control.set_deadline(time.perf_counter() + 0.05)
    result = engine.search(OPEN, Limits(time=10 * HANGS), control=control)
    assert result.time < HANGS


def test_another_thread_may_set_the_deadline_of_a_running_search(engine):
    control = SearchControl()
    thread, _, begun = search_in_thread(engine, control=control)
    assert begun.wait(HANGS)
    at = time.perf_counter() + 0.05
    control.set_deadline(at)
    thread.join(HANGS)
    assert not thread.is_alive()
    assert time.perf_counter() >= at
    assert control.stopped


def test_another_thread_may_put_the_deadline_off(engine):
    for seconds in (0.1, 1, 10):  # until it was put off before it passed
        control = SearchControl()
        start = time.perf_counter()
        control.set_deadline(start + seconds)
        thread, answers, begun = search_in_thread(engine, control=control)
        assert begun.wait(HANGS)
        control.set_deadline(start + 2 * seconds)
        in_time = time.perf_counter() < start + seconds
        thread.join(HANGS)
        assert not thread.is_alive()
        if in_time:
            assert time.perf_counter() >= start + 2 * seconds
            assert OPEN.is_legal(answers[0].move)
            return
    pytest.fail("the machine hangs")


def test_engine_stop_ends_the_running_search(engine):
    thread, answers, begun = search_in_thread(engine)
    assert begun.wait(HANGS)
    engine.stop()
    thread.join(HANGS)
    assert not thread.is_alive()
    assert OPEN.is_legal(answers[0].move)


def test_engine_stop_without_a_search_is_harmless(engine):
    engine.stop()
    assert engine.search(OPEN, Limits(depth=2)).depth == 2


def test_leaving_the_context_stops_the_search():
    with Engine(hash_mb=1) as engine:
        thread, _, begun = search_in_thread(engine)
        assert begun.wait(HANGS)
    thread.join(HANGS)
    assert not thread.is_alive()


def test_a_stop_ends_one_search_only(engine):
    thread, _, begun = search_in_thread(engine)
    assert begun.wait(HANGS)
    engine.stop()
    thread.join(HANGS)
    assert engine.search(OPEN, Limits(depth=4)).depth == 4


def test_the_gil_is_released_while_searching():
    """Another thread ends a search that would otherwise go on to its last node."""
    limit = 20_000_000
    worker, control = Worker(TranspositionTable(1)), SearchControl()
    worker.set_position(OPEN, control, limit)

    def stop_it():
        while not worker.nodes:
            time.sleep(0)
        control.stop()

    thread = threading.Thread(target=stop_it)
    thread.start()
    worker.search(60)
    thread.join(HANGS)
    assert worker.stopped
    assert 0 < worker.nodes < limit


def test_a_search_stops_at_its_next_look_at_the_control(engine):
    control = SearchControl()
    stopped_at = []  # numbers of nodes

    def on_info(info):
        if info.depth == 8:
            control.stop()
            stopped_at.append(info.nodes)

    result = engine.search(OPEN, Limits(), on_info, control)
    assert result.depth >= 8
    assert result.nodes - stopped_at[0] <= POLLED


def test_the_time_limit_is_used_and_ends_the_search(engine):
    for _ in range(5):
        control = SearchControl()
        result = engine.search(OPEN, Limits(time=0.02), control=control)
        assert result.time > 0.019
        assert control.stopped
