"""``ExternalEngine``: any program that speaks the Gomocup protocol, from Python.

>>> from gomoku_brain import Board, ExternalEngine, Limits
>>> with ExternalEngine("/opt/pela/pbrain-pela") as engine:
...     print(engine.play(Board.from_moves("h8 h9"), Limits(time=1)).move)
"""

import asyncio
import contextlib
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any, Self

from gomoku_brain.client.brain import (
    START_SECONDS,
    Answer,
    Brain,
    BrainFault,
    EngineSpec,
    full_paths,
    read_figures,
    shorten,
    split_command,
)
from gomoku_brain.control.limits import FULL_STRENGTH, Limits, MoveLine, end_words
from gomoku_brain.control.reports import Reports
from gomoku_brain.game.notation import Move, format_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.match.referee import (
    PATIENCE,
    TimeControl,
    WrongAnswer,
    infos,
    question,
    read_moves,
    time_left,
)
from gomoku_brain.match.tournament import program
from gomoku_brain.records.game_record import ReportedFigures

__all__ = ["ExternalEngine", "ExternalInfo", "PlayResult"]

MARGIN = 2.0
"""Seconds after the time limit until a program without an answer counts as hung."""
_DAY = 86_400.0
_RESETS = {
    "timeout_turn": round(_DAY * 1000),
    "time_increment": 0,
    "max_memory": 0,
    "max_node": 0,
    "max_depth": 0,
    "strength": FULL_STRENGTH,
    "pondering": 0,
    "show_detail": 0,
}
"""Values without effect of INFO keys, for requests that do not set them."""
_MOST_REMARKS = 10_000  # that are reported of one search
_SLICE = 0.05  # seconds between two checks of a request that waits for another
STOP_SECONDS = 1.0
"""Seconds for the answer to YXSTOP; a program that does not know it is ended."""

_CELL = re.compile(r"([a-v])(\d{1,2})", re.IGNORECASE)
_LINE = re.compile(
    r"(?:\b(?:pv|bestline|line)\b\s*[:=]?|\|)\s*((?:[a-v]\d{1,2}[ ,]*)+)$",
    re.IGNORECASE,
)


def read_line(text: str, height: int) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
    """Return the line of play at the end of a remark, as it stands and upside down.

    Programs count the rows of "h8" from the top or from the bottom. Both are () if the
    remark has no such line.
    """
    found = _LINE.search(text.strip()[-1000:])
    if found is None:
        return (), ()
    down = []
    for column, row in _CELL.findall(found[1]):
        down.append(Move(ord(column.lower()) - ord("a"), int(row) - 1))
    up = tuple(Move(move.x, height - 1 - move.y) for move in down)
    return MoveLine(down), MoveLine(up)


def _words(figures: ReportedFigures) -> list[str]:
    """Return the known figures as text."""
    words = []
    if figures.win_in is not None:
        words.append(end_words(figures.win_in))
    elif figures.score is not None:
        words.append(f"score {figures.score:+}")
    if figures.depth is not None:
        words.append(f"depth {figures.depth}")
    if figures.nodes is not None:
        words.append(f"{figures.nodes} nodes")
    return words


@dataclass(frozen=True, slots=True)
class ExternalInfo:
    """Report of a program about its search."""

    figures: ReportedFigures
    """Score (in the program's units, for the side to move), depth and nodes so far."""
    pv: tuple[Move, ...]
    """The line of play; () if the remark has none."""
    text: str
    """The remark itself."""
    time: float
    """Seconds since the request."""

    @property
    def move(self) -> Move | None:
        """The first move of the line; None without one."""
        return self.pv[0] if self.pv else None

    def to_dict(self) -> dict[str, Any]:
        """Return the report as values of JSON, with the keys of ``SearchInfo``."""
        return {
            **asdict(self.figures),
            "seconds": round(self.time, 3),
            "line": list(map(str, self.pv)),
            "text": self.text,
        }

    def __str__(self) -> str:
        """Return the figures and the line in one row of text."""
        words = ", ".join([*_words(self.figures), f"{self.time:.2f} s"])
        return f"{words}: {format_moves(self.pv)}" if self.pv else words


@dataclass(frozen=True, slots=True)
class PlayResult:
    """Move of a program and its remarks about it."""

    move: Move
    info: ReportedFigures | None
    """Score, win, depth and nodes as far as the program reported them; None if it
    reported nothing. The score is in its own units, for the side to move."""
    pv: tuple[Move, ...]
    """The expected line, which begins with ``move``; () if it was not reported."""
    remarks: tuple[str, ...]
    """All lines before the move, in their order."""
    time: float
    """Seconds from the request to the move."""

    def to_dict(self) -> dict[str, Any]:
        """Return the move and the report as values of JSON, with the keys of
        ``SearchInfo``; figures that were not reported are None.
        """
        return {
            "move": str(self.move),
            **asdict(self.info or ReportedFigures()),
            "seconds": round(self.time, 3),
            "line": list(map(str, self.pv)),
            "remarks": list(self.remarks),
        }

    def __str__(self) -> str:
        """Return the move and the report in one row of text."""
        words = [str(self.move), *(_words(self.info) if self.info else ())]
        row = ", ".join([*words, f"{self.time:.2f} s"])
        return f"{row}: {format_moves(self.pv)}" if self.pv else row


class ExternalEngine:
    """Program that speaks the Gomocup protocol, running as a child process.

    ``command`` is the program with its arguments, as a text or a list; "ours" is the
    brain of this package. Use it as a context manager, with ``with`` or ``async with``.

    A program that does not answer in time, crashes or answers with an invalid move
    raises ``BrainFault``, with ``kind`` and ``last_words``. The next request then
    starts the program again.

    One request runs at a time; a second thread waits. ``stop`` ends a request from any
    thread.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        name: str = "",
        cwd: str | None = None,
        options: Mapping[str, object] | None = None,
        log: Callable[[str], None] | None = None,
        start_seconds: float = START_SECONDS,
    ) -> None:
        """Start the program.

        ``cwd`` is its working folder (by default that of the program, if the command
        has a path). Arguments that name files of the current folder become full paths.
        ``options`` are INFO keys and values. ``log`` receives each line: "> " to the
        program, "< " from it, "! " from its standard error.

        Raises:
            ValueError: The command is empty or a quote is not closed.
            BrainFault: The program cannot be started.
        """
        if isinstance(command, str):
            words = split_command(command)
        else:
            words = full_paths(command)
        if not words:
            raise ValueError("the command is empty")
        self._spec = program(EngineSpec(name or words[0], words, cwd))
        self._options: dict[str, str] = {}
        self._log = log or (lambda line: None)
        self._hear: Callable[[str], None] | None = None
        self._start_seconds = start_seconds
        self._lock = threading.Lock()
        self._stop: threading.Event | None = None
        self._closed = False
        # An analysis without a limit, and the thread that can end it.
        self._endless: tuple[threading.Event, int] | None = None
        self._after: Board | None = None  # the position that the program knows
        self._started: tuple[int, int, Rule] | None = None  # the game that it knows
        self._sent: set[str] = set()  # INFO keys that the process has received
        self._brain: Brain | None = None
        self.configure(options or {})
        self._brain = Brain(self._spec, self._receive)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.close)

    @property
    def name(self) -> str:
        """The name that was given, else the program's command."""
        return self._spec.name

    @property
    def pid(self) -> int | None:
        """The process id; None while no process runs."""
        return None if self._brain is None else self._brain.pid

    @property
    def options(self) -> dict[str, str]:
        """The INFO keys and values set by ``configure``."""
        return dict(self._options)

    def about(self) -> dict[str, str]:
        """Return the program's description of itself: name, version, author etc.

        Raises BrainFault.
        """
        with self._lock, self._faults():
            return self._process().about(deadline=self._start_seconds)

    def configure(self, options: Mapping[str, object] = {}, **more: object) -> None:
        """Set options of the program: INFO keys and values, for all later requests.

        Programs ignore keys that they do not know. Raises ValueError for a key or value
        of several lines.
        """
        for key, value in {**options, **more}.items():
            text = str(int(value)) if isinstance(value, bool) else str(value)
            if not key.strip() or len(f"{key} {text}".splitlines()) != 1:
                raise ValueError(f"an option is a key and a value, not {key!r}")
            self._options[key] = text

    def play(
        self, board: Board, limits: Limits | None = None, *, ponder: bool = False
    ) -> PlayResult:
        """Return the program's move for the side to move.

        The program receives TURN if the position follows from its last move, else
        BOARD. ``limits`` (by default 1 second) may have ``time``, ``nodes``, ``depth``,
        ``time_left``, ``increment`` and ``strength``; other limits have no word in the
        protocol and raise ValueError. With ``ponder`` the program may think on after
        its move (INFO pondering).

        Raises:
            ValueError: The game is over or the board is full; or a limit has no word.
            BrainFault: The program did something wrong: "crash", "timeout", "flood",
                "garbage", "illegal move", "refused"; or "stopped", after ``stop``.
        """
        return self._play(board, limits, ponder, threading.Event(), None)

    async def play_async(
        self, board: Board, limits: Limits | None = None, *, ponder: bool = False
    ) -> PlayResult:
        """Do ``play`` while other tasks of asyncio run; a cancelled task ends it."""
        stop = threading.Event()

        def work(report: Callable[[ExternalInfo], None]) -> PlayResult:
            return self._play(board, limits, ponder, stop, None)

        async with Reports(work, stop.set) as running:
            return await running.result_async()

    def analysis(
        self, board: Board, limits: Limits | None = None
    ) -> Reports[ExternalInfo, PlayResult]:
        """Return a search of the program as an iterator of its reports.

        ``with engine.analysis(board) as analysis: for info in analysis: ..``, or
        ``async with`` and ``async for``. The search starts with the block; leaving the
        block ends it: by YXSTOP if the program knows it (as ours, Rapfi and Yixin),
        else by its end; the next request then starts it again.
        ``analysis.result()`` is the ``PlayResult``. A program without remarks reports
        nothing. Without ``limits`` it thinks for a day, or until the block is left.
        Raises as ``play``.
        """
        is_endless = limits is None
        limits = Limits(time=_DAY) if limits is None else limits
        _check(board, limits)
        stop, position = threading.Event(), board.copy()
        owner = threading.get_ident()

        def work(report: Callable[[ExternalInfo], None]) -> PlayResult:
            listener = _Listener(position, report)
            if not is_endless:
                return self._play(position, limits, False, stop, listener.hear)
            self._endless = stop, owner
            try:
                return self._play(position, limits, False, stop, listener.hear)
            finally:
                self._endless = None

        return Reports(work, stop.set)

    def stop(self) -> None:
        """End the running request, if there is one: BrainFault ("stopped") there."""
        stop = self._stop
        if stop is not None:
            stop.set()

    def close(self) -> None:
        """End the program: END, and after a second without an exit it is killed."""
        self.stop()
        with self._lock:
            self._closed = True
            brain, self._brain = self._brain, None
            if brain is not None:
                brain.close()

    # Requests

    def _receive(self, line: str) -> None:
        """Log a line of the conversation; from several threads."""
        self._log(line)
        hear = self._hear
        if hear is not None and line.startswith("< "):
            hear(line[2:].strip())

    def _process(self) -> Brain:
        """Return the process; start it if none runs."""
        if self._closed:
            raise ValueError("the engine is closed")
        if self._brain is None:
            self._after = self._started = None
            self._sent.clear()
            self._brain = Brain(self._spec, self._receive)
        return self._brain

    @contextlib.contextmanager
    def _faults(self) -> Iterator[None]:
        """End a process that cannot be trusted any more."""
        try:
            yield
        except BaseException as error:
            if isinstance(error, BrainFault) and error.last_words:
                error.add_note(f"its last words:\n{error.last_words}")
            brain, self._brain, self._after = self._brain, None, None
            if brain is not None:
                brain.kill()
            raise

    def _play(
        self,
        board: Board,
        limits: Limits | None,
        ponder: bool,
        stop: threading.Event,
        hear: Callable[[str], None] | None,
    ) -> PlayResult:
        limits = Limits(time=1.0) if limits is None else limits
        _check(board, limits)
        with self._turn(stop), self._faults():
            self._stop, self._hear = stop, hear
            try:
                return self._query(self._process(), board, limits, ponder, stop)
            finally:
                self._stop = self._hear = None

    @contextlib.contextmanager
    def _turn(self, stop: threading.Event) -> Iterator[None]:
        """Hold the program; wait until no other request runs.

        Raises BrainFault after ``stop``, and RuntimeError where the caller would wait
        for ever: in the block of an analysis without a limit.
        """
        endless = self._endless
        if endless and endless[1] == threading.get_ident() and not endless[0].is_set():
            raise RuntimeError(
                "the program is busy with an analysis without a limit: leave its block,"
                " or call its stop, first"
            )
        while not self._lock.acquire(timeout=_SLICE):
            if stop.is_set():
                raise BrainFault("stopped", "stopped before the program was free")
        try:
            yield
        finally:
            self._lock.release()

    def _query(
        self,
        brain: Brain,
        board: Board,
        limits: Limits,
        ponder: bool,
        stop: threading.Event,
    ) -> PlayResult:
        control = _time_control(limits)
        knows = self._follows(board)
        game = (board.width, board.height, board.rule)
        if game != self._started:
            seconds = self._start_seconds
            brain.start(board.width, board.height, deadline=seconds, stop=stop)
            self._started = game
        elif not knows and board.ply < 2:  # no BOARD, which would replace the stones
            brain.restart(deadline=self._start_seconds, stop=stop)
        wanted: dict[str, object] = dict(infos(control, board.rule))
        if limits.strength != FULL_STRENGTH:
            wanted["strength"] = limits.strength
        if ponder:
            wanted["pondering"] = 1
        if self._hear is not None:
            wanted["show_detail"] = 1  # lines during the search
        wanted |= self._options
        resets = {key: _RESETS[key] for key in self._sent & _RESETS.keys()}
        for key, value in {**resets, **wanted}.items():
            brain.info(key, value)
        self._sent |= wanted.keys()
        answer = self._await(brain, board, limits, knows, stop)
        try:
            (move,) = read_moves(answer.text, board)
        except WrongAnswer as wrong:
            raise BrainFault(wrong.reason, str(wrong), brain.last_words) from None
        self._after = board.copy()
        self._after.play(move)
        return _result(move, answer, board.height)

    def _await(
        self,
        brain: Brain,
        board: Board,
        limits: Limits,
        knows: bool,
        stop: threading.Event,
    ) -> Answer:
        bounds = [s for s in (limits.time, limits.time_left) if s is not None]
        deadline = min(bounds) + MARGIN if bounds else PATIENCE
        try:
            return brain.query_moves(
                time_left(limits.time_left),
                *question(board, knows),
                deadline=deadline,
                stop=stop,
            )
        except BrainFault as fault:
            if fault.kind == "stopped":
                return self._stopped(brain, fault)
            if fault.kind == "timeout" and brain.stray_line:
                text = f"wrote {shorten(brain.stray_line)} and no move in time"
                raise BrainFault("garbage", text, brain.complaints) from None
            raise

    def _stopped(self, brain: Brain, fault: BrainFault) -> Answer:
        """Return the answer to YXSTOP; raise the fault if there is none."""
        brain.send("YXSTOP")
        try:
            return brain.wait(STOP_SECONDS)
        except BrainFault:
            raise fault from None

    def _follows(self, board: Board) -> bool:
        """Return whether TURN with the last move makes the program's board this one."""
        before, moves = self._after, board.moves
        if before is None or moves[:-1] != before.moves or not moves:
            return False
        if (before.width, before.height, before.rule) != (
            board.width,
            board.height,
            board.rule,
        ):
            return False
        after = before.copy()
        after.play(moves[-1])
        return after == board and after.turn is board.turn


def _check(board: Board, limits: Limits) -> None:
    if not isinstance(board, Board):
        raise TypeError(f"a position is a Board, not {board!r}")
    if not isinstance(limits, Limits):
        raise TypeError(f"limits are Limits(..), not {limits!r}")
    if board.winner is not None and not limits.play_on:
        raise ValueError(f"the game is over: {board.winner.name.lower()} has won")
    if board.is_full:
        raise ValueError("the board is full")
    unknown = [
        name
        for name, default in (
            ("multipv", 1),
            ("exclude", ()),
            ("root_moves", None),
            ("moves_to_go", None),
        )
        if getattr(limits, name) != default
    ]
    if unknown:
        raise ValueError(f"the protocol has no word for the limit {unknown[0]}")


def _time_control(limits: Limits) -> TimeControl:
    return TimeControl(
        turn=limits.time,
        match=limits.time_left,
        increment=limits.increment or 0.0,
        nodes=limits.nodes,
        depth=limits.depth,
    )


def _result(move: Move, answer: Answer, height: int) -> PlayResult:
    figures = ReportedFigures(
        score=answer.score,
        win_in=answer.win_in,
        depth=answer.depth,
        nodes=answer.nodes,
    )
    pv: tuple[Move, ...] = ()
    for remark in reversed(answer.messages):
        for line in read_line(remark, height):
            if line[:1] == (move,):
                pv = line
                break
        if pv:
            break
    info = None if figures == ReportedFigures() else figures
    return PlayResult(move, info, pv, answer.messages, answer.seconds)


class _Listener:
    """Reader of a program's remarks during a search."""

    def __init__(self, board: Board, report: Callable[[ExternalInfo], None]) -> None:
        self._board, self._report = board, report
        self._began = time.perf_counter()
        self._has_depth = False
        self._remarks: list[str] = []

    def hear(self, text: str) -> None:
        """Report a line, if it has figures or moves; in the thread that reads it.

        A REALTIME line after a line with a depth repeats it, and is left out.
        """
        if len(self._remarks) >= _MOST_REMARKS:
            return
        if self._has_depth and text[:16].upper() == "MESSAGE REALTIME":
            return
        pv = self._line(text)
        if not pv and read_figures([text]) == ReportedFigures():
            return
        self._remarks.append(text)
        seconds = time.perf_counter() - self._began
        figures = read_figures(self._remarks)
        self._has_depth = figures.depth is not None
        self._report(ExternalInfo(figures, pv, text, seconds))

    def _line(self, text: str) -> tuple[Move, ...]:
        """Return the line of a remark if its first move can be played."""
        for line in read_line(text, self._board.height):
            if line and self._board.is_empty(line[0]):
                return line
        return ()
