"""Fit of the linear evaluation's weights to self-play, written as a weights file.

This module fits the *values*: a logistic regression of the games' results, mixed with
the search's score of the position, on the number of empty cells of each kind for either
side (Texel's method). ``choices`` fits the move scores. Both problems are convex and
solved by L-BFGS from a fixed start, so a run is deterministic.
"""

import argparse
from pathlib import Path
from typing import Any

from gomoku_brain.eval.hand_weights import class_tuples
from gomoku_brain.eval.weights import Weights, shipped_weights
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.choices import fit_choices, minimise
from gomoku_brain.lab.train.dataset import Dataset, dataset_of
from gomoku_brain.lab.train.kind_weights import TEMPO_BITS, Blocks, design, tempo_design
from gomoku_brain.lab.train.losses import (
    held_out_figures,
    is_held_out,
    shown,
    sigmoid,
    target_of,
)
from gomoku_brain.lab.train.parts import (
    UNIT,
    linear_counts,
    linear_fit,
    linear_parts,
    rounded_together,
    some_of,
)
from gomoku_brain.lab.train.program_options import (
    add_choices_of,
    add_most,
    add_out,
    add_rule,
    add_target,
    amount,
    check_out,
    count,
    given_choices,
    make_parser,
    run,
    write_weights,
)
from gomoku_brain.runs.run_options import rule_named

__all__ = ["fit_values", "main"]

Array = Any  # numpy.ndarray; numpy is imported late


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
    """Fit the values; return ([side][mover, waiter, tempo] in logits, figures).

    The side is the one that owns the cells. ``mix``: share of the search's score in the
    target; ``fine``: strength of the pull of a kind's own rest towards 0; ``by_side``:
    whether black and white to move have separate weights. The values are whole score
    units, rounded together.
    """
    import numpy
    from scipy.sparse import csr_matrix

    kinds = len(class_tuples())
    count = len(data.game)
    sides = 2 if by_side else 1
    row_side = data.side.astype(numpy.int64) * by_side
    lengths = numpy.diff(data.starts)
    # columns: for each side, the mover's kinds, then the waiter's (negative)
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
    target, scale = target_of(data.score, data.result, train, mix)
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
        if by_side:  # the side that waits while black moves is white
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
    some = some_of(numpy.flatnonzero(train))
    counts = linear_counts(matrix[some], tempo_at[some], sides << TEMPO_BITS)
    numbers = numpy.concatenate(parts) * UNIT
    errors = counts @ (numpy.rint(numbers) - numbers)
    whole = rounded_together(numbers, counts, errors) / UNIT
    parts = numpy.split(whole, numpy.cumsum(blocks.rows)[:-1])
    z = logits(parts, matrix[held], tempo_at[held])
    figures = {
        "positions": count,
        "score units per logit": scale,
        **held_out_figures(z, target[held], data.score[held], data.result[held], scale),
        "spread of the fit, units": float(z.std() * UNIT),
        "spread of the search, units": float(data.score[held].std()),
    }
    out = []
    for side in range(2):
        # a side's cells while it waits: fitted with the other side to move
        at, other = (side, side ^ 1) if by_side else (0, 0)
        out.append([parts[2 * at], parts[2 * other + 1], parts[2 * sides + at]])
    return out, figures


def prior_of(rule: Rule) -> list[tuple[Array, Array]]:
    """Return the linear part of the weights shipped for a rule, by ``linear_fit``.

    It was fitted together with a network. Raises ValueError if no weights are shipped.
    """
    known = shipped_weights(int(rule))
    if known is None:
        raise ValueError(f"no weights are shipped for {rule.name.lower()}")
    return linear_fit(known)


def main(argv: list[str] | None = None) -> int:
    """Run ``python -m gomoku_brain.lab.train.fit``; see ``--help``."""
    parser = make_parser("train.fit", "Fit the linear evaluation to self-play.")
    parser.add_argument("games", type=Path, nargs="+", help="files of self-play")
    add_rule(parser)
    add_most(parser)
    add_out(parser)
    parser.add_argument(
        "--prior",
        type=rule_named(),
        help="rule; the start is the linear part of its shipped weights",
    )
    add_target(parser, mix=0.5)
    parser.add_argument(
        "--fine",
        type=amount,
        default=1e-6,
        help="pull of a kind's own rest towards 0",
    )
    parser.add_argument("--steps", type=count, default=300)
    parser.add_argument("--choice-fine", type=amount, default=1e-5)
    parser.add_argument("--choice-steps", type=count, default=300)
    parser.add_argument("--choices-every", type=count, default=4)
    add_choices_of(parser)
    return run(parser, argv, _fit)


def _fit(options: argparse.Namespace) -> None:
    """Fit as the options request, and write the weights file."""
    check_out(options)
    rule = options.rule
    prior = None if options.prior is None else prior_of(options.prior)
    choices = None if options.choices_of is None else given_choices(options)
    data = dataset_of(
        options.games, rule, choices_every=options.choices_every, most=options.most
    )
    values, figures = fit_values(
        data,
        rule,
        mix=options.mix,
        fine=options.fine,
        steps=options.steps,
        by_side=rule.sides_differ,
        prior=prior,
    )
    print("values:", shown(figures))
    if choices is None:
        choices, figures = fit_choices(
            data,
            rule,
            fine=options.choice_fine,
            steps=options.choice_steps,
            by_side=rule.sides_differ,
            prior=prior,
        )
        print("choices:", shown(figures))
    parts = linear_parts(values, choices)
    write_weights(options, Weights("linear", int(rule), parts))


if __name__ == "__main__":
    raise SystemExit(main())
