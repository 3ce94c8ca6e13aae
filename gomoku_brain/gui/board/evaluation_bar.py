"""Evaluation bar beside the board: the winning chances of both sides."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gomoku_brain.game.rules import Side
from gomoku_brain.gui.base.themes import LIGHT, Theme
from gomoku_brain.gui.base.words import side_name

__all__ = ["EvaluationBar"]

WIDTH = 26  # pixels


class EvaluationBar(QWidget):
    """Bar with black's winning chance from the bottom; empty if it is unknown."""

    def __init__(self) -> None:
        """Create an empty bar."""
        super().__init__()
        self.chance: float | None = None
        """Black's winning chance, 0 to 1; None if unknown."""
        self._theme: Theme = LIGHT
        self.setFixedWidth(WIDTH)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.show_chance(None)

    def sizeHint(self) -> QSize:
        """Return the preferred size."""
        return QSize(WIDTH, 300)

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self._theme = theme
        self.update()

    def show_chance(self, chance: float | None) -> None:
        """Show black's winning chance, 0 to 1; None if it is unknown."""
        self.chance = chance
        text = self.tr("Black's winning chance, after an analysis or a review")
        if chance is not None:
            text = self.words(chance)
        self.setToolTip(text)
        self.setAccessibleName(self.tr("Evaluation"))
        self.setAccessibleDescription(text)
        self.update()

    def words(self, chance: float) -> str:
        """Describe both chances in percent."""
        black = round(100 * chance)
        shares = ((Side.BLACK, black), (Side.WHITE, 100 - black))
        return ", ".join(f"{side_name(side)} {share} %" for side, share in shares)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw both shares and the percentage of the better side, if they are known."""
        if self.chance is None:
            return
        theme = self._theme
        room = QRectF(self.rect()).adjusted(3, 8, -3, -8)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(theme.muted), 1))
            painter.setBrush(QColor(theme.white[1]))
            painter.drawRoundedRect(room, 4, 4)
            share = QRectF(room)
            share.setTop(room.bottom() - room.height() * self.chance)
            painter.setBrush(QColor(theme.black[1]))
            painter.drawRoundedRect(share, 4, 4)
            self._write(painter, room)
            painter.setPen(QPen(QColor(theme.accent), 2))
            middle = room.center().y()
            painter.drawLine(round(room.left()), round(middle), 8, round(middle))

    def _write(self, painter: QPainter, room: QRectF) -> None:
        assert self.chance is not None
        black_leads = self.chance >= 0.5
        font = QFont(self.font())
        font.setPixelSize(10)
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor("#ffffff" if black_leads else "#1a1a1a"))
        text = str(round(100 * max(self.chance, 1 - self.chance)))
        flag = (
            Qt.AlignmentFlag.AlignBottom if black_leads else Qt.AlignmentFlag.AlignTop
        )
        painter.drawText(
            room.adjusted(0, 3, 0, -3), flag | Qt.AlignmentFlag.AlignHCenter, text
        )
