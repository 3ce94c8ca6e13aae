"""Search of ``prove``: its tree, its workers and its output."""

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple, TypedDict

import gomoku_brain
from gomoku_brain.commands._prove_check import certificate_in
from gomoku_brain.game.position import Board
from gomoku_brain.proofs import certificate as certificates
from gomoku_brain.proofs.boards import stones_of
from gomoku_brain.proofs.grid import RULES, Grid, Position
from gomoku_brain.prove import snapshot
from gomoku_brain.prove.prover import (
    ProofOptions,
    ProofProgress,
    cluster_workers,
    prove,
)
from gomoku_brain.prove.solver_hints import Problem
from gomoku_brain.prove.suggestions import moves_for
from gomoku_brain.prove.tree import Tree
from gomoku_brain.prove.tree_file import TreeError
from gomoku_brain.runs.json_rows import Count, Positive, SideName, json_line
from gomoku_brain.runs.output_files import begin_file, check_outputs, write_whole
from gomoku_brain.runs.program_end import FAILED, INTERRUPTED, loss_message
from gomoku_brain.runs.run_options import ProgressWriter, duration
from gomoku_brain.runs.worker_processes import WorkerProcesses


class ProofSearchLine(TypedDict):
    """prove --json: the result of a search for a proof, and its certificate."""

    rule: str
    width: Positive
    height: Positive
    winner: SideName
    result: Literal["proved", "no_win_found", "open"]
    stopped: str | None
    proved: Count
    leaves: Count
    open: Count
    to_examine: Count
    state: str | None
    certificate: str | None
    entries: Count | None
    text: str


def problem_of(board: Board) -> tuple[Problem, Grid, Position]:
    """Return the problem, the grid and the start position of a proof.

    Raises:
        ValueError: No proof of this position is possible.
    """
    rule = board.rule.name.lower()
    if rule not in RULES:
        raise ValueError(f"proofs are for the rules {' and '.join(RULES)}, not {rule}")
    if board.winner is not None:
        raise ValueError("the game is over")
    grid = Grid(board.width, board.height)
    stones = stones_of(grid, board, board.moves)
    if stones is None:
        raise ValueError("proofs do not support walls")
    winner = board.turn
    problem = Problem(rule, board.width, board.height, winner.name.lower())
    return problem, grid, (stones[winner], stones[winner.other])


def progress_line(progress: ProofProgress) -> str:
    """Describe the progress of the search in one line."""
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
            f", about {counts.win} to be examined ({left} at {progress.speed:.1f}/s)"
        )
    return line


def run_search(options: argparse.Namespace, board: Board) -> int:
    """Search until a decision, a limit or Ctrl-C. Return the exit status."""
    problem, grid, start = problem_of(board)
    proof_options = proof_options_of(options, grid)
    check_files(options)
    with (
        workers_of(options) as workers,
        opened_tree(options, problem, grid, start) as tree,
    ):
        stopped = search(options, tree, problem, proof_options, workers)
        try:
            if stopped is None:
                return report_end(options, tree, problem)
            if options.json:
                print_line(options, tree, problem, stopped.why)
            stored = f"; {options.state} stores it" if options.state else ""
            print(f"{stopped.why}: {describe_state(tree)}{stored}", file=sys.stderr)
            return stopped.status
        finally:  # also if the certificate cannot be written
            if options.save:
                write_whole(options.save, snapshot.save(tree))


def report_end(options: argparse.Namespace, tree: Tree, problem: Problem) -> int:
    """Print the result and write the certificate. Return the exit status."""
    if not options.json:
        print(f"{problem.winner} to move: {describe_state(tree)}")
    book, left = tree.partial_book() if options.partial else (tree.book(), 0)
    entries = None
    if options.out and (tree.is_proved or book):
        maker = f"gomoku-brain {gomoku_brain.__version__}"
        data = certificates.encode(
            problem.rule, tree.grid, problem.winner, tree.start, book, maker, left
        )
        write_whole(options.out, data)
        entries = len(certificates.decode(data).entries)
        rest = f", {left.bit_count()} replies to the first are open" if left else ""
        size = f"{entries} positions with a move{rest}, {len(data)} bytes"
        if not options.json:
            print(f"{options.out}: {size}")
    if options.json:
        print_line(options, tree, problem, None, entries)
    return 0 if tree.is_proved else 1


def print_line(
    options: argparse.Namespace,
    tree: Tree,
    problem: Problem,
    stopped: str | None,
    entries: int | None = None,
) -> None:
    """Print the result as JSON; ``entries`` are those of the written certificate."""
    counts = tree.counts()
    ended: Literal["no_win_found", "open"]
    ended = "no_win_found" if counts.is_decided else "open"
    row: ProofSearchLine = {
        "rule": problem.rule,
        "width": problem.width,
        "height": problem.height,
        "winner": "black" if problem.winner == "black" else "white",
        "result": "proved" if tree.is_proved else ended,
        "stopped": stopped,
        "proved": counts.proved,
        "leaves": counts.leaves,
        "open": counts.open,
        "to_examine": 0 if counts.is_decided else counts.win,
        "state": None if options.state is None else str(options.state),
        "certificate": None if entries is None else str(options.out),
        "entries": entries,
        "text": describe_state(tree),
    }
    print(json_line("proof_search", row), flush=True)


def check_files(options: argparse.Namespace) -> None:
    """Check in advance that the files can be written. Raises ``ValueError``.

    The snapshot of ``--load`` may be overwritten.
    """
    read = [path for path in (options.state, options.like) if path]
    read += map(Path, [*options.position, " ".join(options.position)])
    check_outputs([options.save], read)
    later = [path for path in (options.load, options.save) if path]
    check_outputs([options.out], [*read, *later])


def opened_tree(
    options: argparse.Namespace, problem: Problem, grid: Grid, start: Position
) -> Tree:
    """Open the tree of ``--state`` and apply ``--load`` and ``--first``.

    The caller closes the tree. After an error a new file is removed, and an existing
    file is unchanged.

    Raises:
        ValueError, OSError: The files or options do not fit.
    """
    first = None if options.first is None else grid.cell(options.first)
    if first is not None and (start[0] | start[1]) >> first & 1:
        raise ValueError(f"{options.first} is not an empty cell")
    data = options.load.read_bytes() if options.load else None
    path = options.state.resolve() if options.state else None
    with contextlib.ExitStack() as undone:
        if path is not None and begin_file(path):
            for end in ("", "-wal", "-shm"):  # the database and its additional files
                new = path.with_name(path.name + end)
                undone.callback(new.unlink, missing_ok=True)
        tree = undone.enter_context(
            Tree(path or ":memory:", problem.rule, grid, problem.winner, start)
        )
        note = ""
        with tree.change():
            if data is not None and not tree.is_new:
                if options.save and options.save.resolve() == options.load.resolve():
                    raise ValueError(
                        f"{options.state} contains results: --load is ignored, and"
                        f" --save would overwrite {options.save}"
                    )
                note = f"{options.state} contains results: --load is ignored"
            elif data is not None:
                try:
                    count = snapshot.load(tree, data)
                except TreeError as error:
                    raise TreeError(f"{options.load}: {error}") from None
                note = f"{options.load}: {count} positions taken over"
            if first is not None:
                tree.restrict_first_move(first)
        if note:
            print(note, file=sys.stderr)
        undone.pop_all()
    return tree


def proof_options_of(options: argparse.Namespace, grid: Grid) -> ProofOptions:
    """Return the options of the proof.

    Raises:
        ValueError: ``--like`` is not a certificate.
    """
    proof_options = ProofOptions(options.leaf_nodes)
    if options.like is None:
        return proof_options
    like = certificate_in(options.like)
    return proof_options._replace(suggestions=moves_for(like, grid))


class EarlyEnd(NamedTuple):
    """Reason and exit status of a search that ended early."""

    why: str
    status: int


class Workers(NamedTuple):
    """Workers of the search."""

    pool: Executor
    number: int
    losses: tuple[type[Exception], ...]
    """Exceptions that report the loss of a worker."""
    stop: Callable[[], None]
    """Function that ends their work without waiting for it."""


@contextlib.contextmanager
def workers_of(options: argparse.Namespace) -> Iterator[Workers]:
    """Provide processes here, or the workers of a cluster. Raises ClusterError."""
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
    proof_options: ProofOptions,
    workers: Workers,
) -> EarlyEnd | None:
    """Let the workers examine positions. Return None, or the reason of an early end."""
    progress_writer = ProgressWriter()
    try:
        progress = prove(
            tree,
            problem,
            workers.pool,
            workers.number,
            options.time,
            options.tasks,
            lambda progress: progress_writer.write(lambda: progress_line(progress)),
            proof_options,
        )
        progress_writer.write(lambda: progress_line(progress), now=True)
    except KeyboardInterrupt:
        workers.stop()
        return EarlyEnd("stopped", INTERRUPTED)
    except workers.losses as error:
        return EarlyEnd(loss_message(error), FAILED)
    finally:
        progress_writer.end()
    return None


def describe_state(tree: Tree) -> str:
    """Describe the state of the proof."""
    counts = tree.counts()
    if tree.is_proved:
        return f"proved to win ({counts.proved} positions proved on the way)"
    if counts.is_decided:
        return "no win found by the proposed moves, which proves nothing"
    return (
        f"open: {counts.proved + counts.leaves} positions won, {counts.open} open,"
        f" about {counts.win} to be examined"
    )
