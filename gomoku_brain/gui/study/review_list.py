"""List of the mistakes of a reviewed game, with the accuracy of both sides."""

import math
from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gomoku_brain.game.rules import Side
from gomoku_brain.gui.base.labels import Label
from gomoku_brain.gui.base.words import cell_text, judgement_text, side_name
from gomoku_brain.gui.model.game_tree import Verdict
from gomoku_brain.records.game_node import GameNode

__all__ = ["ReviewList", "accuracy"]

LOSS_SCALE = 0.2  # loss of winning chance at which a move counts 1/e
_NODE = Qt.ItemDataRole.UserRole


def accuracy(losses: Sequence[float]) -> float | None:
    """Return the accuracy of a player in percent; None without a judged move.

    Each move counts exp(-loss / LOSS_SCALE). So 100 % is a game without any loss of
    winning chance.
    """
    if not losses:
        return None
    return 100 * sum(math.exp(-loss / LOSS_SCALE) for loss in losses) / len(losses)


class ReviewList(QWidget):
    """Results of a review for the current line. Hidden if there are none."""

    chosen = Signal(object)
    """A mistake was chosen. The argument is its node."""
    learn_wanted = Signal()
    """The user wants to try the mistakes again."""

    def __init__(self) -> None:
        """Create an empty list."""
        super().__init__()
        self.accuracies = Label()
        self.accuracies.setWordWrap(True)
        self.list = QTreeWidget()
        self.list.setRootIsDecorated(False)
        self.list.setColumnCount(3)
        self.list.setHeaderLabels([self.tr("No."), self.tr("Move"), self.tr("Mistake")])
        self.list.setAccessibleName(self.tr("Mistakes"))
        self.list.setWordWrap(True)
        self.list.setMinimumHeight(60)
        self.list.itemClicked.connect(self._choose)
        self.list.itemActivated.connect(self._choose)
        self.list.currentItemChanged.connect(self._move_to)
        self.learn = QPushButton(self.tr("&Learn from them"))
        self.learn.setToolTip(self.tr("Find a better move at each mistake"))
        self.learn.clicked.connect(self.learn_wanted)
        head = QHBoxLayout()
        head.addWidget(self.accuracies, 1)
        head.addWidget(self.learn)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(head)
        column.addWidget(self.list, 1)
        self._shown: tuple[object, ...] = ()
        self.hide()

    def show_line(
        self,
        verdicts: Mapping[GameNode, Verdict],
        line: Sequence[GameNode],
        stones: dict[Side, QIcon],
    ) -> None:
        """Show the judgements of a line's moves, if they have changed."""
        shown = tuple(
            (node, verdicts[node], judgement_text(verdicts[node]))
            for node in line
            if node in verdicts and node.move is not None
        )
        self.setVisible(bool(shown))
        state = (*shown, stones[Side.BLACK].cacheKey(), self.font())
        if state == self._shown:
            return
        self._shown = state
        losses: dict[Side, list[float]] = {side: [] for side in Side}
        self.list.blockSignals(True)
        self.list.clear()
        for number, node in enumerate(line, 1):
            verdict, side = verdicts.get(node), node.side
            if verdict is None or node.move is None or side is None:
                continue
            losses[side].append(verdict.loss)
            if verdict.is_mistake:
                words = [str(number), cell_text(node.move), judgement_text(verdict)]
                row = QTreeWidgetItem(words)
                row.setIcon(1, stones[side])
                row.setData(0, _NODE, node)
                row.setToolTip(2, words[2])
                self.list.addTopLevelItem(row)
        for column in (0, 1):
            self.list.resizeColumnToContents(column)
        self.list.blockSignals(False)
        self.list.scheduleDelayedItemsLayout()
        self.learn.setEnabled(self.list.topLevelItemCount() > 0)
        parts = []
        for side in Side:
            worth = accuracy(losses[side])
            if worth is not None:
                text = self.tr("{0}: accuracy {1} %")
                parts.append(text.format(side_name(side), round(worth)))
        if not self.list.topLevelItemCount():
            parts.append(self.tr("No mistakes: well played!"))
        self.accuracies.setText("\n".join(parts))

    def mistakes(self) -> list[GameNode]:
        """Return the nodes in the list."""
        rows = [self.list.topLevelItem(k) for k in range(self.list.topLevelItemCount())]
        return [row.data(0, _NODE) for row in rows if row is not None]

    def _choose(self, row: QTreeWidgetItem) -> None:
        self.chosen.emit(row.data(0, _NODE))

    def _move_to(self, row: QTreeWidgetItem | None, old: object) -> None:
        if row is not None and self.list.hasFocus():
            self.chosen.emit(row.data(0, _NODE))
