"""Work in threads, with results in the thread of the window.

Qt objects must be destroyed in the thread of the window. A timer or a widget whose last
reference ends in another thread crashes the program. So a thread drops the reference to
its task before it ends, and only the thread of the window collects cycles.
"""

import _thread
import contextlib
import gc
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

__all__ = [
    "MAX_SHOWN",
    "BackgroundTask",
    "CycleCollector",
    "LineBuffer",
    "finish_all",
    "hold_collection",
]

NICENESS = 10  # of worker threads; the window has 0
MAX_SHOWN = 5000  # lines of a log
COLLECT_MS = 500  # between two checks of the collector's counters

_running: "set[BackgroundTask]" = set()


class BackgroundTask(QObject):
    """Function that runs once in a thread of its own.

    The signals arrive in the thread that created the task. The task lives until then.
    """

    done = Signal(object)
    """The work is done. The argument is its result."""
    failed = Signal(object)
    """The work failed. The argument is the exception."""
    reported = Signal(object)
    """The work reported progress by ``report``."""
    _over = Signal()

    def __init__(self, work: "Callable[[BackgroundTask], Any]") -> None:
        """Create a task without starting it. Connect its signals before ``start``."""
        super().__init__()
        self._work = work
        self._ended = threading.Event()
        self._over.connect(self._leave)

    def start(self) -> "BackgroundTask":
        """Start the thread. Unlike ``threading``, this does not wait for the thread."""
        _running.add(self)
        _thread.start_new_thread(_run, ([self], self._ended))
        return self

    def report(self, news: object) -> None:
        """Send progress to the window, from the thread of the work."""
        with contextlib.suppress(RuntimeError):  # the Qt object is already deleted
            self.reported.emit(news)

    def wait(self, seconds: float) -> bool:
        """Wait up to ``seconds`` for the end of the work. Return whether it ended."""
        return self._ended.wait(seconds)

    def _work_and_report(self) -> None:
        with contextlib.suppress(RuntimeError):  # the Qt object is already deleted
            try:
                result = self._work(self)
            except Exception as error:
                self.failed.emit(error)
            else:
                self.done.emit(result)
            self._over.emit()

    def _leave(self) -> None:
        """Drop the task after its signals, once the thread holds no reference to it."""
        self._ended.wait()
        _running.discard(self)


def _run(last: list[BackgroundTask], ended: threading.Event) -> None:
    """Run a task in its thread, and drop the reference to it at the end."""
    _step_back()
    try:
        last[0]._work_and_report()
    finally:
        last.clear()
        ended.set()


def _step_back() -> None:
    """Lower the priority of this thread, so that the window stays responsive.

    On Linux each thread has its own niceness, and its threads and processes inherit it.
    On other systems the niceness is that of the whole process.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


def finish_all(seconds: float = 5.0) -> None:
    """Wait up to ``seconds`` for all tasks, after they were stopped.

    Python must not exit during a search.
    """
    until = time.perf_counter() + seconds
    for task in list(_running):
        task.wait(max(until - time.perf_counter(), 0))


class CycleCollector(QObject):
    """Python's cyclic garbage collector, restricted to the thread of the window.

    By default it runs in any thread that creates many objects, and would destroy Qt
    objects there.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        """Disable the automatic collection until ``stop``."""
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.collect)
        self._timer.start(COLLECT_MS)

    def collect(self) -> None:
        """Run the collection of the oldest generation that is due, if none is held."""
        if _holds:
            return
        due = zip(gc.get_count(), gc.get_threshold(), strict=True)
        passed = [
            generation for generation, (n, maximum) in enumerate(due) if n > maximum
        ]
        if passed:
            gc.collect(max(passed))

    def stop(self) -> None:
        """Collect everything, then enable the automatic collection again.

        A destructor of Qt holds a lock. If a collection started inside it, the
        destructor of another Qt object could wait for that lock for ever.
        """
        self._timer.stop()
        gc.collect()
        gc.enable()


_holds = 0


def hold_collection(hold: bool) -> None:
    """Hold the collection of cycles, or end one hold. Call it in the window's thread.

    A large file makes so many objects that a collection would stop the window. Their
    reader frees them itself.
    """
    global _holds
    _holds += 1 if hold else -1


class LineBuffer:
    """Queue of lines from threads to the window. A full queue drops old lines."""

    def __init__(self, maximum: int = 2000) -> None:
        """Create a queue of at most ``maximum`` lines."""
        self._lines: deque[str] = deque(maxlen=maximum)
        self.shown: deque[str] = deque(maxlen=MAX_SHOWN)
        """Lines that a window has shown; another window shows them again."""

    def writer(self, name: str) -> Callable[[str], None]:
        """Return a function that appends lines with a name before them."""

        def write(line: str) -> None:
            self._lines.append(f"{name} {line}")

        return write

    def drain(self) -> list[str]:
        """Return and remove all lines."""
        found = []
        with contextlib.suppress(IndexError):
            while True:
                found.append(self._lines.popleft())
        return found
