"""Fit the evaluation's network, and the linear terms beside it, to self-play.

The position is what the linear fit sees (see ``fit``): how many empty cells of each
kind the side to move and the other side have. The network adds what no sum over cells
can say, such as that two threes are worth more than twice one:

    logit = linear(kinds) + tempo[threats] + output . relu(hidden(clip(sum of rows)))

where every kind has a row of ``WIDTH`` numbers for each side. A row is the sum of its
rank's, its four classes' and a rest of its own, so that kinds hardly ever seen get
sensible rows. Adam on mini-batches, deterministic for a seed; the form is that of an
efficiently updatable neural network (NNUE, Y. Nasu 2018) with kinds as features.
"""

import argparse
import sys
from time import perf_counter
from typing import Any

from gomoku_brain.eval.hand_weights import class_tuples
from gomoku_brain.eval.network import HIDDEN, WIDTH
from gomoku_brain.game.rules import Rule
from gomoku_brain.train.dataset import Dataset
from gomoku_brain.train.kind_weights import TEMPO_BITS, design
from gomoku_brain.train.losses import (
    held_out_figures,
    is_held_out,
    shown,
    sigmoid,
    target_of,
)
from gomoku_brain.train.options import (
    add_choices,
    add_games,
    add_out,
    add_prior,
    add_seed,
    add_target,
    begin,
    choices_for,
    games_of,
    prior_of,
    run,
    write_weights,
)
from gomoku_brain.train.parts import (
    linear_fit,
    linear_parts,
    network_parts,
    network_sets,
)

__all__ = ["fit_network", "main"]

Array = Any  # numpy.ndarray; numpy is imported late

CLIP = 4.0  # the sums of rows are cut to 0..CLIP
BATCH = 2048


class Adam:
    """D. Kingma, J. Ba (2014), with decoupled weight decay for chosen parameters."""

    def __init__(self, parameters: dict[str, Array], decay: dict[str, float]) -> None:
        import numpy

        self.parameters, self.decay = parameters, decay
        self.mean = {name: numpy.zeros_like(p) for name, p in parameters.items()}
        self.square = {name: numpy.zeros_like(p) for name, p in parameters.items()}
        self.steps = 0

    def step(self, gradients: dict[str, Array], rate: float) -> None:
        import numpy

        self.steps += 1
        one, two = 1 - 0.9**self.steps, 1 - 0.999**self.steps
        for name, gradient in gradients.items():
            mean, square = self.mean[name], self.square[name]
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            parameter = self.parameters[name]
            parameter -= rate * self.decay.get(name, 0.0) * parameter
            parameter -= rate * (mean / one) / (numpy.sqrt(square / two) + 1e-8)


def fit_network(
    data: Dataset,
    rule: Rule,
    *,
    mix: float,
    epochs: int,
    rate: float,
    seed: int,
    by_side: bool,
    prior: list[dict[str, Array]] | None = None,
) -> tuple[list[dict[str, Array]], dict[str, float]]:
    """([side to move] of parameters in logits, figures).

    ``mix``: share of the search's opinion in the target; ``rate``: highest learning
    rate, reached after a tenth of the way and then lowered to 0; ``by_side``: separate
    parameters for black and white to move; ``prior``: a result to start from.
    """
    import numpy
    from scipy.sparse import csr_matrix

    kinds = len(class_tuples())
    sides = 2 if by_side else 1
    held = is_held_out(data.game)
    target, scale = target_of(data.score, data.result, ~held, mix)
    target = target.astype(numpy.float32)
    matrix = csr_matrix(
        (
            data.counts.astype(numpy.float32),
            data.kinds.astype(numpy.int32),
            data.starts,
        ),
        (len(data.game), 2 * kinds),
    )
    found: list[dict[str, Array]] = []
    held_logits = numpy.zeros(len(data.game), numpy.float32)
    started = perf_counter()
    for side in range(sides):
        mine = (data.side == side) if by_side else numpy.ones(len(data.side), bool)
        train = numpy.flatnonzero(mine & ~held)
        net = _Net(rule, side if by_side else None, seed)
        if prior is not None:
            net.begin_with(prior[side])
        optimizer = Adam(net.parameters, {"rest": 0.02, "linear_rest": 0.02})
        dice = numpy.random.default_rng(seed)
        steps, step = epochs * (len(train) // BATCH), 0
        for epoch in range(epochs):
            order = dice.permutation(train)
            rows, tempo, wanted = matrix[order], data.tempo[order], target[order]
            total = 0.0
            for at in range(0, len(order) - BATCH + 1, BATCH):
                part = slice(at, at + BATCH)
                share = step / steps
                now = rate * min(share / 0.1, (1 - share) / 0.9)
                loss, gradients = net.loss(rows[part], tempo[part], wanted[part])
                optimizer.step(gradients, now)
                step += 1
                total += loss
                if step % 20 == 0:
                    print(
                        f"\rnetwork: side {side + 1} of {sides}, epoch {epoch + 1} of "
                        f"{epochs}, loss {total / (at // BATCH + 1):.5f}, "
                        f"{perf_counter() - started:.0f} s ",
                        end="",
                        file=sys.stderr,
                    )
        judge = numpy.flatnonzero(mine & held)
        held_logits[judge] = net.logits(matrix[judge], data.tempo[judge])
        found.append(net.weights())
    print(file=sys.stderr)
    z = held_logits[held].astype(float)
    figures = {
        "positions": len(data.game),
        "score units per logit": scale,
        **held_out_figures(z, target[held], data.score[held], data.result[held], scale),
    }
    return found * (3 - sides), figures


class _Net:
    """Parameters, forward and backward pass for one side to move (None: either)."""

    def __init__(self, rule: Rule, side: int | None, seed: int) -> None:
        import numpy

        dice = numpy.random.default_rng(seed)
        mine = design(rule, side or 0)
        theirs = design(rule, 0 if side is None else side ^ 1)
        self.shapes = [part.astype(numpy.float32) for part in (mine, theirs)]
        coarse, kinds = mine.shape[1], mine.shape[0]
        ranks = slice(coarse - 16, coarse)

        def small(*shape: int, size: float) -> Array:
            return (size * dice.standard_normal(shape)).astype(numpy.float32)

        rows = numpy.zeros((2, coarse, WIDTH), numpy.float32)
        rows[:, ranks] = small(2, 16, WIDTH, size=0.15)
        rows[:, coarse - 16] = 0  # cells of no rank: most of the board
        zeros = numpy.zeros
        self.known: tuple[Array, ...] = (
            zeros((2 * kinds, 1), numpy.float32),
            zeros((2 * kinds, WIDTH), numpy.float32),
        )
        self.parameters: dict[str, Array] = {
            "linear": zeros((2, coarse, 1), numpy.float32),
            "linear_rest": zeros((2, kinds, 1), numpy.float32),
            "tempo": zeros(1 << TEMPO_BITS, numpy.float32),
            "rows": rows,
            "rest": zeros((2, kinds, WIDTH), numpy.float32),
            "bias": small(WIDTH, size=0.1) + 0.3,
            "hidden": small(HIDDEN, WIDTH, size=0.25),
            "hidden_bias": small(HIDDEN, size=0.1),
            "output": small(HIDDEN, size=0.25),
        }

    def begin_with(self, known: dict[str, Array]) -> None:
        """Start at finished parameters (``weights``); tables are pulled to them."""
        import numpy

        for name in ("tempo", "bias", "hidden", "hidden_bias", "output"):
            self.parameters[name][...] = known[name]
        self.parameters["rows"][...] = 0
        self.known = tuple(
            numpy.concatenate([known[mine], sign * known[theirs]])
            .reshape(len(self.known[0]), -1)
            .astype(numpy.float32)
            for mine, theirs, sign in (("mover", "waiter", -1), ("own", "other", 1))
        )

    def tables(self) -> tuple[Array, Array]:
        """(2 * kinds, 1) of linear weights and (2 * kinds, WIDTH) of rows."""
        import numpy

        p = self.parameters
        linear, table = (
            known
            + numpy.concatenate(
                [self.shapes[k] @ p[coarse][k] + p[rest][k] for k in range(2)]
            )
            for known, (coarse, rest) in zip(
                self.known, (("linear", "linear_rest"), ("rows", "rest")), strict=True
            )
        )
        return linear, table

    def forward(self, rows: Array, tempo: Array) -> tuple[Array, ...]:
        import numpy

        p = self.parameters
        linear, table = self.tables()
        both = rows @ numpy.concatenate([linear, table], 1)
        sums = both[:, 1:] + p["bias"]
        x = numpy.clip(sums, 0, CLIP)
        before = x @ p["hidden"].T + p["hidden_bias"]
        h = numpy.maximum(before, 0)
        z = both[:, 0] + p["tempo"][tempo] + h @ p["output"]
        return sums, x, before, h, z

    def logits(self, rows: Array, tempo: Array) -> Array:
        return self.forward(rows, tempo)[-1]

    def loss(
        self, rows: Array, tempo: Array, wanted: Array
    ) -> tuple[float, dict[str, Array]]:
        """Cross-entropy of a batch and its gradients."""
        import numpy

        p = self.parameters
        sums, x, before, h, z = self.forward(rows, tempo)
        value = float((numpy.logaddexp(0, z) - wanted * z).mean())
        slope = ((sigmoid(z) - wanted) / len(z)).astype(numpy.float32)
        h_slope = slope[:, None] * p["output"] * (before > 0)
        x_slope = (h_slope @ p["hidden"]) * ((sums > 0) & (sums < CLIP))
        table_slope = rows.T @ numpy.concatenate([slope[:, None], x_slope], 1)
        halves = numpy.split(table_slope, 2)
        gradients = {
            "tempo": numpy.bincount(
                tempo, weights=slope, minlength=1 << TEMPO_BITS
            ).astype(numpy.float32),
            "bias": x_slope.sum(0),
            "hidden": h_slope.T @ x,
            "hidden_bias": h_slope.sum(0),
            "output": h.T @ slope,
            "linear_rest": numpy.stack([half[:, :1] for half in halves]),
            "rest": numpy.stack([half[:, 1:] for half in halves]),
        }
        for name, rest in (("linear", "linear_rest"), ("rows", "rest")):
            gradients[name] = numpy.stack(
                [self.shapes[k].T @ gradients[rest][k] for k in range(2)]
            )
        return value, gradients

    def weights(self) -> dict[str, Array]:
        """Finished parameters: tables of all kinds instead of their parts."""
        linear, table = self.tables()
        kinds = len(class_tuples())
        rest = {
            name: self.parameters[name].astype(float)
            for name in ("tempo", "bias", "hidden", "hidden_bias", "output")
        }
        return rest | {
            "mover": linear[:kinds, 0].astype(float),
            "waiter": -linear[kinds:, 0].astype(float),
            "own": table[:kinds].astype(float),
            "other": table[kinds:].astype(float),
        }


def main(argv: list[str] | None = None) -> int:
    """``python -m gomoku_brain.train.network``; see --help."""
    parser = begin("network", "Fit the network of the evaluation to self-play.")
    add_games(parser)
    add_out(parser)
    add_prior(parser)
    add_target(parser, mix=0.2)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--rate", type=float, default=2e-3)
    add_seed(parser)
    add_choices(parser)
    return run(parser, argv, _fit)


def _fit(options: argparse.Namespace) -> None:
    """Fit what the options say, and write it."""
    rule, prior = options.rule, prior_of(options, "network")
    by_side = rule.sides_differ
    data = games_of(options)
    sets, figures = fit_network(
        data,
        rule,
        mix=options.mix,
        epochs=options.epochs,
        rate=options.rate,
        seed=options.seed,
        by_side=by_side,
        prior=None if prior is None else network_sets(prior),
    )
    print("values:", shown(figures))
    choices = choices_for(options, data, None if prior is None else linear_fit(prior))
    values = []
    for side in range(2):
        # a side's cells while it waits are weighed by the set of the other's move
        values.append(
            [sets[side]["mover"], sets[side ^ 1]["waiter"], sets[side]["tempo"]]
        )
    parts = linear_parts(values, choices)
    parts |= network_parts(sets if by_side else sets[:1])
    write_weights(options, "network", parts)


if __name__ == "__main__":
    raise SystemExit(main())
