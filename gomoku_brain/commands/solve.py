"""``solve``: the search for a forced win, by fours or by fours and threes.

Every win is replayed against every defence before it is printed. "Proved" means that no
win by continuous fours (vcf) exists, or none by fours and moves that threaten to win by
fours (vct); a slower win is still possible. With --shortest the command also proves
that no win of the kind is shorter, or reports that it did not. With --play you defend.
"""

import argparse
import sys
import threading
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final

from gomoku_brain.commands._arguments import (
    add_engine,
    add_positions,
    new_engines,
    output_until_closed,
    read_positions,
)
from gomoku_brain.control.limits import Limits, SolveResult, moves_words
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.engine.win_search import KINDS
from gomoku_brain.foreign_text import shown
from gomoku_brain.game.position import Board
from gomoku_brain.records.game import Game
from gomoku_brain.runs.json_rows import json_line
from gomoku_brain.runs.output_files import check_outputs, write_whole
from gomoku_brain.runs.program_end import FAILED, INTERRUPTED, report
from gomoku_brain.runs.run_options import OneLineParser, ProgressLine, at_least, seconds
from gomoku_brain.study.analysis_text import when_won
from gomoku_brain.study.defence import Defence
from gomoku_brain.study.game_end import foul_of, is_over
from gomoku_brain.study.line_shapes import both_have_fives
from gomoku_brain.study.row_types import SummaryLine
from gomoku_brain.study.rows import position_row
from gomoku_brain.study.win_tree import win_to_sgf

PROG = "gomoku-brain solve"
EXAMPLES = """\
examples:
  gomoku-brain solve h8 a1 i8 a2 j8 a3
  gomoku-brain solve puzzle.txt --rule renju --side white --tree
  gomoku-brain solve puzzles.jsonl --time 2 --json > results.json
  gomoku-brain solve - --kind vcf < picture.txt
  gomoku-brain solve --shortest --play puzzle.txt
"""
STATUSES = {
    0: "all positions were searched, whatever the results",
    1: "--skip-errors skipped input; with --play there is no win",
    130: "stopped by Ctrl-C; the results so far are printed",
}
TREE_DEPTH = 8  # default number of plies shown
TREE_LINES = 500  # shown at most
LINE_MOVES = 8  # of a line that are shown when many positions are solved
WAIT = 0.1  # seconds between two checks for Ctrl-C
OVER: Final = "over"  # the status of a position whose game has ended
WAYS = {"vcf": "fours", "vct": "fours and threes"}


class Solved:
    """Result of the solver for one position."""

    def __init__(
        self, game: Game, board: Board, result: SolveResult | None, kind: str = "auto"
    ) -> None:
        """Create a result; ``result`` None: the game was over before the search.

        ``kind`` is the value of ``--kind``.
        """
        self.kind = kind
        self.game = game
        self.board = board
        self.result = result
        self.status = OVER if result is None else result.status
        self.seconds = 0.0 if result is None else result.time

    def verdict(self) -> str:
        """Describe the result in one phrase."""
        result = self.result
        if result is None:
            foul = foul_of(self.game, self.board)
            if foul is not None:
                return f"the game is over: white has won: {foul}"
            winner = self.board.winner
            if winner is None:
                return "the game is over: a draw, the board is full"
            when = when_won(self.game, self.board)
            if not when and both_have_fives(self.board):
                return "the game is over: both sides have five in a row"
            return f"the game is over: {winner.name.lower()} has won{when}"
        way = WAYS[result.kind]
        if result.status == "win":
            length = moves_words(len(result.line))
            return f"win by {way} in {length}{self.about_length()}"
        if result.status == "no win":
            return f"no win by {way}: proved"
        return f"no win by {way} found within the budget"

    def about_length(self) -> str:
        """Describe whether a win is the shortest, if --shortest is given."""
        result = self.result
        if result is None or result.least is None:
            return ""
        if not result.is_shortest:
            least = moves_words(result.least)
            return f", not shown to be the shortest (it takes {least} or more)"
        if result.least_of_all == result.least:
            return ", the shortest of all"
        return f", the shortest by {WAYS['vcf' if self.kind == 'vcf' else 'vct']}"

    def row(self, tree_depth: int | None) -> dict[str, Any]:
        """Return the result as a row for JSON."""
        row: dict[str, Any] = {**position_row(self.game, self.board)}
        if self.result is None:
            row["status"] = OVER
            return row
        return {**row, **self.result.to_dict(tree_depth)}


# What is printed ----------------------------------------------------------------------


def show(solved: Solved, tree_depth: int | None) -> Iterator[str]:
    """Yield the lines about one position."""
    board, result = solved.board, solved.result
    yield str(board)
    yield f"{board.rule.name.lower()}, {board.turn.name.lower()} to move"
    yield solved.verdict()
    if result is None:
        return
    if result.line:
        yield "line: " + " ".join(map(str, result.line))
    yield f"{result.nodes} nodes, {result.time:.3f} s"
    if tree_depth is not None and result.tree is not None:
        yield ""
        yield "defences that were searched (any other loses to the threat itself):"
        lines = result.tree.lines(tree_depth)
        for number, line in enumerate(lines):
            if number == TREE_LINES:
                yield ".. and more: --sgf writes it whole"
                break
            yield line


def row(solved: Solved) -> str:
    """Describe one of many positions in a line."""
    text = f"{shown(solved.game.name)}: {solved.verdict()}"
    if solved.result is not None:
        line = solved.result.line
        if line:
            text += ": " + " ".join(map(str, line[:LINE_MOVES]))
            text += " .." if len(line) > LINE_MOVES else ""
        text += f" ({solved.seconds:.3f} s)"
    return text


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the smallest value that is not below this share of the values."""
    rank = -int(-share * len(ordered) // 1)  # the next whole number
    return ordered[max(rank, 1) - 1]


def summary(found: Sequence[Solved]) -> SummaryLine:
    """Count the results by status and summarize the search times in seconds."""
    counts = Counter(solved.status for solved in found)
    facts: SummaryLine = {
        "positions": len(found),
        "win": counts["win"],
        "no_win": counts["no win"],
        "unknown": counts["unknown"],
        "over": counts[OVER],
    }
    seconds = sorted(solved.seconds for solved in found if solved.result is not None)
    if seconds:
        facts["seconds"] = {
            "total": round(sum(seconds), 6),
            "median": round(percentile(seconds, 0.5), 6),
            "p90": round(percentile(seconds, 0.9), 6),
            "p99": round(percentile(seconds, 0.99), 6),
        }
    return facts


def summary_lines(found: Sequence[Solved]) -> Iterator[str]:
    """Yield the summary as text."""
    facts = summary(found)
    counts = f"win {facts['win']}, no win {facts['no_win']}, unknown {facts['unknown']}"
    over = f", over {facts['over']}" if facts["over"] else ""
    yield f"positions {facts['positions']}: {counts}{over}"
    if "seconds" in facts:
        times = facts["seconds"].items()
        yield "seconds: " + ", ".join(f"{key} {value:.3f}" for key, value in times)


# The command --------------------------------------------------------------------------


def make_parser() -> OneLineParser:
    """Create the parser of the command line."""
    parser = OneLineParser(
        PROG,
        description=__doc__,
        epilog=EXAMPLES,
        statuses=STATUSES,
    )
    parser.add_argument(
        "position",
        nargs="+",
        help='moves ("h8 i9"), a file of positions or games in any form, or "-"',
    )
    add_positions(parser)
    parser.add_argument(
        "--kind",
        choices=KINDS,
        default="auto",
        help="vcf: by fours; vct: by fours and threes; auto (default): one, then both",
    )
    parser.add_argument(
        "--shortest",
        action="store_true",
        help="prove that no win of the kind is shorter",
    )
    parser.add_argument(
        "--play", action="store_true", help="you defend, the proved win answers"
    )
    parser.add_argument(
        "--time",
        type=seconds,
        metavar="S",
        help="seconds for each position (default: 10, none with --nodes)",
    )
    parser.add_argument(
        "--nodes", type=at_least(1), metavar="N", help="nodes for each position"
    )
    parser.add_argument(
        "--tree",
        type=at_least(0),
        nargs="?",
        const=TREE_DEPTH,
        metavar="PLIES",
        help=f"print the defences to a win, to this depth (default: {TREE_DEPTH})",
    )
    parser.add_argument("--sgf", metavar="FILE", help="write the wins as variations")
    add_engine(parser)
    return parser


def main(argv: list[str]) -> int:
    """Run the command and return the exit status."""
    options = make_parser().parse_args(argv)
    games, unread = read_positions(PROG, options.position, options, options.side)
    if options.play and (options.json or len(games) > 1):
        raise ValueError(
            "--play is interactive: leave out --json"
            if options.json
            else f"--play is for one of the {len(games)} positions: add --number"
        )
    if options.play and "-" in options.position:
        raise ValueError("--play reads your defences from standard input: name a file")
    check_outputs([options.sgf], options.position)  # before hours of work
    limit = options.time or (None if options.nodes is not None else 10.0)
    limits = Limits(time=limit, nodes=options.nodes)
    found, complete = solve_all(games, limits, options)
    all_written = True
    if options.sgf:
        all_written = write_sgf(Path(options.sgf), found)
    if options.play and complete and found[0].result is not None:
        return play(found[0], options)
    if options.json:
        counted = summary(found)
        if unread:
            counted["unread"] = unread
        print(json_line("summary", counted))
    elif len(games) > 1:
        print("\n".join(summary_lines(found)))
    if not complete:
        return INTERRUPTED
    return int(bool(unread)) if all_written else FAILED


def solve_all(
    games: Sequence[Game], limits: Limits, options: argparse.Namespace
) -> tuple[list[Solved], bool]:
    """Solve all positions and print the results in order.

    Return the results, and whether they are complete. The main thread only waits,
    because only the main thread receives Ctrl-C.
    """
    engines = new_engines(options, len(games))
    workers = len(engines)
    free = SimpleQueue[Engine]()
    for each in engines:
        free.put(each)
    control: dict[Engine, SearchControl] = {}
    ended = threading.Event()

    def work(game: Game) -> Solved:
        board = game.board()
        if options.side is not None:
            board.turn = options.side
        if is_over(game, board):
            return Solved(game, board, None)
        engine = free.get()
        try:
            control[engine] = SearchControl()
            if ended.is_set():
                control[engine].stop()
            result = engine.find_win(
                board,
                options.kind,
                limits,
                control[engine],
                shortest=options.shortest,
            )
            return Solved(game, board, result, options.kind)
        finally:
            free.put(engine)

    found: list[Solved] = []
    progress = ProgressLine("positions", len(games), in_files=False)
    waiting: deque[Future[Solved]] = deque()
    coming = iter(games)
    with ThreadPoolExecutor(workers) as pool:
        try:
            while True:
                while len(waiting) < 2 * workers and (game := next(coming, None)):
                    waiting.append(pool.submit(work, game))
                if not waiting:
                    return found, True
                while not waiting[0].done():
                    wait([waiting[0]], WAIT)
                solved = waiting.popleft().result()
                found.append(solved)
                with output_until_closed(bool(options.sgf)):
                    if options.json:
                        text = json_line("solution", solved.row(options.tree))
                        print(text, flush=True)
                    else:
                        lines = show(solved, options.tree)
                        print(*([row(solved)] if len(games) > 1 else lines), sep="\n")
                        sys.stdout.flush()
                if len(games) > 1:
                    progress.show(len(found))
        except KeyboardInterrupt:
            return found, False
        finally:
            ended.set()
            for stopped in list(control.values()):
                stopped.stop()
            pool.shutdown(cancel_futures=True)
            progress.end()


def play(solved: Solved, options: argparse.Namespace) -> int:
    """Play the win against the user's defences. Return the exit status."""
    assert solved.result is not None
    if solved.result.tree is None:
        print("nothing to play: no win was found")
        return 1
    with Engine(options.threads, options.hash) as engine:
        Defence(engine, solved.board, solved.result.tree).run(sys.stdin)
    return 0


def write_sgf(path: Path, found: Sequence[Solved]) -> bool:
    """Write the wins to an SGF collection. Return whether none was refused.

    Standard error names each win that SGF cannot store, with the reason. Without a win
    the file does not change.
    """
    texts, refused = [], 0
    with Engine(hash_mb=1) as engine:
        for solved in found:
            if solved.result is None or solved.result.tree is None:
                continue
            tree, name, board = solved.result.tree, solved.game.name, solved.board
            end = solved.game.board()
            is_end = (end, end.turn) == (board, board.turn)
            try:
                source = solved.game if is_end else board
                texts.append(win_to_sgf(source, tree, name, engine))
            except ValueError as error:
                refused += 1
                report(PROG, f"{name or 'the position'} is not in {path}: {error}")
    if texts:
        write_whole(path, "".join(texts))
        many = f"{len(texts)} wins" if len(texts) > 1 else "1 win"
        print(f"{many} written: {path}", file=sys.stderr)
    else:
        print(f"no win to write: {path} does not change", file=sys.stderr)
    return not refused
