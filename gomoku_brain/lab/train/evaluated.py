"""Positions that searches evaluate, as data to fit weights.

A search mostly evaluates positions that no good game reaches, after moves that it later
refutes. So from each game of a file of self-play (``selfplay``) one position is
searched, and some of the positions that this search evaluates are recorded
(``sampling``). Then each of them is searched by itself. One game gives one line, made
from the recipe, the game's number and its line alone (see ``numbered``):

    number size moves path=score path=score ...

``number`` and ``size`` are the game's. ``moves`` lead to the position searched. A path
leads on to a position that was evaluated, and its last move is the one that the search
of that position chose. Both are coordinates ("h8") joined by commas. Scores are written
as in self-play, for the side to move. Such positions have no result, since no game was
played from them.
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
    count,
    make_parser,
)
from gomoku_brain.lab.train.samples import game_lines, game_of
from gomoku_brain.lab.train.sampling import MAX_PATHS, Sampling
from gomoku_brain.lab.train.selfplay import score_word

__all__ = ["EvaluatedRecipe", "main"]


@dataclass(frozen=True, slots=True)
class EvaluatedRecipe:
    """Recipe that, with the line of a game, determines the positions taken from it."""

    rule: Rule
    searched: int
    """Nodes of the search whose evaluations are recorded."""
    every: int
    """One evaluation in so many is recorded."""
    nodes: int
    """Nodes of the search that judges a position."""
    seed: int

    def line(self, number: int, source: str, engine: Engine) -> str:
        """Return the line made from the game ``source``, without its end."""
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
                line = format_moves((*path, found.move), ",")
                words.append(f"{line}={score_word(found)}")
        return " ".join(words)


def main(argv: list[str] | None = None) -> int:
    """Run ``python -m gomoku_brain.lab.train.evaluated``; see ``--help``."""
    parser = make_parser(
        "train.evaluated",
        "Search positions that searches evaluate, as lines of a file.",
    )
    parser.add_argument("out", type=Path, help="file to write or to go on with")
    parser.add_argument("games", type=Path, help="file of self-play")
    add_rule(parser)
    add_most(parser)
    for name, nodes, title in (
        ("--searched", 8000, "nodes of a game's search"),
        ("--every", 400, "take one evaluation in so many"),
        ("--nodes", 2000, "of the search of a position taken"),
    ):
        parser.add_argument(
            name, type=count, default=nodes, help=f"{title} (%(default)s)"
        )
    add_seed(parser)
    add_making(parser)
    options = parser.parse_args(argv)
    if options.searched // options.every > MAX_PATHS:
        parser.error(
            f"--searched {options.searched} --every {options.every}: a search would"
            f" take more than {MAX_PATHS} positions"
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
    # Other processes and machines find a class by its module, which must not be
    # __main__.
    from gomoku_brain.lab.train import evaluated

    raise SystemExit(evaluated.main())
