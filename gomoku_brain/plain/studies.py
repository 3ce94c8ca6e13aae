"""The four studies of an experiment, each a list of jobs in the order in which they
run.

The studies are: nodes of the first move by method and depth, values of all candidates,
whole levels played out against a defender, and evaluations compared by games. No result
depends on a clock; the seconds are stored beside it.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from gomoku_brain.plain.first_moves import node_jobs, value_jobs
from gomoku_brain.plain.games import game_jobs
from gomoku_brain.plain.plan import Plan, matchups, pairings_of
from gomoku_brain.plain.play_outs import playout_jobs
from gomoku_brain.plain.results import Job, Results

__all__ = ["Study", "studies"]


class Study(NamedTuple):
    """Jobs of one kind."""

    name: str
    about: str
    most: int
    """Largest possible number of jobs."""
    jobs: Callable[["Results"], Iterator[Job]]
    """Function that yields the jobs in order; a later job may depend on the results of
    earlier ones.
    """


def studies(plan: Plan) -> list[Study]:
    """Return the studies of a plan, in the order in which they run."""
    levels = len(plan.levels)
    pairings = len(pairings_of(plan))
    return [
        Study("nodes", "first moves", levels * plan.depth, lambda _: node_jobs(plan)),
        Study("values", "all candidates", levels, lambda _: value_jobs(plan)),
        Study(
            "play-outs",
            "levels played out",
            levels * plan.depth * len(matchups()),
            lambda results: playout_jobs(plan, results),
        ),
        Study(
            "games", "pairs of games", pairings * plan.pairs, lambda _: game_jobs(plan)
        ),
    ]
