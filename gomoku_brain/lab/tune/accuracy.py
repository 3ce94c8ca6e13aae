"""Comparison of variants of the search by how near short searches come to a long one.

It is cheaper than games. A long search of many positions is made once. Then each
variant does a short search of the same positions. Two figures compare them: the mean
absolute difference between the two scores in logits (``UNIT`` units are one), and the
share of positions that the short search proves won or lost. Scores are clipped to
+-``MAX_LOGITS``, which is also the value of a proved win or loss. Two variants are
compared by position, with the standard error of the difference. Confirm a result by
games.

The long search starts with the same nodes as the short search of the same engine, so
that engine comes nearer to it than an equally good variant. Therefore let another
variant (``--set``) of about the same strength make the long search.

Both steps write files of lines that can be continued (see ``numbered``). A line of the
long search is made from a game of self-play, a line of a variant from a line of the
long search:

    number rule size moves pv score     long search of the position after ``moves``
    number pv score                     search of the variant there

If a first, short search proves a result or finds the game decided, the line has a "-"
after the number and nothing else. Moves are joined by commas; scores are written as in
self-play.
"""

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gomoku_brain.control.limits import Limits, SearchResult
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import format_moves, parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.numbered import (
    LineTask,
    add_making,
    cached_here,
    make_file,
    numbered_lines,
)
from gomoku_brain.lab.train.parts import UNIT
from gomoku_brain.lab.train.program_options import (
    Variant,
    add_most,
    add_rule,
    add_seed,
    add_variant,
    count,
    make_parser,
    variant_of,
)
from gomoku_brain.lab.train.samples import game_lines, game_of, naming
from gomoku_brain.lab.train.selfplay import score_word
from gomoku_brain.runs.program_end import error_line

__all__ = ["LongRecipe", "ShortRecipe", "comparison", "main"]

LOOK = 20_000  # nodes of the first search, which leaves out positions
DECIDED = 2 * UNIT  # a position with such a score is decided
LEFT_OUT = "-"  # word of a line without a position
HASH_MB = 64  # enough for a million nodes
# With this limit at 3 or 4 logits the error of 200,000 nodes was smaller than that of
# 100,000 by 8.7 standard errors of the difference (871 positions); with 1.5 by 6.4,
# with 10 by 7.0, and in squares of chances by 6.3.
MAX_LOGITS = 3


def _result_words(found: SearchResult) -> str:
    return f"{format_moves(found.pv, ',') or '-'} {score_word(found)}"


@dataclass(frozen=True, slots=True)
class LongRecipe:
    """Recipe that, with the line of a game, determines a position and its long
    search.
    """

    variant: Variant
    rule: Rule
    nodes: int
    """Nodes of the long search."""
    seed: int

    def line(self, number: int, source: str, engine: Engine) -> str:
        """Return the line made from the game ``source``, without its end.

        ``engine`` is not used, since the variant creates its own. Raises ValueError for
        a line that is no game.
        """
        engine = cached_here(self, lambda: self.variant.engine(HASH_MB))
        game = game_of(source)
        opening = len(game.moves) - len(game.scores)
        if len(game.moves) < 2:
            return f"{number} {LEFT_OUT}"
        dice = random.Random(f"{self.seed} {number}")
        moves = game.moves[: dice.randint(max(opening, 1), len(game.moves) - 1)]
        board = Board.from_moves(moves, game.size, self.rule)
        engine.new_game()
        first = engine.search(board, Limits(nodes=LOOK))
        assert first.score is not None
        if first.win_in is not None or abs(first.score) > DECIDED:
            return f"{number} {LEFT_OUT}"
        engine.new_game()
        found = engine.search(board, Limits(nodes=self.nodes))
        where = f"{self.rule.name.lower()} {game.size} {format_moves(moves, ',')}"
        return f"{number} {where} {_result_words(found)}"


@dataclass(frozen=True, slots=True)
class ShortRecipe:
    """Recipe that, with a line of the long search, determines the search of a
    variant.
    """

    variant: Variant
    nodes: int
    """Nodes of the short search."""

    def line(self, number: int, source: str, engine: Engine) -> str:
        """Return the line made from the line ``source`` of the long search, without its
        end.

        Raises ValueError for another line.
        """
        board = _position_of(source)
        if board is None:
            return f"{number} {LEFT_OUT}"
        engine = cached_here(self, lambda: self.variant.engine(HASH_MB))
        engine.new_game()
        return (
            f"{number} {_result_words(engine.search(board, Limits(nodes=self.nodes)))}"
        )


def _position_of(line: str) -> Board | None:
    """Return the position of a line of the long search. ValueError for another line."""
    words = line.split()
    if words[1:] == [LEFT_OUT]:
        return None
    try:
        _, rule, size, moves, _, score = words
        _logits(score)
        return Board.from_moves(parse_moves(moves), int(size), rule)
    except ValueError:
        raise ValueError("not a position with the score of a long search") from None


def _logits_of(line: str) -> float | None:
    """Return the score, in logits, of a line of a variant. ValueError for another
    line.
    """
    words = line.split()
    if words[1:] == [LEFT_OUT]:
        return None
    try:
        _, _, score = words
        return _logits(score)
    except ValueError:
        raise ValueError("not a variant's search of a position") from None


def comparison(
    reference: Sequence[str], one: Sequence[str], other: Sequence[str] | None = None
) -> str:
    """Return the figures of a variant's lines in one line.

    They are the error in thousandths of a logit and the share of positions proved, in
    percent; with ``other`` also the differences to those lines with their standard
    errors. ``reference``: lines of the long search. All lines are those of all numbers.
    Raises ValueError if they are not of the same positions.
    """
    import numpy

    rows = []
    for lines in zip(*([reference, one] + [other] * (other is not None)), strict=True):
        scores = [line.split()[-1] for line in lines]
        if len({score == LEFT_OUT for score in scores}) > 1:
            raise ValueError(f"a position in one file only: {lines[0].rstrip()[:60]!r}")
        if scores[0] != LEFT_OUT:
            rows.append(scores)
    if len(rows) < 2:
        raise ValueError("fewer than two positions to compare")
    logits = numpy.array([[_logits(score) for score in row] for row in rows])
    proved = numpy.array([[score[0] in "WL" for score in row] for row in rows])
    error = 1000 * abs(logits[:, 1:] - logits[:, :1])
    share = 100.0 * proved[:, 1:]
    if other is None:
        return (
            f"{len(rows)} positions: error {error.mean():.1f} thousandths of a logit,"
            f" proved {share.mean():.1f} %"
        )
    parts = []
    for what, values in (("error", error), ("proved", share)):
        change = values[:, 0] - values[:, 1]
        spread = change.std(ddof=1) / len(rows) ** 0.5
        parts.append(f"{what} {change.mean():+.1f} +- {spread:.1f}")
    return f"{len(rows)} positions, against the other: {', '.join(parts)}"


def _logits(score: str) -> float:
    """Return a score in logits, within +-MAX_LOGITS."""
    if score[0] in "WL":
        return MAX_LOGITS if score[0] == "W" else -MAX_LOGITS
    return max(-MAX_LOGITS, min(MAX_LOGITS, int(score) / UNIT))


def main(argv: list[str] | None = None) -> int:
    """Run ``python -m gomoku_brain.lab.tune.accuracy``; see ``--help``."""
    parser = make_parser(
        "tune.accuracy", "Judge variants of the search by a long search."
    )
    commands = parser.add_subparsers(required=True)
    long = commands.add_parser("long", help="search positions of games at length")
    long.add_argument("out", type=Path, help="file to write or to go on with")
    long.add_argument("games", type=Path, help="file of self-play")
    add_most(long)
    long.add_argument("--nodes", type=count, default=1_000_000, help="(1000000)")
    add_variant(long)
    add_seed(long)
    long.set_defaults(work=_search_long)
    short = commands.add_parser("short", help="let a variant search them shortly")
    short.add_argument("out", type=Path, help="file to write or to go on with")
    short.add_argument("reference", type=Path, help="file of the long search")
    short.add_argument("--nodes", type=count, default=100_000, help="(100000)")
    add_variant(short)
    short.add_argument("--against", type=Path, help="file of another variant")
    short.set_defaults(work=_search_short)
    for command in (long, short):
        add_rule(command)
        add_making(command)
    options = parser.parse_args(argv)
    try:
        status: int = options.work(options)
    except (OSError, ValueError) as error:
        parser.error(error_line(error))
    return status


def _search_long(options: argparse.Namespace) -> int:
    games = game_lines(options.games, options.rule, options.most)
    recipe = LongRecipe(variant_of(options), options.rule, options.nodes, options.seed)
    tasks = [LineTask(recipe, number, line) for number, line in enumerate(games)]
    return make_file("accuracy", options.out, tasks, options)


def _search_short(options: argparse.Namespace) -> int:
    reference = numbered_lines(options.reference)
    held = set()
    for number, line in enumerate(reference):
        with naming(options.reference, line):
            board = _position_of(line)
            if board is not None:
                held.add(number)
                if board.rule is not options.rule:
                    raise ValueError(f"not a position of {options.rule.name.lower()}")
    other = None
    if options.against is not None:
        other = numbered_lines(options.against, len(reference))
        for number, line in enumerate(other):
            with naming(options.against, line):
                if (_logits_of(line) is not None) != (number in held):
                    raise ValueError(f"not of the positions of {options.reference}")
    if len(held) < 2:
        raise ValueError(f"{options.reference}: fewer than two positions to compare")
    recipe = ShortRecipe(variant_of(options), options.nodes)
    tasks = [LineTask(recipe, number, line) for number, line in enumerate(reference)]
    status = make_file("accuracy", options.out, tasks, options)
    if status == 0:
        lines = numbered_lines(options.out, len(reference))
        print(comparison(reference, lines))
        if other is not None:
            print(comparison(reference, lines, other))
    return status


if __name__ == "__main__":
    # Other processes and machines find a class by its module, which must not be
    # __main__.
    from gomoku_brain.lab.tune import accuracy

    raise SystemExit(accuracy.main())
