"""Work on the machines of an existing Dask cluster.

If a worker goes away, the scheduler gives its task to another one. The workers need
this package. The library ``distributed`` is imported when a ``Cluster`` is created.
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
"""Number of times that a task is submitted if the workers that run it are lost.

Each time the scheduler itself tries several workers
(``distributed.scheduler.allowed-failures``).
"""

_SLICE = 0.25

T = TypeVar("T")

# On a worker: the event that stops the tasks of a run.
_stops: dict[str, threading.Event] = {}


class ClusterError(ConnectionError):
    """Error of a cluster that cannot be used or was lost, with the reason in one
    line.
    """


class Cluster:
    """Connection to a scheduler.

    Raises ClusterError if there is none, or if ``distributed`` is not installed.
    """

    def __init__(self, address: str) -> None:
        """Connect, and wait for a worker."""
        # By name, since it has no types and may be missing when types are checked.
        try:
            self._library = importlib.import_module("distributed")
        except ImportError:
            raise ClusterError(
                "--cluster needs Dask: pip install distributed"
            ) from None
        # The library logs pages about a lost scheduler; ClusterError has one line.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        self._run = uuid.uuid4().hex
        # A client that refuses its address leaves a thread behind that must be ended.
        form = r"([a-z]+://)?[^/\s]+:[0-9]{1,5}|inproc://\S+"
        if not re.fullmatch(form, address):
            raise ClusterError(
                f"{address!r} is no address of a scheduler, tcp://host:8786"
            )
        try:
            keys = self._library.Security().get_connection_args("client")
            if address.startswith("tls:") and keys["ssl_context"] is None:
                raise ValueError("set its keys in Dask's distributed.comm.tls")
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
        # Cancelling a task does not end a game that a worker is playing.
        with contextlib.suppress(OSError):
            self._client.run(_stop, self._run, on_error="ignore")
        self._client.close()

    @property
    def threads(self) -> int:
        """Number of tasks that the workers run at once."""
        return sum(self._client.nthreads().values())

    @property
    def killed(self) -> type[Exception]:
        """Exception of a task of ``executor`` that was lost with several workers."""
        killed: type[Exception] = self._library.KilledWorker
        return killed

    def executor(self) -> Executor:
        """Return the workers as an executor of ``concurrent.futures``, for any
        tasks.
        """
        pool: Executor = self._client.get_executor(pure=False)
        return pool

    def on_every_worker(
        self, function: Callable[..., T], *args: object
    ) -> dict[str, T]:
        """Call a function on each worker; return the results by the worker's address.

        Raises ClusterError, which names the worker, if a call fails.
        """
        answers = self._client.run(function, *args, on_error="return")
        for worker, answer in answers.items():
            if isinstance(answer, Exception):
                raise ClusterError(f"worker {worker}: it cannot be used: {answer!r}")
        return dict(answers)

    def call(
        self, function: Callable[..., T], *args: object, stop: threading.Event
    ) -> T | None:
        """Call a function on a worker, again if the worker is lost, and return its
        result.

        Return None once ``stop`` is set. Raises ClusterError if too many workers are
        lost during the call, or the scheduler is lost. Raises the exceptions of
        ``function``.
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
        raise ClusterError("every worker that ran the task was lost")


# Functions that run on a worker


def stop_event(run: str) -> threading.Event:
    """Return the event that ends the work of a run on this worker."""
    return _stops.setdefault(run, threading.Event())


def _stop(run: str) -> None:
    stop_event(run).set()
