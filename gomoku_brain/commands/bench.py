"""``bench``: a deterministic node count (the signature), and speed figures.

The signature is the number of nodes of fixed searches in fixed positions, on one thread
and from an empty table. It is the same on every machine and changes when the search or
the evaluation changes. Most of the searches have a depth limit. The last ones have a
node limit and end with a win that the threat solver finds at the root, because the
solver runs there only without a depth limit. The signature does not cover levels,
pondering, time control and several threads.
"""

import time
from collections.abc import Iterator
from typing import TypedDict

from gomoku_brain import variants
from gomoku_brain.control.limits import Limits
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.package_data import read_data
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.program_name import program_name
from gomoku_brain.runs.json_rows import Cell, Count, Positive, Seconds, json_line
from gomoku_brain.runs.run_options import OneLineParser, at_least
from gomoku_brain.search.speed import time_evaluate, time_moves, time_moves_evaluated
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Worker
from gomoku_brain.version import __version__

HASH_MB = 16
SPEED_STONES = (10, 40, 90)
SPEED_ROUNDS = 2_000  # of all candidates: about a tenth of a second


def rows(name: str) -> Iterator[list[str]]:
    """Yield the words of each line of a data file, without comments."""
    for line in read_data(name).decode("ascii").splitlines():
        words = line.partition("#")[0].split()
        if words:
            yield words


def positions() -> Iterator[tuple[Board, Limits]]:
    """Yield the positions of ``data/bench.txt``, with their search limits."""
    for words in rows("bench.txt"):
        rule, width, height, kind, amount, *moves = words
        board = Board.from_moves(
            " ".join(moves), size=(int(width), int(height)), rule=Rule[rule.upper()]
        )
        limit = int(amount)
        yield board, Limits(nodes=limit) if kind == "nodes" else Limits(depth=limit)


class BenchPositionRow(TypedDict):
    """One search of the bench."""

    rule: str
    width: Positive
    height: Positive
    stones: Count
    depth: Count
    score: int
    move: Cell
    nodes: Count


class BenchLine(TypedDict):
    """bench --json: the signature, its speed and its searches."""

    version: str
    variant: str
    nodes: Count
    seconds: Seconds
    nodes_per_second: Count
    positions: list[BenchPositionRow]


def run_all(depth: int | None = None) -> BenchLine:
    """Search all bench positions and return their figures; as ``run``."""
    positions_done: list[BenchPositionRow] = []
    nodes, seconds = 0, 0.0
    with Engine(threads=1, hash_mb=HASH_MB) as engine:
        for board, limits in positions():
            engine.new_game()
            result = engine.search(board, Limits(depth=depth) if depth else limits)
            nodes += result.nodes
            seconds += result.time
            assert result.score is not None
            positions_done.append(
                {
                    "rule": board.rule.name.lower(),
                    "width": board.width,
                    "height": board.height,
                    "stones": board.ply,
                    "depth": result.depth,
                    "score": result.score,
                    "move": str(result.move),
                    "nodes": result.nodes,
                }
            )
    return {
        "version": __version__,
        "variant": variants.name,
        "nodes": nodes,
        "seconds": round(seconds, 6),
        "nodes_per_second": round(nodes / max(seconds, 1e-9)),
        "positions": positions_done,
    }


def run(verbose: bool = True, depth: int | None = None) -> tuple[int, float]:
    """Search all bench positions. Return the nodes and the seconds.

    ``depth`` replaces the limits of the positions, in plies.
    """
    nodes, seconds = 0, 0.0
    with Engine(threads=1, hash_mb=HASH_MB) as engine:
        for board, limits in positions():
            engine.new_game()
            result = engine.search(board, Limits(depth=depth) if depth else limits)
            nodes += result.nodes
            seconds += result.time
            if verbose:
                print(
                    f"{board.rule.name.lower():10} {board.width}x{board.height}"
                    f" stones {board.ply:2} depth {result.depth:2}"
                    f" score {result.score:6} move {result.move!s:>3}"
                    f" nodes {result.nodes}"
                )
    return nodes, seconds


def games() -> Iterator[tuple[Rule, tuple[int, int], list[str]]]:
    """Yield the games of ``data/speed.txt``: rule, size and moves."""
    for words in rows("speed.txt"):
        rule, width, height, *moves = words
        yield Rule[rule.upper()], (int(width), int(height)), moves


def speed() -> None:
    """Print the time of the parts of a node, in positions of real games.

    The "head" of an evaluation is the time of a value if the accumulators are up to
    date. Its "update" is the additional time of a value after one move.
    """
    worker = Worker(TranspositionTable(1))
    for rule, size, moves in games():
        for stones in SPEED_STONES:
            board = Board.from_moves(" ".join(moves[:stones]), size, rule)
            worker.set_position(board, SearchControl())
            pair = min(time_moves(board, SPEED_ROUNDS) for _ in range(5))
            whole = min(time_moves_evaluated(board, SPEED_ROUNDS) for _ in range(5))
            head = min(time_evaluate(board, 1_000_000) for _ in range(3))
            start = time.perf_counter()
            worker.solve_vcf()
            vcf = (time.perf_counter() - start) * 1e6
            print(
                f"{rule.name.lower()} {size[0]}x{size[1]}, {stones} stones:"
                f" make+undo {pair:.0f} ns, evaluation: head {head:.0f} ns,"
                f" update {whole - pair - head:.0f} ns;"
                f" vcf {vcf:.0f} us ({worker.nodes} nodes)"
            )


def main(argv: list[str]) -> int:
    """Run the bench and return the exit status."""
    parser = OneLineParser(f"{program_name()} bench", __doc__, statuses={})
    parser.add_argument("--speed", action="store_true", help="time the parts of a node")
    parser.add_argument(
        "--depth", type=at_least(1), metavar="N", help="another depth (no signature)"
    )
    parser.add_argument("--json", action="store_true", help="the result as JSON")
    options = parser.parse_args(argv)
    if options.json:
        if options.speed:
            parser.error("--json and --speed do not go together")
        print(json_line("bench", run_all(options.depth)))
        return 0
    print(f"variant {variants.in_words()}")
    if options.speed:
        speed()
        return 0
    nodes, seconds = run(depth=options.depth)
    print(f"nodes {nodes}  nps {nodes / max(seconds, 1e-9):.0f}")
    return 0
