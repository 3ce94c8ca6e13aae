"""Files that are written: whether they can be, before the work, and whole, after it."""

import contextlib
import errno
import os
from collections.abc import Iterable
from pathlib import Path

__all__ = ["begin_file", "check_output", "write_whole"]


def check_output(path: str | Path, needed: Iterable[str | Path]) -> None:
    """See before the work that a file can be written, and that it is no other one.

    ``needed`` are the files that are read, or written as well. No file is left behind
    that was not there. Raises ValueError, with the path, where it cannot be written.
    """
    path = Path(path)
    try:
        if path.is_dir():
            raise ValueError(f"{path} is a folder: name a file in it")
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
    """Write a file so that a crash leaves the old or the new one. Raises OSError.

    Text is written as UTF-8, its lines ending in newlines. A folder that is missing is
    made. What is no ordinary file, a pipe say, is written straight away. ``durable``:
    wait until the disk has it.
    """
    if isinstance(data, str):
        data = data.encode("utf-8")
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path = path.resolve()  # a link stays where it is
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise
