"""What the programs of this folder have in common on the command line.

Each is started as ``python -m gomoku_brain.lab.FOLDER.NAME``. An option that several
have is made here, once, and what it asks for is done here, too.
"""

import argparse
import os
import sys
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from gomoku_brain.control.params import PARAMETERS
from gomoku_brain.engine.engine import Engine
from gomoku_brain.eval.evaluate import evaluation_from
from gomoku_brain.eval.weights import Part, Weights, pack_weights, unpack_weights
from gomoku_brain.game.rules import DEFAULT_RULE, Rule
from gomoku_brain.lab.train.losses import target_of
from gomoku_brain.lab.train.parts import choices_of
from gomoku_brain.lab.train.pooled import LEAST, PooledNet, Training
from gomoku_brain.lab.train.samples import (
    HEADER,
    Samples,
    is_made_of,
    make_samples,
    naming,
    open_samples,
)
from gomoku_brain.runs.output_files import check_output, write_whole
from gomoku_brain.runs.run_options import told_early_end, whole

Array = Any  # numpy.ndarray; numpy is imported late


def begin(name: str, description: str) -> argparse.ArgumentParser:
    """The parser of a program of this folder."""
    prog = f"python -m gomoku_brain.lab.{name}"
    return argparse.ArgumentParser(prog=prog, description=description)


def with_one_blas_thread() -> None:
    """Let numpy multiply matrices in one thread, where nothing else was asked for.

    Two threads of a fit share its batches; those that numpy would start beside them
    wait for each other most of the time, and would make the sums depend on the number
    of cores. To be called before numpy is loaded.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def run(
    parser: argparse.ArgumentParser,
    argv: list[str] | None,
    work: Callable[[argparse.Namespace], None],
) -> int:
    """Do the work that the command line asks for; the exit status.

    What cannot be done, by a ValueError or OSError, is told in one line, and so are a
    lost worker and Ctrl-C.
    """
    options = parser.parse_args(argv)
    name = parser.prog.rpartition(".")[2]
    try:
        work(options)
    except (ValueError, OSError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 1
    except (BrokenProcessPool, KeyboardInterrupt) as error:
        return told_early_end(name, error)
    return 0


def rule_named(text: str) -> Rule:
    """A rule by its name, for ``argparse``."""
    try:
        return Rule(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"no rule is called {text}") from None


def count(text: str) -> int:
    """A whole number of at least 1 that a C int holds, for ``argparse``."""
    number = whole(text)
    if number >= 1 << 31:
        raise argparse.ArgumentTypeError("must be less than 2147483648")
    return number


def amount(text: str) -> float:
    """A number that is not negative, for ``argparse``."""
    with suppress(ValueError):
        number = float(text)
        if 0 <= number < float("inf"):
            return number
    raise argparse.ArgumentTypeError(f"must be a number of 0 or more, not {text!r}")


# Games, and what is made of them


def add_rule(parser: argparse.ArgumentParser) -> None:
    """--rule."""
    parser.add_argument(
        "--rule", type=rule_named, default=DEFAULT_RULE, help="its name, say renju"
    )


def add_most(parser: argparse.ArgumentParser) -> None:
    """--most, see ``numbered.numbered_lines``."""
    parser.add_argument("--most", type=count, help="games of each file, by number")


def add_folder(parser: argparse.ArgumentParser, holds: str) -> None:
    """The folder of a fit that can be interrupted; see ``samples_of``."""
    parser.add_argument("folder", type=Path, help=f"for {holds}")
    parser.add_argument("games", type=Path, nargs="*", help="files of self-play")
    add_rule(parser)
    add_most(parser)


def samples_of(options: argparse.Namespace, *, with_cells: bool) -> Samples:
    """The samples of the folder; on the first call they are made from the games.

    Later the games need not be named. ValueError when those that are named are not
    those of the samples, or when there are neither games nor samples.
    """
    folder, games, most = options.folder, options.games, options.most
    if not (folder / HEADER).exists():
        if not games:
            raise ValueError(f"{folder} has no samples yet: name files of games")
        return make_samples(
            folder, games, options.rule, most=most, with_cells=with_cells
        )
    samples = open_samples(folder, options.rule)
    if games and not is_made_of(folder, games, most):
        raise ValueError(
            f"{folder} holds samples of other files or of another --most: name another"
            " folder"
        )
    return samples


# How a fit is done


def share(text: str) -> float:
    """A number from 0 to 1, for ``argparse``."""
    with suppress(ValueError):
        number = float(text)
        if 0 <= number <= 1:
            return number
    raise argparse.ArgumentTypeError(f"a share is a number from 0 to 1, not {text!r}")


def add_target(parser: argparse.ArgumentParser, mix: float) -> None:
    """--mix, see ``losses.target_of``."""
    parser.add_argument(
        "--mix", type=share, default=mix, help="share of the search in the target"
    )


def add_seed(parser: argparse.ArgumentParser) -> None:
    """--seed."""
    parser.add_argument("--seed", type=int, default=1)


def add_training(parser: argparse.ArgumentParser, epochs: int, batch: int) -> None:
    """The options of ``training_of``, with the defaults of a program."""
    add_target(parser, mix=0.8)
    parser.add_argument(
        "--lambda",
        dest="decay",
        type=share,
        default=0.0,
        help="weight of the next position's return in the search's opinion, 0 to 1",
    )
    parser.add_argument("--epochs", type=count, default=epochs)
    parser.add_argument("--batch", type=count, default=batch)
    parser.add_argument("--rate", type=amount, default=2e-3)
    parser.add_argument(
        "--least",
        type=amount,
        default=LEAST,
        help="slopes of a row's own numbers below this move them less",
    )
    add_seed(parser)


def target_for(
    samples: Samples, fitted: Array, options: argparse.Namespace
) -> tuple[Array, float]:
    """``losses.target_of`` as ``--mix`` and ``--lambda`` ask for."""
    import numpy

    score = numpy.asarray(samples.score, numpy.float64)
    opinion = partial(samples.returns, decay=options.decay)
    return target_of(score, samples.result, fitted, options.mix, opinion)


def training_of(
    net: PooledNet, rows: Array, target: Array, options: argparse.Namespace
) -> Training:
    """The training of a network on some positions."""
    net.least["table_rest"] = options.least
    return Training(
        net,
        rows,
        target,
        epochs=options.epochs,
        batch=options.batch,
        rate=options.rate,
        seed=options.seed,
    )


# Weights that are there, and those that are made


def add_choices_of(parser: argparse.ArgumentParser) -> None:
    """--choices-of: move scores that are there already; see ``given_choices``."""
    parser.add_argument(
        "--choices-of", type=Path, help="take the move scores of this weights file"
    )


def given_choices(options: argparse.Namespace) -> list[list[Array]]:
    """The move scores of the file named.

    Raises ValueError, with its name, for a damaged file and for that of another rule.
    """
    weights = read_weights(options.choices_of, options.rule)
    with naming(options.choices_of):
        return choices_of(weights)


def read_weights(path: Path, rule: Rule) -> Weights:
    """The weights of a file.

    Raises OSError, and ValueError, with the file's name, for a damaged file and for
    that of another rule.
    """
    with naming(path):
        weights = unpack_weights(path.read_bytes())
        if weights.rule != int(rule):
            raise ValueError("weights for another rule")
    return weights


# A variant of the engine


class Variant(NamedTuple):
    """What an engine plays with that is not the one of the package."""

    params: dict[str, int]
    """Other values for constants of ``control.params``."""
    weights: Weights | None
    """Of the evaluation; None = those of the package."""

    def engine(self, hash_mb: float) -> Engine:
        """Such an engine, with a table of so many MB.

        Raises KeyError for a constant that does not exist, ValueError out of range and
        for weights that no evaluation can take; those of another rule stay unused.
        """
        engine = Engine(hash_mb=hash_mb)
        for name, value in self.params.items():
            engine.worker.set_param(name, value)
        if self.weights is not None:
            engine.set_evaluation(evaluation_from(self.weights))
        return engine


def constant_names(text: str) -> list[str]:
    """Names of constants of the search, joined by commas, for ``argparse``."""
    names = text.split(",")
    for name in names:
        if name not in PARAMETERS:
            raise argparse.ArgumentTypeError(f"no constant is called {name}")
        if names.count(name) > 1:
            raise argparse.ArgumentTypeError(f"{name} is named twice")
    return names


def constants(text: str) -> dict[str, int]:
    """Constants of the search with their values, joined by commas, for ``argparse``."""
    words = [word.partition("=") for word in text.split(",")]
    names = constant_names(",".join(name for name, _, _ in words))
    for name, _, value in words:
        _, _, least, most = PARAMETERS[name]
        if not value.isdecimal() or not least <= int(value) <= most:
            raise argparse.ArgumentTypeError(
                f"{name} is a whole number from {least} to {most}, not {value!r}"
            )
    return dict(zip(names, [int(value) for _, _, value in words], strict=True))


def add_variant(parser: argparse.ArgumentParser, side: str = "") -> None:
    """--set and --weights, or with ``side`` --SIDE-set and --SIDE-weights."""
    prefix, whose = (f"--{side}-", f" ({side})") if side else ("--", "")
    parser.add_argument(
        f"{prefix}set",
        type=constants,
        default={},
        metavar="NAME=VALUE,...",
        help=f"other constants of the search{whose}",
    )
    parser.add_argument(
        f"{prefix}weights",
        type=Path,
        metavar="FILE",
        help=f"another weights file{whose}",
    )


def variant_of(options: argparse.Namespace, side: str = "") -> Variant:
    """What ``add_variant`` was told.

    OSError and ValueError as ``read_weights``, and for what no evaluation can take.
    """
    prefix = f"{side}_" if side else ""
    params, path = (getattr(options, f"{prefix}{name}") for name in ("set", "weights"))
    if path is None:
        return Variant(params, None)
    weights = read_weights(path, options.rule)
    with naming(path):
        evaluation_from(weights)
    return Variant(params, weights)


def add_out(parser: argparse.ArgumentParser) -> None:
    """--out, see ``check_out`` and ``write_weights``."""
    parser.add_argument("--out", type=Path, required=True, help="weights file to write")


def check_out(options: argparse.Namespace) -> None:
    """See before the work that --out can be written, and is no file that is read."""
    read = (getattr(options, name, None) for name in ("choices_of", "warm_start"))
    check_output(options.out, (*options.games, *(path for path in read if path)))


def write_weights(
    options: argparse.Namespace, kind: str, parts: dict[str, Part]
) -> None:
    """Write a weights file of a kind of evaluation."""
    write_whole(options.out, pack_weights(Weights(kind, int(options.rule), parts)))
