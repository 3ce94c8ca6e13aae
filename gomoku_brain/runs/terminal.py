"""Standard output and standard error of a program, without the control characters of
foreign text.
"""

import contextlib
import sys
from collections.abc import Iterator
from typing import Any, TextIO

from gomoku_brain.foreign_text import shown

__all__ = ["clean_streams", "unfiltered"]


class _CleanStream:
    """Text stream that escapes control characters in all that is written to it."""

    def __init__(self, stream: TextIO) -> None:
        self.unfiltered = stream

    def write(self, text: str) -> int:
        """Write a text of lines."""
        self.unfiltered.write(shown(text, lines=True))
        return len(text)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  of the stream
        return getattr(self.unfiltered, name)


@contextlib.contextmanager
def clean_streams() -> Iterator[None]:
    """Escape the control characters in all that the block prints.

    ``sys.stdout.buffer`` takes bytes, and ``unfiltered`` our own control characters.
    """
    # (A process that was started without a stream has None.)
    out: Any = sys.stdout and _CleanStream(sys.stdout)
    err: Any = sys.stderr and _CleanStream(sys.stderr)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        yield


def unfiltered(stream: TextIO | None) -> TextIO | None:
    """Return the stream that takes control characters, for example of a live table."""
    return getattr(stream, "unfiltered", stream)
