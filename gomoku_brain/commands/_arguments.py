"""Argument types and parsers that several commands share."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from gomoku_brain.game.position import Board
from gomoku_brain.records.reader import ReadError, Setting, parse_count, read


class OneLineParser(argparse.ArgumentParser):
    """Argument parser that reports an error in one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        """Print the message and exit with status 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def at_least(least: int) -> Callable[[str], int]:
    """Return the type of an option with a whole number, "1000000" or "1e6".

    ``least`` is the smallest accepted number.
    """

    def number(text: str) -> int:
        try:
            return parse_count(text, least)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

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


@contextmanager
def output_until_closed(writes_files: bool) -> Iterator[None]:
    """Print inside; if the reader of a pipe has ended, drop the output and go on.

    A command without files to write ends instead: BrokenPipeError.
    """
    try:
        yield
    except BrokenPipeError:
        if not writes_files:
            raise
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)


def add_rows(parser: argparse.ArgumentParser) -> None:
    """Add the option for the edge from which the rows of "h8" count."""
    parser.add_argument(
        "--rows",
        choices=("top", "bottom"),
        help='the edge from which rows of "h8" count (top; bottom in PGN and XML)',
    )


def only_board(texts: Sequence[str], setting: Setting) -> Board:
    """Read the only position in the texts.

    Raises:
        ReadError: The texts contain no position, or more than one.
    """
    games = read(texts, setting)
    if len(games) != 1:
        raise ReadError(f"one position is needed, not {len(games)}")
    return games[0].board()
