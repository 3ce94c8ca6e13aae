"""Work in threads: it may never begin, and nothing is at work after its end."""

import _thread
import gc
import signal
import threading
import time
import weakref

import pytest

from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.control.task import Task, Team, end

pytestmark = pytest.mark.timeout(60)


def test_a_task_returns_the_result_of_its_work():
    task = Task(lambda: 7)
    assert not task.done
    assert task.start()
    task.wait()
    assert task.done
    assert task.result() == 7
    task.wait()  # again, and at once


def test_a_task_raises_what_its_work_raised():
    def fail():
        raise ArithmeticError("by zero")

    task = Task(fail)
    task.start()
    task.wait()
    with pytest.raises(ArithmeticError, match="by zero"):
        task.result()


def test_a_wait_may_have_a_limit():
    gate = threading.Event()
    task = Task(gate.wait)
    task.start()
    task.wait(0.01)
    assert not task.done
    gate.set()
    task.wait()
    assert task.done


@pytest.mark.parametrize("error", [RuntimeError, MemoryError])
def test_a_system_without_threads_is_reported(monkeypatch, error):
    def refuse(run, arguments):
        raise error

    monkeypatch.setattr(_thread, "start_new_thread", refuse)
    task = Task(lambda: 7)
    assert not task.start()
    assert task.cancel()


@pytest.fixture
def late(monkeypatch):
    """What threads would do, as (function, arguments): they come when they are let."""
    found = []
    monkeypatch.setattr(
        _thread,
        "start_new_thread",
        lambda run, arguments: found.append((run, arguments)),
    )
    return found


def test_a_thread_that_comes_after_the_end_does_nothing(late):
    done = []
    task = Task(lambda: done.append(7))
    task.start()
    end([task], SearchControl())
    ((run, arguments),) = late
    run(*arguments)
    assert not done
    assert not task.done


def test_work_begins_in_time_or_never(late):
    done = []
    task = Task(lambda: done.append(7))
    task.start()
    control = SearchControl()
    control.set_deadline(time.perf_counter() + 0.01)
    assert not task.begins(control)
    ((run, arguments),) = late
    run(*arguments)
    assert not done


def test_work_that_has_begun_is_not_cancelled():
    task = Task(lambda: 7)
    task.start()
    assert task.begins(SearchControl())
    assert not task.cancel()
    task.wait()
    assert task.result() == 7


def test_the_end_stops_what_is_at_work_and_waits_for_it():
    control = SearchControl()
    tasks = [Task(until_stopped(control)), Task(until_stopped(control))]
    tasks[0].start()
    assert tasks[0].begins(control)
    end(tasks, control)
    assert [task.done for task in tasks] == [True, False]


@pytest.fixture
def ctrl_c():
    """As Python hears it, wherever the tests run."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("wakes", [False, True])
def test_ctrl_c_is_heard_after_the_end(ctrl_c, wakes):
    """However often it comes, also where it wakes who waits."""
    if wakes and not hasattr(signal, "pthread_kill"):
        pytest.skip("signals wake nobody here")
    control, begun = SearchControl(), threading.Event()
    main = threading.get_ident()

    def work():
        begun.set()
        while not control.stopped:
            time.sleep(0.001)
        for _ in range(20):
            if wakes:
                signal.pthread_kill(main, signal.SIGINT)
                time.sleep(0.002)
            else:
                _thread.interrupt_main()

    task = Task(work)
    task.start()
    begun.wait()
    with pytest.raises(KeyboardInterrupt):
        end([task], control)
    assert task.done


class TestTeam:
    def test_is_at_work_in_its_block_only(self):
        with Team(SearchControl()) as team:
            for _ in range(2):
                assert team.start(until_stopped(team.control)).begins(SearchControl())
            assert [task.done for task in team.tasks] == [False, False]
        assert [task.done for task in team.tasks] == [True, True]

    def test_wait_ends_when_another_task_is_done(self):
        gates = [threading.Event(), threading.Event()]
        with Team(SearchControl()) as team:
            tasks = [team.start(gate.wait) for gate in gates]
            gates[1].set()
            team.wait(-1)
            assert [task.done for task in tasks] == [False, True]
            gates[0].set()
            team.wait(-1)
            assert [task.done for task in tasks] == [True, True]

    def test_waits_for_news_so_long_at_most(self):
        with Team(SearchControl()) as team:
            task = team.start(until_stopped(team.control))
            begun = time.perf_counter()
            team.wait(0.05)
            assert time.perf_counter() - begun > 0.04
            assert not task.done

    def test_errors_are_raised_by_result(self):
        def fail():
            raise ArithmeticError("first")

        with Team(SearchControl()) as team:
            task = team.start(fail)
            task.wait()
        with pytest.raises(ArithmeticError, match="first"):
            task.result()

    def test_goes_on_where_the_system_gives_no_more_threads(self, monkeypatch):
        real, started = _thread.start_new_thread, []

        def refuse(run, arguments):
            if started:
                raise RuntimeError("can't start new thread")
            started.append(real(run, arguments))

        monkeypatch.setattr(_thread, "start_new_thread", refuse)
        with Team(SearchControl()) as team:
            assert team.start(lambda: 7).begins(team.control)
            assert team.start(lambda: 8) is None
        assert team.tasks[0].result() == 7

    def test_keeps_nothing_alive_that_holds_it(self):
        """Memory is to be given back at once, without the collector of cycles."""

        class Crew(Team):
            def work(self):
                return None

        gc.disable()
        try:
            with Crew(SearchControl()) as crew:
                crew.start(crew.work)
            seen = weakref.ref(crew)
            del crew
            assert seen() is None
        finally:
            gc.enable()


def until_stopped(control):
    """Work that looks at a control."""

    def work():
        while not control.stopped:
            time.sleep(0.001)

    return work
