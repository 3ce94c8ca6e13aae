"""Files that are written: whether they can be, before the work, and whole, after it."""

import contextlib
import errno
import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

__all__ = ["begin_file", "check_output", "is_standard_output", "write_whole"]

_ALREADY_OPEN = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_NOT_REPLACED = (errno.EACCES, errno.EPERM, errno.EBUSY, errno.EROFS)
"""A folder that takes no new file or keeps the old one, what another program holds open
on Windows, a mount point, a writable mount in a folder that is not."""


def check_output(path: str | Path, needed: Iterable[str | Path]) -> None:
    """See before the work that a file can be written, and that it is no other one.

    ``needed`` are the files that are read, or written as well. No file is left behind
    that was not there. Raises ValueError, with the path, where it cannot be written.
    """
    if str(path) in ("", "-"):
        raise ValueError(f"{str(path)!r} is no file: name one")
    path = Path(path)
    try:
        if path.is_dir():
            raise ValueError(f"{path} is a folder: name a file in it")
        number = _descriptor(path)
        if number is not None:
            if number == 2:
                raise ValueError(f"{path} is where messages go: name another file")
            if number in map(_descriptor, map(Path, needed)):
                raise ValueError(f"{path} takes one output only: name another file")
            _check_descriptor(number)
            return
        if path.exists() and not path.is_file():
            return  # a pipe or a device: opening it might wait for its other end
        target = path.resolve()  # a link stays where it is
        if not target.parent.is_dir():
            folder = target.parent if path.is_symlink() else path.parent
            raise ValueError(f"{path} cannot be written: there is no folder {folder}")
        if target in (Path(other).resolve() for other in needed):
            raise ValueError(f"{path} would be written over: name another file")
        if begin_file(target):
            target.unlink()
        else:
            target.open("ab").close()
    except (OSError, RuntimeError) as error:
        # (Before Python 3.13 a link in a circle was a RuntimeError.)
        told = "it is a link to itself"
        if isinstance(error, OSError) and error.errno != errno.ELOOP:
            told = str(error.strerror)
        raise ValueError(f"{path} cannot be written: {told}") from None


def begin_file(path: Path) -> bool:
    """Make an empty file where there is none; whether it did. Raises OSError."""
    try:
        path.open("xb").close()
    except FileExistsError:
        return False
    return True


def write_whole(path: Path, data: str | bytes, durable: bool = True) -> None:
    """Write a file so that a crash leaves the old or the new one.

    Text is written as UTF-8, its lines ending in newlines. A file that is there keeps
    its permissions. ``durable``: wait until the disk has it, so that the same holds for
    a power cut. What is open already (/dev/stdout) or no ordinary file, a pipe say, is
    written straight away, and so is a file that may be changed and not replaced. Raises
    OSError with the path.
    """
    if isinstance(data, str):
        data = data.encode("utf-8")
    with _named(path):
        number = _descriptor(path)
        if number is not None:
            _check_descriptor(number)
            _flush_output()
            with os.fdopen(os.dup(number), "wb") as file:
                file.write(data)
        elif path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            target = path.resolve()  # a link stays where it is
            if target.exists() and not os.access(target, os.W_OK):
                # (To replace it would need no right but the folder's.)
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            try:
                _replace(target, data, durable)
            except OSError as error:
                if error.errno not in _NOT_REPLACED:
                    raise
                with target.open("wb") as file:
                    _write(file, data, durable)


def _replace(path: Path, data: bytes, durable: bool) -> None:
    """Write another file and put it in the place of this one. Raises OSError."""
    draft = path.with_name(f"gomoku-brain-{secrets.token_hex(8)}.tmp")
    try:
        with draft.open("xb") as file:
            with contextlib.suppress(OSError):  # no file before; a disk without modes
                shutil.copymode(path, draft)
            _write(file, data, durable)
        draft.replace(path)
    except BaseException:  # Ctrl-C, too
        with contextlib.suppress(OSError):
            draft.unlink()
        raise


def _write(file: BinaryIO, data: bytes, durable: bool) -> None:
    file.write(data)
    file.flush()
    if durable:
        os.fsync(file.fileno())


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """Errors name the file that was asked for, not the draft, and never no file."""
    try:
        yield
    except RuntimeError:  # before Python 3.13, from ``resolve``
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None
    except OSError as error:
        if error.errno is None:
            raise
        raise type(error)(error.errno, error.strerror, str(path)) from None


def _descriptor(path: Path) -> int | None:
    """Of what is open already under a name: 1 for /dev/stdout.

    By its name it would be opened anew, and where it is a file, emptied.
    """
    name = os.path.abspath(path)  # (which follows no links, as ``resolve`` would)
    if name in _ALREADY_OPEN:
        return _ALREADY_OPEN[name]
    found = re.fullmatch(r"/(?:dev|proc/self)/fd/([0-9]{1,9})", name)
    return int(found[1]) if found else None


def is_standard_output(path: Path) -> bool:
    """Whether it is where the program prints to, under a name (/dev/stdout)."""
    return _descriptor(path) == 1


def _check_descriptor(number: int) -> None:
    """Raises OSError for what is not open for writing.

    A program that looks only when it writes would find files of its own there.
    """
    import fcntl  # only where such names exist

    access = fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE
    if access == os.O_RDONLY:
        raise OSError(errno.EBADF, "it is open for reading only")


def _flush_output() -> None:
    """What was printed before comes first."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
