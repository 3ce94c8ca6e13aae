"""``prove``: a proof that the side to move wins, and its check.

The search for a proof keeps all it finds in a file (--state), and goes on from there
when it is called again. A proof that is found is written as a certificate (--out),
which --check verifies: with the rules alone, every legal reply, believing nothing of
what the engine says. docs/proof.md tells how.
"""

import argparse
import contextlib
import os
import sqlite3
import sys
from pathlib import Path

from gomoku_brain.commands._arguments import OneLineParser, only_board, seconds_or_zero
from gomoku_brain.commands._prove_check import run_check, run_leaves
from gomoku_brain.commands._prove_search import run_search
from gomoku_brain.commands._prove_show import run_show
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import DEFAULT_RULE, Rule, Side
from gomoku_brain.proofs.grid import RULES
from gomoku_brain.prove.tree_file import TreeError
from gomoku_brain.records.reader import ReadError, Setting, parse_size
from gomoku_brain.runs.cluster import ClusterError
from gomoku_brain.runs.output_files import is_standard_output
from gomoku_brain.runs.run_options import (
    NO_CLUSTER,
    add_cluster,
    add_workers,
    error_line,
    whole,
)

EXAMPLES = """\
examples:
  gomoku-brain prove h8 h9 i7 g9 j8 g7
  gomoku-brain prove --empty --state freestyle15.db --out freestyle15.proof
  gomoku-brain prove --check freestyle15.proof --workers 2
  gomoku-brain prove --check freestyle15.proof --sample 100 --seed 1
  gomoku-brain prove --leaves freestyle15.proof --sample 100
  gomoku-brain prove --show freestyle15 h8 d4 --picture d4.png
"""
OPTIONS = {  # that go with what is to be done
    "check": {"check", "journal", "sample", "seed", "book", "workers"},
    "leaves": {"leaves", "sample", "seed", "leaf_nodes"},
    "show": {"show", "position", "picture", "most"},
    "search": {
        *("position", "empty", "rule", "size", "side"),
        *("workers", "cluster", "time", "tasks", "leaf_nodes", "like", "first"),
        *("state", "save", "load", "out", "partial"),
    },
}
NO_PICTURES = '--picture needs more: pip install "gomoku-brain[lab]"'


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
        default=[],
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
        default=None,
    )
    add_cluster(how, "look at positions on")
    how.add_argument(
        "--time",
        type=seconds_or_zero,
        metavar="S",
        help="stop after so many seconds (0: only write what is known)",
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
        "--seed", type=int, default=1, metavar="N", help="of this choice"
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
    return parser


def check_options(parser: argparse.ArgumentParser, options: argparse.Namespace) -> str:
    """What is to be done: "check", "leaves", "show" or "search".

    Ends the program where two of these are named, or an option that is of another.
    """
    wanted = [name for name in ("check", "leaves", "show") if vars(options)[name]]
    if len(wanted) > 1:
        parser.error(f"--{wanted[0]} and --{wanted[1]} are two things to do")
    action = wanted[0] if wanted else "search"
    whose = f"--{action}" if wanted else "a search"
    for name, value in vars(options).items():
        if value != parser.get_default(name) and name not in OPTIONS[action]:
            told = "a position" if name == "position" else "--" + name.replace("_", "-")
            parser.error(f"{told} does not go with {whose}")
    if options.book and options.sample is not None:
        parser.error("--book needs a check of all entries, without --sample")
    if options.journal and options.sample is not None:
        parser.error("--journal keeps a check of all entries, not of a --sample")
    if options.partial and not options.out:
        parser.error("--partial goes with --out")
    if action == "search" and bool(options.position) == options.empty:
        parser.error("name a position, or --empty, or a file to --check")
    return action


def board_of(options: argparse.Namespace) -> Board:
    """The position that is to be proved. Raises ReadError, ValueError, OSError."""
    setting = Setting(
        rule=Rule[options.rule.upper()] if options.rule else None,
        size=parse_size(options.size) if options.size else None,
        side=Side[options.side.upper()] if options.side else None,
    )
    if options.empty:
        board = Board(setting.size or 15, setting.rule or DEFAULT_RULE)
    else:
        board = only_board(options.position, setting)
    if setting.side is not None:
        board.turn = setting.side
    return board


def run_action(action: str, options: argparse.Namespace) -> int:
    """Do what ``check_options`` told; returns the exit status."""
    if action == "check":
        return run_check(options)
    if action == "leaves":
        return run_leaves(options)
    if action == "show":
        return run_show(options)
    return run_search(options, board_of(options))


def main(argv: list[str]) -> int:
    """Prove or check what the command line names; returns the exit status."""
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
    except BrokenPipeError:
        raise  # no mistake of the user
    except ImportError:
        missing = NO_PICTURES if options.picture else NO_CLUSTER
        print(f"gomoku-brain prove: {missing}", file=sys.stderr)
    except sqlite3.Error as error:
        print(f"gomoku-brain prove: {options.state}: {error}", file=sys.stderr)
    except (ReadError, TreeError, ClusterError, ValueError, OSError) as error:
        print(f"gomoku-brain prove: {error_line(error)}", file=sys.stderr)
    return 2
