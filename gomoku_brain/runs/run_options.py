"""What all long commands share: how many workers, on which cluster, progress, errors.

One spelling for `match`, `prove`, `levels`, `openings`, self-play and what else runs
long: ``--workers`` here, ``--cluster`` elsewhere. Progress is a line that changes on a
terminal, and a line now and then in a file.
"""

import argparse
import sys
import time
from collections.abc import Callable
from typing import Self, TextIO

__all__ = [
    "NO_CLUSTER",
    "ProgressLine",
    "Teller",
    "add_cluster",
    "add_workers",
    "duration",
    "error_line",
    "told_early_end",
    "told_of_loss",
    "whole",
]

NO_CLUSTER = '--cluster needs more: pip install "gomoku-brain[cluster]"'
"""What is said when the library is not there."""

Options = argparse.ArgumentParser | argparse._ArgumentGroup
"""What options are added to."""

TELL = 1.0  # seconds between two lines of progress on a screen
TELL_FILE = 60.0  # seconds between two lines of progress in a file


def whole(text: str) -> int:
    """A whole number of at least 1, for argparse."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def add_workers(
    options: Options, help: str, *older: str, default: int | None = 1
) -> None:
    """Add ``--workers N``; `older` are names of the same option from before."""
    options.add_argument(
        "--workers", *older, type=whole, default=default, metavar="N", help=help
    )


def add_cluster(options: Options, help: str) -> None:
    """Add ``--cluster ADDRESS``."""
    told = f"{help} a Dask cluster, tcp://host:8786"
    options.add_argument("--cluster", metavar="ADDRESS", help=told)


class Teller:
    """Progress on standard error: one line that changes, or now and then a line."""

    def __init__(self, out: TextIO | None = None, *, in_files: bool = True) -> None:
        """Say something first after a while; with ``in_files`` not on a screen only."""
        # (A process that was started without a standard error has none.)
        self._out: TextIO | None = sys.stderr if out is None else out
        self._moves = self._out is not None and self._out.isatty()
        if not (self._moves or in_files):
            self._out = None
        self._last = time.monotonic()
        self._width = 0

    def tell(self, text: Callable[[], str], now: bool = False) -> None:
        """Show the text, if it is time to."""
        if self._out is None:
            return
        pause = TELL if self._moves else TELL_FILE
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
        """Leave an empty line on a screen."""
        if self._moves and self._width:
            print(f"\r{'':{self._width}}\r", end="", file=self._out, flush=True)
            self._width = 0

    def end(self) -> None:
        """Go to the next line."""
        if self._moves and self._width:
            print(file=self._out, flush=True)
            self._width = 0


class ProgressLine:
    """How many of a number of steps are done, told by a ``Teller``.

    "openings: 12 of 40, 0:00:35, 0:01:22 left". As a context manager it ends its line.
    """

    def __init__(self, what: str, total: int, begun: int = 0) -> None:
        """``begun``: how many were done before."""
        self._what, self._total, self._begun = what, total, begun
        self._teller = Teller()
        self._started = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._teller.end()

    def show(self, done: int, more: str = "") -> None:
        """Say how far it is, if it is time to or the end; ``more`` goes behind it."""
        self._teller.tell(lambda: self._line(done) + more, now=done >= self._total)

    def _line(self, done: int) -> str:
        used = time.monotonic() - self._started
        line = f"{self._what}: {done} of {self._total}, {duration(used)}"
        if self._begun < done < self._total:
            left = used * (self._total - done) / (done - self._begun)
            line += f", {duration(left)} left"
        return line


def duration(seconds: float) -> str:
    """ "1:02:03"."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def error_line(error: Exception) -> str:
    """What went wrong, in one line; of a file its name and the reason."""
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split())


def told_early_end(name: str, error: BaseException, more: str = "") -> int:
    """Tell that a worker was lost, or Ctrl-C, in one line; the exit status.

    `name` is that of the program, `more` what else is said.
    """
    interrupted = isinstance(error, KeyboardInterrupt)
    told = "stopped" if interrupted else told_of_loss(error)
    print(f"{name}: {told}{more}", file=sys.stderr)
    return 130 if interrupted else 1


def told_of_loss(error: BaseException) -> str:
    """What is told when a worker is gone."""
    return f"a worker was lost, perhaps for want of memory ({type(error).__name__})"
