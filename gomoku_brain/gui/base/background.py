"""Work in threads, its results in the thread of the window.

What is of Qt must also end in the thread of the window: a timer or a widget whose last
reference goes in another thread takes the program down. So a thread keeps no reference
to its task when it ends, and cycles are collected by the window's thread alone.
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

__all__ = ["BackgroundTask", "CycleCollector", "LineBuffer", "finish_all"]

NICENESS = 10  # of work, beside 0 of the window
COLLECT_MS = 500  # between two looks whether there is enough to collect

_running: "set[BackgroundTask]" = set()


class BackgroundTask(QObject):
    """A function that runs once in a thread of its own.

    The signals arrive in the thread that made the task, which is kept until then.
    """

    done = Signal(object)
    """The result."""
    failed = Signal(object)
    """The exception."""
    told = Signal(object)
    """What the work says on the way, by `tell`."""
    _over = Signal()

    def __init__(self, work: "Callable[[BackgroundTask], Any]") -> None:
        """Do not begin yet: connect the signals first."""
        super().__init__()
        self._work = work
        self._ended = threading.Event()
        self._over.connect(self._leave)

    def start(self) -> "BackgroundTask":
        """Begin; the window does not wait, as `threading` would, for a first step."""
        _running.add(self)
        _thread.start_new_thread(_run, ([self], self._ended))
        return self

    def tell(self, news: object) -> None:
        """Send news to the window; from the work's thread."""
        with contextlib.suppress(RuntimeError):  # Qt's part of us is gone
            self.told.emit(news)

    def wait(self, seconds: float) -> bool:
        """Whether the work ended in time; for the end of the program."""
        return self._ended.wait(seconds)

    def _work_and_tell(self) -> None:
        with contextlib.suppress(RuntimeError):  # Qt's part of us is gone
            try:
                result = self._work(self)
            except Exception as error:
                self.failed.emit(error)
            else:
                self.done.emit(result)
            self._over.emit()

    def _leave(self) -> None:
        """All was delivered; wait until the thread has let go of the task."""
        self._ended.wait()
        _running.discard(self)


def _run(last: list[BackgroundTask], ended: threading.Event) -> None:
    """The thread of a task, which must hold no reference to it when it ends."""
    _step_back()
    try:
        last[0]._work_and_tell()
    finally:
        last.clear()
        ended.set()


def _step_back() -> None:
    """Let the window go first where both want a processor.

    On Linux a thread has a niceness of its own, and what it starts inherits it: threads
    of a search, and programs. Elsewhere it is that of the whole process.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


def finish_all(seconds: float = 5.0) -> None:
    """Wait for work that was told to stop: Python must not end under a search."""
    until = time.perf_counter() + seconds
    for task in list(_running):
        task.wait(max(until - time.perf_counter(), 0))


class CycleCollector(QObject):
    """Python's collector of cycles, in the thread that made this one and in no other.

    Left to itself it runs in whatever thread happens to make many objects, and there it
    would take apart what is of Qt.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        """Take over from Python until `stop`."""
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.collect)
        self._timer.start(COLLECT_MS)

    def collect(self) -> None:
        """Collect the oldest generation that is due, and with it the younger ones."""
        due = zip(gc.get_count(), gc.get_threshold(), strict=True)
        passed = [generation for generation, (n, most) in enumerate(due) if n > most]
        if passed:
            gc.collect(max(passed))

    def stop(self) -> None:
        """Leave it to Python again."""
        self._timer.stop()
        gc.enable()


class LineBuffer:
    """Lines that threads write and the window fetches; a flood drops the oldest."""

    def __init__(self, most: int = 2000) -> None:
        """Hold so many lines at most."""
        self._lines: deque[str] = deque(maxlen=most)

    def writer(self, name: str) -> Callable[[str], None]:
        """What writes lines under a name."""

        def write(line: str) -> None:
            self._lines.append(f"{name} {line}")

        return write

    def drain(self) -> list[str]:
        """The lines since the last call."""
        found = []
        with contextlib.suppress(IndexError):
            while True:
                found.append(self._lines.popleft())
        return found
