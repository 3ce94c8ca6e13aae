"""Fit of a network over points to games of self-play, written as integers.

The folder stores the whole run: the samples (made from the games on the first call), a
checkpoint, the losses, their plot, and the parameters as floats. The same command
continues an interrupted run from its checkpoint and ends with the same numbers. A run
with another number of epochs is another run. On one machine, equal seeds give equal
numbers.
"""

import argparse
import json
import os
import zlib
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from time import perf_counter
from typing import Any
from zipfile import BadZipFile

from gomoku_brain.eval.weights import (
    Weights,
    is_weights_file,
    shipped_weights,
    unpack_weights,
)
from gomoku_brain.lab.train.losses import aligned_loss_of, loss_of, target_of
from gomoku_brain.lab.train.packed import fingerprint, labels_in
from gomoku_brain.lab.train.parts import choices_of, some_of
from gomoku_brain.lab.train.pooled import LEAST, PooledNet, Training
from gomoku_brain.lab.train.program_options import (
    add_choices_of,
    add_most,
    add_out,
    add_rule,
    add_seed,
    add_target,
    amount,
    check_out,
    count,
    given_choices,
    make_parser,
    run,
    share,
    write_weights,
)
from gomoku_brain.lab.train.quantize import (
    POOL_SIZE,
    ROW_UNIT,
    network_of,
    parameters_of,
    weights_of,
)
from gomoku_brain.lab.train.samples import (
    HEADER,
    Samples,
    is_made_of,
    make_samples,
    open_samples,
)
from gomoku_brain.runs.output_files import make_folder, write_whole

__all__ = ["main", "with_one_blas_thread"]

Array = Any  # numpy.ndarray

CHECKPOINT, LOSSES, PLOT, FLOATS = (
    "checkpoint.npz",
    "losses.json",
    "loss.png",
    "net.npz",
)


def with_one_blas_thread() -> None:
    """Restrict numpy to one thread for matrix products, unless the environment sets
    another number.

    Two threads of a fit share its batches. Threads of numpy beside them would mostly
    wait for each other, and would make the sums depend on the number of cores. Call it
    before numpy is imported.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def samples_of(options: argparse.Namespace) -> Samples:
    """Return the samples of the folder; the first call makes them from the games.

    Later calls need not name the games. Raises ValueError if the games named are not
    those of the samples, and if there are neither games nor samples.
    """
    folder, games, most = options.folder, options.games, options.most
    if not (folder / HEADER).exists():
        if not games:
            raise ValueError(f"{folder} has no samples yet: name files of games")
        return make_samples(folder, games, options.rule, most=most)
    samples = open_samples(folder, options.rule)
    if games and not is_made_of(folder, games, most):
        raise ValueError(
            f"{folder} holds samples of other files or of another --most: name another"
            " folder"
        )
    return samples


def target_for(
    samples: Samples, fitted: Array, options: argparse.Namespace
) -> tuple[Array, float]:
    """Return ``losses.target_of`` for the options ``--mix`` and ``--lambda``."""
    import numpy

    score = numpy.asarray(samples.score, numpy.float64)
    opinion = partial(samples.returns, decay=options.decay)
    return target_of(score, samples.result, fitted, options.mix, opinion)


def labels_for(
    samples: Samples, folders: Sequence[Path]
) -> tuple[Array, list[dict[str, Any]]]:
    """Return (labels of the positions that searches evaluated, headers) of folders of
    ``teacher_labels``, one for each file of such positions, in their order.

    Labels of other positions are not a number. Raises OSError, and ValueError for
    labels that are not of these positions.
    """
    import numpy

    found = numpy.full(len(samples), numpy.nan, numpy.float32)
    headers, rest = [], numpy.flatnonzero(~samples.played)
    number = samples.number[samples.game]
    for folder in folders:
        labels, header = labels_in(folder)
        part, rest = rest[: len(labels)], rest[len(labels) :]
        columns = (number[part], samples.ply[part], samples.score[part])
        if fingerprint(*columns) != header["fingerprint"]:
            raise ValueError(
                f"{folder} has labels of other positions: name a folder for each file"
                " of evaluated positions, in their order and with the same --most"
            )
        found[part] = labels
        headers.append(header)
    if len(rest):
        raise ValueError(
            f"{len(rest)} evaluated positions have no labels: name their folder, too"
        )
    return found, headers


def save_whole(path: Path, arrays: dict[str, Array]) -> None:
    """Write arrays to a file; the old file stays until the new one is complete."""
    import numpy

    data = BytesIO()
    numpy.savez(data, **arrays)
    write_whole(path, data.getvalue())


def arrays_in(data: bytes) -> dict[str, Array]:
    """Return the arrays that ``save_whole`` wrote. ValueError for other content."""
    import numpy

    try:
        with numpy.load(BytesIO(data)) as file:
            return dict(file)
    except (ValueError, TypeError, EOFError, BadZipFile, zlib.error) as error:
        raise ValueError("not a file of arrays, or a damaged one") from error


def checkpoint_in(path: Path) -> dict[str, Array]:
    """Return the state of a run in a checkpoint. ValueError, with the file's name, if
    it is damaged.
    """
    try:
        return arrays_in(path.read_bytes())
    except ValueError as error:
        raise ValueError(
            f"{path}: {error}; delete it to start the run again"
        ) from error


def parameters_in(data: bytes) -> dict[str, Array]:
    """Return the parameters in a run's ``net.npz`` or a weights file. ValueError for
    another file.
    """
    if is_weights_file(data):
        return parameters_of(unpack_weights(data))
    try:
        return arrays_in(data)
    except ValueError as error:
        raise ValueError("neither a run's net.npz nor a weights file") from error


class TrainingRun:
    """Folder of a run, with its samples, the fit and its progress."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Start or continue a run. ValueError for a folder of another run."""
        import numpy

        self.choices = self._move_scores(options)
        self.options, self.folder = options, options.folder
        self.samples = samples_of(options)
        s = self.samples
        held = s.held_out
        self.target, self.scale = target_for(s, ~held, options)
        self.fitted = numpy.flatnonzero(~held)
        self.judged = numpy.flatnonzero(held & s.played)
        self.evaluated = numpy.flatnonzero(held & ~s.played)
        self.result = s.result
        self.net = PooledNet(s, options.rule, options.seed)
        aim = self.target
        if options.labels:
            self.fitted = self.fitted[~s.played[self.fitted]]
            aim, headers = labels_for(s, options.labels)
        wanted = aim[self.fitted].astype(numpy.float32)
        self.net.least["table_rest"] = options.least
        self.training = Training(
            self.net,
            self.fitted,
            wanted,
            epochs=options.epochs,
            batch=options.batch,
            rate=options.rate,
            seed=options.seed,
        )
        self.losses: list[dict[str, float]] = []
        names = "mix decay epochs batch rate least seed".split()
        self.recipe = {"rule": options.rule.name.lower()}
        self.recipe |= {name: getattr(options, name) for name in names}
        self.recipe["games"] = json.loads((self.folder / HEADER).read_text())["games"]
        if options.labels:
            self.recipe["labels"] = headers
        path = self.folder / CHECKPOINT
        if options.warm_start is not None:
            data = options.warm_start.read_bytes()
            self.recipe["warm_start"] = sha256(data).hexdigest()
        if path.exists():
            state = checkpoint_in(path)
            notes = json.loads(str(state["notes"]))
            if notes["recipe"] != self.recipe:
                raise ValueError(f"{path} is of another run, {notes['recipe']}")
            self.training.go_on(state)
            self.losses = notes["losses"]
        elif options.warm_start is not None:
            try:
                self.net.begin_with(parameters_in(data))
            except ValueError as error:
                raise ValueError(f"{options.warm_start}: {error}") from error

    @staticmethod
    def _move_scores(options: argparse.Namespace) -> list[list[Array]]:
        """Return the move scores of the named file, else those shipped for the rule."""
        if options.choices_of is not None:
            return given_choices(options)
        known = shipped_weights(int(options.rule))
        if known is None:
            raise ValueError("no weights are shipped for this rule: use --choices-of")
        return choices_of(known)

    def save(self) -> None:
        """Write a checkpoint."""
        import numpy

        notes = json.dumps({"recipe": self.recipe, "losses": self.losses})
        state = self.training.state() | {"notes": numpy.array(notes)}
        save_whole(self.folder / CHECKPOINT, state)

    def finish_epoch(self, loss: float) -> None:
        """Record the losses of the fit and of the held-out games."""
        epoch = self.training.step // self.training.batches
        found = {"epoch": epoch, "fitted": loss}
        self.losses.append(found | self.judge(self.net))
        text = "".join(json.dumps(line) + "\n" for line in self.losses)
        (self.folder / LOSSES).write_text(text, encoding="ascii")

    def judge(self, net: PooledNet) -> dict[str, float]:
        """Return the losses of a network on the positions of held-out games, alone and
        aligned.
        """
        tasks = {"held_out": (self.judged, self.result)}
        if len(self.evaluated):
            tasks["held_out_evaluated"] = (self.evaluated, self.target)
        found = {}
        for name, (which, aim) in tasks.items():
            logits = net.logits(which)
            found[name] = loss_of(logits, aim[which])
            found[f"{name}_aligned"] = aligned_loss_of(logits, aim[which])
        return found

    def weights(self) -> Weights:
        """Return the file, with the move scores of the named file, else the shipped
        ones.
        """
        some = some_of(self.fitted)
        return weights_of(self.net, self.options.rule, self.choices, some)


def train(run: TrainingRun, every: float) -> None:
    """Do the rest of a run; checkpoints ``every`` seconds and after each epoch."""
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


def plot(run: TrainingRun) -> None:
    """Draw the losses by epoch."""
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
    if len(run.evaluated):
        found = [line["held_out_evaluated"] for line in run.losses]
        axes.plot(epochs, found, "^-", label="evaluated positions, held out")
    axes.set(xlabel="epoch", ylabel="loss (nats a position)", xticks=epochs)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(run.folder / PLOT, dpi=120)


def main(argv: list[str] | None = None) -> int:
    """Run ``python -m gomoku_brain.lab.train.trainer``; see ``--help``."""
    parser = make_parser(
        "train.trainer",
        "Fit a network over points to self-play, and write it as integers.",
    )
    parser.add_argument("folder", type=Path, help="for samples, checkpoint and losses")
    parser.add_argument("games", type=Path, nargs="*", help="files of self-play")
    add_rule(parser)
    add_most(parser)
    add_out(parser)
    parser.add_argument(
        "--warm-start",
        type=Path,
        metavar="FILE",
        help="begin with the parameters of another run (its net.npz) or of a weights"
        " file; a rule with few games can begin with another's",
    )
    add_target(parser, mix=0.8)
    parser.add_argument(
        "--lambda",
        dest="decay",
        type=share,
        default=0.0,
        help="weight of the next position's return in the search's opinion, 0 to 1",
    )
    parser.add_argument(
        "--labels",
        type=Path,
        nargs="+",
        metavar="FOLDER",
        help="fit a teacher's opinions of the positions that searches evaluated, and"
        " nothing else, whatever --mix and --lambda say: folders of teacher_labels, one"
        " for each file of such positions",
    )
    parser.add_argument("--epochs", type=count, default=10)
    parser.add_argument("--batch", type=count, default=4096)
    parser.add_argument("--rate", type=amount, default=2e-3)
    parser.add_argument(
        "--least",
        type=amount,
        default=LEAST,
        help="slopes of a row's own numbers below this move them less",
    )
    add_seed(parser)
    parser.add_argument(
        "--checkpoint", type=amount, default=60, help="seconds between two"
    )
    add_choices_of(parser)
    return run(parser, argv, _fit)


def _fit(options: argparse.Namespace) -> None:
    """Do or finish the run of a folder, and write its results."""
    make_folder(options.folder)  # --out may be in it
    check_out(options)
    here = TrainingRun(options)
    started, first = perf_counter(), here.training.step
    train(here, options.checkpoint)
    seconds = perf_counter() - started
    save_whole(here.folder / FLOATS, here.net.parameters | here.net.parts)
    plot(here)
    weights = here.weights()
    largest = ROW_UNIT * max(
        here.net.largest_pool(positions) for positions in (here.judged, here.evaluated)
    )
    if largest >= POOL_SIZE:
        raise ValueError(
            f"sums over a region reach {largest:,.0f} of {POOL_SIZE:,} in held-out"
            " games: no file is written, since its evaluation's would wrap around"
        )
    write_weights(options, weights)
    done = (here.training.step - first) * options.batch
    if done:
        print(f"{done:,} positions in {seconds:.0f} s: {done / seconds:,.0f} a second")
    losses = here.judge(network_of(weights, here.samples))
    searched = loss_of(
        here.samples.score[here.judged] / here.scale, here.result[here.judged]
    )
    print(
        f"{len(here.samples):,} positions, {here.net.count:,} numbers; the file's"
        f" held-out loss of results {losses['held_out']:.4f}, after the best scale and"
        f" constant {losses['held_out_aligned']:.4f}, the search's {searched:.4f}"
    )
    if len(here.evaluated):
        found = losses["held_out_evaluated"]
        aligned = losses["held_out_evaluated_aligned"]
        print(
            f"of positions that searches evaluated {found:.4f}, after the best scale"
            f" and constant {aligned:.4f}"
        )


if __name__ == "__main__":
    with_one_blas_thread()
    raise SystemExit(main())
