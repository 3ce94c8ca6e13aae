"""Processes of this machine that work for a long command."""

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import wait

__all__ = ["worker_processes"]


def worker_processes(count: int) -> ProcessPoolExecutor:
    """So many processes, that Ctrl-C leaves alone and that end when this one does.

    Ctrl-C on a terminal reaches all processes of the command; only the first one, which
    keeps what the others find, is to act on it.
    """
    pool = ProcessPoolExecutor(
        count, mp_context=multiprocessing.get_context("spawn"), initializer=_begin
    )
    with _interrupts_ignored():
        for _ in range(count):  # each is started by the first task that finds none idle
            pool.submit(_nothing)
    return pool


@contextlib.contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """What is started meanwhile ignores Ctrl-C from its first instruction on."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are set by the main thread only
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _nothing() -> None:
    pass


def _begin() -> None:
    """What a worker does first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Windows does not hand it down
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Without this a worker whose parent was killed would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
