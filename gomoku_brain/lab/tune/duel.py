"""Pairs of games in one process between two variants of the engine, at fixed nodes.

An opening is played twice with colours changed, so neither the opening nor the first
move favours a side. At fixed nodes nothing depends on the clock, so pairs may run
beside other work, and the same pair gives the same result. As a program it plays a
match of such pairs, which judges a change of a constant or of the weights
(``docs/lessons.md``). A pair is one line of a file, made from the two variants and its
opening alone (see ``numbered``):

    number opening points points moves moves

``opening`` is its moves ("h8"), joined by commas. The points (0, 0.5 or 1) are those of
the first variant, in the game that it begins and in the other one. The moves are those
of the two games after the opening.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from gomoku_brain.control.limits import Limits, SearchResult
from gomoku_brain.engine.engine import Engine
from gomoku_brain.engine.play_out import play_out
from gomoku_brain.game.notation import Move, format_moves, parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.numbered import (
    LineTask,
    add_making,
    cached_here,
    make_file,
    numbered_lines,
)
from gomoku_brain.lab.train.program_options import (
    Variant,
    add_rule,
    add_seed,
    add_variant,
    count,
    make_parser,
    variant_of,
)
from gomoku_brain.lab.train.samples import naming
from gomoku_brain.match.stats import Pentanomial
from gomoku_brain.records.openings import BOOK_SIZES, book, select
from gomoku_brain.runs.program_end import error_line, run_reporting

__all__ = ["Duel", "DuelRecipe", "Played", "main", "result_of"]

HASH_MB = 8  # least size
NODES_A_MB = 12_500  # of a move, so that entries of earlier moves fit as well
FULL = 0.9  # share of a board that, once full, counts as a draw


class Played(NamedTuple):
    """Game of a pair."""

    points: float
    """Points of the first variant: 0, 0.5 or 1."""
    moves: tuple[Move, ...]
    """Moves of the opening and those after it."""


@dataclass(frozen=True, slots=True)
class DuelRecipe:
    """Recipe that, with an opening, determines a pair."""

    first: Variant
    second: Variant
    rule: Rule
    size: int
    """Cells along a side."""
    nodes: int
    """Nodes of a move."""
    against_nodes: int | None = None
    """Nodes of a move of the second variant; None: the same."""

    def line(self, number: int, source: str, engine: Engine) -> str:
        """Return the pair played from the opening ``source``, without the line's end.

        Raises ValueError for an opening that cannot be played.
        """
        opening = parse_moves(source)
        games = cached_here(self, lambda: Duel(self)).pair(opening)
        points = " ".join([f"{game.points:g}" for game in games])
        moves = [format_moves(game.moves[len(opening) :], ",") for game in games]
        return (
            f"{number} {source} {points} {' '.join([moves or '-' for moves in moves])}"
        )


class Duel:
    """Two engines, for one rule and size, each with fixed nodes a move."""

    def __init__(self, recipe: DuelRecipe) -> None:
        """Create both engines with equal tables, sized for the larger number of nodes.

        Raises KeyError and ValueError as ``Variant.engine``.
        """
        self.rule, self.size = recipe.rule, recipe.size
        other = recipe.against_nodes
        both = (recipe.nodes, recipe.nodes if other is None else other)
        hash_mb = max(HASH_MB, max(both) / NODES_A_MB)
        variants = recipe.first, recipe.second
        self._engines = [variant.engine(hash_mb) for variant in variants]
        self._limits = [Limits(nodes=number) for number in both]

    def set_params(self, side: int, params: dict[str, int]) -> None:
        """Set other constants for the first (0) or second (1) engine."""
        for name, value in params.items():
            self._engines[side].set_param(name, value)

    def pair(self, opening: Sequence[Move]) -> tuple[Played, Played]:
        """Play an opening twice; return the games that the first and the second engine
        begins.

        Raises ValueError for an opening that cannot be played.
        """
        boards = [Board.from_moves(opening, self.size, self.rule) for _ in range(2)]
        if boards[0].winner is not None:
            raise ValueError(
                f"the game is over after the opening: {format_moves(opening)}"
            )
        one, other = (self._play(board, turn) for turn, board in enumerate(boards))
        return one, other

    def _play(self, board: Board, turn: int) -> Played:
        for engine in self._engines:
            engine.new_game()
        first = board.turn if turn == 0 else board.turn.other

        def choose(board: Board) -> Move | SearchResult:
            which = int(board.turn != first)
            found = self._engines[which].search(board, self._limits[which])
            return found if (found.win_in or 0) > 0 else found.move

        winner = play_out(board, (choose, choose), FULL * self.size * self.size)
        points = 0.5 if winner is None else float(winner == first)
        return Played(points, board.moves)


def result_of(lines: Sequence[str]) -> str:
    """Return the result of a match for the first variant, in one line.

    Pairs are counted by its points: 0, 0.5, 1, 1.5, 2. Raises ValueError for a line
    that is no pair.
    """
    pairs = Pentanomial.of([_points_of(line) for line in lines])
    return (
        f"{pairs.games} games, {100 * pairs.score:.1f} %, Elo"
        f" {pairs.elo.text_with_interval()}, pairs {pairs}, {pairs.split} split"
    )


def _points_of(line: str) -> tuple[float, float]:
    try:
        _, _, one, other, _, _ = line.split()
        return float(one), float(other)
    except ValueError:
        raise ValueError(f"not a pair of games: {line.rstrip()[:60]!r}") from None


def main(argv: list[str] | None = None) -> int:
    """Run ``python -m gomoku_brain.lab.tune.duel``; see ``--help``."""
    parser = make_parser(
        "tune.duel", "Play pairs of games between two variants of the engine."
    )
    parser.add_argument("out", type=Path, help="file to write or to go on with")
    add_rule(parser)
    parser.add_argument("--size", type=int, choices=BOOK_SIZES, default=15)
    parser.add_argument("--nodes", type=count, default=16000, help="a move (16000)")
    parser.add_argument("--against-nodes", type=count, help="of the other (the same)")
    parser.add_argument("--pairs", type=count, default=150, help="of games (150)")
    add_variant(parser)
    add_variant(parser, "against")
    add_seed(parser)
    add_making(parser)
    options = parser.parse_args(argv)
    try:
        tasks = _tasks_of(options)
    except (OSError, ValueError) as error:
        parser.error(error_line(error))
    status = make_file("duel", options.out, tasks, options)
    if status:
        return status

    def show() -> None:
        with naming(options.out):
            print(result_of(numbered_lines(options.out, options.pairs)))

    return run_reporting("duel", show)


def _tasks_of(options: argparse.Namespace) -> list[LineTask]:
    """Return the tasks of the pairs; a larger number of pairs starts with the same
    ones.
    """
    known = book(options.rule, options.size, "tuning")
    openings = select(known, options.pairs, options.seed)
    first, second = variant_of(options), variant_of(options, "against")
    recipe = DuelRecipe(
        first,
        second,
        options.rule,
        options.size,
        options.nodes,
        options.against_nodes,
    )
    return [
        LineTask(recipe, number, format_moves(opening.moves, ","))
        for number, opening in enumerate(openings)
    ]


if __name__ == "__main__":
    # Other processes and machines find a class by its module, which must not be
    # __main__.
    from gomoku_brain.lab.tune import duel

    raise SystemExit(duel.main())
