"""Games of the engine against itself, as data to fit weights on.

Every game is made from (seed, number) alone, so a run can be stopped and resumed, and
its file remade by the same command and the same engine. One game is one line:

    number size result moves scores

``result`` is 1, 0 or -1 for black; moves are coordinates as in notation ("h8"), joined
by commas, and begin with the random opening; scores has one number per searched move
(the last ones of ``moves``), from the mover's side in evaluation units, proved results
as W and L with the plies to the five ("W5"). A game ends with the five, a full board or
a proved result.

Lines stand in the order in which the games ended. The checksum that is printed at the
end is that of the lines in the order of their numbers, so it tells whether two runs
made the same games, whatever the number of processes or machines.
"""

import argparse
import hashlib
import multiprocessing
import random
import string
import sys
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import perf_counter

from gomoku_brain.game.notation import Move, format_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.match.cluster import Cluster, ClusterError
from gomoku_brain.match.journal import Journal
from gomoku_brain.match.run_options import NO_CLUSTER, add_cluster, add_workers
from gomoku_brain.search.engine import Engine
from gomoku_brain.search.limits import Limits

__all__ = ["SelfplayRecipe", "checksum", "game_lines", "main", "play"]

HASH_MB = 8  # enough for tens of thousands of nodes
NEAR = 3  # opening stones stand so near an earlier one, mostly
BALANCE = 250  # evaluation units; openings further from even are not played
SHAKE = 0.15  # share of early moves that are not the engine's first choice
SHAKE_PLIES = 14  # searched moves that may be shaken
LATEST_DRAW = 0.8  # share of a board that, once full, is called a draw
GAMES_A_TASK = 4  # given to a process or a machine at once


@dataclass(frozen=True, slots=True)
class SelfplayRecipe:
    """What, with its number, determines a game."""

    rule: Rule
    sizes: tuple[int, ...]
    nodes: int
    seed: int


def play(recipe: SelfplayRecipe, number: int, engine: Engine) -> str:
    """Game ``number`` as a line without its end."""
    dice = random.Random(f"{recipe.seed} {number}")
    size = dice.choice(recipe.sizes)
    engine.new_game()
    limits = Limits(nodes=recipe.nodes)
    while True:
        board = random_opening(dice, size, recipe.rule)
        if board.winner is None:
            first = engine.search(board, limits)
            if first.win_in is None and abs(first.score) <= BALANCE:
                break
    scores: list[str] = []
    result = 0
    while board.winner is None and board.ply < LATEST_DRAW * size * size:
        found = engine.search(board, limits)
        mover = 1 if board.turn == 0 else -1
        if found.win_in is not None:
            scores.append(f"{'W' if found.win_in > 0 else 'L'}{abs(found.win_in)}")
            board.play(found.move)
            result = mover if found.win_in > 0 else -mover
            break
        move = found.move
        scores.append(str(found.score))
        if len(scores) <= SHAKE_PLIES and dice.random() < SHAKE:
            other = engine.search(
                board, Limits(nodes=max(recipe.nodes // 4, 1), exclude=(move,))
            )
            if other.win_in is None and other.score > found.score - BALANCE:
                move = other.move
                scores[-1] += "*"  # the score is not this move's
        board.play(move)
    else:
        if board.winner is not None:
            result = 1 if board.winner == 0 else -1
    moves = format_moves(board.moves).replace(" ", ",")
    return f"{number} {size} {result} {moves} {','.join(scores)}"


def random_opening(dice: random.Random, size: int, rule: Rule) -> Board:
    """A few stones, most of them near the centre and one another."""
    board = Board(size, rule)
    count = dice.choice((2, 3, 4, 4, 5, 5, 6, 7))
    spread = dice.choice((1, 2, 2, 3, max(1, size // 2 - 2)))
    middle = size // 2
    while board.ply < count and board.winner is None:
        if board.moves and dice.random() < 0.9:
            near = dice.choice(board.moves)
            reach = NEAR
        else:
            near, reach = Move(middle, middle), spread
        x = near.x + dice.randint(-reach, reach)
        y = near.y + dice.randint(-reach, reach)
        if 0 <= x < size and 0 <= y < size and board.is_legal(Move(x, y)):
            board.play(Move(x, y))
    return board


_engine: Engine | None = None


def _play(task: tuple[SelfplayRecipe, int]) -> str:
    global _engine
    if _engine is None:
        _engine = Engine(hash_mb=HASH_MB)
    return play(*task, _engine)


def _play_some(recipe: SelfplayRecipe, numbers: tuple[int, ...]) -> list[str]:
    """On a machine of a cluster, whose threads have an engine each."""
    if not hasattr(_here, "engine"):
        _here.engine = Engine(hash_mb=HASH_MB)
    return [play(recipe, number, _here.engine) for number in numbers]


_here = threading.local()


def game_lines(path: Path, most: int | None = None) -> list[str]:
    """The whole lines of a file by the games' numbers, those below ``most`` only.

    Raises ValueError for a file that lacks a game or has one twice: what is read would
    depend on when it is read.
    """
    lines: dict[int, str] = {}
    with path.open(encoding="ascii") as file:
        for line in file:
            if not line.endswith("\n"):
                break  # it is being written
            word, _, _ = line.partition(" ")
            if not word.isdecimal():
                raise ValueError(f"{path}: not a game of self-play: {line[:60]!r}")
            number = int(word)
            if most is not None and number >= most:
                continue
            if number in lines:
                raise ValueError(f"{path}: game {number} is there twice")
            lines[number] = line
    count = len(lines) if most is None else most
    for number in range(count):
        if number not in lines:
            raise ValueError(f"{path}: game {number} is not there (yet)")
    return [lines[number] for number in range(count)]


def checksum(lines: Iterable[str]) -> str:
    """SHA-256 of lines of games, in hexadecimal."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode("ascii"))
    return digest.hexdigest()


def journal_of(path: Path) -> Journal:
    """The file of games to go on with. Raises OSError, ValueError for another file."""
    # Thousands of short games a minute do not wait for the disk one by one.
    return Journal(path, "a file of self-play games", *string.digits, sync=False)


def missing(journal: Journal, games: int) -> list[int]:
    """The numbers below ``games`` that a file lacks. Raises ValueError."""
    known = set()
    for line in journal.lines:
        word, _, _ = line.partition(" ")
        if not word.isdecimal():
            raise ValueError(f"{journal.path}: not a game of self-play: {line[:60]!r}")
        known.add(int(word))
    return [number for number in range(games) if number not in known]


def is_ours(journal: Journal, recipe: SelfplayRecipe) -> bool:
    """Whether the first game of a file is what the recipe makes here; True without one.

    A file that another seed, number of nodes or engine has begun must not be gone on
    with.
    """
    if not journal.lines:
        return True
    line = journal.lines[0]
    number, _, _ = line.partition(" ")
    return _play((recipe, int(number))) == line


def lines_of(
    recipe: SelfplayRecipe, numbers: Iterable[int], workers: int
) -> Iterator[str]:
    """The games' lines as they end, in any order."""
    tasks = ((recipe, number) for number in numbers)
    if workers == 1:
        yield from map(_play, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        yield from pool.imap_unordered(_play, tasks, chunksize=GAMES_A_TASK)


def lines_of_cluster(
    recipe: SelfplayRecipe, numbers: Iterable[int], cluster: Cluster
) -> Iterator[str]:
    """The games' lines as they end on the machines of a cluster.

    Raises ClusterError for a machine whose engine plays another game than ours from the
    same seed and number, and when the cluster is lost.
    """
    trial = _play_some(recipe, (0,))
    for worker, answer in cluster.on_every_worker(_play_some, recipe, (0,)).items():
        if answer != trial:
            raise ClusterError(f"worker {worker}: its engine is not the one here")
    stop = threading.Event()
    left = iter(numbers)
    threads = 2 * cluster.threads  # so that a machine never waits for its next task
    with ThreadPoolExecutor(threads) as pool:
        running: set[Future[list[str] | None]] = set()
        try:
            while True:
                while len(running) < threads:
                    some = tuple(islice(left, GAMES_A_TASK))
                    if not some:
                        break
                    running.add(
                        pool.submit(cluster.call, _play_some, recipe, some, stop=stop)
                    )
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield from future.result() or ()
        finally:
            stop.set()


def main(argv: list[str] | None = None) -> int:
    """``python -m gomoku_brain.train.selfplay``; see --help."""
    parser = argparse.ArgumentParser(
        prog="python -m gomoku_brain.train.selfplay",
        description="Play games of the engine against itself, as lines of a file.",
    )
    parser.add_argument("out", type=Path, help="file to write or to go on with")
    parser.add_argument("--rule", default="freestyle", help="its name")
    parser.add_argument("--sizes", default="15", help="to choose from: 15,15,20")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=2000, help="a move")
    parser.add_argument("--seed", type=int, default=1)
    add_workers(parser, "processes here (1)")
    add_cluster(parser, "play instead on")
    options = parser.parse_args(argv)
    try:
        rule = Rule[options.rule.upper().replace("-", "_")]
    except KeyError:
        parser.error(f"no rule is called {options.rule}")
    try:
        sizes = tuple(int(size) for size in options.sizes.split(","))
        for size in sizes:
            Board(size, rule)
    except ValueError as error:
        parser.error(f"--sizes {options.sizes}: {error}")
    recipe = SelfplayRecipe(rule, sizes, options.nodes, options.seed)
    try:
        journal = journal_of(options.out)
        numbers = missing(journal, options.games)
        if not is_ours(journal, recipe):
            raise ValueError(
                f"{options.out} was begun with another seed, rule, size, number of"
                " nodes or engine: name another file"
            )
        if options.cluster is None:
            write(journal, lines_of(recipe, numbers, options.workers), len(numbers))
        elif numbers:
            with Cluster(options.cluster) as cluster:
                lines = lines_of_cluster(recipe, numbers, cluster)
                write(journal, lines, len(numbers))
        whole = game_lines(options.out, options.games)
    except ImportError:
        print(f"selfplay: {NO_CLUSTER}", file=sys.stderr)
        return 1
    except (OSError, ValueError, ClusterError) as error:
        print(f"selfplay: {error}", file=sys.stderr)
        return 1
    print(f"{len(whole)} games, sha256 {checksum(whole)}")
    return 0


def write(journal: Journal, lines: Iterable[str], count: int) -> None:
    """Add lines to a file as they come, and show how far it is."""
    started = perf_counter()
    done = positions = 0
    with journal:
        journal.begin()
        for line in lines:
            journal.append(line)
            done += 1
            positions += line.count(",") // 2
            if done % 100 == 0 or done == count:
                rate = positions / (perf_counter() - started)
                print(
                    f"\r{done} of {count} games, {rate:.0f} positions/s",
                    end="" if done < count else "\n",
                    file=sys.stderr,
                    flush=True,
                )


if __name__ == "__main__":
    # A cluster's machines look functions up by their module, which is not __main__.
    from gomoku_brain.train import selfplay

    raise SystemExit(selfplay.main())
