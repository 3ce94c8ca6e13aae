"""The search of ``prove``: its tree, its workers, and what it tells."""

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import gomoku_brain
from gomoku_brain.commands._prove_check import certificate_in
from gomoku_brain.game.position import Board
from gomoku_brain.proofs import certificate as certificates
from gomoku_brain.proofs.boards import stones_of
from gomoku_brain.proofs.grid import RULES, Grid, Position
from gomoku_brain.prove import snapshot
from gomoku_brain.prove.expander import Problem
from gomoku_brain.prove.prover import (
    ProofProgress,
    Wishes,
    cluster_workers,
    prove,
)
from gomoku_brain.prove.suggestions import moves_for
from gomoku_brain.prove.tree import Tree
from gomoku_brain.prove.tree_file import TreeError
from gomoku_brain.runs.output_files import begin_file, check_output, write_whole
from gomoku_brain.runs.run_options import Teller, duration, told_of_loss
from gomoku_brain.runs.worker_processes import WorkerProcesses


def problem_of(board: Board) -> tuple[Problem, Grid, Position]:
    """What is to be proved of a position. Raises ValueError for what cannot be."""
    rule = board.rule.name.lower()
    if rule not in RULES:
        raise ValueError(f"proofs are for the rules {' and '.join(RULES)}, not {rule}")
    if board.winner is not None:
        raise ValueError("the game is over")
    grid = Grid(board.width, board.height)
    stones = stones_of(grid, board, board.moves)
    if stones is None:
        raise ValueError("proofs know no walls")
    winner = board.turn
    problem = Problem(rule, board.width, board.height, winner.name.lower())
    return problem, grid, (stones[winner], stones[winner.other])


def told_of(progress: ProofProgress) -> str:
    """One line on a run of the search."""
    counts, trial = progress.counts, progress.trial
    if trial:
        return (
            f"{duration(progress.seconds)}  the solver was tried on {trial.done} of"
            f" {trial.total} moves: {trial.listed} replies get moves of their own"
        )
    line = (
        f"{duration(progress.seconds)}  proved {counts.proved}, won by threats"
        f" {counts.leaves}, open {counts.open}; {progress.nodes:,} nodes"
    )
    if not counts.is_decided and progress.speed:
        left = duration(counts.win / progress.speed)
        line += (
            f", about {counts.win} to be looked at ({left} at {progress.speed:.1f}/s)"
        )
    return line


def run_search(options: argparse.Namespace, board: Board) -> int:
    """Search until it is decided, a limit is met, or Ctrl-C."""
    problem, grid, start = problem_of(board)
    wishes = wishes_of(options, grid)
    check_files(options)
    with (
        workers_of(options) as workers,
        opened_tree(options, problem, grid, start) as tree,
    ):
        stopped = search(options, tree, problem, wishes, workers)
        try:
            if stopped is None:
                return told_of_end(options, tree, problem)
            kept = f"; {options.state} holds it" if options.state else ""
            print(f"{stopped.why}: {told_of_state(tree)}{kept}", file=sys.stderr)
            return stopped.status
        finally:  # also where the certificate cannot be written
            if options.save:
                write_whole(options.save, snapshot.save(tree))


def told_of_end(options: argparse.Namespace, tree: Tree, problem: Problem) -> int:
    """Say what was found, and write the certificate; returns the exit status."""
    print(f"{problem.winner} to move: {told_of_state(tree)}")
    book, left = tree.partial_book() if options.partial else (tree.book(), 0)
    if not tree.is_proved and not book:
        return 1
    if options.out:
        maker = f"gomoku-brain {gomoku_brain.__version__}"
        data = certificates.encode(
            problem.rule, tree.grid, problem.winner, tree.start, book, maker, left
        )
        write_whole(options.out, data)
        entries = len(certificates.decode(data).entries)
        rest = f", {left.bit_count()} replies to the first are open" if left else ""
        print(
            f"{options.out}: {entries} positions with a move{rest}, {len(data)} bytes"
        )
    return 0 if tree.is_proved else 1


def check_files(options: argparse.Namespace) -> None:
    """See before hours of work that the files can be written. Raises ValueError.

    The snapshot that was taken up may be written anew.
    """
    read = [path for path in (options.state, options.like) if path]
    read += map(Path, [*options.position, " ".join(options.position)])
    if options.save:
        check_output(options.save, read)
    if options.out:
        later = [path for path in (options.load, options.save) if path]
        check_output(options.out, [*read, *later])


def opened_tree(
    options: argparse.Namespace, problem: Problem, grid: Grid, start: Position
) -> Tree:
    """The tree of --state with what --load and --first say of it, to be closed.

    Raises ValueError or OSError for what cannot be. A new file is not left behind then,
    and one that was there holds what it did.
    """
    first = None if options.first is None else grid.cell(options.first)
    if first is not None and (start[0] | start[1]) >> first & 1:
        raise ValueError(f"{options.first} is not free")
    data = options.load.read_bytes() if options.load else None
    path = options.state.resolve() if options.state else None
    with contextlib.ExitStack() as undone:
        if path is not None and begin_file(path):
            for end in ("", "-wal", "-shm"):  # the database and what goes with it
                new = path.with_name(path.name + end)
                undone.callback(new.unlink, missing_ok=True)
        tree = undone.enter_context(
            Tree(path or ":memory:", problem.rule, grid, problem.winner, start)
        )
        told = ""
        with tree.change():
            if data is not None and not tree.is_new:
                if options.save and options.save.resolve() == options.load.resolve():
                    raise ValueError(
                        f"{options.state} is in use already: --load is left out, and"
                        f" --save would write over {options.save}"
                    )
                told = f"{options.state} is in use already: --load is left out"
            elif data is not None:
                try:
                    count = snapshot.load(tree, data)
                except TreeError as error:
                    raise TreeError(f"{options.load}: {error}") from None
                told = f"{options.load}: {count} positions taken over"
            if first is not None:
                tree.begin_with(first)
        if told:
            print(told, file=sys.stderr)
        undone.pop_all()
    return tree


def wishes_of(options: argparse.Namespace, grid: Grid) -> Wishes:
    """How the proof should be. Raises ValueError for a file that is no certificate."""
    wishes = Wishes(options.leaf_nodes)
    if options.like is None:
        return wishes
    like = certificate_in(options.like)
    return wishes._replace(suggestions=moves_for(like, grid))


class EarlyEnd(NamedTuple):
    """Why a search ended before it should, and the exit status that tells it."""

    why: str
    status: int


class Workers(NamedTuple):
    """Who looks at positions."""

    pool: Executor
    number: int
    losses: tuple[type[Exception], ...]
    """What is raised when one of them is lost."""
    stop: Callable[[], None]
    """Ends their work without waiting for it."""


@contextlib.contextmanager
def workers_of(options: argparse.Namespace) -> Iterator[Workers]:
    """Processes here, or the workers of a cluster.

    Raises ClusterError, or ImportError without what a cluster needs.
    """
    losses = (BrokenExecutor, CancelledError)
    if options.cluster:
        with cluster_workers(options.cluster) as (pool, count, killed):
            stop: Callable[[], None] = partial(pool.shutdown, wait=False)
            yield Workers(pool, count, (*losses, killed), stop)
    else:
        with WorkerProcesses(options.workers) as processes:
            stop = processes.end_now
            yield Workers(processes, options.workers, losses, stop)


def search(
    options: argparse.Namespace,
    tree: Tree,
    problem: Problem,
    wishes: Wishes,
    workers: Workers,
) -> EarlyEnd | None:
    """Let the workers look at positions, until something stops them."""
    teller = Teller()
    try:
        progress = prove(
            tree,
            problem,
            workers.pool,
            workers.number,
            options.time,
            options.tasks,
            lambda progress: teller.tell(lambda: told_of(progress)),
            wishes,
        )
        teller.tell(lambda: told_of(progress), now=True)
    except KeyboardInterrupt:
        workers.stop()
        return EarlyEnd("stopped", 130)
    except workers.losses as error:
        return EarlyEnd(told_of_loss(error), 2)
    finally:
        teller.end()
    return None


def told_of_state(tree: Tree) -> str:
    """What is known, in words."""
    counts = tree.counts()
    if tree.is_proved:
        return f"proved to win ({counts.proved} positions proved on the way)"
    if counts.is_decided:
        return "no win found by the moves that were proposed, which proves nothing"
    return (
        f"open: {counts.proved + counts.leaves} positions won, {counts.open} open,"
        f" about {counts.win} to be looked at"
    )
