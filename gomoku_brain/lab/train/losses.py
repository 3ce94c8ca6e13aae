"""Targets, losses and held-out games of a fit.

A *target* is the result of a game, mixed with the search's score of the position.
Losses are mean cross-entropies in nats.
"""

from collections.abc import Callable
from typing import Any

__all__ = [
    "LOST",
    "UNPLAYED",
    "WON",
    "aligned_loss_of",
    "held_out_figures",
    "is_held_out",
    "logistic_scale",
    "loss_of",
    "result_of",
    "returns_of",
    "shown",
    "sigmoid",
    "target_of",
]

Array = Any  # numpy.ndarray; numpy is imported late

WON, LOST = 32767, -32767  # score of a proved win or loss
UNPLAYED = 2  # outcome of a position from which no game was played


def is_held_out(game: Array) -> Array:
    """Whether each game is held out to validate the fit; one game in ten is."""
    return game % 10 == 0


def sigmoid(z: Array) -> Array:
    """Return 1 / (1 + exp(-z)), without overflow."""
    import numpy

    half: Array = numpy.tanh(z / 2)
    return 0.5 * (1 + half)


def logistic_scale(score: Array, result: Array) -> float:
    """Return the score units per logit that explain the results best, by bisection."""
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
    """Return (target of every position, score units per logit).

    ``mix``: share of the search's opinion; the whole target if the result is not a
    number. ``fitted``: positions from which the score units per logit are fitted.
    ``opinion``: function from the score units per logit to the search's opinion of each
    position, 0 to 1; by default that of its score.

    Raises ValueError if no fitted position has a result.
    """
    import numpy

    known = fitted & ~numpy.isnan(result)
    if not known.any():
        raise ValueError("no position has a result to scale the scores by: add games")
    scale = logistic_scale(score[known], result[known])
    thought = opinion(scale) if opinion else sigmoid(score / scale)
    mixed = mix * thought + (1 - mix) * result
    return numpy.where(numpy.isnan(result), thought, mixed), scale


def result_of(outcome: Array, side: Array) -> Array:
    """Return 1, 0.5 or 0 for the side to move; not a number if no game was played.

    ``outcome``: 1, 0 or -1 for black, or UNPLAYED. ``side``: 0 if black is to move.
    """
    import numpy

    found = ((outcome * (1 - 2 * side) + 1) / 2).astype(numpy.float32)
    found[outcome == UNPLAYED] = numpy.nan
    return found


def returns_of(
    score: Array,
    shaken: Array,
    ply: Array,
    start: Array,
    outcome: Array,
    scale: float,
    decay: float,
) -> Array:
    """Return the opinion of the later searches of the game on each position, 0 to 1.

    It is the return of TD(lambda) (Sutton 1988) with lambda = ``decay``: the search's
    own opinion has the weight 1 - lambda, and the return of the position after the
    move, from the other side, has lambda. The search's own opinion has the full weight
    if it is proved, if its move was not played, and for a position without a game.
    After the last move the result takes the place of the next return.

    The positions of game g are those from ``start[g]`` to ``start[g + 1]``.
    ``shaken``: 1 if another move than that of the search was played. ``outcome``:
    result of each game for black, or UNPLAYED. ``scale``: score units per logit.
    """
    import numpy

    begin, end = numpy.asarray(start[:-1]), numpy.asarray(start[1:])
    score, ply = numpy.asarray(score), numpy.asarray(ply)
    value = sigmoid(score.astype(float) / scale)
    value[score == WON], value[score == LOST] = 1, 0
    proved = numpy.abs(score.astype(int)) >= WON  # or a move of the opening
    black = numpy.asarray(outcome)
    played = numpy.repeat(black != UNPLAYED, end - begin)
    chained = (numpy.asarray(shaken) == 0) & ~proved & played
    for back in range(1, int((end - begin).max(initial=0)) + 1):
        games = numpy.flatnonzero(end - begin >= back)
        at = end[games] - back
        games, at = games[chained[at]], at[chained[at]]
        if back == 1:
            to_move = 1 - 2 * (ply[at].astype(int) & 1)
            follows = (black[games] * to_move + 1) / 2
        else:
            follows = 1 - value[at + 1]
        value[at] = (1 - decay) * value[at] + decay * follows
    return value


def loss_of(logits: Array, aim: Array) -> float:
    """Return the mean cross-entropy in nats."""
    import numpy

    z = logits.astype(float)
    return float((numpy.logaddexp(0, z) - aim * z).mean())


def aligned_loss_of(logits: Array, aim: Array) -> float:
    """Return the loss after the best scale and constant of the logits.

    Evaluations are compared by it: another unit, or more for the side to move, lowers
    the loss of some positions as far as a fit, and hardly shows in games.
    """
    from scipy.optimize import minimize

    z = logits.astype(float)
    return float(minimize(lambda x: loss_of(x[0] * z + x[1], aim), (1.0, 0.0)).fun)


def held_out_figures(
    logits: Array, target: Array, score: Array, result: Array, scale: float
) -> dict[str, float]:
    """Return the losses of a fit on the held-out positions, and those of the search."""
    return {
        "held-out loss": loss_of(logits, target),
        "held-out loss of results": loss_of(logits, result),
        "the search's": loss_of(score / scale, result),
    }


def shown(figures: dict[str, float]) -> str:
    """Format figures as one line."""
    return ", ".join(f"{name} {value:.5g}" for name, value in figures.items())
