"""Questions, warnings, and the message bar beside the board."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import (
    QFrame,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gomoku_brain.foreign_text import shown
from gomoku_brain.gui.base.flow_layout import FlowLayout
from gomoku_brain.gui.base.labels import Label

__all__ = ["Choice", "MessageBar", "announce", "show_question", "show_warning"]

Choice = tuple[str, str]
"""Key and label of a button."""


def show_question(
    parent: QWidget,
    title: str,
    text: str,
    choices: Sequence[Choice],
    default: str = "",
) -> str:
    """Show a question and wait for the answer. Return the key of the chosen button.

    Enter selects ``default`` or the first choice, Escape the last one.
    """
    box = _plain_box(QMessageBox.Icon.Question, title, text, parent)
    buttons: dict[str, QPushButton] = {}
    for key, label in choices:
        buttons[key] = box.addButton(label, QMessageBox.ButtonRole.ActionRole)
        buttons[key].setObjectName(key)
    keys = list(buttons)
    box.setDefaultButton(buttons[default or keys[0]])
    box.setEscapeButton(buttons[keys[-1]])
    box.exec()
    clicked = box.clickedButton()
    return next((key for key in keys if buttons[key] is clicked), keys[-1])


def show_warning(parent: QWidget, title: str, text: str, more: str = "") -> QMessageBox:
    """Show a warning without waiting."""
    box = _plain_box(QMessageBox.Icon.Warning, title, text, parent)
    if more:
        box.setInformativeText(shown(more, lines=True))
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
    return box


def _plain_box(
    icon: QMessageBox.Icon, title: str, text: str, parent: QWidget
) -> QMessageBox:
    """Return a message box of plain text."""
    box = QMessageBox(icon, title, shown(text, lines=True), parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    return box


def announce(widget: QWidget, text: str) -> None:
    """Let a screen reader read a message."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


class MessageBar(QFrame):
    """Message with buttons beside the board. It does not block the window."""

    def __init__(self) -> None:
        """Create a hidden bar."""
        super().__init__()
        self.setObjectName("bar")
        self.text = Label()
        self.text.setWordWrap(True)
        self._row = FlowLayout()
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 6, 10, 6)
        column.addWidget(self.text)
        column.addLayout(self._row)
        self.buttons: list[QPushButton] = []
        self.name = ""
        """Name of the current message."""
        self.hide()

    def show_message(
        self, text: str, *offers: tuple[str, Callable[[], object]], name: str = ""
    ) -> None:
        """Show a text and buttons, each a label and its handler.

        ``name`` identifies the message for ``MessageBar.name``.
        """
        self.clear()
        self.name = name
        self.text.setText(text)
        self.setAccessibleName(text)
        for label, handler in offers:
            button = QPushButton(label)
            button.clicked.connect(
                lambda checked=False, handler=handler: self._do(handler)
            )
            self._row.addWidget(button)
            self.buttons.append(button)
        self.show()
        announce(self, text)

    def set_text(self, text: str) -> None:
        """Change the text of the current message without announcing it."""
        if text != self.text.text():
            self.text.setText(text)

    def _do(self, handler: Callable[[], object]) -> None:
        self.clear()
        handler()

    def clear(self) -> None:
        """Hide the message."""
        for button in self.buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = []
        self.name = ""
        self.hide()
