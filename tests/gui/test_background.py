"""Work in threads: what is of Qt ends in the thread of the window."""

import gc
import sys
import threading
import weakref

import pytest
from PySide6.QtCore import QObject, QTimer

from gomoku_brain.gui.base import background
from gomoku_brain.gui.base.background import BackgroundTask, CycleCollector, finish_all
from tests.sampled import sampled

HERE = threading.get_ident()
ENDED: list[int] = []


class Witness(BackgroundTask):
    """A task that tells in which thread its last reference went."""

    def __del__(self):
        ENDED.append(threading.get_ident())


@pytest.fixture
def quick_switches():
    """Threads take turns at every chance."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@sampled(50, 2000)
def test_a_task_ends_in_the_thread_of_the_window(qt, until, quick_switches, count):
    # While threads kept their tasks, 134 of 87,160 ended in the wrong one.
    ENDED.clear()
    told = []
    for number in range(count):
        task = Witness(lambda task, number=number: task.report(number))
        task.reported.connect(told.append)
        task.start()
        del task
        qt.processEvents()
    finish_all()
    until(lambda: len(ENDED) == count)
    assert sorted(told) == list(range(count))
    assert set(ENDED) == {HERE}
    assert not background._running


def test_results_and_errors_arrive_before_a_task_is_left(qt, until):
    found = []

    def fail(task):
        raise ValueError("no")

    for work in (lambda task: "yes", fail):
        task = BackgroundTask(work)
        task.done.connect(found.append)
        task.failed.connect(lambda error: found.append(str(error)))
        task.start()
        assert task.wait(60)
        until(lambda: not background._running)
    assert found == ["yes", "no"]


class Cycle(QObject):
    """Something of Qt that only the collector can end."""

    def __init__(self):
        super().__init__()
        self.timer = QTimer()
        self.timer.start(1000)
        self.itself = self


@pytest.fixture
def collector(qt):
    made = CycleCollector()
    made._timer.stop()  # the test says when
    yield made
    gc.disable()  # as it was: another collector is at work for all these tests


def test_other_threads_collect_nothing_of_qt(qt, collector):
    gone = threading.Event()
    weakref.finalize(Cycle(), gone.set)

    def litter():
        for _ in range(20 * max(gc.get_threshold())):
            lists = [[]]
            lists.append(lists)

    worker = threading.Thread(target=litter)
    worker.start()
    worker.join()
    assert not gone.is_set()
    assert gc.get_count()[0] > gc.get_threshold()[0]
    for _ in range(200):  # generation by generation
        collector.collect()
    assert gc.get_count()[0] <= gc.get_threshold()[0]
    gc.collect()
    assert gone.is_set()


def test_python_collects_again_when_the_collector_stops(qt, collector):
    assert not gc.isenabled()
    collector.stop()
    assert gc.isenabled()
