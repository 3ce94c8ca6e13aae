"""Options and messages of all long commands: workers, cluster, progress, errors.

``match``, ``prove``, ``levels``, ``openings``, self-play and other long commands share
the options ``--workers`` (on this machine) and ``--cluster`` (elsewhere). Progress is
one line that changes on a terminal, and a line now and then in a file.
"""

import argparse
import sys
import time
from collections.abc import Callable
from typing import Self, TextIO

__all__ = [
    "NO_CLUSTER",
    "ProgressLine",
    "ProgressWriter",
    "add_cluster",
    "add_workers",
    "duration",
    "error_line",
    "loss_message",
    "report_early_end",
    "whole",
]

NO_CLUSTER = '--cluster needs more: pip install "gomoku-brain[cluster]"'
"""Message if the library for clusters is not installed."""

Options = argparse.ArgumentParser | argparse._ArgumentGroup
"""Parser or group to which options are added."""

INTERVAL = 1.0  # least seconds between two lines of progress on a screen
FILE_INTERVAL = 60.0  # least seconds between two lines of progress in a file


def whole(text: str) -> int:
    """Parse a whole number of at least 1, for ``argparse``."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def add_workers(
    options: Options, help: str, *older: str, default: int | None = 1
) -> None:
    """Add ``--workers N``; ``older`` are former names of the same option."""
    options.add_argument(
        "--workers", *older, type=whole, default=default, metavar="N", help=help
    )


def add_cluster(options: Options, help: str) -> None:
    """Add ``--cluster ADDRESS``."""
    told = f"{help} a Dask cluster, tcp://host:8786"
    options.add_argument("--cluster", metavar="ADDRESS", help=told)


class ProgressWriter:
    """Writer of progress to standard error: one line that changes, or a line now and
    then.
    """

    def __init__(self, out: TextIO | None = None, *, in_files: bool = True) -> None:
        """Create a writer, whose first text comes after the usual interval.

        ``in_files``: also write if the output is not a screen.
        """
        # (A process that was started without standard error has none.)
        self._out: TextIO | None = sys.stderr if out is None else out
        self._moves = self._out is not None and self._out.isatty()
        if not (self._moves or in_files):
            self._out = None
        self._last = time.monotonic()
        self._width = 0

    def write(self, text: Callable[[], str], now: bool = False) -> None:
        """Write the text if the interval is over or ``now`` is set."""
        if self._out is None:
            return
        pause = INTERVAL if self._moves else FILE_INTERVAL
        if not now and time.monotonic() - self._last < pause:
            return
        self._last = time.monotonic()
        line = text()
        if self._moves:
            print(f"\r{line:<{self._width}}", end="", file=self._out, flush=True)
            self._width = len(line)
        else:
            print(line, file=self._out, flush=True)

    def clear(self) -> None:
        """Clear the line on a screen."""
        if self._moves and self._width:
            print(f"\r{'':{self._width}}\r", end="", file=self._out, flush=True)
            self._width = 0

    def end(self) -> None:
        """End the line on a screen."""
        if self._moves and self._width:
            print(file=self._out, flush=True)
            self._width = 0


class ProgressLine:
    """Progress of a task with a known number of steps, written by a ``ProgressWriter``.

    The line is "openings: 12 of 40, 0:00:35, 0:01:22 left". As a context manager it
    ends its line.
    """

    def __init__(self, what: str, total: int, begun: int = 0) -> None:
        """Create the line; ``begun`` steps of ``total`` were done by an earlier run."""
        self._what, self._total, self._begun = what, total, begun
        self._writer = ProgressWriter()
        self._started = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.end()

    def show(self, done: int, more: str = "") -> None:
        """Write the progress if the interval is over or all is done; ``more`` follows
        the line.
        """
        self._writer.write(lambda: self._line(done) + more, now=done >= self._total)

    def _line(self, done: int) -> str:
        used = time.monotonic() - self._started
        line = f"{self._what}: {done} of {self._total}, {duration(used)}"
        if self._begun < done < self._total:
            left = used * (self._total - done) / (done - self._begun)
            line += f", {duration(left)} left"
        return line


def duration(seconds: float) -> str:
    """Format seconds as "1:02:03"."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def error_line(error: Exception) -> str:
    """Return the text of an error in one line; for a file its name and the reason."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split())


def report_early_end(name: str, error: BaseException, more: str = "") -> int:
    """Report a lost worker, or Ctrl-C, in one line; return the exit status.

    ``name`` is that of the program; ``more`` is added to the line.
    """
    interrupted = isinstance(error, KeyboardInterrupt)
    told = "stopped" if interrupted else loss_message(error)
    print(f"{name}: {told}{more}", file=sys.stderr)
    return 130 if interrupted else 1


def loss_message(error: BaseException) -> str:
    """Return the message for a lost worker."""
    return f"a worker was lost, perhaps for want of memory ({type(error).__name__})"
