"""Tables of an experiment's report: rows, columns and formatted numbers."""

import re
from collections.abc import Iterator
from typing import Annotated, NamedTuple, TypedDict

from gomoku_brain.match.stats import Estimate, elo_of
from gomoku_brain.plain.figures import (
    Total,
    mean_seconds,
    needed_depth,
    node_results,
    pairing_scores,
    playout,
    pruned,
    pruned_in_playouts,
    search_row,
    total,
    tree_total,
    was_played,
)
from gomoku_brain.plain.plan import (
    EASY,
    EASY_DEPTH,
    ENGINE,
    EVALUATIONS,
    METHODS,
    PARTS,
    Plan,
    matchups,
)
from gomoku_brain.plain.results import Result, Results
from gomoku_brain.runs.json_rows import Schema

__all__ = ["Table", "summary"]

NAMES = {
    "rules": "rule score (S1-S3)",
    "stones": "stone score (S4)",
    "ours": "ours",
    "proved": "ours, static wins",
    ENGINE: "our full search",
}
METHOD_NAMES = {
    "minimax": "plain minimax",
    "alphabeta": "alpha-beta",
    "ordered": "+ ordering",
    "table": "+ table",
    ENGINE: "full search",
}

# Figures that S2 published for the same levels.
S2_NEEDS = {level: 2 for level in range(1, 21)}
S2_NEEDS |= {level: 3 for level in (8, 9, 11, 16, 19, 20)} | {12: 4}
S2_RUNS = ((11, 3, 188_094, None), (14, 2, 73_286, 25), (14, 3, 821_374, 9))
S2_PRUNED = (0.93, 0.97)  # at depth 2
S2_SECONDS = 45  # time of a move, allowed online; depth 3 often took longer

MANY = "> "  # before a number that a budget limited


class Table(NamedTuple):
    """Table of a report; the first column is text, the others are numbers."""

    title: str
    header: list[str]
    rows: list[list[str]]


def number(value: int | None, finished: bool = True) -> str:
    """Format a number, for example "12,345"; a dash if it is unknown."""
    return "-" if value is None else f"{'' if finished else MANY}{value:,}"


def percent(share: float | None, finished: bool = True) -> str:
    """Format a share as a percentage, for example "95.3 %" or "99.94 %"."""
    if share is None:
        return "-"
    places = 1 if share < 0.999 else 2
    return f"{'' if finished else '< '}{100 * share:.{places}f} %"


def seconds(value: float | None) -> str:
    """Format a time with three significant digits, in s or ms."""
    if value is None:
        return "-"
    return f"{value:.2f} s" if value >= 1 else f"{1000 * value:.3g} ms"


def evaluation_rows(
    plan: Plan, results: Results, first_depth: int = 1
) -> Iterator[tuple[list[str], dict[int, Result], str]]:
    """Yield (words of the row, results by level, evaluation) of each depth measured."""
    for depth in range(first_depth, plan.depth + 1):
        found = node_results(plan, results, depth)
        for evaluation in EVALUATIONS if found else ():
            yield [f"depth {depth}, {NAMES[evaluation]}"], found, evaluation


def full_search(found: dict[int, Result], evaluation: str) -> Total | None:
    """Return the figures of our complete search.

    They stand once, in the row of the evaluation that is most similar to it.
    """
    return total(found, "ours", ENGINE) if evaluation == "proved" else None


def nodes_table(plan: Plan, results: Results) -> Table:
    """Return the nodes of the first moves, summed over the levels."""
    rows = []
    for row, found, evaluation in evaluation_rows(plan, results):
        row.append(number(tree_total(found, 0)))
        for method in METHODS:
            sum_ = total(found, evaluation, method)
            row.append("-" if sum_ is None else number(sum_.nodes, sum_.finished))
        full = full_search(found, evaluation)
        row.append("" if full is None else number(full.nodes, full.finished))
        looks = [
            search_row(result, evaluation, "ordered")["evaluations"]
            for result in found.values()
        ]
        row.append(number(sum(looks)))
        rows.append(row)
    return Table(
        f"Nodes of the first move, {len(plan.levels)} levels added up",
        [
            "",
            "minimax, all cells",
            "minimax, radius 2",
            *(METHOD_NAMES[method] for method in list(METHODS)[1:]),
            METHOD_NAMES[ENGINE],
            "evaluations, + ordering",
        ],
        rows,
    )


def pruned_table(plan: Plan, results: Results) -> Table:
    """Return the share of minimax that cutoffs save with each evaluation, on the
    candidates.
    """
    rows = []
    for row, found, evaluation in evaluation_rows(plan, results, first_depth=2):
        for method in list(METHODS)[1:]:
            sum_ = total(found, evaluation, method)
            share = sum_ and pruned(sum_.nodes, tree_total(found, 2))
            row.append(percent(share, sum_ is None or sum_.finished))
        rows.append(row)
    return Table(
        "Share of plain minimax (radius 2) that is pruned, first moves of all levels",
        ["", *(METHOD_NAMES[method] for method in list(METHODS)[1:])],
        rows,
    )


def time_table(plan: Plan, results: Results) -> Table:
    """Return the mean time of a first move over the levels, in seconds."""
    rows = []
    for row, found, evaluation in evaluation_rows(plan, results):
        row += [seconds(mean_seconds(found, evaluation, method)) for method in METHODS]
        full = full_search(found, evaluation)
        row.append("" if full is None else seconds((full.seconds or 0) / full.levels))
        rows.append(row)
    return Table(
        "Time of the first move, mean of the levels",
        ["", *METHOD_NAMES.values()],
        rows,
    )


def parts_table(plan: Plan, results: Results) -> Table:
    """Return the nodes that each part of our search saves or costs."""
    depths = range(1, plan.depth + 1)
    rows = []
    for part in PARTS:
        row = [part]
        for depth in depths:
            found = node_results(plan, results, depth).values()
            parts = [
                p for result in found for p in result["parts"] if p["part"] == part
            ]
            row.append(
                number(
                    sum(p["nodes"] for p in parts) if parts else None,
                    all(p["finished"] for p in parts),
                )
            )
        rows.append(row)
    return Table(
        "Nodes of our own search as its parts are switched on, all levels added up",
        ["", *(f"depth {depth}" for depth in depths)],
        rows,
    )


def published_table(plan: Plan, results: Results) -> Table:
    """Return S2's published figures beside ours."""
    rows = []
    for level, depth, nodes, moves in S2_RUNS:
        row = [
            f"level {level}, depth {depth}",
            f"{nodes:,} nodes" + (f", {moves} moves" if moves else ""),
        ]
        for defender in (EASY, ENGINE):
            result = playout(plan, results, level, "rules", defender, depth)
            row.append(
                "-"
                if result is None
                else f"{number(result['nodes'])} nodes, {result['count']} moves, "
                f"{result['outcome']}"
            )
        rows.append(row)
    shares = pruned_in_playouts(plan, results, 2)
    for radius, base in ((0, "all empty cells"), (2, "cells within radius 2")):
        row = [
            f"pruned at depth 2, of {base}",
            f"{100 * S2_PRUNED[0]:.0f}-{100 * S2_PRUNED[1]:.0f} %",
        ]
        row += [percent(shares.get((defender, radius))) for defender in (EASY, ENGINE)]
        rows.append(row)
    return Table(
        "What S2 published, and the same way of searching here",
        ["", "S2", "here, easy defender", "here, our engine defends"],
        rows,
    )


def playout_table(plan: Plan, results: Results, defender: str) -> Table:
    """Return the results of S2's method, level by level."""
    rows = []
    for level in plan.levels:
        row = [str(level)]
        for depth in range(1, plan.depth + 1):
            result = playout(plan, results, level, "rules", defender, depth)
            row.append(
                ""
                if result is None
                else f"{result['outcome']} in {result['count']}, "
                f"{number(result['nodes'])}"
            )
        rows.append(row)
    who = f"the rule score at depth {EASY_DEPTH}" if defender == EASY else "our engine"
    return Table(
        f"Play-outs by S2's way (rule score, alpha-beta); {who} defends:"
        " the attacker's moves and nodes",
        ["level", *(f"depth {depth}" for depth in range(1, plan.depth + 1))],
        rows,
    )


def needs_table(plan: Plan, results: Results) -> Table:
    """Return the depth that each level needs."""
    rows = [["S2, published", *(str(S2_NEEDS[n]) for n in plan.levels)]]
    for attacker, defender in matchups():
        row = [f"{NAMES[attacker]}{', easy defender' if defender == EASY else ''}"]
        for level in plan.levels:
            need = needed_depth(plan, results, level, attacker, defender)
            known = was_played(plan, results, level, attacker, defender)
            row.append(str(need) if need else f">{plan.depth}" if known else "-")
        rows.append(row)
    return Table(
        "The smallest depth that wins each level",
        ["", *(str(level) for level in plan.levels)],
        rows,
    )


def games_table(plan: Plan, results: Results) -> Table:
    """Return the scores of the games between evaluations."""
    rows = []
    for a, b, terms, amount, match in pairing_scores(plan, results):
        each = [1e6 * seconds / match.moves for seconds in match.seconds]
        score, (low, high) = match.score, match.interval
        rows.append(
            [
                f"{NAMES.get(a, a)} - {NAMES.get(b, b)}, {terms} {amount:,}",
                str(2 * match.pairs),
                f"{match.wins}-{match.draws}-{match.losses}",
                f"{100 * score:.1f} % ({100 * low:.1f} .. {100 * high:.1f})",
                Estimate(*map(elo_of, (score, low, high))).text_with_interval(),
                str(match.copies),
                f"{each[0]:,.0f} / {each[1]:,.0f}",
            ]
        )
    return Table(
        "Games between evaluations: the first player's result",
        "|games|won-drawn-lost|score, 95 %|Elo, 95 %|copies|µs a move".split("|"),
        rows,
    )


class NumberTable(TypedDict):
    """A table of the report; cells that are one number are numbers.

    Shares are from 0 to 1, times in seconds.
    """

    title: str
    header: list[str]
    rows: list[list[str | float]]


class ExperimentLine(TypedDict):
    """experiment --json; docs/experiment.md explains the tables."""

    finished: bool
    files: list[str]
    tables: Annotated[
        dict[str, NumberTable],
        Schema(description="the tables of the report by their names"),
    ]


_NUMBER = re.compile(r"[-+]?[0-9]{1,3}(,[0-9]{3})*(\.[0-9]+)?|[-+]?[0-9]+(\.[0-9]+)?")


_UNITS = {" %": 0.01, " s": 1.0, " ms": 0.001}
"""Units of cells, and their factors: shares are from 0 to 1, times in seconds."""


def _number_or_text(cell: str) -> str | float:
    """Return the number that a cell shows, or its text if it shows more."""
    digits = cell.rstrip("%ms ")
    factor = _UNITS.get(cell.removeprefix(digits)) if digits != cell else 1
    if factor is None or not _NUMBER.fullmatch(digits):
        return cell
    digits = digits.replace(",", "")
    if factor == 1 and "." not in digits:
        return int(digits)
    return float(f"{float(digits) * factor:.10g}")


def summary(plan: Plan, results: Results) -> dict[str, NumberTable]:
    """Return the figures of the report as JSON: tables by name, as header and rows."""
    tables = {
        "nodes": nodes_table(plan, results),
        "pruned": pruned_table(plan, results),
        "time": time_table(plan, results),
        "parts": parts_table(plan, results),
        "published": published_table(plan, results),
        "needs": needs_table(plan, results),
        "games": games_table(plan, results),
    }
    return {
        name: {
            "title": table.title,
            "header": list(table.header),
            "rows": [[_number_or_text(cell) for cell in row] for row in table.rows],
        }
        for name, table in tables.items()
    }
