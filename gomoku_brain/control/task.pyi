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
    """A function that a thread calls once; one other thread looks after it."""

    def __init__(
        self, work: Callable[[], _Result], news: _Lock | None = None
    ) -> None: ...
    def start(self) -> bool:
        """Ask the system for a thread; False if it gives none."""
    def begins(self, control: SearchControl) -> bool:
        """Whether the work, which was started, begins in time; if not, it never will.

        That is within ``PATIENCE`` and the time of the control. To be asked once.
        """
    @property
    def done(self) -> bool:
        """Whether the work has come to its end."""
    def cancel(self) -> bool:
        """Let the work never begin; False if it has begun already."""
    def wait(self, seconds: float = -1) -> None:
        """Until the work is done, or so long at most; -1 = without a limit."""
    def result(self) -> _Result:
        """What the work, which is done, came to; raises what it raised, once."""

@disjoint_base
class Team:
    """Tasks that look at one control, and are at work in a ``with`` block only."""

    @property
    def control(self) -> SearchControl: ...
    @property
    def tasks(self) -> list[Task[Any]]: ...
    def __init__(self, control: SearchControl) -> None: ...
    def __enter__(self) -> Self: ...
    def start(self, work: Callable[[], _Result]) -> Task[_Result] | None:
        """The task of this work, in the block; None if the system gives no thread."""
    def wait(self, seconds: float) -> None:
        """Until another task is done, but so long at most."""
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

def end(tasks: Sequence[Task[Any]], control: SearchControl) -> None:
    """Stop the work that looks at this control, and wait until it is done.

    What has not begun never begins. Ctrl-C is heard afterwards: however often it comes,
    nothing is at work then.
    """
