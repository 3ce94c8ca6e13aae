"""``levels calibrate``: games that measure the differences of playing strengths.

Each level plays the next lower one in this process, from balanced
openings, each with both colours. The top level searches a fixed number of nodes, so
that the result is the same on every machine. A game depends only on the settings, the
seed and its number, so a run can be stopped, resumed and distributed over threads.
"""

import argparse
import json
import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, NamedTuple, TypedDict

from gomoku_brain.control.limits import FULL_STRENGTH, Limits
from gomoku_brain.engine.engine import Engine
from gomoku_brain.engine.play_out import play_out
from gomoku_brain.game.notation import Move, format_moves, parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import DEFAULT_RULE, Rule, Side
from gomoku_brain.levels.ladder import LEVELS, Level, level_named
from gomoku_brain.match.stats import Pentanomial, Score
from gomoku_brain.runs.journal import Journal
from gomoku_brain.runs.json_rows import Count, Positive, Schema, Share, json_line
from gomoku_brain.runs.program_end import Interruptible, report
from gomoku_brain.runs.run_options import (
    OneLineParser,
    ProgressWriter,
    add_rule,
    add_square_size,
    add_workers,
    at_least,
)
from gomoku_brain.spelling import did_you_mean

LEAST, MOST = 0.65, 0.85  # required share of the points against the next lower level
TOP_NODES = 20_000
HASH_MB = 2

# Openings: random stones near the centre until a short search finds them balanced.
OPENING_STONES = (4, 5, 6)
OPENING_SQUARE = 5  # cells a side
OPENING_NODES = 3_000
OPENING_EVEN = 60  # evaluation units
OPENING_TRIES = 100

PROG = "gomoku-brain levels calibrate"
EXAMPLES = """\
examples:
  gomoku-brain levels calibrate --out levels.jsonl
  gomoku-brain levels calibrate --out levels.jsonl --resume --workers 2
  gomoku-brain levels calibrate --only hard expert --games 400
  gomoku-brain levels calibrate --check --json > levels.json
"""
STATUSES = {
    1: "with --check, a pair is outside 65-85 %",
    130: "stopped by Ctrl-C; the finished games are shown and remain in the file",
}


class SettingsRow(TypedDict):
    """The settings of the games between levels."""

    rule: str
    width: Positive
    height: Positive
    seed: int
    nodes: Annotated[Positive, Schema(description="a move of the top level")]


class StepRow(TypedDict):
    """The games of a level against the next lower one."""

    level: str
    over: str
    games: Count
    wins: Count
    draws: Count
    losses: Count
    splits: Annotated[Count, Schema(description="openings that each side won once")]
    score: Share
    error: Annotated[
        float,
        Schema(minimum=0, description="half of the 95 % interval of the score"),
    ]
    elo: int | None
    within: Annotated[bool, Schema(description="whether the score is 65 to 85 %")]


class LevelsMeasuredLine(TypedDict):
    """levels calibrate --json: each level against the one below it."""

    settings: SettingsRow
    steps: list[StepRow]


@dataclass(frozen=True)
class LadderSettings:
    """Settings of the games, except their number."""

    rule: Rule
    size: int
    seed: int
    nodes: int
    """Nodes per move of the top level."""

    def to_dict(self) -> SettingsRow:
        """Return the settings as JSON."""
        return {
            "rule": self.rule.name.lower(),
            "width": self.size,
            "height": self.size,
            "seed": self.seed,
            "nodes": self.nodes,
        }


class LadderGame(NamedTuple):
    """Number of a game between two levels."""

    upper: Level
    lower: Level
    number: int
    """The number from 0. Games 2k and 2k + 1 share an opening; the upper level is black
    in 2k."""


class LadderResult(NamedTuple):
    """Result of a game."""

    game: LadderGame
    result: str
    """"1-0" if black won, "0-1" if white won, else "1/2-1/2"."""
    moves: tuple[Move, ...]

    @property
    def points(self) -> float:
        """The points of the upper level: 1, 0.5 or 0."""
        black = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[self.result]
        return black if self.game.number % 2 == 0 else 1 - black


def pairs(only: Sequence[str] = ()) -> list[tuple[Level, Level]]:
    """Return (upper, lower) for each step of the ladder.

    ``only`` selects the steps with these upper levels.

    Raises:
        ValueError: A name is not that of an upper level.
    """
    steps = [(upper, lower) for lower, upper in pairwise(LEVELS)]
    known = [upper.name for upper, _ in steps]
    for name in only:
        if name not in known:
            names = ", ".join(known) + did_you_mean(name, known)
            raise ValueError(f"{name!r} is not one of these upper levels: {names}")
    return [step for step in steps if not only or step[0].name in only]


def opening(settings: LadderSettings, number: int) -> tuple[Move, ...]:
    """Return seeded random stones near the centre that are balanced.

    The balance is measured by a short search.
    """
    rng = random.Random(f"{settings.seed} opening {number}")
    engine = Engine(hash_mb=HASH_MB)
    span = min(OPENING_SQUARE, settings.size)
    corner = (settings.size - span) // 2
    evenest: tuple[float, tuple[Move, ...]] = (float("inf"), ())
    for _ in range(OPENING_TRIES):
        board = Board(settings.size, settings.rule)
        stones = OPENING_STONES[int(rng.random() * len(OPENING_STONES))]
        while board.ply < stones:
            move = Move(
                corner + int(rng.random() * span), corner + int(rng.random() * span)
            )
            if board.is_legal(move):
                board.play(move)
        engine.new_game()
        found = engine.search(board, Limits(nodes=OPENING_NODES))
        assert found.score is not None
        evenest = min(evenest, (abs(found.score), board.moves))
        if evenest[0] <= OPENING_EVEN:
            break
    return evenest[1]


_opening = lru_cache(maxsize=4096)(opening)


def play(
    game: LadderGame, settings: LadderSettings, stop: threading.Event
) -> LadderResult | None:
    """Play one game; None when ``stop`` was set meanwhile."""
    board = Board.from_moves(
        _opening(settings, game.number // 2), settings.size, settings.rule
    )
    levels = [game.upper, game.lower]
    if game.number % 2:
        levels.reverse()
    names = f"{game.upper.name} {game.lower.name} {game.number}"
    rng = random.Random(f"{settings.seed} {names}")
    engines = [Engine(hash_mb=HASH_MB, seed=rng.getrandbits(64)) for _ in range(2)]

    def choose(board: Board) -> Move | None:
        if stop.is_set():
            return None
        level = levels[board.turn]
        limits = Limits(strength=level.strength)
        if level.strength == FULL_STRENGTH:
            limits = Limits(nodes=settings.nodes)
        return engines[board.turn].search(board, limits).move

    winner = play_out(board, (choose, choose))
    if stop.is_set():
        return None
    result = {None: "1/2-1/2", Side.BLACK: "1-0", Side.WHITE: "0-1"}[winner]
    return LadderResult(game, result, board.moves)


class LadderFile:
    """File of results: a JSON line with the settings, then one line per game."""

    def __init__(self, path: Path, settings: LadderSettings, resume: bool) -> None:
        """Open the file and read its ``results``.

        Raises:
            ValueError: The file exists and ``resume`` is False, or it has other
                    settings or levels.
            OSError: The file cannot be read or written.
        """
        self.results: list[LadderResult] = []
        head = json.dumps(
            {
                "settings": {**asdict(settings), "rule": settings.rule.name.lower()},
                "levels": [level.to_dict() for level in LEVELS],
            }
        )
        if path.exists() and not resume:
            raise ValueError(f"{path} exists: continue it with --resume, or remove it")
        kind = "a file of games between levels"
        self._journal = Journal(path, kind, '{"settings": ')
        lines = self._journal.lines
        if lines and lines[0] != head:
            raise ValueError(f"{path} was made with other settings or levels")
        for number, line in enumerate(lines[1:], start=2):
            try:
                self.results.append(_read_result(line))
            except (ValueError, KeyError, TypeError, RecursionError):
                raise ValueError(f"{path}, line {number}: not a game") from None
        self._journal.start(head)

    def close(self) -> None:
        """Close the file."""
        self._journal.close()

    def add(self, result: LadderResult) -> None:
        """Append the result of a game."""
        self._journal.append(
            json.dumps(
                {
                    "upper": result.game.upper.name,
                    "lower": result.game.lower.name,
                    "number": result.game.number,
                    "result": result.result,
                    "moves": format_moves(result.moves),
                }
            )
        )


def _read_result(line: str) -> LadderResult:
    row = json.loads(line)
    game = LadderGame(
        level_named(row["upper"]), level_named(row["lower"]), row["number"]
    )
    result = LadderResult(game, row["result"], tuple(parse_moves(row["moves"])))
    _ = result.points  # KeyError for an invalid result
    return result


def tally(results: Sequence[LadderResult], upper: Level) -> tuple[Score, Pentanomial]:
    """Return the score of the upper level, by games and by complete pairs of games."""
    points = {r.game.number: r.points for r in results if r.game.upper == upper}
    whole = [
        (points[number], points[number + 1])
        for number in sorted(points)
        if number % 2 == 0 and number + 1 in points
    ]
    return Score.of(points.values()), Pentanomial.of(whole)


def table(
    steps: Sequence[tuple[Level, Level]], results: Sequence[LadderResult]
) -> list[StepRow]:
    """Return a row for each step of the ladder that has games."""
    rows: list[StepRow] = []
    for upper, lower in steps:
        score, both = tally(results, upper)
        if not score.games:
            continue
        low, high = both.interval
        rows.append(
            {
                "level": upper.name,
                "over": lower.name,
                "games": score.games,
                "wins": score.wins,
                "draws": score.draws,
                "losses": score.losses,
                "splits": both.split,
                "score": round(score.score, 4),
                "error": round((high - low) / 2, 4),
                "elo": round(score.elo.value) if 0 < score.score < 1 else None,
                "within": LEAST <= score.score <= MOST,
            }
        )
    return rows


def print_table(rows: Sequence[StepRow]) -> None:
    """Print the table as Markdown."""
    print(
        "| level | over | games | won | drawn | lost | score | 95 % | Elo | 65-85 % |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        elo = Score(row["wins"], row["draws"], row["losses"]).elo
        shown = elo.text(0) if row["elo"] is None else f"{row['elo']:+}"
        print(
            f"| {row['level']} | {row['over']} | {row['games']} | {row['wins']} |"
            f" {row['draws']} | {row['losses']} | {row['score']:.1%} |"
            f" +-{row['error']:.1%} | {shown} | {'yes' if row['within'] else 'no'} |"
        )


def calibrate(
    games: Sequence[LadderGame],
    settings: LadderSettings,
    workers: int,
    done: Callable[[LadderResult], None],
) -> None:
    """Play the games and call ``done`` with each result.

    ``KeyboardInterrupt`` abandons the running games.
    """
    stop = threading.Event()
    with ThreadPoolExecutor(workers) as pool:
        try:
            running = [pool.submit(play, game, settings, stop) for game in games]
            for future in as_completed(running):
                result = future.result()
                if result is not None:
                    done(result)
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)


def _calibrate(options: argparse.Namespace) -> int:
    steps = pairs(options.only)
    settings = LadderSettings(options.rule, options.size, options.seed, options.nodes)
    results: list[LadderResult] = []
    file = LadderFile(options.out, settings, options.resume) if options.out else None
    if file is not None:
        results += file.results
    played = {result.game for result in results}
    games = [
        game
        for upper, lower in steps
        for number in range(options.games)
        if (game := LadderGame(upper, lower, number)) not in played
    ]

    progress_writer = ProgressWriter()

    def done(result: LadderResult) -> None:
        results.append(result)
        if file is not None:
            file.add(result)
        _show_progress(progress_writer, result, results, options.games)

    try:
        with Interruptible() as run:
            calibrate(games, settings, options.workers, done)
    finally:
        if file is not None:
            file.close()
    if run.status:
        progress_writer.end()
        report(PROG, "stopped")
    rows = table(steps, results)
    if options.json:
        measured: LevelsMeasuredLine = {"settings": settings.to_dict(), "steps": rows}
        print(json_line("levels_measured", measured))
    else:
        print_table(rows)
    outside = options.check and not all(row["within"] for row in rows)
    return run.status or int(outside)


def _show_progress(
    progress_writer: ProgressWriter,
    result: LadderResult,
    results: Sequence[LadderResult],
    games: int,
) -> None:
    """Show the score of two levels, with a line of its own after the last game."""
    upper, lower, _ = result.game
    score, _ = tally(results, upper)
    ended = score.games >= games
    text = f"{upper.name} over {lower.name}: {score.games}/{games} games"
    progress_writer.write(lambda: f"{text}, {score.score:.1%}", now=ended)
    if ended:
        progress_writer.end()


def main(argv: list[str]) -> int:
    """Run ``gomoku-brain levels calibrate`` and return the exit status."""
    parser = OneLineParser(
        PROG,
        description="Let each level play the one below it and print the scores.",
        epilog=EXAMPLES,
        statuses=STATUSES,
    )
    add = parser.add_argument
    add("--games", type=at_least(1), default=200, help="a pair of levels")
    add_rule(parser, DEFAULT_RULE)
    add_square_size(parser)
    add(
        "--nodes",
        type=at_least(1),
        default=TOP_NODES,
        help=f"of the full level's searches (default {TOP_NODES})",
    )
    add("--only", nargs="+", default=(), metavar="LEVEL")
    add_workers(parser, "games that are played at once, in threads (1)")
    add("--seed", type=int, default=1)
    add("--out", type=Path, metavar="FILE", help="file of the games")
    add("--resume", action="store_true", help="continue the games of --out")
    add("--check", action="store_true", help="exit status 1 if a pair is out of bounds")
    add("--json", action="store_true", help="the scores as JSON")
    options = parser.parse_args(argv)
    if options.resume and options.out is None:
        parser.error("--resume needs --out FILE")
    return _calibrate(options)
