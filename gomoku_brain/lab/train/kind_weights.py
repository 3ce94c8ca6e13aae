"""Weights of the kinds of cells, as sums that few games suffice to fit.

The weight of a kind is the sum of the weights of its four classes, the weight of its
rank and a rest of its own. The rests are pulled towards 0, so kinds that hardly ever
occur get sensible weights from their classes and rank.
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
    """Return the classes and the rank of each kind, as (kinds, CLASSES + RANKS)."""
    import numpy

    members = numpy.array(class_tuples())
    rows = numpy.zeros((len(members), CLASSES + RANKS))
    numpy.add.at(rows, (numpy.arange(len(members))[:, None], members), 1)
    ranks = numpy.frombuffer(kind_ranks(int(rule), side), numpy.uint8)
    rows[numpy.arange(len(rows)), CLASSES + ranks] = 1
    return rows


def tempo_design() -> Array:
    """Return the bits of every tempo index, as (2048, 11)."""
    import numpy

    index = numpy.arange(1 << TEMPO_BITS)
    return (index[:, None] >> numpy.arange(TEMPO_BITS) & 1).astype(float)


class Blocks:
    """Weights of kinds as functions of the fitted numbers."""

    def __init__(self, designs: list[Array], prior: list[Array] | None) -> None:
        """Create the blocks; the fit starts at ``prior`` and is pulled towards it
        (None: 0).
        """
        self.designs = designs
        self.prior = prior or [0.0] * len(designs)
        self.coarse = [shape.shape[1] for shape in designs]
        self.rows = [shape.shape[0] for shape in designs]
        self.size = sum(self.coarse) + sum(self.rows)

    def weights(self, u: Array) -> list[Array]:
        """Return the weights of all kinds, block by block, for the numbers ``u``."""
        out, at = [], 0
        for shape, prior in zip(self.designs, self.prior, strict=True):
            rows, coarse = shape.shape
            rest = u[at + coarse : at + coarse + rows]
            out.append(prior + shape @ u[at : at + coarse] + rest)
            at += coarse + rows
        return out

    def gradient(self, grads: list[Array]) -> Array:
        """Return the gradient with respect to ``u``, from the gradients by the
        weights.
        """
        import numpy

        parts = []
        for shape, grad in zip(self.designs, grads, strict=True):
            parts += [shape.T @ grad, grad]
        return numpy.concatenate(parts)

    def penalty(self, fine: float, coarse_penalty: float) -> Array:
        """Return the penalty factor of each number, which differs for a kind's own rest
        and for what kinds share.
        """
        import numpy

        parts = []
        for coarse, rows in zip(self.coarse, self.rows, strict=True):
            parts += [numpy.full(coarse, coarse_penalty), numpy.full(rows, fine)]
        return numpy.concatenate(parts)
