"""``ExternalEngine``: any program that speaks the Gomocup protocol, from Python.

>>> from gomoku_brain import Board, ExternalEngine, Limits
>>> with ExternalEngine("/opt/pela/pbrain-pela") as engine:
...     print(engine.play(Board.from_moves("h8 h9"), Limits(time=1)).move)
"""

import contextlib
import os
import re
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

from gomoku_brain.client.brain import (
    START_SECONDS,
    Answer,
    Brain,
    BrainFault,
    EngineSpec,
    full_paths,
    program,
    read_figures,
    shorten,
    split_command,
)
from gomoku_brain.client.manager_lines import (
    PATIENCE,
    REFUSAL_SECONDS,
    infos,
    is_refusal,
    question,
    read_moves,
    read_swap2,
    time_left,
)
from gomoku_brain.control.limits import (
    FULL_STRENGTH,
    Limits,
    MoveLine,
    PlayerLimits,
    end_words,
)
from gomoku_brain.control.reports import Reports
from gomoku_brain.game.notation import Move, format_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.game.swap2_stages import counts_after
from gomoku_brain.records.game_record import ReportedFigures

__all__ = ["ExternalEngine", "ExternalInfo", "PlayResult"]

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
_WORDLESS = {"multipv": 1, "exclude": (), "root_moves": None, "moves_to_go": None}
"""Limits without a word in the protocol, and their defaults."""
_MAX_REMARKS = 10_000  # that are reported of one search
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
    An engine that is dropped ends its program, too.

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
        margin: float = 2.0,
    ) -> None:
        """Start the program.

        ``cwd`` is its working folder (by default that of the program, if the command
        has a path). Arguments that name files of the current folder become full paths.
        ``options`` are INFO keys and values. ``log`` receives each line: "> " to the
        program, "< " from it, "! " from its standard error. A program that is silent
        for ``margin`` seconds after its time limit counts as hung.

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
        self._start_seconds, self._margin = start_seconds, margin
        self._listeners: list[Callable[[str], None]] = []  # to the running request
        self._receive = _receiver(log, self._listeners)
        self._lock = threading.Lock()
        self._stop: threading.Event | None = None
        self._closed = False
        # An analysis without a limit, and the thread that can end it.
        self._endless: tuple[threading.Event, int] | None = None
        self._after: Board | None = None  # the position that the program knows
        self._started: tuple[int, int, Rule] | None = None  # the game that it knows
        self._sent: dict[str, str | None] = {}  # INFO keys, and the values in force
        self._brain: Brain | None = None
        self.configure(options or {})
        self._process()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        import asyncio  # late, as in Reports

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
        with self._request(None) as brain:
            return brain.about(deadline=self._start_seconds)

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

    def prepare(self, board: Board) -> None:
        """Start a game on a board of this size and rule, before its first request.

        Raises BrainFault.
        """
        with self._request(None) as brain:
            self._set_up(brain, board, {}, None)

    def play(
        self,
        board: Board,
        limits: Limits | None = None,
        on_info: Callable[[ExternalInfo], None] | None = None,
        *,
        ponder: bool = False,
        stop: threading.Event | None = None,
    ) -> PlayResult:
        """Return the program's move for the side to move.

        The program receives TURN if the position follows from its last move, else
        BOARD. ``limits`` (by default 1 second) may have ``time``, ``nodes``, ``depth``,
        ``time_left``, ``increment`` and ``strength``; other limits have no word in the
        protocol and raise ValueError. ``on_info`` is called with each report of the
        program, in another thread. With ``ponder`` the program may think on after its
        move (INFO pondering). A set ``stop`` ends the request, as the method does.

        Raises:
            ValueError: The game is over or the board is full; or a limit has no word.
            BrainFault: The program did something wrong: "crash", "timeout", "flood",
                "garbage", "illegal move", "refused"; or "stopped", after ``stop``.
        """
        limits = Limits(time=1.0) if limits is None else limits
        _check(board, limits)
        wanted = _infos(board, limits)
        if ponder:
            wanted["pondering"] = 1
        if on_info is not None:
            wanted["show_detail"] = 1  # lines during the search
            hear = _Listener(board.copy(), on_info).hear
        with self._request(stop) as brain:
            knows = self._set_up(brain, board, wanted, stop)
            if on_info is not None:
                self._listeners.append(hear)
            answer = self._await(brain, limits, *question(board, knows))
            (move,) = read_moves(answer.text, board)
            self._after = board.copy()
            self._after.play(move)
        return _result(move, answer, board.height)

    async def play_async(
        self, board: Board, limits: Limits | None = None, *, ponder: bool = False
    ) -> PlayResult:
        """Do ``play`` while other tasks of asyncio run; a cancelled task ends it."""
        stop = threading.Event()

        def work(report: Callable[[ExternalInfo], None]) -> PlayResult:
            return self.play(board, limits, ponder=ponder, stop=stop)

        async with Reports(work, stop.set) as running:
            return await running.result_async()

    def swap2(
        self,
        board: Board,
        limits: Limits | None = None,
        *,
        stop: threading.Event | None = None,
    ) -> tuple[Move, ...]:
        """Return the stones that the program adds in a swap2 opening.

        The board has 0, 3 or 5 stones. No stone means that the program takes black.
        Arguments and errors are those of ``play``; a program that does not play swap2
        is "refused".
        """
        limits = Limits(time=1.0) if limits is None else limits
        _check(board, limits)
        counts = counts_after(board.ply)
        if not counts:
            raise ValueError("a swap2 opening has 0, 3 or 5 stones")
        with self._request(stop) as brain:
            self._set_up(brain, board, _infos(board, limits), stop)
            rows = [f"{x},{y}" for x, y in board.moves]
            self._after = None
            answer = self._await(
                brain, limits, "SWAP2BOARD", *rows, "DONE", refusable=True
            )
            if is_refusal(answer):  # perhaps of an INFO line
                with contextlib.suppress(BrainFault):
                    answer = brain.wait(REFUSAL_SECONDS)
            if is_refusal(answer):
                text = f"does not play swap2: it answered {shorten(answer.text)}"
                raise BrainFault("refused", text, brain.complaints)
            return tuple(read_swap2(answer.text, board, counts))

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
            if not is_endless:
                return self.play(position, limits, report, stop=stop)
            self._endless = stop, owner
            try:
                return self.play(position, limits, report, stop=stop)
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
                self._killer.detach()

    # Requests

    def _process(self) -> Brain:
        """Return the process; start it if none runs."""
        if self._closed:
            raise ValueError("the engine is closed")
        if self._brain is None:
            self._after = self._started = None
            self._sent.clear()
            self._brain = Brain(self._spec, self._receive)
            self._killer = weakref.finalize(self, _kill, self._brain, os.getpid())
        return self._brain

    @contextlib.contextmanager
    def _request(self, stop: threading.Event | None) -> Iterator[Brain]:
        """Hold the program for one request, which ``stop`` ends.

        Wait until no other request runs: BrainFault after ``stop``, and RuntimeError
        where the caller would wait for ever, in the block of an analysis without a
        limit. A fault ends the process, which cannot be trusted any more.
        """
        stop = threading.Event() if stop is None else stop
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
            self._stop = stop
            yield self._process()
        except BaseException as error:
            brain, self._brain = self._brain, None
            if brain is not None:
                self._killer()
            if isinstance(error, BrainFault):
                if brain is not None:
                    error.last_words = error.last_words or brain.complaints
                if error.last_words:
                    error.add_note(f"its last words:\n{error.last_words}")
            raise
        finally:
            self._stop = None
            self._listeners.clear()
            self._lock.release()

    def _set_up(
        self,
        brain: Brain,
        board: Board,
        wanted: Mapping[str, object],
        stop: threading.Event | None,
    ) -> bool:
        """Send START or RESTART if it is necessary, and the INFO values that changed.

        Return whether TURN with the last move makes the program's board this one.
        """
        knows, seconds = self._follows(board), self._start_seconds
        game = (board.width, board.height, board.rule)
        is_new = game != self._started
        if is_new:
            brain.start(board.width, board.height, deadline=seconds, stop=stop)
            self._started = game
        elif not knows and board.ply < 2:  # no BOARD, which would replace the stones
            brain.restart(deadline=seconds, stop=stop)
            is_new = True
        if is_new:
            self._sent = dict.fromkeys(self._sent)
        resets = {key: _RESETS[key] for key in self._sent.keys() & _RESETS.keys()}
        for key, value in {**resets, **wanted, **self._options}.items():
            if self._sent.get(key) != str(value):
                brain.info(key, value)
                self._sent[key] = str(value)
        return knows

    def _await(
        self, brain: Brain, limits: Limits, *lines: str, refusable: bool = False
    ) -> Answer:
        """Send a request and return its answer."""
        bounds = [s for s in (limits.time, limits.time_left) if s is not None]
        deadline = min(bounds) + self._margin if bounds else PATIENCE
        try:
            return brain.query_moves(
                time_left(limits.time_left),
                *lines,
                deadline=deadline,
                refusable=refusable,
                stop=self._stop,
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
        if (
            before is None
            or self._started != (board.width, board.height, board.rule)
            or not moves
            or moves[:-1] != before.moves
        ):
            return False
        after = before.copy()
        after.play(moves[-1])
        return after == board


def _receiver(
    log: Callable[[str], None] | None, listeners: list[Callable[[str], None]]
) -> Callable[[str], None]:
    """Return the function that receives the lines of a process, from several threads.

    It does not hold the engine, so that an engine that is dropped ends its process.
    """

    def receive(line: str) -> None:
        if log is not None:
            log(line)
        if line.startswith("< "):
            for hear in tuple(listeners):
                hear(line[2:].strip())

    return receive


def _kill(brain: Brain, owner: int) -> None:
    """Kill the process of an engine that was dropped, unless this process was forked
    from that of the engine.
    """
    if os.getpid() == owner:
        brain.kill()


def _check(board: Board, limits: Limits) -> None:
    if not isinstance(board, Board):
        raise TypeError(f"a position is a Board, not {board!r}")
    if not isinstance(limits, Limits):
        raise TypeError(f"limits are Limits(..), not {limits!r}")
    if board.winner is not None and not limits.play_on:
        raise ValueError(f"the game is over: {board.winner.name.lower()} has won")
    if board.is_full:
        raise ValueError("the board is full")
    for name, default in _WORDLESS.items():
        if getattr(limits, name) != default:
            raise ValueError(f"the protocol has no word for the limit {name}")


def _infos(board: Board, limits: Limits) -> dict[str, object]:
    """Return the INFO keys and values of a request."""
    control = PlayerLimits(
        turn=limits.time,
        match=limits.time_left,
        increment=limits.increment or 0.0,
        nodes=limits.nodes,
        depth=limits.depth,
    )
    wanted = dict(infos(control, board.rule))
    if limits.strength != FULL_STRENGTH:
        wanted["strength"] = limits.strength
    return wanted


def _result(move: Move, answer: Answer, height: int) -> PlayResult:
    figures = ReportedFigures(
        score=answer.score,
        win_in=answer.win_in,
        depth=answer.depth,
        nodes=answer.nodes,
    )
    lines = (
        line
        for remark in reversed(answer.messages)
        for line in read_line(remark, height)
        if line[:1] == (move,)
    )
    info = None if figures == ReportedFigures() else figures
    return PlayResult(move, info, next(lines, ()), answer.messages, answer.seconds)


class _Listener:
    """Reader of a program's remarks during a search."""

    def __init__(self, board: Board, report: Callable[[ExternalInfo], None]) -> None:
        self._board, self._report = board, report
        self._began = time.perf_counter()
        self._figures = ReportedFigures()
        self._count = 0

    def hear(self, text: str) -> None:
        """Report a line, if it has figures or moves; in the thread that reads it.

        A REALTIME line after a line with a depth repeats it, and is left out.
        """
        is_realtime = text[:16].upper() == "MESSAGE REALTIME"
        if self._count >= _MAX_REMARKS or (
            is_realtime and self._figures.depth is not None
        ):
            return
        pv = self._line(text)
        if not pv and read_figures([text]) == ReportedFigures():
            return
        self._count += 1
        self._figures = read_figures([text], self._figures)
        seconds = time.perf_counter() - self._began
        self._report(ExternalInfo(self._figures, pv, text, seconds))

    def _line(self, text: str) -> tuple[Move, ...]:
        """Return the line of a remark if its first move can be played."""
        for line in read_line(text, self._board.height):
            if line and self._board.is_empty(line[0]):
                return line
        return ()
