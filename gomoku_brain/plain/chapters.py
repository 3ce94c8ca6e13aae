"""Report of an experiment: its tables, plots and texts, in reading order.

The functions read the results and measure nothing, so the report of an interrupted run
is made in the same way from the results so far. Plots need matplotlib.
"""

import platform
from pathlib import Path

from gomoku_brain.plain.figures import node_results, pairing_scores, playout
from gomoku_brain.plain.first_moves import SEARCHED_TREE
from gomoku_brain.plain.games import OPENING_BALANCE, OPENING_STONES
from gomoku_brain.plain.pages import (
    Block,
    Heading,
    Image,
    to_html,
    to_markdown,
)
from gomoku_brain.plain.plan import EASY, EASY_DEPTH, ENGINE, Plan
from gomoku_brain.plain.play_outs import MAX_MOVES
from gomoku_brain.plain.plots import Painter
from gomoku_brain.plain.results import Results, engine_nodes
from gomoku_brain.plain.tables import (
    MANY,
    games_table,
    needs_table,
    nodes_table,
    parts_table,
    playout_table,
    pruned_table,
    published_table,
    time_table,
)

__all__ = ["write_report"]

TITLE = "The studies of the source reports"


def write_report(
    plan: Plan, results: Results, folder: Path, version: str
) -> list[Path]:
    """Write ``report.md``, ``report.html`` and the plots into ``folder``.

    Return the files written, ``report.html`` first.
    """
    painter = Painter(plan, results, folder)
    blocks = report(plan, results, painter, version)
    page = folder / "report.html"
    text = folder / "report.md"
    page.write_text(to_html(TITLE, blocks), encoding="utf-8")
    text.write_text(to_markdown(TITLE, blocks), encoding="utf-8")
    images = [folder / block.file for block in blocks if isinstance(block, Image)]
    return [page, text, *images]


def report(plan: Plan, results: Results, painter: Painter, version: str) -> list[Block]:
    """Return the report as blocks, in reading order, without the studies that have no
    results.
    """
    levels = len(plan.levels)
    blocks: list[Block] = [
        f"{levels} of the 20 end-game levels of S2, freestyle, 15x15, Black to move and"
        f" win; gomoku-brain {version}, Python {platform.python_version()},"
        f" {machine()}. A node is one move made. Node counts are the same on every"
        " machine; seconds are processor time of this machine, with one thread.",
        f"Settings: depth {plan.depth}, at most {plan.budget:,} nodes a search ({MANY}"
        f"marks a search that this limit ended), plain minimax searched up to"
        f" {SEARCHED_TREE:,} nodes and counted beyond, candidates within two cells of"
        f" a stone (as in S2), {plan.defender_nodes:,} nodes a move for our engine as"
        f" defender; nodes of the engine in a check search {engine_nodes()}.",
        "The rule score (S1-S3) counts shapes and compares whose threats come first;"
        " the stone score (S4) adds up the best shape of every stone. We implemented"
        " both from their descriptions. Ours is the engine's static evaluation in the"
        " same plain search: alone, and after the static tests for wins that our"
        " search makes before it uses the evaluation.",
    ]
    if node_results(plan, results, 1):
        blocks += [Heading("Nodes by method and depth"), painter.nodes()]
        blocks += [
            nodes_table(plan, results),
            "The first column counts all empty cells, the second cells within radius"
            " 2; alpha-beta tries them row by row. Ordering sorts the moves of inner"
            " nodes by the evaluation after them (these are no nodes, but the last"
            " column counts the evaluations) and tries the last refutation first at"
            " the leaves. All four find the same value. The full search is our engine"
            " to the same nominal depth; it also finds fours beyond that depth.",
        ]
        if plan.depth > 1:
            blocks += [
                Heading("Pruning, by evaluation"),
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
            "Iterations to the depth with one table of 16 MB and our own candidates."
            " Static wins, reply sets and fours see further than the nominal depth, so"
            " rows differ in their results as well as in their cost.",
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
            "S2 played against the defender of the original game, which is not"
            f" public. Here one defender is the rule score at depth {EASY_DEPTH} (the"
            " easy level of S4), the other our engine. Moves and nodes are those of"
            " the attacker. S2 does not state the base of its 93-97 %.",
            painter.needs(),
            needs_table(plan, results),
            f"A level is won if the attacker makes five within {MAX_MOVES} moves;"
            " at small depths a win can be luck. The depths of our full search are"
            " nominal.",
            playout_table(plan, results, EASY),
            playout_table(plan, results, ENGINE),
        ]
    if plan.pairs and pairing_scores(plan, results):
        blocks += [
            Heading("Evaluations by games"),
            painter.games(),
            games_table(plan, results),
            f"Freestyle, 15x15, from {plan.pairs} openings of {OPENING_STONES} stones"
            f" near the middle, which our engine scores within {OPENING_BALANCE}, each"
            " played with both colours. Equal depth: all players search exactly to"
            " this depth. Equal nodes: each player deepens (with table and ordering)"
            " until its nodes are used up. Evaluations that order moves are no nodes;"
            " this favours the plain searches. The intervals are those of the mean of"
            " pairs, with two additional pairs, one won and one lost. A copy is a"
            " game that repeats another move by move.",
        ]
    return blocks


def machine() -> str:
    """Return the names of the processor and of the system, as far as Python knows
    them.
    """
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                name = line.partition(":")[2].strip()
                break
    return f"{name}, {platform.system()}"
