"""Stops and deadlines, from any thread, at any time."""

import statistics
import sys
import threading
import time

import pytest

from gomoku_brain.game.position import Board
from gomoku_brain.search.control import SearchControl
from gomoku_brain.search.engine import Engine
from gomoku_brain.search.limits import Limits

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
        answers.append(time.perf_counter())

    thread = threading.Thread(target=run)
    thread.start()
    return thread, answers, begun


def test_a_new_control_has_no_deadline():
    control = SearchControl()
    assert not control.stopped
    assert not control.has_deadline
    assert control.deadline_in is None
    assert control.target_in is None


def test_deadlines_are_told_as_what_is_left():
    control = SearchControl()
    now = time.perf_counter()
    control.set_deadline(now + 10, now + 5)
    assert control.has_deadline
    assert control.deadline_in == pytest.approx(10, abs=0.1)
    assert control.target_in == pytest.approx(5, abs=0.1)
    control.set_deadline(now - 1)
    assert control.deadline_in == pytest.approx(-1, abs=0.1)
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
    assert result.nodes <= 1024
    assert OPEN.is_legal(result.move)


def test_a_deadline_in_the_past_gives_a_move_at_once(engine):
    control = SearchControl()
    control.set_deadline(time.perf_counter() - 1)
    result = engine.search(OPEN, control=control)
    assert result.time < 0.05
    assert OPEN.is_legal(result.move)


def test_a_passed_deadline_is_told_as_a_stop(engine):
    control = SearchControl()
    control.set_deadline(time.perf_counter() + 0.02)
    engine.search(OPEN, control=control)
    assert control.stopped


def test_the_deadline_of_a_given_control_counts_instead_of_the_time_limit(engine):
    control = SearchControl()
    control.set_deadline(time.perf_counter() + 0.05)
    result = engine.search(OPEN, Limits(time=30), control=control)
    assert result.time < 1


def test_another_thread_may_set_the_deadline_of_a_running_search(engine):
    control = SearchControl()
    thread, answers, begun = search_in_thread(engine, control=control)
    assert begun.wait(5)
    at = time.perf_counter() + 0.05
    control.set_deadline(at)
    thread.join(5)
    assert not thread.is_alive()
    assert -0.001 < answers[1] - at < 0.1


def test_another_thread_may_put_the_deadline_off(engine):
    control = SearchControl()
    start = time.perf_counter()
    control.set_deadline(start + 0.1)
    thread, answers, begun = search_in_thread(engine, control=control)
    assert begun.wait(5)
    control.set_deadline(start + 0.3)
    thread.join(5)
    assert not thread.is_alive()
    assert 0.299 < answers[1] - start < 0.5


def test_engine_stop_ends_the_running_search(engine):
    thread, answers, begun = search_in_thread(engine)
    assert begun.wait(5)
    engine.stop()
    thread.join(5)
    assert not thread.is_alive()
    assert OPEN.is_legal(answers[0].move)


def test_engine_stop_without_a_search_is_harmless(engine):
    engine.stop()
    assert engine.search(OPEN, Limits(depth=2)).depth == 2


def test_leaving_the_context_stops_the_search():
    with Engine(hash_mb=1) as engine:
        thread, _, begun = search_in_thread(engine)
        assert begun.wait(5)
    thread.join(5)
    assert not thread.is_alive()


def test_a_stop_ends_one_search_only(engine):
    thread, _, begun = search_in_thread(engine)
    assert begun.wait(5)
    engine.stop()
    thread.join(5)
    assert engine.search(OPEN, Limits(depth=4)).depth == 4


class BusyThread:
    """Counts in Python as fast as it may, for as long as it is entered.

    Whoever wants the GIL from it waits for the interpreter's switch interval, twice at
    worst; it is set to 1 ms (from 5), since that wait is not the search's.
    """

    def __enter__(self):
        self.interval = sys.getswitchinterval()
        sys.setswitchinterval(0.001)
        self.count = 0
        self.running = True
        self.thread = threading.Thread(target=self.run)
        self.thread.start()
        return self

    def __exit__(self, *error):
        self.running = False
        self.thread.join()
        sys.setswitchinterval(self.interval)

    def run(self):
        while self.running:
            self.count += 1


def test_the_gil_is_released_while_searching(engine):
    """A thread that counts gets on about as fast as without the search."""
    with BusyThread() as busy:
        time.sleep(0.1)
        before = busy.count
        engine.search(OPEN, Limits(time=0.1))
        during = busy.count - before
    assert during > before / 5


def test_a_search_stops_within_10_ms_while_python_runs_elsewhere(engine):
    """Median from the call of stop to the result, with a third thread computing."""
    medians = []
    with BusyThread():
        for _ in range(3):
            latencies = []
            for _ in range(9):
                control = SearchControl()
                thread, answers, begun = search_in_thread(engine, control=control)
                begun.wait(5)
                time.sleep(0.003)
                at = time.perf_counter()
                control.stop()
                thread.join(5)
                latencies.append(answers[1] - at)
            medians.append(statistics.median(latencies))
            if medians[-1] < 0.010:
                break
    assert min(medians) < 0.010, medians


def test_a_search_stops_within_a_few_milliseconds_when_python_rests(engine):
    latencies = []
    for _ in range(15):
        control = SearchControl()
        thread, answers, begun = search_in_thread(engine, control=control)
        begun.wait(5)
        time.sleep(0.003)
        at = time.perf_counter()
        control.stop()
        thread.join(5)
        latencies.append(answers[1] - at)
    assert statistics.median(latencies) < 0.005, latencies


def test_the_time_limit_is_kept_to_the_millisecond(engine):
    over = []
    for _ in range(15):
        result = engine.search(OPEN, Limits(time=0.02))
        over.append(result.time - 0.02)
    assert statistics.median(over) < 0.005, over
    assert min(over) > -0.001
