"""Small screens, screen readers, lists, hints in steps, programs that are not lost."""

import sys

import pytest
from PySide6.QtCore import QEvent, QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QInputDialog,
    QScrollArea,
    QTreeWidget,
)

from gomoku_brain.game.notation import parse_move, parse_moves
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.archive.archive_dialog import ArchiveDialog
from gomoku_brain.gui.base import forms
from gomoku_brain.gui.base.labels import plain_tip
from gomoku_brain.gui.dialogs import programs_dialog
from gomoku_brain.gui.dialogs.programs_dialog import ProgramsDialog
from gomoku_brain.gui.dialogs.settings_dialog import SettingsDialog
from gomoku_brain.gui.game.new_game_dialog import NewGameDialog
from gomoku_brain.gui.game.puzzles_dialog import PuzzlesDialog
from gomoku_brain.gui.model.game_players import GameConfig
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.gui.model.lessons import next_of_set
from gomoku_brain.gui.model.progress import SolverRecord
from gomoku_brain.gui.model.saved_game import SavedGame
from gomoku_brain.gui.model.settings import GameChoice
from gomoku_brain.gui.tournament.tournament_window import TournamentWindow
from gomoku_brain.records.game import Game
from gomoku_brain.study.puzzles import exercises, puzzle_levels
from tests.gui.clicks import act, click, press
from tests.gui.players import EASY, HUMAN


@pytest.fixture
def small_screen(monkeypatch):
    """A screen of 1024x600 pixels."""

    def resize(dialog):
        dialog.resize(dialog.sizeHint().boundedTo(QSize(1024, 600) * forms.SCREEN))

    monkeypatch.setattr("gomoku_brain.gui.game.puzzles_dialog.open_large", resize)
    monkeypatch.setattr("gomoku_brain.gui.game.new_game_dialog.open_large", resize)


class TestNamesOfGames:
    @pytest.mark.parametrize("zoom", [100, 200])
    def test_names_of_the_archive_use_the_width_and_have_tool_tips(self, window, zoom):
        window.settings.zoom = zoom
        window.switches.show_look()
        archive = window.archive_controller.archive()
        tree = GameTree(Game(moves="h8 i9"))
        name = "Gomoku Brain, full strength"
        long = "A name of more than forty letters, at least"
        tree.set_names(name, long)
        archive.store(SavedGame(tree, GameConfig()))
        dialog = ArchiveDialog(archive, "", window.presenter.theme, window)
        dialog.resize(980, 540)
        dialog.show()
        QTest.qWait(20)
        table = dialog.table
        widths = [table.columnWidth(column) for column in range(6)]
        assert sum(widths) <= table.viewport().width() + 1, "nothing is cut at the edge"
        if zoom == 100:
            assert widths[1] > dialog.fontMetrics().horizontalAdvance(name)
        shown = dialog.model.index(0, 2)
        tip = dialog.model.data(shown, Qt.ItemDataRole.ToolTipRole)
        assert tip == plain_tip(tree.game.white)
        dialog.reject()
        window.settings.zoom = 100
        window.switches.show_look()


class TestSmallScreens:
    @pytest.mark.parametrize("zoom", [100, 200])
    def test_buttons_of_dialogs_are_on_a_small_screen(
        self, window, small_screen, zoom, qt
    ):
        window.settings.zoom = zoom
        window.switches.show_look()
        for dialog in (
            PuzzlesDialog(puzzle_levels(), [], window.presenter.theme, window),
            NewGameDialog(GameChoice(), [], window),
        ):
            dialog.show()
            QTest.qWait(20)
            assert dialog.height() <= 560
            assert dialog.width() <= 1000
            box = dialog.findChild(QDialogButtonBox)
            for button in box.buttons():
                corner = button.mapTo(dialog, button.rect().bottomRight())
                assert dialog.rect().contains(corner)
            dialog.reject()
        window.settings.zoom = 100
        window.switches.show_look()

    def test_a_large_screen_needs_no_scroll_bar(self, window, monkeypatch):
        monkeypatch.setattr(
            "gomoku_brain.gui.game.new_game_dialog.open_large",
            lambda dialog: dialog.resize(dialog.sizeHint()),
        )
        dialog = NewGameDialog(GameChoice(), [], window)
        dialog.show()
        QTest.qWait(20)
        area = dialog.findChild(QScrollArea)
        assert not area.verticalScrollBar().isVisible()
        assert not area.horizontalScrollBar().isVisible()

    def test_all_windows_fit_a_small_screen_with_large_texts(self, window, tmp_path):
        window.settings.zoom = 200
        window.switches.show_look()
        theme = window.presenter.theme
        act(window, "train")
        archive = window.archive_controller.archive()
        for each in (
            window,
            ProgramsDialog([], window),
            SettingsDialog(window.settings, window),
            ArchiveDialog(archive, "", theme, window),
            TournamentWindow([], tmp_path, theme, window),
        ):
            each.show()
            QTest.qWait(20)
            least = each.minimumSizeHint()
            assert least.width() <= 1000, each
            assert least.height() <= 560, each
            if each is not window:
                each.hide()
        for name in ("storm", "marks", "edit_position"):
            window.games.show_game(GameTree())
            act(window, name)
            QTest.qWait(20)
            least = window.minimumSizeHint()
            assert least.width() <= 1000, name
            assert least.height() <= 560, name
        window.settings.zoom = 100
        window.switches.show_look()


class TestScreenReaders:
    def test_the_board_has_a_role_a_cursor_and_the_last_move(self, window, until):
        window.board.setFocus()
        interface = QAccessible.queryAccessibleInterface(window.board)
        assert interface.role() != QAccessible.Role.Client, "no filler"
        assert window.board.accessibleName() == "Board"
        assert window.board.accessibleDescription() == "No stones yet."
        click(window, "h8")
        until(lambda: window.play.tree.ply == 2)
        last = window.play.tree.node.move
        words = f"Last move: White {last}."
        assert interface.text(QAccessible.Text.Description) == words
        for key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            QTest.keyClick(window.board, key)
        name = interface.text(QAccessible.Text.Name)
        assert name == f"Board, {last}: White"
        QTest.keyClick(window.board, Qt.Key.Key_Up)
        assert window.board.accessibleName().startswith("Board, ")

    def test_messages_are_in_the_tree(self, window):
        window.statusBar().showMessage("hello")
        interface = QAccessible.queryAccessibleInterface(window.statusBar())
        assert interface.text(QAccessible.Text.Name) == "hello"


class TestLists:
    def test_values_stand_by_their_heads(self, window):
        window.resize(1280, 800)
        for table in (window.explorer.table, window.proof_panel.table):
            assert isinstance(table, QTreeWidget)
            assert not table.header().stretchLastSection()
        assert window.moves.columnWidth(3) < 200
        assert window.moves.headerItem().text(4) == "", "the spare width is empty"


class TestHints:
    def test_a_hint_in_a_game_comes_in_steps(self, window, until):
        moves = tuple(parse_moves("h8 a1 i8 a2 j8 a3 k8 l8"))
        window.games.start(GameChoice(black=HUMAN, white=HUMAN), Game(moves=moves))
        bar = window.statusBar()
        act(window, "hint")
        until(lambda: "There is a win in 1 move" in bar.currentMessage())
        assert window.scene().hint is None
        act(window, "hint")
        assert "Look at column g or row 8" in bar.currentMessage()
        assert window.scene().hint is None
        act(window, "hint")
        assert window.scene().hint == parse_move("g8")
        assert "Black wins in 1 move" in bar.currentMessage()
        click(window, "a15")
        assert window.scene().hint is None

    def get_warning(self, window, until):
        """Make a move that loses, with warnings switched on."""
        moves = tuple(parse_moves("h8 a1 i8 a15 j8"))  # white must stop the three
        window.games.start(GameChoice(black=HUMAN, white=HUMAN), Game(moves=moves))
        act(window, "warnings")
        click(window, "o1")
        until(lambda: window.bar.name == "guard")

    def test_a_losing_move_is_warned_of_if_wanted(self, window, until):
        self.get_warning(window, until)
        assert "After o1, Black wins by force in 2 moves" in window.bar.text.text()
        assert window.play.tree.ply == 5
        window.bar.buttons[0].click()
        assert not window.bar.isVisible()
        click(window, "k8")
        until(lambda: window.play.tree.ply == 6)
        window.play.undo(single=True)
        click(window, "o1")
        until(lambda: window.bar.name == "guard")
        window.bar.buttons[1].click()
        assert window.play.tree.ply == 6
        assert window.play.tree.node.move == parse_move("o1")
        act(window, "warnings")

    def test_a_warning_goes_with_its_position(self, window, until):
        self.get_warning(window, until)
        window.step(-2)
        assert window.bar.isHidden()
        act(window, "warnings")

    def test_the_mouse_does_not_remove_a_message(self, window):
        window._show_status("Look at column h.")
        window._point(parse_move("b2"))
        window._point(None)
        assert window.statusBar().currentMessage() == "Look at column h."
        window.statusBar().clearMessage()  # as after some seconds
        window._point(parse_move("b2"))
        assert window.statusBar().currentMessage() == "b2"

    def test_values_are_hidden_in_a_game_of_a_person(self, window, settings, until):
        play = window.play
        click(window, "h8")
        until(lambda: play.tree.ply == 2 and play.waits_for_person)
        assert values_shown(window) == []
        act(window, "show_analysis")
        assert values_shown(window) == []
        act(window, "back")
        assert values_shown(window) == [], "the game goes on"
        act(window, "last")
        act(window, "evaluation_in_play")
        assert settings.evaluation_in_play
        assert values_shown(window) == ["bar", "curve", "list"]
        act(window, "evaluation_in_play")
        assert values_shown(window) == []
        play.set_free(True)
        assert values_shown(window) == ["bar", "curve", "list"]

    def test_a_review_that_is_wanted_in_a_game_is_shown(self, window, until):
        play = window.play
        click(window, "h8")
        until(lambda: play.tree.ply == 2 and play.waits_for_person)
        act(window, "review")
        until(lambda: values_shown(window) == ["bar", "curve", "list", "review"])
        click(window, "a1")
        until(lambda: play.tree.ply == 4 and play.waits_for_person)
        assert play.tree.node in play.tree.chances
        assert window.evaluation.chance is None, "it was not reviewed"

    @pytest.mark.parametrize("how", ["rated", "puzzle", "new game"])
    def test_an_analysis_that_was_on_gives_no_help_in_a_game(self, window, how):
        window.games.show_game(GameTree(Game(moves="h8 i9")))
        act(window, "train")
        act(window, "analyze")
        assert not window.study.analyst.watching
        assert values_shown(window) == []
        act(window, "review")
        assert not window.study.analyst.busy
        if how == "rated":
            window.rated.begin(44)
        elif how == "puzzle":
            window.games.start_puzzle(puzzle_levels()[0])
        else:
            window.games.start(GameChoice(black=HUMAN, white=EASY))
        assert not window.study.on
        assert not window.actions_["analyze"].isChecked()
        assert not window.study.analyst.watching
        window.play.tree.chances[window.play.tree.node] = 0.8
        window.refresh()
        assert values_shown(window) == []
        act(window, "analyze")
        assert window.study.analyst.watching == (how != "rated"), "it was asked for"


def values_shown(window):
    """Return the displays that have a value."""
    rows = [
        window.moves.topLevelItem(k) for k in range(window.moves.topLevelItemCount())
    ]
    found = {
        "bar": window.evaluation.chance is not None,
        "curve": any(chance is not None for chance in window.panel.curve._chances),
        "list": any(row.text(3) for row in rows),
        "review": window.panel.review.isVisibleTo(window.panel),
    }
    return [name for name, is_shown in found.items() if is_shown]


class TestBesideTheBoard:
    """What matters stands in the bar, not only in the status line."""

    def test_the_steps_of_swap2_and_a_refusal_beside_its_question(self, window, until):
        bar = window.bar
        window.games.start(GameChoice(black=HUMAN, white=HUMAN, swap2=True))
        assert bar.isVisible()
        assert bar.line.text().startswith("Swap2: place three stones")
        for cell in ("h8", "i9", "o15"):
            click(window, cell)
        labels = [button.text() for button in bar.buttons]
        assert "Take black" in labels
        assert bar.line.isHidden(), "the question stands there"
        click(window, "a1")
        assert bar.line.text() == "Choose a colour first."
        assert [button.text() for button in bar.buttons] == labels
        assert "Choose a colour first" in bar.accessibleName()
        press(window, "Add two stones")
        assert bar.line.text() == "Swap2: place two more stones: white, black."
        click(window, "a1")
        click(window, "a1")
        assert bar.line.text().endswith("black.\nThis point is occupied.")
        click(window, "b2")
        assert bar.line.isHidden(), "a note goes with its position"

    def test_the_task_of_a_level_and_its_hint(self, window, until):
        level = puzzle_levels()[1]
        window.games.start_puzzle(level)
        task = window.hint_text.text()
        assert task.startswith("End game 2: black to move wins in")
        assert window.bar.line.text() == task
        act(window, "hint")
        assert window.bar.line.text().startswith(task + "\nThere is a win in")
        click(window, level.move)
        assert window.play.thinking is Side.WHITE
        assert window.bar.line.text() == task, "it stays while the defence thinks"
        until(lambda: window.play.waits_for_person)
        assert window.bar.line.text() == window.hint_text.text() != task
        window.games.start(GameChoice(black=HUMAN, white=HUMAN))
        assert window.bar.isHidden()

    @pytest.mark.parametrize("name", ["train", "edit_position", "marks", "swap2"])
    def test_a_failure_does_not_replace_what_is_needed(self, window, tmp_path, name):
        file = tmp_path / "broken.sgf"
        file.write_bytes(b"\0\1\2")
        if name == "swap2":
            window.games.start(GameChoice(black=HUMAN, white=HUMAN, swap2=True))
            for cell in ("h8", "i9", "o15"):
                click(window, cell)
        else:
            act(window, name)
        before = window.bar.text.text(), [b.text() for b in window.bar.buttons]
        window.files.open_file(file)
        assert [b.text() for b in window.bar.buttons] == ["OK"]
        press(window, "OK")
        again = window.bar.text.text(), [b.text() for b in window.bar.buttons]
        assert again[1] == before[1]
        assert again[0].startswith(before[0].splitlines()[0])


class TestPositionEditor:
    def test_stones_are_placed_and_removed_and_the_result_is_played(self, window):
        archive = window.archive_controller.autosave.archive
        act(window, "edit_position")
        for cell in ("h8", "i8", "j8"):
            click(window, cell)
        press(window, "Stones: White")
        for cell in ("a1", "o15", "i8"):
            click(window, cell)  # i8 has a stone, which is removed
        press(window, "To move: White")
        assert "White is to move" in window.bar.text.text()
        assert not archive.games(), "only the result is stored"
        press(window, "Finish")
        start = window.play.tree.game
        assert {str(move) for move in start.black_stones} == {"h8", "j8"}
        assert {str(move) for move in start.white_stones} == {"a1", "o15"}
        assert window.play.tree.turn is Side.WHITE
        assert not window.bar.isVisible()
        click(window, "i9")
        assert window.play.tree.board.stone(parse_move("i9")) is Side.WHITE

    def test_cancel_brings_the_game_back(self, window):
        moves = tuple(parse_moves("h8 i9"))
        window.games.start(GameChoice(black=HUMAN, white=HUMAN), Game(moves=moves))
        window.play.set_free(True)
        act(window, "edit_position")
        press(window, "Remove all")
        assert window.play.tree.board.ply == 0
        press(window, "Cancel")
        assert window.play.tree.shown_game().moves == moves
        click(window, "a1")
        assert window.play.tree.ply == 3

    def test_puzzles_end_the_editor_and_bring_its_position_back(self, window):
        archive = window.archive_controller.archive()
        act(window, "edit_position")
        click(window, "h8")
        act(window, "train")
        assert not window.editor.is_active
        press(window, "Back")
        assert window.play.tree.game.black_stones == (parse_move("h8"),)
        assert not window.play.tree.is_lesson
        window.games.start(window.settings.game)
        assert len(archive.games()) == 1, "it is stored without a move"
        click(window, "i9")
        assert window.play.tree.ply == 1

    def test_another_game_ends_the_editor(self, window):
        act(window, "edit_position")
        window.games.start(GameChoice(black=HUMAN, white=HUMAN))
        assert not window.editor.is_active
        click(window, "h8")
        assert window.play.tree.ply == 1


class TestNames:
    def test_a_person_has_a_name(self, window):
        dialog = SettingsDialog(window.settings, window)
        dialog.name.setText(" Ann ")
        dialog.apply()
        window._take_settings(False)
        window.refresh()
        assert window.cards[Side.BLACK].name.text() == "Ann"
        window.settings.name = ""
        window._take_settings(False)
        window.refresh()
        assert window.cards[Side.BLACK].name.text() == "You"

    def test_one_of_several_dropped_files_is_chosen(
        self, window, tmp_path, monkeypatch
    ):
        paths = []
        for name in ("a.psq", "b.txt"):
            paths.append(tmp_path / name)
        paths[1].write_text("h8 i9")
        offered = []

        def choose(parent, title, text, names, *rest):
            offered.extend(names)
            return names[1], True

        monkeypatch.setattr(QInputDialog, "getItem", choose)
        window.files.open_one_of(paths)
        assert offered == ["a.psq", "b.txt"]
        assert window.play.tree.ply == 2


class TestPuzzleRules:
    def test_the_rule_is_in_the_message_and_chosen_in_the_settings(
        self, window, settings
    ):
        dialog = SettingsDialog(settings, window)
        dialog.puzzles.setCurrentIndex(dialog.puzzles.findData("renju"))
        dialog.apply()
        act(window, "train")
        assert window.trainer.lesson.game.rule is Rule.RENJU
        assert "Renju  ·  Puzzle rated" in window.bar.text.text()

    def test_an_open_puzzle_of_another_rule_is_not_shown(self):
        from random import Random

        record = SolverRecord(open=1)
        first = exercises()[0].rule
        other = next(rule for rule in (Rule.RENJU, Rule.FREESTYLE) if rule != first)
        assert next_of_set(exercises(), record, Random(1), first) == exercises()[0]
        assert next_of_set(exercises(), record, Random(1), other).rule is other


class TestPrograms:
    @pytest.fixture
    def dialog(self, window, monkeypatch):
        monkeypatch.setattr(
            programs_dialog, "try_program", lambda name, command, stop: {"name": "X"}
        )
        programs = []
        made = ProgramsDialog(programs, window)
        made.programs = programs
        made.show()
        return made

    def test_a_program_that_works_is_added(self, dialog, until):
        dialog.name.setText("X")
        dialog.command.setText(sys.executable)
        place = dialog.try_button.mapTo(dialog, QPoint(0, 0))
        QTest.mouseClick(dialog.try_button, Qt.MouseButton.LeftButton)
        until(lambda: "added to the list" in dialog.verdict.text())
        QTest.qWait(20)
        assert dialog.try_button.mapTo(dialog, QPoint(0, 0)) == place, "nothing jumps"
        assert [program.name for program in dialog.programs] == ["X"]
        dialog.reject()
        assert len(dialog.programs) == 1

    @pytest.mark.parametrize("answer", ["yes", "no"])
    def test_closing_loses_no_program_without_a_question(self, dialog, answer):
        dialog.name.setText("Y")
        dialog.command.setText("y")

        def press():
            box = QApplication.activeModalWidget()
            box.findChild(type(dialog.try_button), answer).click()

        QTimer.singleShot(20, press)
        dialog.reject()
        assert [p.name for p in dialog.programs] == (["Y"] if answer == "yes" else [])


def test_closed_dialogs_do_not_stay_in_memory(qt, window):
    for name in ("archive", "settings", "puzzles", "programs", "new"):
        QTimer.singleShot(0, lambda: QApplication.activeModalWidget().reject())
        window.actions_[name].trigger()
    for name in ("rules", "results"):
        window.actions_[name].trigger()
        window.findChildren(QDialog)[-1].reject()
    qt.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not window.findChildren(QDialog)
