import json

import pytest

from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.model.game_players import GameConfig, PlayerConfig
from gomoku_brain.gui.model.game_tree import Ending, GameTree
from gomoku_brain.gui.model.saved_game import from_text, to_text
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_record import PlayedMove

TERMS = GameConfig(
    PlayerConfig("human", "Ann"),
    PlayerConfig("program", "Pela", command="pbrain-pela"),
    PlayerLimits(turn=None, match=60.0, increment=1.0, margin=1.0),
    people_too=True,
)


def a_game():
    start = Game(
        9,
        Rule.RENJU,
        black_stones="e5",
        white_stones="d4",
        walls="a1",
        first=Side.WHITE,
    )
    tree = GameTree(start)
    tree.play(PlayedMove(Move(5, 5), seconds=1.5, score=-20, depth=7, nodes=999))
    tree.play(Move(6, 6))
    tree.back()
    tree.play(Move(7, 7))
    tree.chances[tree.node] = 0.25
    tree.end(Ending("0-1", "resigned"))
    tree.back()
    tree.set_names("Ann", "Pela")
    tree.set_fact("event", "x")
    tree.set_date("2026-11-21")
    return tree


def shape(tree):
    def of(node):
        ending, chance = tree.ending_at(node), tree.chances.get(node)
        facts = node.move, node.side, node.figures, node.comment, ending, chance
        return facts, [of(each) for each in node.variations]

    game = tree.game
    stones = game.black_stones, game.white_stones, game.walls, game.first
    return game.rule, game.size, stones, of(game), tree.node.path_moves(), game.head


def test_a_game_comes_back_with_variations_place_and_players():
    tree = a_game()
    again, config, free = from_text(to_text(tree, TERMS, free=True))
    assert shape(again) == shape(tree)
    assert config == TERMS
    assert free
    assert again.board == tree.board


@pytest.mark.parametrize(
    ("rule", "moves", "ending"),
    [
        (Rule.FREESTYLE, "h8a1i8a2j8a3k8a4l8a5b5", Ending("1-0", "five")),
        (Rule.RENJU, "i8a1j8a4h9a7h10d1h8g1", None),
    ],
    ids=["five", "foul"],
)
def test_a_game_that_goes_on_after_its_end_comes_back(rule, moves, ending):
    tree = GameTree(Game(rule=rule, moves=moves))
    tree.game.variations[0].comment = "the first"
    assert tree.ending == ending
    assert any(
        (ending := tree.ending_at(node)) and ending.is_final
        for node in tree.node.path()[:-1]
    )
    again = from_text(to_text(tree, TERMS)).tree
    assert shape(again) == shape(tree)


@pytest.mark.parametrize("key", sorted(json.loads(to_text(a_game(), TERMS))))
def test_a_text_that_lacks_something_is_refused(key):
    row = json.loads(to_text(a_game(), TERMS))
    del row[key]
    with pytest.raises(ValueError, match="not a saved game"):
        from_text(json.dumps(row))


@pytest.mark.parametrize("text", ["", "[]", "3", "{", '{"rule": "chess"}'])
def test_another_text_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011  JSON's own, too
        from_text(text)
