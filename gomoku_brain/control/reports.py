"""Reports of work in a thread, as an iterator for ``for`` and ``async for``."""

import queue
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import TYPE_CHECKING, Generic, Self, TypeVar

if TYPE_CHECKING:
    import asyncio

__all__ = ["Reports"]

T = TypeVar("T")
R = TypeVar("R")

_SLICE = 0.2  # seconds; Windows delivers Ctrl-C only between two waits


class Reports(Generic[T, R]):
    """Running work: an iterator of its reports, with a result at its end.

    Use it as a context manager, with ``with`` or ``async with``. The work starts when
    the block is entered and ends when the block is left, at once in both cases. After
    its end the iteration ends, and ``result()`` returns or raises its outcome.
    """

    def __init__(
        self, work: Callable[[Callable[[T], None]], R], stop: Callable[[], None]
    ) -> None:
        """Start nothing yet.

        ``work`` is called in a thread, with the function that takes a report; ``stop``
        ends it from another thread.
        """
        self._work = work
        self._stop_work = stop
        self._news: queue.SimpleQueue[T | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._wake: Callable[[], None] = lambda: None
        self._result: R | None = None
        self._error: BaseException | None = None
        self._stopped = False
        self._done = False

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
        if self._thread is not None:
            self._thread.join()

    async def __aenter__(self) -> Self:
        return self.start()

    async def __aexit__(self, *_: object) -> None:
        self.stop()
        await self._end()

    def start(self) -> Self:
        """Start the work, as entering the block does; then end it with ``stop``."""
        if self._thread is not None:
            raise RuntimeError("the work was started before")
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        return self

    def stop(self) -> None:
        """End the work soon; its result is then the best one so far."""
        self._stopped = True
        self._stop_work()

    @property
    def is_done(self) -> bool:
        """Whether the work has ended."""
        return self._done

    def result(self) -> R:
        """Wait for the end of the work; return its result or raise its error."""
        self._started().join()
        return self._outcome()

    async def result_async(self) -> R:
        """``result`` for asyncio: other tasks run meanwhile."""
        self._started()
        await self._end()
        return self._outcome()

    def __iter__(self) -> Iterator[T]:
        self._started()
        while True:
            try:
                report = self._news.get(timeout=_SLICE)
            except queue.Empty:
                continue
            if report is None:
                break
            yield report
        self._end_iteration()

    async def __aiter__(self) -> AsyncIterator[T]:
        self._started()
        event = self._event()
        while True:
            try:
                report = self._news.get_nowait()
            except queue.Empty:
                await event.wait()
                event.clear()
                continue
            if report is None:
                break
            yield report
        self._end_iteration()

    def _started(self) -> threading.Thread:
        if self._thread is None:
            raise RuntimeError("the work starts with its block: `with .. as ..`")
        return self._thread

    def _outcome(self) -> R:
        if self._error is not None:
            raise self._error
        return self._result  # type: ignore[return-value]

    def _end_iteration(self) -> None:
        self._news.put(None)  # for another iteration
        if self._error is not None and not self._stopped:
            raise self._error

    def _event(self) -> "asyncio.Event":
        """Return an event of the running loop that each report sets."""
        import asyncio  # late: it imports ssl, and few programs use it

        loop, event, before = asyncio.get_running_loop(), asyncio.Event(), self._wake

        def wake() -> None:
            before()
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)

        self._wake = wake
        event.set()
        return event

    async def _end(self) -> None:
        event = self._event()
        while not self._done and self._thread is not None:
            await event.wait()
            event.clear()

    def _run(self) -> None:
        try:
            self._result = self._work(self._report)
        except BaseException as error:
            self._error = error
        finally:
            self._done = True
            self._news.put(None)
            self._wake()

    def _report(self, report: T) -> None:
        self._news.put(report)
        self._wake()
