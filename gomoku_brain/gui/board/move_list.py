"""List of the moves of a game with its variations."""

from collections.abc import Mapping
from itertools import islice

from PySide6.QtCore import QModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QIcon,
    QKeyEvent,
    QPainter,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.base.labels import plain_tip
from gomoku_brain.gui.base.themes import LIGHT, Theme
from gomoku_brain.gui.base.words import cell_text, ending_text
from gomoku_brain.gui.board.board_painter import draw_stone_on_panel
from gomoku_brain.gui.model.game_tree import Ending, GameTree
from gomoku_brain.records.game_node import GameNode

__all__ = ["MoveList"]

STONE = 13  # pixels
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
COMMENTED = " ✎"  # after a move with a comment
LARGE = 1500  # nodes; variations of a larger tree are filled when they are opened
_NODE = Qt.ItemDataRole.UserRole


class MoveList(QTreeWidget):
    """Tree of moves. Alternatives stand beside their move, with their continuations."""

    chosen = Signal(object)
    """A move was chosen. The argument is its node."""

    def __init__(self) -> None:
        """Create an empty list."""
        super().__init__()
        self.setColumnCount(5)  # the last one is empty and takes the spare width
        titles = [
            self.tr("No."),
            self.tr("Move"),
            self.tr("Seconds"),
            self.tr("Black wins"),
        ]
        self.setHeaderLabels([*titles, ""])
        self.setAccessibleName(self.tr("Moves"))
        self.setUniformRowHeights(True)
        for column in (2, 3):
            self.headerItem().setTextAlignment(column, RIGHT)
        self.setIndentation(14)
        self.setIconSize(QSize(STONE, STONE))
        self._rows: dict[GameNode, QTreeWidgetItem] = {}
        self._shape: tuple[object, ...] = ()
        self._is_large = False
        self.itemExpanded.connect(self._fill)
        self._stones: dict[Side, QIcon] = {}
        self.set_theme(LIGHT)
        self.itemClicked.connect(self._emit_chosen)
        self.itemActivated.connect(self._emit_chosen)

    def set_theme(self, theme: Theme) -> None:
        """Draw the stones as on the board, from the next ``show_tree`` on."""
        ratio = self.devicePixelRatioF()
        for side in Side:
            picture = QPixmap(round(STONE * ratio), round(STONE * ratio))
            picture.setDevicePixelRatio(ratio)
            picture.fill(Qt.GlobalColor.transparent)
            with QPainter(picture) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                room = QRectF(1, 1, STONE - 2, STONE - 2)
                draw_stone_on_panel(painter, room, side, theme)
            self._stones[side] = QIcon(picture)
            self._stones[side].addPixmap(picture, QIcon.Mode.Selected)  # not tinted
        self._shape = ()

    @property
    def stones(self) -> dict[Side, QIcon]:
        """Small stones, also for other lists."""
        return self._stones

    def show_tree(self, tree: GameTree, chances: Mapping[GameNode, float]) -> None:
        """Show a game with these winning chances, and select its current move."""
        line = [tree.game, *tree.line()]
        values = chances is tree.chances  # else some are hidden
        shape = (tree, values, cell_text(Move(0, 0)), tree.game.history.revision)
        if shape != self._shape:
            self._shape = shape
            self._rebuild(tree)
            line = [*dict.fromkeys([*line, *self._rows])]
        for node in line:
            if node not in self._rows and node.parent is not None:
                self._open(node.parent)
            if node in self._rows:
                self._show_score(
                    self._rows[node], tree.ending_at(node), chances.get(node)
                )
        self.resizeColumnToContents(3)
        here = self._rows.get(tree.node)
        if here is not None:
            self.setCurrentItem(here)
            self.scrollToItem(here)
        else:
            self.setCurrentIndex(QModelIndex())

    def _rebuild(self, tree: GameTree) -> None:
        self.clear()
        self._rows = {}
        nodes = sum(1 for _ in islice(tree.game.nodes(), LARGE))
        self._is_large = nodes == LARGE
        self._add_line(tree.game, self.invisibleRootItem(), 0)
        if not self._is_large:
            self.expandAll()
        for column in range(4):
            self.resizeColumnToContents(column)

    def _add_line(self, node: GameNode, parent: QTreeWidgetItem, ply: int) -> None:
        """Add the main line from a node, with the variations beside its moves."""
        while node.variations:
            ply += 1
            self._add(node.variations[0], parent, ply)
            for other in node.variations[1:]:
                branch = self._add(other, parent, ply)
                if not self._is_large:
                    self._add_line(other, branch, ply)
                elif other.variations:
                    shown = QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator
                    branch.setChildIndicatorPolicy(shown)
            node = node.variations[0]

    def _fill(self, row: QTreeWidgetItem) -> None:
        """Add the continuation of a variation of a large tree."""
        node = row.data(0, _NODE)
        if not self._is_large or not isinstance(node, GameNode):
            return
        if (
            _is_branch(node)
            and node.variations[:1]
            and (node.variations[0] not in self._rows)
        ):
            self._add_line(node, row, node.ply)

    def _open(self, node: GameNode) -> None:
        """Add the rows that a position of a large tree requires."""
        for each in node.path():
            if each in self._rows:
                self._fill(self._rows[each])

    def _add(
        self, node: GameNode, parent: QTreeWidgetItem, ply: int
    ) -> QTreeWidgetItem:
        assert node.move is not None
        assert node.side is not None
        seconds = node.figures.seconds
        text = "" if seconds is None else f"{seconds:.1f}"
        comment = node.comment
        cell = cell_text(node.move) + (COMMENTED if comment else "")
        row = QTreeWidgetItem([str(ply), cell, text])
        row.setToolTip(1, plain_tip(comment))
        row.setIcon(1, self._stones[node.side])
        row.setData(0, _NODE, node)
        for column in (2, 3):  # the first column shows the variations by its indent
            row.setTextAlignment(column, RIGHT)
        if _is_branch(node):
            italic = QFont()
            italic.setItalic(True)
            row.setFont(1, italic)
        parent.addChild(row)
        self._rows[node] = row
        return row

    def _show_score(
        self, row: QTreeWidgetItem, ending: Ending | None, chance: float | None
    ) -> None:
        text = "" if chance is None else f"{100 * chance:.0f} %"
        tip = self.tr("Black's winning chance")
        if ending is not None:
            text, tip = ending.result, ending_text(ending)
        if text != row.text(3):
            row.setText(3, text)
            row.setToolTip(3, tip)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the current move in sight."""
        super().resizeEvent(event)
        self.scrollTo(self.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go through the game with the arrow keys."""
        before = self.currentItem()
        super().keyPressEvent(event)
        here = self.currentItem()
        if here is not None and here is not before:
            self._emit_chosen(here)

    def _emit_chosen(self, row: QTreeWidgetItem) -> None:
        node = row.data(0, _NODE)
        if isinstance(node, GameNode):
            self.chosen.emit(node)


def _is_branch(node: GameNode) -> bool:
    return node.parent is not None and node is not node.parent.variations[0]
