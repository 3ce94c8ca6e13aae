"""Links, set-up positions as SGF, labels and marks: written, opened again, edited."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from gomoku_brain.commands import gui as command
from gomoku_brain.game.notation import parse_move, parse_moves
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.archive import documents, file_controller
from gomoku_brain.gui.model.game_tree import Ending, GameTree
from gomoku_brain.gui.model.settings import GameChoice
from gomoku_brain.gui.window import app
from gomoku_brain.records.game import Game
from gomoku_brain.records.read import read_games
from tests.gui.clicks import act, click, press
from tests.gui.players import HUMAN

SET_UP = Game(15, Rule.RENJU, black_stones="h8 j8", white_stones="i9", first=Side.WHITE)


def clipboard():
    return QGuiApplication.clipboard().text()


class TestLinks:
    @pytest.mark.parametrize(
        ("game", "link"),
        [
            (
                Game(17, Rule.CARO, moves="h8 i9"),
                "gomoku:caro/17/h8i9",
            ),
            (SET_UP, "gomoku:renju/15/-/h8j8/i9/w"),
        ],
    )
    def test_a_copied_link_is_pasted_on_another_board(self, window, game, link):
        window.games.show_game(GameTree(game.copy()))
        act(window, "copy_link")
        assert clipboard() == link
        assert link in window.statusBar().currentMessage()
        window.games.start(GameChoice(black=HUMAN, white=HUMAN))
        act(window, "paste")
        again = window.play.tree
        assert str(again.board) == str(game.board())
        assert (again.game.rule, again.turn) == (game.rule, game.board().turn)

    @pytest.mark.parametrize(
        "text",
        [
            "(;GM[4]SZ[19]RU[renju];B[aa])",
            '{"rule": "renju", "size": 19, "moves": ["a1"]}',
        ],
    )
    def test_what_a_pasted_text_states_counts(self, window, text):
        QGuiApplication.clipboard().setText(text)
        act(window, "paste")
        start = window.play.tree.game
        assert (start.rule, start.width) == (Rule.RENJU, 19)

    def test_a_large_text_is_read_in_the_background(self, window, until, monkeypatch):
        monkeypatch.setattr(file_controller, "LARGE", 10)
        tree = window.play.tree
        assert window.files.open_text("gomoku:renju/15/h8i9j10")
        assert window.play.tree is tree
        until(lambda: window.play.tree is not tree)
        assert window.play.tree.ply == 3
        assert window.files.open_text("What is this, and why is it so long?")
        until(lambda: "not a position" in window.bar.text.text())

    def test_the_position_shown_is_copied(self, window):
        window.games.show_game(GameTree(Game(moves="h8 i9 j10")))
        act(window, "back")
        act(window, "copy_link")
        assert clipboard() == "gomoku:freestyle/15/h8i9"

    def test_an_address_of_a_web_calculator(self, window):
        window.games.show_game(GameTree(Game(moves="h8 i9")))
        act(window, "copy_web_link")
        assert clipboard() == "https://gomocalc.com/#/h8i7"
        assert "size 15" in window.statusBar().currentMessage()
        window.games.show_game(GameTree(SET_UP.copy()))
        act(window, "copy_web_link")
        assert clipboard() == "https://gomocalc.com/#/h8i7", "nothing new"
        assert "empty at first" in window.statusBar().currentMessage()

    def test_walls_have_no_link(self, window):
        window.games.show_game(GameTree(Game(walls=(parse_move("a1"),))))
        act(window, "copy_link")
        assert "walls" in window.statusBar().currentMessage()

    def test_a_damaged_link_is_refused_and_the_game_stays(self, window):
        tree = window.play.tree
        assert not window.files.open_text("gomoku:renju/15/h8h8")
        assert window.play.tree is tree
        assert "not a position" in window.bar.text.text()

    def test_the_command_opens_a_link(self, monkeypatch):
        seen = []
        monkeypatch.setattr(app, "run", lambda *given: seen.append(given) or 0)
        assert command.main(["gomoku:renju/15/h8i9"]) == 0
        assert seen == [([], None, "gomoku:renju/15/h8i9")]

    def test_the_program_starts_with_a_link(self, qt, tmp_path):
        started = app.App(qt, tmp_path)
        window = started.start(None, "gomoku:renju/15/h8i9")
        assert window.play.tree.shown_game().moves == tuple(parse_moves("h8 i9"))
        window.study.analyst.rest()
        started.finish()


class TestSetUpPositions:
    @pytest.fixture
    def tree(self):
        made = GameTree(SET_UP.copy())
        made.set_names("Ann", "Bob")
        for cell in ("g7", "h9"):
            made.play(parse_move(cell))
        made.back(1)
        made.play(parse_move("g9"))
        made.end(Ending.won_by(Side.WHITE, "resigned"))
        made.node.comment = "why"
        made.node.set_label("a1", "1")
        return made

    def test_they_are_saved_as_sgf_and_opened_again(self, window, tree, tmp_path):
        window.games.show_game(tree)
        path = tmp_path / "set up.sgf"
        assert window.files.save_file(path)
        (record,) = read_games(path)
        assert record.properties["AB"] == ["hh", "jh"]
        assert record.properties["AW"] == ["ii"]
        assert record.text("PL") == "W"
        assert window.files.open_file(path)
        again = window.play.tree
        assert again is not tree
        assert again.game.black_stones == SET_UP.black_stones
        assert again.game.white_stones == SET_UP.white_stones
        assert (again.game.rule, again.game.first) == (Rule.RENJU, Side.WHITE)
        assert [again.name(side) for side in Side] == ["Ann", "Bob"]
        assert [n.move for n in again.game.variations[0].variations] == [
            parse_move("g9"),
            parse_move("h9"),
        ]
        end = again.end_of_line
        assert end.comment == "why"
        assert end.labels == {parse_move("a1"): "1"}
        assert again.ending_at(end).result == "0-1"

    def test_an_edited_position_is_saved(self, window, tmp_path):
        act(window, "edit_position")
        click(window, "h8")
        press(window, "Stones: White")
        click(window, "i9")
        press(window, "Finish")
        assert window.files.save_file(tmp_path / "edited.sgf")
        assert window.files.open_file(tmp_path / "edited.sgf")
        start = window.play.tree.game
        assert start.black_stones == (parse_move("h8"),)
        assert start.white_stones == (parse_move("i9"),)

    def test_walls_are_refused_with_a_way_out(self, tmp_path):
        walled = GameTree(Game(walls=(parse_move("a1"),)))
        with pytest.raises(ValueError, match=r"as \.json or \.txt"):
            documents.save_game(walled, tmp_path / "walls.sgf")
        count = documents.save_games(
            [walled, GameTree(SET_UP.copy())], tmp_path / "all.sgf"
        )
        assert count == 1


class TestMarks:
    @pytest.fixture
    def marking(self, window):
        window.games.show_game(GameTree(Game(moves="h8 i9")))
        act(window, "marks")
        assert "Triangle" in window.bar.text.text()
        return window

    def test_marks_are_placed_and_removed_by_clicks(self, marking, tmp_path):
        click(marking, "h8")
        click(marking, "a1")
        click(marking, "a1")
        press(marking, "Square")
        click(marking, "c3")
        press(marking, "Letter")
        for cell in ("d4", "e5", "d4", "f6"):
            click(marking, cell)
        press(marking, "Number")
        click(marking, "g7")
        node = marking.play.tree.node
        assert node.marks == {parse_move("h8"): "TR", parse_move("c3"): "SQ"}
        assert node.labels == {
            parse_move("e5"): "B",
            parse_move("f6"): "A",
            parse_move("g7"): "1",
        }
        assert marking.scene().labels == node.labels
        assert marking.play.tree.ply == 2, "no stone was placed"
        assert marking.files.save_file(tmp_path / "marks.sgf")
        (record,) = read_games(tmp_path / "marks.sgf")
        assert record.end().labels == node.labels
        press(marking, "Finish")
        click(marking, "k11")
        assert marking.play.tree.ply == 3

    def test_keys_place_marks_and_every_position_has_its_own(self, marking):
        marking.activateWindow()
        assert QTest.qWaitForWindowActive(marking)
        marking.board.setFocus()
        for which in (Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_PageUp):
            QTest.keyClick(marking.board, which)
        node = marking.play.tree.node
        assert node.marks == {}
        assert node.variations[0].marks == {parse_move("j9"): "TR"}
        click(marking, "b2")
        assert node.marks == {parse_move("b2"): "TR"}
        press(marking, "Remove all")
        assert node.marks == {}
        assert node.variations[0].marks == {parse_move("j9"): "TR"}
        act(marking, "marks")
        assert not marking.marks.is_active

    def test_the_chosen_mark_is_a_pressed_button_and_escape_finishes(self, marking):
        def pressed():
            return [b.text() for b in marking.bar.buttons if b.isChecked()]

        assert pressed() == ["Triangle"]
        press(marking, "Cross")
        assert pressed() == ["Cross"]
        assert len([b for b in marking.bar.buttons if b.text() == "Triangle"]) == 1
        QTest.keyClick(marking.bar.buttons[0], Qt.Key.Key_Escape)
        assert not marking.marks.is_active
        assert marking.bar.isHidden()

    def test_another_game_ends_the_editing(self, marking):
        marking.games.show_game(GameTree())
        assert not marking.marks.is_active
        act(marking, "train")
        act(marking, "marks")
        assert not marking.marks.is_active, "a puzzle has no marks"
