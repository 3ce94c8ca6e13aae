"""Report of an experiment: its tables, and the moves of each level as SGF.

The functions read the results and measure nothing, so the report of an interrupted run
is made in the same way from the results so far.
"""

import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypedDict

from gomoku_brain.match.stats import Pentanomial
from gomoku_brain.plain.studies import (
    EASY,
    ENGINE,
    EVALUATIONS,
    MATCHUPS,
    METHODS,
    Plan,
    Result,
    Results,
    level_boards,
    pairings_of,
    points_of,
    studies,
)
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_node import GameNode
from gomoku_brain.records.game_record import Figures
from gomoku_brain.records.sgf import write
from gomoku_brain.runs.json_rows import Schema

__all__ = ["ExperimentLine", "Measurements", "tables_of", "write_moves", "write_report"]

NAMES = {
    "rules": "rule score (S1-S3)",
    "stones": "stone score (S4)",
    "ours": "ours",
    "proved": "ours, static wins",
    ENGINE: "our full search",
    EASY: "easy defender",
}
METHOD_NAMES = {
    "minimax": "plain minimax",
    "alphabeta": "alpha-beta",
    "ordered": "+ ordering",
    "table": "+ table",
    ENGINE: "full search",
}
TITLES = {
    "nodes": "Nodes of the first move, all levels added up",
    "cutoffs": "Cutoffs of the first move, all levels added up",
    "pruned": "Share of plain minimax that is pruned, first moves of all levels",
    "time": "Time of the first move, mean of the levels",
    "needs": "The smallest depth that wins each level",
    "levels": "Levels played out by S2's way: the attacker's moves and nodes",
    "games": "Games between evaluations: the first player's result",
}
# Figures that S2 published for the same levels.
S2_NEEDS = dict.fromkeys(range(1, 21), 2)
S2_NEEDS |= dict.fromkeys((8, 9, 11, 16, 19, 20), 3) | {12: 4}
NOTES = {
    "nodes": "All plain searches find the same value. Alpha-beta tries the cells row by"
    " row; ordering sorts by the evaluation after a move, and these evaluations are no"
    " nodes. The full search is our engine to the same nominal depth.",
    "cutoffs": "A cutoff is a position in which a move made others needless.",
    "pruned": "The first column is a share of minimax over all empty cells, the others"
    " of minimax within radius 2. S2 published 93-97 % at depth 2.",
    "needs": "The depths of our full search are nominal. At small depths a win can be"
    " luck.",
    "levels": "S2 published 188,094 nodes for level 11 at depth 3; 73,286 nodes in 25"
    " moves at depth 2 and 821,374 nodes in 9 moves at depth 3 for level 14. Its"
    " defender is not public; the easy one here is the rule score at depth 2.",
    "games": "From balanced openings, each played with both colours; all players search"
    " exactly to this depth. A copy repeats another game move by move.",
}
MOVE_FIGURES = ("seconds", "score", "win_in", "depth", "nodes")

Cell = str | float
Grid = list[list[Cell]]
"""Rows of a table, the header first."""


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


class Total(NamedTuple):
    """Sums over the levels of one method's searches to one depth."""

    nodes: int | None
    """None if a level has no count."""
    finished: bool
    seconds: float | None
    """Mean of the levels; None if a level has no time."""
    evaluations: int
    cutoffs: int | None = None
    """None if a level has no count."""

    def text(self) -> Cell:
        """Return the nodes, with "> " if a budget limited them; "-" if unknown."""
        if self.nodes is None:
            return "-"
        return self.nodes if self.finished else f"> {self.nodes:,}"

    def time(self) -> Cell:
        """Return the time with three significant digits; "-" if it is unknown."""
        return "-" if self.seconds is None else float(f"{self.seconds:.3g}")

    def pruned(self, tree: int | None) -> Cell:
        """Return the share of a tree that was not searched; "-" if it is unknown."""
        if self.nodes is None or not tree:
            return "-"
        share = round(1 - self.nodes / tree, 6)
        return share if self.finished else f"< {100 * share:.1f} %"


class Measurements:
    """Results of a plan, by study, each with the parts of its key."""

    def __init__(self, plan: Plan, results: Results) -> None:
        """Look up the results that exist so far."""
        self.plan = plan
        self.rows: list[Result] = [
            {**key, **found}
            for keys in studies(plan).values()
            for key in keys
            if (found := results.get(key)) is not None
        ]

    def of(self, study: str, **parts: object) -> list[Result]:
        """Return the results of a study whose keys have these parts."""
        return [
            row
            for row in self.rows
            if row["study"] == study and all(row[k] == v for k, v in parts.items())
        ]

    def tree(self, depth: int, radius: str) -> int | None:
        """Return the nodes of plain minimax at a depth; None if one has no count."""
        tree: int | None = _sum(
            row["trees"][radius]
            for row in self.of("nodes", depth=depth)
            if "trees" in row
        )
        return tree

    def total(self, depth: int, evaluation: str, method: str) -> Total:
        """Return the sums of one method's searches to a depth."""
        rows = [
            search
            for row in self.of("nodes", depth=depth)
            for search in row["searches"]
            if (search["evaluation"], search["method"]) == (evaluation, method)
        ]
        seconds = _sum(row.get("seconds") for row in rows)
        return Total(
            _sum(row["nodes"] for row in rows),
            all(row["finished"] for row in rows),
            None if seconds is None else seconds / len(rows),
            sum(row.get("evaluations", 0) for row in rows),
            _sum(row.get("cutoffs") for row in rows),
        )

    def depths(self) -> list[int]:
        """Return the depths of which there are results for the first moves."""
        return sorted({row["depth"] for row in self.of("nodes")})


def _sum(numbers: Iterator[Any]) -> Any:  # noqa: ANN401
    """Return the sum; None if a number is missing, or all."""
    found = list(numbers)
    return None if not found or None in found else sum(found)


def tables_of(found: Measurements) -> dict[str, NumberTable]:
    """Return the tables of the report by name, in reading order."""
    grids = {**first_moves(found), **levels_played(found), "games": games(found)}
    return {
        name: {
            "title": TITLES[name],
            "header": [str(cell) for cell in grid[0]],
            "rows": grid[1:],
        }
        for name, grid in grids.items()
    }


def first_moves(found: Measurements) -> dict[str, Grid]:
    """Return nodes, shares pruned and times of the first moves, summed over levels."""
    _, *others = names = list(METHOD_NAMES.values())
    cells = ["minimax, all cells", "minimax, radius 2"]
    nodes: Grid = [["", *cells, *others, "evaluations, + ordering"]]
    shares: Grid = [["", "alpha-beta, all cells", *others[:-1]]]
    cutoffs: Grid = [["", *others[:-1]]]
    times: Grid = [["", *names]]
    evaluations = [*EVALUATIONS, *filter(None, [found.plan.evaluation])]
    for depth in found.depths():
        all_cells, near = found.tree(depth, "0"), found.tree(depth, "2")
        full = found.total(depth, "ours", ENGINE)
        for evaluation in evaluations:
            sums = [found.total(depth, evaluation, method) for method in METHODS]
            name = f"depth {depth}, {NAMES.get(evaluation, evaluation)}"
            # The full search stands beside the evaluation most similar to it.
            last = (full.text(), full.time()) if evaluation == "proved" else ("", "")
            counts = [each.text() for each in sums]
            looks = sums[2].evaluations
            nodes.append([name, all_cells or "-", *counts, last[0], looks])
            times.append([name, *(each.time() for each in sums), last[1]])
            if depth > 1:
                cuts = (each.cutoffs for each in sums[1:])
                cutoffs.append([name, *("-" if cut is None else cut for cut in cuts)])
                pruned = [each.pruned(near) for each in sums[1:]]
                shares.append([name, sums[1].pruned(all_cells), *pruned])
    return {"nodes": nodes, "cutoffs": cutoffs, "pruned": shares, "time": times}


def levels_played(found: Measurements) -> dict[str, Grid]:
    """Return the depth that each attacker needs for each level, and S2's games."""
    plan = found.plan
    depths = range(1, plan.depth + 1)
    needs: Grid = [["", *plan.levels]]
    needs.append(["S2, published", *(S2_NEEDS[level] for level in plan.levels)])
    played: Grid = [["level"]]
    played.extend([level] for level in plan.levels)
    for attacker, defender in MATCHUPS:
        row: list[Cell] = [NAMES[attacker]]
        if defender == EASY:
            row = [f"{NAMES[attacker]}, {NAMES[EASY]}"]
        needs.append(row)
        who = {"attacker": attacker, "defender": defender}
        if attacker == "rules":
            played[0] += [f"depth {depth}, {NAMES[defender]}" for depth in depths]
        for k, level in enumerate(plan.levels, start=1):
            games = {g["depth"]: g for g in found.of("play-out", level=level, **who)}
            won = [depth for depth, game in games.items() if game["outcome"] == "won"]
            missed = f">{plan.depth}" if len(games) == plan.depth else "-"
            row.append(won[0] if won else missed)
            if attacker == "rules":
                played[k] += [game_text(games.get(depth)) for depth in depths]
    return {"needs": needs, "levels": played}


def game_text(game: Result | None) -> str:
    """Return the outcome of a play-out with the attacker's moves and nodes."""
    return f"{game['outcome']} in {game['count']}, {game['nodes']:,}" if game else ""


def games(found: Measurements) -> Grid:
    """Return the scores of the games between evaluations."""
    head = "|games|won-drawn-lost|score|Elo, 95 %|copies|µs a move".split("|")
    rows: Grid = [[*head]]
    depth = found.plan.game_depth
    for a, b in pairings_of(found.plan):
        pairs = found.of("games", players=[a, b])
        games = [game for pair in pairs for game in pair["games"]]
        if not games:
            continue
        points = list(map(points_of(a), games))
        tally = Pentanomial.of(zip(points[::2], points[1::2], strict=True))
        moves = sum(game["played"] for game in games) / 2
        times = (sum(game["seconds"][who] for game in games) for who in (a, b))
        rows.append(
            [
                f"{NAMES.get(a, a)} - {NAMES[b]}, depth {depth}",
                tally.games,
                f"{points.count(1)}-{points.count(0.5)}-{points.count(0)}",
                round(tally.score, 4),
                tally.elo.text_with_interval(),
                len(games) - len({game["moves"] for game in games}),
                " / ".join(f"{1e6 * seconds / moves:,.0f}" for seconds in times),
            ]
        )
    return rows


# ----- Files -----


def write_report(
    found: Measurements, folder: Path, version: str, plots: list[Path]
) -> Path:
    """Write ``report.md`` into ``folder`` and return its path."""
    plan = found.plan
    parts = [
        "# The studies of the source reports",
        f"{len(plan.levels)} of the 20 end-game levels of S2, freestyle, 15x15, Black"
        f" to move and win; gomoku-brain {version}, Python"
        f" {platform.python_version()}, {platform.machine()}, {platform.system()}."
        " Node counts are the same on every machine; seconds are processor time of one"
        f" thread. At most {plan.budget:,} nodes a search (\\> marks one that this"
        f" ended), {plan.defender_nodes:,} nodes a move for our engine as defender.",
        *(f"![{path.stem}]({path.name})" for path in plots),
    ]
    for name, table in tables_of(found).items():
        rows = [table["header"], ["---", *["---:"] * (len(table["header"]) - 1)]]
        rows += [[cell_text(name, cell) for cell in row] for row in table["rows"]]
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        parts += [f"**{table['title']}**", "\n".join(lines), NOTES.get(name, "")]
    path = folder / "report.md"
    path.write_text("\n\n".join(filter(None, parts)) + "\n", encoding="utf-8")
    return path


def cell_text(table: str, cell: Cell) -> str:
    """Return a cell of a table as text."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int):
        return f"{cell:,}"
    if table == "time":
        return f"{cell:.3g} s" if cell >= 1 else f"{1000 * cell:.3g} ms"
    return f"{100 * cell:.{2 if 0.999 <= cell < 1 else 1}f} %"


def write_moves(found: Measurements, folder: Path) -> list[Path]:
    """Write the play-outs of each level into ``folder``/moves, as SGF.

    The comment of the first position has the values of all candidates.
    """
    target = folder / "moves"
    target.mkdir(exist_ok=True)
    written = []
    for level in found.plan.levels:
        values = "\n".join(
            f"{name}: {', '.join(f'{cell} {value}' for cell, value in cells.items())}"
            for row in found.of("values", level=level)
            for name in [*EVALUATIONS, ENGINE, found.plan.evaluation]
            if isinstance(cells := row.get(name), dict)
        )
        games = found.of("play-out", level=level)
        if games:
            path = target / f"level-{level:02}.sgf"
            path.write_text(games_as_sgf(games, values), encoding="utf-8")
            written.append(path)
    return written


def games_as_sgf(games: list[Result], comment: str) -> str:
    """Return the play-outs of a level as SGF, the shortest win first."""
    trees = []
    for game in sorted(games, key=lambda g: (g["outcome"] != "won", g["count"])):
        tree = Game.from_board(
            level_boards()[game["level"] - 1],
            black=f"{NAMES[game['attacker']]}, depth {game['depth']}",
            white=NAMES[game["defender"]],
        )
        tree.set_text("GN", f"Level {game['level']}")
        tree.set_result({"won": "1-0", "lost": "0-1"}.get(game["outcome"], "*"))
        tree.comment = comment
        node: GameNode = tree
        for move in game["moves"]:
            if move["move"] is not None:
                node = node.add_variation(move["move"])
                node.figures = Figures(**{name: move[name] for name in MOVE_FIGURES})
        trees.append(tree)
    return write(*trees)
