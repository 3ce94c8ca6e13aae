"""Questions, warnings, and the message bar beside the board."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
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
    """Message with buttons beside the board, and a line below it.

    The line has the task of the person and a note, such as a hint. Neither it nor the
    message blocks the window.
    """

    answered = Signal()
    """A button was pressed, and no other message has followed."""
    filled = Signal()
    """The bar has a text."""

    def __init__(self) -> None:
        """Create a hidden bar."""
        super().__init__()
        self.setObjectName("bar")
        self.head = Label()
        """Large text above the message, such as a clock."""
        self.head.setObjectName("clock")
        self.text = Label()
        self.text.setWordWrap(True)
        self._row = FlowLayout()
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 6, 10, 6)
        column.addWidget(self.head)
        column.addWidget(self.text)
        column.addLayout(self._row)
        self.line = Label()
        self.line.setWordWrap(True)
        column.addWidget(self.line)
        self._task = self._note = ""
        self.buttons: list[QPushButton] = []
        self.name = ""
        """Name of the current message."""
        self.clear()

    def show_message(
        self,
        text: str,
        *offers: tuple[str, Callable[[], object]],
        name: str = "",
        head: str = "",
    ) -> None:
        """Show a text and buttons, each a label and its handler.

        ``name`` identifies the message for ``MessageBar.name``. ``head`` is large.
        """
        self.clear()
        self.name = name
        self.head.setText(head)
        self.head.setVisible(bool(head))
        self.text.setText(text)
        self.text.show()
        for label, handler in offers:
            button = QPushButton(label)
            button.clicked.connect(
                lambda checked=False, handler=handler: self._do(handler)
            )
            self._row.addWidget(button)
            self.buttons.append(button)
        self._arrange()
        announce(self, text)

    def show_task(self, text: str) -> None:
        """Show the task of the person in the line; "" shows none."""
        self._task = text
        self._arrange()

    def show_note(self, text: str) -> None:
        """Show a short text in the line, below the task; "" shows none."""
        self._note = text
        self._arrange()

    def _arrange(self) -> None:
        """Show the line and the bar if they have a text."""
        line = "\n".join(filter(None, (self._task, self._note)))
        self.line.setText(line)
        self.line.setVisible(bool(line))
        message = "" if self.text.isHidden() else self.text.text()
        self.setAccessibleName("\n".join(filter(None, (message, line))))
        self.setVisible(bool(message or line))
        if message or line:
            self.filled.emit()

    def set_head(self, text: str) -> None:
        """Change the large text without announcing it."""
        if text != self.head.text():
            self.head.setText(text)

    def _do(self, handler: Callable[[], object]) -> None:
        if self.name != "ending":  # it stays until the next game
            self.clear()
        handler()
        if self.text.isHidden():
            self.answered.emit()

    def clear(self) -> None:
        """Hide the message. The line stays."""
        for button in self.buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = []
        self.name = ""
        self.head.hide()
        self.text.hide()
        self._arrange()
