"""The program that makes the puzzles of ``study.puzzles``, with their difficulty.

    python -m gomoku_brain.lab.puzzle_maker COUNT FILE

Every puzzle is a position from a game of the engine against itself at low strength, in
which the last move was a mistake: the side to move wins by force. The solver has
replayed each win against every defence. The table of all candidates shows which first
moves win; a position with many of them is no puzzle.
"""

import math
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from gomoku_brain.control.limits import Limits, SolveResult
from gomoku_brain.engine.engine import Engine
from gomoku_brain.engine.play_out import play_out
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.game.symmetry import canonical
from gomoku_brain.records.openings import book
from gomoku_brain.study.annotate import values
from gomoku_brain.study.puzzles import EXERCISE_SIZE as SIZE
from gomoku_brain.study.puzzles import Exercise

__all__ = ["make", "rating_of"]

SHORTEST, LONGEST = 3, 21  # plies of a win that makes a puzzle
MAX_STONES = 120  # of a game
MAX_ANSWERS = 3  # first moves that win
RULES = (Rule.FREESTYLE, Rule.FREESTYLE, Rule.STANDARD, Rule.RENJU)
PLAY_NODES = 400  # for a move of the games from which puzzles are taken
SOLVE_NODES = 60_000
TABLE_NODES = 400_000  # for all candidates together
SHORTEST_NODES = 1_000_000  # for each length of a win
EASIEST, HARDEST = 400, 2600  # ratings


def rating_of(plies: int, nodes: int, answers: int) -> int:
    """Return the difficulty of a win, EASIEST to HARDEST.

    ``nodes`` are those that the solver needed to find it. A long win, a win that is
    hard to search and one with a single first move are harder. The weights are set by
    hand, so that a set begins with wins that a beginner sees.
    """
    worth = 350 + 75 * plies + 45 * math.log2(1 + nodes / 4) - 60 * (answers - 1)
    return round(min(max(worth, EASIEST), HARDEST))


def make(count: int, seed: int = 1) -> Iterator[Exercise]:
    """Yield ``count`` new puzzles; no two are equal or symmetric images of each
    other.
    """
    chance = Random(seed)
    seen: set[object] = set()
    made = 0
    with Engine(hash_mb=32) as engine:
        while made < count:
            rule = RULES[made % len(RULES)]
            for found in _of_one_game(engine, rule, chance):
                board = found.board
                sides = [
                    [m for m in found.moves if board.stone(m) is side] for side in Side
                ]
                key = canonical(sides, SIZE, SIZE).groups
                if key not in seen:
                    seen.add(key)
                    made += 1
                    yield found


def _of_one_game(engine: Engine, rule: Rule, chance: Random) -> Iterator[Exercise]:
    """Yield the first puzzle of a game, if it has one."""
    board = Board(SIZE, rule)
    for move in chance.choice(book(rule, SIZE, "all")).moves:
        board.play(move)
    engine.new_game()
    # One side plays much weaker than the other, so wins of every length arise.
    strengths = [chance.randint(25, 75), chance.randint(40, 100)]
    chance.shuffle(strengths)
    wins: list[SolveResult] = []

    def choose(board: Board) -> Move | None:
        solved = engine.find_win(board, "auto", Limits(nodes=SOLVE_NODES))
        if solved.status == "win":
            wins.append(solved)
            return None
        limits = Limits(nodes=PLAY_NODES, strength=strengths[board.turn])
        return engine.search(board, limits).move

    play_out(board, (choose, choose), MAX_STONES)
    for solved in wins:
        plies = len(solved.line)
        if SHORTEST <= plies <= LONGEST and board.ply >= 8:
            yield from _judged(engine, board, solved.nodes, rule)


def _judged(engine: Engine, board: Board, nodes: int, rule: Rule) -> Iterator[Exercise]:
    """Yield the puzzle of a won position, unless too many moves win."""
    table = values(engine, board, Limits(nodes=TABLE_NODES))
    wins = {cell.move: cell.value.win_in or 0 for cell in table.cells}
    wins = {move: plies for move, plies in wins.items() if plies > 0}
    # the table and the first win of the solver may be longer than the shortest win
    best = engine.find_win(board, "auto", Limits(nodes=SHORTEST_NODES), shortest=True)
    if best.line:
        first, length = best.line[0], len(best.line)
        wins[first] = min(length, wins.get(first, length))
    answers = tuple(sorted(wins, key=lambda move: wins[move]))
    if not 1 <= len(answers) <= MAX_ANSWERS or wins[answers[0]] < SHORTEST:
        return
    shortest = wins[answers[0]]
    yield Exercise(
        "",
        rule,
        SIZE,
        board.moves,
        answers,
        shortest,
        rating_of(shortest, nodes, len(answers)),
    )


def main(count: int, path: Path) -> None:
    """Make a set and write it, from easy to hard."""
    found = []
    for number, each in enumerate(make(count), 1):
        found.append(each)
        print(number, each.rating, each.plies, len(each.answers), flush=True)
    found.sort(key=lambda each: (each.rating, each.moves))
    lines = [
        "# Made by lab/puzzle_maker.py: number, rule, moves to the position,",
        "# first moves that win, plies of the shortest win, rating.",
    ]
    for number, each in enumerate(found, 1):
        moves = "".join(map(str, each.moves))
        answers = "".join(map(str, each.answers))
        words = (number, each.rule.name.lower(), moves, answers, each.plies)
        lines.append(" ".join(map(str, (*words, each.rating))))
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
