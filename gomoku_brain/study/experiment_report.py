"""What an experiment's results say: tables, plots, a report, and the moves as files.

Everything here reads the results and measures nothing, so a report of an interrupted
run is made in the same way from what is there. Plots need matplotlib.
"""

import html
import json
import math
import platform
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gomoku_brain.game.notation import Move, parse_move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.match.sgf_tree import point, root_of, set_up, to_text
from gomoku_brain.study.experiment import (
    EASY,
    EASY_DEPTH,
    ENGINE,
    EVALUATIONS,
    METHODS,
    MOST_MOVES,
    OPENING_BALANCE,
    OPENING_STONES,
    PARTS,
    SEARCHED_TREE,
    Match,
    Plan,
    Result,
    Results,
    elo,
    engine_nodes,
    game_key,
    level_board,
    match_of,
    matchups,
    node_key,
    openings,
    pairings_of,
    playout_key,
    values_key,
)
from gomoku_brain.study.puzzles import puzzle_levels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["summary", "write_moves", "write_report"]

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

# What S2 published of the same levels.
S2_NEEDS = {level: 2 for level in range(1, 21)}
S2_NEEDS |= {level: 3 for level in (8, 9, 11, 16, 19, 20)} | {12: 4}
S2_RUNS = ((11, 3, 188_094, None), (14, 2, 73_286, 25), (14, 3, 821_374, 9))
S2_PRUNED = (0.93, 0.97)  # at depth 2
S2_SECONDS = 45  # a move, allowed online; depth 3 often took longer

MANY = "> "  # before a number that a budget cut short


class Table(NamedTuple):
    """A table of a report; the first column is words, the others are numbers."""

    title: str
    header: list[str]
    rows: list[list[str]]


class Image(NamedTuple):
    """A picture beside the report."""

    file: str
    alt: str


class Heading(NamedTuple):
    """A section begins."""

    text: str


Block = Table | Image | Heading | str


# --- Reading the results ---


class Total(NamedTuple):
    """One method's searches of one depth, added up over the levels."""

    nodes: int
    finished: bool
    seconds: float | None
    levels: int


def node_results(plan: Plan, results: Results, depth: int) -> dict[int, Result]:
    """What was measured of the first moves at a depth, by level."""
    found = {}
    for level in plan.levels:
        result = results.get(node_key(plan, level, depth))
        if result is not None:
            found[level] = result
    return found


def search_row(result: Result, evaluation: str, method: str) -> Result:
    """One search of a node job."""
    for row in result["searches"]:
        if (row["evaluation"], row["method"]) == (evaluation, method):
            return dict(row)
    raise KeyError((evaluation, method))


def total(found: dict[int, Result], evaluation: str, method: str) -> Total | None:
    """The sum over the levels; None when nothing was measured."""
    rows = [search_row(result, evaluation, method) for result in found.values()]
    rows = [row for row in rows if row["nodes"] is not None]
    if not rows:
        return None
    times = [row["seconds"] for row in rows if "seconds" in row]
    return Total(
        sum(row["nodes"] for row in rows),
        all(row["finished"] for row in rows) and len(rows) == len(found),
        sum(times) if len(times) == len(rows) else None,
        len(rows),
    )


def tree_total(found: dict[int, Result], radius: int) -> int | None:
    """Nodes of plain minimax over the levels; None where they were not counted."""
    trees = [result["trees"][str(radius)] for result in found.values()]
    return sum(trees) if trees and None not in trees else None


def pruned(nodes: int, tree: int | None) -> float | None:
    """The share of plain minimax that was not searched."""
    return None if not tree else 1 - nodes / tree


def playout(
    plan: Plan, results: Results, level: int, attacker: str, defender: str, depth: int
) -> Result | None:
    """A level as it was played out."""
    return results.get(playout_key(plan, level, attacker, defender, depth))


def needed_depth(
    plan: Plan, results: Results, level: int, attacker: str, defender: str
) -> int | None:
    """The smallest depth that won a level; None when none did."""
    for depth in range(1, plan.depth + 1):
        result = playout(plan, results, level, attacker, defender, depth)
        if result is not None and result["outcome"] == "won":
            return depth
    return None


def was_played(
    plan: Plan, results: Results, level: int, attacker: str, defender: str
) -> bool:
    """Whether all is known of a level that an attacker needs."""
    return (
        needed_depth(plan, results, level, attacker, defender) is not None
        or playout(plan, results, level, attacker, defender, plan.depth) is not None
    )


def matches(plan: Plan, results: Results) -> list[tuple[str, str, str, int, Match]]:
    """Each pairing with the games played so far; those without games are left out."""
    found = []
    texts = openings(plan.pairs)
    for a, b, terms, amount in pairings_of(plan):
        rows = [results.get(game_key(a, b, terms, amount, text)) for text in texts]
        played = [row for row in rows if row is not None]
        if played:
            found.append((a, b, terms, amount, match_of(played, a, b)))
    return found


# --- Words for numbers ---


def number(value: int | None, finished: bool = True) -> str:
    """12,345; a dash for what is not known."""
    return "-" if value is None else f"{'' if finished else MANY}{value:,}"


def percent(share: float | None, finished: bool = True) -> str:
    """95.3 %, or 99.94 %."""
    if share is None:
        return "-"
    places = 1 if share < 0.999 else 2
    return f"{'' if finished else '< '}{100 * share:.{places}f} %"


def seconds(value: float | None) -> str:
    """Three digits that matter, in s or ms."""
    if value is None:
        return "-"
    return f"{value:.2f} s" if value >= 1 else f"{1000 * value:.3g} ms"


def signed(value: float) -> str:
    """+12, or an infinity."""
    return f"{value:+.0f}" if math.isfinite(value) else "inf" if value > 0 else "-inf"


# --- Tables ---


def nodes_table(plan: Plan, results: Results) -> Table:
    """Nodes of the first moves, all levels together."""
    rows = []
    for depth in range(1, plan.depth + 1):
        found = node_results(plan, results, depth)
        if not found:
            continue
        for evaluation in EVALUATIONS:
            row = [f"depth {depth}, {NAMES[evaluation]}"]
            row.append(number(tree_total(found, 0)))
            for method in METHODS:
                sum_ = total(found, evaluation, method)
                row.append("-" if sum_ is None else number(sum_.nodes, sum_.finished))
            full = total(found, "ours", ENGINE) if evaluation == "proved" else None
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
    """What each evaluation lets the cuts save, against minimax on the candidates."""
    rows = []
    for depth in range(2, plan.depth + 1):
        found = node_results(plan, results, depth)
        for evaluation in EVALUATIONS if found else ():
            row = [f"depth {depth}, {NAMES[evaluation]}"]
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
    """Seconds a first move takes, on average over the levels."""
    rows = []
    for depth in range(1, plan.depth + 1):
        found = node_results(plan, results, depth)
        for evaluation in EVALUATIONS if found else ():
            row = [f"depth {depth}, {NAMES[evaluation]}"]
            for method in METHODS:
                sum_ = total(found, evaluation, method)
                known = sum_ is not None and sum_.seconds is not None
                row.append(
                    seconds(sum_.seconds / sum_.levels)  # type: ignore[union-attr,operator]
                    if known
                    else "-"
                )
            full = total(found, "ours", ENGINE) if evaluation == "proved" else None
            row.append(
                "" if full is None else seconds((full.seconds or 0) / full.levels)
            )
            rows.append(row)
    return Table(
        "Time of the first move, mean of the levels",
        ["", *METHOD_NAMES.values()],
        rows,
    )


def parts_table(plan: Plan, results: Results) -> Table:
    """What each part of our search saves or costs."""
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
    """S2's figures beside ours."""
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


def pruned_in_playouts(
    plan: Plan, results: Results, depth: int
) -> dict[tuple[str, int], float]:
    """By defender and radius: the share pruned over all moves of the play-outs."""
    found = {}
    for defender in (EASY, ENGINE):
        rows = [
            playout(plan, results, n, "rules", defender, depth) for n in plan.levels
        ]
        for radius in (0, 2):
            counted = [
                row for row in rows if row and row["trees"][str(radius)] is not None
            ]
            tree = sum(row["trees"][str(radius)] for row in counted)
            share = pruned(sum(row["nodes"] for row in counted), tree)
            if share is not None:
                found[defender, radius] = share
    return found


def playout_table(plan: Plan, results: Results, defender: str) -> Table:
    """S2's way, level by level."""
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
    """The depth that each level needs."""
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
    """Who beats whom."""
    rows = []
    for a, b, terms, amount, match in matches(plan, results):
        each = [1e6 * seconds / match.moves for seconds in match.seconds]
        score, (low, high) = match.score, match.interval
        rows.append(
            [
                f"{NAMES[a]} - {NAMES[b]}, {terms} {amount:,}",
                str(2 * match.pairs),
                f"{match.wins}-{match.draws}-{match.losses}",
                f"{100 * score:.1f} % ({100 * low:.1f} .. {100 * high:.1f})",
                f"{signed(elo(score))} ({signed(elo(low))} .. {signed(elo(high))})",
                str(match.copies),
                f"{each[0]:,.0f} / {each[1]:,.0f}",
            ]
        )
    return Table(
        "Games between evaluations: the first player's result",
        "|games|won-drawn-lost|score, 95 %|Elo, 95 %|copies|µs a move".split("|"),
        rows,
    )


# --- Pictures ---


class Painter:
    """Draws the plots into a folder. Figures are made without pyplot's global state."""

    def __init__(self, plan: Plan, results: Results, folder: Path) -> None:
        """Nothing is drawn yet."""
        self.plan = plan
        self.results = results
        self.folder = folder
        self.depths = list(range(1, plan.depth + 1))

    def figure(self, width: float, height: float) -> "Figure":
        """A new figure, in inches."""
        from matplotlib.figure import Figure

        return Figure(figsize=(width, height), dpi=110, layout="constrained")

    def save(self, figure: "Figure", file: str, alt: str) -> Image:
        """Write a figure."""
        figure.savefig(self.folder / file)
        return Image(file, alt)

    def lines(
        self, axes: "Axes", value: Callable[[dict[int, Result], str, str], float | None]
    ) -> None:
        """One line a method over the depths: rule score, and our full search."""
        for k, method in enumerate(METHOD_NAMES):
            evaluation = "ours" if method == ENGINE else "rules"
            points = []
            for depth in self.depths:
                found = node_results(self.plan, self.results, depth)
                height = value(found, evaluation, method) if found else None
                if height:
                    points.append((depth, height))
            axes.plot(
                [x for x, _ in points],
                [y for _, y in points],
                marker="osD^v"[k],
                color=f"C{k}",
                label=METHOD_NAMES[method],
            )
        axes.set_yscale("log")
        axes.set_xticks(self.depths)
        axes.set_xlabel("depth, plies")
        axes.grid(alpha=0.3)

    def nodes(self) -> Image:
        """Nodes by depth and method."""

        def mean_nodes(
            found: dict[int, Result], evaluation: str, method: str
        ) -> float | None:
            sum_ = total(found, evaluation, method)
            return sum_ and sum_.nodes / sum_.levels

        figure = self.figure(7.5, 4.6)
        axes = figure.subplots()
        points = []
        for depth in self.depths:
            found = node_results(self.plan, self.results, depth)
            tree = tree_total(found, 0)
            if tree:
                points.append((depth, tree / len(found)))
        axes.plot(
            [x for x, _ in points],
            [y for _, y in points],
            "k:",
            label="plain minimax, all cells",
        )
        self.lines(axes, mean_nodes)
        axes.set_ylabel("nodes, mean of the levels")
        axes.set_title("Nodes of the first move (rule score, radius 2)")
        axes.legend()
        return self.save(figure, "nodes.png", "Nodes by depth and method, logarithmic")

    def time(self) -> Image:
        """Seconds by depth and method."""

        def mean_seconds(
            found: dict[int, Result], evaluation: str, method: str
        ) -> float | None:
            sum_ = total(found, evaluation, method)
            if sum_ is None or sum_.seconds is None:
                return None
            return sum_.seconds / sum_.levels

        figure = self.figure(7.5, 4.6)
        axes = figure.subplots()
        self.lines(axes, mean_seconds)
        axes.axhline(S2_SECONDS, color="k", linestyle=":", linewidth=1)
        axes.text(self.depths[0], S2_SECONDS * 0.6, "45 s: S2's limit online", va="top")
        axes.set_ylabel("seconds, mean of the levels")
        axes.set_title("Time of the first move (rule score, radius 2)")
        axes.legend(loc="center left")
        return self.save(figure, "time.png", "Time by depth and method, logarithmic")

    def pruned(self) -> Image:
        """Share pruned by alpha-beta at depth 2, level by level."""
        found = node_results(self.plan, self.results, 2)
        figure = self.figure(9, 4.2)
        panels = figure.subplots(1, 2, sharey=True)
        bases = (
            (0, "of minimax over all cells"),
            (2, "of minimax within radius 2"),
        )
        for axes, (radius, title) in zip(panels, bases, strict=True):
            band = axes.axhspan(
                *(100 * share for share in S2_PRUNED), color="0.85", label="S2: 93-97 %"
            )
            band.set_zorder(0)
            for k, evaluation in enumerate(EVALUATIONS):
                shares = [
                    pruned(
                        search_row(result, evaluation, "alphabeta")["nodes"],
                        result["trees"][str(radius)],
                    )
                    for result in found.values()
                ]
                axes.plot(
                    list(found),
                    [100 * share for share in shares if share is not None],
                    "osD^"[k],
                    color=f"C{k}",
                    markersize=5,
                    alpha=0.85,
                    label=NAMES[evaluation],
                )
            axes.set_title(title)
            axes.set_xlabel("level")
            axes.set_xticks(list(found)[:: max(1, len(found) // 10)])
            axes.grid(alpha=0.3)
        panels[0].set_ylabel("pruned, %")
        panels[0].legend(loc="lower left", fontsize=8)
        figure.suptitle("Share that alpha-beta prunes at depth 2, no ordering")
        return self.save(
            figure, "pruned.png", "Share pruned at depth 2 by level and evaluation"
        )

    def needs(self) -> Image:
        """A grid of the depths needed."""
        table = needs_table(self.plan, self.results)
        levels = self.plan.levels
        most = self.plan.depth + 1
        figure = self.figure(1.9 + 0.38 * len(levels), 3.4)
        axes = figure.subplots()
        grid = [
            [most if cell[0] == ">" else math.nan if cell == "-" else int(cell)]
            for row in table.rows
            for cell in row[1:]
        ]
        rows = len(table.rows)
        cells = [cell[0] for cell in grid]
        image = [cells[k * len(levels) : (k + 1) * len(levels)] for k in range(rows)]
        axes.imshow(image, cmap="YlOrRd", vmin=0, vmax=most + 1, aspect="auto")
        for y, row in enumerate(table.rows):
            for x, cell in enumerate(row[1:]):
                axes.text(x, y, cell, ha="center", va="center", fontsize=9)
        axes.set_xticks(range(len(levels)), [str(level) for level in levels])
        axes.set_yticks(range(rows), [row[0] for row in table.rows])
        axes.set_xlabel("level")
        axes.set_title("The smallest depth that wins")
        return self.save(figure, "needs.png", table.title)

    def parts(self) -> Image:
        """Bars of the nodes of our search at the greatest depth."""
        table = parts_table(self.plan, self.results)
        done = [
            k
            for k in range(1, len(table.header))
            if all(row[k] != "-" for row in table.rows)
        ]
        figure = self.figure(7.5, 3.6)
        axes = figure.subplots()
        if done:
            column = done[-1]
            values = [
                int(row[column].removeprefix(MANY).replace(",", ""))
                for row in table.rows
            ]
            names = [row[0] for row in table.rows]
            bars = axes.barh(names[::-1], values[::-1], color="C2")
            axes.bar_label(bars, [f" {value:,}" for value in values[::-1]])
            axes.set_xlim(right=max(values) * 1.2)
            axes.xaxis.set_major_formatter("{x:,.0f}")
            axes.set_title(f"Our search, {table.header[column]}: parts switched on")
        axes.set_xlabel("nodes, all levels added up")
        return self.save(figure, "parts.png", table.title)

    def games(self) -> Image:
        """Scores with error bars."""
        found = matches(self.plan, self.results)
        figure = self.figure(8.5, 1.4 + 0.32 * max(3, len(found)))
        axes = figure.subplots()
        for k, (_, _, terms, _, match) in enumerate(found):
            axes.errorbar(
                100 * match.score,
                k,
                xerr=[
                    [100 * (match.score - match.interval[0])],
                    [100 * (match.interval[1] - match.score)],
                ],
                fmt="o" if terms == "depth" else "s",
                color="C0" if terms == "depth" else "C1",
                capsize=3,
            )
        axes.set_yticks(
            range(len(found)),
            [f"{NAMES[a]} - {NAMES[b]}, {terms} {n:,}" for a, b, terms, n, _ in found],
        )
        axes.invert_yaxis()
        axes.set_xlim(-3, 103)
        axes.axvline(50, color="k", linewidth=0.8)
        axes.grid(alpha=0.3, axis="x")
        axes.set_xlabel("score of the first player, %, with 95 % interval")
        axes.set_title(f"Evaluations by games, {2 * self.plan.pairs} a pairing")
        return self.save(figure, "games.png", "Scores of the pairings with error bars")

    def values(self, level: int) -> Image | None:
        """All candidates of a level as heat maps, one an evaluation."""
        result = self.results.get(values_key(self.plan, level))
        if result is None:
            return None
        shown = [name for name in ("rules", "stones", "proved", ENGINE) if result[name]]
        figure = self.figure(8.6, 8.8)
        panels = figure.subplots(2, 2).flat
        for axes, name in zip(panels, shown, strict=False):
            paint_values(axes, level_board(level), result[name])
            axes.set_title(NAMES[name], fontsize=10)
        depth = values_key(self.plan, level)["depth"]
        figure.suptitle(
            f"Level {level}, Black to move: candidates from worst (pale) to best (dark)"
            f" by rank, depth {depth}; the best is ringed"
        )
        return self.save(
            figure, f"values-{level}.png", f"Values of all candidates of level {level}"
        )


def paint_values(axes: "Axes", board: Board, values: dict[str, int | str]) -> None:
    """A board with its candidates coloured by rank, equal values alike."""
    size = board.width
    axes.set_facecolor("#f4f1ea")
    ends = [0] * size, [size - 1] * size
    for draw in (axes.hlines, axes.vlines):
        draw(range(size), *ends, color="0.8", linewidth=0.6, zorder=1)
    orders = sorted({worth(value) for value in values.values()})
    moves = [parse_move(text) for text in values]
    shades = [orders.index(worth(value)) for value in values.values()]
    axes.scatter(
        [move.x for move in moves],
        [move.y for move in moves],
        c=shades,
        cmap="YlGn",
        vmin=-1,
        vmax=max(len(orders), 2),
        marker="s",
        s=105,
        zorder=2,
    )
    best = [move for move, k in zip(moves, shades, strict=True) if k == len(orders) - 1]
    axes.scatter(
        [move.x for move in best],
        [move.y for move in best],
        facecolors="none",
        edgecolors="red",
        marker="s",
        s=105,
        zorder=3,
    )
    cells = [Move(x, y) for x in range(size) for y in range(size)]
    for side in Side:
        stones = [cell for cell in cells if board.stone(cell) == side]
        axes.scatter(
            [cell.x for cell in stones],
            [cell.y for cell in stones],
            s=110,
            c=side.name.lower(),
            edgecolors="k",
            zorder=4,
        )
    axes.set_xlim(-0.6, size - 0.4)
    axes.set_ylim(size - 0.4, -0.6)
    axes.set_aspect("equal")
    axes.set_xticks(range(size), list("abcdefghijklmnopqrstuv"[:size]), fontsize=7)
    axes.set_yticks(range(size), [str(k + 1) for k in range(size)], fontsize=7)
    axes.tick_params(length=0)


def worth(value: int | str) -> int:
    """A number that orders values as ``told`` wrote them."""
    if isinstance(value, int):
        return value
    word, plies = value.split()
    return 10**9 - int(plies) if word == "win" else int(plies) - 10**9


# --- The report ---


def summary(plan: Plan, results: Results) -> dict[str, Any]:
    """The figures of the report for a program: tables by name, as header and rows."""
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
        name: {"title": t.title, "header": t.header, "rows": t.rows}
        for name, t in tables.items()
    }


def write_report(
    plan: Plan, results: Results, folder: Path, version: str
) -> list[Path]:
    """Write report.md, report.html and the plots; the files written, the HTML first."""
    painter = Painter(plan, results, folder)
    blocks = report(plan, results, painter, version)
    page = folder / "report.html"
    text = folder / "report.md"
    page.write_text(to_html(blocks), encoding="utf-8")
    text.write_text(to_markdown(blocks), encoding="utf-8")
    images = [folder / block.file for block in blocks if isinstance(block, Image)]
    return [page, text, *images]


def report(plan: Plan, results: Results, painter: Painter, version: str) -> list[Block]:
    """The report as blocks, in reading order; studies without results are left out."""
    levels = len(plan.levels)
    blocks: list[Block] = [
        f"{levels} of the 20 end-game levels of S2, freestyle, 15x15, Black to move and"
        f" win; gomoku-brain {version}, Python {platform.python_version()},"
        f" {machine()}. A node is one move made. Node counts are the same on every"
        " machine; seconds are processor time of this one, one thread.",
        f"Settings: depth {plan.depth}, at most {plan.budget:,} nodes a search ({MANY}"
        f"marks what that cut short), plain minimax searched up to {SEARCHED_TREE:,}"
        " nodes and counted beyond, candidates within two cells of a stone (S2's),"
        f" {plan.defender_nodes:,} nodes a move for our engine when it defends;"
        f" signature of the engine {engine_nodes()}.",
        "The rule score (S1-S3) counts shapes and asks who comes first; the stone score"
        " (S4) adds up the best shape of every stone. Both were written afresh from"
        " their descriptions. Ours is the engine's static evaluation in the same plain"
        " search: alone, and after the static tests for wins that our search makes"
        " before it trusts the evaluation.",
    ]
    if node_results(plan, results, 1):
        blocks += [Heading("Nodes by method and depth"), painter.nodes()]
        blocks += [
            nodes_table(plan, results),
            "The first column counts all empty cells, the second cells within radius"
            " 2; alpha-beta tries them row by row. Ordering sorts the moves of inner"
            " nodes by the evaluation after them (no nodes, but the last column counts"
            " the evaluations) and tries the last refutation first at the leaves. All"
            " four find the same value. The full search is our engine to the same"
            " nominal depth: it sees fours beyond it.",
        ]
        if plan.depth > 1:
            blocks += [
                Heading("What is pruned, by evaluation"),
                painter.pruned(),
                pruned_table(plan, results),
            ]
        blocks += [
            Heading("Time of a move"),
            painter.time(),
            time_table(plan, results),
            Heading("The parts of our search"),
            painter.parts(),
            parts_table(plan, results),
            "Iterations to the depth with one table of 16 MB and our own candidates;"
            " static wins, reply sets and fours see further than the nominal depth,"
            " so rows differ in what they find as well as in what it costs.",
        ]
    image = painter.values(11 if 11 in plan.levels else plan.levels[0])
    if image:
        blocks += [
            Heading("The values of all candidates"),
            image,
            "The values of every level are in moves/level-NN.json.",
        ]
    if any(playout(plan, results, n, "rules", EASY, 1) for n in plan.levels):
        blocks += [
            Heading("Levels played out"),
            published_table(plan, results),
            "S2 played against the defender of the game the levels come from, which is"
            f" not public. Here one defender is the rule score at depth {EASY_DEPTH}"
            " (S4's easy level), the other our engine. Moves and nodes are the"
            " attacker's. What S2's 93-97 % are a share of is not told.",
            painter.needs(),
            needs_table(plan, results),
            f"A level is won when the attacker makes five within {MOST_MOVES} moves;"
            " at small depths a win can be luck. The depths of our full search are"
            " nominal.",
            playout_table(plan, results, EASY),
            playout_table(plan, results, ENGINE),
        ]
    if plan.pairs and matches(plan, results):
        blocks += [
            Heading("Evaluations by games"),
            painter.games(),
            games_table(plan, results),
            f"Freestyle, 15x15, from {plan.pairs} openings of {OPENING_STONES} stones"
            f" near the middle, which our engine values within {OPENING_BALANCE}, each"
            " played with both colours. Equal depth: all players search exactly so"
            " deep. Equal nodes: each deepens (with table and ordering) until its"
            " nodes are used up (evaluations that order moves are no nodes, which"
            " favours the plain searches). The intervals are those of the mean of"
            " pairs, with two more pairs counted, one won and one lost. A copy is a"
            " game that repeats another move by move.",
        ]
    return blocks


def machine() -> str:
    """The processor and the system, as far as Python knows them."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                name = line.partition(":")[2].strip()
                break
    return f"{name}, {platform.system()}"


TITLE = "The studies of the source reports"

STYLE = """\
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto;
  padding: 0 1rem; color: #222; background: #fff; }
table { border-collapse: collapse; font-size: 0.82rem; display: block;
  overflow-x: auto; margin: 1rem 0; }
caption { text-align: left; font-weight: 600; padding: 0.3rem 0; }
th, td { border-bottom: 1px solid #ddd; padding: 0.2rem 0.6rem; text-align: right;
  white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
thead th { border-bottom: 2px solid #888; }
img { max-width: 100%; height: auto; }
"""


def to_html(blocks: Iterable[Block]) -> str:
    """One page; its pictures lie beside it."""
    body = [f"<h1>{TITLE}</h1>"]
    for block in blocks:
        if isinstance(block, Heading):
            body.append(f"<h2>{html.escape(block.text)}</h2>")
        elif isinstance(block, Image):
            file, alt = html.escape(block.file), html.escape(block.alt)
            body.append(f'<p><img src="{file}" alt="{alt}"></p>')
        elif isinstance(block, Table):
            body += ["<table>", f"<caption>{html.escape(block.title)}</caption>"]
            body.append("<thead>" + html_row(block.header, "th") + "</thead>")
            body.append("<tbody>")
            body += [html_row(row, "td") for row in block.rows]
            body += ["</tbody>", "</table>"]
        else:
            body.append(f"<p>{html.escape(block)}</p>")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{TITLE}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def html_row(cells: list[str], tag: str) -> str:
    """One row of a table."""
    inner = "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells)
    return f"<tr>{inner}</tr>"


def to_markdown(blocks: Iterable[Block]) -> str:
    """The same as Markdown."""
    parts = [f"# {TITLE}"]
    for block in blocks:
        if isinstance(block, Heading):
            parts.append(f"## {block.text}")
        elif isinstance(block, Image):
            parts.append(f"![{block.alt}]({block.file})")
        elif isinstance(block, Table):
            rows = [block.header, ["---", *(["---:"] * (len(block.header) - 1))]]
            rows += block.rows
            lines = ["| " + " | ".join(row) + " |" for row in rows]
            parts.append(f"**{block.title}**\n\n" + "\n".join(lines))
        else:
            parts.append(block.replace("> marks", "\\> marks"))
    return "\n\n".join(parts) + "\n"


# --- The moves as files ---


def write_moves(plan: Plan, results: Results, folder: Path) -> list[Path]:
    """One JSON, one text and one SGF file a level, in ``folder``/moves."""
    target = folder / "moves"
    target.mkdir(exist_ok=True)
    written = []
    for puzzle in puzzle_levels():
        if puzzle.number not in plan.levels:
            continue
        games = []
        for attacker, defender in matchups():
            for depth in range(1, plan.depth + 1):
                result = playout(
                    plan, results, puzzle.number, attacker, defender, depth
                )
                if result is not None:
                    games.append(
                        {
                            "attacker": NAMES[attacker],
                            "defender": "easy" if defender == EASY else NAMES[defender],
                            "depth": depth,
                            **result,
                        }
                    )
        if not games:
            continue
        stem = target / f"level-{puzzle.number:02}"
        entry = {
            "level": puzzle.number,
            "board": str(puzzle.board).splitlines(),
            "to_move": "black",
            "known_win": {"move": str(puzzle.move), "plies": puzzle.plies},
            "values": results.get(values_key(plan, puzzle.number)),
            "play_outs": games,
        }
        texts = {
            ".json": json.dumps(entry, indent=1) + "\n",
            ".txt": moves_text(puzzle.number, puzzle.board, games),
            ".sgf": moves_sgf(puzzle.number, puzzle.board, games),
        }
        for suffix, text in texts.items():
            path = stem.with_suffix(suffix)
            path.write_text(text, encoding="utf-8")
            written.append(path)
    return written


def moves_text(level: int, board: Board, games: list[Result]) -> str:
    """The play-outs of a level for people: each move with its score."""
    lines = [f"Level {level}, Black to move", "", str(board), ""]
    for game in games:
        lines.append(
            f"{game['attacker']}, depth {game['depth']}, against {game['defender']}:"
            f" {game['outcome']} in {game['count']} moves, {game['nodes']:,} nodes"
        )
        for k, move in enumerate(game["moves"], start=1):
            lines.append(
                f"{k:4} {move['side']:5} {move['move'] or '-':>4} {score_of(move):>12}"
                f" {move['nodes']:>12,} nodes {move['seconds']:9.3f} s"
            )
        lines.append("")
    return "\n".join(lines)


def score_of(move: Result) -> str:
    """The score of a move as its player saw it, or the plies to the end."""
    if move["win_in"] is None:
        return str(move["score"])
    return f"win {move['win_in']}" if move["win_in"] > 0 else f"loss {-move['win_in']}"


def moves_sgf(level: int, board: Board, games: list[Result]) -> str:
    """An SGF collection: one game tree a play-out, those won soonest first."""
    trees = []
    for game in sorted(games, key=lambda g: (g["outcome"] != "won", g["count"])):
        root = root_of(board.width, board.height, board.rule)
        root.properties |= {
            "GN": f"Level {level}",
            "PB": f"{game['attacker']}, depth {game['depth']}",
            "PW": game["defender"],
            "RE": {"won": "B+", "lost": "W+"}.get(game["outcome"], "Void"),
            **set_up(board),
        }
        node = root
        for move in game["moves"]:
            if move["move"] is not None:
                colour = "B" if move["side"] == "black" else "W"
                cell = point(parse_move(move["move"]))
                told = f"{score_of(move)}, {move['nodes']} nodes"
                node = node.add({colour: cell, "C": told})
        trees.append(to_text(root))
    return "\n".join(trees)
