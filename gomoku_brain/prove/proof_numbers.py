"""Proof and disproof numbers, and how they follow from the numbers below.

A position has the least proof number of its moves and the sum of their disproof
numbers. A move has the sum of its replies' proof numbers and the least of their
disproof numbers (L. V. Allis, "Searching for solutions in games and artificial
intelligence", 1994). A change is propagated up to everything that depends on it.

A move also carries the *work* that was done below it, in tasks.
"""

from collections.abc import Sequence

from gomoku_brain.prove.tree_file import (
    BUSY,
    GIVEN_UP,
    LEAF,
    NEVER,
    NEW,
    OPEN,
    PROVED,
    TreeFile,
)

__all__ = ["ProofNumbers"]


class ProofNumbers:
    """Proof numbers in the file of a proof, kept consistent."""

    def __init__(self, file: TreeFile) -> None:
        """Use the numbers of ``file``, which must stay open."""
        self._file = file
        self._base = file.base

    def update(self, position: int) -> None:
        """Update the numbers of a position, and of everything that depends on it."""
        waiting = [position]
        while waiting:
            position = waiting.pop()
            if self._renumber(position):
                waiting += self._update_moves_to(position)

    def update_above(self, position: int) -> None:
        """Update the numbers of everything that depends on a position whose numbers are
        new.
        """
        for above in self._update_moves_to(position):
            self.update(above)

    def update_move(self, move: int) -> int | None:
        """Update the numbers of a move; return the position above if they have
        changed.
        """
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
            if status != OPEN:
                self._base.execute(
                    "UPDATE move SET status = ? WHERE id = ?", (status, move)
                )
            return None
        self._base.execute(
            "UPDATE move SET status = ?, win = ?, refute = ? WHERE id = ?",
            (status, win, refute, move),
        )
        return int(above)

    def reopen(self, position: int) -> None:
        """Reopen a position whose winning move no longer wins, and everything that
        depends on it.

        The numbers of its moves are up to date.
        """
        waiting = [position]
        while waiting:
            position = waiting.pop()
            self._base.execute(
                "UPDATE position SET status = ? WHERE id = ? AND status = ?"
                " AND NOT EXISTS (SELECT 1 FROM move WHERE position = ? AND win = 0)",
                (OPEN, position, PROVED, position),
            )
            if self._renumber(position):
                waiting += self._reopen_moves_to(position)

    def reopen_above(self, position: int) -> None:
        """Reopen everything that depends on a position which was won and has other
        numbers now.
        """
        for above in self._reopen_moves_to(position):
            self.reopen(above)

    def _reopen_moves_to(self, position: int) -> list[int]:
        self._base.execute(
            "UPDATE move SET status = ? WHERE status = ? AND id IN"
            " (SELECT move FROM reply WHERE position = ?)",
            (OPEN, PROVED, position),
        )
        return self._update_moves_to(position)

    def _renumber(self, position: int) -> bool:
        """Update one position by the numbers of its moves; return whether they
        changed.
        """
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

    def _update_moves_to(self, position: int) -> list[int]:
        """Update the numbers of the moves that lead to a position.

        Return the positions of those whose numbers have changed.
        """
        changed = []
        for move in self._moves_to(position):
            above = self.update_move(move)
            if above is not None:
                changed.append(above)
        return changed

    def _moves_to(self, position: int) -> list[int]:
        rows = self._base.execute(
            "SELECT DISTINCT move FROM reply WHERE position = ?", (position,)
        )
        return [move for (move,) in rows]

    def renew(self) -> None:
        """Update the numbers of all positions and moves, the longest games first."""
        self.count_work()
        positions = self._base.execute(
            "SELECT id FROM position WHERE status = ? ORDER BY length(key) DESC",
            (OPEN,),
        ).fetchall()
        for (position,) in positions:
            for (move,) in self._base.execute(
                "SELECT id FROM move WHERE position = ? AND status = ?",
                (position, OPEN),
            ).fetchall():
                self.update_move(move)
            self._renumber(position)

    def release_tasks(self) -> None:
        """Release the tasks that an interrupted run had handed out."""
        with self._file.change():
            busy = [
                row[0]
                for row in self._base.execute("SELECT id FROM position WHERE busy")
            ]
            moves = self._base.execute(
                "SELECT id, position FROM move WHERE busy"
            ).fetchall()
            self._base.execute("UPDATE position SET busy = 0, refute = 1 WHERE busy")
            self._base.execute(
                "UPDATE move SET busy = 0, refute = refute - ? WHERE busy", (BUSY,)
            )
            for position in busy:
                self.update_above(position)
            for _, position in moves:
                self.update(position)

    def add_work(self, moves: Sequence[int]) -> None:
        """Add one task of work to each of these moves and everything above."""
        self._base.executemany(
            "UPDATE move SET work = work + 1 WHERE id = ?", [(move,) for move in moves]
        )

    def count_work(self) -> None:
        """Estimate the work of all moves by the positions that were expanded.

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
