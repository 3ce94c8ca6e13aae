"""Comparison of possible inputs of an evaluation, by the loss on held-out games.

Each input is fitted as a correction to the linear evaluation, with the same target, to
the same nine tenths of the games, and judged by the results of the other tenth. The
reference is the input of the evaluation in use (``eval.points``), fitted to the same
games. Epochs, learning rate and all other settings are fixed before the run, so the
held-out games choose nothing.

The folder stores the samples and, for every finished fit, its figures (a line of
``results.jsonl``) and its values of the held-out positions. So the same command
continues an interrupted run.
"""

import argparse
import json
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.losses import loss_of
from gomoku_brain.lab.train.pooled import NetworkShape, PooledNet
from gomoku_brain.lab.train.program_options import (
    add_folder,
    add_training,
    make_parser,
    run,
    samples_of,
    target_for,
    training_of,
    with_one_blas_thread,
)
from gomoku_brain.lab.train.samples import Samples, open_samples
from gomoku_brain.runs.journal import Journal
from gomoku_brain.runs.run_options import ProgressLine

__all__ = ["INPUTS", "main", "table"]

Array = Any  # numpy.ndarray

REFERENCE = "b"
INPUTS = {
    "a": ("kinds", NetworkShape("kinds")),
    "b": ("kinds, regions", NetworkShape("kinds", regions=True)),
    "b32": ("kinds, regions, 32 wide", NetworkShape("kinds", regions=True, width=32)),
    "bp": (
        "kinds, regions, three phases",
        NetworkShape("kinds", regions=True, phases=(14, 24)),
    ),
    "bh": (
        "kinds, regions, a head for either side",
        NetworkShape("kinds", regions=True, two_heads=True),
    ),
    "bs": ("kinds, regions, 3x3", NetworkShape("kinds", regions=True, spread=True)),
    "c": ("9-cell rows", NetworkShape("lines")),
    "d": ("9-cell rows, regions", NetworkShape("lines", regions=True)),
    "e": (
        "9-cell rows, regions, 3x3",
        NetworkShape("lines", regions=True, spread=True),
    ),
    "d11": ("9- and 11-cell rows, regions", NetworkShape("both", regions=True)),
    "d7": ("7-cell rows, regions", NetworkShape("lines", reach=3, regions=True)),
}
"""Inputs by name, with their shapes; in renju either side has its own table."""


def fit_one(
    name: str, samples: Samples, options: argparse.Namespace
) -> tuple[dict[str, Any], Array, dict[str, Array]]:
    """Fit one input; return (figures, values of the held-out positions, parameters)."""
    import numpy

    number = numpy.asarray(samples.number[samples.game])
    held = number % 10 == options.held
    seen = ~held if options.below is None else ~held & (number < options.below)
    score, result = numpy.asarray(samples.score, numpy.float64), samples.result
    target, scale = target_for(samples, seen, options)
    target = target.astype(numpy.float32)
    fitted, judged = numpy.flatnonzero(seen), numpy.flatnonzero(held)
    some = fitted[:: max(1, len(fitted) // len(judged))].copy()
    started, used = perf_counter(), process_time()
    shape = replace(INPUTS[name][1], by_side=options.rule.sides_differ)
    net = PooledNet(shape, samples, options.rule, options.seed)
    training = training_of(net, fitted, target[fitted], options)
    with ProgressLine(f"{name}, steps", training.steps) as progress:
        for loss in training.run():
            progress.show(training.step, f", loss {loss:.5f}")
    seconds = perf_counter() - started, process_time() - used
    known, values, count = net.logits(some), net.logits(judged), net.count
    found = net.parameters
    figures = {
        "input": name,
        "seed": options.seed,
        "mix": options.mix,
        "decay": options.decay,
        "epochs": options.epochs,
        "batch": options.batch,
        "rate": options.rate,
        "least": options.least,
        "held": options.held,
        "below": options.below,
        "positions": len(fitted),
        "held_positions": len(judged),
        "parameters": int(count),
        "train_loss": loss_of(known, result[some]),
        "loss": loss_of(values, result[judged]),
        "search_loss": loss_of(score[judged] / scale, result[judged]),
        "seconds": round(seconds[0]),
        "processor_seconds": round(seconds[1]),
    }
    return figures, values.astype(numpy.float32), found


def results_of(folder: Path) -> Journal:
    """Open the figures of the finished fits.

    Raises OSError, and ValueError for a file with other content.
    """
    return Journal(folder / "results.jsonl", "a file of results", "{")


def key_of(figures: dict[str, Any]) -> str:
    """Return the text by which a fit differs from the others of a folder."""
    names = "input seed mix decay epochs batch rate least held".split()
    below = figures.get("below")
    return "_".join(
        [
            *(f"{figures[name]}" for name in names),
            *([] if below is None else [str(below)]),
        ]
    )


def table(folder: Path, rule: Rule) -> str:
    """Return the results as Markdown, best last, with the errors of paired games.

    Each fit is compared with the first reference that was fitted most similarly. Inputs
    that are no longer compared are left out.
    """
    import numpy

    results = [json.loads(line) for line in results_of(folder).lines]
    results = [row for row in results if row["input"] in INPUTS]
    samples = open_samples(folder, rule)
    game, result = numpy.asarray(samples.game), samples.result
    number = numpy.asarray(samples.number[samples.game])
    out = [
        "| input | fitted to | least | seed | numbers | loss, seen | loss, held out "
        f"| against {REFERENCE} | CPU s |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in sorted(results, key=lambda row: -row["loss"]):
        judged = numpy.flatnonzero(number % 10 == row["held"])
        aim = result[judged]
        against = ""
        base = [
            other
            for other in results
            if other["input"] == REFERENCE
            and (other["held"], other["below"]) == (row["held"], row["below"])
        ]
        if base and row["input"] != REFERENCE:
            names = ("mix", "decay", "seed", "epochs", "batch", "rate")
            best = max(base, key=lambda r: sum(r[name] == row[name] for name in names))
            one, two = (
                numpy.load(folder / f"{key_of(r)}.npy").astype(float)
                for r in (row, best)
            )
            gap = numpy.logaddexp(0, one) - numpy.logaddexp(0, two) - aim * (one - two)
            by_game = numpy.bincount(game[judged], gap)[numpy.unique(game[judged])]
            error = float(by_game.std() * len(by_game) ** 0.5 / len(judged))
            against = f"{gap.mean():+.4f} ± {error:.4f}"
        title = INPUTS[row["input"]][0]
        out.append(
            f"| {row['input']}: {title} | {row['positions']:,} | {row['least']:g} "
            f"| {row['seed']} "
            f"| {row['parameters']:,} | {row['train_loss']:.4f} | {row['loss']:.4f} "
            f"| {against} | {row['processor_seconds']} |"
        )
    return "\n".join(out)


def inputs_named(text: str) -> list[str]:
    """Parse names of inputs, joined by commas, for ``argparse``."""
    names = text.split(",")
    for name in names:
        if name not in INPUTS:
            raise argparse.ArgumentTypeError(f"there is no input {name}")
    return names


def main(argv: list[str] | None = None) -> int:
    """Run ``python -m gomoku_brain.lab.train.inputs``; see ``--help``."""
    parser = make_parser(
        "train.inputs", "Compare what an evaluation could look at by its held-out loss."
    )
    add_folder(parser, "samples and results")
    names = ",".join(INPUTS)
    parser.add_argument(
        "--inputs", type=inputs_named, default="a,b,c,d,e", help=f"of {names}"
    )
    add_training(parser, epochs=8, batch=2048)
    parser.add_argument("--held", type=int, default=0, help="games N mod 10 judge")
    parser.add_argument("--below", type=int, help="fit only games below this number")
    return run(parser, argv, _compare)


def _compare(options: argparse.Namespace) -> None:
    """Fit the inputs that the folder lacks, and print the table of all."""
    import numpy

    samples = samples_of(options, with_cells=True)
    if not samples.played.all():
        raise ValueError(
            "inputs are compared on games only; leave out files of positions"
        )
    for name in options.inputs:
        options.input = name
        key = key_of(vars(options))
        done = results_of(options.folder).lines
        if key in (key_of(json.loads(line)) for line in done):
            continue
        figures, values, found = fit_one(name, samples, options)
        path = options.folder / f"{key}.npy"
        numpy.savez(path.with_suffix(".weights.npz"), **found)
        numpy.save(path, values)
        # The row comes last: it shows that the fit is finished.
        with results_of(options.folder) as journal:  # another run may have added to it
            journal.start()
            journal.append(json.dumps(figures))
    print(table(options.folder, options.rule))


if __name__ == "__main__":
    with_one_blas_thread()
    raise SystemExit(main())
