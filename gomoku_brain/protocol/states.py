"""States of a session, their transitions, and reactions to input during a search.

``TRANSITIONS`` and ``REACTIONS`` define the behaviour completely. The thread of
``Session.run`` executes the commands one after the other. The thread that reads the
manager's lines only looks up the reaction of the running search to each line.
"""

from enum import Enum, auto

__all__ = ["REACTIONS", "TRANSITIONS", "Event", "Input", "Reaction", "State"]


class State(Enum):
    """State of a session."""

    IDLE = auto()
    """It waits for a command."""
    COLLECTING = auto()
    """It waits for the lines of a board, up to DONE."""
    EXECUTING = auto()
    """It executes a command and does not search."""
    THINKING = auto()
    """It searches for a move that the manager waits for."""
    PONDERING = auto()
    """It ponders: it searches in the opponent's time."""
    ENDED = auto()
    """It executed END, or all commands before the end of the input."""


class Event(Enum):
    """Event in the thread that executes the commands."""

    COMMAND = auto()
    """The execution of the next command begins."""
    SEARCH = auto()
    """The command needs a search, which begins."""
    FOUND = auto()
    """The search of the command has ended."""
    DONE = auto()
    """The execution of the command has ended."""
    OPENED = auto()
    """As DONE, and more lines of a block of lines must follow."""
    PONDER = auto()
    """No command waits, and there is a position to ponder."""
    PONDERED = auto()
    """Pondering has ended."""
    END = auto()
    """The command was the last one."""


TRANSITIONS: dict[tuple[State, Event], State] = {
    (State.IDLE, Event.COMMAND): State.EXECUTING,
    (State.COLLECTING, Event.COMMAND): State.EXECUTING,
    (State.EXECUTING, Event.SEARCH): State.THINKING,
    (State.THINKING, Event.FOUND): State.EXECUTING,
    (State.EXECUTING, Event.DONE): State.IDLE,
    (State.EXECUTING, Event.OPENED): State.COLLECTING,
    (State.EXECUTING, Event.END): State.ENDED,
    (State.IDLE, Event.PONDER): State.PONDERING,
    (State.PONDERING, Event.PONDERED): State.IDLE,
}
"""The next state for each state and event. Every other pair is a programming error."""


class Input(Enum):
    """Input from the manager, as it matters to a running search."""

    STOP = auto()
    """STOP, YXSTOP or END."""
    TIME = auto()
    """An INFO about time, if only INFO commands wait in the queue."""
    INFO = auto()
    """Any other INFO."""
    COMMAND = auto()
    """Any other line."""
    CLOSE = auto()
    """The end of the input."""


class Reaction(Enum):
    """Effect of an input on the running search. The session also queues the line."""

    NONE = auto()
    """The search continues. Without a search there is no effect."""
    STOP = auto()
    """The search ends now."""
    STOP_SOON = auto()
    """The search ends soon, even if its own limits allow more time."""
    NEW_LIMITS = auto()
    """The search continues with new limits. The session applies the line at once and
    does not queue it."""


REACTIONS: dict[State, dict[Input, Reaction]] = {
    State.THINKING: {
        Input.STOP: Reaction.STOP,
        Input.TIME: Reaction.NEW_LIMITS,
        Input.INFO: Reaction.NONE,
        Input.COMMAND: Reaction.STOP_SOON,
        Input.CLOSE: Reaction.STOP_SOON,
    },
    State.PONDERING: dict.fromkeys(Input, Reaction.STOP),
}
"""The reaction to each input in each state. In the other states no search runs."""
