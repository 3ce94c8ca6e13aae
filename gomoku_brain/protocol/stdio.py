"""Moves bytes between the manager's pipes and a Session.

One thread reads standard input all the time, so that END and YXSTOP are seen in the
middle of a search; the main thread thinks and writes. A line goes out as one write, so
that a manager which does not buffer its reads never sees half of one. Nothing ever goes
to standard error, which some managers read as if it were the answer.

Environment: ``GOMOKU_LOG`` names a file that receives the conversation and errors,
``GOMOKU_QUIET=1`` begins without lines of play, ``GOMOKU_DEBUG_STDERR=1`` leaves
standard error alone.
"""

import contextlib
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable

from gomoku_brain import variants
from gomoku_brain.protocol.session import Session
from gomoku_brain.protocol.start_settings import FILE, Settings

_STDIN, _STDOUT, _STDERR = 0, 1, 2
_CHUNK = 1 << 16
_MAX_LINE = 1 << 20  # bytes; the rest of a longer line is dropped
# Managers kill half a second after END; a search has long stopped by then.
_END_GRACE = 0.15  # seconds
# A script that ends with END waits for its answers: on a busy machine the brain may not
# even be loaded when END comes.
_SCRIPT_GRACE = 60.0  # seconds
_SCRIPT_GRACE_PER_LINE = 0.05
_WATCH = 0.25  # seconds between two looks at the output, once the input has ended
_RETRY = 0.002  # seconds; for a pipe that a manager left in non-blocking mode
_BOM = b"\xef\xbb\xbf"


class LineSplitter:
    r"""Cuts a stream of bytes into lines at LF, CRLF or CR.

    A CR ends its line at once, even as the last byte of a chunk: a manager that ends
    lines so is waiting for the answer. An LF that follows belongs to it.
    """

    def __init__(self) -> None:
        """Begin a stream."""
        self._rest = bytearray()
        self._after_cr = False
        self._at_start = True

    def feed(self, chunk: bytes) -> list[str]:
        """The lines that end in this chunk, decoded so that no byte can fail."""
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
        """The last line, when no line end followed it."""
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


class _Log:
    """The file that GOMOKU_LOG names; without one, nothing is kept."""

    def __init__(self, path: str | None) -> None:
        self._file = None
        if path:
            try:
                self._file = open(path, "a", encoding="utf-8", buffering=1)  # noqa: SIM115
            except OSError:
                return  # a brain without its log still plays

    def fileno(self) -> int | None:
        return self._file.fileno() if self._file else None

    def write(self, text: str) -> None:
        """Note something with the time of the clock that searches use."""
        if self._file:
            with contextlib.suppress(OSError):  # a full disk loses no game
                self._file.write(f"{time.perf_counter():.4f} {text}\n")


def serve(settings: Settings, seed: int | None = None) -> None:
    """Speak the protocol on standard input and output, then leave the process.

    ``settings`` hold until INFO changes them; ``seed`` is that of the ``Session``.

    Returns by an exception only when the compiled modules are missing; otherwise the
    process ends here, with status 0 after END and at the end of the input.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback on Ctrl-C
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(_STDIN, os.O_BINARY)
        msvcrt.setmode(_STDOUT, os.O_BINARY)
    log = _Log(os.environ.get("GOMOKU_LOG"))
    log.write(f"variant {variants.in_words()}")
    session = Session(
        emit=lambda line: _emit(line, log),
        startup=time.process_time,
        # What is loaded stays: no collection ever needs to walk it again.
        on_load=gc.freeze,
        log=log.write,
        quiet=os.environ.get("GOMOKU_QUIET", "0") not in ("", "0"),
        strength=settings.strength,
        seed=seed,
        threads=settings.threads,
        notice=f"{FILE} does not hold: {settings.fault}" if settings.fault else "",
    )
    session.options.max_memory = settings.memory << 20
    session.options.proof = int(settings.proof)
    finished = threading.Event()
    reader = threading.Thread(
        target=_read, args=(session, finished, log.write), daemon=True
    )
    restore = _silence_stderr(log)
    # Listen first: what arrives while the rest loads is stamped with its true time.
    reader.start()
    try:
        session.run()
    except ImportError:
        restore()
        raise
    except BaseException as error:
        log.write(f"! {error!r}")
        _leave(1)
    finished.set()
    _leave(0)


def _silence_stderr(log: _Log) -> Callable[[], None]:
    """Lead standard error into the log or nowhere; return how to take it back."""
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
    session: Session, finished: threading.Event, log: Callable[[str], None]
) -> None:
    """Feed the session until END or the end of the input.

    A script that is piped whole gets all its answers. But a manager that was killed has
    closed both pipes: nobody is left to think for.
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
            except Exception as error:  # one bad line must not make us deaf
                log(f"! {error!r}")
                continue
            if not reading:
                patience = _END_GRACE
                if session.is_cut_short:
                    patience = _SCRIPT_GRACE + _SCRIPT_GRACE_PER_LINE * session.queued
                finished.wait(patience)
                _leave(0)
        if not chunk:
            session.close()
            while not finished.wait(_WATCH):
                if _is_broken(_STDOUT):
                    log("! nobody reads the answers")
                    _leave(0)
            return


def _is_broken(output: int) -> bool:
    """Whether a write would fail because a manager is gone; never for a file.

    What is written to a pipe shows that as well, but a move may be minutes away.
    """
    if sys.platform == "win32":
        import msvcrt

        from gomoku_brain.windows_pipe import reader_is_gone

        return reader_is_gone(msvcrt.get_osfhandle(output))
    import select

    poll = select.poll()
    poll.register(output, 0)
    return any(state & (select.POLLERR | select.POLLHUP) for _, state in poll.poll(0))


def _emit(line: str, log: _Log) -> None:
    """Send one line to the manager; without a manager there is nothing left to do."""
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
    """End the process at once: nothing is buffered, and the reader may be blocked."""
    os._exit(status)
