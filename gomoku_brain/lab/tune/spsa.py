"""Tuning of the search's constants by games, with SPSA (Spall 1992) as in chess
engines.

In every iteration all constants are moved at once, each up or down at random. The set
and its mirror image play pairs of games, and the constants move towards the winner. The
state is one JSON file, rewritten after every batch, so a run can be stopped and
resumed. A batch is four pairs for each worker, so the values depend on the number of
workers.
"""

import argparse
import contextlib
import json
import random
from pathlib import Path
from typing import TypedDict

from gomoku_brain.control.params import PARAMETERS
from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.numbered import cached_here
from gomoku_brain.lab.train.program_options import (
    Variant,
    add_rule,
    add_seed,
    constant_names,
    count,
    make_parser,
    run,
)
from gomoku_brain.lab.tune.duel import Duel, DuelRecipe
from gomoku_brain.records.openings import BOOK_SIZES, book
from gomoku_brain.runs.output_files import write_whole
from gomoku_brain.runs.run_options import ProgressLine, add_workers
from gomoku_brain.runs.worker_processes import WorkerProcesses

__all__ = ["main"]

ALPHA, GAMMA = 0.602, 0.101  # decay of the step and of the perturbation (Spall)
# Perturbation of a constant at the end of the run, as a share of its range.
SHAKE = 1 / 8
STEP = 0.02  # step at the end of the run, as a share of the squared perturbation
# Share of the iterations that is added to the count in the step's decay.
STABILITY = 0.1


class SpsaRun(TypedDict):
    """Content of the file of a run."""

    rule: str
    size: int
    nodes: int
    seed: int
    iterations: int
    done: int
    points: float
    """Points of the sets moved up, minus half a point for each game, summed."""
    values: dict[str, float]


PairTask = tuple[SpsaRun, dict[str, int], dict[str, int], list[Move]]


def _pair(task: PairTask) -> float:
    """Return the points of the first set out of 2."""
    state, up, down, opening = task
    plain, rule = Variant({}, None), Rule[state["rule"]]
    recipe = DuelRecipe(plain, plain, rule, state["size"], state["nodes"])
    # The recipe has no constants of its own: they are set below.
    duel = cached_here(("spsa", recipe), lambda: Duel(recipe))
    duel.set_params(0, up)
    duel.set_params(1, down)
    return sum(game.points for game in duel.pair(opening))


def perturbed(
    state: SpsaRun, number: int, dice: random.Random
) -> tuple[dict[str, int], dict[str, int], dict[str, float]]:
    """Return (set moved up, set moved down, move of each constant in the first)."""
    decay = (state["iterations"] / (number + 1)) ** GAMMA
    up, down, moved = {}, {}, {}
    for name, value in state["values"].items():
        _, _, least, most = PARAMETERS[name]
        shift = max(1.0, (most - least) * SHAKE * 0.5 * decay)
        shift *= dice.choice((-1, 1))
        up[name] = round(min(max(value + shift, least), most))
        down[name] = round(min(max(value - shift, least), most))
        moved[name] = shift
    return up, down, moved


def learn(state: SpsaRun, number: int, moved: dict[str, float], points: float) -> None:
    """Move the constants towards the set that won ``points`` of 2."""
    late = state["iterations"] * STABILITY
    decay = ((state["iterations"] + late) / (number + 1 + late)) ** ALPHA
    for name, shift in moved.items():
        _, _, least, most = PARAMETERS[name]
        value = state["values"][name] + STEP * decay * (points - 1) * shift
        state["values"][name] = min(max(value, least), most)


def save(path: Path, state: SpsaRun) -> None:
    """Write the state; the old file stays until the new one is complete."""
    write_whole(path, json.dumps(state, indent=1))


def state_of(options: argparse.Namespace) -> SpsaRun:
    """Return the run of the file, or a new one.

    Raises OSError if the file cannot be read, and ValueError if it is no run or was
    started with other options.
    """
    names = options.params or list(PARAMETERS)
    fresh = SpsaRun(
        rule=options.rule.name,
        size=options.size,
        nodes=options.nodes,
        seed=options.seed,
        iterations=options.iterations,
        done=0,
        points=0.0,
        values={name: float(PARAMETERS[name][1]) for name in names},
    )
    if not options.state.exists():
        return fresh
    try:
        state: SpsaRun = json.loads(options.state.read_text("ascii"))
        whole = (
            state.keys() == fresh.keys()
            and isinstance(state["done"], int)
            and 0 <= state["done"] <= state["iterations"]
            and isinstance(state["points"], float)
            and all(
                PARAMETERS[name][2] <= value <= PARAMETERS[name][3]
                for name, value in state["values"].items()
            )
        )
    except (ValueError, TypeError, AttributeError, KeyError):
        whole = False
    if not whole:
        raise ValueError(f"{options.state}: not the file of a run")
    begun = [{**run, "done": 0, "points": 0, "values": 0} for run in (state, fresh)]
    if begun[0] != begun[1] or list(state["values"]) != names:
        raise ValueError(
            f"{options.state} was begun with other options: name another file"
        )
    return state


def main(argv: list[str] | None = None) -> int:
    """Run ``python -m gomoku_brain.lab.tune.spsa``; see ``--help``."""
    parser = make_parser("tune.spsa", "Tune the search's constants by pairs of games.")
    parser.add_argument("state", type=Path, help="file to write or to go on with")
    parser.add_argument(
        "--params", type=constant_names, help="names, joined by commas; default: all"
    )
    add_rule(parser)
    parser.add_argument("--size", type=int, choices=BOOK_SIZES, default=15)
    parser.add_argument("--nodes", type=count, default=5000, help="a move (5000)")
    parser.add_argument("--iterations", type=count, default=5000, help="pairs (5000)")
    add_seed(parser)
    add_workers(parser, "processes here (1); batches of pairs grow with them")
    return run(parser, argv, _tune)


def _tune(options: argparse.Namespace) -> None:
    """Play the pairs that the run lacks, and print the constants."""
    state = state_of(options)
    openings = book(Rule[state["rule"]], state["size"], "tuning")
    batch = 4 * options.workers
    progress = ProgressLine("pairs", state["iterations"], state["done"])
    pool = WorkerProcesses(options.workers) if options.workers > 1 else None
    with progress, pool or contextlib.nullcontext():
        while state["done"] < state["iterations"]:
            tasks: list[PairTask] = []
            shifts = []
            first = state["done"]
            for number in range(first, min(first + batch, state["iterations"])):
                dice = random.Random(f"{state['seed']} {number}")
                up, down, moved = perturbed(state, number, dice)
                tasks.append((state, up, down, list(dice.choice(openings).moves)))
                shifts.append((number, moved))
            results = (pool.map if pool else map)(_pair, tasks)
            for (number, moved), points in zip(shifts, results, strict=True):
                learn(state, number, moved, points)
                state["points"] += points
            state["done"] += len(tasks)
            save(options.state, state)
            progress.show(state["done"])
    for name, value in state["values"].items():
        print(f"{name} {PARAMETERS[name][1]} -> {round(value)}")


if __name__ == "__main__":
    raise SystemExit(main())
