"""Files that are written: whether they can be, before the work, and whole, after it."""

import contextlib
import errno
import itertools
import os
import re
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

__all__ = ["begin_file", "check_output", "write_whole"]

_drafts = itertools.count()  # of this process


def check_output(path: str | Path, needed: Iterable[str | Path]) -> None:
    """See before the work that a file can be written, and that it is no other one.

    ``needed`` are the files that are read, or written as well. No file is left behind
    that was not there. Raises ValueError, with the path, where it cannot be written.
    """
    path = Path(path)
    try:
        if path.is_dir():
            raise ValueError(f"{path} is a folder: name a file in it")
        if _descriptor(path) is not None or (path.exists() and not path.is_file()):
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
    """Write a file so that a crash leaves the old or the new one. Raises OSError.

    Text is written as UTF-8, its lines ending in newlines. A folder that is missing is
    made; a file that is there keeps its permissions. ``durable``: wait until the disk
    has it. What is open already (/dev/stdout) or no ordinary file, a pipe say, is
    written straight away, and so is a file in a folder that takes no new ones.
    """
    if isinstance(data, str):
        data = data.encode("utf-8")
    open_already = _descriptor(path)
    if open_already is not None:
        _flush_output()
        with os.fdopen(os.dup(open_already), "wb") as file:
            file.write(data)
        return
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path = path.resolve()  # a link stays where it is
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"gomoku-brain-{os.getpid()}-{next(_drafts)}.tmp")
    try:
        file = draft.open("xb")
    except PermissionError:
        path.write_bytes(data)
        return
    try:
        with file:
            file.write(data)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            shutil.copymode(path, draft)
        draft.replace(path)
    except BaseException:  # Ctrl-C, too
        with contextlib.suppress(OSError):
            draft.unlink()
        raise


def _descriptor(path: Path) -> int | None:
    """Of what is open already under a name: 1 for /dev/stdout.

    By its name it would be opened anew, and where it is a file, emptied.
    """
    name = os.path.abspath(path)  # (which follows no links, as ``resolve`` would)
    names = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
    if name in names:
        return names[name]
    found = re.fullmatch(r"/(?:dev|proc/self)/fd/([0-9]{1,9})", name)
    return int(found[1]) if found else None


def _flush_output() -> None:
    """What was printed before comes first."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
