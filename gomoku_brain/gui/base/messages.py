"""What the window says and asks: questions, and the bar above the board."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

__all__ = ["Choice", "MessageBar", "ask", "tell"]

Choice = tuple[str, str]
"""A key and what stands on its button."""


def ask(
    parent: QWidget,
    title: str,
    text: str,
    choices: Sequence[Choice],
    default: str = "",
) -> str:
    """Put a question and wait; the key of the answer, that of the last for Escape.

    Enter does what `default` names, or the first choice.
    """
    box = QMessageBox(QMessageBox.Icon.Question, title, text, parent=parent)
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


def tell(parent: QWidget, title: str, text: str, more: str = "") -> QMessageBox:
    """Show a message without waiting."""
    box = QMessageBox(QMessageBox.Icon.Warning, title, text, parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    if more:
        box.setInformativeText(more)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
    return box


class MessageBar(QFrame):
    """A line with buttons above the board; it blocks nothing."""

    def __init__(self) -> None:
        """Hidden."""
        super().__init__()
        self.setObjectName("bar")
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self._row = QHBoxLayout()
        self._row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 6, 10, 6)
        column.addWidget(self.text)
        column.addLayout(self._row)
        self.buttons: list[QPushButton] = []
        self.name = ""
        """Of the message that is shown."""
        self.hide()

    def show_message(
        self, text: str, *offers: tuple[str, Callable[[], object]], name: str = ""
    ) -> None:
        """Say something and offer buttons, each with what it does; `name` tells
        programs which message it is."""
        self.clear()
        self.name = name
        self.text.setText(text)
        self.setAccessibleName(text)
        for label, deed in offers:
            button = QPushButton(label)
            button.clicked.connect(lambda checked=False, deed=deed: self._do(deed))
            self._row.addWidget(button)
            self.buttons.append(button)
        self.show()

    def _do(self, deed: Callable[[], object]) -> None:
        self.clear()
        deed()

    def clear(self) -> None:
        """Say nothing."""
        for button in self.buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = []
        self.name = ""
        self.hide()
