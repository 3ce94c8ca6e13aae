"""What a session is doing, how that changes, and what a line does that comes meanwhile.

The two tables are all there is to it. A session executes its commands one after the
other in the thread of ``Session.run``; the thread that reads the manager's lines only
looks up what a line does to the search that is under way.
"""

from enum import Enum, auto

__all__ = ["REACTIONS", "TRANSITIONS", "Event", "Input", "Reaction", "State"]


class State(Enum):
    """What a session is doing."""

    IDLE = auto()
    """It waits for a command."""
    COLLECTING = auto()
    """It waits for the lines of a board, up to DONE."""
    EXECUTING = auto()
    """A command is carried out; nothing is searched."""
    THINKING = auto()
    """A move is searched that the manager waits for."""
    PONDERING = auto()
    """A search goes on that nobody waits for."""
    ENDED = auto()
    """END was carried out, or all that came before the end of the input."""


class Event(Enum):
    """What happens in the thread that executes the commands."""

    COMMAND = auto()
    """The next command is taken up."""
    SEARCH = auto()
    """The command needs a search, which begins."""
    FOUND = auto()
    """That search is over."""
    DONE = auto()
    """The command has been carried out."""
    OPENED = auto()
    """The same, and it has begun a block of lines, or is a line of one."""
    PONDER = auto()
    """Nothing is to be done, and there is a position to think about."""
    PONDERED = auto()
    """That is over."""
    END = auto()
    """The command is the last one."""


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
"""The state that follows a state by an event; every other pair is a mistake of ours."""


class Input(Enum):
    """What the manager sends, as far as it matters to a search that is under way."""

    STOP = auto()
    """STOP or YXSTOP, and END."""
    TIME = auto()
    """An INFO about time, when nothing but other INFO waits to be executed."""
    INFO = auto()
    """Any other INFO."""
    COMMAND = auto()
    """Any other line."""
    CLOSE = auto()
    """The end of the input."""


class Reaction(Enum):
    """What becomes of the search that is under way; the line itself is queued."""

    NONE = auto()
    """It goes on; without a search there is nothing to do."""
    STOP = auto()
    """It ends now."""
    HURRY = auto()
    """It ends soon, if it would not do so by itself."""
    TELL = auto()
    """It goes on with the new limits; the line is not queued, but taken in at once."""


REACTIONS: dict[State, dict[Input, Reaction]] = {
    State.THINKING: {
        Input.STOP: Reaction.STOP,
        Input.TIME: Reaction.TELL,
        Input.INFO: Reaction.NONE,
        Input.COMMAND: Reaction.HURRY,
        Input.CLOSE: Reaction.HURRY,
    },
    State.PONDERING: dict.fromkeys(Input, Reaction.STOP),
}
"""What an input does in a state; in those that are missing nothing is searched."""
