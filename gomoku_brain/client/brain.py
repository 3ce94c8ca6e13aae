"""Client for a protocol engine ("brain") that runs as a child process.

No method of ``Brain`` waits longer than its deadline. Threads write and read the lines,
a flood of output cannot fill the memory, and ``kill`` ends the whole process tree.

>>> with Brain(EngineSpec("Pela", ("./pbrain-pela",))) as brain:
...     brain.start(15, 15)
...     brain.info("timeout_turn", 1000)
...     brain.query("BEGIN", deadline=2.0).text
'7,7'
"""

import contextlib
import os
import queue
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Self

from gomoku_brain.client import guard
from gomoku_brain.foreign_text import shown
from gomoku_brain.program_name import brain_beside
from gomoku_brain.records.game_record import ReportedFigures

START_SECONDS = 30.0
"""Default time limit for START, RESTART and ABOUT, in seconds. It includes the start of
the process."""
END_SECONDS = 1.0
"""Time for a brain to exit after END before it is killed, in seconds."""

MAX_LINES = 10_000
MAX_BYTES = 1 << 20
"""Limits of the output since the last query. More output is a flood."""

_CHUNK = 1 << 16
_TAIL = 4096  # bytes of standard error that are stored
_LAST_LINES = 5  # lines of standard output that are stored for error messages
_SLICE = 0.2  # seconds; Windows delivers Ctrl-C only between two waits
_KILL_SECONDS = 5.0
# Rapfi loses input that comes within microseconds of its own move.
_QUERY_PAUSE = 0.002  # seconds between an answer and the next query
_REMARK = re.compile(
    r"(?:MESSAGE|DEBUG|ERROR|UNKNOWN|INFO|DETAIL|REALTIME|SUGGEST|FORBID)\b",
    re.IGNORECASE,
)
_CELL = r"-?\d{1,9}\s{0,8},\s{0,8}-?\d{1,9}"
_MOVES = re.compile(rf"{_CELL}(?:\s{{1,8}}{_CELL}){{0,9}}|SWAP", re.IGNORECASE)
# Windows connects to another computer to look for a file such as \\host\share\file.
_REMOTE = re.compile(r"[\\/](?:[\\/]|\?\?)")
_REFUSAL = re.compile(r"(?:ERROR|UNKNOWN)\b", re.IGNORECASE)


OURS = "ours"
"""Command that stands for the engine of this installation."""


@dataclass(frozen=True)
class EngineSpec:
    """Command line and settings of an engine."""

    name: str
    """Name in tables and records."""
    command: tuple[str, ...]
    """Program and arguments. They run without a shell."""
    cwd: str | None = None
    """Working folder. The default is the folder of the program if the command contains
    a path, as in managers, else the current folder."""
    infos: tuple[tuple[str, str], ...] = ()
    """INFO keys and values of this engine, sent after all others."""


def split_command(text: str) -> tuple[str, ...]:
    """Split a command that a person typed into words; () for a blank one.

    Quotes join words. Windows paths keep their backslashes. Files of the current folder
    get their paths, as by ``full_paths``.

    Raises:
        ValueError: A quote is not closed.
    """
    posix = sys.platform != "win32"
    words = shlex.split(text, posix=posix)
    if not posix:
        words = [word.strip('"') for word in words]
    return full_paths(words)


def program(spec: EngineSpec) -> EngineSpec:
    """Return the engine with the command for this machine in place of "ours"."""
    if spec.command[0] != OURS:
        return spec
    options = spec.command[1:]
    if (brain := brain_beside()) is not None:
        return replace(spec, command=(brain, *options))
    package = Path(__file__).parents[1]
    return replace(
        spec,
        command=(sys.executable, "-m", package.name, *options),
        cwd=spec.cwd or str(package.parent),
    )


def full_paths(words: Sequence[str]) -> tuple[str, ...]:
    """Return a command with the full paths of files of the current folder.

    An engine may run in another folder. A program that is not a system command but a
    file of the current folder becomes ``./name``.
    """
    return (*map(_program, words[:1]), *map(_full_path, words[1:]))


def _program(word: str) -> str:
    bare = Path(word).name == word
    if bare and shutil.which(word) is None and Path(word).is_file():
        return os.path.join(".", word)
    return word


def _full_path(word: str) -> str:
    if _REMOTE.match(word):
        return word
    path = Path(word)
    return str(path.absolute()) if path.is_file() else word


class BrainFault(Exception):
    """Failure of a brain that ends its game. ``str`` is a message of one line."""

    def __init__(self, kind: str, text: str, last_words: str = "") -> None:
        """Create the error."""
        super().__init__(text)
        self.kind = kind
        """"start" (the program cannot run), "crash", "timeout", "flood", "garbage" (an
        unexpected line), "refused" (ERROR or UNKNOWN instead of OK) or "stopped" (by
        the caller)."""
        self.last_words = last_words
        """The end of standard error. If that is empty: the end of standard output,
        unless the text contains it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(ReportedFigures):
    """Answer of an engine, with the output before it."""

    text: str = ""
    """The line, without blanks at its ends."""
    seconds: float = 0.0
    """Seconds from the query to the arrival of the line."""
    messages: tuple[str, ...] = ()
    """The lines before it that are no answer."""


# The numbers of blanks and digits have limits, so that a line with a million of them is
# parsed quickly.
_GAP = r"\s{0,8}[:= ]\s{0,8}"
_NUMBER = r"\d{1,18}(?!\d)"
_DEPTH = re.compile(rf"\b(?:depth|dep|level){_GAP}({_NUMBER})", re.IGNORECASE)
_SCORE = re.compile(
    rf"\b(?:ev|eval|evaluation|val|value){_GAP}([+-]?)([mv]?)({_NUMBER})", re.IGNORECASE
)
_NODES = re.compile(
    rf"\b(?:n|nd|nodes?){_GAP}({_NUMBER}(?:\.\d{{1,18}})?)\s?([kmg]?)\b", re.IGNORECASE
)
_SECOND_LINE = re.compile(r"\bmultipv\s+(?!1\b)\d", re.IGNORECASE)
_NOTHING = ReportedFigures()
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}


def read_figures(
    messages: Iterable[str], figures: ReportedFigures = _NOTHING
) -> ReportedFigures:
    """Parse search figures in lines of play. Later lines override earlier ones.

    ``figures`` are those of the lines before.

    The function reads the lines of this brain, Rapfi, AlphaGomoku, Yixin and PentaZen,
    and similar ones ("depth=12", "eval: 35", "nodes 4711", "Eval +M7").
    """
    for line in messages:
        if not line[:7].upper().startswith(("MESSAGE", "DEBUG")):
            continue
        if _SECOND_LINE.search(line):
            continue
        if figures.depth is not None and line[8:17].upper() == "REALTIME ":
            continue  # of Yixin-Board; it knows less than a line of play
        if depth := _DEPTH.search(line):
            figures = replace(figures, depth=int(depth[1]))
        if nodes := _NODES.search(line):
            count = float(nodes[1]) * _UNITS[nodes[2].lower()]
            figures = replace(figures, nodes=round(count))
        if score := _SCORE.search(line):
            value = -int(score[3]) if score[1] == "-" else int(score[3])
            if score[2]:
                figures = replace(figures, score=None, win_in=value)
            else:
                figures = replace(figures, score=value, win_in=None)
    return figures


class Brain:
    """Running engine, to be used as a context manager.

    ``log`` receives every line of the conversation ("> TURN 7,7" or "< 8,8")
    and of standard error ("! warning"), from several threads. ``eol`` ends the sent
    lines. Only one thread at a time may query.

    Raises:
        BrainFault: "start", if the program cannot run.
    """

    def __init__(
        self,
        spec: EngineSpec,
        log: Callable[[str], None] | None = None,
        eol: str = "\r\n",
        cpus: frozenset[int] | None = None,
    ) -> None:
        """Start the process, on the processors ``cpus`` alone where the system can."""
        self.spec = spec
        self.line_ends: set[bytes] = set()
        """The line ends seen so far."""
        self.pieces = 0
        """The number of lines that came in more than one piece."""
        self.started = time.perf_counter()
        """The start of the process, in seconds of ``time.perf_counter``."""
        self.stderr_bytes = 0
        """The number of bytes on standard error so far."""
        self.stray_line = ""
        """The last line since the last query that is neither a known remark nor
        an answer; "" if there is none."""
        self._is_answer: Callable[[str], bool] | None = None
        self.log = log or (lambda text: None)
        """Called with every line of the conversation."""
        self._eol = eol
        self._lines: deque[tuple[float, str]] = deque()
        self._news = threading.Condition()
        self._seen_lines = self._seen_bytes = 0  # since the last query
        self._flooded = False
        self._over = False  # whether the output has ended
        self._killed = False
        self._queried = self._answered = self.started  # of the last lines
        self._last_lines: deque[str] = deque(maxlen=_LAST_LINES)
        self._stderr = b""
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._process = _launch(spec, cpus)
        guard.watch(self._process.pid)
        self._threads = [
            threading.Thread(target=work, daemon=True)
            for work in (self._write, self._read, self._read_stderr)
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        """Process id of the child process."""
        return self._process.pid

    @property
    def complaints(self) -> str:
        """The last lines on standard error."""
        lines = [
            line.strip() for line in self._stderr.decode("utf-8", "replace").split("\n")
        ]
        return "\n".join([line for line in lines if line][-_LAST_LINES:])

    @property
    def last_words(self) -> str:
        """The last lines on standard error, else those on standard output."""
        return self.complaints or "\n".join(self._last_lines)

    # Conversation

    def send(self, *lines: str) -> None:
        """Write lines at once. Errors of delivery appear in the next ``query``."""
        for line in lines:
            self.log(f"> {line}")
        # Engine options and paths may contain text of any language.
        text = "".join(f"{line}{self._eol}" for line in lines)
        self._outbox.put(text.encode("utf-8", "surrogateescape"))

    def query(
        self,
        *lines: str,
        deadline: float,
        refusable: bool = False,
        stop: threading.Event | None = None,
        is_answer: Callable[[str], bool] | None = None,
    ) -> Answer:
        """Write lines and return the one answer, within ``deadline`` seconds.

        Remarks before the answer are collected: lines that begin with MESSAGE, DEBUG,
        INFO and the like, and all lines that ``is_answer`` rejects. With ``refusable``,
        ERROR and UNKNOWN are answers.

        Raises:
            BrainFault: "timeout", "crash", "flood"; "garbage" if a move came before the
                query; "stopped" soon after ``stop`` is set.
        """
        time.sleep(max(self._answered + _QUERY_PAUSE - time.perf_counter(), 0))
        with self._news:
            early = [text for _, text in self._lines]
            self._lines.clear()
            self._seen_lines = self._seen_bytes = 0
        messages = []
        self._is_answer = is_answer
        self.stray_line = ""
        for text in map(str.strip, early):
            if is_moves(text):
                words = f"unexpected output: {shorten(text)}"
                raise BrainFault("garbage", words, self.complaints)
            messages.append(text)
        self._queried = time.perf_counter()
        self.send(*lines)
        return self._await(self._queried + deadline, messages, refusable, stop)

    def query_moves(
        self,
        *lines: str,
        deadline: float,
        refusable: bool = False,
        stop: threading.Event | None = None,
    ) -> Answer:
        """Write lines and return the line of moves, or SWAP; others are remarks.

        Arguments and errors are those of ``query``.
        """
        return self.query(
            *lines,
            deadline=deadline,
            refusable=refusable,
            stop=stop,
            is_answer=is_moves,
        )

    def wait(self, seconds: float) -> Answer:
        """Wait up to ``seconds`` more for the answer to a query that timed out."""
        return self._await(time.perf_counter() + seconds, [], False, None)

    def _await(
        self,
        until: float,
        messages: list[str],
        refusable: bool,
        stop: threading.Event | None,
    ) -> Answer:
        while True:
            arrived, text = self._next(until, stop)
            text = text.strip()
            if not (refusable and _REFUSAL.match(text)):
                is_remark = _REMARK.match(text) is not None
                is_stray = self._is_answer is not None and not self._is_answer(text)
                if is_stray and not is_remark:
                    self.stray_line = text
                if is_remark or is_stray:
                    messages.append(text)
                    continue
            self._answered = arrived
            figures = read_figures(messages)
            return Answer(
                **asdict(figures),
                text=text,
                seconds=arrived - self._queried,
                messages=tuple(messages),
            )

    def _next(self, until: float, stop: threading.Event | None) -> tuple[float, str]:
        """Return the next line and its arrival, which must not be after ``until``."""
        with self._news:
            while True:
                if self._lines:
                    if self._lines[0][0] > until:
                        break
                    return self._lines.popleft()
                if self._flooded:
                    raise self._fault(
                        "flood",
                        f"wrote more than {MAX_LINES} lines or {MAX_BYTES} bytes",
                    )
                if self._over:
                    raise self._fault("crash", self._describe_exit())
                if stop is not None and stop.is_set():
                    raise self._fault("stopped", "stopped")
                left = until - time.perf_counter()
                if left <= 0:
                    break
                self._news.wait(min(left, _SLICE))
        raise self._fault("timeout", "gave no answer in time")

    def line(self, seconds: float) -> str | None:
        """Return the next line of any sort, blanks included; None after ``seconds``.

        For callers that need more than the answers.

        Raises:
            BrainFault: "crash", "flood".
        """
        try:
            return self._next(time.perf_counter() + seconds, None)[1]
        except BrainFault as fault:
            if fault.kind == "timeout":
                return None
            raise

    # Commands of the protocol

    def start(
        self,
        width: int,
        height: int,
        *,
        deadline: float = START_SECONDS,
        stop: threading.Event | None = None,
    ) -> Answer:
        """Start a game: send START, or RECTSTART if width and height differ."""
        word = f"START {width}" if width == height else f"RECTSTART {width},{height}"
        return self.query_ok(word, deadline=deadline, stop=stop)

    def restart(
        self, *, deadline: float = START_SECONDS, stop: threading.Event | None = None
    ) -> Answer:
        """Start another game on the same board."""
        return self.query_ok("RESTART", deadline=deadline, stop=stop)

    def info(self, key: str, value: object) -> None:
        """Send an INFO line."""
        self.send(f"INFO {key} {value}")

    def about(self, *, deadline: float = START_SECONDS) -> dict[str, str]:
        """Send ABOUT and return the fields of the answer: name, version, author etc."""
        text = self.query("ABOUT", deadline=deadline, refusable=True).text
        return read_about(text)

    def query_ok(
        self, line: str, *, deadline: float, stop: threading.Event | None = None
    ) -> Answer:
        """Send a command that requires the answer OK.

        Raises:
            BrainFault: "refused" if the answer is ERROR or UNKNOWN, "garbage" if it
                is any other line.
        """
        try:
            answer = self.query(
                line, deadline=deadline, refusable=True, stop=stop, is_answer=_is_ok
            )
        except BrainFault as fault:
            if fault.kind != "timeout" or not self.stray_line:
                raise
            words = f"answered {line} with {shorten(self.stray_line)}"
            raise BrainFault("garbage", words, self.complaints) from None
        if not _is_ok(answer.text):
            words = f"answered {line} with {shorten(answer.text)}"
            raise BrainFault("refused", words, self.complaints)
        return answer

    # End of the process

    def close(self, grace: float = END_SECONDS) -> str:
        """Send END, wait up to ``grace`` seconds, and kill the process if necessary.

        Return a description of an irregular exit, or "".
        """
        self.send("END")
        self._outbox.put(None)
        try:
            status = self._process.wait(grace)
        except subprocess.TimeoutExpired:
            self.kill()
            return f"did not exit within {grace:g} s after END"
        self.kill()  # ends the processes that it started
        return "" if status == 0 else f"exited with {_status_text(status)} after END"

    def leaves_at_end_of_input(self, seconds: float) -> bool:
        """Close the input without END. Return whether the process exits in time."""
        self._outbox.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return self._process.returncode is not None

    def kill(self) -> None:
        """End the whole process tree. Never raises, never waits for long."""
        if self._killed:  # the process id may belong to another process now
            return
        self._killed = True
        _kill_tree(self._process)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_KILL_SECONDS)
        guard.forget(self._process.pid)
        self._outbox.put(None)
        for thread in self._threads:
            if thread is threading.current_thread():  # it collects garbage
                continue
            # A detached grandchild may keep the pipes open. The remaining threads own
            # their pipes and cause no harm.
            thread.join(1.0)

    def _fault(self, kind: str, text: str) -> BrainFault:
        return BrainFault(kind, text, self.last_words)

    def _describe_exit(self) -> str:
        try:
            status = self._process.wait(0.5)
        except subprocess.TimeoutExpired:
            return "closed its output"
        self._threads[-1].join(0.5)  # to read the end of standard error
        return f"exited with {_status_text(status)}"

    # Threads

    def _write(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError), self._process.stdin as pipe:
            while (data := self._outbox.get()) is not None:
                while data:
                    data = data[pipe.write(data) or 0 :]

    def _read(self) -> None:
        assert self._process.stdout is not None
        rest = b""
        with self._process.stdout as pipe:
            while not self._flooded and (chunk := _read_chunk(pipe.fileno())):
                arrived = time.perf_counter()
                *parts, rest = self._cut(rest + chunk)
                self._take(arrived, parts, len(chunk))
                self.pieces += bool(rest)
            self._take(time.perf_counter(), [rest], 0)
        with self._news:
            self._over = True
            self._news.notify_all()

    def _cut(self, data: bytes) -> list[bytes]:
        """Split at LF, or at CR if there is no LF. The last part is unfinished.

        A CR inside a line is not an end: PentaZen writes its depth as a byte, also 13.
        """
        if data.endswith(b"\r") and b"\n" not in data:
            self.line_ends.add(b"\r")
            return data.split(b"\r")
        *parts, rest = data.split(b"\n")
        self.line_ends |= {b"\r\n" if p.endswith(b"\r") else b"\n" for p in parts}
        return [*(part.removesuffix(b"\r") for part in parts), rest]

    def _take(self, arrived: float, parts: list[bytes], size: int) -> None:
        """Append lines to the queue of ``_next`` and log them."""
        texts = [part.decode("utf-8", "replace") for part in parts]
        lines = [text for text in texts if text.strip()]
        with self._news:
            self._seen_lines += len(lines)
            self._seen_bytes += size
            if self._seen_lines > MAX_LINES or self._seen_bytes > MAX_BYTES:
                self._flooded = True
                self._lines.clear()
            else:
                self._lines.extend((arrived, line) for line in lines)
            self._last_lines.extend(lines[-_LAST_LINES:])
            self._news.notify_all()
        if not self._flooded:
            for line in lines:
                self.log(f"< {line}")

    def _read_stderr(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as pipe:
            rest = b""
            while chunk := _read_chunk(pipe.fileno()):
                self.stderr_bytes += len(chunk)
                self._stderr = (self._stderr + chunk)[-_TAIL:]
                *lines, rest = (rest + chunk).split(b"\n")
                rest = rest[-_TAIL:]
                if self.stderr_bytes <= MAX_BYTES:
                    for line in lines:
                        self.log(f"! {line.decode('utf-8', 'replace').rstrip()}")


def read_about(text: str) -> dict[str, str]:
    """Parse the fields of an ABOUT line (``name="..", version=".."``)."""
    return dict(re.findall(r'(\w+)\s*=\s*"([^"]*)"', text))


def is_moves(text: str) -> bool:
    """Whether a line is an answer of moves: "7,7", "1,1 2,2" or "SWAP"."""
    return _MOVES.fullmatch(text) is not None


def _is_ok(text: str) -> bool:
    return text[:2].upper() == "OK" and not text[2:3].isalnum()


def shorten(text: str, length: int = 80) -> str:
    """Quote a line of a brain for a message: printable and of limited length."""
    return f'"{shown(text, length)}"'


def _read_chunk(pipe: int) -> bytes:
    try:
        return os.read(pipe, _CHUNK)
    except OSError:
        return b""


def working_folder(spec: EngineSpec) -> Path:
    """Return the folder in which the engine will run."""
    if spec.cwd is not None:
        return Path(spec.cwd)
    program = Path(spec.command[0])
    has_path = program.name != spec.command[0]
    return program.absolute().parent if has_path else Path.cwd()


@contextlib.contextmanager
def _on_processors(cpus: frozenset[int] | None) -> Iterator[None]:
    """Bind this thread, and the processes that it starts, to some processors."""
    if cpus is None or sys.platform != "linux":
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cpus)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _launch(
    spec: EngineSpec, cpus: frozenset[int] | None = None
) -> "subprocess.Popen[bytes]":
    """Start the process in a group of its own, out of reach of our Ctrl-C."""
    program, *arguments = spec.command
    if Path(program).name != program:
        program = str(Path(program).absolute())  # relative to the current folder
    try:
        with _on_processors(cpus):
            return subprocess.Popen(
                [program, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=working_folder(spec),
                bufsize=0,
                start_new_session=sys.platform != "win32",
                creationflags=_group_flags(),
            )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        folder = working_folder(spec)
        if isinstance(error, OSError) and not folder.is_dir():
            reason = f"there is no folder {folder}"
        raise BrainFault("start", f"cannot run {program}: {reason}") from None


def _group_flags() -> int:
    if sys.platform == "win32":
        return subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
    return 0


def _kill_tree(process: "subprocess.Popen[bytes]") -> None:
    if sys.platform == "win32":
        if process.poll() is not None:
            return  # its child processes cannot be found any more
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            subprocess.run(
                ["taskkill", "/T", "/F", "/PID", str(process.pid)],
                capture_output=True,
                timeout=_KILL_SECONDS,
                creationflags=subprocess.CREATE_NO_WINDOW,
            )
    else:
        # The group keeps its number as long as a member is alive.
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(OSError):
        process.kill()


def _status_text(status: int) -> str:
    """Describe an exit status."""
    if status < 0:
        with contextlib.suppress(ValueError):
            return f"signal {signal.Signals(-status).name}"
    if status > 255:  # Windows: codes such as 0xC0000005 are known in this form
        return f"status {status:#x}"
    return f"status {status}"
