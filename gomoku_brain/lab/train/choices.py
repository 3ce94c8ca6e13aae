"""Fit of the move scores: a softmax over the possible moves predicts the move played.

The logits are the move scores. The problem is convex and solved by L-BFGS from a fixed
start, so a run is deterministic.
"""

from collections.abc import Callable
from typing import Any

from gomoku_brain.eval.hand_weights import class_tuples
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.dataset import Dataset
from gomoku_brain.lab.train.kind_weights import Blocks, design
from gomoku_brain.lab.train.losses import is_held_out
from gomoku_brain.runs.run_options import ProgressWriter

__all__ = ["fit_choices", "minimise"]

Array = Any  # numpy.ndarray; numpy is imported late


def minimise(
    loss: Callable[[Array], tuple[float, Array]], size: int, steps: int, name: str
) -> Array:
    """Minimise a loss by L-BFGS from 0, and report the progress."""
    import numpy
    from scipy.optimize import minimize

    count = 0
    progress_writer = ProgressWriter()

    def show(intermediate_result: Any) -> None:  # noqa: ANN401 - scipy's name
        nonlocal count
        count += 1
        value = intermediate_result.fun
        progress_writer.write(lambda: f"{name}: step {count}, loss {value:.6f}")

    found = minimize(
        loss,
        numpy.zeros(size),
        jac=True,
        method="L-BFGS-B",
        callback=show,
        options={"maxiter": steps, "maxcor": 20, "ftol": 1e-10, "gtol": 1e-8},
    )
    progress_writer.end()
    return found.x


def fit_choices(
    data: Dataset,
    rule: Rule,
    *,
    fine: float,
    steps: int,
    by_side: bool,
    prior: Array | None,
) -> tuple[list[list[Array]], dict[str, float]]:
    """Fit the move scores; return ([side][attack, defend] in logits, figures).

    The side is the one that owns the cells.
    """
    import numpy

    kinds = len(class_tuples())
    sides = 2 if by_side else 1
    count = len(data.chosen)
    lengths = numpy.diff(data.choice_starts)
    row_side = data.choice_side.astype(numpy.int64) * by_side
    offset = numpy.repeat(row_side * 2 * kinds, lengths)
    mine = data.choice_mine + offset
    theirs = data.choice_theirs + offset + kinds
    held = is_held_out(data.choice_game)
    weight = (~held).astype(float) / (~held).sum()
    entry_weight = numpy.repeat(weight, lengths)
    starts = data.choice_starts[:-1]
    designs: list[Array] = []
    for side in range(sides):
        designs += [design(rule, side), design(rule, side ^ 1 if by_side else side)]
    known = None
    if prior is not None:
        known = []
        for side in range(sides):
            other = side ^ 1 if by_side else side
            known += [prior[side][0][:, 0], prior[other][0][:, 1]]
    blocks = Blocks(designs, known)
    penalty = blocks.penalty(fine, fine / 100)
    chosen_slope = numpy.zeros(len(mine))
    chosen_slope[data.chosen] = weight

    def forward(parts: list[Array]) -> tuple[Array, Array]:
        """Return the log-probabilities of the chosen moves, and the probabilities of
        all moves.
        """
        weights = numpy.concatenate(parts)
        z = weights[mine] + weights[theirs]
        z -= numpy.repeat(numpy.maximum.reduceat(z, starts), lengths)
        e = numpy.exp(z)
        total = numpy.add.reduceat(e, starts)
        return z[data.chosen] - numpy.log(total), e / numpy.repeat(total, lengths)

    def loss(u: Array) -> tuple[float, Array]:
        parts = blocks.weights(u)
        log_chosen, probability = forward(parts)
        slope = probability * entry_weight - chosen_slope
        size = sides * 2 * kinds
        grad = numpy.bincount(mine, slope, size) + numpy.bincount(theirs, slope, size)
        grads = list(grad.reshape(2 * sides, kinds))
        value = -(log_chosen * weight).sum() + (penalty * u * u).sum()
        return value, blocks.gradient(grads) + 2 * penalty * u

    parts = blocks.weights(minimise(loss, blocks.size, steps, "choices"))
    log_chosen, probability = forward(parts)
    best = numpy.maximum.reduceat(probability, starts)
    figures = {
        "choices": count,
        "held-out loss": float(-log_chosen[held].mean()),
        "held-out first choice": float((probability[data.chosen] >= best)[held].mean()),
    }
    out = []
    for side in range(2):
        at, other = (side, side ^ 1) if by_side else (0, 0)
        out.append([parts[2 * at], parts[2 * other + 1]])
    return out, figures
