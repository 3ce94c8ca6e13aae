"""Positions of self-play as short rows on disk, for a teacher.

A folder holds the lines of one file of ``selfplay`` or ``evaluated``, in the order of
their numbers (``pack`` makes it). A row is a move that a search chose, and the position
before it. It has no stones, only the place of its moves: those of a game stand there
once for all its rows, and the positions of a line of ``evaluated`` share the moves of
the first one. A position takes some 15 bytes, of ``evaluated`` some 30. The arrays are
mapped into memory, not loaded.

The *positions* of a folder are those rows that a static evaluation could meet: the same
ones, in the same order, as those of ``samples`` made of the same file. This module
reads them without a compiled module; only the kinds of their cells and their static
evaluations need one.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gomoku_brain.lab.train.losses import (
    UNPLAYED,
    is_held_out,
    result_of,
    returns_of,
)

if TYPE_CHECKING:
    from gomoku_brain.eval.evaluate import BoardEvaluator
    from gomoku_brain.game.rules import Rule

__all__ = [
    "LABELS",
    "LABEL_UNIT",
    "Packed",
    "Positions",
    "fingerprint",
    "images",
    "labels_in",
    "open_packed",
]

Array = Any  # numpy.ndarray; numpy is imported late

HEADER = "packed.json"
VERSION = 1
TYPES = {
    "number": "<i4",
    "size": "u1",
    "outcome": "i1",
    "move_start": "<i8",
    "row_end": "<i8",
    "moves": "<u2",
    "at": "<u2",
    "ply": "<u2",
    "shared": "<u2",
    "score": "<i2",
    "shaken": "u1",
    "counts": "u1",
}
LINES_AT_ONCE = 20_000  # whose returns are computed together
LABELS = "labels.json"
LABEL_UNIT = 65535  # label of an opinion of 1


@dataclass(slots=True)
class Packed:
    """Arrays of lines (up to ``row_end``), moves, and rows (from ``at``)."""

    number: Array
    """Number of each line."""
    size: Array
    """Cells along a side of each line's board."""
    outcome: Array
    """Result of each line's game for black: 1, 0 or -1; UNPLAYED if there is none."""
    move_start: Array
    """Start of each line in ``moves``."""
    row_end: Array
    """End of each line's rows."""
    moves: Array
    """Cells, y * size + x."""
    at: Array
    """Place of each row's move, from the start of its line's moves. The moves before it
    stand before it, except for the shared ones.
    """
    ply: Array
    """Number of stones on the board; black is to move if it is even."""
    shared: Array
    """Number of the row's first moves that stand at the start of its line's moves."""
    score: Array
    """Score of the search for the side to move, in evaluation units; WON, LOST."""
    shaken: Array
    """1 if another move than that of the search was played, else 0."""
    counts: Array
    """1 for a position that a static evaluation could meet, else 0."""

    def line_of(self, row: Array) -> Array:
        """Return the line of each row."""
        import numpy

        return numpy.searchsorted(self.row_end, row, "right")

    def stones(self, row: Array, size: int, image: Array) -> tuple[Array, Array]:
        """Return (stones, move) of rows on boards of one size.

        ``stones`` has size x size cells a row: 0 empty, 1 the mover's, 2 the other's.
        ``image``: number of the symmetry (``images``) of each row.
        """
        import numpy

        line = self.line_of(row)
        ply = self.ply[row].astype(int)
        count = ply + 1  # the stones and the move
        end = numpy.cumsum(count)
        which = numpy.repeat(numpy.arange(len(row)), count)
        number = numpy.arange(end[-1]) - (end - count)[which]
        begin = self.move_start[line]
        index = (begin + self.at[row] - ply)[which] + number
        common = numpy.flatnonzero(number < self.shared[row][which])
        index[common] = begin[which[common]] + number[common]
        cell = images(size)[image[which], self.moves[index]]
        stones = numpy.zeros((len(row), size * size), numpy.uint8)
        stones[which, cell] = 1 + (ply[which] - number & 1)
        move = cell[end - 1]
        stones[numpy.arange(len(row)), move] = 0
        return stones, move

    def returns(self, scale: float, decay: float) -> Array:
        """Return the opinion on each row; see ``losses.returns_of``."""
        import numpy

        found = numpy.zeros(len(self.at), numpy.float32)
        for first in range(0, len(self.row_end), LINES_AT_ONCE):
            begin = int(self.row_end[first - 1]) if first else 0
            ends = numpy.asarray(self.row_end[first : first + LINES_AT_ONCE])
            rows = slice(begin, int(ends[-1]))
            found[rows] = returns_of(
                self.score[rows],
                self.shaken[rows],
                self.ply[rows],
                numpy.concatenate(([0], ends - begin)),
                self.outcome[first : first + len(ends)],
                scale,
                decay,
            )
        return found


@cache
def images(size: int) -> Array:
    """Return the cell of each symmetric image of each cell, (8, size x size)."""
    import numpy

    board = numpy.arange(size * size).reshape(size, size)
    turned = [numpy.rot90(board, k) for k in range(4)]
    both = [image.ravel() for one in turned for image in (one, one[:, ::-1])]
    return numpy.argsort(both, 1)


def open_packed(folder: Path) -> Packed:
    """Map the arrays of a folder. ValueError for another version."""
    import numpy

    header = json.loads((folder / HEADER).read_text("ascii"))
    if header["version"] != VERSION:
        raise ValueError(f"{folder}: no packed positions in format {VERSION}")
    arrays = {}
    for field in fields(Packed):
        name, length = field.name, header["lengths"][field.name]
        if length:
            mapped = numpy.memmap(folder / name, TYPES[name], "r", shape=(length,))
            arrays[name] = mapped.view(numpy.ndarray)
        else:
            arrays[name] = numpy.zeros(0, TYPES[name])
    return Packed(**arrays)


class Positions:
    """Positions of several folders, one after the other, with their small columns in
    memory.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        """Open the folders. OSError, and ValueError for a folder of another kind."""
        import numpy

        self.packs = [open_packed(folder) for folder in folders]
        rules = {json.loads((f / HEADER).read_text("ascii"))["rule"] for f in folders}
        if len(rules) != 1:
            raise ValueError(f"positions of several rules: {', '.join(sorted(rules))}")
        (self.rule,) = rules
        rows = [
            numpy.flatnonzero(pack.counts).astype(numpy.uint32) for pack in self.packs
        ]
        lines = [pack.line_of(row) for pack, row in zip(self.packs, rows, strict=True)]
        self.row = numpy.concatenate(rows)
        self.pack = numpy.repeat(
            numpy.arange(len(rows), dtype=numpy.uint8), [len(row) for row in rows]
        )

        def joined(name: str, index: list[Array]) -> Array:
            return numpy.concatenate(
                [
                    getattr(pack, name)[i]
                    for pack, i in zip(self.packs, index, strict=True)
                ]
            )

        self.size = joined("size", lines)
        self.number = joined("number", lines)
        self.score = joined("score", rows)
        self.ply = joined("ply", rows)
        outcome = joined("outcome", lines)
        self.held_out = is_held_out(self.number)
        self.played = outcome != UNPLAYED
        self.result = result_of(outcome, (self.ply & 1).astype("i1"))

    def __len__(self) -> int:
        return len(self.row)

    def fingerprint(self, count: int | None = None) -> str:
        """Return ``fingerprint`` of the first ``count`` positions, or of all."""
        return fingerprint(self.number[:count], self.ply[:count], self.score[:count])

    def returns(self, scale: float, decay: float) -> Array:
        """Return the opinion on each position; see ``losses.returns_of``."""
        import numpy

        found = numpy.zeros(len(self), numpy.float32)
        for k, pack in enumerate(self.packs):
            mine = self.pack == k
            found[mine] = pack.returns(scale, decay)[self.row[mine]]
        return found

    def stones(self, positions: Array, image: Array) -> tuple[Array, Array]:
        """Return ``Packed.stones`` of positions on boards of one size."""
        import numpy

        size = int(self.size[positions[0]])
        stones = numpy.zeros((len(positions), size * size), numpy.uint8)
        move = numpy.zeros(len(positions), numpy.int64)
        for k in numpy.unique(self.pack[positions]):
            mine = numpy.flatnonzero(self.pack[positions] == k)
            stones[mine], move[mine] = self.packs[k].stones(
                self.row[positions[mine]], size, image[mine]
            )
        return stones, move

    def kinds(self, positions: Array, stones: Array) -> Array:
        """Return the kinds of the cells of ``stones``, (positions, cells, 2): the
        mover's and the other side's.

        ``stones`` are those of these positions, any image of them.
        """
        import numpy

        from gomoku_brain.lab.train.features import kinds_of_stones

        found = kinds_of_stones(*self._boards(positions, stones))
        return numpy.frombuffer(found, "<u2").reshape(*stones.shape, 2)

    def values(
        self, positions: Array, stones: Array, evaluator: "BoardEvaluator"
    ) -> Array:
        """Return the static evaluations of ``stones`` for the mover, in logits.

        ``stones`` are those of these positions, any image of them.
        """
        import numpy

        from gomoku_brain.lab.train.features import values_of_stones
        from gomoku_brain.lab.train.parts import UNIT

        found = values_of_stones(*self._boards(positions, stones), evaluator)
        return numpy.array(found, numpy.float32) / numpy.float32(UNIT)

    def _boards(
        self, positions: Array, stones: Array
    ) -> "tuple[bytes, bytes, int, Rule]":
        """Return the arguments by which ``features`` reads positions."""
        import numpy

        from gomoku_brain.game.rules import Rule

        movers = (self.ply[positions] & 1).astype(numpy.uint8)
        size = int(self.size[positions[0]])
        return stones.tobytes(), movers.tobytes(), size, Rule[self.rule]


def fingerprint(number: Array, ply: Array, score: Array) -> str:
    """Return a checksum by which positions are recognized, in hexadecimal."""
    import numpy

    digest = hashlib.sha256()
    for part, kind in ((number, "<i4"), (ply, "<u2"), (score, "<i2")):
        digest.update(numpy.ascontiguousarray(part, kind).data)
    return digest.hexdigest()


def labels_in(folder: Path) -> tuple[Array, dict[str, Any]]:
    """Return (opinions, 0 to 1, header) of a folder of ``teacher_labels``.

    The header has the ``fingerprint`` of the positions. Raises OSError, and ValueError
    for labels that are not complete.
    """
    import numpy

    header = json.loads((folder / LABELS).read_text("ascii"))
    if not header.keys() >= {"positions", "fingerprint"}:
        raise ValueError(f"{folder / LABELS}: not of labels, or damaged")
    paths = sorted(folder.glob("labels-*.bin"))
    parts = [numpy.fromfile(path, "<u2") for path in paths]
    labels = numpy.concatenate([numpy.zeros(0, "<u2"), *parts])
    if len(labels) != header["positions"]:
        raise ValueError(
            f"{folder}: {len(labels)} labels of {header['positions']}: finish them"
        )
    return labels.astype(numpy.float32) / LABEL_UNIT, header
