"""``openings``: creation, check, measurement and output of opening lists.

Without FILE the subcommands use the book of the package.
"""

import argparse
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, TypedDict

from gomoku_brain.commands._arguments import add_size
from gomoku_brain.game.rules import DEFAULT_RULE
from gomoku_brain.records.openings import (
    BOOK_SMALLEST,
    Opening,
    Size,
    book,
    duplicates,
    format_opening,
    measures,
    opening_lines,
    parse_opening,
    position,
    read_openings,
    select,
)
from gomoku_brain.runs.json_rows import Count, Positive, Schema, json_line
from gomoku_brain.runs.run_options import (
    OneLineParser,
    add_rule,
    add_square_size,
    add_workers,
    at_least,
)

CHECK_NODES = 100_000  # nodes of the last search of an opening; set by hand
EXAMPLES = """\
examples:
  gomoku-brain openings generate --rule renju --size 15 --count 100 --out my.txt
  gomoku-brain openings check my.txt --rule renju --size 15
  gomoku-brain openings info my.txt --rule renju --size 15
  gomoku-brain openings balance my.txt --rule renju --size 15 --sample 20
  gomoku-brain openings list --rule freestyle --size 20 --part final --as offset
"""
STATUSES = {
    1: "check: a line cannot be played, two openings are equal, or there is none",
    130: "stopped by Ctrl-C; generate continues from FILE.part",
}


class BadRow(TypedDict):
    """A line that cannot be played."""

    line: Positive
    message: str


class CheckedLine(TypedDict):
    """openings check --json: lines that cannot be played, pairs of equal openings."""

    openings: Count
    bad: list[BadRow]
    equal: list[Annotated[list[str], Schema(minItems=2, maxItems=2)]]


class CountedLine(TypedDict):
    """openings info --json."""

    openings: Count
    equal: Count
    black_to_move: Count
    stones: Annotated[
        dict[str, Count], Schema(description="openings by their number of stones")
    ]
    region: dict[str, Count]


class ListedLine(TypedDict):
    """openings list --json: an opening is its moves in a row, as h8h9j10, or as
    --as offset writes them.
    """

    openings: list[str]


LINES = (CheckedLine, CountedLine, ListedLine)
"""The rows of ``--json``, by action; ``commands._opening_lists`` has the others."""


def make_parser() -> argparse.ArgumentParser:
    """Create the parser of the command line."""
    parser = OneLineParser(
        "gomoku-brain openings",
        description=__doc__,
        epilog=EXAMPLES,
        statuses=STATUSES,
    )
    commands = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    def action(name: str, text: str, file: bool = True) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=text, description=text, statuses=STATUSES)
        if file:
            made.add_argument("file", nargs="?", type=Path, help="list of openings")
            made.add_argument(
                "--part",
                choices=("tuning", "final", "all"),
                default="all",
                help="part of the shipped book, without FILE (default: all)",
            )
            made.add_argument(
                "--form",
                choices=("auto", "pos", "offset"),
                default="auto",
                help="how FILE is written (default: lines of numbers are offsets)",
            )
            add_size(made, (15, 15))
        else:
            add_square_size(made, BOOK_SMALLEST)
        add_rule(made, DEFAULT_RULE)
        made.add_argument("--json", action="store_true", help="the result as JSON")
        return made

    made = action("generate", "make balanced openings, no two alike", file=False)
    made.add_argument("--out", type=Path, required=True, metavar="FILE")
    made.add_argument("--count", type=at_least(1), default=100)
    made.add_argument("--seed", type=int, default=1)
    made.add_argument(
        "--nodes",
        type=at_least(1),
        default=5_000,
        help="of the search that decides",
    )
    made.add_argument(
        "--window",
        type=at_least(0),
        default=50,
        help="largest distance from an even score (default: %(default)s)",
    )
    made.add_argument(
        "--even", type=int, help="black's score in an even position (default: measured)"
    )
    made.add_argument(
        "--check",
        type=at_least(0),
        default=CHECK_NODES,
        help="nodes of a last search, whose score may differ by two windows; 0 = none"
        " (default: %(default)s)",
    )
    add_workers(made, "candidates that are searched at once, in threads (default: 1)")
    action("check", "name every bad line and every equal pair")
    action("info", "count stones, sides to move and regions of the board")
    made = action("balance", "play openings out, the engine against itself")
    made.add_argument(
        "--sample",
        type=at_least(1),
        default=100,
        help="openings to play (default: 100)",
    )
    made.add_argument(
        "--games", type=at_least(1), default=2, help="of each (default: 2)"
    )
    made.add_argument(
        "--nodes", type=at_least(1), default=1_000, help="of a move, roughly"
    )
    made.add_argument("--seed", type=int, default=1)
    made = action("even", "find the score from which games end even", file=False)
    made.add_argument(
        "--positions", type=at_least(1), default=250, help="random ones (default: 250)"
    )
    made.add_argument(
        "--games", type=at_least(1), default=4, help="of each (default: 4)"
    )
    made.add_argument(
        "--nodes", type=at_least(1), default=1_000, help="of a move, roughly"
    )
    made.add_argument("--seed", type=int, default=1)
    made = action("list", "print openings, one a line")
    made.add_argument(
        "--as",
        dest="to",
        choices=("pos", "offset"),
        default="pos",
        help="form to print",
    )
    made.add_argument("--count", type=at_least(0), help="so many (default: all)")
    made.add_argument("--seed", type=int, help="shuffle them by this seed")
    return parser


def main(argv: list[str]) -> int:
    """Run the command and return the exit status."""
    options = make_parser().parse_args(argv)
    return ACTIONS[options.action](options)


def openings_of(options: argparse.Namespace) -> list[Opening]:
    """Return the openings of the file, or of the book if there is no file."""
    if options.file is None:
        return book(options.rule, options.size, options.part)
    return read_openings(options.file, options.size, options.form, options.rule)


def print_result(
    options: argparse.Namespace, result: Mapping[str, object], text: str
) -> None:
    """Print the result as JSON or as text."""
    print(json_line("openings", result) if options.json else text)


def run_maker(options: argparse.Namespace) -> int:
    """Make or measure openings by searches and games."""
    from gomoku_brain.commands import _opening_lists  # with the engine

    openings = openings_of(options) if options.action == "balance" else []
    result, text, status = _opening_lists.run(options, openings)
    print_result(options, result, text)
    return status


def run_check(options: argparse.Namespace) -> int:
    """Report every invalid line and every duplicate opening."""
    bad: list[BadRow] = []
    good, places = [], []
    if options.file is None:
        good = openings_of(options)
        places = [opening.name for opening in good]
    else:
        for _, number, line in opening_lines(options.file):
            try:
                opening = parse_opening(line, options.size, options.form)
                position(opening, options.size, options.rule)
            except ValueError as error:
                bad.append({"line": number, "message": str(error)})
                continue
            good.append(opening)
            places.append(f"line {number}")
    equal = [
        [places[earlier], places[later]]
        for earlier, later in duplicates(good, options.size)
    ]
    words = [f"line {row['line']}: {row['message']}" for row in bad]
    words += [f"{later} equals {earlier}" for earlier, later in equal]
    words.append(
        f"{len(good)} openings can be played, {len(bad)} lines cannot,"
        f" {len(equal)} openings occur twice"
    )
    result = CheckedLine(openings=len(good), bad=bad, equal=equal)
    print_result(options, result, "\n".join(words))
    return 1 if bad or equal or not good else 0


def run_info(options: argparse.Namespace) -> int:
    """Print the numbers of stones, sides to move and regions."""
    openings = openings_of(options)
    stones = Counter(len(opening.moves) for opening in openings)
    places = Counter(region(opening, options.size) for opening in openings)
    result: CountedLine = {
        "openings": len(openings),
        "equal": len(duplicates(openings, options.size)),
        "black_to_move": sum(n for count, n in stones.items() if count % 2 == 0),
        "stones": {str(count): n for count, n in sorted(stones.items())},
        "region": {k.replace(" ", "_"): n for k, n in sorted(places.items())},
    }
    text = (
        f"{len(openings)} openings, {result['equal']} of them occur twice;"
        f" black is to move in {result['black_to_move']}\n"
        "stones: "
        + ", ".join(f"{count} (in {n})" for count, n in sorted(stones.items()))
        + "\nregions: "
        + ", ".join(f"{name} (in {n})" for name, n in sorted(places.items()))
    )
    print_result(options, result, text)
    return 0


def region(opening: Opening, size: Size) -> str:
    """Return the region of the stones, by the stone nearest to an edge."""
    width, height = measures(size)
    room = min(min(x, y, width - 1 - x, height - 1 - y) for x, y in opening.moves)
    if room < 2:
        return "outer lines"
    return "centre" if room > min(width, height) // 4 else "between"


def run_list(options: argparse.Namespace) -> int:
    """Print the openings, for example for other match programs."""
    chosen = select(openings_of(options), options.count, options.seed)
    lines = [format_opening(opening, options.size, options.to) for opening in chosen]
    print_result(options, ListedLine(openings=lines), "\n".join(lines))
    return 0


ACTIONS = {
    "generate": run_maker,
    "check": run_check,
    "info": run_info,
    "balance": run_maker,
    "even": run_maker,
    "list": run_list,
}
