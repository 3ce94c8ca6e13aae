"""``solve``: is there a win by force, by fours or by fours and threes?

Every win is replayed against every defence before it is told. "Proved" that there is
none says: none by continuous fours (vcf), or by fours and moves that threaten to win by
fours (vct); a slow win may exist all the same.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from pathlib import Path

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.search.control import SearchControl
from gomoku_brain.search.engine import KINDS, Engine
from gomoku_brain.search.limits import Limits, SolveResult, ThreatTree
from gomoku_brain.study.reader import Game, ReadError, Setting, parse_size, read

EXAMPLES = """\
examples:
  gomoku-brain solve h8 a1 i8 a2 j8 a3
  gomoku-brain solve puzzle.txt --rule renju --side white --tree
  gomoku-brain solve puzzles.jsonl --time 2 --json > results.json
  gomoku-brain solve - --kind vcf < picture.txt
"""
TREE_DEPTH = 8  # plies shown unless told otherwise
TREE_LINES = 500  # shown at most
LINE_MOVES = 8  # of a line that are shown when many positions are solved
WAIT = 0.1  # seconds between two looks for Ctrl-C
OVER = "over"  # the status of a position whose game has ended
WAYS = {"vcf": "fours", "vct": "fours and threes"}
LETTERS = "abcdefghijklmnopqrstuvwxyz"  # SGF's points: 22 columns at most


class Solved:
    """What was found out about one position."""

    def __init__(self, game: Game, board: Board, result: SolveResult | None) -> None:
        """``result`` None: the game was over."""
        self.game = game
        self.board = board
        self.result = result
        self.status = OVER if result is None else result.status
        self.seconds = 0.0 if result is None else result.time

    def verdict(self) -> str:
        """One phrase."""
        result = self.result
        if result is None:
            winner = self.board.winner
            assert winner is not None
            return f"the game is over: {winner.name.lower()} has won"
        way = WAYS[result.kind]
        if result.status == "win":
            plies = len(result.line)
            return f"win by {way} in {plies} {'ply' if plies == 1 else 'plies'}"
        if result.status == "no win":
            return f"no win by {way}: proved"
        return f"no win by {way} found within the budget"

    def facts(self, tree_depth: int | None) -> dict[str, object]:
        """The same for machines."""
        facts: dict[str, object] = {
            "name": self.game.name,
            "rule": self.board.rule.name.lower(),
            "width": self.board.width,
            "height": self.board.height,
            "side_to_move": self.board.turn.name.lower(),
            "status": self.status,
        }
        if self.result is not None:
            facts |= {
                "kind": self.result.kind,
                "plies": len(self.result.line) or None,
                "line": [str(move) for move in self.result.line],
                "nodes": self.result.nodes,
                "seconds": round(self.result.time, 6),
            }
            if tree_depth is not None and self.result.tree is not None:
                facts["tree"] = tree_facts(self.result.tree, tree_depth)
        return facts


def solve(engine: Engine, board: Board, kind: str, limits: Limits) -> SolveResult:
    """``Engine.find_win`` beside the main thread, which alone hears Ctrl-C."""
    control = SearchControl()
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(engine.find_win, board, kind, limits, control)
        try:
            while True:
                try:
                    return answer.result(WAIT)
                except NotYet:
                    pass
        except KeyboardInterrupt:
            control.stop()
            raise


# The tree -----------------------------------------------------------------------------


def tree_lines(tree: ThreatTree, depth: int, indent: str = "") -> Iterator[str]:
    """The tree in words: what has one answer stands in a row, else one answer a line.

    Below ``depth`` plies only the length of the win is told.
    """
    row = [str(tree.move)]
    while len(tree.replies) == 1 and depth > 2:
        reply, tree = tree.replies[0]
        row += [str(reply), str(tree.move)]
        depth -= 2
    if tree.replies and depth <= 2:
        row.append(f".. wins in {tree.plies - 1} more")
    yield indent + " ".join(row)
    if depth > 2:
        for reply, answer in tree.replies:
            lines = tree_lines(answer, depth - 2, indent + "   ")
            first = next(lines)
            yield f"{indent}   {reply}: {first.lstrip()}"
            yield from lines


def tree_facts(tree: ThreatTree, depth: int) -> dict[str, object]:
    """The tree as JSON has it; ``replies`` is missing below ``depth`` plies."""
    facts: dict[str, object] = {"move": str(tree.move), "plies": tree.plies}
    if depth > 2:
        facts["replies"] = {
            str(reply): tree_facts(answer, depth - 2) for reply, answer in tree.replies
        }
    return facts


def to_sgf(board: Board, tree: ThreatTree, name: str) -> str:
    """The whole tree as variations of an SGF game (FF[4], GM[4]).

    A position that is reached again is not followed again. Raises ValueError for a
    board with walls, which SGF does not know.
    """

    def point(move: Move) -> str:
        return f"[{LETTERS[move.x]}{LETTERS[move.y]}]"

    def escaped(text: str) -> str:
        return text.replace("\\", "\\\\").replace("]", "\\]")

    stones: dict[Side, str] = {Side.BLACK: "", Side.WHITE: ""}
    for y in range(board.height):
        for x in range(board.width):
            move = Move(x, y)
            side = board.stone(move)
            if side is not None:
                stones[side] += point(move)
            elif board.is_wall(move):
                raise ValueError("SGF knows no walls")
    width, height = board.width, board.height
    size = f"{width}" if width == height else f"{width}:{height}"
    text = f"(;FF[4]GM[4]CA[UTF-8]SZ[{size}]RU[{board.rule.name.lower()}]"
    if name:
        text += f"GN[{escaped(name)}]"
    for side, mark in ((Side.BLACK, "AB"), (Side.WHITE, "AW")):
        if stones[side]:
            text += f"\n{mark}{stones[side]}"
    winner, loser = ("B", "W") if board.turn == Side.BLACK else ("W", "B")
    parts = [f"{text}\nPL[{winner}]"]
    seen: set[int] = set()

    def follow(tree: ThreatTree) -> None:
        told = "" if tree.plies == 1 else f"C[wins in {tree.plies}]"
        parts.append(f";{winner}{point(tree.move)}{told}")
        if id(tree) in seen:
            return
        seen.add(id(tree))
        for reply, answer in tree.replies:
            several = len(tree.replies) > 1
            parts.append(f"{'(' if several else ''};{loser}{point(reply)}")
            follow(answer)
            if several:
                parts.append(")\n")

    follow(tree)
    return "".join(parts) + ")\n"


# What is printed ----------------------------------------------------------------------


def show(solved: Solved, tree_depth: int | None) -> Iterator[str]:
    """All about one position."""
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
        lines = tree_lines(result.tree, tree_depth)
        for number, line in enumerate(lines):
            if number == TREE_LINES:
                yield ".. and more: --sgf writes it whole"
                break
            yield line


def row(solved: Solved) -> str:
    """One position of many in a line."""
    text = f"{solved.game.name}: {solved.verdict()}"
    if solved.result is not None:
        line = solved.result.line
        if line:
            text += ": " + " ".join(map(str, line[:LINE_MOVES]))
            text += " .." if len(line) > LINE_MOVES else ""
        text += f" ({solved.seconds:.3f} s)"
    return text


def percentile(ordered: Sequence[float], share: float) -> float:
    """The least value that at least this share of the values does not exceed."""
    rank = -int(-share * len(ordered) // 1)  # the next whole number
    return ordered[max(rank, 1) - 1]


def summary(found: Sequence[Solved]) -> dict[str, object]:
    """How many of which kind, and how long they took."""
    counts = {
        status: sum(solved.status == status for solved in found)
        for status in ("win", "no win", "unknown", OVER)
    }
    facts: dict[str, object] = {"positions": len(found), **counts}
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
    """The summary in words."""
    facts = summary(found)
    counts = ", ".join(f"{key} {facts[key]}" for key in ("win", "no win", "unknown"))
    over = f", over {facts[OVER]}" if facts[OVER] else ""
    yield f"positions {facts['positions']}: {counts}{over}"
    seconds = facts.get("seconds")
    if isinstance(seconds, dict):
        yield "seconds: " + ", ".join(f"{key} {seconds[key]:.3f}" for key in seconds)


# The command --------------------------------------------------------------------------


def positive(text: str) -> float:
    """A positive number."""
    value = float(text)
    if not 0 < value < float("inf"):
        raise ValueError
    return value


def count(text: str) -> int:
    """A whole number that is not negative."""
    value = int(text)
    if value < 0:
        raise ValueError
    return value


def parser_for_solve() -> argparse.ArgumentParser:
    """The command's options."""
    parser = argparse.ArgumentParser(
        "gomoku-brain solve",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "position",
        nargs="+",
        help='moves ("h8 i9"), a file of positions or games in any form, or "-"',
    )
    rules = [rule.name.lower() for rule in Rule]
    parser.add_argument("--rule", choices=rules, help="the rule (default: the file's)")
    parser.add_argument("--size", metavar="N|WxH", help="the board (default: 15)")
    parser.add_argument("--side", choices=("black", "white"), help="who is to move")
    parser.add_argument(
        "--kind",
        choices=KINDS,
        default="auto",
        help="vcf: by fours; vct: by fours and threes; auto (default): one, then both",
    )
    parser.add_argument(
        "--time",
        type=positive,
        metavar="S",
        help="seconds a position (default: 10, none with --nodes)",
    )
    parser.add_argument("--nodes", type=count, metavar="N", help="nodes a position")
    parser.add_argument(
        "--hash", type=positive, default=64.0, metavar="MB", help="table (default: 64)"
    )
    parser.add_argument(
        "--tree",
        type=count,
        nargs="?",
        const=TREE_DEPTH,
        metavar="PLIES",
        help=f"show the defences to a win so deep (default: {TREE_DEPTH})",
    )
    parser.add_argument("--sgf", metavar="FILE", help="write the wins as variations")
    parser.add_argument("--json", action="store_true", help="the result as JSON")
    return parser


def main(argv: list[str]) -> int:
    """Solve what the command line names; returns the exit status."""
    options = parser_for_solve().parse_args(argv)
    try:
        setting = Setting(
            rule=Rule[options.rule.upper()] if options.rule else None,
            size=parse_size(options.size) if options.size else None,
            side=Side[options.side.upper()] if options.side else None,
        )
        games = read(options.position, setting)
        boards = [game.board() for game in games]
        for board in boards:
            if setting.side is not None:
                board.turn = setting.side
        if options.sgf:  # before hours of work, not after
            Path(options.sgf).open("a").close()
        seconds = options.time or (None if options.nodes is not None else 10.0)
        limits = Limits(time=seconds, nodes=options.nodes)
        with Engine(hash_mb=options.hash) as engine:
            found, whole = solve_all(engine, games, boards, limits, options)
        if options.sgf:
            write_sgf(Path(options.sgf), found)
    except BrokenPipeError:
        raise  # no mistake of the user
    except (ReadError, ValueError, OSError) as error:
        print(f"gomoku-brain solve: {error}", file=sys.stderr)
        return 2
    if options.json:
        positions = [solved.facts(options.tree) for solved in found]
        print(json.dumps({"positions": positions, "summary": summary(found)}, indent=1))
    elif len(games) > 1:
        print("\n".join(summary_lines(found)))
    return 0 if whole else 130


def solve_all(
    engine: Engine,
    games: list[Game],
    boards: list[Board],
    limits: Limits,
    options: argparse.Namespace,
) -> tuple[list[Solved], bool]:
    """Solve one after the other and print; what is done, and whether that is all."""
    found: list[Solved] = []
    shows_progress = len(games) > 1 and sys.stderr.isatty()
    started = time.perf_counter()
    try:
        for game, board in zip(games, boards, strict=True):
            result = None
            if board.winner is None:
                result = solve(engine, board, options.kind, limits)
            found.append(Solved(game, board, result))
            if not options.json:
                lines = show(found[-1], options.tree)
                print(*([row(found[-1])] if len(games) > 1 else lines), sep="\n")
                sys.stdout.flush()
            if shows_progress:
                passed = time.perf_counter() - started
                told = f"{len(found)} of {len(games)}, {passed:.0f} s"
                print(f"\r{told} ", end="", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        return found, False
    finally:
        if shows_progress:
            print(file=sys.stderr)
    return found, True


def write_sgf(path: Path, found: Sequence[Solved]) -> None:
    """Write the wins found as a collection."""
    texts = [
        to_sgf(solved.board, solved.result.tree, solved.game.name)
        for solved in found
        if solved.result is not None and solved.result.tree is not None
    ]
    path.write_text("".join(texts), encoding="utf-8")
