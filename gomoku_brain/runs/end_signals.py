"""Signals that end a long command in the same way as Ctrl-C."""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator

__all__ = ["EndSignals", "end_signals"]

_NAMES = ("SIGTERM", "SIGHUP")


class EndSignals:
    """Signal that ended the work, if one did."""

    def __init__(self) -> None:
        """Start without a signal."""
        self.number: int | None = None
        """Number of the signal; None before one has come."""

    @property
    def name(self) -> str:
        """Name of the signal, for example "SIGTERM"; "" before one has come."""
        return "" if self.number is None else signal.Signals(self.number).name

    @property
    def exit_status(self) -> int:
        """Exit status of a command that Ctrl-C or a signal ended."""
        return 130 if self.number is None else 128 + self.number

    def _interrupt(self, number: int, _: object) -> None:
        first = self.number is None
        self.number = number
        if first and number == getattr(signal, "SIGHUP", None):
            _leave_terminal()
        if first:  # `timeout` and some managers send a signal twice
            raise KeyboardInterrupt


def _leave_terminal() -> None:
    """Suppress all further output to a terminal that is gone."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        with contextlib.suppress(OSError, ValueError, AttributeError):
            if stream.isatty():
                setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


@contextlib.contextmanager
def end_signals() -> Iterator[EndSignals]:
    """Raise KeyboardInterrupt on SIGTERM and SIGHUP, within the block.

    A signal that is ignored already (``nohup``) stays ignored. Outside of the main
    thread, in which Python allows handlers, nothing changes.
    """
    state = EndSignals()
    before = {}
    if threading.current_thread() is threading.main_thread():
        for name in _NAMES:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:
                before[number] = signal.signal(number, state._interrupt)
    try:
        yield state
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
