"""The search for a proof: hands out what is to be looked at, and keeps what was found.

The tree is changed by one process alone, this one. Workers look at positions: processes
of this machine, or the tasks of a Dask cluster. Nothing is kept in memory but the tasks
that are under way.
"""

import contextlib
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from types import MappingProxyType
from typing import NamedTuple

from gomoku_brain.proofs.grid import Position
from gomoku_brain.prove.expander import Expander, Expansion, Problem
from gomoku_brain.prove.tree import MORE, Counts, ProofTask, Tree, UntriedMove
from gomoku_brain.runs.cluster import Cluster

__all__ = [
    "ProofProgress",
    "TaskAnswer",
    "Trial",
    "Wishes",
    "cluster_workers",
    "keep",
    "look_at",
    "prove",
    "try_moves",
]

SLICE = 0.25  # seconds; how often the clock and Ctrl-C are looked at
QUEUE = 2  # tasks a worker, so that none waits for the tree
PART = 4  # moves that a worker tries before it tells
TELL = 10.0  # seconds between two looks at how far the proof is


class TaskAnswer(NamedTuple):
    """What a worker says of a task."""

    expansion: Expansion | None
    """Of a position."""
    replies: dict[int, int] | None
    """Of a move: those left open, as in ``Candidate``; None when the move loses."""
    seconds: float
    nodes: int
    """Moves made by the solver and the search."""


class TrialAnswer(NamedTuple):
    """What a worker says of moves that the solver was to be tried on."""

    replies: list[dict[int, int]]
    """For each of them those that must be listed, as in ``Candidate``."""
    seconds: float
    nodes: int


class Wishes(NamedTuple):
    """How a proof should be."""

    leaf_nodes: int | None = None
    """A position is left to the solver only where it wins within so many nodes from an
    empty table; None: where the workers find a win by threats."""
    suggestions: Mapping[Position, int] = MappingProxyType({})
    """For canonical positions a move that is tried before others."""


NO_WISHES = Wishes()


class Trial(NamedTuple):
    """How the solver is tried on what a proof leaves to it."""

    done: int
    """Moves of the proof that were tried."""
    total: int
    listed: int
    """Replies to them that will get positions with a move of their own."""


class ProofProgress(NamedTuple):
    """Where a run is."""

    counts: Counts
    looked_at: int
    """Tasks done in this run."""
    speed: float
    """Tasks a second since the search for moves last began; the time of trials is not
    counted."""
    seconds: float
    """Since the run began."""
    worked: float
    """Seconds of all workers together."""
    nodes: int
    """Moves that their solvers and searches made."""
    trial: Trial | None = None
    """Where the solver is being tried."""


_expanders: dict[tuple[Problem, int | None], Expander] = {}  # of this process


def _expander(problem: Problem, leaf_nodes: int | None) -> Expander:
    wanted = problem, leaf_nodes
    if wanted not in _expanders:
        _expanders[wanted] = Expander(*wanted)
    return _expanders[wanted]


def look_at(
    problem: Problem,
    task: ProofTask,
    leaf_nodes: int | None = None,
    suggested: int | None = None,
) -> TaskAnswer:
    """What a worker does."""
    started = time.perf_counter()
    expander = _expander(problem, leaf_nodes)
    before = expander.nodes
    expansion = replies = None
    if task.move is None or task.cell is None:
        expansion = expander.look(task.stones, suggested)
    elif task.cell in MORE:
        expansion = expander.look_for_more(task.stones, task.cell, task.known)
    else:
        replies = expander.open_replies(task.stones, task.cell)
    seconds = time.perf_counter() - started
    return TaskAnswer(expansion, replies, seconds, expander.nodes - before)


def try_moves(
    problem: Problem, moves: Sequence[UntriedMove], leaf_nodes: int
) -> TrialAnswer:
    """What a worker does: the replies that these moves must list, too."""
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
    """The workers of a Dask cluster, and how many tasks they run at once.

    The third value is what a task raises that was lost with several workers.
    Raises ClusterError when there is no such cluster, ImportError without the package
    `distributed`. The workers need this package.
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
    wishes: Wishes = NO_WISHES,
) -> ProofProgress:
    """Search until the first position is decided, or a limit is met.

    With ``wishes.leaf_nodes`` the solver is then tried on what the proof leaves to it,
    and the search goes on until the proof is whole without the replies that are too
    hard for it. ``on_progress`` is called now and then, and at the end.
    KeyboardInterrupt ends it, too; the tree then holds all that was found.
    """
    if wishes.leaf_nodes is not None:
        tree.leave_to_solver(wishes.leaf_nodes)
    run = _Run(tree, problem, pool, workers, seconds, tasks, on_progress, wishes)
    while True:
        run.look_for_moves()
        if wishes.leaf_nodes is None or not tree.is_proved or run.is_out_of_time:
            break
        if run.leave_to_solver(wishes.leaf_nodes) or run.is_out_of_time:
            break
    return run.tell()


class _Run:
    """A run of the search: what it may use, and what it has done so far."""

    def __init__(
        self,
        tree: Tree,
        problem: Problem,
        pool: Executor,
        workers: int,
        seconds: float | None,
        tasks: int | None,
        on_progress: Callable[[ProofProgress], None] | None,
        wishes: Wishes,
    ) -> None:
        self.tree, self.problem, self.wishes = tree, problem, wishes
        self.pool, self.most = pool, QUEUE * workers
        self.seconds, self.tasks = seconds, tasks
        self.on_progress = on_progress
        self.started = self.told = time.monotonic()
        self.done, self.worked, self.nodes = 0, 0.0, 0
        self.speed = 0.0

    @property
    def is_out_of_time(self) -> bool:
        return (
            self.seconds is not None and time.monotonic() - self.started >= self.seconds
        )

    def tell(self, trial: Trial | None = None) -> ProofProgress:
        """Say how far the run is."""
        self.told = time.monotonic()
        found = ProofProgress(
            self.tree.counts(),
            self.done,
            self.speed,
            self.told - self.started,
            self.worked,
            self.nodes,
            trial,
        )
        if self.on_progress is not None:
            self.on_progress(found)
        return found

    def look_for_moves(self) -> None:
        """Search until the first position is decided, or a limit is met."""
        tree, wishes = self.tree, self.wishes
        started, before = time.monotonic(), self.done
        running: dict[Future[TaskAnswer], ProofTask] = {}
        try:
            while True:
                enough = tree.is_decided or self.is_out_of_time or self._has(running)
                while not enough and len(running) < self.most:
                    task = tree.next_task()
                    if task is None:
                        break
                    suggested = wishes.suggestions.get(task.stones)
                    future = self.pool.submit(
                        look_at, self.problem, task, wishes.leaf_nodes, suggested
                    )
                    running[future] = task
                    enough = self._has(running)
                if not running:
                    return
                ready, _ = wait(running, SLICE, FIRST_COMPLETED)
                for future in ready:
                    answer = future.result()
                    keep(tree, running.pop(future), answer, wishes.leaf_nodes or 0)
                    self.done += 1
                    self.worked += answer.seconds
                    self.nodes += answer.nodes
                passed = time.monotonic() - started
                self.speed = (self.done - before) / passed if passed else 0.0
                if tree.is_decided or self.is_out_of_time:
                    return
                if time.monotonic() - self.told >= TELL:
                    self.tell()
        finally:
            for future in running:
                future.cancel()
            tree.let_go()

    def _has(self, running: Collection[object]) -> bool:
        """Whether the tasks that were asked for are done or under way."""
        return self.tasks is not None and self.done + len(running) >= self.tasks

    def leave_to_solver(self, leaf_nodes: int) -> bool:
        """Try the solver on all replies that a finished proof leaves to it.

        Where it does not win within so many nodes from an empty table, the reply is
        listed, and the proof is open there until the position after it has a move of
        its own. Returns whether the proof is whole without any such reply.
        """
        untried = self.tree.untried_moves(leaf_nodes)
        waiting = [untried[k : k + PART] for k in range(0, len(untried), PART)][::-1]
        running: dict[Future[TrialAnswer], list[UntriedMove]] = {}
        done = listed = 0
        try:
            while waiting or running:
                if self.is_out_of_time:
                    return False
                while waiting and len(running) < self.most:
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
                if time.monotonic() - self.told >= TELL:
                    self.tell(Trial(done, len(untried), listed))
            return listed == 0
        finally:
            for future in running:
                future.cancel()


def keep(tree: Tree, task: ProofTask, answer: TaskAnswer, leaf_nodes: int = 0) -> None:
    """Put what a worker said of a task into the tree."""
    if answer.expansion is None:
        tree.take_move(task, answer.replies, leaf_nodes)
    elif answer.expansion.won:
        tree.take_leaf(task, leaf_nodes)
    else:
        tree.take_moves(task, answer.expansion.candidates, leaf_nodes)
