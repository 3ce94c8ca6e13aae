"""Parser and numbers of all commands; options and progress of the long ones.

``match``, ``prove``, ``levels``, ``openings``, self-play and other long commands share
the options ``--workers`` (on this machine) and ``--cluster`` (elsewhere). Progress is
one line that changes on a terminal, and a line now and then in a file.
"""

import argparse
import contextlib
import re
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Self, TextIO

from gomoku_brain.foreign_text import shown
from gomoku_brain.runs.terminal import unfiltered
from gomoku_brain.spelling import did_you_mean

if TYPE_CHECKING:
    from gomoku_brain.game.rules import Rule

__all__ = [
    "OneLineParser",
    "Options",
    "ProgressLine",
    "ProgressWriter",
    "add_cluster",
    "add_rule",
    "add_square_size",
    "add_workers",
    "at_least",
    "duration",
    "number_within",
    "parse_count",
    "rule_named",
    "seconds",
    "seconds_or_zero",
]

Options = argparse.ArgumentParser | argparse._ArgumentGroup
"""Parser or group to which options are added."""

STATUSES = {
    0: "done",
    1: "the reader of the output has ended (a closed pipe)",
    2: "an error, or wrong options; one line describes it",
    130: "stopped by Ctrl-C",
}
"""Exit statuses that all commands have."""

INTERVAL = 1.0  # least seconds between two lines of progress on a screen
FILE_INTERVAL = 60.0  # least seconds between two lines of progress in a file


class OneLineParser(argparse.ArgumentParser):
    """Argument parser that reports an error in one line, without the usage.

    The line suggests the most similar option or choice for a misspelled one.
    """

    def __init__(
        self,
        prog: str,
        description: str | None = None,
        epilog: str = "",
        statuses: Mapping[int, str] | None = None,
        **options: Any,  # noqa: ANN401
    ) -> None:
        """Create a parser, whose help keeps the lines of the texts.

        ``statuses``: exit statuses with their meanings, which the help lists with those
        that all commands have; None: no list.
        """
        if statuses is not None:
            known = {**STATUSES, **statuses}
            if 1 in statuses:
                known[1] = f"{statuses[1]}; or {STATUSES[1]}"
            rows = [
                textwrap.fill(
                    text, 79, initial_indent=f"  {status:<5}", subsequent_indent=" " * 7
                )
                for status, text in sorted(known.items())
            ]
            epilog = "\n".join([epilog, "exit status:", *rows]).lstrip()
        super().__init__(
            prog,
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            **options,
        )

    def format_help(self) -> str:
        """Return the help, without the marks of code in a module's docstring."""
        return super().format_help().replace("``", "")

    def error(self, message: str) -> NoReturn:
        """Print the message and exit with status 2."""
        self.exit(2, f"{self.prog}: {shown(message)}\n")

    def parse_args(  # type: ignore[override]  # as the first of its overloads
        self,
        args: Sequence[str] | None = None,
        namespace: Any = None,  # noqa: ANN401
    ) -> argparse.Namespace:
        """Parse the arguments. An unknown one ends the program."""
        found, unknown = self.parse_known_args(args, namespace)
        if unknown:
            tips = [
                did_you_mean(word.partition("=")[0], self._names())
                for word in unknown
                if word.startswith("--")
            ]
            tip = next(filter(None, tips), "")
            self.error(f"unrecognized arguments: {' '.join(unknown)}{tip}")
        parsed: argparse.Namespace = found
        return parsed

    def _names(self) -> Iterator[str]:
        """Yield the options of this parser and of those of its actions."""
        yield from self._option_string_actions
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                for parser in action.choices.values():
                    yield from parser._option_string_actions

    def _check_value(self, action: argparse.Action, value: Any) -> None:  # noqa: ANN401
        """Check a choice. Raises ``argparse.ArgumentError``, with a suggestion."""
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            tip = did_you_mean(str(value), map(str, action.choices or ()))
            raise argparse.ArgumentError(action, error.message + tip) from None


# Types of options, for ``argparse``


def parse_count(text: str, minimum: int = 0, maximum: int | None = None) -> int:
    """Parse a whole number, "1000000" or "1e6". Raises ValueError."""
    number = None
    if found := re.fullmatch(r"([0-9]+)(?:\.([0-9]+))?[eE]\+?([0-9]{1,2})", text):
        head, tail, power = found[1], (found[2] or "").rstrip("0"), int(found[3])
        if len(tail) <= power:
            number = int(head + tail + "0" * (power - len(tail)))
    elif text.isascii() and text.isdigit():
        number = int(text)
    if number is None or number < minimum or (maximum is not None and number > maximum):
        limits = (
            f"of {minimum} or more"
            if maximum is None
            else f"from {minimum} to {maximum}"
        )
        raise ValueError(f"{text!r} is not a whole number {limits}")
    return number


def at_least(minimum: int, maximum: int | None = None) -> Callable[[str], int]:
    """Return the type of an option with a whole number, "1000000" or "1e6"."""

    def number(text: str) -> int:
        try:
            return parse_count(text, minimum, maximum)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return number


def number_within(
    minimum: float, maximum: float = float("inf"), name: str = "number"
) -> Callable[[str], float]:
    """Return the type of an option with a finite number, the limits included."""

    def number(text: str) -> float:
        with contextlib.suppress(ValueError):
            value = float(text)
            if minimum <= value <= maximum and value < float("inf"):
                return value
        limits = f"of {minimum:g} or more"
        if maximum < float("inf"):
            limits = f"from {minimum:g} to {maximum:g}"
        raise argparse.ArgumentTypeError(f"{text!r} is not a {name} {limits}")

    return number


def seconds(text: str) -> float:
    """Parse a positive number of seconds."""
    value = seconds_or_zero(text)
    if not value:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time in seconds")
    return value


def seconds_or_zero(text: str) -> float:
    """Parse a number of seconds, 0 included."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e9:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time in seconds")
    return value


def rule_named(among: "Iterable[Rule] | None" = None) -> Callable[[str], "Rule"]:
    """Return the type of an option with one of these rules, or with any rule."""
    from gomoku_brain.game.rules import Rule  # compiled: not before it is needed

    names = [rule.name.lower() for rule in (Rule if among is None else among)]

    def rule(text: str) -> Rule:
        if text.lower().replace("-", "_") not in names:
            raise argparse.ArgumentTypeError(
                f"{text!r} is not one of {', '.join(names)}{did_you_mean(text, names)}"
            )
        return Rule(text)

    return rule


# Options


def add_square_size(options: Options, minimum: int = 5) -> None:
    """Add ``--size N`` for a square board of ``minimum`` cells a side or more."""
    from gomoku_brain.game.rules import SIDE_LENGTHS

    options.add_argument(
        "--size",
        type=at_least(minimum, SIDE_LENGTHS[-1]),
        default=15,
        metavar="N",
        help=f"cells a side of a square board, {minimum} to {SIDE_LENGTHS[-1]}"
        " (default: 15)",
    )


def add_rule(
    options: Options,
    default: "Rule | None" = None,
    among: "Sequence[Rule] | None" = None,
) -> None:
    """Add ``--rule NAME``, one of ``among`` or of all rules; hyphens are accepted.

    ``default`` None: the rule of the file, else freestyle.
    """
    from gomoku_brain.game.rules import Rule

    names = [rule.name.lower() for rule in (Rule if among is None else among)]
    usual = "the file's" if default is None else default.name.lower()
    options.add_argument(
        "--rule",
        type=rule_named(among),
        default=default,
        metavar="RULE",
        help=f"{', '.join(names)} (default: {usual})",
    )


def add_workers(options: Options, help: str, default: int | None = 1) -> None:
    """Add ``--workers N``."""
    options.add_argument(
        "--workers", type=at_least(1), default=default, metavar="N", help=help
    )


def add_cluster(options: Options, help: str) -> None:
    """Add ``--cluster ADDRESS``."""
    text = f"{help} a Dask cluster, tcp://host:8786"
    options.add_argument("--cluster", metavar="ADDRESS", help=text)


# Progress


class ProgressWriter:
    """Writer of progress to standard error: one line that changes, or a line now and
    then.
    """

    def __init__(self, out: TextIO | None = None, *, in_files: bool = True) -> None:
        """Create a writer, whose first text comes after the usual interval.

        ``in_files``: also write if the output is not a screen.
        """
        # (A process that was started without standard error has none.)
        self._out: TextIO | None = unfiltered(sys.stderr) if out is None else out
        self._moves = self._out is not None and self._out.isatty()
        if not (self._moves or in_files):
            self._out = None
        self._last = time.monotonic()
        self._width = 0

    def write(self, text: Callable[[], str], now: bool = False) -> None:
        """Write the text if the interval is over or ``now`` is set."""
        if self._out is None:
            return
        pause = INTERVAL if self._moves else FILE_INTERVAL
        if not now and time.monotonic() - self._last < pause:
            return
        self._last = time.monotonic()
        line = shown(text())
        if self._moves:
            print(f"\r{line:<{self._width}}", end="", file=self._out, flush=True)
            self._width = len(line)
        else:
            print(line, file=self._out, flush=True)

    def clear(self) -> None:
        """Clear the line on a screen."""
        if self._moves and self._width:
            print(f"\r{'':{self._width}}\r", end="", file=self._out, flush=True)
            self._width = 0

    def end(self) -> None:
        """End the line on a screen."""
        if self._moves and self._width:
            print(file=self._out, flush=True)
            self._width = 0


class ProgressLine:
    """Progress of a task with a known number of steps, written by a ``ProgressWriter``.

    The line is "openings: 12 of 40, 0:00:35, 0:01:22 left". As a context manager it
    ends its line.
    """

    def __init__(
        self, what: str, total: int, begun: int = 0, *, in_files: bool = True
    ) -> None:
        """Create the line; ``begun`` steps of ``total`` were done by an earlier run.

        ``in_files``: see ``ProgressWriter``.
        """
        self._what, self._total, self._begun = what, total, begun
        self._writer = ProgressWriter(in_files=in_files)
        self._started = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """End the line on a screen."""
        self._writer.end()

    def finish(self, done: int) -> None:
        """Write the progress of a task that ends, perhaps with fewer steps."""
        if done < self._total:
            self._total = done
            self.show(done)

    def show(self, done: int, more: str = "") -> None:
        """Write the progress if the interval is over or all is done; ``more`` follows
        the line.
        """
        self._writer.write(lambda: self._line(done) + more, now=done >= self._total)

    def _line(self, done: int) -> str:
        used = time.monotonic() - self._started
        line = f"{self._what}: {done} of {self._total}, {duration(used)}"
        if self._begun < done < self._total:
            left = used * (self._total - done) / (done - self._begun)
            line += f", {duration(left)} left"
        return line


def duration(seconds: float) -> str:
    """Format seconds as "1:02:03"."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
