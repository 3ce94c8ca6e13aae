"""Studies of the first move of each level: nodes by method and depth, and the values of
all candidates.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from gomoku_brain.control.limits import Limits
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.position import Board
from gomoku_brain.plain.plain_search import (
    Method,
    PlainSearch,
    SourceEvaluation,
    win_in,
)
from gomoku_brain.plain.plan import (
    ENGINE,
    EVALUATIONS,
    HASH_MB,
    METHODS,
    PARTS,
    Plan,
    level_board,
)
from gomoku_brain.plain.players import clock
from gomoku_brain.plain.results import Job, Result, job_key
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Worker

SEARCHED_TREE = 2_000_000  # nodes; above it, plain minimax is only counted
VALUES_DEPTH = 3


def node_key(plan: Plan, level: int, depth: int) -> dict[str, Any]:
    """Return the job that searches the first move of a level to a depth."""
    return job_key("nodes", level=level, depth=depth, budget=plan.budget)


def node_jobs(plan: Plan) -> Iterator[Job]:
    """Yield the jobs level by level, and in each level depth by depth."""
    for level in plan.levels:
        for depth in range(1, plan.depth + 1):
            yield Job(
                node_key(plan, level, depth),
                partial(count_nodes, level_board(level), depth, plan.budget),
            )


def count_nodes(board: Board, depth: int, budget: int) -> Result:
    """Search one position to one depth with every method and evaluation.

    Return the nodes of each search.
    """
    trees = {
        str(radius): tree_size(board, depth, radius, budget) for radius in (0, 1, 2)
    }
    searches = []
    for evaluation, code in EVALUATIONS.items():
        for method, how in METHODS.items():
            row: Result = {"evaluation": evaluation, "method": method}
            tree = trees["2"]
            if method == "minimax" and (tree is None or tree > SEARCHED_TREE):
                row |= {"nodes": tree, "finished": tree is not None}
            else:
                search = PlainSearch(code, how)
                start = clock()
                found = search.search(board, depth, budget)
                row |= {
                    "nodes": min(found.nodes, budget),
                    "finished": found.finished,
                    "evaluations": found.evaluations,
                    "seconds": clock() - start,
                }
                if found.finished:
                    row |= {"move": str(found.move), "score": found.score}
            searches.append(row)
    with Engine(hash_mb=HASH_MB) as engine:
        engine.new_game()
        start = clock()
        result = engine.search(board, Limits(depth=depth, nodes=budget))
        taken = clock() - start
    searches.append(
        {
            "evaluation": "ours",
            "method": ENGINE,
            "nodes": result.nodes,
            "finished": result.nodes < budget,
            "seconds": taken,
            "move": str(result.move),
            "score": result.score,
            "win_in": result.win_in,
        }
    )
    return {
        "trees": trees,
        "searches": searches,
        "parts": count_parts(board, depth, budget),
    }


def tree_size(board: Board, depth: int, radius: int, budget: int) -> int | None:
    """Return the nodes of plain minimax; None if even counting would take too long."""
    search = PlainSearch(SourceEvaluation.RULES, Method.MINIMAX, radius)
    for lesser in range(1, depth):  # counting makes the moves of all plies but the last
        if search.tree_size(board, lesser) > budget:
            return None
    return search.tree_size(board, depth)


def count_parts(board: Board, depth: int, budget: int) -> list[Result]:
    """Return the nodes of our search with more and more of its parts switched on.

    Each search runs the iterations 1 to ``depth``.
    """
    rows = []
    features = 0
    for part, bit in PARTS.items():
        features |= bit
        table = TranspositionTable(HASH_MB)
        table.make_room(budget)
        worker = Worker(table, features)
        worker.set_position(board, SearchControl(), budget)
        score = 0
        for plies in range(1, depth + 1):
            score = worker.search(plies)
        row: Result = {
            "part": part,
            "nodes": worker.nodes,
            "finished": not worker.stopped,
        }
        rows.append(row if worker.stopped else row | {"score": score})
    return rows


# --- The values of all candidates ---


def values_key(plan: Plan, level: int) -> dict[str, Any]:
    """Return the job that values all first moves of a level."""
    depth = min(VALUES_DEPTH, plan.depth)
    return job_key("values", level=level, depth=depth, budget=plan.budget)


def value_jobs(plan: Plan) -> Iterator[Job]:
    """Yield one job for each level."""
    for level in plan.levels:
        key = values_key(plan, level)
        yield Job(
            key,
            partial(value_moves, level_board(level), key["depth"], plan.budget),
        )


def value_moves(board: Board, depth: int, budget: int) -> Result:
    """Return each evaluation's exact value of every candidate, and our engine's score.

    The evaluations have different scales. A forced result is a text with its number of
    plies: "win 3" or "loss 2".
    """
    found: Result = {}
    for evaluation, code in EVALUATIONS.items():
        values = PlainSearch(code, Method.TABLE).values(board, depth, budget)
        found[evaluation] = values and {
            str(move): score_label(value, win_in(value))
            for move, value in sorted(values.items(), key=lambda item: -item[1])
        }
    with Engine(hash_mb=HASH_MB) as engine:
        engine.new_game()
        limits = Limits(depth=depth, nodes=budget, multipv=board.width * board.height)
        result = engine.search(board, limits)
    found[ENGINE] = {
        str(line.pv[0]): score_label(line.score, line.win_in) for line in result.lines
    }
    return found


def score_label(score: int, plies: int | None) -> int | str:
    """Return the score, or "win N" or "loss N" if the result is forced in N plies."""
    if plies is None:
        return score
    return f"win {plies}" if plies > 0 else f"loss {-plies}"
