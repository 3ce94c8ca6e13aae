import shlex
import sys
import time

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLabel

from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.archive.archive_dialog import ArchiveDialog
from gomoku_brain.gui.base import background
from gomoku_brain.gui.base.themes import LIGHT
from gomoku_brain.gui.dialogs.programs_dialog import ProgramsDialog
from gomoku_brain.gui.dialogs.settings_dialog import SettingsDialog
from gomoku_brain.gui.game.new_game_dialog import NewGameDialog
from gomoku_brain.gui.game.puzzles_dialog import PuzzlesDialog
from gomoku_brain.gui.model.archive import Archive
from gomoku_brain.gui.model.game_players import GameConfig, PlayerConfig
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.gui.model.saved_game import SavedGame
from gomoku_brain.gui.model.settings import GameChoice, Program, Settings
from gomoku_brain.gui.window.main_window import Window
from gomoku_brain.records.game import Game
from gomoku_brain.records.read import read_games
from gomoku_brain.study.puzzles import puzzle_levels
from tests.match.engines import fake


class TestNewGame:
    CHOICE = GameChoice(
        "renju",
        19,
        PlayerConfig("program", "Pela", command="pbrain-pela"),
        PlayerConfig("brain", strength=66),
        swap2=True,
        turn=0.5,
        match=90.0,
        increment=1.5,
        people_too=True,
    )

    @pytest.mark.parametrize("listed", [True, False])
    def test_what_is_shown_is_what_was_chosen_last(self, qt, listed):
        programs = [Program("Pela", "pbrain-pela")] if listed else []
        assert NewGameDialog(self.CHOICE, programs).choice() == self.CHOICE

    def test_everything_can_be_chosen(self, qt):
        dialog = NewGameDialog(GameChoice(), [Program("Pela", "pbrain-pela")])
        for size in (5, 22):
            dialog.size_.setValue(size)
            assert dialog.choice().start.width == size
        dialog.rule.setCurrentIndex(1)
        assert dialog.choice().rule == "standard"
        box = dialog.boxes[Side.BLACK]
        kinds = []
        for row in range(box.count()):
            box.setCurrentIndex(row)
            kinds.append(dialog.choice().black.kind)
        assert kinds == ["human"] + ["brain"] * 10 + ["program"]
        dialog.turn.setValue(0)
        dialog.match.setValue(5)
        assert dialog.choice().game_config().control.match == 300

    def test_each_label_has_its_own_letter(self, qt):
        dialog = NewGameDialog(GameChoice(), [])
        labels = [each.text() for each in dialog.findChildren(QLabel)]
        keys = [text[text.index("&") + 1].lower() for text in labels if "&" in text]
        assert {"b", "w"} < set(keys)
        assert len(keys) == len(set(keys))

    def test_a_new_game_begins_as_chosen(self, qt, settings):
        window = Window(settings)
        window.show()

        def choose():
            dialog = QApplication.activeModalWidget()
            dialog.size_.setValue(9)
            dialog.boxes[Side.WHITE].setCurrentIndex(0)
            buttons = dialog.findChild(QDialogButtonBox)
            ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
            QTest.mouseClick(ok, Qt.MouseButton.LeftButton)

        QTimer.singleShot(50, choose)
        window.actions_["new"].trigger()
        assert window.play.tree.game.width == 9
        assert settings.game.size == 9
        assert window.play.people == [Side.BLACK, Side.WHITE]
        window.play.close()


class TestPrograms:
    def test_programs_are_added_changed_and_removed(self, qt):
        programs = [Program("A", "a")]
        dialog = ProgramsDialog(programs)
        for name, command in (("B", "b"), ("A", "a --fast"), ("", "x"), ("C", " ")):
            dialog.name.setText(name)
            dialog.command.setText(command)
            dialog.add()
        assert programs == [Program("A", "a --fast"), Program("B", "b")]
        assert "needs a name" in dialog.verdict.text()
        dialog.list.setCurrentRow(1)
        assert dialog.command.text() == "b"
        dialog.list.setCurrentRow(0)
        assert dialog.command.text() == "a --fast"
        dialog.remove()
        assert programs == [Program("B", "b")]
        assert dialog.list.count() == 1

    def test_enter_adds_the_program(self, qt):
        programs = []
        dialog = ProgramsDialog(programs)
        dialog.show()
        dialog.name.setText("A")
        dialog.command.setText("a")
        QTest.keyClick(dialog.command, Qt.Key.Key_Return)
        assert programs == [Program("A", "a")]
        assert dialog.isVisible()
        dialog.close()

    @pytest.mark.skipif(sys.platform == "win32", reason="POSIX quoting")
    def test_a_program_on_trial_is_ended_with_the_dialog(self, qt):
        dialog = ProgramsDialog([])
        dialog.command.setText(shlex.join(fake("stall", "START").command))
        dialog.try_out()
        dialog.reject()
        begun = time.perf_counter()
        background.finish_all()
        assert time.perf_counter() - begun < 4

    @pytest.mark.skipif(sys.platform == "win32", reason="POSIX quoting")
    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ((), "Works: name Fake, version 1"),
            (("crash", "START"), "Fails: crash (exited with status 3)"),
            (("UNKNOWN", "ABOUT"), "Works: it gives no information"),
        ],
    )
    def test_a_program_is_tried(self, qt, until, arguments, words):
        dialog = ProgramsDialog([])
        dialog.name.setText("fake")
        dialog.command.setText(shlex.join(fake(*arguments).command))
        dialog.try_out()
        until(lambda: dialog.verdict.text() not in ("", "Trying…"))
        added = " It was added to the list." if "Works" in words else ""
        assert dialog.verdict.text() == words + added
        QTest.keyClicks(dialog.name, "r")
        assert not dialog.verdict.text(), "it is about another program"

    def test_what_cannot_be_run_is_reported(self, qt, until):
        dialog = ProgramsDialog([])
        for command in ("", "/no/such/program"):
            dialog.command.setText(command)
            dialog.verdict.clear()
            dialog.try_out()
            until(lambda: dialog.verdict.text().startswith("Fails"))


def test_the_puzzles_are_shown_and_the_first_unsolved_is_offered(qt):
    dialog = PuzzlesDialog(puzzle_levels(), [1, 2, 4], LIGHT)
    dialog.resize(dialog.sizeHint())
    dialog.show()
    shown = dialog.list.visualItemRect
    columns = {shown(dialog.list.item(row)).x() for row in range(dialog.list.count())}
    across = dialog.list.viewport().width() // dialog.list.gridSize().width()
    assert len(columns) == across > 1, "no column is empty"
    assert dialog.list.count() == 20
    dialog.show()
    qt.processEvents()
    over = dialog.list.viewport().width() % dialog.list.gridSize().width()
    assert over < 20, "no column stays empty"
    assert dialog.list.item(1).text().endswith("✓")
    assert not dialog.list.item(2).text().endswith("✓")
    dialog._choose()
    assert dialog.chosen.number == 3


def test_settings_are_changed_only_when_applied(qt):
    settings = Settings(theme="dark", threads=1, hash_mb=32)
    dialog = SettingsDialog(settings)
    dialog.theme.setCurrentIndex(dialog.theme.findData("contrast"))
    dialog.language.setCurrentIndex(dialog.language.findData("zh_CN"))
    dialog.sound.setChecked(True)
    dialog.memory.setValue(100)
    assert settings.theme == "dark"
    dialog.apply()
    assert (settings.theme, settings.language) == ("contrast", "zh_CN")
    assert settings.sound
    assert (settings.threads, settings.hash_mb) == (1, 100)


class TestArchive:
    @pytest.fixture
    def archive(self, tmp_path):
        made = Archive(tmp_path / "games.db")
        for k, name in enumerate(("Ann", "Bob", "Cy")):
            tree = GameTree(Game(moves=tuple(parse_moves("h8 i9 j10")[: k + 1])))
            tree.set_names(name, "Dan")
            made.store(SavedGame(tree, GameConfig()))
        yield made
        made.close()

    @pytest.fixture
    def dialog(self, qt, archive, tmp_path):
        made = ArchiveDialog(archive, str(tmp_path), LIGHT)
        made.show()
        yield made
        made.close()

    def names(self, dialog):
        model = dialog.model
        return [model.index(k, 1).data() for k in range(model.rowCount())]

    def test_games_are_searched_and_opened(self, dialog, until):
        assert self.names(dialog) == ["Cy", "Bob", "Ann"]
        QTest.keyClicks(dialog.player, "ann")
        until(lambda: self.names(dialog) == ["Ann"])
        assert dialog.preview.scene.board.ply == 1
        QTest.mouseClick(dialog.open_button, Qt.MouseButton.LeftButton)
        assert dialog.chosen == 1

    def test_the_newest_is_chosen_while_the_keys_that_opened_it_are_down(
        self, window, dialog
    ):
        held = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        QTest.keyPress(window, Qt.Key.Key_F35, held)  # until another event, as by hand
        dialog.refresh()
        assert dialog.numbers() == [3]
        assert dialog.open_button.isEnabled()
        QTest.keyRelease(window, Qt.Key.Key_F35)

    def test_a_filter_that_nothing_meets_shows_nothing(self, dialog):
        dialog.ending.setCurrentIndex(dialog.ending.findData("1-0"))
        assert self.names(dialog) == []
        assert not dialog.open_button.isEnabled()
        dialog.ending.setCurrentIndex(dialog.ending.findData("*"))
        assert len(self.names(dialog)) == 3

    def test_many_are_exported(self, dialog, tmp_path):
        dialog.table.selectAll()
        assert not dialog.open_button.isEnabled()
        dialog.export_sgf(tmp_path / "all.sgf")
        assert len(read_games(tmp_path / "all.sgf")) == 3
        (tmp_path / "psq").mkdir()
        dialog.export_psq(tmp_path / "psq")
        assert len(list((tmp_path / "psq").glob("*.psq"))) == 3
        assert "3 games were written" in dialog.count.text()

    def test_deleting_asks(self, dialog, monkeypatch):
        answers = ["no", "yes"]
        monkeypatch.setattr(
            "gomoku_brain.gui.archive.archive_dialog.show_question",
            lambda *words: answers.pop(0),
        )
        dialog.delete()
        assert len(self.names(dialog)) == 3
        dialog.delete()
        assert self.names(dialog) == ["Bob", "Ann"]
