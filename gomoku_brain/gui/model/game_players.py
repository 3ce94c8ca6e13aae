"""Players of the GUI: a person, our brain, or a program that speaks the protocol.

A ``Player`` answers one request at a time and blocks while it thinks, so it runs in a
thread. Other threads can end its ``PlayerRequest``.
"""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from gomoku_brain.client.brain import (
    Brain,
    BrainFault,
    EngineSpec,
    shorten,
    split_command,
)
from gomoku_brain.control.limits import FULL_STRENGTH, SearchInfo, SearchResult
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.match.referee import (
    LATE_SECONDS,
    TimeControl,
    WrongAnswer,
    infos,
    question,
    read_moves,
    read_swap2,
    reason_of,
    time_left,
)
from gomoku_brain.player import player
from gomoku_brain.player.play_settings import FixedSettings
from gomoku_brain.player.thought import Thought
from gomoku_brain.proofs.proved import BookFor
from gomoku_brain.protocol.commands import proved_message, search_message
from gomoku_brain.records.game_record import PlayedMove

__all__ = [
    "BrainPlayer",
    "Cancelled",
    "Player",
    "PlayerConfig",
    "PlayerFault",
    "PlayerRequest",
    "ProgramPlayer",
    "make_player",
    "spec_of",
]

Log = Callable[[str], None]
Kind = Literal["human", "brain", "program"]

UNTIMED_SECONDS = 300.0  # without a clock, a program counts as hung after this
SWAP2_SECONDS = 5.0  # time of our brain for a choice in the opening


@dataclass(frozen=True)
class PlayerConfig:
    """Player of one side: a person, our brain at a level, or a program."""

    kind: Kind = "human"
    name: str = ""
    """Name of a person or a program; "" = the default of the window."""
    strength: int = FULL_STRENGTH
    """Playing strength of our brain, 0..100."""
    command: str = ""
    """Command of a program, as a person types it."""
    folder: str = ""
    """Working folder of the program; "" = the folder of the program."""
    infos: str = ""
    """Further INFO keys for the program, "key value; key value"."""


class Cancelled(Exception):
    """The request was cancelled."""


class PlayerFault(Exception):
    """Failure of a player. ``str`` is the reason in one line."""

    def __init__(self, reason: str, text: str, last_words: str = "") -> None:
        """Create the error."""
        super().__init__(text)
        self.reason = reason
        """Reason as in a game record: "crash", "hang", "illegal move" etc."""
        self.last_words = last_words
        """The last output of the program, mostly from standard error."""


class PlayerRequest:
    """Request to a player. Any thread may end it."""

    def __init__(self) -> None:
        """Create a request that is not cancelled."""
        self.cancelled = threading.Event()
        self._lock = threading.Lock()
        self._thought: Thought | None = None
        self._ends_now = False

    def begin(self, thought: Thought) -> None:
        """Let the requests of other threads end this thought of our brain."""
        with self._lock:
            self._thought = thought
            if self._ends_now:
                thought.stop()

    def move_now(self) -> None:
        """Let our brain answer with the best move so far. Programs cannot do this."""
        with self._lock:
            self._ends_now = True
            if self._thought is not None:
                self._thought.stop()

    def cancel(self) -> None:
        """Cancel the request. Its answer is ignored."""
        self.cancelled.set()
        self.move_now()


class Player(ABC):
    """Player that can choose moves: our brain or a program."""

    can_move_now = False
    """Whether ``PlayerRequest.move_now`` makes this player move."""

    def __init__(self, name: str) -> None:
        """Create a player without starting its engine."""
        self.name = name
        self.busy = threading.Lock()
        """Lock that is held during a request: only one request runs at a time."""

    @abstractmethod
    def choose(
        self, board: Board, left: float | None, request: PlayerRequest
    ) -> PlayedMove:
        """Return a move for the side to move, with its search figures.

        ``left`` is the time on the match clock in seconds; None = no limit.

        Raises:
            Cancelled: The request was cancelled.
            PlayerFault: The player cannot move.
        """

    @abstractmethod
    def swap2(
        self, board: Board, counts: tuple[int, ...], request: PlayerRequest
    ) -> tuple[Move, ...]:
        """Answer a swap2 opening of 0, 3 or 5 stones.

        Return the stones to add; no stone means to take black. Their number is one of
        ``counts`` (``Swap2.counts``). Raises as ``choose``.
        """

    def close(self) -> None:  # noqa: B027  most have nothing to do
        """Stop the player and free its resources."""


class BrainPlayer(Player):
    """Our brain in this process. It releases Python's lock while it searches."""

    can_move_now = True

    def __init__(
        self,
        name: str,
        strength: int,
        control: TimeControl,
        *,
        threads: int = 1,
        hash_mb: float = 64,
        log: Log | None = None,
        books: BookFor | None = None,
    ) -> None:
        """Create a player. The engine is created at the first request."""
        super().__init__(name)
        self.strength = strength
        self.control = control
        self._log = log or (lambda text: None)
        self._failure = ""  # last line about an error of the search
        self._settings = FixedSettings(
            turn_limit=_milliseconds(control.turn),
            time_increment=round(control.increment * 1000),
            playing_strength=strength,
            threads=threads,
            table_mb=hash_mb,
        )
        self._brain = player.Player(
            self._settings,
            clock=time.perf_counter,
            new_log=lambda: _LogLines(self._log),
            log=self._note_failure,
            books=books,
        )

    def choose(
        self, board: Board, left: float | None, request: PlayerRequest
    ) -> PlayedMove:
        """Return a move. The first stone of a game goes to the centre."""
        stone = self._brain.first_stone(board)
        if stone is not None:
            return PlayedMove(stone)
        if left is not None:
            self._brain.match.set_left(round(left * 1000))
        with self._thinking(self._brain.think, board, request) as thought:
            choice = self._brain.choose_move(board, thought)
            result = choice.result
            if result is None:
                raise PlayerFault("crash", self._failure)
        self._log(f"< {choice.move.x},{choice.move.y}")
        return PlayedMove(
            choice.move,
            score=result.score,
            win_in=result.win_in,
            depth=result.depth,
            nodes=result.nodes,
        )

    def swap2(
        self, board: Board, counts: tuple[int, ...], request: PlayerRequest
    ) -> tuple[Move, ...]:
        """Place stones, or choose the colour, as in the protocol."""
        turn = self._settings.turn_limit
        limits = [t for t in (turn, _milliseconds(SWAP2_SECONDS)) if t is not None]
        self._settings.turn_limit = min(limits)
        try:
            if not board.ply:
                with self._thinking(self._brain.think, board, request) as thought:
                    return self._brain.place_three(board, thought)
            think = self._brain.think_of_colour
            with self._thinking(think, board, request) as thought:
                return self._brain.choose_colour(board, thought)
        finally:
            self._settings.turn_limit = turn

    @contextmanager
    def _thinking(
        self,
        think: Callable[[Board, float], Thought],
        board: Board,
        request: PlayerRequest,
    ) -> Iterator[Thought]:
        """Provide the thought about a request, which other threads may end."""
        self._failure = "the search failed"
        try:
            with think(board, time.perf_counter()) as thought:
                request.begin(thought)
                yield thought
        except PlayerFault:
            if not request.cancelled.is_set():
                raise
        except Exception as error:  # mostly MemoryError; the window must continue
            text = f"{type(error).__name__}: {error}"
            raise PlayerFault("crash", text) from error
        if request.cancelled.is_set():
            raise Cancelled

    def _note_failure(self, text: str) -> None:
        self._failure = text.strip().rpartition("\n")[2]


class _LogLines:
    """Writer of our brain's lines of play to the window's log."""

    def __init__(self, log: Log) -> None:
        self._log = log

    def start(self, multipv: int) -> None:
        pass

    def note(self, info: SearchInfo) -> None:
        self._log(f"< {search_message(info, numbered=False)}")

    def conclude(self, result: SearchResult, *, proved: bool = False) -> None:
        if proved:
            self._log(f"< {proved_message(result)}")


def _milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1000)


class ProgramPlayer(Player):
    """Program in its own process, so that its failures cannot harm the window."""

    def __init__(
        self, spec: EngineSpec, control: TimeControl, log: Log | None = None
    ) -> None:
        """Create a player. The program is started at the first request."""
        super().__init__(spec.name)
        self.spec = spec
        self.control = control
        self._log = log
        self._brain: Brain | None = None
        self._known: tuple[Move, ...] | None = ()
        """The moves that the process knows; None = unknown."""

    def choose(
        self, board: Board, left: float | None, request: PlayerRequest
    ) -> PlayedMove:
        """Return the program's move. Restart a process that failed before."""
        limits = [t for t in (self.control.turn, left) if t is not None]
        limit = min(limits, default=UNTIMED_SECONDS)
        try:
            brain = self._ready(board, request)
            knows = bool(board.moves) and self._known == board.moves[:-1]
            if not knows and len(board.moves) < 2 and self._known != ():
                brain.restart(stop=request.cancelled)
            answer = brain.query_moves(
                time_left(left),
                *question(board, knows),
                deadline=max(limit, 0) + self.control.margin + LATE_SECONDS,
                stop=request.cancelled,
            )
            move = read_moves(answer.text, board)[0]
        except (BrainFault, WrongAnswer) as error:
            raise self._failed(error) from None
        self._known = (*board.moves, move)
        return PlayedMove(
            move,
            score=answer.score,
            win_in=answer.win_in,
            depth=answer.depth,
            nodes=answer.nodes,
        )

    def swap2(
        self, board: Board, counts: tuple[int, ...], request: PlayerRequest
    ) -> tuple[Move, ...]:
        """Return the program's answer to SWAP2BOARD."""
        rows = [f"{x},{y}" for x, y in board.moves]
        limit = self.control.turn or self.control.match or UNTIMED_SECONDS
        try:
            brain = self._ready(board, request)
            answer = brain.query_moves(
                *("SWAP2BOARD", *rows, "DONE"),
                deadline=limit + self.control.margin + LATE_SECONDS,
                refusable=True,
                stop=request.cancelled,
            )
            self._known = None
            return tuple(read_swap2(answer.text, board, counts))
        except (BrainFault, WrongAnswer) as error:
            raise self._failed(error) from None

    def close(self) -> None:
        """End the process."""
        brain, self._brain = self._brain, None
        self._known = ()
        if brain is not None:
            brain.close()

    def _ready(self, board: Board, request: PlayerRequest) -> Brain:
        """Return the running process, with size, rule and time control set."""
        if self._brain is None:
            self._known = ()
            self._brain = brain = Brain(self.spec, self._log)
            brain.start(board.width, board.height, stop=request.cancelled)
            for key, value in (*infos(self.control, board.rule), *self.spec.infos):
                brain.info(key, value)
        return self._brain

    def _failed(self, error: BrainFault | WrongAnswer) -> Exception:
        """Kill the process after an error and return the exception to raise."""
        brain, self._brain = self._brain, None
        if brain is not None:
            brain.kill()
        if isinstance(error, WrongAnswer):
            return PlayerFault(error.reason, str(error))
        if error.kind == "stopped":
            return Cancelled()
        if error.kind == "timeout" and brain is not None and brain.stray_line:
            text = f"wrote {shorten(brain.stray_line)} and no move in time"
            return PlayerFault("garbage", text, brain.complaints)
        return PlayerFault(reason_of(error), str(error), error.last_words)


def make_player(
    slot: PlayerConfig,
    control: TimeControl,
    *,
    name: str = "",
    threads: int = 1,
    hash_mb: float = 64,
    log: Log | None = None,
    books: BookFor | None = None,
) -> Player | None:
    """Create the player of a slot. Return None for a person.

    ``name`` is the name of our brain, ``books`` its books of proofs (``Player``).

    Raises:
        ValueError: The command of the program is invalid.
    """
    if slot.kind == "human":
        return None
    if slot.kind == "brain":
        return BrainPlayer(
            name,
            slot.strength,
            control,
            threads=threads,
            hash_mb=hash_mb,
            log=log,
            books=books,
        )
    return ProgramPlayer(spec_of(slot), control, log)


def spec_of(slot: PlayerConfig) -> EngineSpec:
    """Return the command line of a program.

    Raises:
        ValueError: The command is invalid.
    """
    command = split_command(slot.command)
    if not command:
        raise ValueError("the program has no command")
    infos = []
    for part in slot.infos.split(";"):
        key, _, value = part.strip().partition(" ")
        if key:
            infos.append((key, value.strip()))
    name = slot.name or command[0]
    return EngineSpec(name, command, slot.folder or None, tuple(infos))
