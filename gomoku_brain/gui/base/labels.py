"""Labels and tool tips that show the text of others as plain text."""

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractScrollArea, QLabel, QVBoxLayout

from gomoku_brain.foreign_text import shown

__all__ = ["Label", "add_hint", "plain_tip"]

MAX_LABEL = 5000  # characters of a label
MAX_TIP = 1000


class Label(QLabel):
    """Label of plain text, without control characters. Qt guesses the form of texts in
    its own labels.
    """

    def __init__(self, text: str = "") -> None:
        """Create a label."""
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Show a text, perhaps of several lines."""
        super().setText(shown(text, MAX_LABEL, lines=True))


def add_hint(view: QAbstractScrollArea, text: str) -> Label:
    """Put a text into an empty list or table, and return its label to hide it."""
    made = Label(text)
    made.setWordWrap(True)
    made.setObjectName("muted")
    QVBoxLayout(view.viewport()).addWidget(made, 0, Qt.AlignmentFlag.AlignTop)
    return made


def plain_tip(text: str) -> str:
    """Return a tool tip that shows a text as it is; "" shows none.

    The tip is rich text, so Qt wraps its lines.
    """
    return text and f"<qt>{escape(shown(text, MAX_TIP))}</qt>"
