"""``openings``: creation, check, measurement and output of opening lists.

Without FILE the subcommands use the book of the package.
"""

import argparse
import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Annotated, TypedDict

from gomoku_brain.commands._arguments import (
    add_size,
    add_square_size,
)
from gomoku_brain.game.rules import DEFAULT_RULE
from gomoku_brain.lab.makers.balance import (
    HASH_MB,
    OpeningRecipe,
    balanced_score,
    candidate,
    even_of,
    fit_even,
    generate,
    play_out,
    shape,
)
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
from gomoku_brain.runs.journal import Journal
from gomoku_brain.runs.json_rows import Count, Positive, Schema, Share, json_line
from gomoku_brain.runs.output_files import check_output, write_whole
from gomoku_brain.runs.program_end import Interruptible
from gomoku_brain.runs.run_options import (
    OneLineParser,
    ProgressLine,
    add_rule,
    add_workers,
    at_least,
)

CHECK_NODES = 100_000  # nodes of the last search of an opening; set by hand
EVEN_WINDOW = 250  # evaluation units: limit of the scores for `even`
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


class GeneratedLine(TypedDict):
    """openings generate --json."""

    file: str
    openings: Count
    tried: Count


class PlayedRow(TypedDict):
    """The games of an opening."""

    opening: str
    points: Annotated[
        list[Annotated[float, Schema(enum=[0, 0.5, 1])]],
        Schema(description="black's, a game each"),
    ]


class BalanceRow(TypedDict):
    """The results of all games."""

    games: Count
    black: Share
    draws: Share
    one_colour: Annotated[
        Share, Schema(description="openings that one colour won in all their games")
    ]


class BalanceLine(BalanceRow):
    """openings balance --json."""

    played: list[PlayedRow]


class EvenLine(TypedDict):
    """openings even --json."""

    even: Annotated[
        float, Schema(description="black's score from which games end even")
    ]
    error: Annotated[float, Schema(minimum=0)]
    slope: float
    positions: Count
    black: Share


LINES = (CheckedLine, CountedLine, ListedLine, GeneratedLine, BalanceLine, EvenLine)
"""The rows of ``--json``, by subcommand."""


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
    made.add_argument("--seed", type=int, default=OpeningRecipe.seed)
    made.add_argument(
        "--nodes",
        type=at_least(1),
        default=OpeningRecipe.nodes,
        help="of the search that decides",
    )
    made.add_argument(
        "--window",
        type=at_least(0),
        default=OpeningRecipe.window,
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


# --- generate ---


def run_generate(options: argparse.Namespace) -> int:
    """Write a list of balanced openings.

    FILE.part stores the openings of an unfinished run.
    """
    if options.out.exists():
        raise ValueError(f"{options.out} exists; remove it or name another file")
    check_output(options.out, [])
    even = even_of(options.rule, options.size) if options.even is None else options.even
    recipe = OpeningRecipe(
        options.rule,
        options.size,
        even,
        options.seed,
        options.nodes,
        options.window,
        options.check,
    )
    part = options.out.with_name(options.out.name + ".part")
    journal = Journal(part, "a list of openings in the making", "# gomoku-brain ")
    found, tried = resumed(journal, recipe)
    shapes = {shape(opening, recipe.size) for opening in found}
    run = Interruptible()
    with run, journal, ProgressLine("openings", options.count, len(found)) as progress:
        journal.start(f"# {recipe_line(recipe)}")
        for number, opening in generate(recipe, tried, options.workers):
            if len(found) >= options.count:
                break
            tried = number + 1
            if opening is not None:
                key = shape(opening, recipe.size)
                if key not in shapes:
                    shapes.add(key)
                    found.append(opening)
                    journal.append(f"{line_of(opening)} # {number}")
            progress.show(len(found), f", {tried} tried")
    if run.status == 0:
        lines = [f"# {recipe_line(recipe)} --count {options.count}"]
        lines += [line_of(opening) for opening in found[: options.count]]
        write_whole(options.out, "\n".join(lines) + "\n")
        part.unlink()
    where = options.out if run.status == 0 else part
    print_result(
        options,
        GeneratedLine(file=str(where), openings=len(found), tried=tried),
        f"{len(found)} openings in {where}, of {tried} candidates"
        + ("" if run.status == 0 else "; run the same command to continue"),
    )
    return run.status


def recipe_line(recipe: OpeningRecipe) -> str:
    """Return the command that creates the same list again, without the count."""
    return (
        f"gomoku-brain openings generate --rule {recipe.rule.name.lower()}"
        f" --size {recipe.size} --seed {recipe.seed} --nodes {recipe.nodes}"
        f" --window {recipe.window} --even {recipe.even} --check {recipe.check}"
    )


def line_of(opening: Opening) -> str:
    """Format an opening for the list."""
    return format_opening(opening, 0, "pos")


def resumed(journal: Journal, recipe: OpeningRecipe) -> tuple[list[Opening], int]:
    """Return the openings of an interrupted run and the number of its next candidate.

    Raises:
        ValueError: The run had other options.
    """
    head, *lines = journal.lines or [f"# {recipe_line(recipe)}"]
    if head != f"# {recipe_line(recipe)}":
        raise ValueError(
            f"{journal.path} was made with other options; remove it to start again"
        )
    found = [
        parse_opening(line.partition("#")[0], recipe.size, "pos") for line in lines
    ]
    return found, int(lines[-1].partition("#")[2]) + 1 if lines else 0


# --- check, info, list ---


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


# --- balance ---


def run_balance(options: argparse.Namespace) -> int:
    """Play games of the engine against itself from a sample of the openings."""
    from gomoku_brain.engine.engine import Engine

    openings = openings_of(options)
    chosen = select(openings, min(options.sample, len(openings)), options.seed)
    played: list[tuple[Opening, list[float]]] = []
    engine, rng = Engine(hash_mb=HASH_MB), Random(options.seed)
    run = Interruptible()
    with run, ProgressLine("openings played", len(chosen)) as progress:
        for opening in chosen:
            board = position(opening, options.size, options.rule)
            points = [
                play_out(engine, board, options.nodes, rng)
                for _ in range(options.games)
            ]
            played.append((opening, points))
            progress.show(len(played))
    result = balance_of([points for _, points in played])
    rows: list[PlayedRow] = [
        {"opening": line_of(opening), "points": points} for opening, points in played
    ]
    text = (
        f"{len(played)} openings, {result['games']} games:"
        f" black scores {result['black']:.1%}, {result['draws']:.1%} are drawn;"
        f" {result['one_colour']:.1%} of the openings were won by one colour in all"
        " their games"
    )
    line: BalanceLine = {**result, "played": rows}
    print_result(options, line, text)
    return run.status


def run_even(options: argparse.Namespace) -> int:
    """Measure black's score in an even position, by games from random positions.

    ``generate`` aims at this score.
    """
    from gomoku_brain.engine.engine import Engine

    recipe = OpeningRecipe(
        options.rule,
        options.size,
        even_of(options.rule, options.size),
        options.seed,
        window=EVEN_WINDOW,
    )
    samples: list[tuple[int, float]] = []
    engine, rng = Engine(hash_mb=HASH_MB), Random(options.seed)
    run = Interruptible()
    with run, ProgressLine("positions played", options.positions) as progress:
        for number in itertools.count():
            if len(samples) >= options.positions:
                break
            opening = candidate(recipe, number)
            if opening is None:
                continue
            board = position(opening, recipe.size, recipe.rule)
            score = balanced_score(engine, board, recipe)
            if score is None:
                continue
            points = [
                play_out(engine, board, options.nodes, rng)
                for _ in range(options.games)
            ]
            samples.append((score, sum(points) / len(points)))
            progress.show(len(samples))
    even, error, slope = fit_even(samples)
    black = sum(share for _, share in samples) / len(samples)
    text = (
        f"black's score in an even position: {even:.0f}, standard error {error:.0f}"
        f" ({len(samples)} positions, {options.games} games each, of which black"
        f" scored {black:.1%})"
    )
    result: EvenLine = {
        "even": even,
        "error": error,
        "slope": slope,
        "positions": len(samples),
        "black": black,
    }
    print_result(options, result, text)
    return run.status


def balance_of(points: Sequence[Sequence[float]]) -> BalanceRow:
    """Return black's share, the share of draws, and that of one-sided openings.

    An opening is one-sided if one colour wins all its games.
    """
    games = [value for row in points for value in row]
    one_colour = [row for row in points if set(row) in ({1.0}, {0.0})]
    return {
        "games": len(games),
        "black": sum(games) / max(len(games), 1),
        "draws": games.count(0.5) / max(len(games), 1),
        "one_colour": len(one_colour) / max(len(points), 1),
    }


ACTIONS = {
    "generate": run_generate,
    "check": run_check,
    "info": run_info,
    "balance": run_balance,
    "even": run_even,
    "list": run_list,
}
