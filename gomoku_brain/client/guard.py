"""A guard that ends engines when the program that started them was killed.

``kill -9`` gives a program no time to end its engines. On Linux, macOS and the like a
small shell process waits at the end of a pipe: the pipe closes when the program ends in
any way, and the guard then ends the engines that it knows of. On Windows the system
itself ends all processes of a job object. The guard starts with the first engine.
"""

import atexit
import contextlib
import os
import subprocess
import sys
import threading
from typing import Protocol

__all__ = ["forget", "start", "watch"]

# Ids of process groups come in, "+ 123" and "- 123"; at the end of input all that are
# left are killed.
_SCRIPT = """
trap '' INT TERM HUP QUIT PIPE
left=" "
while read -r sign id; do
    if [ "$sign" = + ]; then
        left="$left$id "
    else
        case "$left" in *" $id "*) left="${left%% $id *} ${left#* $id }" ;; esac
    fi
done
for id in $left; do
    kill -s KILL -- "-$id"
done
"""


class _Guard(Protocol):
    def watch(self, pid: int) -> None:
        """Remember an engine by the id of its process."""

    def forget(self, pid: int) -> None:
        """Forget an engine that was ended."""

    def close(self) -> None:
        """End the engines that are left, and the guard."""


class ShellGuard:
    """Process that outlives this one just long enough to end its engines.

    Each engine must be the leader of a process group.
    """

    def __init__(self) -> None:
        """Start the process. Raises OSError without ``sh``."""
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd=os.sep,
            start_new_session=True,
        )

    def watch(self, pid: int) -> None:
        """Remember an engine by the id of its process group."""
        self._write(f"+ {pid}\n")

    def forget(self, pid: int) -> None:
        """Forget an engine that was ended."""
        self._write(f"- {pid}\n")

    def close(self) -> None:
        """End the engines that are left, and the process."""
        self._close_pipe()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)

    def leave_to_parent(self) -> None:
        """Give it up in a forked process, which cannot wait for it."""
        self._close_pipe()
        self._process.returncode = 0  # otherwise Python warns that it still runs

    def _close_pipe(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def _write(self, line: str) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # it was killed, or closed
            self._process.stdin.write(line.encode())


class _NoGuard:
    """Guard on a system that has no means for one."""

    def watch(self, pid: int) -> None:
        pass

    forget = watch

    def close(self) -> None:
        pass


_lock = threading.RLock()  # a dropped engine may end in the middle of ``watch``
_guard: _Guard | None = None


def start() -> None:
    """Start the guard of this process, unless it runs already."""
    with _lock:
        _running()


def watch(pid: int) -> None:
    """Let the guard of this process end an engine, if this process ends before it."""
    with _lock:
        _running().watch(pid)


def forget(pid: int) -> None:
    """Let the guard forget an engine that was ended."""
    with _lock:
        if _guard is not None:
            _guard.forget(pid)


def _running() -> _Guard:
    global _guard
    if _guard is None:
        _guard = _make_guard()
        atexit.register(_guard.close)
    return _guard


def _make_guard() -> _Guard:
    """Start the guard of this system."""
    with contextlib.suppress(OSError, ImportError):  # the folder has no ctypes
        if sys.platform == "win32":
            from gomoku_brain.client.windows_job import WindowsJob

            return WindowsJob()
        return ShellGuard()
    return _NoGuard()


def _leave_to_parent() -> None:
    """Give up the guard in a forked process, whose parent goes on to use it.

    Otherwise the pipe would stay open as long as the forked process.
    """
    global _guard, _lock
    _lock = threading.RLock()
    if isinstance(_guard, ShellGuard):
        atexit.unregister(_guard.close)
        _guard.leave_to_parent()
    _guard = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_to_parent)
