"""Games on the machines of a Dask cluster, which is there already.

Each game is a task of the cluster. The scheduler gives the game of a worker that went
away to another one; a fault of an engine is a result and is not played again. Only
games without clocks are played so: machines differ and have other work, and a clock
would measure that. Nodes and depths are the same everywhere.

The workers need this package, and the engines at the paths that are given here. The
library `distributed` is imported when a `Cluster` is made.
"""

import contextlib
import importlib
import logging
import re
import threading
import uuid
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from typing import Self, TypeVar

from gomoku_brain.client.brain import BrainFault, EngineSpec
from gomoku_brain.match.record import GameRecord
from gomoku_brain.match.referee import GameTask
from gomoku_brain.match.tournament import MatchPlayer, play_here, try_engine

PATIENCE = 30.0
"""Seconds to wait for the scheduler, and for a first worker."""
ATTEMPTS = 4
"""How often a game is given to the cluster when that loses workers over it; each time
the scheduler itself tries several (`distributed.scheduler.allowed-failures`)."""

_SLICE = 0.25

T = TypeVar("T")

# On a worker: what stops the games of a run.
_stops: dict[str, threading.Event] = {}


def check_limits(players: Iterable[MatchPlayer]) -> None:
    """Raise ValueError unless all play to a number of nodes or a depth, without clock.

    Also when a limit could let the games last for ever.
    """
    for player in players:
        time = player.time
        if time.turn is not None or time.match is not None:
            raise ValueError(
                f"{player.name} plays by the clock, and a cluster's machines differ:"
                " limit nodes or depth there"
            )
        if time.nodes is None and time.depth is None:
            raise ValueError(f"{player.name} has no limit of nodes or depth")


class ClusterError(Exception):
    """The cluster cannot be used, or is there no more; one line says why."""


class Cluster:
    """A connection to a scheduler. Raises ClusterError when there is none.

    Raises ImportError when `distributed` is not installed.
    """

    def __init__(self, address: str) -> None:
        """Connect, and wait for a worker."""
        # By name, as it has no types and need not be here when types are checked.
        self._library = importlib.import_module("distributed")
        # What it logs of a lost scheduler is pages; we say it in a line.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        self._run = uuid.uuid4().hex
        # A client that refuses its address has begun a thread that nobody would end.
        form = r"([a-z]+://)?[^/\s]+:[0-9]{1,5}|inproc://\S+"
        if not re.fullmatch(form, address):
            raise ClusterError(
                f"{address!r} is no address of a scheduler, tcp://host:8786"
            )
        try:
            self._client = self._library.Client(
                address, timeout=PATIENCE, set_as_default=False
            )
        except (OSError, ValueError) as error:
            raise ClusterError(f"no scheduler at {address}: {error}") from None
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            self._client.close()
            raise ClusterError(f"the scheduler at {address} has no worker") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # Cancelling a task does not end the game that a worker is playing already.
        with contextlib.suppress(OSError):
            self._client.run(_stop, self._run, on_error="ignore")
        self._client.close()

    @property
    def threads(self) -> int:
        """How many tasks the workers run at once."""
        return sum(self._client.nthreads().values())

    @property
    def killed(self) -> type[Exception]:
        """What a task of ``executor`` raises that was lost with several workers."""
        killed: type[Exception] = self._library.KilledWorker
        return killed

    def executor(self) -> Executor:
        """The workers as ``concurrent.futures`` has them, for any tasks."""
        pool: Executor = self._client.get_executor(pure=False)
        return pool

    def try_engines(
        self, specs: Sequence[EngineSpec], size: int, swap2: bool = False
    ) -> None:
        """Start each engine on every worker. Raises ClusterError for one that fails."""
        answers = self.on_every_worker(_try, tuple(specs), size, swap2)
        for worker, answer in answers.items():
            if answer:
                raise ClusterError(f"worker {worker}: {answer}")

    def on_every_worker(
        self, function: Callable[..., T], *args: object
    ) -> dict[str, T]:
        """What ``function`` returns on each worker, by the worker's address.

        Raises ClusterError, which names the worker, when one of them fails.
        """
        answers = self._client.run(function, *args, on_error="return")
        for worker, answer in answers.items():
            if isinstance(answer, Exception):
                raise ClusterError(f"worker {worker}: it cannot be used: {answer!r}")
        return dict(answers)

    def call(
        self, function: Callable[..., T], *args: object, stop: threading.Event
    ) -> T | None:
        """What ``function`` returns on some worker; again, if the worker is lost.

        None once ``stop`` is set. Raises ClusterError when workers are lost over it too
        often, or the scheduler is lost, and what ``function`` raises.
        """
        for _ in range(ATTEMPTS):
            done = threading.Event()
            future = self._client.submit(function, *args, pure=False)
            future.add_done_callback(lambda _, done=done: done.set())
            while not done.wait(_SLICE):
                if stop.is_set():
                    future.cancel()
                    return None
            try:
                answer: T = future.result()
            except self._library.KilledWorker:
                continue
            except self._library.CancelledError:
                if stop.is_set():
                    return None
                raise ClusterError("the connection to the scheduler was lost") from None
            return answer
        raise ClusterError("every worker that it was given to was lost")

    def play(self, task: GameTask, stop: threading.Event) -> GameRecord:
        """Play a game on some worker; again, if the worker is lost.

        Raises ClusterError when that happens too often, or the scheduler is lost.
        """
        try:
            record = self.call(_play, task, self._run, stop=stop)
        except ClusterError as error:
            raise ClusterError(f"game {task.id}: {error}") from None
        return _stopped(task) if record is None else record


def _stopped(task: GameTask) -> GameRecord:
    return GameRecord(task.rule, task.size, task.size, reason="stopped", id=task.id)


# What runs on a worker


def _try(specs: tuple[EngineSpec, ...], size: int, swap2: bool) -> str:
    """What is wrong with the first engine that cannot be started, or ""."""
    for spec in specs:
        try:
            try_engine(spec, size, swap2)
        except BrainFault as fault:
            return f"engine {spec.name} {fault}"
    return ""


def _play(task: GameTask, run: str) -> GameRecord:
    return play_here(task, _stops.setdefault(run, threading.Event()))


def _stop(run: str) -> None:
    _stops.setdefault(run, threading.Event()).set()
