"""Dialog of a person's results: rating with its curve, rated games, puzzles, storms."""

from collections.abc import Sequence
from datetime import date

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QSizePolicy,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gomoku_brain.gui.base.forms import open_large
from gomoku_brain.gui.base.labels import Label
from gomoku_brain.gui.base.themes import Theme
from gomoku_brain.gui.base.words import level_name
from gomoku_brain.gui.model.level_rating import (
    START,
    RatedResult,
    level_rating,
    rating_of,
)
from gomoku_brain.gui.model.progress import SolverRecord
from gomoku_brain.gui.model.storm import StormResult
from gomoku_brain.levels.ladder import LEVELS

__all__ = ["RatingCurve", "ResultsDialog"]

MIN_SPAN = 400  # Elo between the lower and the upper edge of the curve
DOT = 3.0  # pixels, radius of a game


class RatingCurve(QWidget):
    """Curve of the rating after each game, with the ratings of the levels."""

    def __init__(self, results: Sequence[RatedResult], theme: Theme) -> None:
        """Create the curve."""
        super().__init__()
        self._ratings = [START, *(each.rating for each in results)]
        self._theme = theme
        self.setMinimumHeight(110)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Curve of your rating"))
        numbers = ", ".join(str(round(each)) for each in self._ratings[-10:])
        self.setAccessibleDescription(numbers)

    def sizeHint(self) -> QSize:
        """Return the preferred size."""
        return QSize(560, 200)

    def span(self) -> tuple[float, float]:
        """Return the ratings at the lower and at the upper edge."""
        low, high = min(self._ratings) - 40, max(self._ratings) + 40
        spare = max(MIN_SPAN - (high - low), 0) / 2
        return low - spare, high + spare

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the levels as lines, and the rating after each game."""
        theme, (low, high) = self._theme, self.span()
        metrics = self.fontMetrics()
        names = [level_name(level.strength) for level in LEVELS]
        left = max(metrics.horizontalAdvance(name) for name in names) + 10
        right = metrics.horizontalAdvance("0000") + 10
        room = QRectF(self.rect()).adjusted(left, 8, -right, -8)

        def height(rating: float) -> float:
            return room.bottom() - room.height() * (rating - low) / (high - low)

        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for level, name in zip(LEVELS, names, strict=True):
                rating = level_rating(level.strength)
                if not low <= rating <= high:
                    continue
                y = height(rating)
                painter.setPen(QPen(QColor(theme.border), 1))
                painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y))
                painter.setPen(QColor(theme.muted))
                line = QRectF(0, y - 12, left - 6, 24)
                flags = Qt.AlignmentFlag.AlignVCenter
                painter.drawText(line, flags | Qt.AlignmentFlag.AlignRight, name)
                line = QRectF(room.right() + 6, y - 12, right, 24)
                painter.drawText(line, flags, str(rating))
            step = room.width() / max(len(self._ratings) - 1, 1)
            points = [
                QPointF(room.left() + step * k, height(rating))
                for k, rating in enumerate(self._ratings)
            ]
            path = QPainterPath(points[0])
            for point in points[1:]:
                path.lineTo(point)
            painter.setPen(QPen(QColor(theme.accent), 2))
            painter.drawPath(path)
            painter.setBrush(QColor(theme.accent))
            for point in points[-1:] if len(points) > 60 else points:
                painter.drawEllipse(point, DOT, DOT)


class ResultsDialog(QDialog):
    """Dialog of the results of rated games, puzzles and storms."""

    def __init__(
        self,
        results: Sequence[RatedResult],
        progress: SolverRecord,
        storms: Sequence[StormResult],
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """Show the results. The latest game is the first of the list."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Your results"))
        self.head = Label(self._rating_text(results))
        self.curve = RatingCurve(results, theme)
        self.list = QTreeWidget()
        self.list.setRootIsDecorated(False)
        self.list.setAccessibleName(self.tr("Rated games"))
        self.list.setHeaderLabels(
            [self.tr("Date"), self.tr("Level"), self.tr("Result"), self.tr("Rating")]
        )
        for each in reversed(results):
            words = {1.0: self.tr("won"), 0.5: self.tr("drawn"), 0.0: self.tr("lost")}
            row = QTreeWidgetItem(
                [
                    each.date[:16].replace("T", " "),
                    level_name(each.strength),
                    words.get(each.score, ""),
                    str(round(each.rating)),
                ]
            )
            row.setTextAlignment(3, Qt.AlignmentFlag.AlignRight)
            self.list.addTopLevelItem(row)
        self.list.header().setStretchLastSection(False)
        for place in range(4):
            self.list.resizeColumnToContents(place)
        self.puzzles = Label(self._puzzle_text(progress))
        self.storms = Label(self._storm_text(storms))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self.head)
        column.addWidget(self.curve, 1)
        column.addWidget(self.list, 1)
        column.addWidget(self.puzzles)
        column.addWidget(self.storms)
        column.addWidget(buttons)
        for label in (self.head, self.puzzles, self.storms):
            label.setWordWrap(True)
        open_large(self)

    def sizeHint(self) -> QSize:
        """Return the preferred size, for the curve and some games."""
        line = self.fontMetrics().height()
        return QSize(40 * line, 36 * line)

    def _rating_text(self, results: Sequence[RatedResult]) -> str:
        if not results:
            return self.tr(
                "No rated games yet: Game, Rated game. The rating begins with {0}."
            ).format(round(START))
        won = sum(each.score == 1 for each in results)
        drawn = sum(each.score == 0.5 for each in results)
        return self.tr(
            "Your rating against the levels: {0} (Elo). Games: {1}, won {2}, drawn {3},"
            " lost {4}."
        ).format(
            round(rating_of(list(results))),
            len(results),
            won,
            drawn,
            len(results) - won - drawn,
        )

    def _puzzle_text(self, progress: SolverRecord) -> str:
        text = self.tr(
            "Puzzles: rating {0} after {1}, longest streak {2}, puzzles of the day in a"
            " row: {3}."
        )
        return text.format(
            round(progress.rating),
            progress.tried,
            progress.longest,
            progress.day_streak(date.today().toordinal()),
        )

    def _storm_text(self, storms: Sequence[StormResult]) -> str:
        if not storms:
            return self.tr("No three-minute storms yet.")
        numbers = ", ".join(f"{each.solved} ({each.date[:10]})" for each in storms)
        return self.tr("Best storms, solved puzzles: {0}.").format(numbers)
