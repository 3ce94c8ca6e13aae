"""``search_many``: searches of many positions, several at once."""

import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from queue import SimpleQueue

from gomoku_brain.control.limits import Limits, SearchResult, whole
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.control.task import WAIT
from gomoku_brain.engine.engine import MAX_THREADS, Engine, refuse
from gomoku_brain.game.position import Board

__all__ = ["search_many"]

HASH_MB = 16  # of an engine, most; its table grows as it fills


def search_many(
    boards: Iterable[Board], limits: Limits | None = None, *, workers: int = 1
) -> list[SearchResult]:
    """Search each position by itself; return the results in the order of the boards.

    ``limits`` are those of ``Engine.search`` for each position; without any, a search
    ends only with a proved result. ``workers``, 1 to 256, are the threads that search
    at once, each with an engine and a table of at most 16 MB. Nothing is kept from one
    position to the next, so with a limit of nodes or depth the results are the same for
    every number of workers. Ctrl-C ends all searches. Raises as ``Engine.search``,
    before the first search where it can be seen.
    """
    boards = list(boards)
    limits = Limits() if limits is None else limits
    for board in boards:
        refuse(board, limits)
    workers = min(whole("workers", workers, 1, MAX_THREADS), max(len(boards), 1))
    free: SimpleQueue[Engine] = SimpleQueue()
    for _ in range(workers):
        free.put(Engine(hash_mb=HASH_MB, seed=0))
    stopped = threading.Event()
    running: set[SearchControl] = set()

    def work(board: Board) -> SearchResult:
        engine, control = free.get(), SearchControl()
        running.add(control)
        try:
            if stopped.is_set():
                control.stop()
            engine.new_game()
            return engine.search(board, limits, control=control)
        finally:
            running.discard(control)
            free.put(engine)

    with ThreadPoolExecutor(workers, "search") as pool:
        try:
            futures = [pool.submit(work, board) for board in boards]
            results = []
            for future in futures:
                while wait([future], WAIT).not_done:
                    pass  # Windows notices Ctrl-C only between two waits
                results.append(future.result())
            return results
        finally:  # an error or Ctrl-C
            stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            for control in list(running):
                control.stop()
