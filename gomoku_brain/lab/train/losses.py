"""What a fit aims at, and how well it does: targets, losses, held-out games.

A *target* is the result of a game, mixed with what the search thought of the position.
Losses are mean cross-entropies in nats.
"""

from collections.abc import Callable
from typing import Any

__all__ = [
    "held_out_figures",
    "is_held_out",
    "logistic_scale",
    "loss_of",
    "shown",
    "sigmoid",
    "target_of",
]

Array = Any  # numpy.ndarray; numpy is imported late


def is_held_out(game: Array) -> Array:
    """One game in ten is kept from the fit, to validate it on."""
    return game % 10 == 0


def sigmoid(z: Array) -> Array:
    """1 / (1 + exp(-z)), without overflow."""
    import numpy

    half: Array = numpy.tanh(z / 2)
    return 0.5 * (1 + half)


def logistic_scale(score: Array, result: Array) -> float:
    """Score units per logit that explain the results best, by bisection."""
    low, high = 20.0, 2000.0
    for _ in range(40):
        scale = (low * high) ** 0.5
        slope = float(((sigmoid(score / scale) - result) * score).mean())
        low, high = (scale, high) if slope > 0 else (low, scale)
    return float(scale)


def target_of(
    score: Array,
    result: Array,
    fitted: Array,
    mix: float,
    opinion: Callable[[float], Array] | None = None,
) -> tuple[Array, float]:
    """(target of every position, score units per logit).

    ``mix``: share of the search's opinion, which is all where the result is not a
    number. ``fitted``: the positions whose results say what a score is worth.
    ``opinion``: takes the score units per logit and gives what the search thought of
    each position, 0 to 1; by default that is its score. ValueError when no fitted
    position has a result.
    """
    import numpy

    known = fitted & ~numpy.isnan(result)
    if not known.any():
        raise ValueError("no position has a result, so no score can be read: add games")
    scale = logistic_scale(score[known], result[known])
    thought = opinion(scale) if opinion else sigmoid(score / scale)
    mixed = mix * thought + (1 - mix) * result
    return numpy.where(numpy.isnan(result), thought, mixed), scale


def loss_of(logits: Array, aim: Array) -> float:
    """Mean cross-entropy in nats."""
    import numpy

    z = logits.astype(float)
    return float((numpy.logaddexp(0, z) - aim * z).mean())


def held_out_figures(
    logits: Array, target: Array, score: Array, result: Array, scale: float
) -> dict[str, float]:
    """The losses of a fit on the held-out positions, and the search's beside them."""
    return {
        "held-out loss": loss_of(logits, target),
        "held-out loss of results": loss_of(logits, result),
        "the search's": loss_of(score / scale, result),
    }


def shown(figures: dict[str, float]) -> str:
    """Figures as one line."""
    return ", ".join(f"{name} {value:.5g}" for name, value in figures.items())
