"""Evaluation set by hand: ``data/hand.txt``, values by line class and by rank.

It is used for a rule without shipped weights, and as the scale against which fitted
values are tested. The value of a kind of cell is the sum of the values of its four
classes and its rank.
"""

from array import array

from gomoku_brain.eval.weights import Part, Weights
from gomoku_brain.game.package_data import read_data
from gomoku_brain.game.patterns import CLASS_NAMES

__all__ = [
    "CLASS_NAMES",
    "RANK_NAMES",
    "TEMPO_NAMES",
    "class_tuples",
    "hand_weights",
    "read_hand_values",
]

MAGIC = "gomoku-brain hand weights 1"
RANK_NAMES = (
    "NONE FOUL TWO BLOCKED_THREE TWO_TWO BLOCKED_THREE_PLUS THREE THREE_PLUS THREE_TWO"
    " MAYBE_THREE_TWO MAYBE_FOUR_THREE_TWO FOUR FOUR_PLUS FOUR_THREE FOUR_OPEN FIVE"
).split()
TEMPO_NAMES = (
    "other_five own_open_four other_open_four own_four_three own_four own_three_two"
    " own_three other_four_three other_four other_three_two other_three"
).split()
TEMPO_BITS = len(TEMPO_NAMES)  # as in linear.pxd; a file of another shape is refused

NAMES = {"class": CLASS_NAMES, "rank": RANK_NAMES, "tempo": TEMPO_NAMES}
MOST = 2500  # so a cell's score, ten such numbers, fits into 16 bits

Rows = list[list[int]]


def read_hand_values(text: str | None = None) -> tuple[Rows, Rows, list[int]]:
    """Parse class and rank values (rows of attack, defend, mover, waiter) and tempo
    terms.

    Raises ValueError, with the line, for unexpected or missing content.
    """
    if text is None:
        text = read_data("hand.txt").decode("ascii")
    header, _, body = text.partition("\n")
    if header.rstrip() != MAGIC:
        raise ValueError(f"hand weights: expected {MAGIC!r}, found {header!r}")
    found: dict[tuple[str, str], list[int]] = {}
    for line in body.splitlines():
        words = line.partition("#")[0].split()
        if not words:
            continue
        kind, name = (*words, "")[:2]
        if name and name not in NAMES.get(kind, ()):
            raise ValueError(f"hand weights: unknown line {line!r}")
        try:
            values = [int(word) for word in words[2:]]
        except ValueError:
            values = []
        if (
            not name
            or len(values) != (1 if kind == "tempo" else 4)
            or any(abs(value) > MOST for value in values)
        ):
            raise ValueError(f"hand weights: bad line {line!r}")
        found[kind, name] = values
    for kind, names in NAMES.items():
        for name in names:
            if (kind, name) not in found:
                raise ValueError(f"hand weights: no line for '{kind} {name}'")
    classes = [found["class", name] for name in CLASS_NAMES]
    ranks = [found["rank", name] for name in RANK_NAMES]
    tempo = [found["tempo", name][0] for name in TEMPO_NAMES]
    return classes, ranks, tempo


def class_tuples() -> list[tuple[int, int, int, int]]:
    """Return the four classes of each kind of cell, in the order of the kinds'
    numbers.
    """
    return [
        (a, b, c, d)
        for a in range(len(CLASS_NAMES))
        for b in range(a + 1)
        for c in range(b + 1)
        for d in range(c + 1)
    ]


def hand_weights(rule: int, ranks: list[bytes]) -> Weights:
    """Return the hand-set values as weights of kind "linear" (see ``linear.Linear``).

    ``ranks``: for black and for white, the rank of every kind of cell
    (``linear.kind_ranks``).
    """
    classes, by_rank, tempo = read_hand_values()
    kinds = class_tuples()
    cells = array("h")
    for side in range(2):
        for kind, members in enumerate(kinds):
            for role in range(4):
                cells.append(
                    by_rank[ranks[side][kind]][role]
                    + sum(classes[member][role] for member in members)
                )
    terms = array("h")
    for index in range(1 << TEMPO_BITS):
        terms.append(sum(tempo[k] for k in range(TEMPO_BITS) if index >> k & 1))
    return Weights(
        "linear",
        rule,
        {
            "cells": Part((2, len(kinds), 4), cells.tobytes()),
            "tempo": Part((2, len(terms)), 2 * terms.tobytes()),
        },
    )
