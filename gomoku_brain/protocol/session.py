"""One conversation with a manager: the queue of its commands, and what waits for none.

``Session().handle("START 15")`` answers ``["OK"]``: it runs a line to its end, thinking
included. A program that must listen while it thinks uses two threads instead: one calls
``feed`` for every line, the other sits in ``run`` and executes them in order. The
invariant of both: every command that asks for a move gets exactly one reply line.

What a session is doing has a name (``states.State``), and two tables say how that
changes and what ``feed`` does to a search that is under way: YXSTOP, END and the INFO
time keys act at once, the rest is queued. With ``INFO pondering 1``, ``run`` thinks on
after a move while it waits; whatever ``feed`` takes in ends that.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import takewhile

from gomoku_brain.control.strength import FULL_STRENGTH
from gomoku_brain.protocol import commands
from gomoku_brain.protocol.commands import Command, Emit
from gomoku_brain.protocol.dialogue import Dialogue, NewBoard
from gomoku_brain.protocol.options import TIME_KEYS, Options
from gomoku_brain.protocol.states import (
    REACTIONS,
    TRANSITIONS,
    Event,
    Input,
    Reaction,
    State,
)
from gomoku_brain.protocol.thinker import Thinker

TYPE_CHECKING = False  # typing takes milliseconds of the start to import
if TYPE_CHECKING:
    from gomoku_brain.control.search_control import SearchControl
    from gomoku_brain.engine.engine import Engine
    from gomoku_brain.protocol.thought import Pondering, Thought

_ASKING = commands.MOVE_WORDS | {"DONE"}  # the words of lines that ask for moves
_CUT = (
    "END came together with these commands, so nothing is searched;"
    " leave END out: the end of the input ends the brain after its last move"
)
_END_OF_INPUT = Command("END", "of the input")  # in the queue, behind all commands
# A manager that has said nothing for so long waits for its user or its other engine.
# Commands that follow each other, as START, INFO and BEGIN do, come much faster.
_PAUSE = 0.05  # seconds


class _Item:
    """A command in the queue, or the one being executed."""

    def __init__(self, command: Command, arrival: float) -> None:
        self.command = command
        self.arrival = arrival
        """When it came; once executed, when its clock began to run."""
        self.stop = False
        """Whether a stop came after it: its search ends as soon as it begins."""
        self.cut = False
        """Whether that was an END that came before its search could begin."""
        self.replied = False
        """Whether anything was answered."""


class Session:
    """The brain's side of one conversation.

    ``engine``, ``board`` (called as ``board((width, height), rule)``), ``control``
    (called without arguments) and ``clock`` (seconds) are the real ones unless a test
    hands in others. ``emit`` receives each line for the manager. ``startup`` returns
    the processor seconds of this process so far; a first move that was asked for before
    anything was answered is charged with them. ``on_load`` is called once, when the
    engine is in memory.
    ``log`` receives text about errors. ``quiet`` begins without lines of play.
    ``strength`` and ``threads``, those of an engine that is not handed in, hold until
    INFO tells others; ``seed`` makes the errors of a strength below 100 the same every
    time. ``notice`` is a text for the user: it comes as a MESSAGE with the first
    command that asks for a move.
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
    ) -> None:
        """Wait for the first command; nothing heavy is loaded yet."""
        self._notice = notice
        self.options = Options(
            show_detail=-1 if quiet else 0, strength=strength, thread_num=threads
        )
        self._emit: Emit = emit or (lambda line: None)
        self._clock = clock
        self._thinker = Thinker(
            self.options,
            engine,
            control,
            emit=lambda line: self._emit(line),
            log=log or (lambda text: None),
            clock=clock,
            startup=startup,
            on_load=on_load,
            seed=seed,
        )
        self._dialogue = Dialogue(
            self._thinker,
            reply=self._reply,
            think=self._thinking,
            board=board,
            seed=seed,
        )

        # What both threads use, under the lock.
        self._lock = threading.Condition()
        self._state = State.IDLE
        self._queue: deque[_Item] = deque()
        # The command being executed, or the last one that was.
        self._item = _Item(Command("", ""), float("-inf"))
        self._thought: Thought | None = None  # under way
        self._pondering: Pondering | None = None  # under way
        self._is_cut = False  # whether END came together with commands for moves
        self._told_cut = False  # whether the manager knows of the commands cut short
        self._free_at = float("-inf")  # when the last search for a move ended

    # Input

    def handle(self, line: str) -> list[str]:
        """Execute one line to its end; the lines that answer it."""
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
        """Take in a line that came at ``arrival``; whether more input makes sense."""
        command = commands.parse_command(line)
        if command is None:
            return True
        item = _Item(command, self._clock() if arrival is None else arrival)
        with self._lock:
            reaction = self._react(self._input_of(command))
            if command.word == "END":
                self._cut_short(item.arrival)
            if reaction is Reaction.TELL and self._thought:
                self._thinker.take_info(command.rest, self._thought)
            elif command.word not in commands.STOP_WORDS:
                self._queue.append(item)
                self._lock.notify_all()
        return command.word != "END"

    def close(self) -> None:
        """Say that no more input comes: ``run`` returns when the queue is done."""
        with self._lock:
            self._react(Input.CLOSE)
            self._queue.append(_Item(_END_OF_INPUT, self._clock()))
            self._lock.notify_all()

    def run(self) -> None:
        """Execute what ``feed`` queues, until END or until ``close``."""
        while self._state is not State.ENDED:
            self._use_idle_time()
            with self._lock:
                self._lock.wait_for(lambda: self._queue)
                self._take_up(self._queue.popleft())
            self._execute()

    @property
    def state(self) -> State:
        """What the session is doing."""
        return self._state

    @property
    def is_cut_short(self) -> bool:
        """Whether END came together with commands that ask for moves."""
        return self._is_cut

    @property
    def queued(self) -> int:
        """Commands that wait for the one being executed."""
        return len(self._queue)

    def _input_of(self, command: Command) -> Input:
        """What a line of the manager is to a search that is under way."""
        if command.word in commands.STOP_WORDS or command.word == "END":
            return Input.STOP
        if command.word != "INFO":
            return Input.COMMAND
        if not _is_time_info(command):
            return Input.INFO
        waits = any(item.command.word != "INFO" for item in self._queue)
        return Input.INFO if waits else Input.TIME

    def _react(self, what: Input) -> Reaction:
        """Do to the search under way what the table says; the lock is held."""
        if what is Input.STOP:  # of everything that has come so far
            for item in (self._item, *self._queue):
                item.stop = True
            self._dialogue.expect_nothing()
        reaction = REACTIONS.get(self._state, {}).get(what, Reaction.NONE)
        search = self._thought or self._pondering
        if reaction is Reaction.STOP and search:
            search.stop()
        elif reaction is Reaction.HURRY and self._thought:
            self._thought.hurry()
        return reaction

    def _cut_short(self, arrival: float) -> None:
        """Mark the commands that an END lets no time to think; the lock is held.

        What was read at the same time as END belongs to them, even if the other thread
        has been quick enough to begin with it.
        """
        for item in (self._item, *self._queue):
            item.cut = item is not self._item or item.arrival == arrival
            if item.cut and item.command.word in _ASKING:
                self._is_cut = True

    def _enter(self, event: Event) -> None:
        """Go on to the state that follows; the lock is held."""
        self._state = TRANSITIONS[self._state, event]
        self._lock.notify_all()

    # While the opponent thinks

    def _use_idle_time(self) -> None:
        """Do what a command would have to wait for otherwise, until one comes."""
        if not self._queue:
            self._dialogue.prepare()
        while not self._queue and self._thinker.settle():
            pass
        with self._lock:
            # After a move that is followed by pondering nothing comes but a reply.
            if self._dialogue.position_to_ponder() is None:
                self._lock.wait_for(lambda: self._queue, _PAUSE)
        if not self._queue:
            self._dialogue.open_proof()
        self._ponder()

    def _ponder(self) -> None:
        """Think about the expected reply until a line comes or all is proved."""
        with self._lock:
            position = self._dialogue.position_to_ponder()
            if position is None or self._queue:
                return
            pondering = self._pondering = self._thinker.ponder()
            self._enter(Event.PONDER)
        pondering.search(position)
        with self._lock:
            self._enter(Event.PONDERED)
            self._pondering = None
            if not self._queue:  # it came to its end
                self._dialogue.expect_nothing()

    # Execution

    def _take_up(self, item: _Item) -> None:
        """Make an item the one being executed; the lock is held."""
        # What waited behind a search has its clock started when that search ended.
        item.arrival = max(item.arrival, self._free_at)
        self._item = item
        self._enter(Event.COMMAND)

    def _execute(self) -> None:
        """Carry out one command; whatever happens, the conversation goes on."""
        item = self._item
        try:
            if self._notice and item.command.word in commands.MOVE_WORDS:
                self._message(self._notice)
                self._notice = ""
            if item.command is not _END_OF_INPUT:
                self._dialogue.execute(item.command, item.arrival)
        except Exception as error:
            self._thinker.log_error(error)
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
        """Say something to the user, unless the manager wants no such lines."""
        if self.options.show_detail >= 0:
            self._emit(f"MESSAGE {text}")

    def _reply(self, line: str) -> None:
        self._item.replied = True
        self._emit(line)
        self._thinker.note_answer()

    @contextmanager
    def _thinking(self, share: float, moves: int) -> "Iterator[Thought]":
        """One move's thought, on which ``feed`` may act while the block runs.

        ``share`` is the part of the move's time that its search may use, ``moves`` how
        many moves we make at most until the board is full.
        """
        try:
            arrival = self._item.arrival
            with self._thinker.think(arrival, share, moves) as thought:
                with self._lock:
                    self._thought = thought
                    self._enter(Event.SEARCH)
                    self._heed_what_came(thought)
                try:
                    yield thought
                finally:
                    with self._lock:
                        self._enter(Event.FOUND)
                        self._thought = None
            if self._item.cut and not self._told_cut:
                self._message(_CUT)
                self._told_cut = True
        finally:
            self._free_at = self._clock()

    def _heed_what_came(self, thought: "Thought") -> None:
        """Act on what came before the thought began; the lock is held."""
        # A time key behind the command, with nothing but other INFO between them, means
        # this move, as if it came later.
        infos = list(takewhile(lambda item: item.command.word == "INFO", self._queue))
        for item in infos:
            if _is_time_info(item.command):
                self._queue.remove(item)
                self._thinker.take_info(item.command.rest, thought)
        if self._item.stop:
            thought.stop()
        elif any(item.command.word != "INFO" for item in self._queue):
            thought.hurry()


def _is_time_info(command: Command) -> bool:
    """Whether a command is an INFO about time."""
    words = command.rest.split(None, 1)
    return command.word == "INFO" and bool(words) and words[0].lower() in TIME_KEYS
