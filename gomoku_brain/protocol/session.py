"""Conversation with one manager: the queue of its commands and their execution.

``Session().handle("START 15")`` returns ``["OK"]``. It executes a line completely,
thinking included. A program that must read while it thinks uses two threads: one calls
``feed`` for every line, the other runs ``run``, which executes the lines in order. In
both cases, every command that requests a move gets exactly one reply line.

``states.State`` names the states of a session. Two tables define the transitions and
the effect of ``feed`` on a running search: YXSTOP, END and the INFO time keys act at
once, all other lines are queued. With ``INFO pondering 1``, ``run`` ponders after a
move while it waits. Any input ends pondering.
"""

import _thread
import time
from collections import deque
from collections.abc import Callable
from itertools import takewhile

from gomoku_brain.control.strength import FULL_STRENGTH
from gomoku_brain.player.player import Player
from gomoku_brain.protocol import commands
from gomoku_brain.protocol.commands import Command, Emit
from gomoku_brain.protocol.dialogue import Dialogue, NewBoard, Request
from gomoku_brain.protocol.options import TIME_KEYS, Options
from gomoku_brain.protocol.states import (
    REACTIONS,
    TRANSITIONS,
    Event,
    Input,
    Reaction,
    State,
)

TYPE_CHECKING = False  # typing takes milliseconds of the start to import
if TYPE_CHECKING:
    from typing import Any

    from gomoku_brain.control.search_control import SearchControl
    from gomoku_brain.engine.engine import Engine
    from gomoku_brain.player.thought import Pondering, Thought
    from gomoku_brain.protocol.lines_of_play import LinesOfPlay

# Words of lines whose answers an END must not prevent: they load the engine or search.
_AWAITED_WORDS = commands.MOVE_WORDS | {"DONE", "START", "RECTSTART"}
_CUT = (
    "END came together with these commands, so nothing is searched;"
    " leave END out: the end of the input ends the brain after its last move"
)
_END_OF_INPUT = Command("END", "of the input")  # the last entry of the queue


class _Item:
    """Command in the queue or in execution."""

    def __init__(self, command: Command, arrival: float) -> None:
        self.command = command
        self.arrival = arrival
        """Arrival in seconds; during execution, the time at which its clock started."""
        self.stop = False
        """Whether a stop came after it. Its search then ends at once."""
        self.cut = False
        """Whether that stop was an END that came before its search began."""
        self.begun = False
        """Whether its search has begun."""
        self.replied = False
        """Whether the session has answered the command."""


class Session:
    """Brain's side of one conversation.

    ``emit`` receives each line for the manager, ``log`` texts about errors. ``quiet``
    starts without lines of play. ``strength`` and ``threads`` are valid until INFO
    changes them. ``seed`` makes the errors of a strength below 100 reproducible.
    ``notice`` is a text for the user; the session sends it as a MESSAGE with the first
    command that requests a move.

    ``startup`` returns the processor seconds of this process so far. If the first move
    was requested before any answer, its time includes them. ``on_load`` is called once,
    after the engine is loaded.

    ``player`` creates the player from the options and the clock; the default is our
    brain. ``about`` is the answer to ABOUT.

    Tests can replace ``engine``, ``board`` (called as ``board((width, height),
    rule)``), ``control`` (called without arguments) and ``clock`` (seconds).
    """

    def __init__(
        self,
        engine: "Engine | None" = None,
        *,
        emit: Emit | None = None,
        board: NewBoard | None = None,
        control: "Callable[[], SearchControl] | None" = None,
        clock: Callable[[], float] = time.perf_counter,
        startup: Callable[[], float] | None = None,
        on_load: Callable[[], None] | None = None,
        log: Emit | None = None,
        quiet: bool = False,
        strength: int = FULL_STRENGTH,
        seed: int | None = None,
        threads: int = 1,
        notice: str = "",
        player: "Callable[[Options, Callable[[], float]], Any] | None" = None,
        about: str = "",
    ) -> None:
        """Create a session without loading the engine."""
        self._notice = notice
        self.options = Options(
            show_detail=-1 if quiet else 0, strength=strength, thread_num=threads
        )
        self._emit: Emit = emit or (lambda line: None)
        self._clock = clock
        self._player: Player = (
            player(self.options, clock)
            if player
            else Player(
                self.options,
                engine,
                control,
                clock=clock,
                new_log=self._lines_of_play,
                log=log,
                startup=startup,
                on_load=on_load,
                seed=seed,
            )
        )
        self._dialogue = Dialogue(
            self._player, self.options, reply=self._reply, board=board, about=about
        )

        # Data of both threads, protected by the lock.
        self._lock = _thread.RLock()
        self._state = State.IDLE
        self._queue: deque[_Item] = deque()
        self._news = _thread.allocate_lock()  # locked while the queue has nothing new
        # The command in execution, or the last one.
        self._item = _Item(Command("", ""), float("-inf"))
        self._thought: Thought | None = None  # under way
        self._pondering: Pondering | None = None  # under way
        self._is_cut = False  # whether END arrived before answers were ready
        self._cut_reported = False  # whether the manager got the message about that
        self._free_at = float("-inf")  # when the last search for a move ended

    # Input

    def handle(self, line: str) -> list[str]:
        """Execute one line completely. Return the lines that answer it."""
        command = commands.parse_command(line)
        replies: list[str] = []
        if command is None or command.word in commands.STOP_WORDS:
            return replies
        if self._state is State.ENDED:  # as after the end of a process
            return replies
        emit, self._emit = self._emit, replies.append
        with self._lock:
            self._take_up(_Item(command, self._clock()))
        try:
            self._execute()
        finally:
            self._emit = emit
        return replies

    def feed(self, line: str, arrival: float | None = None) -> bool:
        """Accept a line that came at ``arrival`` (seconds of the clock; None = now).

        Return False after END, when no further input is read, else True.
        """
        command = commands.parse_command(line)
        if command is None:
            return True
        item = _Item(command, self._clock() if arrival is None else arrival)
        with self._lock:
            reaction = self._react(self._input_of(command))
            if command.word == "END":
                self._cut_short(item.arrival)
            if reaction is Reaction.NEW_LIMITS and self._thought:
                self._dialogue.apply_info(command.rest, self._thought)
            elif command.word not in commands.STOP_WORDS:
                self._put(item)
        return command.word != "END"

    def close(self) -> None:
        """Mark the end of the input. ``run`` returns after the queued commands."""
        with self._lock:
            self._react(Input.CLOSE)
            self._put(_Item(_END_OF_INPUT, self._clock()))

    def run(self) -> None:
        """Execute the lines of ``feed`` until END or ``close``."""
        while self._state is not State.ENDED:
            self._use_idle_time()
            while not self._queue:
                self._news.acquire()
            with self._lock:
                self._take_up(self._queue.popleft())
            self._execute()

    @property
    def state(self) -> State:
        """The state of the session."""
        return self._state

    @property
    def is_cut_short(self) -> bool:
        """Whether END arrived before the answers of earlier commands were ready."""
        return self._is_cut

    @property
    def queued(self) -> int:
        """The number of commands that wait in the queue."""
        return len(self._queue)

    def _put(self, item: _Item) -> None:
        """Append a command to the queue. The caller holds the lock."""
        self._queue.append(item)
        if self._news.locked():
            self._news.release()

    def _input_of(self, command: Command) -> Input:
        """Classify a command by its effect on a running search."""
        if command.word in commands.STOP_WORDS or command.word == "END":
            return Input.STOP
        if command.word != "INFO":
            return Input.COMMAND
        if not _is_time_info(command):
            return Input.INFO
        waits = any(item.command.word != "INFO" for item in self._queue)
        return Input.INFO if waits else Input.TIME

    def _react(self, what: Input) -> Reaction:
        """Apply the reaction table to the running search. The caller holds the lock."""
        if what is Input.STOP:  # it applies to all earlier commands
            for item in (self._item, *self._queue):
                item.stop = True
            self._dialogue.disable_pondering()
        reaction = REACTIONS.get(self._state, {}).get(what, Reaction.NONE)
        search = self._thought or self._pondering
        if reaction is Reaction.STOP and search:
            search.stop()
        elif reaction is Reaction.STOP_SOON and self._thought:
            self._thought.stop_soon()
        return reaction

    def _cut_short(self, arrival: float) -> None:
        """Mark the commands for which END leaves no time to search.

        The caller holds the lock. A command that was read at the same time as END is
        one of them, even if the other thread has already started it.
        """
        waits = self._state is State.EXECUTING and not self._item.begun
        for item in (self._item, *self._queue):
            item.cut = item is not self._item or item.arrival == arrival or waits
            if item.cut and item.command.word in _AWAITED_WORDS:
                self._is_cut = True

    def _enter(self, event: Event) -> None:
        """Change to the next state. The caller holds the lock."""
        self._state = TRANSITIONS[self._state, event]

    # Idle time

    def _use_idle_time(self) -> None:
        """Do work in advance, and ponder, until a command comes."""
        while not self._queue and self._player.use_idle_time():
            pass
        self._ponder()

    def _ponder(self) -> None:
        """Ponder the position until a line comes or the search ends by itself."""
        with self._lock:
            position = self._dialogue.position_to_ponder()
            if position is None or self._queue:
                return
            pondering = self._pondering = self._player.ponder()
            self._enter(Event.PONDER)
        pondering.search(position)
        with self._lock:
            self._enter(Event.PONDERED)
            self._pondering = None
            if not self._queue:  # the search ended by itself
                self._dialogue.disable_pondering()

    # Execution

    def _take_up(self, item: _Item) -> None:
        """Make a queued command the current one. The caller holds the lock."""
        # The clock of a command that waited for a search starts when the search ends.
        item.arrival = max(item.arrival, self._free_at)
        self._item = item
        self._enter(Event.COMMAND)

    def _execute(self) -> None:
        """Execute the current command. An error does not end the conversation."""
        item = self._item
        try:
            if self._notice and item.command.word in commands.MOVE_WORDS:
                self._message(self._notice)
                self._notice = ""
            if item.command is not _END_OF_INPUT:
                request = self._dialogue.execute(item.command, item.arrival)
                if request is not None:
                    self._perform(request)
        except Exception as error:
            if isinstance(error, ImportError) and not self._player.is_loaded:
                raise  # the compiled modules are missing
            self._player.log_error(error)
            if not item.replied and item.command.word != "INFO":
                self._dialogue.error("internal error")
        finally:
            ended = item.command.word == "END"
            opened = self._dialogue.collects
            with self._lock:
                self._enter(
                    Event.END if ended else Event.OPENED if opened else Event.DONE
                )

    def _message(self, text: str) -> None:
        """Send a message to the user, unless INFO turned messages off."""
        if self.options.show_detail >= 0:
            self._emit(f"MESSAGE {text}")

    def _reply(self, line: str) -> None:
        self._item.replied = True
        self._emit(line)
        self._player.note_answer()

    def _lines_of_play(self) -> "LinesOfPlay":
        from gomoku_brain.protocol.lines_of_play import LinesOfPlay

        return LinesOfPlay(self.options, lambda line: self._emit(line), self._clock)

    def _perform(self, request: Request) -> None:
        """Search for the current command, while ``feed`` may act on the search."""
        try:
            with request.think() as thought:
                with self._lock:
                    self._thought = thought
                    self._item.begun = True
                    self._enter(Event.SEARCH)
                    self._apply_earlier_input(thought)
                try:
                    answer = request.search(thought)
                finally:
                    with self._lock:
                        self._enter(Event.FOUND)
                        self._thought = None
            if self._item.cut and not self._cut_reported:
                self._message(_CUT)
                self._cut_reported = True
        finally:
            self._free_at = self._clock()
        answer()

    def _apply_earlier_input(self, thought: "Thought") -> None:
        """Apply the input that came before the thought. The caller holds the lock."""
        # A time key that follows the command, with only INFO lines between, applies to
        # this move, as if it came later.
        infos = list(takewhile(lambda item: item.command.word == "INFO", self._queue))
        for item in infos:
            if _is_time_info(item.command):
                self._queue.remove(item)
                self._dialogue.apply_info(item.command.rest, thought)
        if self._item.stop:
            thought.stop()
        elif any(item.command.word != "INFO" for item in self._queue):
            thought.stop_soon()


def _is_time_info(command: Command) -> bool:
    """Return whether a command is an INFO about time."""
    words = command.rest.split(None, 1)
    return command.word == "INFO" and bool(words) and words[0].lower() in TIME_KEYS
