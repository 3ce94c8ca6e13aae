"""Proof in progress as one small file, for a backup or for another machine.

The tree on disk holds keys, indices and numbers that follow from the rest. A snapshot
holds the moves and replies alone, from the first position on, about two bytes for each;
of a proved position only the move that proves it. A task in progress counts as not
started.
"""

import hashlib
import json
import zlib

from gomoku_brain.proofs.grid import Position
from gomoku_brain.prove.tree import MORE, KnownMove, StoredPosition, Tree
from gomoku_brain.prove.tree_file import FIRST_PROOF, LEAF, NEW, OPEN, PROVED, TreeError

__all__ = ["load", "save"]

FORMAT = 2
FIRST_FORMAT = 1  # an older one: without the work and the expected nodes
BROKEN = (RecursionError, zlib.error)  # nested too deeply to be unpacked
LONG = 255  # first byte of a number of three bytes


def save(tree: Tree) -> bytes:
    """Return the snapshot of a tree."""
    body = bytearray()
    seen = {tree.root}
    waiting = [tree.root]
    while waiting:
        known = tree.known(waiting.pop())
        body.append(known.status)
        if known.status == NEW:
            _put(body, known.work)
        elif known.status == LEAF:
            _put(body, known.leaf_nodes)
        if known.status not in (OPEN, PROVED):
            continue
        _put(body, len(known.moves))
        children: list[int] = []
        for move in known.moves:
            # A note that further moves must be found has a negative number.
            _put(body, move.cell + len(MORE))
            body.append(move.status)
            if move.status == NEW:
                _put(body, move.guess)
            _put(body, move.leaf_nodes)
            _put(body, len(move.replies))
            for cell, position in move.replies:
                _put(body, cell)
                if position not in seen:
                    seen.add(position)
                    children.append(position)
        waiting += reversed(children)
    header = _header(tree)
    digest = hashlib.sha256(_line(header) + body).hexdigest()
    return _line({**header, "sha256": digest}) + zlib.compress(bytes(body), 9)


def load(tree: Tree, data: bytes) -> int:
    """Load a snapshot into a new tree; return the number of its positions.

    Raises TreeError if the snapshot is damaged or of another proof, and if the tree is
    not new.
    """
    line, _, packed = data.partition(b"\n")
    try:
        header = json.loads(line.decode("ascii"))
        version = header["proof_in_progress"]
        digest = header.pop("sha256")
        body = zlib.decompress(packed)
    except (LookupError, TypeError, AttributeError, ValueError, *BROKEN):
        raise TreeError("this is no snapshot of a proof, or a damaged one") from None
    if hashlib.sha256(_line(header) + body).hexdigest() != digest:
        raise TreeError("the snapshot is damaged: its checksum is another")
    if header != _header(tree, FIRST_FORMAT if version == FIRST_FORMAT else FORMAT):
        raise TreeError("the snapshot is of another proof")
    if not tree.is_new:
        raise TreeError("a snapshot can be put into a new tree only")
    try:
        return _put_in(tree, body, version != FIRST_FORMAT)
    except (IndexError, ValueError):  # another program made that checksum
        raise TreeError("the snapshot holds what no proof does") from None


def _put_in(tree: Tree, body: bytes, has_work: bool) -> int:
    """Add the moves of an unpacked snapshot; raises IndexError or ValueError if it is
    invalid.
    """
    place = 0

    def get() -> int:
        nonlocal place
        value = body[place]
        place += 1
        if value == LONG:
            value = int.from_bytes(body[place : place + 3], "little")
            place += 3
        return value

    with tree.change():
        count = 1
        waiting: list[tuple[int, Position]] = [(tree.root, tree.start)]
        while waiting:
            number, stones = waiting.pop()
            status = body[place]
            place += 1
            work = get() if status == NEW and has_work else FIRST_PROOF
            leaf_nodes = get() if status == LEAF and has_work else 0
            moves: list[KnownMove] = []
            children: list[tuple[int, Position]] = []
            if status in (OPEN, PROVED):
                attacker, defender = tree.grid.canonical(*stones)[:2]
                for _ in range(get()):
                    cell = get() - len(MORE)
                    move_status = get()
                    guess = get() if move_status == NEW else 0
                    tried = get() if has_work else 0
                    replies: list[tuple[int, int]] = []
                    for _ in range(get()):
                        reply = get()
                        after = attacker | 1 << cell, defender | 1 << reply
                        child, is_new = tree.add(after)
                        replies.append((reply, child))
                        if is_new:
                            count += 1
                            children.append((child, after))
                    moves.append(
                        KnownMove(cell, move_status, guess, tried, tuple(replies))
                    )
            tree.put(number, StoredPosition(status, work, leaf_nodes, tuple(moves)))
            waiting += reversed(children)
        if place != len(body):
            raise ValueError("something follows the last position")
        tree.renew()
    return count


def _put(body: bytearray, number: int) -> None:
    if number < LONG:
        body.append(number)
    else:
        body.append(LONG)
        body += min(number, 0xFFFFFF).to_bytes(3, "little")


def _header(tree: Tree, version: int = FORMAT) -> dict[str, object]:
    attacker, defender = tree.start
    return {
        "proof_in_progress": version,
        **tree.setting,
        "attacker": tree.grid.names(attacker),
        "defender": tree.grid.names(defender),
    }


def _line(header: dict[str, object]) -> bytes:
    return json.dumps(header, sort_keys=True).encode("ascii") + b"\n"
