"""Transport between the manager's pipes and a ``Session``.

One thread reads standard input all the time, so that END and YXSTOP take effect during
a search. The main thread thinks and writes. Each line goes out in one write, so that a
manager without a read buffer never sees half a line. Nothing goes to standard error,
because some managers read it as the answer.

Environment: ``GOMOKU_LOG`` names a file that receives the conversation and errors,
``GOMOKU_QUIET=1`` starts without lines of play, ``GOMOKU_DEBUG_STDERR=1`` leaves
standard error unchanged.
"""

import _thread
import gc
import os
import signal
import sys
import time
from collections.abc import Callable

from gomoku_brain import variants
from gomoku_brain.protocol.session import Session
from gomoku_brain.protocol.start_settings import FILE, StartSettings

_STDIN, _STDOUT, _STDERR = 0, 1, 2
_CHUNK = 1 << 16
_MAX_LINE = 1 << 20  # bytes; the rest of a longer line is dropped
# Managers kill half a second after END. A search stops long before that.
_END_GRACE = 0.15  # seconds
# The author of a script that ends with END waits for its answers. On a busy machine END
# may arrive before the brain is loaded.
_SCRIPT_GRACE = 60.0  # seconds
_SCRIPT_GRACE_PER_LINE = 0.05
_WATCH = 0.25  # seconds between two checks of the output after the end of input
_RETRY = 0.002  # seconds; for a pipe that the manager set to non-blocking mode
_BOM = b"\xef\xbb\xbf"


class LineSplitter:
    """Splitter of a byte stream into lines at LF, CRLF or CR.

    A CR ends its line at once, even as the last byte of a chunk, because a manager that
    ends lines with CR waits for the answer. An LF after a CR belongs to it.
    """

    def __init__(self) -> None:
        """Create a splitter at the start of a stream."""
        self._rest = bytearray()
        self._after_cr = False
        self._at_start = True

    def feed(self, chunk: bytes) -> list[str]:
        """Return the lines that end in this chunk, decoded as Latin-1."""
        if self._after_cr and chunk:
            chunk = chunk.removeprefix(b"\n")
            self._after_cr = False
        self._after_cr = self._after_cr or chunk.endswith(b"\r")
        *ended, rest = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        lines = []
        for part in ended:
            lines.append(self._take(part))
        self._keep(rest)
        return lines

    def finish(self) -> list[str]:
        """Return the last line if it has no line end, else an empty list."""
        return [self._take(b"")] if self._rest else []

    def _keep(self, part: bytes) -> None:
        self._rest += part[: _MAX_LINE - len(self._rest)]

    def _take(self, part: bytes) -> str:
        self._keep(part)
        # Windows shells put a byte order mark before what they pipe.
        whole = self._rest.removeprefix(_BOM) if self._at_start else self._rest
        line = whole.decode("latin-1")
        self._at_start = False
        self._rest.clear()
        return line


class Log:
    """Log file named by ``GOMOKU_LOG``. Without the variable, nothing is logged."""

    def __init__(self) -> None:
        """Open the file."""
        self._file = None
        path = os.environ.get("GOMOKU_LOG")
        if path:
            try:
                self._file = open(path, "a", encoding="utf-8", buffering=1)  # noqa: SIM115
            except OSError:
                return  # a brain without its log still plays

    def fileno(self) -> int | None:
        """Return the descriptor of the file; None without one."""
        return self._file.fileno() if self._file else None

    def write(self, text: str) -> None:
        """Write a line with the time of the clock that searches use, in seconds."""
        if self._file:
            from gomoku_brain.foreign_text import shown  # late: mostly there is no log

            try:
                self._file.write(f"{time.perf_counter():.4f} {shown(text)}\n")
            except OSError:
                return  # a full disk loses no game


def run_protocol(settings: StartSettings, seed: int | None = None) -> None:
    """Run the protocol on standard input and output, then end the process.

    ``settings`` are the initial values of the INFO keys. ``seed`` is the seed of the
    ``Session``.

    The process ends here, with status 0 after END and at the end of the input. Only
    ``ImportError``, for missing compiled modules, reaches the caller.
    """
    log = Log()
    log.write(f"variant {variants.in_words()}")
    session = Session(
        emit=lambda line: emit(line, log),
        startup=time.process_time,
        on_load=_collect_garbage,
        log=log.write,
        quiet=os.environ.get("GOMOKU_QUIET", "0") not in ("", "0"),
        strength=settings.strength,
        seed=seed,
        threads=settings.threads,
        notice=f"{FILE} is ignored: {settings.fault}" if settings.fault else "",
    )
    session.options.max_memory = settings.memory << 20
    session.options.proof = int(settings.proof)
    restore = _silence_stderr(log)
    try:
        converse(session, log)
    except ImportError:
        restore()
        raise
    except BaseException as error:
        log.write(f"! {error!r}")
        _leave(1)
    _leave(0)


def _collect_garbage() -> None:
    """Begin with garbage collections, which skip the modules that stay in memory."""
    gc.freeze()
    gc.enable()


def converse(session: Session, log: Log) -> None:
    """Run a session on standard input and output until its end.

    The process ends here if the manager does not wait for the end of the session.
    """
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback on Ctrl-C
    except ValueError:
        log.write("not in the main thread, which receives Ctrl-C")
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(_STDIN, os.O_BINARY)
        msvcrt.setmode(_STDOUT, os.O_BINARY)
    running = _thread.allocate_lock()
    running.acquire()
    # Start the reader first: input that arrives during loading gets its true time.
    _thread.start_new_thread(_read, (session, running, log.write))
    session.run()
    running.release()


def _silence_stderr(log: Log) -> Callable[[], None]:
    """Redirect standard error to the log or nowhere. Return the undo function."""
    if os.environ.get("GOMOKU_DEBUG_STDERR", "0") not in ("", "0"):
        return lambda: None
    try:
        before = os.dup(_STDERR)
    except OSError:  # closed from the beginning
        before = None
    target = log.fileno()
    sink = os.open(os.devnull, os.O_WRONLY) if target is None else target
    os.dup2(sink, _STDERR)

    def restore() -> None:
        if before is not None:
            os.dup2(before, _STDERR)

    return restore


def _read(
    session: Session, running: _thread.LockType, log: Callable[[str], None]
) -> None:
    """Feed the session until END or the end of the input.

    A script that is piped whole gets all its answers. A manager that was killed has
    closed both pipes, so the process ends.
    """
    splitter = LineSplitter()
    while True:
        try:
            chunk = os.read(_STDIN, _CHUNK)
        except BlockingIOError:
            time.sleep(_RETRY)
            continue
        except OSError:
            chunk = b""
        arrival = time.perf_counter()
        for line in splitter.feed(chunk) if chunk else splitter.finish():
            log(f"> {line}")
            try:
                reading = session.feed(line, arrival)
            except Exception as error:  # one bad line must not end the reader
                log(f"! {error!r}")
                continue
            if not reading:
                patience = _END_GRACE
                if session.is_cut_short:
                    patience = _SCRIPT_GRACE + _SCRIPT_GRACE_PER_LINE * session.queued
                if not running.acquire(timeout=patience):
                    _leave(0)
                return
        if not chunk:
            session.close()
            while not running.acquire(timeout=_WATCH):
                if is_broken(_STDOUT):
                    log("! nobody reads the answers")
                    _leave(0)
            return


def is_broken(output: int) -> bool:
    """Return whether the output pipe has no reader. A file is never broken.

    A write would fail as well, but the next write may be minutes away.
    """
    if sys.platform == "win32":
        import msvcrt

        from gomoku_brain.windows_pipe import reader_is_gone

        return reader_is_gone(msvcrt.get_osfhandle(output))
    import select

    poll = select.poll()
    poll.register(output, 0)
    return any(state & (select.POLLERR | select.POLLHUP) for _, state in poll.poll(0))


def emit(line: str, log: Log) -> None:
    """Send one line to the manager. End the process if the manager is gone."""
    data = line.encode("ascii", "replace") + b"\n"
    try:
        while data:
            try:
                data = data[os.write(_STDOUT, data) :]
            except BlockingIOError:
                time.sleep(_RETRY)
    except OSError:
        log.write("! nobody reads the answers")
        _leave(0)
    log.write(f"< {line}")


def _leave(status: int) -> None:
    """End the process at once, since the reader thread may be blocked."""
    os._exit(status)
