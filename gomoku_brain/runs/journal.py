"""A file of lines that a run adds to, and goes on with after it was stopped or killed.

Every long command keeps what it has done so: a match its games, and likewise the
calibration of levels, self-play, an experiment, the search for openings and the check
of a proof. A line counts once its end is written. What a killed run left of its last
line is dropped before the next one is added, so that nothing is lost but what was being
written.
"""

import contextlib
import os
from pathlib import Path
from typing import BinaryIO, Self

__all__ = ["Journal"]


class Journal:
    """The lines that are there, and the file that gets more of them.

    Nothing is written before ``begin``. Use it as a context manager, or ``close`` it.
    """

    def __init__(self, path: Path, kind: str, *begins: str, sync: bool = True) -> None:
        """Read what is there.

        `kind` is what such a file is called in an error ("a file of match games"), and
        `begins` are the texts one of which every such file begins with; with none, any
        file is taken for one. With `sync` each line is on the disk before ``append``
        returns, else it is only with the operating system, which a crash of the process
        leaves whole and a power failure does not.

        Raises OSError, and ValueError for a file that begins otherwise or has a line
        that is not UTF-8.
        """
        self.path = path
        self.lines: list[str] = []
        """Those that were there when the file was read, without their ends."""
        self._sync = sync
        self._file: BinaryIO | None = None
        data = path.read_bytes() if path.exists() else b""
        heads = [begin.encode() for begin in begins]
        if data and heads and not any(_may_begin(data, head) for head in heads):
            raise ValueError(f"{path} is not {kind}")
        self._whole = data.rfind(b"\n") + 1  # bytes of the lines that have their end
        self._size = len(data)  # with what a killed run left of its last one
        for number, line in enumerate(data[: self._whole].split(b"\n")[:-1], 1):
            try:
                self.lines.append(line.removesuffix(b"\r").decode("utf-8"))
            except UnicodeDecodeError:
                raise ValueError(f"{path}, line {number}: damaged") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            # What a full disk did not take was told when it was written.
            with contextlib.suppress(OSError):
                self._file.close()
            self._file = None

    def begin(self, head: str = "") -> None:
        """Make the file ready for lines; an empty or new one begins with `head`.

        Raises OSError, also when another run has written to the file since it was read.
        """
        self._file = self.path.open("r+b" if self.path.exists() else "xb")
        self._check_alone(self._file)
        self._file.truncate(self._whole)
        self._file.seek(self._whole)
        self._size = self._whole
        if head and not self._whole:
            self.append(head)

    def append(self, line: str) -> None:
        """Add a line, without its end; what was added is not lost by a kill.

        Raises OSError, also when another run has written to the file meanwhile, and
        ValueError for a text of several lines.
        """
        assert self._file is not None, "begin() comes first"
        if "\n" in line:
            raise ValueError("a line of a journal has no end of a line in it")
        self._check_alone(self._file)
        data = line.encode("utf-8") + b"\n"
        try:
            self._file.write(data)
            self._file.flush()
            if self._sync:
                os.fsync(self._file.fileno())
        except OSError as error:  # of a full disk, which names no file
            raise OSError(error.errno, error.strerror, str(self.path)) from None
        self._size += len(data)

    def _check_alone(self, file: BinaryIO) -> None:
        if os.fstat(file.fileno()).st_size != self._size:
            raise OSError(f"{self.path}: another run writes to this file")


def _may_begin(data: bytes, head: bytes) -> bool:
    """Whether data begins so, as far as it goes."""
    return data[: len(head)] == head[: len(data)]
