"""``prove``: the search for a proof that the side to move wins, and its check.

The search stores its results in a file (--state) and continues from there when it is
called again. It writes a complete proof as a certificate (--out). --check verifies the
certificate against every legal reply, with the rules alone and without the engine.
docs/proof-method.md describes the method.
"""

import argparse
import contextlib
import os
import sqlite3
import sys
from pathlib import Path

from gomoku_brain.commands._arguments import (
    add_side,
    add_size,
    only_board,
)
from gomoku_brain.commands._prove_check import run_check, run_leaves
from gomoku_brain.commands._prove_search import run_search
from gomoku_brain.commands._prove_show import run_show
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.proofs.grid import RULES
from gomoku_brain.records.read_options import ReadOptions
from gomoku_brain.runs.output_files import is_standard_output
from gomoku_brain.runs.run_options import (
    OneLineParser,
    add_cluster,
    add_rule,
    add_workers,
    at_least,
    seconds_or_zero,
)

PROG = "gomoku-brain prove"
EXAMPLES = """\
examples:
  gomoku-brain prove h8 h9 i7 g9 j8 g7
  gomoku-brain prove --empty --state freestyle15.db --out freestyle15.proof
  gomoku-brain prove --check freestyle15.proof --workers 2
  gomoku-brain prove --check freestyle15.proof --sample 100 --seed 1
  gomoku-brain prove --leaves freestyle15.proof --sample 100
  gomoku-brain prove --show freestyle15 h8 d4 --picture d4.png
"""
STATUSES = {
    0: "proved; the certificate is correct; the proof contains the position; the"
    " solver won after every reply",
    1: "not proved (or only in part); the certificate is refused; the position is not"
    " in the proof; the solver failed after a reply",
    130: "stopped by Ctrl-C; --state stores the results so far",
}
OPTIONS = {  # allowed with each action
    "check": {"check", "journal", "sample", "seed", "book", "workers", "json"},
    "leaves": {"leaves", "sample", "seed", "leaf_nodes"},
    "show": {"show", "position", "picture", "most", "json"},
    "search": {
        *("position", "empty", "rule", "size", "side"),
        *("workers", "cluster", "time", "tasks", "leaf_nodes", "like", "first"),
        *("state", "save", "load", "out", "partial", "json"),
    },
}


def make_parser() -> argparse.ArgumentParser:
    """Create the parser of the command line."""
    parser = OneLineParser(
        PROG,
        description=__doc__,
        epilog=EXAMPLES,
        statuses=STATUSES,
    )
    position = parser.add_argument_group("position")
    position.add_argument(
        "position",
        nargs="*",
        default=[],
        help='moves ("h8 i9"), or a file with one position in any form',
    )
    position.add_argument("--empty", action="store_true", help="the empty board")
    add_rule(position, among=[Rule(name) for name in RULES])
    add_size(position)
    add_side(position, "the side to move, which is to win")
    search = parser.add_argument_group("search")
    add_workers(
        search,
        "processes that examine positions, or check entries, on this machine (default:"
        " one a core)",
        default=None,
    )
    add_cluster(search, "examine positions on")
    search.add_argument(
        "--time",
        type=seconds_or_zero,
        metavar="S",
        help="stop the whole search after S seconds (0: only write the stored results)",
    )
    search.add_argument(
        "--tasks",
        type=at_least(1),
        metavar="N",
        help="stop after N positions",
    )
    search.add_argument(
        "--leaf-nodes",
        type=at_least(1),
        metavar="N",
        help="a reply is left to the threat solver only where it wins within N nodes"
        " from an empty table, so that a program can play all of the proof",
    )
    search.add_argument(
        "--like",
        type=Path,
        metavar="FILE",
        help="try the moves of this certificate first, which may be of another rule or"
        " size",
    )
    search.add_argument(
        "--first",
        metavar="CELL",
        help="in the position to prove, try only this move; the state file stores"
        " the choice",
    )
    files = parser.add_argument_group("files")
    files.add_argument(
        "--state",
        type=Path,
        metavar="FILE",
        help="file of the search's results, from which it continues",
    )
    files.add_argument(
        "--save",
        type=Path,
        metavar="FILE",
        help="at the end, write the results to one small file",
    )
    files.add_argument(
        "--load", type=Path, metavar="FILE", help="begin with a file of --save"
    )
    files.add_argument(
        "--out", type=Path, metavar="FILE", help="write the certificate there"
    )
    files.add_argument(
        "--partial",
        action="store_true",
        help="also write a certificate that leaves replies to the first move open",
    )
    checks = parser.add_argument_group("check")
    checks.add_argument(
        "--check", type=Path, metavar="FILE", help="check a certificate"
    )
    checks.add_argument(
        "--journal",
        type=Path,
        metavar="FILE",
        help="file of the check's results (default: FILE.check)",
    )
    checks.add_argument(
        "--sample",
        type=at_least(1),
        metavar="N",
        help="check N entries chosen at random",
    )
    checks.add_argument(
        "--seed", type=int, default=1, metavar="N", help="of this choice"
    )
    checks.add_argument(
        "--book",
        type=Path,
        metavar="FILE",
        help="after a full check, write a book for the brain",
    )
    checks.add_argument(
        "--leaves",
        type=Path,
        metavar="FILE",
        help="try the solver after the replies that a certificate leaves to it",
    )
    lookup = parser.add_argument_group("look up")
    lookup.add_argument(
        "--show",
        type=Path,
        metavar="FILE",
        help="look up a position in a book or certificate; freestyle15 and standard15"
        " are the package's own books",
    )
    lookup.add_argument(
        "--picture",
        type=Path,
        metavar="FILE",
        help="with --show: draw it, .png or .svg",
    )
    lookup.add_argument(
        "--most",
        type=at_least(1),
        default=12,
        metavar="N",
        help="with --show: replies that are listed (default: 12)",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="the result as JSON: of a search, of --check or of --show",
    )
    return parser


def check_options(parser: argparse.ArgumentParser, options: argparse.Namespace) -> str:
    """Return the action: "check", "leaves", "show" or "search".

    The program exits if the options name two actions, or an option belongs to another
    action.
    """
    wanted = [name for name in ("check", "leaves", "show") if vars(options)[name]]
    if len(wanted) > 1:
        parser.error(f"--{wanted[0]} and --{wanted[1]} do not go together")
    action = wanted[0] if wanted else "search"
    whose = f"--{action}" if wanted else "a search"
    for name, value in vars(options).items():
        if value != parser.get_default(name) and name not in OPTIONS[action]:
            given = (
                "a position" if name == "position" else "--" + name.replace("_", "-")
            )
            parser.error(f"{given} does not go with {whose}")
    if options.book and options.sample is not None:
        parser.error("--book needs a check of all entries, without --sample")
    if options.journal and options.sample is not None:
        parser.error("--journal is for a check of all entries, not of a --sample")
    outputs = (options.out, options.save, options.book, options.picture)
    if options.json and any(path and is_standard_output(path) for path in outputs):
        parser.error("--json and a file both go to standard output")
    if options.partial and not options.out:
        parser.error("--partial goes with --out")
    if action == "search" and bool(options.position) == options.empty:
        parser.error("name a position, or --empty, or a file to --check")
    return action


def board_of(options: argparse.Namespace) -> Board:
    """Return the position to prove.

    Raises:
        ReadError, ValueError, OSError: The position or an option is invalid.
    """
    reading = ReadOptions(options.rule, options.size, side=options.side)
    if options.empty:
        board = Board(reading.size or 15, reading.rule_or())
    else:
        board = only_board(options.position, reading)
    if reading.side is not None:
        board.turn = reading.side
    return board


def run_action(action: str, options: argparse.Namespace) -> int:
    """Run the action of ``check_options``. Return the exit status."""
    if action == "check":
        return run_check(options)
    if action == "leaves":
        return run_leaves(options)
    if action == "show":
        return run_show(options)
    return run_search(options, board_of(options))


def main(argv: list[str]) -> int:
    """Run the command and return the exit status."""
    parser = make_parser()
    options = parser.parse_args(argv)
    action = check_options(parser, options)
    options.workers = options.workers or os.cpu_count() or 1
    outputs = (options.out, options.save, options.book, options.picture)
    try:
        with contextlib.ExitStack() as stack:
            if any(path and is_standard_output(path) for path in outputs):
                stack.enter_context(contextlib.redirect_stdout(sys.stderr))
            return run_action(action, options)
    except sqlite3.Error as error:
        raise ValueError(f"{options.state}: {error}") from None
