"""Curve of black's winning chance after each move of a game."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gomoku_brain.game.rules import Side
from gomoku_brain.gui.base.themes import LIGHT, Theme
from gomoku_brain.gui.base.words import side_name

__all__ = ["ScoreCurve"]


class ScoreCurve(QWidget):
    """Curve of winning chances. The middle is 50 %, above it black is better."""

    chosen = Signal(int)
    """A move was clicked. The argument is its ply, 0 for the start."""

    def __init__(self) -> None:
        """Create an empty curve."""
        super().__init__()
        self._chances: Sequence[float | None] = ()
        self._ply = 0
        self._errors: Mapping[int, str] = {}
        self._theme: Theme = LIGHT
        self.setMinimumHeight(60)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("Course of the game"))

    def sizeHint(self) -> QSize:
        """Return the preferred size."""
        return QSize(320, 140)

    def show_curve(
        self,
        chances: Sequence[float | None],
        ply: int,
        errors: Mapping[int, str],
        theme: Theme,
    ) -> None:
        """Show the winning chances of a game.

        ``chances`` begin with ply 0; None = unknown. ``ply`` is the current position,
        ``errors`` the descriptions of mistakes by ply.
        """
        self._chances, self._ply = chances, ply
        self._errors, self._theme = errors, theme
        self.update()

    def _small_font(self) -> QFont:
        small = QFont(self.font())
        small.setPointSizeF(max(small.pointSizeF() * 0.8, 6.0))
        return small

    def _room(self) -> QRectF:
        metrics = QFontMetrics(self._small_font())
        left, line = metrics.horizontalAdvance("100") + 8, metrics.height()
        return QRectF(self.rect()).adjusted(left, line / 2 + 2, -12, -line - 4)

    def _point(self, ply: int, chance: float) -> QPointF:
        room, last = self._room(), max(len(self._chances) - 1, 1)
        return QPointF(
            room.left() + room.width() * ply / last,
            room.bottom() - room.height() * chance,
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the curve, the mistakes and the current position."""
        theme, room = self._theme, self._room()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(self._small_font())
            line = painter.fontMetrics().height()
            upper = QRectF(room.left(), room.top(), room.width(), room.height() / 2)
            painter.fillRect(upper, _pale("#000000", 0.10))
            painter.fillRect(
                upper.translated(0, upper.height()), _pale("#888888", 0.04)
            )
            for share, text in ((1.0, "100"), (0.5, "50"), (0.0, "0")):
                y = room.bottom() - room.height() * share
                painter.setPen(QPen(QColor(theme.border), 1))
                painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y))
                painter.setPen(QColor(theme.muted))
                label = QRectF(0, y - line / 2, room.left() - 5, line)
                flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                painter.drawText(label, flags, text)
            known = [(k, c) for k, c in enumerate(self._chances) if c is not None]
            if not known:
                painter.drawText(
                    upper if upper.height() > 2 * line else room,
                    Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap,
                    self.tr("Black's winning chance, once moves are judged"),
                )
                return
            path = QPainterPath(self._point(*known[0]))
            for place in known[1:]:
                path.lineTo(self._point(*place))
            painter.setPen(QPen(QColor(theme.accent), 2))
            painter.drawPath(path)
            self._draw_places(painter, dict(known))

    def _draw_places(self, painter: QPainter, known: dict[int, float]) -> None:
        theme, room = self._theme, self._room()
        for ply in self._errors:
            if ply in known:
                painter.setPen(QPen(QColor(theme.panel), 1))
                painter.setBrush(QColor(theme.win))
                painter.drawEllipse(self._point(ply, known[ply]), 4.5, 4.5)
        if self._ply in known:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent))
            painter.drawEllipse(self._point(self._ply, known[self._ply]), 3.0, 3.0)
        x = self._point(self._ply, 0).x()
        painter.setPen(QPen(QColor(theme.text), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, room.top()), QPointF(x, room.bottom()))
        line = painter.fontMetrics().height()
        label = QRectF(x - 2 * line, room.bottom() + 2, 4 * line, line)
        painter.setPen(QColor(theme.muted))
        painter.drawText(label, Qt.AlignmentFlag.AlignCenter, str(self._ply))

    def _ply_at(self, event: QMouseEvent) -> int:
        room, last = self._room(), len(self._chances) - 1
        share = (event.position().x() - room.left()) / max(room.width(), 1)
        return min(max(round(share * last), 0), max(last, 0))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Report the clicked ply."""
        if len(self._chances) > 1:
            self.chosen.emit(self._ply_at(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the value under the mouse, and the mistake there."""
        ply = self._ply_at(event)
        chance = self._chances[ply] if ply < len(self._chances) else None
        text = ""
        if chance is not None:
            text = f"{ply}: {side_name(Side.BLACK)} {100 * chance:.0f} %"
        if ply in self._errors:
            text += f"\n{self._errors[ply]}"
        QToolTip.showText(event.globalPosition().toPoint(), text, self)

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the value."""
        QToolTip.hideText()


def _pale(name: str, alpha: float) -> QColor:
    colour = QColor(name)
    colour.setAlphaF(alpha)
    return colour
