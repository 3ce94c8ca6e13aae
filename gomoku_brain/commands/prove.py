"""``prove``: a proof that the side to move wins, and its check.

The search for a proof keeps all it finds in a file (--state), and goes on from there
when it is called again. A proof that is found is written as a certificate (--out),
which --check verifies: with the rules alone, every legal reply, believing nothing of
what the engine says. docs/proof.md tells how.
"""

import argparse
import contextlib
import os
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import gomoku_brain
from gomoku_brain.commands._arguments import OneLineParser
from gomoku_brain.eval.score import WIN
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import DEFAULT_RULE, Rule, Side
from gomoku_brain.match.cluster import ClusterError
from gomoku_brain.match.output_files import begin_file, check_output, write_whole
from gomoku_brain.match.run_options import (
    NO_CLUSTER,
    Teller,
    add_cluster,
    add_workers,
    duration,
    whole,
)
from gomoku_brain.prove import certificate as certificates
from gomoku_brain.prove import snapshot
from gomoku_brain.prove.boards import stones_of
from gomoku_brain.prove.book import make_book
from gomoku_brain.prove.certificate import Certificate, CertificateError
from gomoku_brain.prove.expander import LEAF_NODES, Problem
from gomoku_brain.prove.full_check import (
    Findings,
    Refused,
    Report,
    check,
    sample,
    try_leaves,
)
from gomoku_brain.prove.grid import RULES, SIDES, Grid, Position
from gomoku_brain.prove.prover import (
    ProofProgress,
    Wishes,
    cluster_workers,
    prove,
    worker_processes,
)
from gomoku_brain.prove.suggestions import moves_for
from gomoku_brain.prove.tree import Tree
from gomoku_brain.prove.tree_file import TreeError
from gomoku_brain.study.annotate import Value
from gomoku_brain.study.proofs import Proof, Shown, known_for, read_proof
from gomoku_brain.study.reader import ReadError, Setting, parse_size, read

EXAMPLES = """\
examples:
  gomoku-brain prove h8 h9 i7 g9 j8 g7
  gomoku-brain prove --empty --state freestyle15.db --out freestyle15.proof
  gomoku-brain prove --check freestyle15.proof --workers 2
  gomoku-brain prove --check freestyle15.proof --sample 100 --seed 1
  gomoku-brain prove --leaves freestyle15.proof --sample 100
  gomoku-brain prove --show freestyle15 h8 d4 --picture d4.png
"""
BAR = 30  # characters
NO_PICTURES = '--picture needs more: pip install "gomoku-brain[lab]"'
MOST_NAMED = 10  # replies that are hard for the solver


# The search ---------------------------------------------------------------------------


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
        if options.save:
            write_whole(options.save, snapshot.save(tree))
        if stopped:
            kept = f"; {options.state} holds it" if options.state else ""
            print(f"{stopped.why}: {told_of_state(tree)}{kept}", file=sys.stderr)
            return stopped.status
        print(f"{problem.winner} to move: {told_of_state(tree)}")
        proved = tree.is_proved
        book, left = tree.partial_book() if options.partial else (tree.book(), 0)
        if not proved and not book:
            return 1
        maker = f"gomoku-brain {gomoku_brain.__version__}"
        data = certificates.encode(
            problem.rule, grid, problem.winner, start, book, maker, left
        )
    if options.out:
        write_whole(options.out, data)
        entries = len(certificates.decode(data).entries)
        rest = f", {left.bit_count()} replies to the first are open" if left else ""
        print(
            f"{options.out}: {entries} positions with a move{rest}, {len(data)} bytes"
        )
    return 0 if proved else 1


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
            undone.callback(path.unlink, missing_ok=True)
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
                count = snapshot.load(tree, data)
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
    try:
        like = certificates.read(options.like)
    except CertificateError as error:
        raise ValueError(f"{options.like}: {error}") from None
    return wishes._replace(suggestions=moves_for(like, grid))


class Stop(NamedTuple):
    """Why a search ended before it should, and the exit status that tells it."""

    why: str
    status: int


class Workers(NamedTuple):
    """Who looks at positions."""

    pool: Executor
    number: int
    losses: tuple[type[Exception], ...]
    """What is raised when one of them is lost."""


@contextlib.contextmanager
def workers_of(options: argparse.Namespace) -> Iterator[Workers]:
    """Processes here, or the workers of a cluster.

    Raises ClusterError, or ImportError without what a cluster needs.
    """
    losses = (BrokenExecutor, CancelledError)
    if options.cluster:
        with cluster_workers(options.cluster) as (pool, count, killed):
            yield Workers(pool, count, (*losses, killed))
    else:
        with worker_processes(options.workers) as pool:
            yield Workers(pool, options.workers, losses)


def search(
    options: argparse.Namespace,
    tree: Tree,
    problem: Problem,
    wishes: Wishes,
    workers: Workers,
) -> Stop | None:
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
        workers.pool.shutdown(wait=False)
        return Stop("stopped", 130)
    except workers.losses as error:
        return Stop(lost_worker(error), 2)
    finally:
        teller.end()
    return None


def lost_worker(error: Exception) -> str:
    """What is told when a process is gone."""
    return f"a worker was lost, perhaps for want of memory ({type(error).__name__})"


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


# The check ----------------------------------------------------------------------------


def is_partial(certificate: Certificate) -> bool:
    """Whether replies to the first move are open."""
    return bool(certificate.entries and certificate.entries[0].open)


def describe(certificate: Certificate) -> str:
    """What a certificate claims."""
    grid = Grid(certificate.width, certificate.height)
    attacker, defender = certificate.start
    start = "the empty board"
    if attacker or defender:
        loser = SIDES[1 - SIDES.index(certificate.winner)]
        start = (
            f"{certificate.winner} {' '.join(grid.names(attacker)) or '-'},"
            f" {loser} {' '.join(grid.names(defender)) or '-'}"
        )
    if is_partial(certificate):
        first = certificate.entries[0]
        start += (
            f" by {grid.name(first.move)}, but for the replies"
            f" {' '.join(grid.names(first.open))}, which are open"
        )
    return (
        f"{certificate.rule} {certificate.width}x{certificate.height},"
        f" {certificate.winner} to move wins from {start};"
        f" {len(certificate.entries)} positions with a move,"
        f" by {certificate.maker}"
    )


def told_of_check(done: int, total: int, started: float, before: int) -> str:
    """A bar."""
    full = BAR * done // max(total, 1)
    passed = time.monotonic() - started
    line = f"[{'#' * full}{'.' * (BAR - full)}] {done} of {total}"
    if done > before:
        left = passed / (done - before) * (total - done)
        line += f", {duration(left)} left"
    return line


def report_lines(report: Report, sampled: bool) -> list[str]:
    """The final count."""
    answered = report.replies - report.listed
    lines = [
        f"positions with a move: {report.entries}",
        f"legal replies to them: {report.replies}",
        f"  that lead to another of these positions: {report.listed}",
        f"  answered by threats: {answered}, of them played through one by one:"
        f" {report.walked}",
        f"positions looked at on the board: {report.positions}",
    ]
    if not sampled:
        lines.append(f"longest win: {report.plies} plies")
    return lines


def run_leaves(options: argparse.Namespace) -> int:
    """Try how the solver does where the proof leaves the play to it."""
    certificate = certificates.read(options.leaves)
    print(describe(certificate), flush=True)
    wanted = list(range(len(certificate.entries)))
    if options.sample is not None:
        wanted = sample(certificate, options.sample, options.seed)
    teller, started = Teller(), time.monotonic()
    nodes: int = options.leaf_nodes or LEAF_NODES
    replies = 0
    hard: list[tuple[int, int]] = []
    for done, number in enumerate(wanted, 1):
        found = try_leaves(certificate, [number], nodes)
        replies += found.replies
        hard += found.hard
        teller.tell(partial(told_of_check, done, len(wanted), started, 0))
    teller.end()
    print(
        f"replies left to the solver: {replies}, after {len(wanted)} moves\n"
        f"not won within {nodes:,} nodes from an empty table: {len(hard)}"
    )
    grid = Grid(certificate.width, certificate.height)
    for number, reply in hard[:MOST_NAMED]:
        entry = certificate.entries[number]
        print(
            f"  {' '.join(grid.names(entry.attacker))} against"
            f" {' '.join(grid.names(entry.defender))}, {grid.name(entry.move)}"
            f" {grid.name(reply)}"
        )
    return 0 if not hard else 1


# Looking up ---------------------------------------------------------------------------


def proof_named(path: Path) -> Proof:
    """The proof in a file, or that of the package for a game ("freestyle15").

    Raises OSError and ValueError.
    """
    known = re.fullmatch(f"({'|'.join(RULES)})([0-9]+)", str(path))
    if known and not path.exists():
        board = Board(int(known[2]), Rule[known[1].upper()])
        proof = known_for(board)
        if proof is None:
            raise ValueError(f"the package holds no proof for {path}")
        return proof
    return read_proof(path)


def run_show(options: argparse.Namespace) -> int:
    """Say what a proof knows of a position."""
    proof = proof_named(options.show)
    board = proof.start().board()
    if options.position:
        setting = Setting(rule=proof.rule, size=(proof.width, proof.height))
        games = read(options.position, setting)
        if len(games) != 1:
            raise ReadError(f"one position is needed, not {len(games)}")
        board = games[0].board()
    if not proof.is_for(board):
        raise ValueError("the proof is for another rule or size")
    if options.picture:
        check_output(options.picture, [options.show])
    shown = proof.look(board)
    print(told_of_position(proof, shown))
    for reply in shown.replies[: options.most]:
        told = f" in {reply.plies}" if proof.checked else ""
        print(f"  {reply.move}: {reply.answer} wins{told}")
    if len(shown.replies) > options.most:
        print(f"  and {len(shown.replies) - options.most} others")
    if options.picture:
        draw(options.picture, proof, board, shown)
    return 0 if shown.kind else 1


def told_of_position(proof: Proof, shown: Shown) -> str:
    """What a proof says, in a line."""
    winner = proof.winner.name.lower()
    if not shown.kind:
        return "this position is not in the proof"
    if shown.kind == "open":
        count = proof.book.open.bit_count()
        move = f"{winner} plays {shown.move}; " if shown.move else ""
        if not shown.move and not shown.replies:
            return "open: nothing is known of this reply"
        return f"{move}{count} of the replies are open, all others lose"
    if not proof.checked:
        move = f"it says {shown.move}; " if shown.move else ""
        return f"{move}the certificate was not checked in full: nothing is proved"
    if shown.kind == "move":
        return f"proved: {winner} wins in {shown.plies} with {shown.move}"
    if shown.kind == "replies":
        return f"proved: {winner} wins in {shown.plies}, whatever the reply"
    return f"proved: {winner} wins by fours and threes from here"


def draw(path: Path, proof: Proof, board: Board, shown: Shown) -> None:
    """A picture of the position with the distances; needs matplotlib."""
    from gomoku_brain.study.pictures import board_picture

    if board.turn is proof.winner and shown.move is not None:
        board = board.copy()
        board.play(shown.move)
    values = {
        reply.move: Value(-WIN + reply.plies + 1, -reply.plies - 1)
        for reply in shown.replies
    }
    moves = {move: number for number, move in enumerate(board.moves, 1)}
    board_picture(
        path,
        board,
        values,
        numbers=moves,
        title=f"{proof.rule.name.lower()} {proof.width}x{proof.height}: what is proved",
        note="L44: this reply loses in 44 single moves at most; without a number: "
        + ("open" if shown.kind == "open" else "answered by threats"),
    )


def journal_of(options: argparse.Namespace) -> Path:
    """Where a check keeps what it has found."""
    beside: Path = options.check.with_name(options.check.name + ".check")
    return options.journal or beside


def run_check(options: argparse.Namespace) -> int:
    """Check a certificate."""
    path: Path = options.check
    try:
        certificate = certificates.read(path)
    except CertificateError as error:
        print(f"{path}: refused: {error}")
        return 1
    print(describe(certificate), flush=True)
    if options.book:
        check_output(options.book, [path, journal_of(options)])
    only = None
    if options.sample is not None:
        only = sample(certificate, options.sample, options.seed)
    teller, started = Teller(), time.monotonic()
    before: list[int] = []  # how many entries the journal held already

    def tell(done: int, total: int) -> None:
        if not before:
            before.append(done - 1)
        teller.tell(lambda: told_of_check(done, total, started, before[0]))

    try:
        with contextlib.ExitStack() as stack:
            journal = None
            if only is None:
                kept = journal_of(options)
                journal = stack.enter_context(Findings(kept, certificate))
            report = check(certificate, journal, options.workers, only, tell)
    except Refused as error:
        teller.end()
        print(f"{path}: refused: {error}")
        return 1
    except BrokenExecutor as error:
        kept_too = f"; {journal_of(options)} holds what was checked"
        raise OSError(lost_worker(error) + (kept_too if only is None else "")) from None
    finally:
        teller.end()
    print("\n".join(report_lines(report, only is not None)))
    if only is None:
        if is_partial(certificate):
            count = certificate.entries[0].open.bit_count()
            print(f"{path}: holds, and says nothing of {count} replies to its move")
        else:
            print(f"{path}: holds")
        if options.book:
            write_whole(options.book, make_book(certificate, report.longest))
    else:
        print(f"{path}: {len(only)} entries chosen at random hold")
    return 0


# The command --------------------------------------------------------------------------


def make_parser() -> argparse.ArgumentParser:
    """The command's options."""
    parser = OneLineParser(
        "gomoku-brain prove",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = parser.add_argument_group("what is proved")
    what.add_argument(
        "position",
        nargs="*",
        help='moves ("h8 i9"), or a file with one position in any form',
    )
    what.add_argument("--empty", action="store_true", help="the empty board")
    what.add_argument("--rule", choices=RULES, help="the rule (default: the file's)")
    what.add_argument("--size", metavar="N|WxH", help="the board (default: 15)")
    what.add_argument(
        "--side", choices=("black", "white"), help="who is to move, and wins"
    )
    how = parser.add_argument_group("how")
    add_workers(
        how,
        "processes on this machine (default: one a core)",
        "--processes",
        default=os.cpu_count() or 1,
    )
    add_cluster(how, "look at positions on")
    how.add_argument(
        "--time", type=float, metavar="S", help="stop after so many seconds"
    )
    how.add_argument(
        "--tasks", type=whole, metavar="N", help="stop after so many positions"
    )
    how.add_argument(
        "--leaf-nodes",
        type=whole,
        metavar="N",
        help="a reply is left to the threat solver only where it wins within N nodes"
        " from an empty table, so that a program can play all of the proof",
    )
    how.add_argument(
        "--like",
        type=Path,
        metavar="FILE",
        help="try the moves of this certificate first, which may be of another rule or"
        " size",
    )
    how.add_argument(
        "--first",
        metavar="CELL",
        help="in the position that is to be proved, try no move but this one; the"
        " state file keeps that",
    )
    files = parser.add_argument_group("files")
    files.add_argument(
        "--state",
        type=Path,
        metavar="FILE",
        help="where the search keeps what it finds, and goes on from",
    )
    files.add_argument(
        "--save",
        type=Path,
        metavar="FILE",
        help="at the end, write what was found as one small file",
    )
    files.add_argument(
        "--load", type=Path, metavar="FILE", help="begin with what --save wrote"
    )
    files.add_argument(
        "--out", type=Path, metavar="FILE", help="write the certificate there"
    )
    files.add_argument(
        "--partial",
        action="store_true",
        help="write it, too, while replies to the first move are open, which it names",
    )
    checks = parser.add_argument_group("check")
    checks.add_argument(
        "--check", type=Path, metavar="FILE", help="check a certificate"
    )
    checks.add_argument(
        "--journal",
        type=Path,
        metavar="FILE",
        help="where a check keeps what it has done (default: FILE.check)",
    )
    checks.add_argument(
        "--sample", type=whole, metavar="N", help="check N entries chosen at random"
    )
    checks.add_argument(
        "--book",
        type=Path,
        metavar="FILE",
        help="after a full check, write what the brain plays from",
    )
    checks.add_argument(
        "--leaves",
        type=Path,
        metavar="FILE",
        help="try the solver after the replies that a certificate leaves to it",
    )
    looks = parser.add_argument_group("look up")
    looks.add_argument(
        "--show",
        type=Path,
        metavar="FILE",
        help="what a book or certificate says of a position; freestyle15 and standard15"
        " are the package's own books",
    )
    looks.add_argument(
        "--picture",
        type=Path,
        metavar="FILE",
        help="with --show: draw it, .png or .svg",
    )
    looks.add_argument(
        "--most",
        type=whole,
        default=12,
        metavar="N",
        help="with --show: replies that are listed (default: 12)",
    )
    checks.add_argument(
        "--seed", type=int, default=1, metavar="N", help="of the choice"
    )
    return parser


def main(argv: list[str]) -> int:
    """Prove or check what the command line names; returns the exit status."""
    parser = make_parser()
    options = parser.parse_args(argv)
    try:
        if options.check is not None:
            if options.position or options.empty or options.state or options.out:
                parser.error("--check reads one certificate and nothing else")
            if options.book and options.sample is not None:
                parser.error("--book needs a check of all entries, without --sample")
            return run_check(options)
        if options.book:
            parser.error("--book goes with --check")
        if options.leaves is not None:
            return run_leaves(options)
        if options.show is not None:
            return run_show(options)
        if bool(options.position) == options.empty:
            parser.error("name a position, or --empty, or a file to --check")
        setting = Setting(
            rule=Rule[options.rule.upper()] if options.rule else None,
            size=parse_size(options.size) if options.size else None,
            side=Side[options.side.upper()] if options.side else None,
        )
        if options.empty:
            board = Board(setting.size or 15, setting.rule or DEFAULT_RULE)
        else:
            games = read(options.position, setting)
            if len(games) != 1:
                raise ReadError(f"one position is needed, not {len(games)}")
            board = games[0].board()
        if setting.side is not None:
            board.turn = setting.side
        return run_search(options, board)
    except BrokenPipeError:
        raise  # no mistake of the user
    except ImportError:
        missing = NO_PICTURES if options.picture else NO_CLUSTER
        print(f"gomoku-brain prove: {missing}", file=sys.stderr)
        return 2
    except (ReadError, TreeError, ClusterError, ValueError, OSError) as error:
        print(f"gomoku-brain prove: {error}", file=sys.stderr)
        return 2
