"""What a person does with a window: clicks, actions, buttons of a message."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gomoku_brain.game.notation import parse_move


def click(window, cell):
    """Click a cell of the board."""
    point = window.board.position_of(parse_move(str(cell))).toPoint()
    QTest.mouseClick(window.board, Qt.MouseButton.LeftButton, pos=point)


def act(window, name):
    """Choose an action of the menus."""
    assert window.actions_[name].isEnabled(), name
    window.actions_[name].trigger()


def press(window, label):
    """Click the button of the message below the board whose text has the label."""
    button = next(b for b in window.bar.buttons if label in b.text())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
