"""Fit the linear evaluation's weights to self-play, and write a weights file.

Two convex problems, both solved by L-BFGS from the same start, so that a run is
deterministic:

- *values*: logistic regression of the games' results, mixed with what the search
  thought of the position, on how many empty cells of each kind either side has
  (Texel's method);
- *choices*: the move played as a softmax over the moves there were, whose logits are
  the move scores; the same form as a policy.

A kind's weight is the sum of its four classes' weights, its rank's weight and a rest of
its own; the rests are drawn to 0, so that kinds hardly ever seen get sensible weights.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gomoku_brain.eval.hand_weights import class_tuples
from gomoku_brain.eval.linear import kind_ranks
from gomoku_brain.eval.weights import Part, Weights, pack_weights, shipped_weights
from gomoku_brain.game.rules import Rule
from gomoku_brain.train.dataset import Dataset, read_games

__all__ = ["fit_choices", "fit_values", "main"]

Array = Any  # numpy.ndarray

UNIT = 320.0  # evaluation units per logit: 100 units = 58 % of the points
CHOICE_UNIT = 64.0  # move score units per logit
LIMIT = 2500  # of a weight, so that a cell's score fits into 16 bits
CLASSES, RANKS, TEMPO_BITS = 14, 16, 11


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


def minimise(
    loss: Callable[[Array], tuple[float, Array]], size: int, steps: int, name: str
) -> Array:
    """L-BFGS from 0; shows its progress."""
    import numpy
    from scipy.optimize import minimize

    count = 0

    def show(intermediate_result: Any) -> None:  # noqa: ANN401 - scipy's name
        nonlocal count
        count += 1
        if count % 10 == 0:
            value = intermediate_result.fun
            print(f"\r{name}: step {count}, loss {value:.6f}", end="", file=sys.stderr)

    found = minimize(
        loss,
        numpy.zeros(size),
        jac=True,
        method="L-BFGS-B",
        callback=show,
        options={"maxiter": steps, "maxcor": 20, "ftol": 1e-10, "gtol": 1e-8},
    )
    print(file=sys.stderr)
    return found.x


class Blocks:
    """Weights of kinds as functions of the numbers that are fitted."""

    def __init__(self, designs: list[Array], prior: list[Array] | None) -> None:
        """``prior``: weights to start from and to be drawn to; None = 0."""
        self.designs = designs
        self.prior = prior or [0.0] * len(designs)
        self.coarse = [shape.shape[1] for shape in designs]
        self.rows = [shape.shape[0] for shape in designs]
        self.size = sum(self.coarse) + sum(self.rows)

    def weights(self, u: Array) -> list[Array]:
        out, at = [], 0
        for shape, prior in zip(self.designs, self.prior, strict=True):
            rows, coarse = shape.shape
            rest = u[at + coarse : at + coarse + rows]
            out.append(prior + shape @ u[at : at + coarse] + rest)
            at += coarse + rows
        return out

    def gradient(self, grads: list[Array]) -> Array:
        import numpy

        parts = []
        for shape, grad in zip(self.designs, grads, strict=True):
            parts += [shape.T @ grad, grad]
        return numpy.concatenate(parts)

    def penalty(self, fine: float, coarse_penalty: float) -> Array:
        import numpy

        parts = []
        for coarse, rows in zip(self.coarse, self.rows, strict=True):
            parts += [numpy.full(coarse, coarse_penalty), numpy.full(rows, fine)]
        return numpy.concatenate(parts)


def is_held_out(game: Array) -> Array:
    """One game in ten is kept from the fit, to validate it on."""
    return game % 10 == 0


def fit_values(
    data: Dataset,
    rule: Rule,
    *,
    mix: float,
    fine: float,
    steps: int,
    by_side: bool,
    prior: Array | None,
) -> tuple[list[list[Array]], dict[str, float]]:
    """([side][mover, waiter, tempo] in logits, figures); sides own the cells.

    ``mix``: share of the search's opinion in the target; ``fine``: pull of a kind's own
    rest towards 0; ``by_side``: separate weights for black and white to move.
    """
    import numpy
    from scipy.sparse import csr_matrix

    kinds = len(class_tuples())
    count = len(data.game)
    sides = 2 if by_side else 1
    row_side = data.side.astype(numpy.int64) * by_side
    lengths = numpy.diff(data.starts)
    # columns: per side, the mover's kinds, then the waiter's (with a minus)
    columns = data.kinds.astype(numpy.int32) + numpy.repeat(
        (row_side * 2 * kinds).astype(numpy.int32), lengths
    )
    sign = numpy.where(data.kinds < kinds, 1.0, -1.0).astype(numpy.float32)
    matrix = csr_matrix(
        (data.counts * sign, columns, data.starts), (count, sides * 2 * kinds)
    )
    tempo_at = data.tempo + (row_side << TEMPO_BITS)
    held = is_held_out(data.game)
    train = ~held
    scale = logistic_scale(data.score[train], data.result[train])
    expected = sigmoid(data.score / scale)
    target = mix * expected + (1 - mix) * data.result
    train_matrix = matrix[train]
    train_transposed = train_matrix.T.tocsr()
    train_target, train_tempo = target[train], tempo_at[train]
    samples = int(train.sum())
    designs: list[Array] = []
    for side in range(sides):
        designs += [design(rule, side), design(rule, side ^ 1 if by_side else side)]
    designs += [tempo_design()] * sides
    known = None
    if prior is not None:
        known = [prior[side][0][:, role] for side in range(sides) for role in (2, 3)]
        if by_side:  # waiting against black's move is white
            known[1], known[3] = known[3], known[1]
        known += [prior[side][1] for side in range(sides)]
    blocks = Blocks(designs, known)
    penalty = blocks.penalty(fine, fine / 100)

    def logits(parts: list[Array], rows: Array, tempo: Array) -> Array:
        weights = numpy.concatenate(parts[: 2 * sides])
        return rows @ weights + numpy.concatenate(parts[2 * sides :])[tempo]

    def loss(u: Array) -> tuple[float, Array]:
        parts = blocks.weights(u)
        z = logits(parts, train_matrix, train_tempo)
        value = (numpy.logaddexp(0, z) - train_target * z).mean()
        slope = (sigmoid(z) - train_target) / samples
        kind_slope = train_transposed @ slope
        tempo_slope = numpy.bincount(
            train_tempo, weights=slope, minlength=sides << TEMPO_BITS
        )
        grads = [
            *kind_slope.reshape(2 * sides, kinds),
            *tempo_slope.reshape(sides, 1 << TEMPO_BITS),
        ]
        grad = blocks.gradient(grads) + 2 * penalty * u
        return value + (penalty * u * u).sum(), grad

    parts = blocks.weights(minimise(loss, blocks.size, steps, "values"))
    z = logits(parts, matrix[held], tempo_at[held])

    def held_loss(logit: Array, aim: Array) -> float:
        return float((numpy.logaddexp(0, logit) - aim * logit).mean())

    figures = {
        "positions": count,
        "score units per logit": scale,
        "held-out loss": held_loss(z, target[held]),
        "held-out loss of results": held_loss(z, data.result[held]),
        "the search's": held_loss(data.score[held] / scale, data.result[held]),
        "spread of the fit, units": float(z.std() * UNIT),
        "spread of the search, units": float(data.score[held].std()),
    }
    out = []
    for side in range(2):
        # a side's cells while it waits: fitted where the other is to move
        at, other = (side, side ^ 1) if by_side else (0, 0)
        out.append([parts[2 * at], parts[2 * other + 1], parts[2 * sides + at]])
    return out, figures


def fit_choices(
    data: Dataset,
    rule: Rule,
    *,
    fine: float,
    steps: int,
    by_side: bool,
    prior: Array | None,
) -> tuple[list[list[Array]], dict[str, float]]:
    """([side][attack, defend] in logits, figures); sides own the cells."""
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
        """Log-probability of the chosen moves, probabilities of all."""
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
        "cells": part_of(numpy.stack(cells), LIMIT),
        "tempo": part_of(numpy.stack(tempo), LIMIT),
    }


def shown(figures: dict[str, float]) -> str:
    """Figures as one line."""
    return ", ".join(f"{name} {value:.5g}" for name, value in figures.items())


def main(argv: list[str] | None = None) -> int:
    """``python -m gomoku_brain.train.fit``; see --help."""
    parser = argparse.ArgumentParser(prog="python -m gomoku_brain.train.fit")
    parser.add_argument("games", type=Path, nargs="+", help="files of self-play")
    parser.add_argument("--out", type=Path, required=True, help="weights file to write")
    parser.add_argument("--rule", default="freestyle")
    parser.add_argument("--mix", type=float, default=0.5, help="share of the search")
    parser.add_argument("--fine", type=float, default=1e-6)
    parser.add_argument("--choice-fine", type=float, default=1e-5)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--prior", help="rule whose shipped weights are the start")
    parser.add_argument("--choices-every", type=int, default=4)
    parser.add_argument("--most", type=int, help="games to read")
    options = parser.parse_args(argv)
    rule = Rule[options.rule.upper().replace("-", "_")]
    by_side = rule == Rule.RENJU
    prior = None
    if options.prior is not None:
        known = shipped_weights(int(Rule[options.prior.upper().replace("-", "_")]))
        if known is None:
            parser.error(f"no weights are shipped for {options.prior}")
        prior = linear_fit(known)
    data = read_games(
        options.games, rule, choices_every=options.choices_every, most=options.most
    )
    values, figures = fit_values(
        data,
        rule,
        mix=options.mix,
        fine=options.fine,
        steps=options.steps,
        by_side=by_side,
        prior=prior,
    )
    print("values:", shown(figures))
    choices, figures = fit_choices(
        data,
        rule,
        fine=options.choice_fine,
        steps=options.steps,
        by_side=by_side,
        prior=prior,
    )
    print("choices:", shown(figures))
    weights = Weights("linear", int(rule), linear_parts(values, choices))
    options.out.write_bytes(pack_weights(weights))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
