"""End of every program of the package: errors of users in one line, exit statuses.

``run_reporting`` is the only place that handles Ctrl-C and reports an error at the end
of a program. A command that has partial results handles Ctrl-C first, by itself. The
program that needs no Python contains this module, so it imports little.
"""

import os
import sys
from collections.abc import Callable
from typing import Self

from gomoku_brain.foreign_text import MAX_ERROR, brief
from gomoku_brain.runs.terminal import clean_streams

__all__ = [
    "FAILED",
    "INTERRUPTED",
    "Interruptible",
    "drop_output",
    "error_line",
    "loss_message",
    "report",
    "run_reporting",
]

FAILED = 2
"""Exit status after an error."""
INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it."""


def report(program: str, message: object) -> None:
    """Print a message of a program on standard error: "gomoku-brain match: stopped"."""
    print(f"{program}: {brief(str(message), MAX_ERROR)}", file=sys.stderr, flush=True)


def error_line(error: BaseException) -> str:
    """Return the text of an error in one line; for a file its name and the reason.

    The notes of the error (``add_note``) follow it.
    """
    if isinstance(error, OSError) and error.filename and error.strerror:
        text = f"{error.filename}: {error.strerror}"
    elif isinstance(error, KeyboardInterrupt):
        text = "stopped"
    elif _is_lost_worker(error):
        text = loss_message(error)
    elif isinstance(error, MemoryError) or _lacks_memory(error):
        text = f"{error}: memory is short" if str(error) else "memory is short"
    else:
        text = " ".join(str(error).split())
    return "; ".join([text, *getattr(error, "__notes__", ())])


def loss_message(error: BaseException) -> str:
    """Return the message for a lost worker."""
    return f"a worker was lost, perhaps for want of memory ({type(error).__name__})"


def run_reporting(program: str, work: Callable[[], int | None]) -> int:
    """Run the work of a program and return its exit status, 0 for None.

    What it prints passes through ``clean_streams``.

    An error that a user can cause (ValueError, OSError, a lack of memory, a lost
    worker) and Ctrl-C are reported in one line. Raises BrokenPipeError, which is not an
    error of the user.
    """
    try:
        with clean_streams():
            return work() or 0
    except BrokenPipeError:
        raise
    except KeyboardInterrupt as error:
        report(program, error_line(error))
        return INTERRUPTED
    except (ValueError, OSError, MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and not (
            _is_lost_worker(error) or _lacks_memory(error)
        ):
            if not _broke_a_lock(error):
                raise
            report(program, error_line(KeyboardInterrupt()))
            return INTERRUPTED
        report(program, error_line(error))
        return FAILED


class Interruptible:
    """Block that Ctrl-C only ends, so that the program uses the results so far."""

    def __init__(self) -> None:
        """Start with the exit status of success."""
        self.status = 0
        """0, or ``INTERRUPTED`` after Ctrl-C."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        if kind is None or not issubclass(kind, KeyboardInterrupt):
            return False
        self.status = INTERRUPTED
        return True


def _broke_a_lock(error: RuntimeError) -> bool:
    """Whether Ctrl-C came in the middle of one of Python's own locks.

    Its ``with`` block then releases a lock that is not held.
    """
    interrupted = isinstance(error.__context__, KeyboardInterrupt)
    return interrupted and type(error) is RuntimeError and "lock" in str(error)


def _lacks_memory(error: BaseException) -> bool:
    """Whether Python could not make one of its own locks or a thread."""
    return isinstance(error, RuntimeError) and str(error).startswith(
        ("can't allocate", "can't start new thread")
    )


def _is_lost_worker(error: BaseException) -> bool:
    """Whether the error reports a lost worker process.

    If its class was not imported, no process was started.
    """
    futures = sys.modules.get("concurrent.futures")
    return futures is not None and isinstance(error, futures.BrokenExecutor)


def drop_output() -> None:
    """Send further output nowhere, so that Python does not fail to write it at its
    end.
    """
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
