"""``openings generate``, ``balance`` and ``even``: lists made and measured by games."""

import argparse
import itertools
from collections.abc import Mapping, Sequence
from random import Random
from typing import Annotated, TypedDict

from gomoku_brain.commands._opening_balance import (
    HASH_MB,
    OpeningRecipe,
    balanced_score,
    black_points,
    candidate,
    even_of,
    fit_even,
    generate,
    shape,
)
from gomoku_brain.engine.engine import Engine
from gomoku_brain.records.openings import (
    Opening,
    format_opening,
    parse_opening,
    position,
    select,
)
from gomoku_brain.runs.journal import Journal
from gomoku_brain.runs.json_rows import Count, Schema, Share
from gomoku_brain.runs.output_files import check_output, write_whole
from gomoku_brain.runs.program_end import Interruptible
from gomoku_brain.runs.run_options import ProgressLine

__all__ = ["LINES", "run"]

EVEN_WINDOW = 250  # evaluation units: limit of the scores for ``even``
Outcome = tuple[Mapping[str, object], str, int]  # as JSON, as text, exit status


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


LINES = (GeneratedLine, BalanceLine, EvenLine)
"""The rows of ``--json``, by action."""


def run(options: argparse.Namespace, openings: Sequence[Opening]) -> Outcome:
    """Run the action of the options; ``openings`` are those to balance."""
    if options.action == "balance":
        return _balance(options, openings)
    return _generate(options) if options.action == "generate" else _even(options)


def _generate(options: argparse.Namespace) -> Outcome:
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
    text = f"{len(found)} openings in {where}, of {tried} candidates"
    if run.status:
        text += "; run the same command to continue"
    result = GeneratedLine(file=str(where), openings=len(found), tried=tried)
    return result, text, run.status


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


def _balance(options: argparse.Namespace, openings: Sequence[Opening]) -> Outcome:
    """Play games of the engine against itself from a sample of the openings."""
    chosen = select(openings, min(options.sample, len(openings)), options.seed)
    played: list[tuple[Opening, list[float]]] = []
    engine, rng = Engine(hash_mb=HASH_MB), Random(options.seed)
    run = Interruptible()
    with run, ProgressLine("openings played", len(chosen)) as progress:
        for opening in chosen:
            board = position(opening, options.size, options.rule)
            points = [
                black_points(engine, board, options.nodes, rng)
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
    return line, text, run.status


def _even(options: argparse.Namespace) -> Outcome:
    """Measure black's score in an even position, by games from random positions.

    ``generate`` aims at this score.
    """
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
                black_points(engine, board, options.nodes, rng)
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
    return result, text, run.status


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
