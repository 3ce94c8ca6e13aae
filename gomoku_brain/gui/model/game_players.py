"""Players of the GUI: a person, our brain, or a program that speaks the protocol.

A ``SeatPlayer`` answers one request at a time and blocks while it thinks, so it runs in
a thread. Other threads can end its ``PlayerRequest``.
"""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Literal

from gomoku_brain.client.brain import BrainFault, EngineSpec, split_command
from gomoku_brain.client.external_engine import ExternalEngine
from gomoku_brain.client.manager_lines import LATE_SECONDS, infos, reason_of
from gomoku_brain.control.limits import (
    FULL_STRENGTH,
    Limits,
    PlayerLimits,
    SearchInfo,
    SearchResult,
)
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.player import player
from gomoku_brain.player.play_settings import FixedSettings
from gomoku_brain.player.thought import Thought
from gomoku_brain.proofs.proved import BookFor
from gomoku_brain.protocol.commands import proved_message, search_message
from gomoku_brain.records.game_record import PlayedMove, ReportedFigures

__all__ = [
    "BrainPlayer",
    "Cancelled",
    "GameConfig",
    "PlayerConfig",
    "PlayerFault",
    "PlayerRequest",
    "ProgramPlayer",
    "Refusal",
    "SeatPlayer",
    "make_player",
    "spec_of",
]

Refusal = Literal[
    "", "over", "occupied", "not your turn", "paused", "forbidden", "choose first"
]
"""Reason why a person cannot place a stone; "" if they can."""

Log = Callable[[str], None]
Kind = Literal["human", "brain", "program"]

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


@dataclass(frozen=True)
class GameConfig:
    """Settings of a game that do not change while it is played."""

    black: PlayerConfig = field(default_factory=PlayerConfig)
    """The player of black; with swap2, the player who proposes the opening."""
    white: PlayerConfig = field(default_factory=PlayerConfig)
    control: PlayerLimits = field(
        default_factory=lambda: PlayerLimits(turn=2.0, margin=1.0)
    )
    people_too: bool = False
    """Whether a person can lose on time."""
    swap2: bool = False
    foul_loses: bool = False
    """Whether a person may play a forbidden point of renju, and then loses."""
    threads: int = 1
    """Search threads of our brain."""
    hash_mb: float = 64


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


class SeatPlayer(ABC):
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


class BrainPlayer(SeatPlayer):
    """Our brain in this process. It releases Python's lock while it searches."""

    can_move_now = True

    def __init__(
        self,
        name: str,
        strength: int,
        control: PlayerLimits,
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
            **vars(control),
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
            self._brain.match.set_left(left)
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
        turn = self.control.seconds(SWAP2_SECONDS)
        self._brain.settings = replace(self._settings, turn=turn)
        try:
            think = self._brain.think_of_swap2
            with self._thinking(think, board, request) as thought:
                return self._brain.swap2(board, thought)
        finally:
            self._brain.settings = self._settings

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


class ProgramPlayer(SeatPlayer):
    """Program in its own process, so that its failures cannot harm the window."""

    def __init__(
        self, spec: EngineSpec, control: PlayerLimits, log: Log | None = None
    ) -> None:
        """Create a player. The program is started at the first request."""
        super().__init__(spec.name)
        self.spec = spec
        self.control = control
        self._log = log
        self._engine: ExternalEngine | None = None

    def choose(
        self, board: Board, left: float | None, request: PlayerRequest
    ) -> PlayedMove:
        """Return the program's move. A process that failed before starts again."""
        with self._requested(board, request) as engine:
            limits = self._limits(left)
            result = engine.play(board, limits, stop=request.cancelled)
        return PlayedMove(result.move, **asdict(result.info or ReportedFigures()))

    def swap2(
        self, board: Board, counts: tuple[int, ...], request: PlayerRequest
    ) -> tuple[Move, ...]:
        """Return the program's answer to SWAP2BOARD."""
        with self._requested(board, request) as engine:
            limits = self._limits(self.control.match)
            return engine.swap2(board, limits, stop=request.cancelled)

    def close(self) -> None:
        """End the process."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()

    def _limits(self, left: float | None) -> Limits:
        """Return the limits of a move with ``left`` seconds on the match clock."""
        left = None if left is None else max(left, 0.0)
        return Limits(time=self.control.seconds(left), time_left=left, play_on=True)

    @contextmanager
    def _requested(
        self, board: Board, request: PlayerRequest
    ) -> Iterator[ExternalEngine]:
        """Provide the running program for a request, and translate its faults."""
        try:
            if self._engine is None:
                self._engine = ExternalEngine(
                    self.spec.command,
                    cwd=self.spec.cwd,
                    options=dict([*infos(self.control, board.rule), *self.spec.infos]),
                    log=self._log,
                    margin=self.control.margin + LATE_SECONDS,
                )
            yield self._engine
        except BrainFault as fault:
            if fault.kind != "stopped":
                reason = reason_of(fault)
                raise PlayerFault(reason, str(fault), fault.last_words) from None
        if request.cancelled.is_set():
            raise Cancelled


def make_player(
    slot: PlayerConfig,
    control: PlayerLimits,
    *,
    name: str = "",
    threads: int = 1,
    hash_mb: float = 64,
    log: Log | None = None,
    books: BookFor | None = None,
) -> SeatPlayer | None:
    """Create the player of a slot. Return None for a person.

    ``name`` is the name of our brain, ``books`` its books of proofs (``SeatPlayer``).

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
