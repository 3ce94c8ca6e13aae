"""Log of the protocol lines of all engines."""

from PySide6.QtCore import QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gomoku_brain.foreign_text import shown
from gomoku_brain.gui.base.background import MAX_SHOWN, LineBuffer
from gomoku_brain.gui.base.themes import fixed_font

__all__ = ["EngineLog"]

INTERVAL_MS = 100


class EngineLog(QWidget):
    """Display of the lines in a ``LineBuffer``."""

    def __init__(self, source: LineBuffer) -> None:
        """Create a log that fetches lines at intervals."""
        super().__init__()
        self._source = source
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setMaximumBlockCount(MAX_SHOWN)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName(self.tr("Log"))
        self._usual = self.tr("Commands to the programs (>) and their answers (<)")
        self.text.setPlaceholderText(self._usual)
        self._is_hidden = False
        clear = QPushButton(self.tr("Clear"))
        clear.clicked.connect(self.clear)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(clear)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.addWidget(self.text, 1)
        column.addLayout(row)
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.fetch)
        self._timer.start()
        self._show_all()

    def set_fonts(self) -> None:
        """Adapt the lines to the size of all texts."""
        self.text.setFont(fixed_font())

    def _show_all(self) -> None:
        self.text.setPlainText("\n".join(self._source.shown))
        self.text.moveCursor(QTextCursor.MoveOperation.End)

    def show_nothing(self, reason: str) -> None:
        """Hide the lines for a reason; "" shows them again."""
        if self._is_hidden == bool(reason):
            return
        self._is_hidden = bool(reason)
        self.text.setPlaceholderText(reason or self._usual)
        if reason:
            self.text.clear()
        else:
            self._show_all()

    def clear(self) -> None:
        """Remove all lines."""
        self._source.shown.clear()
        self.text.clear()

    def fetch(self) -> None:
        """Show the new lines."""
        lines = [*map(shown, self._source.drain())]
        if lines:
            self._source.shown.extend(lines)
        if lines and not self._is_hidden:
            self.text.appendPlainText("\n".join(lines))
