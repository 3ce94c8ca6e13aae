"""What is looked up in the results of an experiment, and added up from them."""

from typing import NamedTuple

from gomoku_brain.lab.experiment.first_moves import node_key
from gomoku_brain.lab.experiment.games import (
    PairingScore,
    game_key,
    openings,
    pairing_score,
)
from gomoku_brain.lab.experiment.plan import EASY, ENGINE, Plan, pairings_of
from gomoku_brain.lab.experiment.play_outs import playout_key
from gomoku_brain.lab.experiment.results import Result, Results


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


def mean_seconds(
    found: dict[int, Result], evaluation: str, method: str
) -> float | None:
    """What a first move took on average; None where a level has no time."""
    sum_ = total(found, evaluation, method)
    if sum_ is None or sum_.seconds is None:
        return None
    return sum_.seconds / sum_.levels


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


def pairing_scores(
    plan: Plan, results: Results
) -> list[tuple[str, str, str, int, PairingScore]]:
    """Each pairing with the games played so far; those without games are left out."""
    found = []
    texts = openings(plan.pairs)
    for a, b, terms, amount in pairings_of(plan):
        rows = [results.get(game_key(a, b, terms, amount, text)) for text in texts]
        played = [row for row in rows if row is not None]
        if played:
            found.append((a, b, terms, amount, pairing_score(played, a, b)))
    return found


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
