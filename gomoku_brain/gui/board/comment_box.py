"""Comment on the position shown, which the user can edit."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QPlainTextEdit

from gomoku_brain.records.game_node import GameNode

__all__ = ["CommentBox"]

LINES = 5  # height, in lines of text


class CommentBox(QPlainTextEdit):
    """Editor of a comment. It is hidden without a comment, unless it was requested."""

    edited = Signal(object, str)
    """The user has changed a comment. The arguments are its node and the new text."""

    def __init__(self) -> None:
        """Create a hidden box."""
        super().__init__()
        self.setAccessibleName(self.tr("Comment"))
        self.setPlaceholderText(self.tr("Comment on this position"))
        self.setTabChangesFocus(True)
        self._is_open = False
        self._shown = ""
        self._node: GameNode | None = None
        self.hide()

    def set_fonts(self) -> None:
        """Adapt the height to the size of all texts."""
        height = self.fontMetrics().lineSpacing() * LINES
        self.setMaximumHeight(height + 2 * self.frameWidth() + 8)

    def show_comment(self, node: GameNode, text: str) -> None:
        """Show the comment on a position. A changed text of another one is reported."""
        if node is not self._node:
            self.store()
            self._node = node
        elif self.hasFocus():
            return  # the user is writing
        if text != self._shown:
            self._shown = text
            self.setPlainText(text)
        self.setVisible(bool(text) or self._is_open)

    def open(self) -> None:
        """Show the box, also without a comment, and give it the focus."""
        self._is_open = True
        self.show()
        self.setFocus()

    def store(self) -> None:
        """Report a changed text."""
        text = self.toPlainText()
        if text != self._shown and self._node is not None:
            self._shown = text
            self.edited.emit(self._node, text)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Store the comment when the user leaves the box."""
        super().focusOutEvent(event)
        self.store()
        self._is_open = False
        self.setVisible(bool(self._shown))
