"""Positions that searches evaluate, as data to fit weights on.

Search asks the evaluation mostly for positions that no good game reaches, after moves
that it goes on to refute. From each game of a file of self-play (``selfplay``) one
position is searched, some of the positions that this search evaluates are remembered
(``sampling``), and each of them is then searched by itself. One game is one line, made
from the recipe, the game's number and its line alone (see ``numbered``):

    number size moves path=score path=score ...

``number`` and ``size`` are the game's. ``moves`` lead to the position searched; a path
leads on to a position evaluated, and its last move is the one that the search of that
position chose. Both are coordinates ("h8") joined by commas. Scores are written as in
self-play, those of the side to move. Such positions have no result, since nobody played
on from them.
"""

import random
from dataclasses import dataclass
from pathlib import Path

from gomoku_brain.control.limits import Limits
from gomoku_brain.engine.engine import Engine
from gomoku_brain.eval.evaluate import evaluation_of
from gomoku_brain.game.notation import format_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.features import position_features
from gomoku_brain.lab.train.numbered import LineTask, add_making, make_file
from gomoku_brain.lab.train.program_options import (
    add_most,
    add_rule,
    add_seed,
    begin,
    count,
)
from gomoku_brain.lab.train.samples import game_lines, game_of
from gomoku_brain.lab.train.sampling import MOST_PATHS, Sampling
from gomoku_brain.lab.train.selfplay import score_word

__all__ = ["EvaluatedRecipe", "main"]


@dataclass(frozen=True, slots=True)
class EvaluatedRecipe:
    """What, with the line of a game, determines the positions taken from it."""

    rule: Rule
    searched: int
    """Nodes of the search whose evaluations are looked at."""
    every: int
    """One evaluation in so many is taken."""
    nodes: int
    """Of the search that judges a position."""
    seed: int

    def line(self, number: int, source: str, engine: Engine) -> str:
        """The line made from the game ``source``, without its end."""
        dice = random.Random(f"{self.seed} {number}")
        _, size, _, moves, scores = game_of(source)
        opening = len(moves) - len(scores)
        root = Board.from_moves(
            moves[: dice.randint(opening, len(moves) - 1)], size, self.rule
        )
        sampling = Sampling(evaluation_of(int(self.rule)), self.every)
        engine.set_evaluation(sampling)
        try:
            engine.search(root, Limits(nodes=self.searched))
        finally:
            engine.set_evaluation(None)
        words = [str(number), str(size), format_moves(root.moves, ",")]
        known = set()
        for path in sampling.take(root):
            board = Board.from_moves((*root.moves, *path), size, self.rule)
            if board.key in known or not path or position_features(board) is None:
                continue
            known.add(board.key)
            engine.new_game()
            found = engine.search(board, Limits(nodes=self.nodes))
            if found.move is not None:
                told = format_moves((*path, found.move), ",")
                words.append(f"{told}={score_word(found)}")
        return " ".join(words)


def main(argv: list[str] | None = None) -> int:
    """``python -m gomoku_brain.lab.train.evaluated``; see --help."""
    parser = begin(
        "train.evaluated",
        "Search positions that searches evaluate, as lines of a file.",
    )
    parser.add_argument("out", type=Path, help="file to write or to go on with")
    parser.add_argument("games", type=Path, help="file of self-play")
    add_rule(parser)
    add_most(parser)
    for name, nodes, said in (
        ("--searched", 8000, "nodes of a game's search"),
        ("--every", 400, "take one evaluation in so many"),
        ("--nodes", 2000, "of the search of a position taken"),
    ):
        parser.add_argument(
            name, type=count, default=nodes, help=f"{said} (%(default)s)"
        )
    add_seed(parser)
    add_making(parser)
    options = parser.parse_args(argv)
    if options.searched // options.every > MOST_PATHS:
        parser.error(
            f"--searched {options.searched} --every {options.every}: a search would"
            f" take more than {MOST_PATHS} positions"
        )
    try:
        games = game_lines(options.games, options.rule, options.most)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    recipe = EvaluatedRecipe(
        options.rule, options.searched, options.every, options.nodes, options.seed
    )
    tasks = [LineTask(recipe, number, line) for number, line in enumerate(games)]
    return make_file("evaluated", options.out, tasks, options)


if __name__ == "__main__":
    # Other processes and machines look a class up by its module, not by __main__.
    from gomoku_brain.lab.train import evaluated

    raise SystemExit(evaluated.main())
