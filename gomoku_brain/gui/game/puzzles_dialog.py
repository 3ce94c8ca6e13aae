"""Dialog with the 20 end-game puzzles as small boards."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListView,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gomoku_brain.gui.base.forms import open_large
from gomoku_brain.gui.base.labels import Label
from gomoku_brain.gui.base.themes import Theme
from gomoku_brain.gui.base.words import moves_text
from gomoku_brain.gui.board.board_painter import Geometry, Scene, draw_scene
from gomoku_brain.study.puzzles import Puzzle

__all__ = ["PuzzlesDialog"]

PICTURE = 132  # pixels
BESIDE = 48  # pixels of scroll bar and margins


class PuzzlesDialog(QDialog):
    """Dialog to choose a puzzle. After it was accepted, ``chosen`` is the puzzle."""

    def __init__(
        self,
        puzzles: Sequence[Puzzle],
        solved: Collection[int],
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """Show all puzzles. The solved ones have a check mark."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("The 20 levels"))
        self.chosen: Puzzle | None = None
        self._puzzles = puzzles
        self.list = QListWidget()
        self.list.setViewMode(QListView.ViewMode.IconMode)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setMovement(QListView.Movement.Static)
        self.list.setIconSize(QSize(PICTURE, PICTURE))
        metrics = self.fontMetrics()
        widest = max(
            metrics.horizontalAdvance(self._text(puzzle) + " ✓") for puzzle in puzzles
        )
        width = max(PICTURE, widest * 11 // 10) + 18  # solved ones are bold
        self.list.setGridSize(QSize(width, PICTURE + 8 + 2 * metrics.height()))
        self.list.setAccessibleName(self.tr("The 20 levels"))
        for puzzle in puzzles:
            self.list.addItem(self._item(puzzle, puzzle.number in solved, theme))
        self.list.itemActivated.connect(self._choose)
        self.list.itemDoubleClicked.connect(self._choose)
        unsolved = [k for k, p in enumerate(puzzles) if p.number not in solved]
        self.list.setCurrentRow(unsolved[0] if unsolved else 0)
        text = Label(
            self.tr(
                "Black moves and wins; the program defends at full strength. Solved:"
                " {0} of {1}"
            ).format(len(set(solved)), len(puzzles))
        )
        text.setWordWrap(True)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.button(QDialogButtonBox.StandardButton.Ok).setText(self.tr("Play"))
        buttons.accepted.connect(self._choose)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(text)
        column.addWidget(self.list, 1)
        column.addWidget(buttons)
        open_large(self)

    def sizeHint(self) -> QSize:
        """Return the preferred size, for five puzzles in a row."""
        return QSize(5 * self.list.gridSize().width() + BESIDE, 640)

    def _text(self, puzzle: Puzzle) -> str:
        length = moves_text(puzzle.plies)
        return self.tr("{0}: win in {1}").format(puzzle.number, length)

    def _item(self, puzzle: Puzzle, solved: bool, theme: Theme) -> QListWidgetItem:
        ratio = self.devicePixelRatioF()
        picture = QPixmap(round(PICTURE * ratio), round(PICTURE * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        board = puzzle.board
        with QPainter(picture) as painter:
            room = picture.deviceIndependentSize()
            geometry = Geometry(
                board.width,
                board.height,
                QRectF(0, 0, room.width(), room.height()),
                coordinates=False,
            )
            scene = Scene(board=board, theme=theme, coordinates=False)
            draw_scene(painter, geometry, scene)
        text = self._text(puzzle)
        icon = QIcon(picture)
        icon.addPixmap(picture, QIcon.Mode.Selected)  # not tinted
        item = QListWidgetItem(icon, f"{text} ✓" if solved else text)
        item.setTextAlignment(Qt.AlignmentFlag.AlignHCenter)
        if solved:
            bold = QFont(self.font())
            bold.setBold(True)
            item.setFont(bold)
        return item

    def _choose(self) -> None:
        row = self.list.currentRow()
        if row >= 0:
            self.chosen = self._puzzles[row]
            self.accept()
