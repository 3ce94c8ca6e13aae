"""File of a proof in progress: an SQLite database, its tables and its positions.

The *key* of a position is the bytes of its canonical image, so all images of it by the
symmetries are one row. Committed changes survive when the process is killed.
"""

import sqlite3
from pathlib import Path

from gomoku_brain.proofs.grid import Grid, Position, bits_of

__all__ = [
    "BUSY",
    "FIRST_PROOF",
    "GIVEN_UP",
    "LEAF",
    "NEVER",
    "NEW",
    "OPEN",
    "PROVED",
    "Change",
    "TreeError",
    "TreeFile",
]

FORMAT = 1
NEVER = 1 << 40  # a proof number: cannot be proved
BUSY = 1 << 20  # added to the disproof number of a task in progress
# first proof number of a position that no search has rated; set by hand
FIRST_PROOF = 6
CACHE_KB = 65_536  # of the database in memory
PATIENCE = 1.0  # seconds to wait for another process that has the file open
_OTHER = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)

# Status of a position or move.
NEW, OPEN, PROVED, GIVEN_UP, LEAF = range(5)

LATER_COLUMNS = (  # which the files of earlier versions lack
    ("move", "work"),
    ("move", "leaf_nodes"),
    ("position", "leaf_nodes"),
)
SCHEMA = """
CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value);
CREATE TABLE IF NOT EXISTS position (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,
    status INTEGER NOT NULL,
    busy INTEGER NOT NULL,
    win INTEGER NOT NULL,
    refute INTEGER NOT NULL,
    leaf_nodes INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS move (
    id INTEGER PRIMARY KEY,
    position INTEGER NOT NULL,
    cell INTEGER NOT NULL,
    status INTEGER NOT NULL,
    busy INTEGER NOT NULL,
    win INTEGER NOT NULL,
    refute INTEGER NOT NULL,
    work INTEGER NOT NULL DEFAULT 0,
    leaf_nodes INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS move_of ON move (position);
CREATE TABLE IF NOT EXISTS reply (
    move INTEGER NOT NULL,
    cell INTEGER NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (move, cell)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS reply_to ON reply (position);
"""


class TreeError(ValueError):
    """Error for a file that is no tree, or one of another proof, with the reason in one
    line.
    """


class TreeFile:
    """Database of a proof, with checked settings and its positions by key."""

    def __init__(self, path: Path | str, rule: str, grid: Grid, winner: str) -> None:
        """Open the file, or create one.

        Raises TreeError if the file has other content or is of another proof.
        """
        self.grid = grid
        self._wide = grid.stride * grid.height > 256
        self.setting: dict[str, object] = {
            "format": FORMAT,
            "rule": rule,
            "width": grid.width,
            "height": grid.height,
            "winner": winner,
        }
        try:
            self.base = sqlite3.connect(path, PATIENCE, isolation_level=None)
        except sqlite3.OperationalError as error:
            raise TreeError(f"{path}: {error}") from None
        try:
            # Two searches would hand out the same tasks and release each other's.
            self.base.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._check(path)
            self.base.execute("PRAGMA journal_mode=WAL")
            self.base.execute("PRAGMA synchronous=NORMAL")
            self.base.execute(f"PRAGMA cache_size=-{CACHE_KB}")
            # or the remains of a killed run would belong to no proof
            with self.change():
                for statement in SCHEMA.split(";"):
                    self.base.execute(statement)
                self.base.executemany(
                    "INSERT OR IGNORE INTO setting VALUES (?, ?)", self.setting.items()
                )
        except sqlite3.DatabaseError as error:
            self.base.close()
            if "locked" in str(error):
                raise TreeError(f"{path}: another process works on it") from None
            if error.sqlite_errorcode & 0xFF not in _OTHER:  # a full disk
                raise TreeError(f"{path}: {error}") from None
            raise TreeError(f"{path} is no proof in progress: {error}") from None
        except TreeError:
            self.base.close()
            raise

    def _check(self, path: Path | str) -> None:
        """Check the content of the file before anything is written. Raises
        TreeError.
        """
        rows = self.base.execute("SELECT name FROM sqlite_master")
        names = {name for (name,) in rows if not name.startswith("sqlite_")}
        marks = [
            self.base.execute(f"PRAGMA {mark}").fetchone()[0]
            for mark in ("application_id", "user_version")
        ]
        if not names and not any(marks):
            return  # a new one
        known = {}
        if "setting" in names:
            known = dict(self.base.execute("SELECT name, value FROM setting"))
        if "format" not in known:
            raise TreeError(f"{path} is no proof in progress, but another database")
        if known != self.setting:
            other = ", ".join(str(known.get(name)) for name in self.setting)
            raise TreeError(f"{path} is of another proof ({other})")

    def add_missing_columns(self) -> set[str]:
        """Add the columns that a file of an earlier version lacks, with 0 in them.

        Return the names of the added columns, as "move.work".
        """
        added = set()
        for table, column in LATER_COLUMNS:
            rows = self.base.execute(f"PRAGMA table_info({table})")
            if column not in [row[1] for row in rows]:
                self.base.execute(
                    f"ALTER TABLE {table} ADD COLUMN {column}"
                    " INTEGER NOT NULL DEFAULT 0"
                )
                added.add(f"{table}.{column}")
        return added

    def close(self) -> None:
        """Close the database."""
        self.base.close()

    def change(self) -> "Change":
        """Return a context manager for a transaction: all of it is stored, or
        nothing.
        """
        return Change(self.base)

    def _key(self, attacker: int, defender: int) -> bytes:
        """Return the cells of the canonical position, after the number of the
        attacker's stones.
        """
        first, second, _ = self.grid.canonical(attacker, defender)
        cells = [*bits_of(first), *bits_of(second)]
        size = 2 if self._wide else 1
        numbers = [first.bit_count(), *cells]
        return b"".join(number.to_bytes(size, "little") for number in numbers)

    def first(self) -> Position | None:
        """Return the position that was added first, in its canonical image."""
        row = self.base.execute(
            "SELECT key FROM position ORDER BY id LIMIT 1"
        ).fetchone()
        return None if row is None else self.stones(row[0])

    def stones(self, key: bytes) -> Position:
        """Return the position of a key, in its canonical image."""
        size = 2 if self._wide else 1
        numbers = [
            int.from_bytes(key[k : k + size], "little")
            for k in range(0, len(key), size)
        ]
        count = numbers[0]
        attacker = sum(1 << cell for cell in numbers[1 : count + 1])
        return attacker, sum(1 << cell for cell in numbers[count + 1 :])

    def add(self, stones: Position, work: int = FIRST_PROOF) -> tuple[int, bool]:
        """Return the number of a position, and whether it is new and was added.

        ``work``: the first proof number of a new position.
        """
        key = self._key(*stones)
        row = self.base.execute(
            "SELECT id FROM position WHERE key = ?", (key,)
        ).fetchone()
        if row is None:
            cursor = self.base.execute(
                "INSERT INTO position (key, status, busy, win, refute)"
                " VALUES (?, ?, 0, ?, 1)",
                (key, NEW, max(1, work)),
            )
            return int(cursor.lastrowid or 0), True
        return int(row[0]), False


class Change:
    """Transaction: all of it is stored, or nothing. A nested one is a part of the outer
    one.
    """

    def __init__(self, base: sqlite3.Connection) -> None:
        """Create a transaction in a database; it begins with the ``with`` block."""
        self._base = base
        self._is_inner = False

    def __enter__(self) -> None:
        self._is_inner = self._base.in_transaction
        if not self._is_inner:
            self._base.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, *_: object) -> None:
        # (A full disk has ended the transaction already.)
        if not self._is_inner and (not kind or self._base.in_transaction):
            self._base.execute("ROLLBACK" if kind else "COMMIT")
