from __future__ import annotations  # pdoc runs the stub

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Final, Generic, Protocol, Self, TypeVar, final

from typing_extensions import disjoint_base

from gomoku_brain.control.search_control import SearchControl

_Result = TypeVar("_Result")

WAIT: Final[float]
PATIENCE: Final[float]

class _Lock(Protocol):
    def locked(self) -> bool: ...
    def release(self) -> None: ...

@final
class Task(Generic[_Result]):
    """Function that a thread calls once, with methods for one other thread."""

    def __init__(
        self, work: Callable[[], _Result], news: _Lock | None = None
    ) -> None: ...
    def start(self) -> bool:
        """Start a thread for the work; return False if the system starts none."""
    def begins(self, control: SearchControl) -> bool:
        """Whether the work starts within ``PATIENCE`` and the time of the control.

        If not, it will never start. Call it once, after ``start``.
        """
    @property
    def done(self) -> bool:
        """Whether the work has ended."""
    def cancel(self) -> bool:
        """Prevent the work from starting; return False if it has started already."""
    def wait(self, seconds: float = -1) -> None:
        """Wait until the work is done, at most ``seconds``; -1 = without a limit."""
    def result(self) -> _Result:
        """Return the result of the finished work, or raise its exception; call it
        once.
        """

@disjoint_base
class Team:
    """Tasks under one control, which run only inside a ``with`` block."""

    @property
    def control(self) -> SearchControl: ...
    @property
    def tasks(self) -> list[Task[Any]]: ...
    def __init__(self, control: SearchControl) -> None: ...
    def __enter__(self) -> Self: ...
    def start(self, work: Callable[[], _Result]) -> Task[_Result] | None:
        """Start a task for the work inside the block; None if the system starts no
        thread.
        """
    def wait(self, seconds: float) -> None:
        """Wait until another task is done, at most ``seconds``."""
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

def end(tasks: Sequence[Task[Any]], control: SearchControl) -> None:
    """Stop the work under this control, and wait until it is done.

    Work that has not started never starts. Ctrl-C is handled afterwards: however often
    it comes, no work is left then.
    """
