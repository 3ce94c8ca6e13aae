"""Processes of this machine that work for a long command."""

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    Future,
    ProcessPoolExecutor,
    wait,
)
from itertools import islice
from multiprocessing import connection
from types import TracebackType
from typing import ParamSpec, TypeVar

__all__ = ["WorkerProcesses", "as_finished"]

SLICE = 0.25  # seconds; how often Ctrl-C is looked at

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")


class WorkerProcesses(ProcessPoolExecutor):
    """Processes that Ctrl-C leaves alone, and that end when this one does.

    Ctrl-C on a terminal reaches all processes of the command; only the first one, which
    keeps what the others find, is to act on it. A ``with`` block that an error leaves,
    Ctrl-C included, ends them at once.
    """

    def __init__(self, count: int) -> None:
        """So many; each is started when there is the first work for it."""
        context = multiprocessing.get_context("spawn")
        super().__init__(count, mp_context=context, initializer=_begin)

    def submit(
        self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """As of every executor."""
        with _interrupts_held():  # what is started here inherits that
            return super().submit(fn, *args, **kwargs)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Wait for the work that was submitted; not after an error."""
        if kind is not None:
            self.end_now()
        super().__exit__(kind, error, trace)

    def end_now(self) -> None:
        """End them, whatever they are doing."""
        # (The base class has a method for that from Python 3.14 on.)
        with _interrupts_held():
            # ``shutdown`` forgets them: after an error between they would work on.
            for process in list((self._processes or {}).values()):
                process.terminate()
            self.shutdown(wait=False, cancel_futures=True)


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C waits until the end of this, and for a process started here, for ever."""
    if not hasattr(signal, "pthread_sigmask"):
        yield  # Windows
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """What a worker does first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Without this a worker whose parent was killed would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def as_finished(
    begin: Callable[[S], Future[T]], work: Iterable[S], most: int
) -> Iterator[T]:
    """What becomes of each piece of work, as they are done; so many are begun at once.

    ``begin`` submits a piece to processes, say. Raises what the work raises.
    """
    left = iter(work)
    running = {begin(piece) for piece in islice(left, most)}
    while running:
        done, running = wait(running, SLICE, FIRST_COMPLETED)
        failed = [future for future in done if future.exception() is not None]
        if not failed:  # who works is not to wait for who reads
            running |= {begin(piece) for piece in islice(left, len(done))}
        for future in (*done.difference(failed), *failed):
            yield future.result()
