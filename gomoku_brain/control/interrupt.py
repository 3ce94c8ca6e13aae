"""Ctrl-C during compiled work that never returns to Python by itself.

Python calls its handler of SIGINT only between two steps of Python code. The C part of
the handler writes to a "wakeup" socket at once; a thread reads there and stops the
work, and then Python raises KeyboardInterrupt.
"""

import contextlib
import os
import signal
import threading

from gomoku_brain.control.search_control import SearchControl

__all__ = ["InterruptStop"]


class _Watch:
    """Thread that stops the current work when SIGINT arrives."""

    def __init__(self) -> None:
        import socket  # its import is not part of the start of a brain

        self.control: SearchControl | None = None
        self.before = -1  # the wakeup descriptor of others, who get their bytes
        self._reader, self.writer = socket.socketpair()
        self.writer.setblocking(False)
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while data := self._reader.recv(64):
            control, before = self.control, self.before
            if control is not None and signal.SIGINT in data:
                control.stop()
            if before != -1:
                with contextlib.suppress(OSError):
                    os.write(before, data)


_watch: _Watch | None = None


def _forget() -> None:
    global _watch
    _watch = None  # the thread of the parent process is not in a forked one


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


class InterruptStop:
    """Context in which Ctrl-C stops a search at once; KeyboardInterrupt follows.

    Only in the main thread, which receives Ctrl-C, and only if its handler is the one
    of Python that raises KeyboardInterrupt.
    """

    __slots__ = ("_before", "_control")

    def __init__(self, control: SearchControl) -> None:
        """``control`` is that of the search."""
        self._control = control
        self._before: int | None = None

    def __enter__(self) -> None:
        global _watch
        if threading.current_thread() is not threading.main_thread():
            return
        if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            return
        if _watch is None:
            try:
                _watch = _Watch()
            except (OSError, RuntimeError, MemoryError):
                return  # Ctrl-C then waits for the iteration
        try:
            writer = _watch.writer.fileno()
            before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        except ValueError:  # of another interpreter
            return
        _watch.before, _watch.control = before, self._control
        self._before = before

    def __exit__(self, *_: object) -> None:
        if self._before is not None and _watch is not None:
            _watch.control = None
            signal.set_wakeup_fd(self._before, warn_on_full_buffer=False)
            self._before = None
