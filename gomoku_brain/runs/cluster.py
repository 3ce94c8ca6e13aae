"""Work on the machines of a Dask cluster, which is there already.

The scheduler gives the task of a worker that went away to another one. The workers need
this package. The library `distributed` is imported when a `Cluster` is made.
"""

import contextlib
import importlib
import logging
import re
import threading
import uuid
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Self, TypeVar

PATIENCE = 30.0
"""Seconds to wait for the scheduler, and for a first worker."""
ATTEMPTS = 4
"""How often a task is given to the cluster when that loses workers over it; each time
the scheduler itself tries several (`distributed.scheduler.allowed-failures`)."""

_SLICE = 0.25

T = TypeVar("T")

# On a worker: the event that stops the tasks of a run.
_stops: dict[str, threading.Event] = {}


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


# What runs on a worker


def stop_event(run: str) -> threading.Event:
    """The event that ends the work of a run on this worker."""
    return _stops.setdefault(run, threading.Event())


def _stop(run: str) -> None:
    stop_event(run).set()
