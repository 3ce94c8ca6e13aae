"""Windows: the raw cells of a line around a point, and the table row of each.

A window of reach r is the point and r cells each way. Its *key* has two bits a cell,
from the lowest on: 0 for a stone of the colour whose view it is, 1 for one of the other
colour, 2 for a wall or a cell off the board, 3 for an empty cell, as in ``game.board``.
Cells behind a wall count as walls, and a window and its mirror image have the same row.
"""

from functools import cache
from typing import Any

from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.features import line_classes

__all__ = ["cells_of_rows", "row_design", "row_numbers"]

Array = Any  # numpy.ndarray

WALL, EMPTY = 2, 3
CLASSES = 14


def row_numbers(reach: int) -> Array:
    """Return the row of each key, -1 if the point is a wall: (4 ** (2 * reach + 1),)
    int32.

    Rows are numbered in the order of their lowest keys: 22,143 for reach 4 and 199,290
    for reach 5.
    """
    import numpy

    length = 2 * reach + 1
    keys = numpy.arange(4**length, dtype=numpy.int32)
    cells = [(keys >> 2 * k & 3).astype(numpy.int8) for k in range(length)]
    for k in range(1, reach + 1):
        for inner, outer in ((reach - k + 1, reach - k), (reach + k - 1, reach + k)):
            if k > 1:
                cells[outer][cells[inner] == WALL] = WALL
    one, two = numpy.zeros_like(keys), numpy.zeros_like(keys)
    for k in range(length):
        one |= cells[k].astype(numpy.int32) << 2 * k
        two |= cells[k].astype(numpy.int32) << 2 * (length - 1 - k)
    lowest = numpy.minimum(one, two)
    lowest[cells[reach] == WALL] = -1
    _, rows = numpy.unique(lowest, return_inverse=True)
    return (rows - 1).astype(numpy.int32)


def cells_of_rows(reach: int) -> Array:
    """Return the cells of each row, from its lowest key: (rows, 2 * reach + 1)
    uint8.
    """
    import numpy

    numbers = row_numbers(reach)
    rows, keys = numpy.unique(numbers, return_index=True)
    keys = keys[rows >= 0]
    length = 2 * reach + 1
    return (keys[:, None] >> 2 * numpy.arange(length) & 3).astype(numpy.uint8)


def keys_of_cells(cells: Array) -> Array:
    """Return the keys, (n,), of cells, (n, length)."""
    import numpy

    return (cells.astype(numpy.int64) << 2 * numpy.arange(cells.shape[1])).sum(1)


@cache  # takes seconds for long windows, and a fit uses the same ones several times
def row_design(reach: int, rule: Rule, view: int = 0) -> tuple[Array, int]:
    """Return (sparse matrix (rows, columns) float32, its first columns that count
    cells).

    The columns are features that rows share, so that rare rows get sensible numbers:
    the number of cells of each content at each distance, the shorter windows inside
    and, if the point is empty, the line classes of its two sides. ``view``: the side
    whose view the rows are; its classes may differ from those of the other side.
    """
    import numpy
    from scipy.sparse import csr_matrix, hstack

    cells = cells_of_rows(reach)
    count = len(cells)
    every = numpy.arange(count)
    ones = numpy.ones(count, numpy.float32)
    contents = numpy.zeros((count, 4 * (reach + 1)), numpy.float32)
    for place in range(2 * reach + 1):
        numpy.add.at(contents, (every, 4 * abs(place - reach) + cells[:, place]), 1)
    parts = [csr_matrix(contents)]
    for inner in range(1, reach):
        numbers = row_numbers(inner)
        within = cells[:, reach - inner : reach + inner + 1]
        rows = numbers[keys_of_cells(within)]
        parts.append(csr_matrix((ones, (every, rows)), (count, numbers.max() + 1)))
    length, table = line_classes(int(rule))
    wide = numpy.full((count, 2 * length + 1), EMPTY, numpy.uint8)
    common = min(length, reach)
    wide[:, length - common : length + common + 1] = cells[
        :, reach - common : reach + common + 1
    ]
    if view == 1:  # the table knows cells by the colour of their stones
        wide = numpy.where(wide < WALL, 1 - wide, wide)
    keys = keys_of_cells(numpy.delete(wide, length, 1))
    classes = numpy.frombuffer(table, numpy.uint8)[keys]
    sides = classes & 15, classes >> 4
    pairs = sides[view] * numpy.int64(CLASSES) + sides[view ^ 1]
    free = numpy.flatnonzero(cells[:, reach] == EMPTY)
    shape = (count, CLASSES * CLASSES)
    parts.append(csr_matrix((ones[free], (free, pairs[free])), shape))
    return hstack(parts, "csr"), contents.shape[1]
