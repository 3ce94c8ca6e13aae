"""Search for a proof: it hands out tasks to workers, and stores their results.

Only this process changes the tree. Workers expand positions: they are processes of this
machine, or tasks of a Dask cluster. Memory holds only the tasks in progress.
"""

import contextlib
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from types import MappingProxyType
from typing import NamedTuple

from gomoku_brain.proofs.grid import Position
from gomoku_brain.prove.expander import Expander, Expansion
from gomoku_brain.prove.solver_hints import Problem
from gomoku_brain.prove.tree import MORE, Counts, ProofTask, Tree, UntriedMove
from gomoku_brain.runs.cluster import Cluster

__all__ = [
    "ProofOptions",
    "ProofProgress",
    "TaskAnswer",
    "Trial",
    "cluster_workers",
    "do_task",
    "prove",
    "store_answer",
    "try_moves",
]

SLICE = 0.25  # seconds between two checks of the clock and of Ctrl-C
QUEUE = 2  # tasks for each worker, so that none waits for the tree
PART = 4  # moves that a worker tries before it returns
REPORT_SECONDS = 10.0  # seconds between two reports of progress


class TaskAnswer(NamedTuple):
    """Answer of a worker to a task."""

    expansion: Expansion | None
    """Result for a position."""
    replies: dict[int, int] | None
    """Result for a move: its open replies, as in ``Candidate``; None if the move
    loses.
    """
    seconds: float
    nodes: int
    """Moves made by the solver and the search."""


class TrialAnswer(NamedTuple):
    """Answer of a worker that tried the solver on moves."""

    replies: list[dict[int, int]]
    """For each move the replies that must be listed, as in ``Candidate``."""
    seconds: float
    nodes: int


class ProofOptions(NamedTuple):
    """Options of a proof."""

    leaf_nodes: int | None = None
    """Most nodes from an empty table to win a position that is left to the solver.

    None: every position is left to it in which the workers find a win by threats.
    """
    suggestions: Mapping[Position, int] = MappingProxyType({})
    """Moves to try first, by canonical position."""


DEFAULT_OPTIONS = ProofOptions()


class Trial(NamedTuple):
    """Progress of a trial of the solver on the positions that a proof leaves to it."""

    done: int
    """Number of the proof's moves that were tried."""
    total: int
    listed: int
    """Number of replies to them that will get positions with a move of their own."""


class ProofProgress(NamedTuple):
    """Progress of a run."""

    counts: Counts
    looked_at: int
    """Number of tasks done in this run."""
    speed: float
    """Tasks per second since the search for moves last started, without the time of
    trials.
    """
    seconds: float
    """Seconds since the start of the run."""
    worked: float
    """Seconds of work of all workers together."""
    nodes: int
    """Moves made by their solvers and searches."""
    trial: Trial | None = None
    """Progress of the trial of the solver, if one is running."""


_expanders: dict[tuple[Problem, int | None], Expander] = {}  # of this process


def _expander(problem: Problem, leaf_nodes: int | None) -> Expander:
    wanted = problem, leaf_nodes
    if wanted not in _expanders:
        _expanders[wanted] = Expander(*wanted)
    return _expanders[wanted]


def do_task(
    problem: Problem,
    task: ProofTask,
    leaf_nodes: int | None = None,
    suggested: int | None = None,
) -> TaskAnswer:
    """Do one task of a worker: expand a position, or try one move in it."""
    started = time.perf_counter()
    expander = _expander(problem, leaf_nodes)
    before = expander.nodes
    expansion = replies = None
    if task.move is None or task.cell is None:
        expansion = expander.expand(task.stones, suggested)
    elif task.cell in MORE:
        expansion = expander.find_more(task.stones, task.cell, task.known)
    else:
        replies = expander.open_replies(task.stones, task.cell)
    seconds = time.perf_counter() - started
    return TaskAnswer(expansion, replies, seconds, expander.nodes - before)


def try_moves(
    problem: Problem, moves: Sequence[UntriedMove], leaf_nodes: int
) -> TrialAnswer:
    """Do one task of a worker: find the replies that these moves must list as well."""
    started = time.perf_counter()
    expander = _expander(problem, leaf_nodes)
    before = expander.nodes
    replies = [
        expander.replies_to_list(move.stones, move.cell, move.listed) for move in moves
    ]
    seconds = time.perf_counter() - started
    return TrialAnswer(replies, seconds, expander.nodes - before)


@contextlib.contextmanager
def cluster_workers(
    address: str,
) -> Iterator[tuple[Executor, int, type[Exception]]]:
    """Yield the workers of a Dask cluster, and the number of tasks that they run at
    once.

    The third value is the exception of a task that was lost with several workers.
    Raises ClusterError if there is no such cluster. The workers need this package.
    """
    with Cluster(address) as cluster:
        yield cluster.executor(), cluster.threads, cluster.killed


def prove(
    tree: Tree,
    problem: Problem,
    pool: Executor,
    workers: int,
    seconds: float | None = None,
    tasks: int | None = None,
    on_progress: Callable[[ProofProgress], None] | None = None,
    options: ProofOptions = DEFAULT_OPTIONS,
) -> ProofProgress:
    """Search until the first position is decided, or a limit is met.

    With ``options.leaf_nodes`` the solver is then tried on the positions that the proof
    leaves to it, and the search continues until the proof is complete without the
    replies that are too hard for the solver. ``on_progress`` is called now and then,
    and at the end. KeyboardInterrupt ends the search as well; the tree then holds all
    results.
    """
    if options.leaf_nodes is not None:
        tree.leave_to_solver(options.leaf_nodes)
    run = _Run(tree, problem, pool, workers, seconds, tasks, on_progress, options)
    while True:
        run.search()
        if options.leaf_nodes is None or not tree.is_proved or run.is_out_of_time:
            break
        if run.leave_to_solver(options.leaf_nodes) or run.is_out_of_time:
            break
    return run.report()


class _Run:
    """Run of the search: its limits, and its progress so far."""

    def __init__(
        self,
        tree: Tree,
        problem: Problem,
        pool: Executor,
        workers: int,
        seconds: float | None,
        tasks: int | None,
        on_progress: Callable[[ProofProgress], None] | None,
        options: ProofOptions,
    ) -> None:
        self.tree, self.problem, self.options = tree, problem, options
        self.pool, self.maximum = pool, QUEUE * workers
        self.seconds, self.tasks = seconds, tasks
        self.on_progress = on_progress
        self.started = self.reported = time.monotonic()
        self.done, self.worked, self.nodes = 0, 0.0, 0
        self.speed = 0.0

    @property
    def is_out_of_time(self) -> bool:
        return (
            self.seconds is not None and time.monotonic() - self.started >= self.seconds
        )

    def report(self, trial: Trial | None = None) -> ProofProgress:
        """Report the progress to ``on_progress``."""
        self.reported = time.monotonic()
        found = ProofProgress(
            self.tree.counts(),
            self.done,
            self.speed,
            self.reported - self.started,
            self.worked,
            self.nodes,
            trial,
        )
        if self.on_progress is not None:
            self.on_progress(found)
        return found

    def search(self) -> None:
        """Search until the first position is decided, or a limit is met."""
        tree, options = self.tree, self.options
        started, before = time.monotonic(), self.done
        running: dict[Future[TaskAnswer], ProofTask] = {}
        try:
            while True:
                enough = tree.is_decided or self.is_out_of_time or self._has(running)
                while not enough and len(running) < self.maximum:
                    task = tree.next_task()
                    if task is None:
                        break
                    suggested = options.suggestions.get(task.stones)
                    future = self.pool.submit(
                        do_task, self.problem, task, options.leaf_nodes, suggested
                    )
                    running[future] = task
                    enough = self._has(running)
                if not running:
                    return
                ready, _ = wait(running, SLICE, FIRST_COMPLETED)
                for future in ready:
                    answer = future.result()
                    store_answer(
                        tree, running.pop(future), answer, options.leaf_nodes or 0
                    )
                    self.done += 1
                    self.worked += answer.seconds
                    self.nodes += answer.nodes
                passed = time.monotonic() - started
                self.speed = (self.done - before) / passed if passed else 0.0
                if tree.is_decided or self.is_out_of_time:
                    return
                if time.monotonic() - self.reported >= REPORT_SECONDS:
                    self.report()
        finally:
            for future in running:
                future.cancel()
            tree.release_tasks()

    def _has(self, running: Collection[object]) -> bool:
        """Whether the requested tasks are done or in progress."""
        return self.tasks is not None and self.done + len(running) >= self.tasks

    def leave_to_solver(self, leaf_nodes: int) -> bool:
        """Try the solver on all replies that a finished proof leaves to it.

        If it does not win within so many nodes from an empty table, the reply is
        listed, and the proof is open there until the position after it has a move of
        its own. Return whether the proof is complete without any such reply.
        """
        untried = self.tree.untried_moves(leaf_nodes)
        waiting = [untried[k : k + PART] for k in range(0, len(untried), PART)][::-1]
        running: dict[Future[TrialAnswer], list[UntriedMove]] = {}
        done = listed = 0
        try:
            while waiting or running:
                if self.is_out_of_time:
                    return False
                while waiting and len(running) < self.maximum:
                    part = waiting.pop()
                    future = self.pool.submit(try_moves, self.problem, part, leaf_nodes)
                    running[future] = part
                ready, _ = wait(running, SLICE, FIRST_COMPLETED)
                for future in ready:
                    part, answer = running.pop(future), future.result()
                    tried = list(zip(part, answer.replies, strict=True))
                    self.tree.take_tried(tried, leaf_nodes)
                    done += len(part)
                    listed += sum(map(len, answer.replies))
                    self.worked += answer.seconds
                    self.nodes += answer.nodes
                if time.monotonic() - self.reported >= REPORT_SECONDS:
                    self.report(Trial(done, len(untried), listed))
            return listed == 0
        finally:
            for future in running:
                future.cancel()


def store_answer(
    tree: Tree, task: ProofTask, answer: TaskAnswer, leaf_nodes: int = 0
) -> None:
    """Store a worker's answer to a task in the tree."""
    if answer.expansion is None:
        tree.take_move(task, answer.replies, leaf_nodes)
    elif answer.expansion.won:
        tree.take_leaf(task, leaf_nodes)
    else:
        tree.take_moves(task, answer.expansion.candidates, leaf_nodes)
