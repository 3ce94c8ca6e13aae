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

SLICE = 0.25  # seconds between two checks for Ctrl-C

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")


class WorkerProcesses(ProcessPoolExecutor):
    """Processes that ignore Ctrl-C and end with the process that started them.

    Ctrl-C on a terminal reaches all processes of the command. Only the first one, which
    stores the results of the others, must react to it. An error that leaves the
    ``with`` block, including Ctrl-C, ends them at once.
    """

    def __init__(self, count: int) -> None:
        """Create ``count`` processes, each of which starts with the first work for
        it.
        """
        context = multiprocessing.get_context("spawn")
        super().__init__(count, mp_context=context, initializer=_begin)

    def submit(
        self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Submit a call, as with every executor."""
        with _interrupts_held():  # processes started here inherit the setting
            return super().submit(fn, *args, **kwargs)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Wait for the submitted work; not after an error."""
        if kind is not None:
            self.end_now()
        super().__exit__(kind, error, trace)

    def end_now(self) -> None:
        """End the processes, whatever they are doing."""
        # (The base class has a method for that from Python 3.14 on.)
        with _interrupts_held():
            # ``shutdown`` drops them: after an error in between they would continue.
            for process in list((self._processes or {}).values()):
                process.terminate()
            self.shutdown(wait=False, cancel_futures=True)


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block; processes started inside ignore it for
    ever.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield  # Windows
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """Set up a worker when it starts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this worker with its parent, since it would otherwise wait for work for
    ever.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def as_finished(
    begin: Callable[[S], Future[T]], work: Iterable[S], maximum: int
) -> Iterator[T]:
    """Yield the results of pieces of work as they are finished, ``maximum`` of them at
    once.

    ``begin`` submits a piece, for example to processes. Raises the exceptions of the
    work.
    """
    left = iter(work)
    running = {begin(piece) for piece in islice(left, maximum)}
    while running:
        done, running = wait(running, SLICE, FIRST_COMPLETED)
        failed = [future for future in done if future.exception() is not None]
        if not failed:  # the work does not wait for the reader of the results
            running |= {begin(piece) for piece in islice(left, len(done))}
        for future in (*done.difference(failed), *failed):
            yield future.result()
