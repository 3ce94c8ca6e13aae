"""File of lines that a run appends to, and continues after it was stopped or killed.

Every long command stores its results in such a file: the games of a match and of
self-play, the results of a calibration of levels and of an experiment, the openings
found, the checked parts of a proof. A line is valid once its line end is written. The
next run removes the incomplete last line of a killed run before it adds lines, so
nothing else is lost.
"""

import contextlib
import os
from pathlib import Path
from typing import BinaryIO, Self

__all__ = ["Journal"]


class Journal:
    """Lines of a file, with methods to append more of them.

    Nothing is written before ``start``. Use it as a context manager, or ``close`` it.
    """

    def __init__(self, path: Path, kind: str, *begins: str, sync: bool = True) -> None:
        """Read the file.

        ``kind`` is the name of such a file in errors ("a file of match games"). Every
        such file begins with one of the texts ``begins``; without them any file is
        accepted. With ``sync`` each line is on the disk before ``append`` returns.
        Otherwise the operating system has it: then it survives a crash of the process,
        but not a power failure.

        Raises OSError, and ValueError for a file that begins with another text or has a
        line that is not UTF-8.
        """
        self.path = path
        self.lines: list[str] = []
        """Lines of the file when it was read, without their ends."""
        self._sync = sync
        self._file: BinaryIO | None = None
        data = path.read_bytes() if path.exists() else b""
        heads = [begin.encode() for begin in begins]
        if data and heads and not any(_may_begin(data, head) for head in heads):
            raise ValueError(f"{path} is not {kind}")
        self._whole = data.rfind(b"\n") + 1  # bytes of the complete lines
        self._size = len(data)  # the same with the incomplete last line of a killed run
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
            # A write that failed on a full disk raised its error then.
            with contextlib.suppress(OSError):
                self._file.close()
            self._file = None

    def start(self, head: str = "") -> None:
        """Prepare the file for new lines; an empty or new one gets ``head`` first.

        Raises OSError, also if another run has written to the file since it was read.
        """
        self._file = self.path.open("r+b" if self.path.exists() else "xb")
        self._check_alone(self._file)
        self._file.truncate(self._whole)
        self._file.seek(self._whole)
        self._size = self._whole
        if head and not self._whole:
            self.append(head)

    def append(self, line: str) -> None:
        """Append a line, given without its end; a kill does not lose it.

        Raises OSError, also if another run has written to the file meanwhile, and
        ValueError for a text of several lines.
        """
        assert self._file is not None, "start() comes first"
        if "\n" in line:
            raise ValueError("a line of a journal must not contain a line break")
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
    """Whether data begins with ``head``, as far as it goes."""
    return data[: len(head)] == head[: len(data)]
