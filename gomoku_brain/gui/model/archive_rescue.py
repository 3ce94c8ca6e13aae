"""Recovery of the readable games of a damaged archive.

The damaged file is not deleted.
"""

import contextlib
import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["SCHEMA", "VERSION", "aside_of", "put_aside", "rescue"]

VERSION = 1
# The order of the tables determines their first pages. ``_mend_first_page`` relies on
# the same order in every file.
SCHEMA = f"""
BEGIN;
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL DEFAULT 'game',
    date TEXT NOT NULL DEFAULT '',
    changed TEXT NOT NULL DEFAULT '',
    rule TEXT NOT NULL DEFAULT '',
    width INTEGER NOT NULL DEFAULT 0,
    height INTEGER NOT NULL DEFAULT 0,
    black TEXT NOT NULL DEFAULT '',
    white TEXT NOT NULL DEFAULT '',
    result TEXT NOT NULL DEFAULT '*',
    reason TEXT NOT NULL DEFAULT '',
    plies INTEGER NOT NULL DEFAULT 0,
    moves TEXT NOT NULL DEFAULT '',
    text TEXT NOT NULL
);
CREATE TABLE kept (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE positions (
    game INTEGER NOT NULL,
    ply INTEGER NOT NULL,
    key INTEGER NOT NULL,
    cell INTEGER NOT NULL,
    PRIMARY KEY (game, ply)
) WITHOUT ROWID;
CREATE INDEX positions_by_key ON positions (key);
PRAGMA user_version = {VERSION};
COMMIT;
"""
_LACKS = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR)
FURTHEST = 200_000  # largest number of a game that is tried individually


class RescuedGame(NamedTuple):
    """Game that was recovered."""

    id: int
    kind: str
    text: str


Notes = list[tuple[str, str]]


def rescue(path: Path) -> tuple[list[RescuedGame], Notes]:
    """Return the readable games and notes (name, value) of a damaged file.

    Raises:
        sqlite3.Error: The disk is full, for example.
    """
    games, notes = _read(path)
    if not games:
        copy = path.with_name(path.name + ".mended")
        try:
            _mend_first_page(path, copy)
            games, notes = _read(copy)
        except OSError:
            pass
        finally:
            with contextlib.suppress(OSError):
                copy.unlink()
    return games, notes


def put_aside(path: Path, new: Path) -> Path:
    """Rename the damaged file and put a new one in its place; return its new name.

    Raises:
        OSError: A file cannot be renamed. Then all have their old names.
    """
    aside = aside_of(path)
    ends = ("-wal", "-shm", "")  # the database and its additional files
    moves = [(Path(f"{path}{end}"), Path(f"{aside}{end}")) for end in ends]
    moves = [(old, moved) for old, moved in moves if old.exists()]
    done: list[tuple[Path, Path]] = []
    try:
        for old, moved in [*moves, (new, path)]:
            old.rename(moved)
            done.append((old, moved))
    except OSError:
        for old, moved in reversed(done):
            moved.rename(old)
        raise
    return aside


def aside_of(path: Path) -> Path:
    """Return a free name beside a file for what was in it before a repair."""
    moment = datetime.now().strftime("%Y%m%d-%H%M%S")
    aside = path.with_name(f"{path.stem}-damaged-{moment}{path.suffix}")
    number = 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.stem}-damaged-{moment}-{number}{path.suffix}")
    return aside


def _read(path: Path) -> tuple[list[RescuedGame], Notes]:
    games: dict[int, RescuedGame] = {}
    notes: Notes = []
    try:
        base = sqlite3.connect(path)
    except sqlite3.Error:
        return [], []
    # A damaged page may end a text within a character.
    base.text_factory = lambda raw: raw.decode("utf-8", "replace")
    with contextlib.closing(base):
        for order in ("ASC", "DESC"):  # from both ends up to the damaged page
            query = f"SELECT id, kind, text FROM games ORDER BY id {order}"
            for row in _until_broken(base, query):
                games[row[0]] = RescuedGame(*row)
        for number in _between(games):
            query = f"SELECT id, kind, text FROM games WHERE id = {number}"
            for row in _until_broken(base, query):
                games[row[0]] = RescuedGame(*row)
        for row in _until_broken(base, "SELECT name, value FROM kept"):
            notes.append((row[0], row[1]))
    return [games[number] for number in sorted(games)], notes


def _until_broken(base: sqlite3.Connection, query: str) -> Iterator[tuple[Any, ...]]:
    try:
        yield from base.execute(query)
    except OverflowError:
        return
    except sqlite3.Error as error:
        if error.sqlite_errorcode & 0xFF in _LACKS and error.sqlite_errorcode not in (
            sqlite3.SQLITE_IOERR_READ,
            sqlite3.SQLITE_IOERR_SHORT_READ,
        ):
            raise


def _between(games: dict[int, RescuedGame]) -> Iterator[int]:
    """Yield the numbers of games that were not found."""
    if games:
        for number in range(1, min(max(games) + 1, FURTHEST)):
            if number not in games:
                yield number


def _mend_first_page(path: Path, copy: Path) -> None:
    """Write a copy with the first page of a new archive, which locates the tables."""
    fresh = copy.with_name(copy.name + ".fresh")
    with contextlib.closing(sqlite3.connect(fresh)) as base:
        base.executescript(SCHEMA)
        size = int(base.execute("PRAGMA page_size").fetchone()[0])
    page = bytearray(fresh.read_bytes()[:size])
    fresh.unlink()
    # The page count is only valid if two counters agree; else the file size counts.
    page[92:96] = (int.from_bytes(page[24:28], "big") + 1).to_bytes(4, "big")
    copy.write_bytes(bytes(page) + path.read_bytes()[size:])
