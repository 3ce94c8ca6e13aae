"""Archive of all games in one SQLite file.

The file is in WAL mode, where a change is one append, so the thread of the window can
write. Stored games survive a crash of the process at any moment. ``checkpoint``, called
in a thread, protects them against a power failure as well.
"""

import contextlib
import json
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, NamedTuple
from weakref import WeakKeyDictionary, WeakSet
from zlib import crc32

from gomoku_brain.game.notation import Move, format_moves
from gomoku_brain.gui.model.archive_rescue import (
    SCHEMA,
    VERSION,
    aside_of,
    put_aside,
    rescue,
)
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.gui.model.position_keys import keys_of_line
from gomoku_brain.gui.model.saved_game import SavedGame, from_text, to_text
from gomoku_brain.records.game import Game

__all__ = ["Archive", "Continuation", "Query", "Row"]

Kind = Literal["game", "study", "puzzle"]

BUSY_SECONDS = 0.2  # time for which another window may lock the file
INDEXED = 40  # plies of a game that are indexed by position


class Row(NamedTuple):
    """Game in a list."""

    id: int
    kind: str
    date: str
    """Start of the game in ISO 8601, or the date in its file."""
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
    """Search criteria for games. Empty fields match all games."""

    player: str = ""
    """Part of a player's name."""
    result: str = ""
    """"1-0", "0-1", "1/2-1/2" or "*"."""
    rule: str = ""
    since: str = ""
    """First day, ISO 8601."""
    until: str = ""
    """Day after the last one, ISO 8601."""


class Continuation(NamedTuple):
    """Move that was played in a position, with the results of the games."""

    moves: tuple[Move, ...]
    """The move, with the moves that are equal by symmetry."""
    black: int
    """Number of games that black won."""
    draws: int
    white: int
    unfinished: int

    @property
    def games(self) -> int:
        """The number of games with this move."""
        return self.black + self.draws + self.white + self.unfinished


class Archive:
    """Archive of games. Raises ``sqlite3.Error`` if the file is unusable."""

    def __init__(self, path: Path) -> None:
        """Open or create the file. A damaged file is renamed and recovered."""
        self.path = path
        self.set_aside: Path | None = None
        """New path of a damaged file."""
        self.rescued = 0
        """Number of games that were recovered from it."""
        self._ids: WeakKeyDictionary[GameTree, int] = WeakKeyDictionary()
        self._deleted: WeakSet[GameTree] = WeakSet()
        self._marks: WeakKeyDictionary[GameTree, int] = WeakKeyDictionary()
        """Checksums of the texts from which copies were made."""
        self._texts: dict[int, str] = {}  # last written text of each game in use
        self._lines: dict[int, tuple[Move, ...]] = {}  # last indexed moves of each game
        # Held while another thread uses the file. SQLite maps a file beside the archive
        # into memory. If that file is renamed meanwhile, a bus error ends the program.
        self._in_threads = threading.Lock()
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._base = _open(path)
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            self._base = self.rebuild()

    def rebuild(self) -> sqlite3.Connection:
        """Rename a damaged file and create a new one with its readable games.

        The new one takes its place when it is complete: after an error the next start
        begins again.
        """
        with contextlib.suppress(AttributeError, sqlite3.Error):
            self._base.close()
        with self._in_threads:
            found, notes = rescue(self.path)
            new = self.path.with_name(f"{self.path.stem}-rescued{self.path.suffix}")
            new.unlink(missing_ok=True)
            self._texts, self._lines, self.rescued = {}, {}, 0
            with contextlib.closing(_open(new)) as self._base:
                with self._base:
                    self._base.execute("BEGIN")
                    for row in found:
                        with contextlib.suppress(ValueError):
                            self._write(row.id, row.kind, from_text(row.text))
                            self.rescued += 1
                    self._base.executemany(
                        "INSERT OR REPLACE INTO kept VALUES (?, ?)", notes
                    )
                self._base.execute("PRAGMA journal_mode = DELETE")  # one file alone
            self.set_aside = put_aside(self.path, new)
            self._base = _open(self.path)
        return self._base

    def is_sound(self) -> bool:
        """Return whether the file is intact. This is slow: call it in a thread."""
        try:
            with (
                self._in_threads,
                contextlib.closing(sqlite3.connect(self.path)) as base,
            ):
                answer = base.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.DatabaseError as error:
            return not _is_damage(error)
        return bool(answer == ("ok",))

    def repair(self) -> int:
        """Make rows and index agree with the texts of the games.

        Return the number of games that did not agree: an earlier version that was
        killed left such rows. The file is copied first; only rows without a text are
        deleted, and the rest is made from the texts. This is slow: call it in a thread.

        Raises:
            sqlite3.Error: The file cannot be read or written.
        """
        with (
            self._in_threads,
            contextlib.closing(
                sqlite3.connect(self.path, isolation_level=None)
            ) as base,
        ):
            wrong = _disagreeing(base)
            if wrong:
                with contextlib.closing(sqlite3.connect(aside_of(self.path))) as copy:
                    base.backup(copy)
            for number in wrong:  # one by one: the window writes meanwhile
                base.execute("BEGIN IMMEDIATE")
                _repair(base, number)
                base.execute("COMMIT")
        return len(wrong)

    def checkpoint(self) -> None:
        """Write all changes to the disk. Call it in a thread, because it waits."""
        with (
            contextlib.suppress(sqlite3.Error),
            self._in_threads,
            contextlib.closing(sqlite3.connect(self.path)) as base,
        ):
            base.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        """Write all changes to the disk and close the file."""
        with contextlib.suppress(sqlite3.Error):
            self._base.execute("PRAGMA wal_checkpoint(PASSIVE)")
        self._base.close()

    # Storing games

    def store(self, saved: SavedGame, kind: Kind = "game") -> int | None:
        """Store a changed game. Return its number, or None if nothing was done in it.

        That is a game without moves, unless its stones were set up by hand.

        Raises:
            sqlite3.Error: The file cannot be written.
        """
        tree = saved.tree
        is_set_up = saved.free and tree.game.is_set_up
        if not tree.game.variations and not is_set_up:
            return None
        number = self._ids.get(tree)
        if number is None and saved.free:
            number = self._number_of_equal(tree)
        number = self._put(number, kind, saved)
        self._ids[tree], self._marks[tree] = number, _mark(self._texts[number])
        return number

    def _put(self, number: int | None, kind: str, saved: SavedGame) -> int:
        """Write a game under its number, else under a new one, or write nothing."""
        try:
            with self._base:
                self._base.execute("BEGIN")
                if number is None:
                    base = self._base.execute("INSERT INTO games (text) VALUES ('')")
                    number = int(base.lastrowid or 0)
                self._write(number, kind, saved)
        except BaseException:
            self._texts.pop(number or 0, None)
            self._lines.pop(number or 0, None)
            raise
        return number

    # Copies of stored games

    def draft_text(self, saved: SavedGame) -> str:
        """Return a copy of a game, with its number and whether it is changed."""
        row = {
            "game": self._ids.get(saved.tree),
            "mark": self._marks.get(saved.tree),
            "unsaved": saved.tree.is_unsaved,
            "text": to_text(*saved),
        }
        return json.dumps(row)

    def draft(self, text: str) -> SavedGame:
        """Return the copy in a text of ``draft_text``. ValueError for another text."""
        try:
            row = json.loads(text)
            number, saved = row["game"], from_text(row["text"])
            saved.tree.mark_saved(not row["unsaved"])
            if number is not None:
                self._ids[saved.tree] = int(number)
                self._marks[saved.tree] = int(row["mark"] or 0)
        except (LookupError, TypeError, RecursionError) as error:
            raise ValueError(f"not a draft: {error!r}") from None
        return saved

    def store_apart(self, saved: SavedGame) -> None:
        """Store a changed copy as a study, beside its game.

        Raises:
            sqlite3.Error: The file cannot be written.
        """
        self._ids.pop(saved.tree, None)
        self.store(saved._replace(free=True), "study")

    def save_copy(self, saved: SavedGame) -> Literal["", "saved", "apart"]:
        """Store a copy in place of its game; "": it has none.

        If another window has changed the game since, store the copy "apart", as a
        study.

        Raises:
            sqlite3.Error: The file cannot be written.
        """
        tree = saved.tree
        number, kind = self._row_of(saved)
        if number is None:
            return ""
        text = self._text(number)
        is_ours = self._marks.get(tree) == _mark(text)
        if is_ours:
            self._put(number, kind, from_text(text)._replace(tree=tree))
            self._marks[tree] = _mark(self._texts[number])
        else:
            self.store_apart(saved)
        tree.mark_saved()
        return "saved" if is_ours else "apart"

    def store_review(self, saved: SavedGame) -> None:
        """Store the judgements of a copy with its game, of which nothing else changes;
        a copy without a game becomes one.

        Raises:
            sqlite3.Error: The file cannot be written.
        """
        number, kind = self._row_of(saved)
        if number is None:
            self.store(saved, "study")
            return
        text = self._text(number)
        stored = from_text(text)
        stored.tree.take_judgements(saved.tree)
        self._put(number, kind, stored)
        if self._marks.get(saved.tree) == _mark(text):
            self._marks[saved.tree] = _mark(self._texts[number])

    def _row_of(self, saved: SavedGame) -> tuple[int | None, str]:
        """Return number and kind of the game of a copy; None if it has none."""
        number = self._ids.get(saved.tree)
        query = "SELECT kind FROM games WHERE id = ?"
        found = self._base.execute(query, (number,)).fetchone()
        return (None, "") if found is None else (number, str(found[0]))

    def _number_of_equal(self, tree: GameTree) -> int | None:
        """Return the number of a study that this one can replace without a loss."""
        start, content = _start(tree.game), _content(tree.game)
        found = self._base.execute(
            "SELECT id, text FROM games WHERE moves = ? AND black = ? AND white = ?"
            " AND date = ? AND rule = ? AND width = ? AND height = ? AND kind = 'study'"
            " ORDER BY id DESC",
            (
                *(format_moves(_moves(tree)), tree.game.black, tree.game.white),
                *(tree.game.date, *start[:3]),
            ),
        )
        for number, text in found:
            with contextlib.suppress(ValueError):
                other = from_text(text).tree
                is_equal = (_start(other.game), _content(other.game)) == (
                    start,
                    content,
                )
                if is_equal and (tree.verdicts or not other.verdicts):
                    return int(number)
        return None

    def _write(self, number: int, kind: str, saved: SavedGame) -> None:
        text = to_text(*saved)
        if self._texts.get(number) == text:
            return
        tree, game = saved.tree, saved.tree.game
        line = tree.line(game)
        ending = tree.ending_at(line[-1]) if line else None
        rule, width, height = _start(game)[:3]
        values = {
            "id": number,
            "kind": kind,
            "date": game.date,
            "changed": datetime.now().astimezone().isoformat(timespec="seconds"),
            "rule": rule,
            "width": width,
            "height": height,
            "black": game.black,
            "white": game.white,
            "result": "*" if ending is None else ending.result,
            "reason": "" if ending is None else ending.reason,
            "plies": len(line),
            "moves": format_moves(_moves(tree)),
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
        """Add the positions of a game to the index, as far as they are new."""
        if tree.game.is_set_up:
            return
        moves, old = _moves(tree)[:INDEXED], self._lines.get(number)
        if moves == old:
            return
        begun = 0
        if old is not None and moves[: len(old)] == old:
            begun = len(old)
        else:
            self._base.execute("DELETE FROM positions WHERE game = ?", (number,))
        self._base.executemany(_INSERT_POSITION, _rows_of(number, tree)[begun:])
        self._lines[number] = moves

    # Searching games

    def games(self, query: Query | None = None, limit: int = -1) -> list[Row]:
        """Return the games that match a query, the latest first."""
        query = query or Query()
        wanted, values = ["(moves <> '' OR kind = 'study')"], []
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
        """Load a game. Later changes are stored under the same number.

        Raises:
            ValueError: There is no such game.
        """
        text = self._text(number)
        saved = from_text(text)
        self._ids[saved.tree], self._marks[saved.tree] = number, _mark(text)
        return saved

    def read(self, number: int) -> SavedGame:
        """Return a copy of a game. Raises ``ValueError`` if there is no such game."""
        return from_text(self._text(number))

    def _text(self, number: int) -> str:
        """Return the text of a game. Raises ``ValueError`` if there is no such game."""
        found = self._base.execute(
            "SELECT text FROM games WHERE id = ?", (number,)
        ).fetchone()
        if found is None:
            raise ValueError(f"there is no game {number}")
        return str(found[0])

    def number_of(self, tree: GameTree) -> int | None:
        """Return the number of a game that was stored or loaded."""
        return self._ids.get(tree)

    def is_deleted(self, tree: GameTree) -> bool:
        """Return whether a game that was stored or loaded has been deleted."""
        return tree in self._deleted

    def remove(self, numbers: Iterable[int]) -> None:
        """Delete games permanently."""
        gone = [(number,) for number in numbers]
        with self._base:
            self._base.execute("BEGIN")
            self._base.executemany("DELETE FROM games WHERE id = ?", gone)
            self._base.executemany("DELETE FROM positions WHERE game = ?", gone)
            for (number,) in gone:  # the lessons from its mistakes
                self._base.execute(
                    "DELETE FROM kept WHERE name GLOB ?", (f"game:{number}:*",)
                )
        for tree, number in list(self._ids.items()):
            if (number,) in gone:
                del self._ids[tree]
                self._deleted.add(tree)
        for (number,) in gone:
            self._texts.pop(number, None)
            self._lines.pop(number, None)

    def continuations(self, game: Game) -> list[Continuation]:
        """Return the moves that were played in the last position, by frequency."""
        if game.is_set_up:
            return []
        *_, here = keys_of_line(game.rule, *game.size, game.moves)
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

    # Notes

    def note(self, name: str, value: str) -> None:
        """Store a text under a name."""
        self._base.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (name, value))

    def forget(self, name: str) -> None:
        """Delete the text under a name."""
        self._base.execute("DELETE FROM kept WHERE name = ?", (name,))

    def change_notes(self, notes: Mapping[str, str], gone: Iterable[str]) -> None:
        """Store texts under names and delete others, all or nothing."""
        with self._base:
            self._base.execute("BEGIN")
            for name, value in notes.items():
                if value != self.noted(name):
                    self.note(name, value)
            for name in gone:
                self.forget(name)

    def change_note(self, name: str, change: Callable[[str], str]) -> str:
        """Replace the text under a name, in one transaction; return the new one."""
        with self._base:
            self._base.execute("BEGIN IMMEDIATE")
            text = change(self.noted(name))
            self.note(name, text)
        return text

    def noted(self, name: str) -> str:
        """Return the text under a name, or ""."""
        found = self._base.execute(
            "SELECT value FROM kept WHERE name = ?", (name,)
        ).fetchone()
        return "" if found is None else str(found[0])

    def noted_all(self, prefix: str) -> dict[str, str]:
        """Return all texts whose names begin with ``prefix``, the oldest first."""
        rows: Sequence[tuple[str, str]] = self._base.execute(
            "SELECT name, value FROM kept WHERE substr(name, 1, ?) = ? ORDER BY rowid",
            (len(prefix), prefix),
        ).fetchall()
        return dict(rows)


_INSERT_POSITION = "INSERT OR REPLACE INTO positions VALUES (?, ?, ?, ?)"


def _rows_of(number: int, tree: GameTree) -> list[tuple[int, int, int, int]]:
    """Return the rows of the index for a game, one for each move that is indexed."""
    moves = _moves(tree)[:INDEXED]
    keys = keys_of_line(tree.game.rule, *tree.game.size, moves)
    return [
        (number, ply, key.key, key.cell(move))
        for ply, (key, move) in enumerate(zip(keys, moves, strict=False))
    ]


def _disagreeing(base: sqlite3.Connection) -> list[int]:
    """Return the numbers of games without a text or with another index than theirs."""
    found = base.execute(
        "SELECT game FROM positions WHERE game NOT IN (SELECT id FROM games)"
        " UNION SELECT id FROM games WHERE text = ''"
    )
    wrong = [int(number) for (number,) in found]
    counts = base.execute(
        "SELECT id, moves, (SELECT count(*) FROM positions WHERE game = id)"
        " FROM games WHERE text <> ''"
    )
    for number, moves, count in counts.fetchall():
        if count != min(len(moves.split()), INDEXED) and not (
            count == 0 and _is_set_up(base, number)
        ):
            wrong.append(int(number))
    return wrong


def _is_set_up(base: sqlite3.Connection, number: int) -> bool:
    """Return whether the positions of a game are in no index; also if no text is
    readable.
    """
    query = "SELECT text FROM games WHERE id = ?"
    try:
        return from_text(
            base.execute(query, (number,)).fetchone()[0]
        ).tree.game.is_set_up
    except ValueError:
        return True


def _repair(base: sqlite3.Connection, number: int) -> None:
    query = "SELECT text FROM games WHERE id = ?"
    (text,) = base.execute(query, (number,)).fetchone() or ("",)
    rows: list[tuple[int, int, int, int]] = []
    if text:
        with contextlib.suppress(ValueError):
            tree = from_text(text).tree
            rows = [] if tree.game.is_set_up else _rows_of(number, tree)
    else:
        base.execute("DELETE FROM games WHERE id = ?", (number,))
    base.execute("DELETE FROM positions WHERE game = ?", (number,))
    base.executemany(_INSERT_POSITION, rows)


def _moves(tree: GameTree) -> tuple[Move, ...]:
    """Return the moves of the main line up to the end of the game."""
    return tuple(n.move for n in tree.line(tree.game) if n.move is not None)


def _start(game: Game) -> tuple[object, ...]:
    """Return rule, width, height and the start position of a game."""
    stones = (game.black_stones, game.white_stones, game.walls)
    return game.rule.name.lower(), *game.size, *stones, game.first


def _mark(text: str) -> int:
    """Return a checksum of the text of a game."""
    return crc32(text.encode("utf-8", "surrogatepass"))


def _content(game: Game) -> list[tuple[object, ...]]:
    """Return the moves of all variations with their comments and marks."""
    return [(n.ply, n.move, n.comment, n.labels, n.marks) for n in game.nodes()]


def _open(path: Path) -> sqlite3.Connection:
    base = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
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


def _is_damage(error: sqlite3.Error) -> bool:
    """Return whether the file is damaged, and not locked, missing or too new."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
