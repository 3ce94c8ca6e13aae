"""Ctrl-C during compiled work that never returns to Python by itself.

Python calls its handler of SIGINT only between two steps of Python code. The C part of
the handler writes to a "wakeup" descriptor at once; a thread reads there and stops the
work, and then Python raises KeyboardInterrupt.
"""

import _thread
import os
import signal
import sys

from gomoku_brain.control.search_control import SearchControl

__all__ = ["InterruptStop", "in_main_thread"]


def in_main_thread() -> bool:
    """Return whether the caller runs in the main thread, which receives Ctrl-C."""
    import threading  # late: a brain starts without it

    return threading.current_thread() is threading.main_thread()


class _InterruptWatch:
    """Thread that stops the current work when SIGINT arrives."""

    def __init__(self) -> None:
        """Raises OSError, and ImportError where Windows lacks the module socket."""
        self.control: SearchControl | None = None
        self.before = -1  # the wakeup descriptor of others, who get their bytes
        if sys.platform == "win32":  # the descriptor must be that of a socket
            import socket

            self._sockets = socket.socketpair()
            self._reader, self.writer = (each.fileno() for each in self._sockets)
            self._sockets[1].setblocking(False)
        else:
            self._reader, self.writer = os.pipe()
            os.set_blocking(self.writer, False)
        _thread.start_new_thread(self._run, ())

    def _read(self) -> bytes:
        if sys.platform == "win32":
            return self._sockets[0].recv(64)
        return os.read(self._reader, 64)

    def _run(self) -> None:
        while data := self._read():
            control, before = self.control, self.before
            if control is not None and signal.SIGINT in data:
                control.stop()
            if before != -1:
                try:
                    os.write(before, data)
                except OSError:
                    continue


_watch: _InterruptWatch | None = None


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
        if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            return
        if not in_main_thread():
            return
        if _watch is None:
            try:
                _watch = _InterruptWatch()
            except (ImportError, OSError, RuntimeError, MemoryError):
                return  # Ctrl-C then waits for the iteration
        try:
            before = signal.set_wakeup_fd(_watch.writer, warn_on_full_buffer=False)
        except ValueError:  # of another interpreter
            return
        _watch.before, _watch.control = before, self._control
        self._before = before

    def __exit__(self, *_: object) -> None:
        if self._before is not None and _watch is not None:
            _watch.control = None
            signal.set_wakeup_fd(self._before, warn_on_full_buffer=False)
            self._before = None
