"""Fitted weights as the integers of a weights file, and back.

A fit works in logits; the file holds score units and move score units
(docs/WEIGHTS.md).
"""

from typing import Any

from gomoku_brain.eval.hand_weights import MOST
from gomoku_brain.eval.weights import Part, Weights

__all__ = [
    "UNIT",
    "array_of",
    "choices_of",
    "linear_fit",
    "linear_parts",
    "network_parts",
    "network_sets",
    "part_of",
]

Array = Any  # numpy.ndarray; numpy is imported late

UNIT = 320.0  # evaluation units per logit: 100 units = 58 % of the points
CHOICE_UNIT = 64.0  # move score units per logit
# Fixed point of the network's numbers, as in eval/network.pyx.
ROW_UNIT, HIDDEN_UNIT, OUTPUT_UNIT = 512, 256, 16
NETWORK_LIMIT = 32767


def part_of(values: Array, limit: int) -> Part:
    """Numbers as a part of a weights file: rounded, and cut to +-``limit``."""
    import numpy

    numbers = numpy.clip(numpy.rint(values), -limit, limit).astype(numpy.int16)
    return Part(numbers.shape, numbers.tobytes())


def array_of(part: Part) -> Array:
    """The numbers of a part as floats, in its shape."""
    import numpy

    return numpy.frombuffer(part.numbers, numpy.int16).reshape(part.shape).astype(float)


def linear_fit(weights: Weights) -> list[tuple[Array, Array]]:
    """The inverse of ``linear_parts``: [side](rows of four roles, tempo), logits."""
    import numpy

    units = numpy.array([CHOICE_UNIT, CHOICE_UNIT, UNIT, UNIT])
    cells, tempo = (array_of(weights.parts[name]) for name in ("cells", "tempo"))
    return [(cells[side] / units, tempo[side] / UNIT) for side in range(2)]


def linear_parts(
    values: list[list[Array]], choices: list[list[Array]]
) -> dict[str, Part]:
    """Both fits as the parts of the linear evaluation (see ``eval.linear``)."""
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
    """[side][attack, defend]: the move scores of a weights file, in logits."""
    return [[rows[:, 0], rows[:, 1]] for rows, _ in linear_fit(weights)]


def network_parts(sets: list[dict[str, Array]]) -> dict[str, Part]:
    """The parts of the network (see ``eval.network``), a set a side to move."""
    import numpy

    def stacked(name: str, unit: float) -> Part:
        return part_of(numpy.stack([part[name] * unit for part in sets]), NETWORK_LIMIT)

    rows = [numpy.stack([part["own"], part["other"]]) * ROW_UNIT for part in sets]
    return {
        "rows": part_of(numpy.stack(rows), NETWORK_LIMIT),
        "bias": stacked("bias", ROW_UNIT),
        "hidden": stacked("hidden", HIDDEN_UNIT),
        "hidden_bias": stacked("hidden_bias", HIDDEN_UNIT),
        "output": stacked("output", OUTPUT_UNIT * UNIT),
    }


def network_sets(weights: Weights) -> list[dict[str, Array]]:
    """The inverse, with the linear values: [side to move] of parameters, logits."""
    sides = linear_fit(weights)
    rows = array_of(weights.parts["rows"]) / ROW_UNIT
    units = {
        "bias": ROW_UNIT,
        "hidden": HIDDEN_UNIT,
        "hidden_bias": HIDDEN_UNIT,
        "output": OUTPUT_UNIT * UNIT,
    }
    rest = {name: array_of(weights.parts[name]) / unit for name, unit in units.items()}
    found = []
    for side in range(2):
        chosen = side % len(rows)
        found.append(
            {name: numbers[chosen] for name, numbers in rest.items()}
            | {
                "own": rows[chosen][0],
                "other": rows[chosen][1],
                "mover": sides[side][0][:, 2],
                "tempo": sides[side][1],
                "waiter": sides[side ^ 1][0][:, 3],
            }
        )
    return found
