"""Dialog that starts a rated game against a level."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gomoku_brain.gui.base.forms import open_large
from gomoku_brain.gui.base.labels import Label
from gomoku_brain.gui.base.words import level_name
from gomoku_brain.gui.model.level_rating import (
    FACTOR,
    FIRST,
    FIRST_FACTOR,
    OpenGame,
    RatedResult,
    expected_score,
    level_rating,
    rating_of,
)
from gomoku_brain.levels.ladder import LEVELS

__all__ = ["RatedDialog"]

ROWS = 5  # levels that are visible at once, at least


class RatedDialog(QDialog):
    """Choice of a level. After it was accepted, ``strength`` is the level.

    ``goes_on`` is then true if the open game is to be continued instead.
    """

    def __init__(
        self,
        results: Sequence[RatedResult],
        unfinished: OpenGame | None,
        parent: QWidget | None = None,
    ) -> None:
        """Show the levels with their ratings. The nearest one is selected."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Rated game"))
        self.strength = 0
        self.goes_on = False
        rating = rating_of(list(results))
        text = self.tr("Your rating: {0} after {1} rated games.").format(
            round(rating), len(results)
        )
        if unfinished is not None:
            text += " " + self.tr(
                "Your game against {0} is not finished: it counts as lost if you start"
                " another one."
            ).format(level_name(unfinished.strength))
        head = Label(text)
        head.setWordWrap(True)
        self.list = QTreeWidget()
        self.list.setRootIsDecorated(False)
        self.list.setAccessibleName(self.tr("Levels"))
        self.list.setHeaderLabels(
            [self.tr("Level"), self.tr("Rating"), self.tr("Expected score")]
        )
        nearest = min(
            LEVELS, key=lambda each: abs(level_rating(each.strength) - rating)
        )
        for level in LEVELS:
            share = expected_score(rating, level.strength)
            row = QTreeWidgetItem(
                [
                    level_name(level.strength),
                    str(level_rating(level.strength)),
                    f"{100 * share:.0f} %",
                ]
            )
            row.setData(0, Qt.ItemDataRole.UserRole, level.strength)
            for place in (1, 2):
                row.setTextAlignment(place, Qt.AlignmentFlag.AlignRight)
            self.list.addTopLevelItem(row)
            if level is nearest:
                self.list.setCurrentItem(row)
        self.list.header().setStretchLastSection(False)
        for place in range(3):
            self.list.resizeColumnToContents(place)
        self.list.itemActivated.connect(lambda: self._play())
        self.list.setMinimumHeight(ROWS * self.fontMetrics().height())
        rules = Label(
            self.tr(
                "Freestyle 15x15 from a balanced opening of the book, with random"
                " colours. Analysis, values and warnings are off until the end, and no"
                " move is taken back. A hint and the study board make the game unrated,"
                " after a question. Elo's formula with K = {0}, and {1} in the first"
                " {2} games."
            ).format(round(FACTOR), round(FIRST_FACTOR), FIRST)
        )
        rules.setWordWrap(True)
        rules.setObjectName("muted")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        play = QPushButton(self.tr("Play"))
        play.setDefault(True)
        play.clicked.connect(self._play)
        buttons.addButton(play, QDialogButtonBox.ButtonRole.ActionRole)
        if unfinished is not None:
            self.resume = QPushButton(self.tr("Continue the open game"))
            self.resume.clicked.connect(self._continue)
            buttons.addButton(self.resume, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(head)
        column.addWidget(self.list, 1)
        column.addWidget(rules)
        column.addWidget(buttons)
        open_large(self)

    def sizeHint(self) -> QSize:
        """Return the preferred size, for all levels."""
        line = self.fontMetrics().height()
        return QSize(36 * line, 28 * line)

    def _play(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.strength = int(item.data(0, Qt.ItemDataRole.UserRole))
            self.accept()

    def _continue(self) -> None:
        self.goes_on = True
        self.accept()
