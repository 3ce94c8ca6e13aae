"""Proved positions of a tree as a book: each position with its winning move.

``certificate.encode`` writes a book as the file of a proof.
"""

from collections.abc import Iterator

from gomoku_brain.proofs.grid import Position
from gomoku_brain.prove.tree_file import LEAF, OPEN, PROVED, TreeFile

__all__ = ["Book", "best_move", "partial_book", "proved_book", "proved_moves"]

Book = dict[Position, tuple[int, tuple[int, ...]]]
"""Canonical positions with the attacker's move, and its replies with entries of their
own.
"""


def proved_book(file: TreeFile, root: int) -> Book:
    """Return the proved positions that the position of number ``root`` needs.

    Empty if that position is not proved, or is won by threats.
    """
    return dict(_proved(file, [root]))


def partial_book(file: TreeFile, root: int, start: Position) -> tuple[Book, int]:
    """Return the proved part of the best move in ``start``, the position of number
    ``root``.

    The best move is the one with the most answered replies. The second value is the set
    of its unanswered replies, as bits. Both are empty without such a move.
    """
    key, status = file.base.execute(
        "SELECT key, status FROM position WHERE id = ?", (root,)
    ).fetchone()
    if status != OPEN:
        return proved_book(file, root), 0
    best: tuple[int, list[tuple[int, int, int]], int] | None = None
    for move, cell in file.base.execute(
        "SELECT id, cell FROM move WHERE position = ? AND status = ? ORDER BY id",
        (root, OPEN),
    ).fetchall():
        replies = file.base.execute(
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
    book = dict(_proved(file, sorted({position for _, position, _ in listed})))
    first, second = file.stones(key)
    book[first, second] = cell, tuple(reply for reply, _, _ in listed)
    # The reply's cell is that of the canonical position; the start may be turned.
    symmetry = file.grid.canonical(*start)[2]
    back = file.grid.images[file.grid.inverse[symmetry]]
    left = 0
    for reply, _, reply_status in replies:
        if reply_status not in (PROVED, LEAF):
            left |= 1 << back[reply]
    return book, left


def best_move(file: TreeFile, position: int) -> tuple[int, int]:
    """Return the number and the cell of the winning move with the fewest replies."""
    move, cell = file.base.execute(
        "SELECT id, cell FROM move WHERE position = ? AND win = 0"
        " ORDER BY (SELECT count(*) FROM reply WHERE move = move.id), id"
        " LIMIT 1",
        (position,),
    ).fetchone()
    return int(move), int(cell)


def _proved(
    file: TreeFile, roots: list[int]
) -> Iterator[tuple[Position, tuple[int, tuple[int, ...]]]]:
    """Yield the entries of a book that these positions need, themselves first."""
    for _, _, stones, cell, listed in proved_moves(file, roots):
        yield stones, (cell, listed)


def proved_moves(
    file: TreeFile, roots: list[int]
) -> Iterator[tuple[int, int, Position, int, tuple[int, ...]]]:
    """Yield the moves that prove these positions and those below them, themselves
    first.

    Each item has the number of the position and of the move, the position's stones, the
    move's cell and the replies that have entries.
    """
    seen = set(roots)
    waiting = list(roots)
    while waiting:
        position = waiting.pop()
        key, status = file.base.execute(
            "SELECT key, status FROM position WHERE id = ?", (position,)
        ).fetchone()
        if status != PROVED:
            continue
        move, cell = best_move(file, position)
        listed = []
        for reply, after, after_status in file.base.execute(
            "SELECT reply.cell, reply.position, position.status FROM reply"
            " JOIN position ON reply.position = position.id WHERE reply.move = ?",
            (move,),
        ):
            if after_status == PROVED:
                listed.append(reply)
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
        yield position, move, file.stones(key), cell, tuple(listed)
