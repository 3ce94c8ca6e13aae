"""A guard that ends engines when the program that started them was killed.

``kill -9`` gives a program no time to end its engines. On Linux, macOS and the like a
small shell process waits at the end of a pipe: the pipe closes when the program ends in
any way, and the guard then ends the engines that it knows of.
"""

import contextlib
import os
import subprocess
import sys
import threading
from typing import Self

__all__ = ["Guard", "forget", "watch"]

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

_guards: list["Guard"] = []


class Guard:
    """A process that outlives this one just long enough to end its engines.

    Use it as a context manager. On a system without ``sh`` it does nothing.
    """

    def __init__(self) -> None:
        """Start nothing yet."""
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        if sys.platform != "win32":
            with contextlib.suppress(OSError):
                self._process = subprocess.Popen(
                    ["/bin/sh", "-c", _SCRIPT],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    bufsize=0,
                    cwd=os.sep,
                    start_new_session=True,
                )
        _guards.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _guards.remove(self)
        if self._process is not None:
            assert self._process.stdin is not None
            with contextlib.suppress(OSError):
                self._process.stdin.close()
            self._process.wait()

    def write(self, sign: str, group: int) -> None:
        """Send the guard the id of a process group that began ("+") or ended ("-")."""
        if self._process is not None and self._process.stdin is not None:
            with self._lock, contextlib.suppress(OSError, ValueError):
                self._process.stdin.write(f"{sign} {group}\n".encode())


def watch(group: int) -> None:
    """Let all guards of this process know an engine's process group."""
    for guard in list(_guards):
        guard.write("+", group)


def forget(group: int) -> None:
    """Let all guards forget a process group that was ended."""
    for guard in list(_guards):
        guard.write("-", group)
