"""Play, analysis, review and puzzles by the keyboard alone, as a person types.

Nothing is clicked and no action is triggered: every step is a key that the widget with
the focus gets. Dialogs are answered the same way.
"""

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gomoku_brain.game.notation import parse_move
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.records.game import Game

BLUNDER = Game(moves="h8 a1 i8 a3 j8 a5 b7 a7")


@pytest.fixture
def keys(qt, window):
    """Types keys, given by their names, one after the other."""
    window.activateWindow()
    qt.processEvents()

    def press(*names):
        for name in names:
            target = QApplication.focusWidget() or window
            (combination,) = [QKeySequence(name)[0]]
            QTest.keyClick(target, combination.key(), combination.keyboardModifiers())
            qt.processEvents()
            if QApplication.activeWindow() is not window:  # as a desktop does
                window.activateWindow()
                qt.processEvents()

    return press


@pytest.fixture
def place(window, keys):
    """Puts a stone on a cell: arrows from where the cursor is, then Enter."""

    def placed(cell):
        board = window.board
        assert QApplication.focusWidget() is board
        keys("Return" if board.scene.cursor is None else "Left")
        goal, here = parse_move(cell), board.scene.cursor
        across, down = goal.x - here.x, goal.y - here.y
        keys(*["Right" if across > 0 else "Left"] * abs(across))
        keys(*["Down" if down > 0 else "Up"] * abs(down))
        assert board.scene.cursor == goal
        keys("Return")

    return placed


def answer(*names):
    """Type into the dialog that comes up, once it is there."""

    def type_into():
        dialog = QApplication.activeModalWidget()
        if dialog is None:
            QTimer.singleShot(20, type_into)
            return
        for name in names:
            combination = QKeySequence(name)[0]
            target = dialog.focusWidget() or dialog
            QTest.keyClick(target, combination.key(), combination.keyboardModifiers())

    QTimer.singleShot(20, type_into)


def test_a_game_is_played_taken_back_reviewed_and_learned_from(
    window, keys, place, until, quick_review
):
    answer("Return")  # a person and the brain, as offered
    keys("Ctrl+N")
    place("h8")
    until(lambda: window.play.tree.ply == 2)
    place("i9" if window.play.tree.board.is_empty(parse_move("i9")) else "g7")
    until(lambda: window.play.tree.ply == 4)
    keys("Ctrl+Z")
    assert window.play.tree.ply == 2
    keys("Ctrl+Y")
    assert window.play.tree.ply == 4
    keys("PgUp", "Home")
    assert window.play.tree.ply == 0
    keys("End", "Ctrl+P")
    assert not window.play.paused
    keys("Ctrl+H")
    until(lambda: "Again" in window.statusBar().currentMessage())
    keys("Ctrl+H", "Ctrl+H")
    assert window.scene().hint is not None
    keys("Ctrl+B", "Ctrl+R")
    until(lambda: window.panel.review.isVisible())
    assert window.tabs.currentWidget() is window.panel


def test_the_end_is_reviewed_by_the_bar(window, keys, place, until, quick_review):
    keys("Ctrl+B")  # both sides by hand
    for cell in "h8 g9 i8 a3 j8 a5 k8 a7 l8".split():
        place(cell)
    assert window.play.ending is not None
    keys("Ctrl+R")
    until(lambda: window.panel.review.list.topLevelItemCount() > 0)


def test_mistakes_are_walked_through_and_learned_from(
    window, keys, place, until, quick_review
):
    window.games.show_game(GameTree(BLUNDER.copy()))
    keys("Ctrl+R")
    mistakes = window.panel.review.list
    until(lambda: mistakes.topLevelItemCount() > 0)
    for _ in range(60):  # to the list by Tab alone
        if QApplication.focusWidget() is mistakes:
            break
        keys("Tab")
    assert QApplication.focusWidget() is mistakes
    keys("Down", "Up")
    node = window.panel.review.mistakes()[0]
    assert window.play.tree.node is node.parent
    assert window.scene().line, "the better line is numbered"
    keys("Ctrl+Shift+R")
    lesson = window.trainer.lesson
    assert lesson is not None
    window_has_board_focus(window, keys)
    place(str(lesson.answers[0]))
    until(lambda: "Excellent" in window.bar.text.text())
    keys("N")
    assert window.trainer.lesson is not lesson


def window_has_board_focus(window, keys):
    """Escape leads back to the board from wherever one is."""
    keys("Escape")
    assert QApplication.focusWidget() is window.board


def test_the_buttons_of_the_bar_are_reached(window, keys, until):
    keys("Ctrl+Shift+L")
    lesson = window.trainer.lesson
    assert lesson is not None
    question = window.bar.text.text()
    keys("F6")
    assert QApplication.focusWidget() is window.bar.buttons[0]
    keys("Space")
    assert window.bar.text.text() != question, "a hint"
    keys("F6")
    keys(*["Tab"] * (len(window.bar.buttons) - 1))
    assert "Back" in QApplication.focusWidget().text()
    keys("Space")
    assert window.trainer.lesson is None, "back to the game"


def test_every_tab_is_reached_and_a_line_is_shown_and_played(window, keys, until):
    window.games.show_game(GameTree(Game(moves="h8 i9 g9 i7")))
    for number, widget in enumerate(
        (window.moves, window.panel, window.explorer, window.proof_panel, window.log), 1
    ):
        keys(f"Alt+{number}")
        assert window.tabs.currentWidget() is widget
    keys("Ctrl+A")
    table = window.panel.table
    until(lambda: table.topLevelItemCount() > 0)
    keys("Alt+2")
    assert QApplication.focusWidget() is table
    keys("Down")
    until(lambda: window.scene().line)
    keys("Return")
    assert window.play.tree.node.variations, "a variation"


def test_moves_are_walked_through_in_their_list(window, keys):
    window.games.show_game(GameTree(Game(moves="h8 i9 g9 i7")))
    keys("Alt+1")
    assert QApplication.focusWidget() is window.moves
    keys("Home", "Down")
    assert window.play.tree.ply == 1
    keys("Down", "Down")
    assert window.play.tree.ply == 3
    keys("Escape")
    assert QApplication.focusWidget() is window.board


@pytest.mark.parametrize(
    ("shortcut", "name"),
    [
        ("Ctrl+,", "SettingsDialog"),
        ("Ctrl+G", "ProgramsDialog"),
        ("Ctrl+Shift+O", "ArchiveDialog"),
        ("Ctrl+L", "PuzzlesDialog"),
        ("Ctrl+N", "NewGameDialog"),
    ],
)
def test_dialogs_open_by_a_key_and_leave_by_escape(window, keys, shortcut, name):
    seen = []

    def look():
        dialog = QApplication.activeModalWidget()
        seen.append(type(dialog).__name__)
        QTest.keyClick(dialog, Qt.Key.Key_Escape)

    QTimer.singleShot(200, look)
    keys(shortcut)
    assert seen == [name]
    assert QApplication.activeModalWidget() is None
