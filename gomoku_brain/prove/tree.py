"""The AND/OR tree of a proof, on disk: what was found, and where to look next.

A *position* is one with the attacker to move, of all images by the symmetries the same
one (``Grid.canonical``). He needs one *move* that wins; a move needs all *replies* to
it that its threats do not answer already, and each of them leads to a position again.

Positions and moves carry proof numbers (L. V. Allis, "Searching for solutions in games
and artificial intelligence", 1994): how much work is at least left to prove the win,
and to give it up. The numbers lead from the first position to the one to look at next.

A proof number is too low where the replies are hard, and forcing moves have few
replies, so that their numbers stay the least ones however often they fail. A move
therefore also carries the work that was done below it, and a part of that counts
against it when it competes with the other moves of its position.

The tree is an SQLite file. What was committed stays when the process is killed; what
was being looked at then is looked at again.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from gomoku_brain.prove.certificate import Grid, Position, bits_of

__all__ = ["FIRST_PROOF", "MORE", "Candidate", "Task", "Tree", "TreeError"]

FORMAT = 1
NEVER = 1 << 40  # a proof number: cannot be done
BUSY = 1 << 20  # added to the disproof number of what is being looked at
CACHE_KB = 65_536  # of the database in memory

# Set by hand.
FIRST_PROOF = 6  # the proof number of a position that was not looked at
RIVAL = 2  # a move of the opening competes up to so many times the least proof number
FEW_REPLIES = 16  # with at most so many, the one likeliest to refute a move comes first
SPENT = 4  # so many tasks done below a move count as one more that is left to do

MORE = (-1, -2)
"""In the place of a cell: the moves that a search proposes; those of a wider one."""

# What is known of a position or move.
NEW, OPEN, PROVED, GIVEN_UP, LEAF = range(5)

SCHEMA = """
CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value);
CREATE TABLE IF NOT EXISTS position (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,
    status INTEGER NOT NULL,
    busy INTEGER NOT NULL,
    win INTEGER NOT NULL,
    refute INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS move (
    id INTEGER PRIMARY KEY,
    position INTEGER NOT NULL,
    cell INTEGER NOT NULL,
    status INTEGER NOT NULL,
    busy INTEGER NOT NULL,
    win INTEGER NOT NULL,
    refute INTEGER NOT NULL,
    work INTEGER NOT NULL DEFAULT 0
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
    """A file is no tree, or one of another proof; one line says why."""


Book = dict[Position, tuple[int, tuple[int, ...]]]
"""Canonical positions with the attacker's move, and the replies to it that have
entries of their own."""


class Candidate(NamedTuple):
    """A move of the attacker's and what it leaves open."""

    cell: int
    """Its bit number, in the canonical position."""
    replies: tuple[int, ...] | None
    """Replies that its threats do not answer; None when they were not all looked at."""
    guess: int
    """The proof number to begin with while ``replies`` is None."""


class Task(NamedTuple):
    """Something to look at: a position, one move in it, or what other moves it has."""

    position: int
    """Its number in the tree."""
    stones: Position
    move: int | None
    """The number of the move; None: the whole position."""
    cell: int | None
    """The cell of that move, or one of MORE: further moves are to be found."""
    known: tuple[int, ...] = ()
    """The cells of the moves that are known, where further ones are to be found."""


class KnownMove(NamedTuple):
    """What the tree holds of a move."""

    cell: int
    status: int
    guess: int
    """Its proof number while its replies are not known."""
    replies: tuple[tuple[int, int], ...]
    """Their cells and the numbers of the positions after them."""


class Known(NamedTuple):
    """What the tree holds of a position."""

    status: int
    moves: tuple[KnownMove, ...]


class Counts(NamedTuple):
    """How far the proof is."""

    positions: int
    proved: int
    leaves: int
    open: int
    """Positions that were looked at, or are to be, and are not decided."""
    win: int
    """Proof number of the first position: 0 when it is proved."""
    refute: int

    @property
    def is_decided(self) -> bool:
        """Whether the first position is proved, or was given up."""
        return self.win == 0 or self.refute == 0


class Tree:
    """A proof in progress. Use it as a context manager."""

    def __init__(
        self, path: Path | str, rule: str, grid: Grid, winner: str, start: Position
    ) -> None:
        """Open the tree in a file, or begin one.

        Raises TreeError when the file is something else or of another proof.
        """
        self.grid = grid
        self._wide = grid.stride * grid.height > 256
        self.start = start
        self.setting: dict[str, object] = {
            "format": FORMAT,
            "rule": rule,
            "width": grid.width,
            "height": grid.height,
            "winner": winner,
        }
        try:
            self._base = sqlite3.connect(path, isolation_level=None)
        except sqlite3.OperationalError as error:
            raise TreeError(f"{path}: {error}") from None
        try:
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=NORMAL")
            self._base.execute(f"PRAGMA cache_size=-{CACHE_KB}")
            self._base.executescript(SCHEMA)
            known = dict(self._base.execute("SELECT name, value FROM setting"))
        except sqlite3.DatabaseError as error:
            self._base.close()
            raise TreeError(f"{path} is no proof in progress: {error}") from None
        if known and known != self.setting:
            self._base.close()
            other = ", ".join(str(known.get(name)) for name in self.setting)
            raise TreeError(f"{path} is of another proof ({other})")
        self._base.executemany(
            "INSERT OR IGNORE INTO setting VALUES (?, ?)", self.setting.items()
        )
        self.root = self._position(start)
        columns = [row[1] for row in self._base.execute("PRAGMA table_info(move)")]
        if "work" not in columns:  # a file of an earlier version
            with self.change():
                self._base.execute(
                    "ALTER TABLE move ADD COLUMN work INTEGER NOT NULL DEFAULT 0"
                )
                self._count_work()
        self._recover()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._base.close()

    # Keys -----------------------------------------------------------------------------

    def _key(self, attacker: int, defender: int) -> bytes:
        """The cells of the canonical position; first how many the attacker has."""
        first, second, _ = self.grid.canonical(attacker, defender)
        cells = [*bits_of(first), *bits_of(second)]
        size = 2 if self._wide else 1
        numbers = [first.bit_count(), *cells]
        return b"".join(number.to_bytes(size, "little") for number in numbers)

    def _stones(self, key: bytes) -> Position:
        size = 2 if self._wide else 1
        numbers = [
            int.from_bytes(key[k : k + size], "little")
            for k in range(0, len(key), size)
        ]
        count = numbers[0]
        attacker = sum(1 << cell for cell in numbers[1 : count + 1])
        return attacker, sum(1 << cell for cell in numbers[count + 1 :])

    def _position(self, stones: Position) -> int:
        """The number of a position, which is added when it is new."""
        return self.add(stones)[0]

    def add(self, stones: Position) -> tuple[int, bool]:
        """The number of a position, and whether it was new and is added."""
        key = self._key(*stones)
        row = self._base.execute(
            "SELECT id FROM position WHERE key = ?", (key,)
        ).fetchone()
        if row is None:
            cursor = self._base.execute(
                "INSERT INTO position (key, status, busy, win, refute)"
                " VALUES (?, ?, 0, ?, 1)",
                (key, NEW, FIRST_PROOF),
            )
            return int(cursor.lastrowid or 0), True
        return int(row[0]), False

    # Numbers --------------------------------------------------------------------------

    def _recover(self) -> None:
        """Let go of what a run that ended was looking at."""
        with self.change():
            busy = [
                row[0]
                for row in self._base.execute("SELECT id FROM position WHERE busy")
            ]
            moves = self._base.execute(
                "SELECT id, position FROM move WHERE busy"
            ).fetchall()
            self._base.execute(
                "UPDATE position SET busy = 0, win = ?, refute = 1 WHERE busy",
                (FIRST_PROOF,),
            )
            self._base.execute(
                "UPDATE move SET busy = 0, refute = refute - ? WHERE busy", (BUSY,)
            )
            for position in busy:
                self._update_above(position)
            for _, position in moves:
                self._update(position)

    def change(self) -> "_Change":
        """A transaction, as a context manager: all of it is kept, or nothing."""
        return _Change(self._base)

    def _update(self, position: int) -> None:
        """Give a position its numbers anew, and to all that depend on it."""
        waiting = [position]
        while waiting:
            position = waiting.pop()
            if self._renumber(position):
                waiting += self._update_moves_to(position)

    def _renumber(self, position: int) -> bool:
        """Give one position its numbers by those of its moves; whether they changed."""
        old = self._base.execute(
            "SELECT status, win, refute FROM position WHERE id = ?", (position,)
        ).fetchone()
        if old[0] in (NEW, LEAF, GIVEN_UP, PROVED):
            return False
        win, refute = NEVER, 0
        for move_win, move_refute in self._base.execute(
            "SELECT win, refute FROM move WHERE position = ?", (position,)
        ):
            win = min(win, move_win)
            refute += move_refute
        refute = NEVER if win == 0 else min(refute, NEVER - 1)
        status = PROVED if win == 0 else GIVEN_UP if refute == 0 else OPEN
        if status == GIVEN_UP:
            win = NEVER
        if (status, win, refute) == tuple(old):
            return False
        self._base.execute(
            "UPDATE position SET status = ?, win = ?, refute = ? WHERE id = ?",
            (status, win, refute, position),
        )
        return True

    def _update_above(self, position: int) -> None:
        for above in self._update_moves_to(position):
            self._update(above)

    def _update_moves_to(self, position: int) -> list[int]:
        """Give the moves that lead to a position their numbers.

        Returns the positions of those whose numbers have changed.
        """
        changed = []
        for (move,) in self._base.execute(
            "SELECT DISTINCT move FROM reply WHERE position = ?", (position,)
        ).fetchall():
            above = self._update_move(move)
            if above is not None:
                changed.append(above)
        return changed

    def _update_move(self, move: int) -> int | None:
        """The position above, if the numbers of the move have changed."""
        above, status, *old = self._base.execute(
            "SELECT position, status, win, refute FROM move WHERE id = ?", (move,)
        ).fetchone()
        if status != OPEN:
            return None
        # Replies that are images of each other lead to one position: one proof.
        win, refute = self._base.execute(
            "SELECT total(win), min(refute) FROM position WHERE id IN"
            " (SELECT position FROM reply WHERE move = ?)",
            (move,),
        ).fetchone()
        win = int(win)
        if refute is None or win == 0:
            status, win, refute = PROVED, 0, NEVER
        elif refute == 0:
            status, win = GIVEN_UP, NEVER
        win = min(win, NEVER if status == GIVEN_UP else NEVER - 1)
        if [win, refute] == old:
            return None
        self._base.execute(
            "UPDATE move SET status = ?, win = ?, refute = ? WHERE id = ?",
            (status, win, refute, move),
        )
        return int(above)

    # What to do next ------------------------------------------------------------------

    def next_task(self) -> Task | None:
        """The most promising thing to look at, which is busy from now on.

        None when all of that is busy, or the first position is decided.
        """
        position = self.root
        way: list[int] = []
        while True:
            key, status, busy = self._base.execute(
                "SELECT key, status, busy FROM position WHERE id = ?", (position,)
            ).fetchone()
            if status == NEW:
                if busy:
                    return None
                with self.change():
                    self._base.execute(
                        "UPDATE position SET busy = 1, refute = refute + ?"
                        " WHERE id = ?",
                        (BUSY, position),
                    )
                    self._add_work(way)
                    self._update_above(position)
                return Task(position, self._stones(key), None, None)
            if status != OPEN:
                return None
            move, cell, status, busy = self._move_to_look_at(position)
            way.append(move)
            if status == NEW:
                if busy:
                    return None
                with self.change():
                    self._add_work(way)
                    self._base.execute(
                        "UPDATE move SET busy = 1, refute = refute + ? WHERE id = ?",
                        (BUSY, move),
                    )
                    self._update(position)
                known: tuple[int, ...] = ()
                if cell in MORE:
                    known = tuple(
                        row[0]
                        for row in self._base.execute(
                            "SELECT cell FROM move WHERE position = ? AND id <> ?",
                            (position, move),
                        )
                    )
                return Task(position, self._stones(key), move, cell, known)
            position = self._reply_to_look_at(move)

    def _move_to_look_at(self, position: int) -> tuple[int, int, int, int]:
        """The most promising move: its number, cell, status, and whether it is busy."""
        rows = self._base.execute(
            "SELECT win + (refute >= ?) * win + work / ?, id, cell, status, busy"
            " FROM move WHERE position = ? AND status <> ? ORDER BY 1, 2",
            (BUSY, SPENT, position, GIVEN_UP),
        ).fetchall()
        rivals = [
            row for row in rows if row[3] == OPEN and row[0] <= RIVAL * rows[0][0]
        ]
        if len(rivals) > 1:
            # Guesses are too low, so that of two moves of the opening the one that was
            # looked at less would always seem the better one: what is done counts.
            rows = [min(rivals, key=self._left_to_do)]
        _, move, cell, status, busy = rows[0]
        return move, cell, status, busy

    def _add_work(self, moves: list[int]) -> None:
        """One more task below each of these moves."""
        self._base.executemany(
            "UPDATE move SET work = work + 1 WHERE id = ?", [(move,) for move in moves]
        )

    def _count_work(self) -> None:
        """Estimate the work of all moves by the positions that were looked at.

        A position counts for the first way to it.
        """
        size = dict.fromkeys(
            (
                row[0]
                for row in self._base.execute(
                    "SELECT id FROM position WHERE status <> ?", (NEW,)
                )
            ),
            1,
        )
        first: dict[int, tuple[int, int]] = {}
        for move, above, position in self._base.execute(
            "SELECT move.id, move.position, reply.position FROM reply"
            " JOIN move ON reply.move = move.id ORDER BY move.id"
        ):
            first.setdefault(position, (move, above))
        work: dict[int, int] = {}
        for (position,) in self._base.execute(
            "SELECT id FROM position ORDER BY length(key) DESC"
        ):
            done = size.get(position, 0)
            if done and position in first:
                move, above = first[position]
                work[move] = work.get(move, 0) + done
                size[above] = size.get(above, 0) + done
        self._base.executemany(
            "UPDATE move SET work = ? WHERE id = ?",
            [(done, move) for move, done in work.items()],
        )

    def _left_to_do(self, row: tuple[int, ...]) -> tuple[float, int]:
        """The proof number of a move, less for the replies that are done with."""
        win, move, *_ = row
        replies, done = self._base.execute(
            "SELECT count(*), total(win = 0) FROM reply JOIN position"
            " ON reply.position = position.id WHERE reply.move = ?",
            (move,),
        ).fetchone()
        share = done / replies if replies > FEW_REPLIES else 0.0
        return win * (1 - share / 2), move

    def _reply_to_look_at(self, move: int) -> int:
        """The position after one of a move's open replies."""
        replies = self._base.execute(
            "SELECT position.id, win, refute FROM reply JOIN position"
            " ON reply.position = position.id"
            " WHERE reply.move = ? AND position.win > 0",
            (move,),
        ).fetchall()
        if len(replies) > FEW_REPLIES:
            # Moves that leave so much open are those of the opening, which nothing
            # refutes: what is nearly proved comes first, and is done with.
            return int(
                min(replies, key=lambda row: (row[2] >= BUSY, row[1], row[0]))[0]
            )
        return int(min(replies, key=lambda row: (row[2], -row[1], row[0]))[0])

    # What was found -------------------------------------------------------------------

    def take_leaf(self, task: Task) -> None:
        """A position is won by threats."""
        with self.change():
            self._base.execute(
                "UPDATE position SET status = ?, busy = 0, win = 0, refute = ?"
                " WHERE id = ?",
                (LEAF, NEVER, task.position),
            )
            self._update_above(task.position)

    def take_moves(self, task: Task, candidates: Sequence[Candidate]) -> None:
        """Moves were found where a position, or MORE of it, was looked at."""
        with self.change():
            if task.move is None:
                self._base.execute(
                    "UPDATE position SET status = ?, busy = 0 WHERE id = ?",
                    (OPEN, task.position),
                )
            else:
                self._base.execute("DELETE FROM move WHERE id = ?", (task.move,))
            for candidate in candidates:
                cursor = self._base.execute(
                    "INSERT INTO move (position, cell, status, busy, win, refute)"
                    " VALUES (?, ?, ?, 0, ?, 1)",
                    (task.position, candidate.cell, NEW, max(1, candidate.guess)),
                )
                if candidate.replies is not None:
                    self._add_replies(
                        int(cursor.lastrowid or 0),
                        task.stones,
                        candidate.cell,
                        candidate.replies,
                    )
            self._update(task.position)

    def take_move(self, task: Task, replies: Sequence[int] | None) -> None:
        """A move was looked at; None: the defender refutes it at once."""
        assert task.move is not None
        assert task.cell is not None
        with self.change():
            if replies is None:
                self._base.execute(
                    "UPDATE move SET status = ?, busy = 0, win = ?, refute = 0"
                    " WHERE id = ?",
                    (GIVEN_UP, NEVER, task.move),
                )
            else:
                self._add_replies(task.move, task.stones, task.cell, replies)
            self._update(task.position)

    def _add_replies(
        self, move: int, stones: Position, cell: int, replies: Iterable[int]
    ) -> None:
        attacker, defender = stones
        attacker |= 1 << cell
        self._base.execute(
            "UPDATE move SET status = ?, busy = 0 WHERE id = ?", (OPEN, move)
        )
        self._base.executemany(
            "INSERT OR IGNORE INTO reply VALUES (?, ?, ?)",
            [
                (move, reply, self._position((attacker, defender | 1 << reply)))
                for reply in replies
            ],
        )
        self._update_move(move)

    # What is known --------------------------------------------------------------------

    @property
    def is_decided(self) -> bool:
        """Whether the first position is proved, or was given up."""
        (status,) = self._base.execute(
            "SELECT status FROM position WHERE id = ?", (self.root,)
        ).fetchone()
        return status in (PROVED, LEAF, GIVEN_UP)

    @property
    def is_proved(self) -> bool:
        """Whether the first position is proved."""
        return self.counts().win == 0

    def counts(self) -> Counts:
        """How far the proof is."""
        numbers = dict(
            self._base.execute("SELECT status, count(*) FROM position GROUP BY status")
        )
        win, refute = self._base.execute(
            "SELECT win, refute FROM position WHERE id = ?", (self.root,)
        ).fetchone()
        return Counts(
            positions=sum(numbers.values()),
            proved=numbers.get(PROVED, 0),
            leaves=numbers.get(LEAF, 0),
            open=numbers.get(OPEN, 0) + numbers.get(NEW, 0),
            win=win,
            refute=refute,
        )

    def known(self, position: int) -> Known:
        """What the tree holds of a position; of a proved one only what proves it."""
        (status,) = self._base.execute(
            "SELECT status FROM position WHERE id = ?", (position,)
        ).fetchone()
        rows = self._base.execute(
            "SELECT id, cell, status, win FROM move WHERE position = ? ORDER BY id",
            (position,),
        ).fetchall()
        if status == PROVED:
            rows = [row for row in rows if row[3] == 0][:1]
        return Known(
            status,
            tuple(
                KnownMove(
                    cell,
                    move_status,
                    win if move_status == NEW else 0,
                    tuple(
                        self._base.execute(
                            "SELECT cell, position FROM reply WHERE move = ?", (move,)
                        )
                    ),
                )
                for move, cell, move_status, win in rows
            ),
        )

    def put(self, position: int, known: Known) -> None:
        """Put what ``known`` told into a tree; ``renew`` then makes the numbers fit."""
        win, refute = {
            NEW: (FIRST_PROOF, 1),
            LEAF: (0, NEVER),
            GIVEN_UP: (NEVER, 0),
        }.get(known.status, (FIRST_PROOF, 1))
        status = OPEN if known.status == PROVED else known.status
        self._base.execute(
            "UPDATE position SET status = ?, win = ?, refute = ? WHERE id = ?",
            (status, win, refute, position),
        )
        for move in known.moves:
            state, numbers = move.status, (max(1, move.guess), 1)
            if state == PROVED:
                state = OPEN
            elif state == GIVEN_UP:
                numbers = (NEVER, 0)
            cursor = self._base.execute(
                "INSERT INTO move (position, cell, status, busy, win, refute)"
                " VALUES (?, ?, ?, 0, ?, ?)",
                (position, move.cell, state, *numbers),
            )
            self._base.executemany(
                "INSERT INTO reply VALUES (?, ?, ?)",
                [(cursor.lastrowid, cell, after) for cell, after in move.replies],
            )

    def renew(self) -> None:
        """Give all positions and moves their numbers anew, the longest games first."""
        self._count_work()
        positions = self._base.execute(
            "SELECT id FROM position WHERE status = ? ORDER BY length(key) DESC",
            (OPEN,),
        ).fetchall()
        for (position,) in positions:
            for (move,) in self._base.execute(
                "SELECT id FROM move WHERE position = ? AND status = ?",
                (position, OPEN),
            ).fetchall():
                self._update_move(move)
            self._renumber(position)

    def book(self) -> Book:
        """The proved positions that the first one needs, for ``certificate.encode``.

        Empty when the first position is not proved, or won by threats.
        """
        return dict(self._proved([self.root]))

    def partial_book(self) -> tuple[Book, int]:
        """What is proved of the first position's best move, for ``encode``.

        The best move is the one with the most replies that are answered. With it comes
        the set of those that are not, as bits. Both are empty without such a move.
        """
        key, status = self._base.execute(
            "SELECT key, status FROM position WHERE id = ?", (self.root,)
        ).fetchone()
        if status != OPEN:
            return self.book(), 0
        best: tuple[int, list[tuple[int, int, int]], int] | None = None
        for move, cell in self._base.execute(
            "SELECT id, cell FROM move WHERE position = ? AND status = ? ORDER BY id",
            (self.root, OPEN),
        ).fetchall():
            replies = self._base.execute(
                "SELECT reply.cell, reply.position, position.status FROM reply"
                " JOIN position ON reply.position = position.id WHERE reply.move = ?",
                (move,),
            ).fetchall()
            answered = sum(status in (PROVED, LEAF) for _, _, status in replies)
            if answered and (best is None or answered > best[0]):
                best = answered, replies, cell
        if best is None:
            return {}, 0
        _, replies, cell = best
        listed = [row for row in replies if row[2] == PROVED]
        book = dict(self._proved(sorted({position for _, position, _ in listed})))
        first, second = self._stones(key)
        book[first, second] = cell, tuple(reply for reply, _, _ in listed)
        # The reply's cell is that of the canonical position; the start may be turned.
        symmetry = self.grid.canonical(*self.start)[2]
        back = self.grid.images[self.grid.inverse[symmetry]]
        left = 0
        for reply, _, reply_status in replies:
            if reply_status not in (PROVED, LEAF):
                left |= 1 << back[reply]
        return book, left

    def _proved(
        self, roots: list[int]
    ) -> Iterator[tuple[Position, tuple[int, tuple[int, ...]]]]:
        seen = set(roots)
        waiting = list(roots)
        while waiting:
            position = waiting.pop()
            key, status = self._base.execute(
                "SELECT key, status FROM position WHERE id = ?", (position,)
            ).fetchone()
            if status != PROVED:
                continue
            move, cell = self._base.execute(
                "SELECT id, cell FROM move WHERE position = ? AND win = 0"
                " ORDER BY (SELECT count(*) FROM reply WHERE move = move.id), id"
                " LIMIT 1",
                (position,),
            ).fetchone()
            listed = []
            for reply, after, after_status in self._base.execute(
                "SELECT reply.cell, reply.position, position.status FROM reply"
                " JOIN position ON reply.position = position.id WHERE reply.move = ?",
                (move,),
            ):
                if after_status == PROVED:
                    listed.append(reply)
                    if after not in seen:
                        seen.add(after)
                        waiting.append(after)
            yield self._stones(key), (cell, tuple(listed))


class _Change:
    """A transaction: all of it is kept or nothing."""

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base

    def __enter__(self) -> None:
        self._base.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, *_: object) -> None:
        self._base.execute("ROLLBACK" if kind else "COMMIT")
