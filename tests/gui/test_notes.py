"""Comments, labels, marks and branches: read, shown, edited, saved."""

import gc
import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from gomoku_brain.game.notation import Move, parse_move
from gomoku_brain.gui.archive import documents, file_controller
from gomoku_brain.gui.archive.documents import picture
from gomoku_brain.gui.base import background
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.gui.model.saved_game import from_text, to_text
from gomoku_brain.gui.model.settings import GameChoice
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_node import GameNode
from gomoku_brain.records.read import read_games
from tests.gui.libraries import library
from tests.gui.players import HUMAN
from tests.sampled import sampled

GAME = (
    "(;FF[4]GM[4]SZ[15]RU[renju]PB[Ann]PW[Bob]C[A short lesson.]EV[Cup]XY[own]"
    ";B[hh]C[The centre.]LB[ii:A][jj:B];W[ii]TR[hh]SQ[gg]"
    "(;B[jj]C[Main line];W[kk])(;B[gg]C[A variation]MA[aa]CR[bb];W[cc]))"
)


@pytest.fixture
def opened(window, tmp_path):
    path = tmp_path / "lesson.sgf"
    path.write_text(GAME, encoding="utf-8")
    assert window.files.open_file(path)
    window.show()
    return window


def key(window, which):
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    QTest.keyClick(window, which)


class TestReading:
    def test_comments_labels_and_marks_are_shown_at_their_positions(self, opened):
        box = opened.view.comment
        key(opened, Qt.Key.Key_Home)
        assert box.isVisible()
        assert box.toPlainText() == "A short lesson."
        key(opened, Qt.Key.Key_PageDown)
        assert box.toPlainText() == "The centre."
        assert opened.scene().labels == {parse_move("i9"): "A", parse_move("j10"): "B"}
        key(opened, Qt.Key.Key_PageDown)
        assert opened.scene().marks == {parse_move("h8"): "TR", parse_move("g7"): "SQ"}
        assert opened.scene().branches == (parse_move("j10"), parse_move("g7"))
        assert not box.isVisible(), "no comment, no box"

    def test_notes_are_drawn(self, opened):
        tree = opened.play.tree
        opened.play.look_at(tree.at_ply(2))
        scene = opened.scene()
        drawn = picture(scene)
        scene.marks, scene.branches = {}, ()
        assert picture(scene) != drawn
        assert isinstance(drawn, QImage)

    def test_an_alternative_stands_beside_its_move(self, opened):
        moves = opened.moves
        rows = {node.move: row for node, row in moves._rows.items()}
        main, other = rows[parse_move("j10")], rows[parse_move("g7")]
        assert moves.indexOfTopLevelItem(other) == moves.indexOfTopLevelItem(main) + 1
        after = rows[parse_move("c3")]
        assert after.parent() is other
        assert moves.visualItemRect(after).x() > moves.visualItemRect(other).x()
        assert moves.columnWidth(3) < 200, "values stand by their heads"

    def test_a_study_opens_at_its_start_and_a_game_at_its_end(self, opened, tmp_path):
        assert opened.play.tree.ply == 0
        assert opened.view.comment.toPlainText() == "A short lesson."
        path = tmp_path / "game.sgf"
        path.write_text("(;FF[4]GM[4]SZ[15];B[hh];W[ii];B[jj])", encoding="utf-8")
        assert opened.files.open_file(path)
        assert opened.play.tree.ply == 3

    def test_moves_with_comments_have_a_sign_in_the_list(self, opened):
        row = opened.moves.topLevelItem(0)
        assert row.text(1) == "h8 ✎"
        assert "The centre." in row.toolTip(1)
        assert opened.moves.topLevelItem(1).text(1) == "i9"
        key(opened, Qt.Key.Key_End)
        opened.play.tree.node.comment = "The end."
        opened.presenter.show_values()
        assert opened.moves.currentItem().text(1) == "k11 ✎"

    @pytest.mark.parametrize("count", [1000, 2000])
    def test_the_list_of_many_moves_shows_the_current_one(self, qt, window, count):
        game = Game(moves="h8 i9 a1 o15 a15")
        for cell in (Move(x, y) for y in range(1, 14) for x in range(1, 14)):
            node = game.nodes_of_line()[cell.x % 4]
            if cell not in game.moves:
                node.add_line(
                    [cell, *(Move(x, 14) for x in range(1, 1 + count // 160))]
                )
        window.games.show_game(GameTree(game))
        assert sum(1 for _ in game.nodes()) > count
        for node in (game.variations[0], list(game.nodes())[-1]):
            window.play.look_at(node)
            qt.processEvents()
            moves = window.moves
            place = moves.visualItemRect(moves.currentItem())
            assert moves.currentItem().text(1) == str(node.move)
            assert moves.viewport().rect().contains(place.center())
        window.play.place(Move(0, 7))
        qt.processEvents()
        assert moves.currentItem().text(1) == "a8", "also after a change"
        window.resize(1024, 480)
        qt.processEvents()
        place = moves.visualItemRect(moves.currentItem())
        assert moves.viewport().rect().contains(place.center())


class TestWriting:
    def test_a_comment_is_written_by_key_and_saved(self, opened, tmp_path):
        key(opened, Qt.Key.Key_End)
        opened.actions_["comment"].trigger()
        box = opened.view.comment
        assert box.hasFocus()
        QTest.keyClicks(box, "The end.")
        opened.board.setFocus()
        assert opened.play.tree.node.comment == "The end."
        assert opened.files.save_file(tmp_path / "again.sgf")
        (tree,) = read_games(tmp_path / "again.sgf")
        assert list(tree.mainline())[-1].comment == "The end."

    @pytest.mark.parametrize("name", ["train", "open"])
    def test_another_game_stores_the_comment_and_keeps_its_own(
        self, opened, tmp_path, name
    ):
        key(opened, Qt.Key.Key_Home)
        old = opened.play.tree
        opened.actions_["comment"].trigger()
        QTest.keyClicks(opened.view.comment, "Read: ")
        if name == "train":
            opened.actions_["train"].trigger()
            opened.mode.go_back()
        else:
            assert opened.files.open_file(tmp_path / "lesson.sgf")
            assert opened.play.tree.game.comment == "A short lesson."
        assert old.game.comment == "Read: A short lesson."

    def test_closing_the_window_stores_the_comment(self, opened):
        key(opened, Qt.Key.Key_Home)
        opened.actions_["comment"].trigger()
        QTest.keyClicks(opened.view.comment, "Read: ")
        opened.close()
        assert opened.play.tree.game.comment.startswith("Read: ")

    def test_a_step_stores_the_comment_at_its_own_position(self, opened):
        key(opened, Qt.Key.Key_Home)
        opened.actions_["comment"].trigger()
        QTest.keyClicks(opened.view.comment, "Read: ")
        opened.step(1)
        root = opened.play.tree.game
        assert root.comment.startswith("Read: ")
        assert root.variations[0].comment == "The centre."

    def test_nothing_is_lost_and_nothing_added_by_opening_and_saving(
        self, opened, tmp_path
    ):
        opened.files.save_file(tmp_path / "again.sgf")
        (old,), (new,) = (
            read_games(tmp_path / name) for name in ("lesson.sgf", "again.sgf")
        )
        assert not new.has("DT"), "no date of today"
        pairs = [(old, new)]
        while pairs:
            one, other = pairs.pop()
            for name, values in one.properties.items():
                if name not in ("RU", "CA"):
                    assert other.properties.get(name) == values, name
            assert [v.move for v in one.variations] == [
                v.move for v in other.variations
            ]
            pairs += zip(one.variations, other.variations, strict=True)

    def test_the_archive_keeps_notes(self, opened):
        again = from_text(to_text(opened.play.tree, opened.play.config, True)).tree
        first, second = again.game.variations[0], again.game.variations[0].variations[0]
        assert again.game.comment == "A short lesson."
        assert first.labels == {parse_move("i9"): "A", parse_move("j10"): "B"}
        assert second.marks == {parse_move("h8"): "TR", parse_move("g7"): "SQ"}


def count_of(kind):
    return sum(type(each) is kind for each in gc.get_objects())


class TestLargeFiles:
    @sampled(15_000, 500_000)
    def test_a_large_library_does_not_freeze_the_window(
        self, window, until, tmp_path, count
    ):
        path = tmp_path / "large.lib"
        path.write_bytes(library(count))
        tree = window.play.tree
        assert window.files.open_file(path)
        longest, last = 0.0, time.perf_counter()
        while window.play.tree is tree:
            QTest.qWait(1)
            now = time.perf_counter()
            longest, last = max(longest, now - last), now
        print(path.stat().st_size, "bytes; longest pause", longest)
        assert sum(1 for _ in window.play.tree.game.nodes()) > 1000
        assert longest < 3.0  # a busy machine; .ci/measure_board.py measures it
        begun = time.perf_counter()
        window.step(-1)
        print("a step:", time.perf_counter() - begun)

    def test_a_read_library_leaves_nothing_to_collect(
        self, window, until, tmp_path, monkeypatch
    ):
        """The collector of cycles would stop the window for its time."""
        monkeypatch.setattr(file_controller, "LARGE", 1000)
        path = tmp_path / "large.lib"
        path.write_bytes(library(4000))
        tree, before = window.play.tree, count_of(GameNode)
        assert window.files.open_file(path)
        assert background._holds == 1, "no collection during the reading"
        until(lambda: window.play.tree is not tree)
        until(lambda: not background._holds)
        new = sum(1 for _ in window.play.tree.game.nodes()) - 1  # the root is a Game
        assert count_of(GameNode) <= before + new

    def test_variations_of_a_large_tree_open_when_they_are_needed(
        self, window, until, tmp_path
    ):
        path = tmp_path / "large.lib"
        path.write_bytes(library(4000))
        tree = GameTree(*documents.read_file(path))
        window.games.show_game(tree)
        moves = window.moves
        deep = next(
            n for n in tree.game.nodes() if not n.variations and n not in moves._rows
        )
        window.play.look_at(deep)
        assert deep in moves._rows
        assert moves.currentItem() is moves._rows[deep]


class TestPlaces:
    @pytest.mark.parametrize("size", [(1024, 600), (1280, 800), (1920, 1080)])
    def test_the_board_keeps_its_size_when_a_message_comes_and_goes(
        self, window, until, size
    ):
        window.games.start(GameChoice(black=HUMAN, white=HUMAN))
        window.resize(*size)
        QTest.qWait(50)
        before = window.board.size()
        for cell in "h8 a1 i8 a3 j8 a5 k8 a7 l8".split():
            window.play.place(parse_move(cell))
        assert window.bar.isVisible()
        QTest.qWait(50)
        assert window.board.size() == before
        assert window.board.geometry_now.cell > 30 or size == (1024, 600)
        for button in window.bar.buttons:
            corner = button.mapTo(window, button.rect().bottomRight())
            assert window.rect().contains(corner), "reached by the mouse"
