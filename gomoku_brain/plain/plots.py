"""Plots of an experiment's report, drawn with matplotlib."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from gomoku_brain.game.notation import Move, parse_move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.plain.figures import (
    mean_seconds,
    node_results,
    pairing_scores,
    pruned,
    search_row,
    total,
    tree_total,
)
from gomoku_brain.plain.first_moves import values_key
from gomoku_brain.plain.pages import Image
from gomoku_brain.plain.plan import ENGINE, EVALUATIONS, Plan, level_board
from gomoku_brain.plain.results import Result, Results
from gomoku_brain.plain.tables import (
    MANY,
    METHOD_NAMES,
    NAMES,
    S2_PRUNED,
    S2_SECONDS,
    needs_table,
    parts_table,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Painter:
    """Painter that writes plots into a folder, without the global state of pyplot."""

    def __init__(self, plan: Plan, results: Results, folder: Path) -> None:
        """Store the plan and its results; plots go into ``folder``."""
        self.plan = plan
        self.results = results
        self.folder = folder
        self.depths = list(range(1, plan.depth + 1))

    def figure(self, width: float, height: float) -> "Figure":
        """Return a new figure of a width and height in inches."""
        from matplotlib.figure import Figure

        return Figure(figsize=(width, height), dpi=110, layout="constrained")

    def save(self, figure: "Figure", file: str, alt: str) -> Image:
        """Write a figure to a file, and return it as an image with the text ``alt``."""
        figure.savefig(self.folder / file)
        return Image(file, alt)

    def lines(
        self, axes: "Axes", value: Callable[[dict[int, Result], str, str], float | None]
    ) -> None:
        """Draw one line for each method over the depths, for the rule score and for our
        complete search.
        """
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
        """Plot the nodes by depth and method."""

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
        """Plot the seconds by depth and method."""
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
        """Plot the share pruned by alpha-beta at depth 2, level by level."""
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
        """Plot a grid of the depths needed."""
        table = needs_table(self.plan, self.results)
        levels = self.plan.levels
        most = self.plan.depth + 1
        figure = self.figure(max(4.5, 1.9 + 0.38 * len(levels)), 3.4)
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
        """Plot bars of the nodes of our search at the greatest depth."""
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
        """Plot the scores with error bars."""
        found = pairing_scores(self.plan, self.results)
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
            [
                f"{NAMES.get(a, a)} - {NAMES.get(b, b)}, {terms} {n:,}"
                for a, b, terms, n, _ in found
            ],
        )
        axes.invert_yaxis()
        axes.set_xlim(-3, 103)
        axes.axvline(50, color="k", linewidth=0.8)
        axes.grid(alpha=0.3, axis="x")
        axes.set_xlabel("score of the first player, %, with 95 % interval")
        axes.set_title(f"Evaluations by games, {2 * self.plan.pairs} a pairing")
        return self.save(figure, "games.png", "Scores of the pairings with error bars")

    def values(self, level: int) -> Image | None:
        """Plot all candidates of a level as heat maps, one for each evaluation.

        None if the level has no values.
        """
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
    """Draw a board with its candidates coloured by rank; equal values have equal
    colours.
    """
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
    """Return a number by which the values of ``score_label`` can be sorted."""
    if isinstance(value, int):
        return value
    word, plies = value.split()
    return 10**9 - int(plies) if word == "win" else int(plies) - 10**9
