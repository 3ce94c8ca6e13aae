"""Fit a network over points to games of self-play, and write it as integers.

The folder keeps all of a run: the samples (made from the games on the first call), a
checkpoint, the losses, their plot, the parameters as floats. A run that was cut goes on
from its checkpoint with the same command and ends with the same numbers; a finished one
with more epochs is another run. Deterministic for its seed on one machine.
"""

import argparse
import json
import os
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

from gomoku_brain.eval.weights import (
    Part,
    Weights,
    pack_weights,
    shipped_weights,
    unpack_weights,
)
from gomoku_brain.game.rules import Rule
from gomoku_brain.train.fit import (
    is_held_out,
    linear_fit,
    linear_parts,
    logistic_scale,
    sigmoid,
)
from gomoku_brain.train.inputs import loss_of
from gomoku_brain.train.pooled import LEAST, PooledNet, Shape, Training
from gomoku_brain.train.quantize import KIND_NAMES, layout, pooled_parts
from gomoku_brain.train.samples import HEADER, Samples, make_samples, open_samples

__all__ = ["main"]

Array = Any  # numpy.ndarray

CHECKPOINT, LOSSES, PLOT, FLOATS = (
    "checkpoint.npz",
    "losses.json",
    "loss.png",
    "net.npz",
)


def save_whole(path: Path, arrays: dict[str, Array]) -> None:
    """Write arrays; what was there stays until the new file is whole."""
    import numpy

    fresh = path.with_name("new-" + path.name)
    with fresh.open("wb") as out:
        numpy.savez(out, **arrays)
    os.replace(fresh, path)


class Run:
    """A folder with its samples, the fit, and where it stands."""

    def __init__(self, options: argparse.Namespace, rule: Rule) -> None:
        """Begin, or go on. ValueError for a folder of another run."""
        import numpy

        self.options, self.rule, self.folder = options, rule, options.folder
        self.shape = Shape(
            options.input,
            reach=options.reach,
            regions=options.regions,
            spread=options.spread,
            width=options.width,
        )
        layout(self.shape)
        self.samples = self._samples()
        s, mix = self.samples, options.mix
        score, result = numpy.asarray(s.score, numpy.float64), s.result
        held = is_held_out(numpy.asarray(s.game))
        self.scale = logistic_scale(score[~held], result[~held])
        target = mix * sigmoid(score / self.scale) + (1 - mix) * result
        self.fitted, self.judged = numpy.flatnonzero(~held), numpy.flatnonzero(held)
        self.result = result
        self.net = PooledNet(self.shape, s, rule, options.seed)
        self.net.least["table_rest"] = options.least
        self.training = Training(
            self.net,
            self.fitted,
            target[self.fitted].astype(numpy.float32),
            epochs=options.epochs,
            batch=options.batch,
            rate=options.rate,
            seed=options.seed,
        )
        self.losses: list[dict[str, float]] = []
        names = "rule input reach regions spread width".split()
        names += "mix epochs batch rate least seed".split()
        self.recipe = {name: getattr(options, name) for name in names}
        self.recipe["games"] = json.loads((self.folder / HEADER).read_text())["games"]
        path = self.folder / CHECKPOINT
        if path.exists():
            with numpy.load(path) as state:
                notes = json.loads(str(state["notes"]))
                if notes["recipe"] != self.recipe:
                    raise ValueError(f"{path} is of another run, {notes['recipe']}")
                self.training.go_on(state)
            self.losses = notes["losses"]

    def _samples(self) -> Samples:
        folder, options = self.folder, self.options
        if (folder / HEADER).exists():
            return open_samples(folder, self.rule)
        if not options.games:
            raise ValueError(f"{folder} has no samples yet: name files of games")
        return make_samples(
            folder,
            options.games,
            self.rule,
            most=options.most,
            with_cells=self.shape.input == "kinds",
        )

    def save(self) -> None:
        """Write a checkpoint."""
        import numpy

        notes = json.dumps({"recipe": self.recipe, "losses": self.losses})
        state = self.training.state() | {"notes": numpy.array(notes)}
        save_whole(self.folder / CHECKPOINT, state)

    def finish_epoch(self, loss: float) -> None:
        """Note the losses of the fit and of the held-out games."""
        found = {
            "epoch": self.training.step // self.training.batches,
            "fitted": loss,
            "held_out": loss_of(self.net.logits(self.judged), self.result[self.judged]),
        }
        self.losses.append(found)
        text = "".join(json.dumps(line) + "\n" for line in self.losses)
        (self.folder / LOSSES).write_text(text, encoding="ascii")

    def floats(self) -> dict[str, Array]:
        """The parameters with finished tables, for ``pooled_parts`` and to keep."""
        return self.net.parameters | self.net.parts

    def linear(self) -> dict[str, Part]:
        """The linear evaluation; its move scores are of the file named or shipped."""
        known = shipped_weights(int(self.rule))
        if self.options.choices_of is not None:
            known = unpack_weights(self.options.choices_of.read_bytes())
        if known is None or known.rule != int(self.rule):
            raise ValueError("--choices-of: no weights of this rule")
        choices = [[rows[:, 0], rows[:, 1]] for rows, _ in linear_fit(known)]
        mover, waiter = self.net.parts["linear"][:, 0].astype(float).reshape(2, -1)
        tempo = self.net.parameters["tempo"].astype(float)
        return linear_parts([[mover, -waiter, tempo]] * 2, choices)


def train(run: Run, every: float) -> None:
    """Do what is left of a run; checkpoints ``every`` seconds and after each epoch."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    training = run.training
    first, started = training.step, perf_counter()
    saved = started
    columns = (
        TextColumn("epoch {task.fields[epoch]} of {task.fields[epochs]}"),
        BarColumn(),
        TextColumn("loss {task.fields[loss]:.5f}, held out {task.fields[held]}"),
        TextColumn("{task.fields[rate]:,.0f} positions/s"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        bar = progress.add_task(
            "",
            total=training.steps,
            completed=first,
            epoch=1,
            epochs=run.options.epochs,
            loss=0.0,
            held="-",
            rate=0.0,
        )
        for loss in training.run():
            now = perf_counter()
            done = training.step % training.batches == 0
            if done:
                run.finish_epoch(loss)
            if done or now - saved > every:
                run.save()
                saved = now
            held = run.losses[-1]["held_out"] if run.losses else None
            progress.update(
                bar,
                completed=training.step,
                epoch=(training.step - 1) // training.batches + 1,
                loss=loss,
                held="-" if held is None else f"{held:.5f}",
                rate=(training.step - first) * training.batch / (now - started),
            )


def plot(run: Run) -> None:
    """The losses by epoch as a picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    epochs = [line["epoch"] for line in run.losses]
    axes.plot(
        epochs, [line["fitted"] for line in run.losses], "o-", label="target, fitted"
    )
    axes.plot(
        epochs,
        [line["held_out"] for line in run.losses],
        "s-",
        label="results, held out",
    )
    axes.set(xlabel="epoch", ylabel="loss (nats a position)", xticks=epochs)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(run.folder / PLOT, dpi=120)


def main(argv: list[str] | None = None) -> int:
    """``python -m gomoku_brain.train.trainer``; see --help."""
    parser = argparse.ArgumentParser(
        prog="python -m gomoku_brain.train.trainer",
        description="Fit a network over points to self-play, and write it as integers.",
    )
    parser.add_argument("folder", type=Path, help="for samples, checkpoint and losses")
    parser.add_argument("games", type=Path, nargs="*", help="files of self-play")
    parser.add_argument("--out", type=Path, required=True, help="file of integers")
    parser.add_argument("--rule", default="freestyle")
    parser.add_argument("--most", type=int, help="games of each file, by number")
    parser.add_argument("--input", choices=("kinds", "lines"), default="lines")
    parser.add_argument(
        "--reach", type=int, default=4, help="cells each way of a window"
    )
    parser.add_argument(
        "--regions", action=argparse.BooleanOptionalAction, default=True
    )
    parser.add_argument(
        "--spread",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="sum the first numbers of a point over the 3 x 3 around it",
    )
    parser.add_argument("--width", type=int, default=16, help="numbers of a point")
    parser.add_argument("--mix", type=float, default=0.8, help="share of the search")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument(
        "--least",
        type=float,
        default=LEAST,
        help="slopes of a row's own numbers below this move them less",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--checkpoint", type=float, default=60, help="seconds between two"
    )
    parser.add_argument(
        "--choices-of", type=Path, help="take the move scores of this weights file"
    )
    options = parser.parse_args(argv)
    try:
        rule = Rule[options.rule.upper().replace("-", "_")]
    except KeyError:
        parser.error(f"no rule is called {options.rule}")
    if rule == Rule.RENJU:
        parser.error("renju's colours differ: a table for each is not made yet")
    try:
        run = Run(options, rule)
        started, first = perf_counter(), run.training.step
        train(run, options.checkpoint)
        seconds = perf_counter() - started
        save_whole(run.folder / FLOATS, run.floats())
        plot(run)
        parts = run.linear() | pooled_parts(run.shape, run.floats())
        weights = Weights(KIND_NAMES[run.shape.input], int(rule), parts)
        options.out.write_bytes(pack_weights(weights))
    except (ValueError, OSError) as error:
        print(f"trainer: {error}", file=sys.stderr)
        return 1
    done = (run.training.step - first) * options.batch
    if done:
        print(f"{done:,} positions in {seconds:.0f} s: {done / seconds:,.0f} a second")
    last = run.losses[-1]
    searched = loss_of(
        run.samples.score[run.judged] / run.scale, run.result[run.judged]
    )
    print(
        f"{len(run.samples):,} positions, {run.net.count:,} numbers; held-out loss of "
        f"results {last['held_out']:.4f}, the search's {searched:.4f}"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
