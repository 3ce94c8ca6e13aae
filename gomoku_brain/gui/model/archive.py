"""Every game in one SQLite file: kept as it is played, found again, looked up.

Writing is quick enough for the window's own thread: the file is in WAL mode, where a
change is one append. What was kept survives the death of the process at any moment;
`checkpoint`, called in a thread, makes it safe against a power cut too.
"""

import contextlib
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, NamedTuple
from weakref import WeakKeyDictionary

from gomoku_brain.game.notation import Move, format_moves
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.model.archive_rescue import SCHEMA, VERSION, rescue
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.gui.model.position_keys import keys_of_line
from gomoku_brain.gui.model.saved_game import SavedGame, from_text, to_text
from gomoku_brain.records.reader import Game

__all__ = ["Archive", "Continuation", "Query", "Row"]

Kind = Literal["game", "study", "puzzle"]

BUSY_SECONDS = 0.2  # that another window of the program may hold the file
INDEXED = 40  # plies of a game that can be looked up by their position


class Row(NamedTuple):
    """A game in a list."""

    id: int
    kind: str
    date: str
    """When it was begun, ISO 8601, or what its file said."""
    rule: str
    width: int
    height: int
    black: str
    white: str
    result: str
    reason: str
    plies: int


@dataclass(frozen=True)
class Query:
    """Which games are wanted; what is empty asks for nothing."""

    player: str = ""
    """A part of a player's name."""
    result: str = ""
    """"1-0", "0-1", "1/2-1/2" or "*"."""
    rule: str = ""
    since: str = ""
    """Begun at this day or later, ISO 8601."""
    until: str = ""
    """Begun before this day."""


class Continuation(NamedTuple):
    """What followed a position in the games of the archive."""

    moves: tuple[Move, ...]
    """The move, with those that are the same by the board's symmetry."""
    black: int
    """Games that black won."""
    draws: int
    white: int
    unfinished: int

    @property
    def games(self) -> int:
        """How often it was played."""
        return self.black + self.draws + self.white + self.unfinished


class Archive:
    """The games; raises sqlite3.Error where the file cannot be used at all."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it. A damaged one is set aside and rebuilt."""
        self.path = path
        self.set_aside: Path | None = None
        """Where a damaged file was put."""
        self.rescued = 0
        """Games that were taken over from it."""
        self._ids: WeakKeyDictionary[GameTree, int] = WeakKeyDictionary()
        self._texts: dict[int, str] = {}  # as last written, of the games in use
        self._lines: dict[int, tuple[Move, ...]] = {}  # as last indexed
        # Held while another thread has the file open. SQLite maps a file beside the
        # archive into memory; if that is renamed meanwhile, the program ends with a bus
        # error.
        self._in_threads = threading.Lock()
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._base = self._open()
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            self._base = self.rebuild()

    def _open(self) -> sqlite3.Connection:
        base = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            base.execute("PRAGMA journal_mode = WAL")
            base.execute("PRAGMA synchronous = NORMAL")
            base.execute("PRAGMA wal_autocheckpoint = 0")
            version = base.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                base.executescript(SCHEMA)
            elif version > VERSION:
                raise sqlite3.NotSupportedError("made by a later version")
            base.execute("SELECT count(*) FROM kept").fetchone()
            base.execute("SELECT id FROM games ORDER BY id DESC LIMIT 1").fetchone()
        except sqlite3.Error:
            base.close()
            raise
        return base

    def rebuild(self) -> sqlite3.Connection:
        """Set a damaged file aside and begin a new one with what can be read of it."""
        with contextlib.suppress(AttributeError, sqlite3.Error):
            self._base.close()
        with self._in_threads:
            self.set_aside, found, kept = rescue(self.path)
            self._base = self._open()
        self._texts, self._lines = {}, {}
        self.rescued = 0
        with self._base:
            self._base.execute("BEGIN")
            for row in found:
                with contextlib.suppress(ValueError):
                    self._write(row.id, row.kind, from_text(row.text))
                    self.rescued += 1
            self._base.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", kept)
        return self._base

    def is_sound(self) -> bool:
        """Whether the file holds together; takes a while: call it in a thread."""
        try:
            with (
                self._in_threads,
                contextlib.closing(sqlite3.connect(self.path)) as base,
            ):
                answer = base.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.DatabaseError:
            return False
        return bool(answer == ("ok",))

    def checkpoint(self) -> None:
        """Bring what was written to the disk; waits for it: call it in a thread."""
        with (
            contextlib.suppress(sqlite3.Error),
            self._in_threads,
            contextlib.closing(sqlite3.connect(self.path)) as base,
        ):
            base.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        """Bring what was written to the disk, and leave the file."""
        with contextlib.suppress(sqlite3.Error):
            self._base.execute("PRAGMA wal_checkpoint(PASSIVE)")
        self._base.close()

    # Keeping games

    def keep(self, saved: SavedGame, kind: Kind = "game") -> int | None:
        """Write a game, if there is anything new in it; its number, None without moves.

        Raises sqlite3.Error when the file cannot be written.
        """
        tree = saved.tree
        if not tree.root.children:
            return None
        number = self._ids.get(tree)
        if number is None:
            number = self._number_of_equal(tree) if saved.free else None
            if number is None:
                base = self._base.execute("INSERT INTO games (text) VALUES ('')")
                number = int(base.lastrowid or 0)
            self._ids[tree] = number
        self._write(number, kind, saved)
        return number

    def _number_of_equal(self, tree: GameTree) -> int | None:
        """The same game, from a file that was opened before."""
        found = self._base.execute(
            "SELECT id FROM games WHERE moves = ? AND black = ? AND white = ?"
            " AND date = ? AND kind = 'study'",
            (_moves(tree), *(tree.names[side] for side in Side), tree.date),
        ).fetchone()
        return None if found is None else int(found[0])

    def _write(self, number: int, kind: str, saved: SavedGame) -> None:
        text = to_text(*saved)
        if self._texts.get(number) == text:
            return
        tree = saved.tree
        line = tree.node.line()
        ending = line[-1].ending if line else None
        values = {
            "id": number,
            "kind": kind,
            "date": tree.date,
            "changed": datetime.now().astimezone().isoformat(timespec="seconds"),
            "rule": tree.start.rule.name.lower(),
            "width": tree.start.width,
            "height": tree.start.height,
            "black": tree.names[Side.BLACK],
            "white": tree.names[Side.WHITE],
            "result": "*" if ending is None else ending.result,
            "reason": "" if ending is None else ending.reason,
            "plies": len(line),
            "moves": _moves(tree),
            "text": text,
        }
        names = ", ".join(values)
        marks = ", ".join("?" * len(values))
        self._base.execute(
            f"INSERT OR REPLACE INTO games ({names}) VALUES ({marks})",
            tuple(values.values()),
        )
        self._index(number, tree)
        self._texts[number] = text

    def _index(self, number: int, tree: GameTree) -> None:
        """Note the positions of a game, those that are not noted yet."""
        if tree.start.set_up:
            return
        moves = tuple(n.move for n in tree.node.line() if n.move is not None)
        moves, old = moves[:INDEXED], self._lines.get(number)
        if moves == old:
            return
        begun = 0
        if old is not None and moves[: len(old)] == old:
            begun = len(old)
        else:
            self._base.execute("DELETE FROM positions WHERE game = ?", (number,))
        start = tree.start
        keys = keys_of_line(start.rule, start.width, start.height, moves)
        rows = [
            (number, ply, key.key, key.cell(moves[ply]))
            for ply, key in enumerate(keys)
            if begun <= ply < len(moves)
        ]
        self._base.executemany(
            "INSERT OR REPLACE INTO positions VALUES (?, ?, ?, ?)", rows
        )
        self._lines[number] = moves

    # Finding games

    def games(self, query: Query | None = None, limit: int = -1) -> list[Row]:
        """The games that a query asks for, the last ones first."""
        query = query or Query()
        wanted, values = ["moves <> ''"], []
        if query.player:
            text = query.player.replace("\\", "\\\\")
            text = text.replace("%", "\\%").replace("_", "\\_")
            wanted.append("(black LIKE ? ESCAPE '\\' OR white LIKE ? ESCAPE '\\')")
            values += [f"%{text}%"] * 2
        for name, value in (("result", query.result), ("rule", query.rule)):
            if value:
                wanted.append(f"{name} = ?")
                values.append(value)
        if query.since:
            wanted.append("date >= ?")
            values.append(query.since)
        if query.until:
            wanted.append("date < ?")
            values.append(query.until)
        rows = self._base.execute(
            f"SELECT {', '.join(Row._fields)} FROM games WHERE {' AND '.join(wanted)}"
            " ORDER BY id DESC LIMIT ?",
            (*values, limit),
        )
        return [Row(*row) for row in rows]

    def load(self, number: int) -> SavedGame:
        """A game; it goes on in its place. Raises ValueError when it is not there."""
        saved = self.read(number)
        self._ids[saved.tree] = number
        return saved

    def read(self, number: int) -> SavedGame:
        """A copy of a game. Raises ValueError when it is not there."""
        found = self._base.execute(
            "SELECT text FROM games WHERE id = ?", (number,)
        ).fetchone()
        if found is None:
            raise ValueError(f"there is no game {number}")
        return from_text(str(found[0]))

    def number_of(self, tree: GameTree) -> int | None:
        """The number of a game that was kept or loaded."""
        return self._ids.get(tree)

    def remove(self, numbers: Iterable[int]) -> None:
        """Delete games for good."""
        gone = [(number,) for number in numbers]
        with self._base:
            self._base.execute("BEGIN")
            self._base.executemany("DELETE FROM games WHERE id = ?", gone)
            self._base.executemany("DELETE FROM positions WHERE game = ?", gone)
            for (number,) in gone:  # its mistakes, as puzzles
                self._base.execute(
                    "DELETE FROM kept WHERE name GLOB ?", (f"game:{number}:*",)
                )
        for tree, number in list(self._ids.items()):
            if (number,) in gone:
                del self._ids[tree]
        for (number,) in gone:
            self._texts.pop(number, None)
            self._lines.pop(number, None)

    def continuations(self, game: Game) -> list[Continuation]:
        """What was played after the last move of a game, the most played first."""
        if game.set_up:
            return []
        *_, here = keys_of_line(game.rule, game.width, game.height, game.moves)
        rows = self._base.execute(
            "SELECT p.cell, count(*), sum(result = '1-0'), sum(result = '1/2-1/2'),"
            " sum(result = '0-1') FROM positions p JOIN games g ON g.id = p.game"
            " WHERE p.key = ? GROUP BY p.cell ORDER BY 2 DESC, 1",
            (here.key,),
        )
        return [
            Continuation(
                tuple(here.moves(cell)), won, drawn, lost, count - won - drawn - lost
            )
            for cell, count, won, drawn, lost in rows
        ]

    # What else is remembered

    def note(self, name: str, value: str) -> None:
        """Remember a word under a name."""
        self._base.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (name, value))

    def forget(self, name: str) -> None:
        """Forget what was noted under a name."""
        self._base.execute("DELETE FROM kept WHERE name = ?", (name,))

    def noted(self, name: str) -> str:
        """What was noted last; "" when nothing was."""
        found = self._base.execute(
            "SELECT value FROM kept WHERE name = ?", (name,)
        ).fetchone()
        return "" if found is None else str(found[0])

    def noted_all(self, prefix: str) -> dict[str, str]:
        """All that was noted under names with that beginning."""
        rows: Sequence[tuple[str, str]] = self._base.execute(
            "SELECT name, value FROM kept WHERE substr(name, 1, ?) = ?",
            (len(prefix), prefix),
        ).fetchall()
        return dict(rows)


def _moves(tree: GameTree) -> str:
    moves = [n.move for n in tree.node.line() if n.move is not None]
    return format_moves(moves)


def _is_damage(error: sqlite3.Error) -> bool:
    """Whether the file is broken, rather than busy, out of reach or too new."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
