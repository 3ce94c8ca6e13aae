"""Results of a person: rating and streak with the puzzles, solved levels, proof games.

The rating is an Elo rating. A puzzle is an opponent whose rating is its difficulty, and
the first attempt is the game. The archive stores the results.
"""

import contextlib
import json
import sqlite3
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from gomoku_brain.gui.model.archive import Archive
from gomoku_brain.gui.model.settings import read_into, read_row
from gomoku_brain.runs.output_files import write_whole

__all__ = ["SolverRecord", "StoredResults", "import_results"]

START = 900.0
FACTOR = 32.0  # Elo's K
FIRST_FACTOR = 80.0  # for the first FIRST puzzles; the start matters little then
FIRST = 10
_NOTE = "results"  # name of the note in the archive
_OLD = {"progress", "solved", "held_out"}  # entries of an earlier settings file


@dataclass(frozen=True)
class SolverRecord:
    """Results of one person."""

    rating: float = START
    tried: int = 0
    """Number of rated puzzles."""
    streak: int = 0
    """Number of successive puzzles solved at the first attempt without a hint."""
    longest: int = 0
    solved: list[int] = field(default_factory=list)
    """Numbers of the solved puzzles of the package."""
    days: list[int] = field(default_factory=list)
    """Days whose puzzle was solved, as ordinals of ``datetime.date``."""
    rated_day: int = 0
    """The last day whose puzzle has changed the rating; 0 = none."""
    open: int = 0
    """Number of the puzzle that was shown but not tried; 0 = none. It is shown again,
    so leaving is no way to choose an easier one."""
    levels: list[int] = field(default_factory=list)
    """Numbers of the solved end-game puzzles."""
    held_out: int = 0
    """Number of stones in the longest game against the proof."""

    def after(self, rating: int, solved: bool, day: int = 0) -> "SolverRecord":
        """Return the record after the first attempt at a puzzle with this rating.

        ``day`` is the day whose puzzle it was; 0: it was the open one.
        """
        expected = 1 / (1 + 10 ** ((rating - self.rating) / 400))
        factor = FIRST_FACTOR if self.tried < FIRST else FACTOR
        streak = self.streak + 1 if solved else 0
        return replace(
            self,
            rating=max(100.0, self.rating + factor * (solved - expected)),
            tried=self.tried + 1,
            streak=streak,
            longest=max(self.longest, streak),
            rated_day=max(self.rated_day, day),
            open=self.open if day else 0,
        )

    def with_solved(self, number: int, day: int = 0) -> "SolverRecord":
        """Return the record after a puzzle was solved, at any attempt.

        ``day`` is the day whose puzzle it was; 0: of none.
        """
        days = {*self.days, day} - {0}
        return replace(self, solved=sorted({*self.solved, number}), days=sorted(days))

    def with_level(self, number: int) -> "SolverRecord":
        """Return the record after an end-game puzzle was solved."""
        return replace(self, levels=sorted({*self.levels, number}))

    def with_held_out(self, stones: int) -> "SolverRecord":
        """Return the record after a game against the proof."""
        return replace(self, held_out=max(self.held_out, stones))

    def day_streak(self, today: int) -> int:
        """Return the number of successive days with a solved puzzle of the day.

        The last one is today, or yesterday as long as today's puzzle is open.
        """
        days = set(self.days)
        day = today if today in days else today - 1
        count = 0
        while day - count in days:
            count += 1
        return count

    def with_open(self, number: int) -> "SolverRecord":
        """Return the record after a puzzle was shown."""
        return replace(self, open=number)

    def is_day_rated(self, day: int) -> bool:
        """Return whether the puzzle of a day has changed the rating."""
        return day <= self.rated_day or day in self.days


RecordChange = Callable[[SolverRecord], SolverRecord]


class StoredResults:
    """Results in the archive, which all windows share.

    Changes that cannot be written wait in memory, and count until the end.
    """

    def __init__(
        self,
        archive: Callable[[], Archive | None] = lambda: None,
        save: Callable[[], object] = lambda: None,
    ) -> None:
        """Create the results.

        Args:
            archive: Function that returns the archive; None if it is unusable.
            save: Function that calls ``store`` and handles its errors.
        """
        self._archive, self._save = archive, save
        self._stored = SolverRecord()
        self._waiting: list[RecordChange] = []

    @property
    def is_stored(self) -> bool:
        """Whether no change waits."""
        return not self._waiting

    @property
    def record(self) -> SolverRecord:
        """The current record, with the changes of other windows."""
        archive = self._archive()
        if archive is not None:
            with contextlib.suppress(sqlite3.Error):
                self._stored = _record_from(archive.noted(_NOTE))
        return self._changed(self._stored)

    def change(self, change: RecordChange) -> None:
        """Change the record and store it."""
        self._waiting.append(change)
        self._save()

    def store(self, archive: Archive) -> None:
        """Store the changes that wait. Raises ``sqlite3.Error``."""
        if self._waiting:
            text = archive.change_note(
                _NOTE,
                lambda text: json.dumps(asdict(self._changed(_record_from(text)))),
            )
            self._waiting.clear()
            self._stored = _record_from(text)

    def _changed(self, record: SolverRecord) -> SolverRecord:
        for change in self._waiting:
            record = change(record)
        return record


def _record_from(text: str) -> SolverRecord:
    """Parse the note; wrong or missing entries get their defaults."""
    row: object = None
    with contextlib.suppress(ValueError, RecursionError):
        row = json.loads(text)
    return read_into(SolverRecord(), row)


def import_results(path: Path, results: StoredResults) -> None:
    """Move the results in the settings file of an earlier version to the archive.

    A copy of the file is kept beside it. If the archive is unusable, the file does not
    change, and the next start tries again.
    """
    row = read_row(path)
    if not row.keys() & _OLD:
        return
    counts = {"levels": row.get("solved"), "held_out": row.get("held_out")}
    found = read_into(SolverRecord(), row.get("progress"))
    found = read_into(found, counts)
    results.change(lambda record: found if record == SolverRecord() else record)
    if results.is_stored:
        with contextlib.suppress(OSError):
            copy = path.with_name(f"{path.stem}-before{path.suffix}")
            if not copy.exists():
                write_whole(copy, path.read_bytes())
            rest = {name: row[name] for name in row if name not in _OLD}
            write_whole(path, json.dumps(rest, indent=1))
