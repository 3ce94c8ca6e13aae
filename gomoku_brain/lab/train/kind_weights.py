"""Weights of the kinds of cells as sums that a fit can find from few games.

A kind's weight is the sum of its four classes' weights, its rank's weight and a rest of
its own. The rests are pulled towards 0, so that kinds which hardly ever occur get
sensible weights from their classes and rank.
"""

from typing import Any

from gomoku_brain.eval.hand_weights import (
    CLASS_NAMES,
    RANK_NAMES,
    TEMPO_BITS,
    class_tuples,
)
from gomoku_brain.eval.linear import kind_ranks
from gomoku_brain.game.rules import Rule

__all__ = ["TEMPO_BITS", "Blocks", "design", "tempo_design"]

Array = Any  # numpy.ndarray; numpy is imported late

CLASSES, RANKS = len(CLASS_NAMES), len(RANK_NAMES)


def design(rule: Rule, side: int) -> Array:
    """(kinds, CLASSES + RANKS): a kind's classes and its rank."""
    import numpy

    rows = numpy.zeros((len(class_tuples()), CLASSES + RANKS))
    for kind, members in enumerate(class_tuples()):
        for member in members:
            rows[kind, member] += 1
    ranks = numpy.frombuffer(kind_ranks(int(rule), side), numpy.uint8)
    rows[numpy.arange(len(rows)), CLASSES + ranks] = 1
    return rows


def tempo_design() -> Array:
    """(2048, 11): the bits of every tempo index."""
    import numpy

    index = numpy.arange(1 << TEMPO_BITS)
    return (index[:, None] >> numpy.arange(TEMPO_BITS) & 1).astype(float)


class Blocks:
    """Weights of kinds as functions of the numbers that are fitted."""

    def __init__(self, designs: list[Array], prior: list[Array] | None) -> None:
        """``prior``: where the fit starts and is pulled to; None: 0."""
        self.designs = designs
        self.prior = prior or [0.0] * len(designs)
        self.coarse = [shape.shape[1] for shape in designs]
        self.rows = [shape.shape[0] for shape in designs]
        self.size = sum(self.coarse) + sum(self.rows)

    def weights(self, u: Array) -> list[Array]:
        """The weights of all kinds, a block each, for the numbers ``u``."""
        out, at = [], 0
        for shape, prior in zip(self.designs, self.prior, strict=True):
            rows, coarse = shape.shape
            rest = u[at + coarse : at + coarse + rows]
            out.append(prior + shape @ u[at : at + coarse] + rest)
            at += coarse + rows
        return out

    def gradient(self, grads: list[Array]) -> Array:
        """The gradient by ``u`` of what has the gradients ``grads`` by the weights."""
        import numpy

        parts = []
        for shape, grad in zip(self.designs, grads, strict=True):
            parts += [shape.T @ grad, grad]
        return numpy.concatenate(parts)

    def penalty(self, fine: float, coarse_penalty: float) -> Array:
        """What the square of each number costs: a kind's rest, or what kinds share."""
        import numpy

        parts = []
        for coarse, rows in zip(self.coarse, self.rows, strict=True):
            parts += [numpy.full(coarse, coarse_penalty), numpy.full(rows, fine)]
        return numpy.concatenate(parts)
