"""A few games of self-play, as its files have them."""

from dataclasses import replace
from functools import cache

from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.selfplay import SelfplayRecipe, play

RECIPE = SelfplayRecipe(Rule.FREESTYLE, (9, 15), 60, 5)


@cache
def some_games(count, rule=Rule.FREESTYLE):
    """Lines of short games at few nodes."""
    from gomoku_brain.engine.engine import Engine

    engine = Engine(hash_mb=1)
    recipe = replace(RECIPE, rule=rule)
    return [play(recipe, number, engine) + "\n" for number in range(count)]
