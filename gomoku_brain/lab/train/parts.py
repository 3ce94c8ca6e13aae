"""Conversion of fitted weights to the integers of a weights file, and back.

A fit works in logits; the file holds score units and move score units
(``docs/WEIGHTS.md``).
"""

from typing import Any

from gomoku_brain.eval.hand_weights import MOST, TEMPO_BITS
from gomoku_brain.eval.weights import Part, Weights
from gomoku_brain.lab.train.features import COUNT_OF_KINDS

__all__ = [
    "ROUNDED",
    "UNIT",
    "array_of",
    "choices_of",
    "linear_fit",
    "linear_parts",
    "part_of",
    "rounded_together",
]

Array = Any  # numpy.ndarray; numpy is imported late

UNIT = 320.0  # evaluation units per logit: 100 units = 58 % of the points
CHOICE_UNIT = 64.0  # move score units per logit
LEAST_GAIN = 0.005  # squared units a sum, halved, for which an integer moves
ROUNDED = 50_000  # fitted positions, at most, whose values rounding keeps


def part_of(values: Array, limit: int) -> Part:
    """Return numbers as a part of a weights file: rounded, and clipped to +-``limit``.

    Raises ValueError for numbers that are not finite, the end of a fit at too high a
    rate.
    """
    import numpy

    if not numpy.isfinite(values).all():
        raise ValueError("the fit diverged: no file is written; try a lower --rate")
    numbers = numpy.clip(numpy.rint(values), -limit, limit).astype(numpy.int16)
    return Part(numbers.shape, numbers.tobytes())


def rounded_together(numbers: Array, counts: Array, errors: Array) -> Array:
    """Return integers, each next to its number, whose sums are near those of the
    numbers.

    A kind of most cells of a board has its rounding error some hundred times in every
    sum: rounded one by one, the numbers of whole files were 14 to 51 units off in the
    mean. So, from the nearest integers on, the one is moved to the other side of its
    number whose move lowers the squares of the errors most, until none does.

    ``counts``: sparse columns, how often each number is in each sum; ``errors``: of the
    sums of the nearest integers, with anything else that they should make good.
    """
    import numpy

    whole, errors = numpy.rint(numbers), errors.astype(float)
    squares = numpy.asarray(counts.multiply(counts).sum(0)).ravel()
    while True:
        step = numpy.sign(numpy.rint(100 * (numbers - whole)))  # 0: it is an integer
        change = step * (counts.T @ errors) + step * step * squares / 2
        k = int(change.argmin())
        if change[k] > -LEAST_GAIN * len(errors):
            return whole
        errors += step[k] * counts[:, [k]].toarray()[:, 0]
        whole[k] += step[k]


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
