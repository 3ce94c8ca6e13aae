"""A few games of self-play, as its files have them."""

from dataclasses import replace
from functools import cache

from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.evaluated import EvaluatedRecipe
from gomoku_brain.lab.train.pack import pack
from gomoku_brain.lab.train.selfplay import SelfplayRecipe, play

RECIPE = SelfplayRecipe(Rule.FREESTYLE, (9, 15), 60, 5)


@cache
def some_games(count, rule=Rule.FREESTYLE):
    """Lines of short games at few nodes."""
    from gomoku_brain.engine.engine import Engine

    engine = Engine(hash_mb=1)
    recipe = replace(RECIPE, rule=rule)
    return [play(recipe, number, engine) + "\n" for number in range(count)]


@cache
def some_evaluated(count):
    """Lines of positions that short searches of these games evaluate."""
    from gomoku_brain.engine.engine import Engine

    engine = Engine(hash_mb=1)
    recipe = EvaluatedRecipe(Rule.FREESTYLE, 800, 20, 60, 7)
    lines = enumerate(some_games(count))
    return [recipe.line(number, line, engine) + "\n" for number, line in lines]


def board_of(samples, at, rule=Rule.FREESTYLE):
    """The board of a position of the samples of six games, from its game's line."""
    words = some_games(6, rule)[samples.game[at]].split()
    moves = parse_moves(words[3].replace(",", " "))[: samples.ply[at]]
    return Board.from_moves(moves, int(words[1]), rule)


def write_lines(folder):
    """Write a file of games and one of evaluated positions; return their paths."""
    games, evaluated = folder / "games.txt", folder / "evaluated.txt"
    games.write_text("".join(some_games(12)))
    evaluated.write_text("".join(some_evaluated(12)))
    return [games, evaluated]


def pack_files(paths):
    """Pack files of lines; return their folders."""
    folders = [path.with_suffix(".packed") for path in paths]
    for folder, path in zip(folders, paths, strict=True):
        pack(folder, path, Rule.FREESTYLE)
    return folders
