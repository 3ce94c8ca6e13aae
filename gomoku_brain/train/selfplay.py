"""Games of the engine against itself, as data to fit weights on.

Every game is made from (seed, number) alone, so a run can be cut and resumed, and its
file remade by the same command and the same engine. One game is one line:

    number size result moves scores

``result`` is 1, 0 or -1 for black; moves are coordinates as in notation ("h8"), joined
by commas, and begin with the random opening; scores has one number per searched move
(the last ones of ``moves``), from the mover's side in evaluation units, proved results
as W and L with the plies to the five ("W5"). A game ends with the five, a full board or
a proved result.
"""

import argparse
import multiprocessing
import random
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from gomoku_brain.game.notation import Move, format_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.search.engine import Engine
from gomoku_brain.search.limits import Limits

__all__ = ["Recipe", "main", "play"]

HASH_MB = 8  # enough for tens of thousands of nodes
NEAR = 3  # opening stones stand so near an earlier one, mostly
BALANCE = 250  # evaluation units; openings further from even are not played
SHAKE = 0.15  # share of early moves that are not the engine's first choice
SHAKE_PLIES = 14  # searched moves that may be shaken
LATEST_DRAW = 0.8  # share of a board that, once full, is called a draw


@dataclass(frozen=True, slots=True)
class Recipe:
    """What, with its number, determines a game."""

    rule: Rule
    sizes: tuple[int, ...]
    nodes: int
    seed: int


def play(recipe: Recipe, number: int, engine: Engine) -> str:
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


def _play(task: tuple[Recipe, int]) -> str:
    global _engine
    if _engine is None:
        _engine = Engine(hash_mb=HASH_MB)
    return play(*task, _engine)


def missing(path: Path, games: int) -> list[int]:
    """The numbers below ``games`` that a file lacks; a torn last line is cut off."""
    if not path.exists():
        return list(range(games))
    data = path.read_bytes()
    if not data.endswith(b"\n"):
        data = data[: data.rfind(b"\n") + 1]
        path.write_bytes(data)
    known = {int(line.split(maxsplit=1)[0]) for line in data.splitlines()}
    return [number for number in range(games) if number not in known]


def lines_of(recipe: Recipe, numbers: Iterable[int], workers: int) -> Iterator[str]:
    """The games' lines as they end, in any order."""
    tasks = ((recipe, number) for number in numbers)
    if workers == 1:
        yield from map(_play, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        yield from pool.imap_unordered(_play, tasks, chunksize=4)


def main(argv: list[str] | None = None) -> int:
    """``python -m gomoku_brain.train.selfplay``; see --help."""
    parser = argparse.ArgumentParser(prog="python -m gomoku_brain.train.selfplay")
    parser.add_argument("out", type=Path, help="file to write or to go on with")
    parser.add_argument(
        "--rule", default="freestyle", choices=[r.name.lower() for r in Rule]
    )
    parser.add_argument("--sizes", default="15", help="drawn from, as in 15,15,20")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=2000, help="a move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args(argv)
    recipe = Recipe(
        Rule[options.rule.upper()],
        tuple(int(size) for size in options.sizes.split(",")),
        options.nodes,
        options.seed,
    )
    numbers = missing(options.out, options.games)
    started = perf_counter()
    done = positions = 0
    with options.out.open("a", encoding="ascii") as out:
        for line in lines_of(recipe, numbers, options.workers):
            out.write(line + "\n")
            out.flush()
            done += 1
            positions += line.count(",") // 2
            if done % 100 == 0 or done == len(numbers):
                rate = positions / (perf_counter() - started)
                print(
                    f"\r{done} of {len(numbers)} games, {rate:.0f} positions/s",
                    end="",
                    file=sys.stderr,
                )
    print(file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
