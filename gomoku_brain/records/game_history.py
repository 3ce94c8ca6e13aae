"""Undo and redo for a game: the nodes of each change, as they were before it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, NamedTuple, Protocol, TypeVar, cast

__all__ = ["MAX_STEPS", "History", "Step", "change"]

MAX_STEPS = 500  # that can be undone
State = tuple[Any, ...]


class Changing(Protocol):
    """Node of a game, as the history of the game needs it."""

    def state(self) -> State:
        """Return everything that a change may change."""

    def restore(self, state: State) -> None:
        """Take a state back."""

    def history_of_game(self) -> "History | None":
        """Return the history of the node's game; None if it belongs to none."""


F = TypeVar("F", bound=Callable[..., Any])


class Step(NamedTuple):
    """Change that can be undone, or an undone one that can be done again."""

    name: str
    nodes: list[tuple[Changing, State]]
    """Nodes of the change, with their state on the other side of it."""
    shown: Any
    """Node that was shown on the other side of it."""
    beside: object
    """``History.beside`` on the other side of it."""


class History:
    """Changes of a game, in their order."""

    __slots__ = ("_before", "_done", "_undone", "beside", "revision", "shown")

    def __init__(self) -> None:
        """Create an empty history."""
        self.shown: Any = None
        """Node that is shown; whoever shows a game sets it."""
        self.beside: object = None
        """Immutable facts beside the nodes, which are undone with them; whoever has
        such facts sets them.
        """
        self.revision = 0
        """Counter of changes, undone ones among them."""
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self._before: dict[Changing, State] | None = None  # of the step under way

    @property
    def undo_name(self) -> str:
        """Name of the change that ``undo`` takes back; "" if there is none."""
        return self._done[-1].name if self._done else ""

    @property
    def redo_name(self) -> str:
        """Name of the change that ``redo`` makes again; "" if there is none."""
        return self._undone[-1].name if self._undone else ""

    @property
    def last_step(self) -> object:
        """Identity of the change that ``undo`` takes back; None if there is none."""
        return self._done[-1] if self._done else None

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Make all changes inside one step; an exception takes them back.

        A step inside another one belongs to it.
        """
        if self._before is not None:
            yield
            return
        before: dict[Changing, State] = {}
        self._before = before
        shown, beside = self.shown, self.beside
        try:
            yield
        except BaseException:
            for node, state in before.items():
                node.restore(state)
            self.shown, self.beside = shown, beside
            raise
        finally:
            self._before = None
        nodes = [(node, was) for node, was in before.items() if node.state() != was]
        if nodes or beside is not self.beside:
            self._done.append(Step(name, nodes, shown, beside))
            del self._done[:-MAX_STEPS]
            self._undone.clear()
            self.revision += 1

    @contextmanager
    def unrecorded(self) -> Iterator[None]:
        """Make changes that ``undo`` does not take back."""
        before, self._before = self._before, {}
        try:
            yield
        finally:
            self._before = before
            self.revision += 1

    def touch(self, node: Any) -> None:  # noqa: ANN401  a node, defined above
        """Store the state of a node that is about to change, once in a step."""
        if self._before is not None and node not in self._before:
            self._before[node] = node.state()

    def undo(self) -> bool:
        """Take the last change back; return whether there was one."""
        return self._swap(self._done, self._undone)

    def redo(self) -> bool:
        """Make the change again that was undone last; return whether there was one."""
        return self._swap(self._undone, self._done)

    def clear(self) -> None:
        """Forget all changes: none of them can be undone."""
        self._done.clear()
        self._undone.clear()

    def _swap(self, source: list[Step], target: list[Step]) -> bool:
        if self._before is not None:
            raise ValueError("a step is under way: it cannot be undone yet")
        if not source:
            return False
        step = source.pop()
        nodes = [(node, node.state()) for node, _ in step.nodes]
        for node, state in step.nodes:
            node.restore(state)
        target.append(Step(step.name, nodes, self.shown, self.beside))
        self.shown, self.beside = step.shown, step.beside
        self.revision += 1
        return True


def change(name: str) -> Callable[[F], F]:
    """Make a method of a node one step of its game's history."""

    def decorate(method: F) -> F:
        @wraps(method)
        def changing(self: Changing, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
            history = self.history_of_game()
            if history is None:
                return method(self, *args, **kwargs)
            with history.step(name):
                history.touch(self)
                return method(self, *args, **kwargs)

        return cast(F, changing)

    return decorate
