"""AND/OR tree of a proof on disk: the results so far, and the choice of the next task.

A *position* is one with the attacker to move; all its images by the symmetries are the
same position (``Grid.canonical``). The attacker needs one winning *move* in it. A move
needs an answer to all *replies* that its threats do not answer already, and each of
these replies leads to a position again.

Positions and moves carry proof numbers (L. V. Allis, "Searching for solutions in games
and artificial intelligence", 1994): the least work left to prove the win, and to
disprove it. The numbers lead from the first position to the next task.

``leaf_nodes`` belongs to a position that is left to the threat solver: the solver wins
it within so many nodes from an empty table. A move has the largest such number of the
positions after its replies that are left to the solver. 0 means not tried.

A proof number is too low if the replies are hard. Forcing moves have few replies, so
their numbers stay the least however often they fail. Therefore a move also carries the
work that was done below it, and a part of it counts against the move when it competes
with the other moves of its position.

The tree is an SQLite file (``tree_file``); ``proof_numbers`` updates the numbers.
Committed changes survive when the process is killed; tasks in progress are then done
again.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from gomoku_brain.proofs.grid import Grid, Position
from gomoku_brain.prove.proof_numbers import ProofNumbers
from gomoku_brain.prove.tree_book import (
    Book,
    best_move,
    partial_book,
    proved_book,
    proved_moves,
)
from gomoku_brain.prove.tree_file import (
    BUSY,
    FIRST_PROOF,
    GIVEN_UP,
    LEAF,
    NEVER,
    NEW,
    OPEN,
    PROVED,
    Change,
    TreeError,
    TreeFile,
)

__all__ = [
    "MORE",
    "Candidate",
    "Counts",
    "KnownMove",
    "ProofTask",
    "StoredPosition",
    "Tree",
    "UntriedMove",
]

# Set by hand.
RIVAL = 2  # a move of the opening competes up to so many times the least proof number
# with at most so many, the reply likeliest to refute a move comes first
FEW_REPLIES = 16
SPENT = 4  # so many tasks done below a move count as one more that is left to do

MORE = (-1, -2)
"""Values in place of a cell: the moves that a search proposes, and those of a wider
search.
"""


class Candidate(NamedTuple):
    """Move of the attacker with the replies that it leaves open."""

    cell: int
    """Bit number of its cell, in the canonical position."""
    replies: Mapping[int, int] | None
    """Replies that its threats do not answer, with the first proof number of each
    position.

    None if they were not all tried.
    """
    guess: int
    """First proof number while ``replies`` is None."""


class ProofTask(NamedTuple):
    """Task: a position, one move in it, or a search for its other moves."""

    position: int
    """Number of the position in the tree."""
    stones: Position
    move: int | None
    """Number of the move; None: the whole position."""
    cell: int | None
    """Cell of that move, or one of ``MORE``: find further moves."""
    known: tuple[int, ...] = ()
    """Cells of the known moves, if further ones must be found."""


class UntriedMove(NamedTuple):
    """Move of a proof, and the replies that are not left to the solver."""

    position: int
    """Number of the position in the tree."""
    move: int
    """Number of the move."""
    stones: Position
    cell: int
    listed: int
    """Replies that lead to positions with a move of their own, as bits."""


class KnownMove(NamedTuple):
    """Content of the tree about a move."""

    cell: int
    status: int
    guess: int
    """Proof number while its replies are not known."""
    leaf_nodes: int
    """Most nodes of the solver to win after its other replies; 0: not known."""
    replies: tuple[tuple[int, int], ...]
    """Cells of its replies and the numbers of the positions after them."""


class StoredPosition(NamedTuple):
    """Position of the tree, with all that is stored about it."""

    status: int
    work: int
    """Proof number while it was not expanded."""
    leaf_nodes: int
    """Most nodes of the solver to win a leaf; 0: not known."""
    moves: tuple[KnownMove, ...]


class Counts(NamedTuple):
    """Progress of a proof."""

    positions: int
    proved: int
    leaves: int
    open: int
    """Number of positions that are neither proved nor given up."""
    win: int
    """Proof number of the first position; 0 if it is proved."""
    refute: int

    @property
    def is_decided(self) -> bool:
        """Whether the first position is proved, or was given up."""
        return self.win == 0 or self.refute == 0


class Tree:
    """Proof in progress. Use it as a context manager."""

    def __init__(
        self, path: Path | str, rule: str, grid: Grid, winner: str, start: Position
    ) -> None:
        """Open the tree in a file, or create one.

        Raises TreeError if the file has other content or is of another proof.
        """
        self._file = TreeFile(path, rule, grid, winner)
        self._numbers = ProofNumbers(self._file)
        self._base = self._file.base
        self.grid = grid
        self.start = start
        self.setting = self._file.setting
        first = self._file.first()
        if first is not None and first != grid.canonical(*start)[:2]:
            self._file.close()
            stones_text = (" ".join(grid.names(stones)) or "-" for stones in first)
            raise TreeError(
                f"{path} is of another position: {winner} to move has"
                f" {', the other side '.join(stones_text)}, turned or mirrored"
            )
        self.root = self._file.add(start)[0]
        with self.change():
            if "move.work" in self._file.add_missing_columns():
                self._numbers.count_work()
        self._numbers.release_tasks()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def change(self) -> Change:
        """Return a context manager for a transaction: all of it is stored, or
        nothing.
        """
        return self._file.change()

    def add(self, stones: Position, work: int = FIRST_PROOF) -> tuple[int, bool]:
        """Return the number of a position, and whether it is new and was added.

        ``work``: the first proof number of a new position.
        """
        return self._file.add(stones, work)

    @property
    def is_new(self) -> bool:
        """Whether the tree has no results and no tasks in progress."""
        return self.known(self.root).status == NEW

    def restrict_first_move(self, cell: int) -> None:
        """Restrict the first position to the move on this free cell.

        If the move is refuted, the first position is given up. Raises TreeError if
        another move was tried there already, unless this one has won since, and if the
        first position needs no move.
        """
        first, second, turn = self.grid.canonical(*self.start)
        cell = self.grid.images[turn][cell]
        known = self.known(self.root)
        if known.status == LEAF:
            raise TreeError("the first position is won by threats already")
        if known.status == NEW:
            task = ProofTask(self.root, (first, second), None, None)
            self.take_moves(task, [Candidate(cell, None, FIRST_PROOF)])
            return
        equal = {
            image[cell]
            for number, image in enumerate(self.grid.images)
            if self.grid.turned(first, number) == first
            and self.grid.turned(second, number) == second
        }
        if len(known.moves) != 1 or known.moves[0].cell not in equal:
            raise TreeError("other moves were tried in the first position already")

    # Next task ------------------------------------------------------------------------

    def next_task(self) -> ProofTask | None:
        """Return the most promising task, which is busy from now on.

        None if all tasks are busy, or the first position is decided.
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
                    self._numbers.add_work(way)
                    self._numbers.update_above(position)
                return ProofTask(position, self._file.stones(key), None, None)
            if status != OPEN:
                return None
            move, cell, status, busy = self._next_move(position)
            way.append(move)
            if status == NEW:
                if busy:
                    return None
                with self.change():
                    self._numbers.add_work(way)
                    self._base.execute(
                        "UPDATE move SET busy = 1, refute = refute + ? WHERE id = ?",
                        (BUSY, move),
                    )
                    self._numbers.update(position)
                known: tuple[int, ...] = ()
                if cell in MORE:
                    known = tuple(
                        row[0]
                        for row in self._base.execute(
                            "SELECT cell FROM move WHERE position = ? AND id <> ?",
                            (position, move),
                        )
                    )
                return ProofTask(position, self._file.stones(key), move, cell, known)
            position = self._next_reply(move)

    def _next_move(self, position: int) -> tuple[int, int, int, int]:
        """Return the most promising move: its number, cell, status, and whether it is
        busy.
        """
        rows = self._base.execute(
            "SELECT win + (refute >= ?) * win + work / ?, id, cell, status, busy"
            " FROM move WHERE position = ? AND status <> ? ORDER BY 1, 2",
            (BUSY, SPENT, position, GIVEN_UP),
        ).fetchall()
        rivals = [
            row for row in rows if row[3] == OPEN and row[0] <= RIVAL * rows[0][0]
        ]
        if len(rivals) > 1:
            # Guesses are too low. So of two moves of the opening the one with less work
            # would always seem the better one; therefore the work done counts.
            rows = [min(rivals, key=self._left_to_do)]
        _, move, cell, status, busy = rows[0]
        return move, cell, status, busy

    def _left_to_do(self, row: tuple[int, ...]) -> tuple[float, int]:
        """Return the proof number of a move, less for the replies that are finished."""
        win, move, *_ = row
        replies, done = self._base.execute(
            "SELECT count(*), total(win = 0) FROM reply JOIN position"
            " ON reply.position = position.id WHERE reply.move = ?",
            (move,),
        ).fetchone()
        share = done / replies if replies > FEW_REPLIES else 0.0
        return win * (1 - share / 2), move

    def _next_reply(self, move: int) -> int:
        """Return the position after one of a move's open replies."""
        replies = self._base.execute(
            "SELECT position.id, win, refute FROM reply JOIN position"
            " ON reply.position = position.id"
            " WHERE reply.move = ? AND position.win > 0",
            (move,),
        ).fetchall()
        if len(replies) > FEW_REPLIES:
            # Moves that leave so much open are those of the opening, which no reply
            # refutes. The reply that is nearly proved comes first, to finish it.
            return int(
                min(replies, key=lambda row: (row[2] >= BUSY, row[1], row[0]))[0]
            )
        return int(min(replies, key=lambda row: (row[2], -row[1], row[0]))[0])

    # Results --------------------------------------------------------------------------

    def take_leaf(self, task: ProofTask, leaf_nodes: int = 0) -> None:
        """Mark a position as won by threats."""
        with self.change():
            self._base.execute(
                "UPDATE position SET status = ?, busy = 0, win = 0, refute = ?,"
                " leaf_nodes = ? WHERE id = ?",
                (LEAF, NEVER, leaf_nodes, task.position),
            )
            self._numbers.update_above(task.position)

    def take_moves(
        self, task: ProofTask, candidates: Sequence[Candidate], leaf_nodes: int = 0
    ) -> None:
        """Add the moves that were found in a position, or in a search for ``MORE`` of
        it.
        """
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
                        leaf_nodes,
                    )
            self._numbers.update(task.position)

    def take_move(
        self,
        task: ProofTask,
        replies: Mapping[int, int] | None,
        leaf_nodes: int = 0,
    ) -> None:
        """Store the result of a move; None: the defender refutes it at once.

        ``replies``: as in ``Candidate``.
        """
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
                self._add_replies(
                    task.move, task.stones, task.cell, replies, leaf_nodes
                )
            self._numbers.update(task.position)

    def _add_replies(
        self,
        move: int,
        stones: Position,
        cell: int,
        replies: Mapping[int, int],
        leaf_nodes: int,
        *,
        won: bool = False,
    ) -> None:
        """Add replies to a move to the tree; ``won``: all lead to won positions."""
        attacker, defender = stones
        attacker |= 1 << cell
        self._base.execute(
            "UPDATE move SET status = ?, busy = 0, leaf_nodes = ? WHERE id = ?",
            (OPEN, leaf_nodes, move),
        )
        for reply, work in replies.items():
            after, _ = self.add((attacker, defender | 1 << reply), work)
            self._base.execute(
                "INSERT OR IGNORE INTO reply VALUES (?, ?, ?)", (move, reply, after)
            )
            if leaf_nodes:
                self._look_again(after, work, leaf_nodes)
            if won:
                self._try_again(after, work)
        self._numbers.update_move(move)

    def _look_again(self, position: int, work: int, leaf_nodes: int) -> None:
        """Reopen a leaf unless the solver wins it within so many nodes."""
        cursor = self._base.execute(
            "UPDATE position SET status = ?, win = ?, refute = 1 WHERE id = ?"
            " AND status = ? AND leaf_nodes NOT BETWEEN 1 AND ?",
            (NEW, work, position, LEAF, leaf_nodes),
        )
        if cursor.rowcount:
            self._numbers.reopen_above(position)

    def _try_again(self, position: int, work: int) -> None:
        """Reopen a position that threats win, though all proposed moves failed."""
        cursor = self._base.execute(
            "UPDATE position SET status = ?, win = ?, refute = 1 WHERE id = ?"
            " AND status = ?",
            (NEW, work, position, GIVEN_UP),
        )
        if cursor.rowcount:
            self._base.execute(
                "DELETE FROM reply WHERE move IN"
                " (SELECT id FROM move WHERE position = ?)",
                (position,),
            )
            self._base.execute("DELETE FROM move WHERE position = ?", (position,))

    # Positions left to the solver -----------------------------------------------------

    def leave_to_solver(self, leaf_nodes: int) -> None:
        """Reopen the first position unless so many nodes win it as a leaf."""
        with self.change():
            self._look_again(self.root, FIRST_PROOF, leaf_nodes)

    def release_tasks(self) -> None:
        """Release the tasks that were handed out and will not be answered."""
        self._numbers.release_tasks()

    def untried_moves(self, leaf_nodes: int) -> list[UntriedMove]:
        """Return the moves of the proof on whose other replies the solver must be
        tried.

        Empty while the first position is not proved.
        """
        tried = {
            row[0]
            for row in self._base.execute(
                "SELECT id FROM move WHERE leaf_nodes BETWEEN 1 AND ?"
                " AND NOT EXISTS (SELECT 1 FROM reply JOIN position"
                " ON reply.position = position.id WHERE reply.move = move.id"
                " AND status = ? AND position.leaf_nodes NOT BETWEEN 1 AND ?)",
                (leaf_nodes, LEAF, leaf_nodes),
            )
        }
        return [
            UntriedMove(
                position, move, stones, cell, sum(1 << reply for reply in listed)
            )
            for position, move, stones, cell, listed in proved_moves(
                self._file, [self.root]
            )
            if move not in tried
        ]

    def take_tried(
        self,
        found: Sequence[tuple[UntriedMove, Mapping[int, int]]],
        leaf_nodes: int,
    ) -> None:
        """Store a trial of moves of the proof: the further replies that each must list.

        Everything that depends on a move with such replies is open again.
        """
        with self.change():
            for untried, replies in found:
                self._base.execute(
                    "UPDATE position SET leaf_nodes = ? WHERE status = ? AND id IN"
                    " (SELECT position FROM reply WHERE move = ? AND cell NOT IN"
                    f" ({','.join(str(int(reply)) for reply in replies)}))",
                    (leaf_nodes, LEAF, untried.move),
                )
                self._add_replies(
                    untried.move,
                    untried.stones,
                    untried.cell,
                    replies,
                    leaf_nodes,
                    won=True,
                )
                self._numbers.reopen(untried.position)

    # Content of the tree --------------------------------------------------------------

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
        """Return the progress of the proof."""
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

    def known(self, position: int) -> StoredPosition:
        """Return the tree's content about a position; if proved, only the proof."""
        status, work, leaf_nodes = self._base.execute(
            "SELECT status, win, leaf_nodes FROM position WHERE id = ?", (position,)
        ).fetchone()
        rows = self._base.execute(
            "SELECT id, cell, status, win, leaf_nodes FROM move WHERE position = ?"
            " ORDER BY id",
            (position,),
        ).fetchall()
        if status == PROVED:
            best = best_move(self._file, position)[0]
            rows = [row for row in rows if row[0] == best]
        return StoredPosition(
            status,
            work if status == NEW else 0,
            leaf_nodes if status == LEAF else 0,
            tuple(
                KnownMove(
                    cell,
                    move_status,
                    win if move_status == NEW else 0,
                    tried,
                    tuple(
                        self._base.execute(
                            "SELECT cell, position FROM reply WHERE move = ?", (move,)
                        )
                    ),
                )
                for move, cell, move_status, win, tried in rows
            ),
        )

    def put(self, position: int, known: StoredPosition) -> None:
        """Add a position with its ``known`` content; call ``renew`` afterwards."""
        win, refute = {
            NEW: (max(1, known.work), 1),
            LEAF: (0, NEVER),
            GIVEN_UP: (NEVER, 0),
        }.get(known.status, (FIRST_PROOF, 1))
        status = OPEN if known.status == PROVED else known.status
        self._base.execute(
            "UPDATE position SET status = ?, win = ?, refute = ?, leaf_nodes = ?"
            " WHERE id = ?",
            (status, win, refute, known.leaf_nodes, position),
        )
        for move in known.moves:
            state, numbers = move.status, (max(1, move.guess), 1)
            if state == PROVED:
                state = OPEN
            elif state == GIVEN_UP:
                numbers = (NEVER, 0)
            cursor = self._base.execute(
                "INSERT INTO move"
                " (position, cell, status, busy, win, refute, leaf_nodes)"
                " VALUES (?, ?, ?, 0, ?, ?, ?)",
                (position, move.cell, state, *numbers, move.leaf_nodes),
            )
            self._base.executemany(
                "INSERT INTO reply VALUES (?, ?, ?)",
                [(cursor.lastrowid, cell, after) for cell, after in move.replies],
            )

    def renew(self) -> None:
        """Update the numbers of all positions and moves, the longest games first."""
        self._numbers.renew()

    def book(self) -> Book:
        """Return the proved positions that the first one needs, for
        ``certificate.encode``.

        Empty if the first position is not proved, or is won by threats.
        """
        return proved_book(self._file, self.root)

    def partial_book(self) -> tuple[Book, int]:
        """Return the proved part of the first position's best move, for ``encode``.

        The best move is the one with the most answered replies. The second value is the
        set of its unanswered replies, as bits. Both are empty without such a move.
        """
        return partial_book(self._file, self.root, self.start)
