"""Output files: a check before the work that they can be written, and safe writing."""

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

from gomoku_brain.records.encodings import encoded

__all__ = [
    "begin_file",
    "check_output",
    "check_outputs",
    "is_standard_output",
    "make_folder",
    "write_whole",
]

_ALREADY_OPEN = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_NOT_REPLACED = (errno.EACCES, errno.EPERM, errno.EBUSY, errno.EROFS)
"""Errors of a file that may be changed but not replaced.

Examples are a folder that accepts no new file or cannot remove the old one, a file that
another program holds open on Windows, a mount point, and a writable mount in a
read-only folder.
"""


def check_output(path: str | Path, needed: Iterable[str | Path]) -> None:
    """Check before the work that a file can be written, and that it is none of
    ``needed``.

    ``needed`` are the files that the command reads or writes as well. The check leaves
    no new file behind. Raises ValueError, with the path, if the file cannot be written.
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
        target = _resolved(path)
        if not target.parent.is_dir():
            folder = target.parent if path.is_symlink() else path.parent
            raise ValueError(f"{path} cannot be written: there is no folder {folder}")
        if target in map(_resolved, map(Path, needed)):
            raise ValueError(f"{path} would be written over: name another file")
        if begin_file(target):
            target.unlink()
        else:
            target.open("ab").close()
    except OSError as error:
        reason = str(error.strerror)
        if error.errno == errno.ELOOP:
            reason = "it is a link to itself"
        raise ValueError(f"{path} cannot be written: {reason}") from None


def check_outputs(
    paths: Iterable[str | Path | None], needed: Iterable[str | Path]
) -> None:
    """Check several files as ``check_output`` does; no two of them may be the same.

    None is an output that is not requested.
    """
    others = list(needed)
    for path in paths:
        if path is not None:
            check_output(path, others)
            others.append(path)


def make_folder(path: str | Path) -> Path:
    """Create a folder for output files, and its parents; return its path.

    Raises ValueError, with the path, if it is a file or cannot be created or written.
    """
    if str(path) in ("", "-"):
        raise ValueError(f"{str(path)!r} is no folder: name one")
    path = Path(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
        draft = path / f"gomoku-brain-{secrets.token_hex(8)}.tmp"
        try:
            draft.open("xb").close()
        finally:
            draft.unlink(missing_ok=True)
    except (FileExistsError, NotADirectoryError):
        above = [path, *path.parents]
        file = next((p for p in above if p.exists() and not p.is_dir()), path)
        text = f"{file} is a file"
        if file != path:
            text = f"{path} cannot be a folder: {text}"
        raise ValueError(f"{text}; name a folder") from None
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror}") from None
    return path


def begin_file(path: Path) -> bool:
    """Create an empty file if there is none; return whether it was created.

    Raises OSError.
    """
    try:
        path.open("xb").close()
    except FileExistsError:
        return False
    return True


def write_whole(path: Path, data: str | bytes, durable: bool = True) -> None:
    """Write a file so that a crash leaves either the old or the new one.

    Text is written as UTF-8 with newlines as line ends, and bytes of a file that were
    not decoded as they were. An existing file keeps its
    permissions. ``durable``: wait until the disk has the file, so that the same holds
    for a power failure. A file that is open already (``/dev/stdout``), a pipe or a
    device is written directly, and so is a file that may be changed but not replaced.
    Raises OSError with the path.
    """
    if isinstance(data, str):
        data = encoded(data)
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
            target = _resolved(path)
            if target.exists() and not os.access(target, os.W_OK):
                # (Replacing it would need only rights to the folder.)
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            try:
                _replace(target, data, durable)
            except OSError as error:
                if error.errno not in _NOT_REPLACED:
                    raise
                with target.open("wb") as file:
                    _write(file, data, durable)


def _replace(path: Path, data: bytes, durable: bool) -> None:
    """Write a new file and replace this one by it. Raises OSError."""
    draft = path.with_name(f"gomoku-brain-{secrets.token_hex(8)}.tmp")
    try:
        with draft.open("xb") as file:
            with contextlib.suppress(OSError):  # no file before; a disk without modes
                shutil.copymode(path, draft)
            _write(file, data, durable)
        draft.replace(path)
    except BaseException:  # also for Ctrl-C
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
    """Let errors name the requested file in place of the draft or of no file."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise type(error)(error.errno, error.strerror, str(path)) from None


def _resolved(path: Path) -> Path:
    """Return the path of the file itself, since a link stays. Raises OSError."""
    try:
        return path.resolve()
    except RuntimeError:  # before Python 3.13, of a link in a circle
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None


def _descriptor(path: Path) -> int | None:
    """Return the number of an open descriptor by its path: 1 for ``/dev/stdout``; else
    None.

    Opening it by its path would open the file again and, if it is a regular file, empty
    it.
    """
    name = os.path.abspath(path)  # (which follows no links, unlike ``resolve``)
    if name in _ALREADY_OPEN:
        return _ALREADY_OPEN[name]
    found = re.fullmatch(r"/(?:dev|proc/self)/fd/([0-9]{1,9})", name)
    return int(found[1]) if found else None


def is_standard_output(path: Path) -> bool:
    """Whether the path is a name of standard output (``/dev/stdout``)."""
    return _descriptor(path) == 1


def _check_descriptor(number: int) -> None:
    """Raise OSError for a descriptor that is not open for writing.

    Otherwise a program that fails only when it writes would use files of its own there.
    """
    import fcntl  # only if such names exist

    access = fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE
    if access == os.O_RDONLY:
        raise OSError(errno.EBADF, "it is open for reading only")


def _flush_output() -> None:
    """Flush standard output, so that earlier output comes first."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
