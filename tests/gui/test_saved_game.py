import json

import pytest

from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.game_tree import Ending, GameTree
from gomoku_brain.gui.play import Terms
from gomoku_brain.gui.saved_game import Autosave, from_text, to_text
from gomoku_brain.gui.seats import Seat
from gomoku_brain.match.record import PlayedMove
from gomoku_brain.match.referee import TimeControl
from gomoku_brain.study.reader import Game

TERMS = Terms(
    Seat("human", "Ann"),
    Seat("program", "Pela", command="pbrain-pela"),
    TimeControl(turn=None, match=60.0, increment=1.0, margin=1.0),
    people_too=True,
)


def a_game():
    start = Game(
        Rule.RENJU, 9, 9, (Move(4, 4),), (Move(3, 3),), (Move(0, 0),), Side.WHITE
    )
    tree = GameTree(start)
    tree.play(PlayedMove(Move(5, 5), seconds=1.5, score=-20, depth=7, nodes=999))
    tree.play(Move(6, 6))
    tree.back()
    tree.play(Move(7, 7))
    tree.node.chance = 0.25
    tree.end(Ending("0-1", "resigned"))
    tree.back()
    tree.names = {Side.BLACK: "Ann", Side.WHITE: "Pela"}
    tree.extra = {"event": "x"}
    tree.date = "2026-11-21"
    return tree


def shape(tree):
    def of(node):
        return node.played, node.ending, node.chance, [of(c) for c in node.children]

    here = [node.move for node in tree.node.path()]
    return tree.start, of(tree.root), here, tree.names, tree.extra, tree.date


def test_a_game_comes_back_with_variations_place_and_players():
    tree = a_game()
    again, terms = from_text(to_text(tree, TERMS))
    assert shape(again) == shape(tree)
    assert terms == TERMS
    assert again.board == tree.board


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


class TestAutosave:
    def test_what_a_crash_leaves_is_found_at_the_next_start(self, until, tmp_path):
        path = tmp_path / "home" / "last.json"
        first = Autosave(path)
        tree = a_game()
        first.keep(tree, TERMS)
        until(path.exists)
        until(lambda: first._task is None)
        first._lock.unlock()  # as the end of its process does
        left = Autosave(path).left_behind()
        assert shape(left[0]) == shape(tree)

    def test_an_ordinary_end_leaves_nothing(self, until, tmp_path):
        path = tmp_path / "last.json"
        autosave = Autosave(path)
        autosave.keep(a_game(), TERMS)
        autosave.flush()
        assert path.exists()
        autosave.forget()
        assert not path.exists()
        assert Autosave(path).left_behind() is None

    def test_a_second_window_neither_reads_nor_writes(self, tmp_path):
        path = tmp_path / "last.json"
        first = Autosave(path)
        first.keep(a_game(), TERMS)
        first.flush()
        second = Autosave(path)
        assert second.left_behind() is None
        second.keep(GameTree(Game(moves=tuple(parse_moves("a1")))), TERMS)
        second.flush()
        second.forget()
        assert from_text(path.read_text())[0].start.width == 9
        first.forget()

    def test_a_file_that_cannot_be_read_is_nothing(self, tmp_path):
        path = tmp_path / "last.json"
        path.write_bytes(b"\xff\xfe{")
        assert Autosave(path).left_behind() is None
