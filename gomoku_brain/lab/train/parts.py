"""Conversion of fitted weights to the integers of a weights file, and back.

A fit works in logits; the file holds score units and move score units
(``docs/WEIGHTS.md``).
"""

from typing import Any

from gomoku_brain.eval.hand_weights import MOST, TEMPO_BITS
from gomoku_brain.eval.weights import Part, Weights
from gomoku_brain.lab.train.features import COUNT_OF_KINDS

__all__ = [
    "UNIT",
    "array_of",
    "choices_of",
    "linear_counts",
    "linear_fit",
    "linear_parts",
    "part_of",
    "rounded_together",
    "some_of",
]

Array = Any  # numpy.ndarray; numpy is imported late

UNIT = 320.0  # evaluation units per logit: 100 units = 58 % of the points
CHOICE_UNIT = 64.0  # move score units per logit
LEAST_GAIN = 0.01  # of the mean squared error, in square units, for which one moves
MOST_ROUNDED = 50_000  # positions whose values rounding keeps


def check_finite(values: Array) -> None:
    """Raise ValueError for numbers that are not finite: the end of a fit at too high a
    rate.
    """
    import numpy

    if not numpy.isfinite(values).all():
        raise ValueError("the fit diverged: no file is written; try a lower --rate")


def part_of(values: Array, limit: int) -> Part:
    """Return numbers as a part of a weights file: rounded, and clipped to +-``limit``.

    Raises ValueError for numbers that are not finite.
    """
    import numpy

    check_finite(values)
    numbers = numpy.clip(numpy.rint(values), -limit, limit).astype(numpy.int16)
    return Part(numbers.shape, numbers.tobytes())


def some_of(positions: Array) -> Array:
    """Return every k-th of the positions, MOST_ROUNDED at most, to round values by."""
    step = -(-len(positions) // MOST_ROUNDED)
    return positions[::step].copy()  # compiled code reads it


def linear_counts(kinds: Array, tempo: Array, terms: int) -> Array:
    """Return how often each linear evaluation has each number, as sparse columns.

    ``kinds``: sparse rows, how often a position has each kind; ``tempo``: the one of
    ``terms`` tempo terms that it has. The columns of the terms are the last.
    """
    import numpy
    from scipy.sparse import csr_matrix, hstack

    rows = (numpy.ones(len(tempo)), tempo, numpy.arange(len(tempo) + 1))
    return hstack([kinds, csr_matrix(rows, (len(tempo), terms))], "csc", float)


def rounded_together(numbers: Array, counts: Array, errors: Array) -> Array:
    """Return whole numbers, each next to its number, whose sums are near the numbers'.

    A common kind of cell is in the value of a position some hundred times, and so is
    the rounding error of its number. Of three files with the nearest integers the
    values were 14, 25 and 51 units off in the mean. So, from the nearest ones on, that
    integer moves to the other side of its number which lowers the squared errors most,
    as long as one lowers them enough.

    ``counts``: how often each sum has each number (``linear_counts``); ``errors``: of
    the sums with the nearest integers, with all that the integers should make good.
    Raises ValueError for errors that are not finite.
    """
    import numpy

    check_finite(errors)
    numbers = numpy.clip(numbers, -MOST, MOST)
    whole, errors = numpy.rint(numbers), errors.astype(float)
    squares = numpy.asarray(counts.multiply(counts).sum(0)).ravel()
    while len(errors):
        step = numpy.sign(numpy.rint(100 * (numbers - whole)))  # 0: it is an integer
        change = step * (counts.T @ errors) + step * step * squares / 2
        k = int(change.argmin())
        if change[k] > -LEAST_GAIN / 2 * len(errors):
            break
        errors += step[k] * counts[:, [k]].toarray()[:, 0]
        whole[k] += step[k]
    return whole


def array_of(part: Part) -> Array:
    """Return the numbers of a part as floats, in its shape."""
    import numpy

    return numpy.frombuffer(part.numbers, numpy.int16).reshape(part.shape).astype(float)


def linear_fit(weights: Weights) -> list[tuple[Array, Array]]:
    """Return the linear fit of a weights file: [side](rows of four roles, tempo) in
    logits.

    It is the inverse of ``linear_parts``. Raises ValueError, in one line, for parts
    that are missing or of another shape.
    """
    import numpy

    units = numpy.array([CHOICE_UNIT, CHOICE_UNIT, UNIT, UNIT])
    cells = array_of(weights.part("cells", (2, COUNT_OF_KINDS, len(units))))
    tempo = array_of(weights.part("tempo", (2, 1 << TEMPO_BITS)))
    return [(cells[side] / units, tempo[side] / UNIT) for side in range(2)]


def linear_parts(
    values: list[list[Array]], choices: list[list[Array]]
) -> dict[str, Part]:
    """Return both fits as the parts of the linear evaluation (see ``eval.linear``)."""
    import numpy

    cells = [
        numpy.stack(
            [attack * CHOICE_UNIT, defend * CHOICE_UNIT, mover * UNIT, waiter * UNIT], 1
        )
        for (mover, waiter, _), (attack, defend) in zip(values, choices, strict=True)
    ]
    tempo = [side[2] * UNIT for side in values]
    return {
        "cells": part_of(numpy.stack(cells), MOST),
        "tempo": part_of(numpy.stack(tempo), MOST),
    }


def choices_of(weights: Weights) -> list[list[Array]]:
    """Return the move scores of a weights file: [side][attack, defend] in logits."""
    return [[rows[:, 0], rows[:, 1]] for rows, _ in linear_fit(weights)]
