"""Options and outputs that several commands share, parsed in one place.

The types of numbers and the options of long runs are in ``runs.run_options``.
"""

import argparse
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from gomoku_brain.engine.engine import MAX_THREADS, Engine
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.records.encodings import decode
from gomoku_brain.records.game import Game
from gomoku_brain.records.read import read_positions as read
from gomoku_brain.records.read_options import (
    ReadError,
    ReadNote,
    ReadOptions,
    parse_size,
)
from gomoku_brain.runs.json_rows import json_line
from gomoku_brain.runs.program_end import drop_output, report
from gomoku_brain.runs.run_options import Options, add_rule, add_workers, at_least

# Positions and games


def add_size(options: Options, default: tuple[int, int] | None = None) -> None:
    """Add ``--size N|WxH``, which becomes (width, height)."""

    def size(text: str) -> tuple[int, int]:
        try:
            return parse_size(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    options.add_argument(
        "--size",
        type=size,
        default=default,
        metavar="N|WxH",
        help="cells of the board, a side (N) or both (WxH) (default: 15)",
    )


def add_side(options: Options, help: str = "side to move") -> None:
    """Add ``--side NAME``."""

    def side(text: str) -> Side:
        if text.upper() not in Side.__members__:
            raise argparse.ArgumentTypeError(f"{text!r} is not black or white")
        return Side[text.upper()]

    options.add_argument(
        "--side", type=side, metavar="SIDE", help=f"{help}: black or white"
    )


def add_positions(options: Options) -> None:
    """Add the options of ``read_positions``, ``--json`` among them."""

    def encoding(name: str) -> str:
        try:
            decode(b" ", name)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
        return name

    add_rule(options)
    add_size(options)
    add_side(options)
    add = options.add_argument
    add(
        "--rows",
        choices=("top", "bottom"),
        help='the edge from which rows of "h8" count (top; bottom in PGN and XML)',
    )
    add(
        "--encoding",
        type=encoding,
        metavar="NAME",
        help="encoding of files (default: by their bytes)",
    )
    add("--number", type=at_least(1), metavar="K", help="only the K-th of a file")
    add(
        "--variations",
        action="store_true",
        help="every line of games with variations, not only the main one",
    )
    add("--skip-errors", action="store_true", help="skip input that cannot be read")
    add("--json", action="store_true", help="one JSON object a line instead of text")


def read_positions(
    program: str,
    words: Sequence[str],
    options: argparse.Namespace,
    side: Side | None = None,
) -> tuple[list[Game], int]:
    """Read the positions or games that the options of ``add_positions`` select.

    Return them with the number of errors that were skipped. Each of these errors, and
    each note of a reader, is reported at once. ``side`` is the side to move at the
    end of moves without a set-up.

    Raises:
        ReadError: A text cannot be read.
        ValueError: There is no game of that number.
    """
    unread: list[ReadError] = []

    def on_report(message: ReadError | ReadNote) -> None:
        if isinstance(message, ReadNote):
            report(program, f"note: {message}")
            return
        unread.append(message)
        report(program, message)
        if options.json:
            print(json_line("error", {"message": str(message)}), flush=True)

    reading = ReadOptions(
        options.rule,
        options.size,
        options.encoding,
        options.rows,
        "skip" if options.skip_errors else "games",
        on_report,
        side=side,
        variations=options.variations,
    )
    games = read(words, reading)
    number = options.number
    if number is not None:
        if number > len(games):
            many = f"are {len(games)}" if len(games) > 1 else "is 1"
            raise ValueError(f"--number {number}, but there {many}")
        games = [games[number - 1]]
    return games, len(unread)


def only_board(texts: Sequence[str], options: ReadOptions) -> Board:
    """Read the only position in the texts.

    Raises:
        ReadError: The texts contain no position, or more than one.
    """
    games = read(texts, options)
    if len(games) != 1:
        raise ReadError(f"one position is needed, not {len(games)}")
    return games[0].board()


# Searches


def add_engine(options: Options) -> None:
    """Add ``--hash MB``, ``--threads N`` and ``--workers N``, for ``new_engines``."""
    options.add_argument(
        "--hash",
        type=at_least(1),
        default=64,
        metavar="MB",
        help="transposition table of each worker (64)",
    )
    options.add_argument(
        "--threads",
        type=at_least(1, MAX_THREADS),
        default=1,
        metavar="N",
        help="threads of a search (1)",
    )
    add_workers(options, "positions that are searched at once (1)")


def new_engines(options: argparse.Namespace, most: int) -> list[Engine]:
    """Create an engine for each of the workers, ``most`` at most.

    Raises:
        ValueError: There is not enough memory.
    """
    try:
        return [
            Engine(options.threads, options.hash)
            for _ in range(min(options.workers, most))
        ]
    except (ValueError, MemoryError) as error:
        raise ValueError(f"--hash {options.hash}: {error or 'no memory'}") from None


# Outputs


def require_pictures(paths: Iterable[str | Path] = ()) -> None:
    """Check that pictures can be drawn to files of these names.

    Raises:
        ValueError: matplotlib is missing, or a name has another ending.
    """
    try:
        from gomoku_brain.study.pictures import FORMATS
    except ImportError:
        raise ValueError("pictures need matplotlib: pip install matplotlib") from None
    for path in map(Path, paths):
        if path.suffix.lower() not in FORMATS:
            raise ValueError(f"a picture is a file .png or .svg, not {path}")


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
        drop_output()


# Ratings


def add_anchor(options: Options) -> None:
    """Add ``--anchor``, for ``anchor_of``."""
    options.add_argument(
        "--anchor",
        metavar="NAME[=ELO]",
        help="the ranking gives this player the rating ELO (0); the others"
        " are relative to it",
    )


def anchor_of(anchor: str | None, names: Sequence[str]) -> tuple[str, float] | None:
    """Return the player of ``--anchor`` and its Elo rating; None without the option."""
    if anchor is None:
        return None
    name, equals, text = anchor.rpartition("=")
    if not equals or anchor in names:
        name, text = anchor, "0"
    try:
        elo = float(text)
    except ValueError:
        elo = math.nan
    if not math.isfinite(elo):
        raise ValueError(f"--anchor {anchor}: {text!r} is not a rating")
    if name not in names:
        raise ValueError(f"--anchor {name}: the players are {', '.join(names)}")
    return name, elo
