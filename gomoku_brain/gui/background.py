"""Work in threads, its results in the thread of the window."""

import _thread
import contextlib
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

__all__ = ["BackgroundTask", "LineBuffer", "finish_all"]

NICENESS = 10  # of work, beside 0 of the window

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
        _thread.start_new_thread(self._run, ())
        return self

    def tell(self, news: object) -> None:
        """Send news to the window; from the work's thread."""
        with contextlib.suppress(RuntimeError):  # Qt's part of us is gone
            self.told.emit(news)

    def wait(self, seconds: float) -> bool:
        """Whether the work ended in time; for the end of the program."""
        return self._ended.wait(seconds)

    def _run(self) -> None:
        _step_back()
        try:
            self._work_and_tell()
        finally:
            self._ended.set()

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
        """Nothing is to be delivered any more."""
        _running.discard(self)


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
