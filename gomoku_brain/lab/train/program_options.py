"""Options and tasks that the command-line programs of this folder share.

Each program is started as ``python -m gomoku_brain.lab.FOLDER.NAME``. An option of
several programs is defined and carried out here once.
"""

import argparse
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from gomoku_brain.control.params import PARAMETERS
from gomoku_brain.engine.engine import Engine
from gomoku_brain.eval.evaluate import evaluation_from
from gomoku_brain.eval.weights import Weights, pack_weights, unpack_weights
from gomoku_brain.game.rules import DEFAULT_RULE, Rule
from gomoku_brain.lab.train.parts import choices_of
from gomoku_brain.lab.train.samples import naming
from gomoku_brain.runs import run_options
from gomoku_brain.runs.output_files import check_output, write_whole
from gomoku_brain.runs.program_end import run_reporting
from gomoku_brain.runs.run_options import OneLineParser, at_least, number_within

Array = Any  # numpy.ndarray; numpy is imported late


def make_parser(name: str, description: str) -> argparse.ArgumentParser:
    """Return the parser of a program of this folder."""
    prog = f"python -m gomoku_brain.lab.{name}"
    return OneLineParser(prog=prog, description=description)


def run(
    parser: argparse.ArgumentParser,
    argv: list[str] | None,
    work: Callable[[argparse.Namespace], None],
) -> int:
    """Parse the command line and do the work; return the exit status.

    Errors are reported as ``run_reporting`` does.
    """
    options = parser.parse_args(argv)
    return run_reporting(parser.prog.rpartition(".")[2], lambda: work(options))


count = at_least(1, (1 << 31) - 1)
"""Type of an option with a whole number that a C int holds."""
amount = number_within(0)
"""Type of an option with a number that is not negative."""
share = number_within(0, 1, "share")
"""Type of an option with a share, from 0 to 1."""

# Games, and files made from them


def add_rule(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--rule``, with the default freestyle."""
    run_options.add_rule(parser, DEFAULT_RULE)


def add_most(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--most``; see ``numbered.numbered_lines``."""
    parser.add_argument("--most", type=count, help="games of each file, by number")


# Settings of a fit


def add_target(parser: argparse.ArgumentParser, mix: float) -> None:
    """Add the option ``--mix``; see ``losses.target_of``."""
    parser.add_argument(
        "--mix", type=share, default=mix, help="share of the search in the target"
    )


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--seed``."""
    parser.add_argument("--seed", type=int, default=1)


# Weights files, read and written


def add_choices_of(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--choices-of``, a file with move scores; see
    ``given_choices``.
    """
    parser.add_argument(
        "--choices-of", type=Path, help="take the move scores of this weights file"
    )


def given_choices(options: argparse.Namespace) -> list[list[Array]]:
    """Return the move scores of the file named.

    Raises ValueError, with its name, for a damaged file and for that of another rule.
    """
    weights = read_weights(options.choices_of, options.rule)
    with naming(options.choices_of):
        return choices_of(weights)


def read_weights(path: Path, rule: Rule) -> Weights:
    """Return the weights of a file.

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
    """Settings by which an engine differs from the one of the package."""

    params: dict[str, int]
    """New values of constants of ``control.params``, by name."""
    weights: Weights | None
    """Weights of the evaluation; None: those of the package."""

    def engine(self, hash_mb: float) -> Engine:
        """Create such an engine, with a table of ``hash_mb`` MB.

        Raises KeyError for a constant that does not exist, and ValueError for a value
        out of range and for weights that no evaluation can use. Weights of another rule
        stay unused.
        """
        engine = Engine(hash_mb=hash_mb)
        for name, value in self.params.items():
            engine.set_param(name, value)
        if self.weights is not None:
            engine.set_evaluation(evaluation_from(self.weights))
        return engine


def constant_names(text: str) -> list[str]:
    """Parse names of constants of the search, joined by commas, for ``argparse``."""
    names = text.split(",")
    for name in names:
        if name not in PARAMETERS:
            raise argparse.ArgumentTypeError(f"there is no constant {name}")
        if names.count(name) > 1:
            raise argparse.ArgumentTypeError(f"{name} is named twice")
    return names


def constants(text: str) -> dict[str, int]:
    """Parse constants of the search with their values, joined by commas, for
    ``argparse``.
    """
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
    """Add the options ``--set`` and ``--weights``, or with ``side`` ``--SIDE-set`` and
    ``--SIDE-weights``.
    """
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
    """Return the variant that the options of ``add_variant`` describe.

    Raises OSError and ValueError as ``read_weights``, and ValueError for weights that
    no evaluation can use.
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
    """Add the option ``--out``; see ``check_out`` and ``write_weights``."""
    parser.add_argument("--out", type=Path, required=True, help="weights file to write")


def check_out(options: argparse.Namespace) -> None:
    """Check before the work that ``--out`` can be written and is not an input file."""
    read = (getattr(options, name, None) for name in ("choices_of", "warm_start"))
    labels = (each.iterdir() for each in getattr(options, "labels", None) or ())
    files = chain((path for path in read if path), *labels)
    check_output(options.out, (*options.games, *files))


def write_weights(options: argparse.Namespace, weights: Weights) -> None:
    """Write the weights file that ``--out`` names."""
    write_whole(options.out, pack_weights(weights))
