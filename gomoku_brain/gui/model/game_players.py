"""Players of the GUI: a person, our brain, or a program that speaks the protocol.

A ``Player`` answers one request at a time and blocks while it thinks, so it runs in a
thread. Other threads can end its ``PlayerRequest``.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from gomoku_brain.client.brain import (
    Brain,
    BrainFault,
    EngineSpec,
    shorten,
    split_command,
)
from gomoku_brain.control.limits import (
    FULL_STRENGTH,
    Limits,
    SearchInfo,
    SearchResult,
)
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.engine.swap2 import takes_black, three_stones
from gomoku_brain.engine.time_manager import INSTANT_NODES, allot, moves_left
from gomoku_brain.game.notation import Move, format_moves
from gomoku_brain.game.position import Board
from gomoku_brain.match.referee import (
    LATE_SECONDS,
    TimeControl,
    WrongAnswer,
    infos,
    question,
    read_moves,
    reason_of,
    time_left,
)
from gomoku_brain.proofs.proved import ProvedMoves
from gomoku_brain.records.game_formats import PlayedMove
from gomoku_brain.study import known_proofs

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
        self.control = SearchControl()
        self.cancelled = threading.Event()

    def move_now(self) -> None:
        """Let our brain answer with the best move so far. Programs cannot do this."""
        self.control.stop()

    def cancel(self) -> None:
        """Cancel the request. Its answer is ignored."""
        self.cancelled.set()
        self.control.stop()


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
    def swap2(self, board: Board, request: PlayerRequest) -> tuple[Move, ...] | None:
        """Answer a swap2 opening of 0, 3 or 5 stones.

        Return the stones to add, or None to take black. Raises as ``choose``.
        """

    def close(self) -> None:  # noqa: B027  most have nothing to do
        """Stop the player and free its resources."""


class BrainPlayer(Player):
    """Our engine in this process. It releases Python's lock while it searches."""

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
    ) -> None:
        """Create a player. The engine is created at the first request."""
        super().__init__(name)
        self.strength = strength
        self.control = control
        self._threads, self._hash_mb = threads, hash_mb
        self._engine: Engine | None = None
        self._proofs = ProvedMoves(known_proofs.book_of)
        self._log = log or (lambda text: None)

    def choose(
        self, board: Board, left: float | None, request: PlayerRequest
    ) -> PlayedMove:
        """Return a move. The first stone of a game goes to the centre."""
        if not board.ply:
            return PlayedMove(Move(board.width // 2, board.height // 2))
        result = self._proved(board, request)
        if result is None:
            result = self._search(board, self._limits(board, left), request)
        self._log(f"< {result.move.x},{result.move.y}")
        return PlayedMove(
            result.move,
            score=result.score,
            win_in=result.win_in,
            depth=result.depth,
            nodes=result.nodes,
        )

    def swap2(self, board: Board, request: PlayerRequest) -> tuple[Move, ...] | None:
        """Return stones of a balanced opening, or choose the colour by a search."""
        if not board.ply:
            return three_stones(board.width, board.height, board.rule)[0]
        limits = Limits(time=SWAP2_SECONDS, target=SWAP2_SECONDS / 2)
        if self.control.turn is not None:
            seconds = min(SWAP2_SECONDS, self.control.turn)
            limits = Limits(time=seconds, target=seconds / 2)
        result = self._search(board, limits, request)
        return None if takes_black(result) else (result.move,)

    def _proved(self, board: Board, request: PlayerRequest) -> SearchResult | None:
        """Return the move of a proof or of the rest of its win, at full strength."""
        if self.strength < FULL_STRENGTH or known_proofs.book_for(board) is None:
            return None
        try:
            result = self._proofs.find(board)
            if result is None:
                result = self._proofs.follow(self._ready(), board, request.control)
        except Exception as error:
            raise _broken(error) from error
        if request.cancelled.is_set():
            raise Cancelled
        if result is not None:
            self._log(f"< MESSAGE proved: wins in {result.win_in}")
        return result

    def _ready(self) -> Engine:
        if self._engine is None:
            self._engine = Engine(threads=self._threads, hash_mb=self._hash_mb)
        return self._engine

    def _limits(self, board: Board, left: float | None) -> Limits:
        turn = self.control.turn
        budget = allot(
            None if turn is None else turn * 1000,
            None if left is None else left * 1000,
            increment=self.control.increment * 1000,
            moves=moves_left(board.width * board.height, board.ply),
        )
        limits = Limits(time=budget.time, target=budget.target, strength=self.strength)
        return replace(limits, nodes=INSTANT_NODES) if budget.instant else limits

    def _search(
        self, board: Board, limits: Limits, request: PlayerRequest
    ) -> SearchResult:
        try:
            result = self._ready().search(
                board, limits, self._log_info, request.control
            )
        except Exception as error:  # mostly MemoryError; the window must continue
            raise _broken(error) from error
        if request.cancelled.is_set():
            raise Cancelled
        return result

    def _log_info(self, info: SearchInfo) -> None:
        worth = f"{info.score:+d}" if info.win_in is None else f"win in {info.win_in}"
        self._log(
            f"< MESSAGE depth {info.depth}-{info.seldepth} ev {worth}"
            f" n {info.nodes} tm {info.time * 1000:.0f} pv {format_moves(info.pv)}"
        )


def _broken(error: Exception) -> PlayerFault:
    return PlayerFault("crash", f"{type(error).__name__}: {error}")


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

    def swap2(self, board: Board, request: PlayerRequest) -> tuple[Move, ...] | None:
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
            if board.ply and answer.text.upper() == "SWAP":
                return None
            count = {0: 3, 3: min(max(len(answer.text.split()), 1), 2)}
            return tuple(read_moves(answer.text, board, count.get(board.ply, 1)))
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
) -> Player | None:
    """Create the player of a slot. Return None for a person.

    ``name`` is the name of our brain.

    Raises:
        ValueError: The command of the program is invalid.
    """
    if slot.kind == "human":
        return None
    if slot.kind == "brain":
        return BrainPlayer(
            name, slot.strength, control, threads=threads, hash_mb=hash_mb, log=log
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
