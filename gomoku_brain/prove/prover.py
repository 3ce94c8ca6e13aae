"""The search for a proof: hands out what is to be looked at, and keeps what was found.

The tree is changed by one process alone, this one. Workers look at positions: processes
of this machine, or the tasks of a Dask cluster. Nothing is kept in memory but the tasks
that are under way.
"""

import contextlib
import multiprocessing
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from typing import NamedTuple

from gomoku_brain.match.cluster import Cluster
from gomoku_brain.prove.expander import Expander, Expansion, Problem
from gomoku_brain.prove.tree import MORE, Counts, ProofTask, Tree

__all__ = [
    "ProofProgress",
    "TaskAnswer",
    "cluster_workers",
    "keep",
    "look_at",
    "prove",
    "worker_processes",
]

SLICE = 0.25  # seconds; how often the clock and Ctrl-C are looked at
QUEUE = 2  # tasks a worker, so that none waits for the tree
TELL = 10.0  # seconds between two looks at how far the proof is


class TaskAnswer(NamedTuple):
    """What a worker says of a task."""

    expansion: Expansion | None
    """Of a position."""
    replies: tuple[int, ...] | None
    """Of a move: those left open; None when the move loses."""
    seconds: float


class ProofProgress(NamedTuple):
    """Where a run is."""

    counts: Counts
    looked_at: int
    """Tasks done in this run."""
    seconds: float
    """Since the run began."""
    worked: float
    """Seconds of all workers together."""


_expanders: dict[Problem, Expander] = {}  # of this process


def look_at(problem: Problem, task: ProofTask) -> TaskAnswer:
    """What a worker does."""
    started = time.perf_counter()
    expander = _expanders.get(problem)
    if expander is None:
        expander = _expanders[problem] = Expander(problem)
    expansion = replies = None
    if task.move is None or task.cell is None:
        expansion = expander.look(task.stones)
    elif task.cell in MORE:
        expansion = expander.look_for_more(task.stones, task.cell, task.known)
    else:
        replies = expander.open_replies(task.stones, task.cell)
    return TaskAnswer(expansion, replies, time.perf_counter() - started)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def worker_processes(count: int) -> Executor:
    """So many processes on this machine."""
    return ProcessPoolExecutor(
        count,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_ignore_interrupts,
    )


@contextlib.contextmanager
def cluster_workers(address: str) -> Iterator[tuple[Executor, int]]:
    """The workers of a Dask cluster, and how many tasks they run at once.

    Raises ClusterError when there is no such cluster, ImportError without the package
    `distributed`. The workers need this package.
    """
    with Cluster(address) as cluster:
        yield cluster.executor(), cluster.threads


def prove(
    tree: Tree,
    problem: Problem,
    pool: Executor,
    workers: int,
    seconds: float | None = None,
    tasks: int | None = None,
    on_progress: Callable[[ProofProgress], None] | None = None,
) -> ProofProgress:
    """Search until the first position is decided, or a limit is met.

    ``on_progress`` is called now and then, and at the end. KeyboardInterrupt
    ends it, too; the tree then holds all that was found.
    """
    started = time.monotonic()
    running: dict[Future[TaskAnswer], ProofTask] = {}
    done, worked, told = 0, 0.0, started

    def progress() -> ProofProgress:
        found = ProofProgress(tree.counts(), done, time.monotonic() - started, worked)
        if on_progress is not None:
            on_progress(found)
        return found

    try:
        while True:
            passed = time.monotonic() - started
            enough = (
                tree.is_decided
                or (seconds is not None and passed >= seconds)
                or (tasks is not None and done + len(running) >= tasks)
            )
            while not enough and len(running) < QUEUE * workers:
                task = tree.next_task()
                if task is None:
                    break
                running[pool.submit(look_at, problem, task)] = task
                enough = tasks is not None and done + len(running) >= tasks
            if not running:
                return progress()
            ready, _ = wait(running, SLICE, FIRST_COMPLETED)
            for future in ready:
                answer = future.result()
                keep(tree, running.pop(future), answer)
                done += 1
                worked += answer.seconds
            if tree.is_decided or (seconds is not None and passed >= seconds):
                return progress()
            if time.monotonic() - told >= TELL:
                progress()
                told = time.monotonic()
    finally:
        for future in running:
            future.cancel()


def keep(tree: Tree, task: ProofTask, answer: TaskAnswer) -> None:
    """Put what a worker said of a task into the tree."""
    if answer.expansion is None:
        tree.take_move(task, answer.replies)
    elif answer.expansion.won:
        tree.take_leaf(task)
    else:
        tree.take_moves(task, answer.expansion.candidates)
