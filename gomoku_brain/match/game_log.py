"""The log of a match: each line between the runner and the engines, with its time.

A line of the log is ``SECONDS GAME ENGINE MARK TEXT``: seconds since the start of the
game; ``>`` for a line to the engine, ``<`` for one from it, ``!`` for one on its
standard error. Lines that begin with ``===`` mark the start and the end of each game.
"""

import os
import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Self, TextIO

from gomoku_brain.foreign_text import shown
from gomoku_brain.match.referee import GameTask
from gomoku_brain.records.game_record import GameRecord
from gomoku_brain.runs.output_files import make_folder

__all__ = ["GameLog"]

MAX_LINE = 4_000
"""Characters of a line that are logged; a longer one ends with its length."""


class GameLog:
    """A log in one file, or in a folder with one file for each game.

    Use it as a context manager. Several games may write at once. The log never ends a
    match: after an error, for example of a full disk, it writes no more.
    """

    def __init__(self, path: str | Path) -> None:
        """Open the log; raises OSError, or ValueError for a folder.

        ``path`` is a folder if it is one already or ends with a separator. A file that
        exists grows.
        """
        text = str(path)
        self.path = path = Path(path)
        self.is_folder = path.is_dir() or text.endswith(("/", os.sep))
        self.error: OSError | None = None
        """The first error; its ``filename`` is the file."""
        self._lock = threading.Lock()
        self._file: TextIO | None = None
        if self.is_folder:
            make_folder(path)
        else:
            self._file = _open(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._close(self._file)

    def play(
        self, task: GameTask, play: Callable[[Callable[[str, str], None]], GameRecord]
    ) -> GameRecord:
        """Log a game: ``play`` gets the function that logs a line of an engine."""
        file = self._file
        if self.is_folder:
            try:
                file = _open(self.path / f"{task.id}.log")
            except OSError as error:
                self._fail(error, self.path / f"{task.id}.log")
        began = time.perf_counter()
        name = "" if self.is_folder else f" {task.id}"

        def write(text: str) -> None:
            if file is None or self.error is not None:
                return
            with self._lock:
                try:
                    if not file.closed:  # of an engine that is being ended
                        file.write(f"{shown(text)}\n")
                        file.flush()
                except OSError as error:
                    self._fail(error, Path(file.name))

        def log(engine: str, line: str) -> None:
            if len(line) > MAX_LINE:
                line = f"{line[:MAX_LINE]}.. ({len(line)} characters)"
            write(f"{time.perf_counter() - began:9.3f}{name} {engine} {line}")

        date = datetime.now().astimezone().isoformat(timespec="seconds")
        write(f"=== {task.id} {task.black.name} - {task.white.name}, {date}")
        try:
            record = play(log)
            detail = f": {record.detail}" if record.detail else ""
            write(
                f"=== {task.id} {record.result} ({record.reason},"
                f" {len(record.moves)} stones){detail}"
            )
        finally:
            if self.is_folder and file is not None:
                self._close(file)
        return record

    def _close(self, file: TextIO) -> None:
        with self._lock:
            try:
                file.close()
            except OSError as error:
                self._fail(error, Path(file.name))

    def _fail(self, error: OSError, path: Path) -> None:
        if self.error is None:
            self.error = OSError(error.errno, error.strerror or str(error), str(path))


def _open(path: Path) -> TextIO:
    return path.open("a", encoding="utf-8")
