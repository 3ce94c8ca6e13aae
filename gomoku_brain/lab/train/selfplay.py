"""Games of the engine against itself, as data to fit weights.

Every game is made from (seed, number) alone (see ``numbered``). One game is one line:

    number size result moves scores

``result`` is 1, 0 or -1 for black. ``moves`` are coordinates as in notation ("h8"),
joined by commas, and begin with the random opening. ``scores`` has one number for each
searched move (the last ones of ``moves``), from the mover's side in evaluation units. A
proved result is W or L with the plies to the five ("W5"). A * follows the score if
another move was played than the one that the search found. A game ends with the five, a
full board or a proved result.
"""

import random
from dataclasses import dataclass
from pathlib import Path

from gomoku_brain.control.limits import Limits, SearchResult
from gomoku_brain.engine.engine import Engine
from gomoku_brain.engine.play_out import play_out
from gomoku_brain.game.notation import Move, format_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.lab.train.numbered import LineTask, add_making, make_file
from gomoku_brain.lab.train.program_options import (
    add_rule,
    add_seed,
    count,
    make_parser,
)

__all__ = ["SelfplayRecipe", "main", "play", "score_word"]

NEAR = 3  # most opening stones are so near an earlier one
BALANCE = 250  # evaluation units; an opening further from even is not played
SHAKE = 0.15  # share of early moves that are not the engine's first choice
SHAKE_PLIES = 14  # searched moves that may be replaced so
LATEST_DRAW = 0.8  # share of a board that, once full, counts as a draw


@dataclass(frozen=True, slots=True)
class SelfplayRecipe:
    """Recipe that, with a number, determines a game."""

    rule: Rule
    sizes: tuple[int, ...]
    nodes: int
    seed: int

    def line(self, number: int, source: str, engine: Engine) -> str:
        """Return the game as a line without its end."""
        return play(self, number, engine)


def play(recipe: SelfplayRecipe, number: int, engine: Engine) -> str:
    """Play game ``number``; return it as a line without its end."""
    dice = random.Random(f"{recipe.seed} {number}")
    size = dice.choice(recipe.sizes)
    engine.new_game()
    limits = Limits(nodes=recipe.nodes)
    while True:
        board = random_opening(dice, size, recipe.rule)
        if board.winner is None:
            first = engine.search(board, limits)
            assert first.score is not None
            if first.win_in is None and abs(first.score) <= BALANCE:
                break
    scores: list[str] = []
    last: list[Move] = []

    def choose(board: Board) -> Move | SearchResult:
        found = engine.search(board, limits)
        scores.append(score_word(found))
        if found.win_in is not None:
            last.append(found.move)
            return found
        move = found.move
        if len(scores) <= SHAKE_PLIES and dice.random() < SHAKE:
            other = engine.search(
                board, Limits(nodes=max(recipe.nodes // 4, 1), exclude=(move,))
            )
            assert found.score is not None
            assert other.score is not None
            if other.win_in is None and other.score > found.score - BALANCE:
                move = other.move
                scores[-1] += "*"  # the score does not belong to this move
        return move

    winner = play_out(board, (choose, choose), LATEST_DRAW * size * size)
    result = {None: 0, Side.BLACK: 1, Side.WHITE: -1}[winner]
    moves = format_moves([*board.moves, *last], ",")
    return f"{number} {size} {result} {moves} {','.join(scores)}"


def score_word(found: SearchResult) -> str:
    """Return the score of a search, as the lines have it."""
    if found.win_in is None:
        return str(found.score)
    return f"{'W' if found.win_in > 0 else 'L'}{abs(found.win_in)}"


def random_opening(dice: random.Random, size: int, rule: Rule) -> Board:
    """Return a few stones, most of them near the centre and near one another."""
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


def main(argv: list[str] | None = None) -> int:
    """Run ``python -m gomoku_brain.lab.train.selfplay``; see ``--help``."""
    parser = make_parser(
        "train.selfplay", "Play games of the engine against itself, as lines of a file."
    )
    parser.add_argument("out", type=Path, help="file to write or to go on with")
    add_rule(parser)
    parser.add_argument("--sizes", default="15", help="to choose from: 15,15,20")
    parser.add_argument("--games", type=count, default=1000)
    parser.add_argument("--nodes", type=count, default=2000, help="a move")
    add_seed(parser)
    add_making(parser)
    options = parser.parse_args(argv)
    try:
        sizes = tuple(int(size) for size in options.sizes.split(","))
        for size in sizes:
            Board(size, options.rule)
    except ValueError as error:
        parser.error(f"--sizes {options.sizes}: {error}")
    recipe = SelfplayRecipe(options.rule, sizes, options.nodes, options.seed)
    tasks = [LineTask(recipe, number) for number in range(options.games)]
    return make_file("selfplay", options.out, tasks, options)


if __name__ == "__main__":
    # Other processes and machines find a class by its module, which must not be
    # __main__.
    from gomoku_brain.lab.train import selfplay

    raise SystemExit(selfplay.main())
