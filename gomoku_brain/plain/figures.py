"""Figures of an experiment, looked up in its results or summed from them."""

from typing import NamedTuple

from gomoku_brain.plain.first_moves import node_key
from gomoku_brain.plain.games import (
    PairingScore,
    game_key,
    openings,
    pairing_score,
)
from gomoku_brain.plain.plan import EASY, ENGINE, Plan, pairings_of
from gomoku_brain.plain.play_outs import playout_key
from gomoku_brain.plain.results import Result, Results


class Total(NamedTuple):
    """Sum over the levels of one method's searches to one depth."""

    nodes: int
    finished: bool
    seconds: float | None
    levels: int


def node_results(plan: Plan, results: Results, depth: int) -> dict[int, Result]:
    """Return the results for the first moves at a depth, by level."""
    found = {}
    for level in plan.levels:
        result = results.get(node_key(plan, level, depth))
        if result is not None:
            found[level] = result
    return found


def search_row(result: Result, evaluation: str, method: str) -> Result:
    """Return the row of one search in the result of a node job."""
    for row in result["searches"]:
        if (row["evaluation"], row["method"]) == (evaluation, method):
            return dict(row)
    raise KeyError((evaluation, method))


def total(found: dict[int, Result], evaluation: str, method: str) -> Total | None:
    """Return the sum over the levels; None if nothing was measured."""
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
    """Return the mean time of a first move, in seconds; None if a level has no time."""
    sum_ = total(found, evaluation, method)
    if sum_ is None or sum_.seconds is None:
        return None
    return sum_.seconds / sum_.levels


def tree_total(found: dict[int, Result], radius: int) -> int | None:
    """Return the nodes of plain minimax, summed over the levels.

    None if a level has no count.
    """
    trees = [result["trees"][str(radius)] for result in found.values()]
    return sum(trees) if trees and None not in trees else None


def pruned(nodes: int, tree: int | None) -> float | None:
    """Return the share of plain minimax that was not searched; None if it is
    unknown.
    """
    return None if not tree else 1 - nodes / tree


def playout(
    plan: Plan, results: Results, level: int, attacker: str, defender: str, depth: int
) -> Result | None:
    """Return the result of a level that was played out; None if it is missing."""
    return results.get(playout_key(plan, level, attacker, defender, depth))


def needed_depth(
    plan: Plan, results: Results, level: int, attacker: str, defender: str
) -> int | None:
    """Return the smallest depth that won a level; None if no depth did."""
    for depth in range(1, plan.depth + 1):
        result = playout(plan, results, level, attacker, defender, depth)
        if result is not None and result["outcome"] == "won":
            return depth
    return None


def was_played(
    plan: Plan, results: Results, level: int, attacker: str, defender: str
) -> bool:
    """Whether the results contain every play-out of a level that an attacker needs."""
    return (
        needed_depth(plan, results, level, attacker, defender) is not None
        or playout(plan, results, level, attacker, defender, plan.depth) is not None
    )


def pairing_scores(
    plan: Plan, results: Results
) -> list[tuple[str, str, str, int, PairingScore]]:
    """Return each pairing with the score of its games so far.

    Pairings without games are left out.
    """
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
    """Return the share pruned over all moves of the play-outs, by defender and
    radius.
    """
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
