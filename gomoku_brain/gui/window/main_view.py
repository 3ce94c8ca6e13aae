"""Widgets of the window: board and bars on the left, players and tabs on the right.

The module contains only widgets and their layout. ``Presenter`` fills them.
"""

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from gomoku_brain.game.rules import Side
from gomoku_brain.gui.base.background import LineBuffer
from gomoku_brain.gui.base.labels import Label
from gomoku_brain.gui.base.messages import MessageBar
from gomoku_brain.gui.base.themes import Theme
from gomoku_brain.gui.board.board_widget import BoardWidget
from gomoku_brain.gui.board.comment_box import CommentBox
from gomoku_brain.gui.board.evaluation_bar import EvaluationBar
from gomoku_brain.gui.board.move_list import MoveList
from gomoku_brain.gui.board.player_card import PlayerCard
from gomoku_brain.gui.study.analysis_panel import AnalysisPanel
from gomoku_brain.gui.window.engine_log import EngineLog

__all__ = ["MainView"]

PANEL = 320  # pixels, the least


class _Column(QWidget):
    """Column that a scroll area makes no higher than required."""

    def heightForWidth(self, width: int) -> int:
        """Return the least height, so that a bar appears only if it is needed.

        The layout would count the preferred height of the tabs.
        """
        layout = self.layout()
        assert layout is not None
        edge = layout.contentsMargins()
        inside = width - edge.left() - edge.right()
        heights = []
        for item in (layout.itemAt(k) for k in range(layout.count())):
            part = None if item is None else item.widget()
            if part is None or part.isHidden():
                continue
            height = part.sizeHint().height()
            if isinstance(part, QTabWidget):
                height = part.minimumSizeHint().height()
            elif part.hasHeightForWidth():
                height = part.heightForWidth(inside)
            heights.append(min(height, part.maximumHeight()))
        gaps = layout.spacing() * max(len(heights) - 1, 0)
        return sum(heights) + gaps + edge.top() + edge.bottom()


class MainView(QWidget):
    """Central widget of the window."""

    escaped = Signal()
    """The user pressed Escape."""
    widths_chosen = Signal(object)
    """The user moved the divider. The argument is the widths of board and panel, in
    pixels."""

    def __init__(self, log: LineBuffer, lines: int, widths: Sequence[int] = ()) -> None:
        """Create empty widgets. ``widths`` are the widths that the user chose."""
        super().__init__()
        self._has_chosen = bool(widths)
        self.board = BoardWidget()
        self.bar = MessageBar()
        self.evaluation = EvaluationBar()
        self.cards = {side: PlayerCard(side) for side in Side}
        self.moves = MoveList()
        self.comment = CommentBox()
        self.panel = AnalysisPanel(lines)
        self.log = EngineLog(log)
        self.hint_text = Label()
        """Possible actions, in the status bar."""
        self.turn_text = Label()
        """Side to move, in the status bar."""
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName(self.tr("Panel"))
        self.tabs.addTab(self.moves, self.tr("Moves"))
        self.tabs.addTab(self.panel, self.tr("Analysis"))
        self.tabs.addTab(self.log, self.tr("Log"))
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self._share = QTimer(self)  # once the layout has given all their places
        self._share.setSingleShot(True)
        self._share.setInterval(0)
        self._share.timeout.connect(self._share_width)
        self._arrange()
        if widths:
            self.splitter.setSizes(widths)
        self.splitter.splitterMoved.connect(self._keep_widths)

    def _arrange(self) -> None:
        left, right = QWidget(), _Column()
        column = QVBoxLayout(left)
        column.setContentsMargins(6, 0, 0, 6)
        beside = QHBoxLayout()
        beside.setSpacing(2)
        beside.addWidget(self.evaluation)
        beside.addWidget(self.board, 1)
        column.addLayout(beside, 1)
        column = QVBoxLayout(right)
        column.setContentsMargins(6, 6, 8, 6)
        for card in self.cards.values():
            column.addWidget(card)
        column.addWidget(self.bar)
        column.addWidget(self.comment)
        column.addWidget(self.tabs, 1)
        area = QScrollArea()  # large texts may need more height than the screen has
        area.setWidget(right)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setMinimumWidth(PANEL - 20)
        self.splitter.addWidget(left)
        self.splitter.addWidget(area)
        self.splitter.setCollapsible(0, False)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.splitter)

    def add_tab(self, widget: QWidget, title: str) -> None:
        """Add a tab to the panel, before the log."""
        self.tabs.insertTab(self.tabs.indexOf(self.log), widget, title)

    # Keys

    def show_tab(self, widget: QWidget) -> None:
        """Show a tab and give its list the focus."""
        self.tabs.setCurrentWidget(widget)
        self._list().setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _list(self) -> QWidget:
        """Return the list on the current tab, which the arrow keys control."""
        tab = self.tabs.currentWidget()
        lists = [tab, *tab.findChildren(QAbstractScrollArea)]
        shown = [
            each
            for each in lists
            if isinstance(each, QAbstractScrollArea) and each.isVisible()
        ]
        return shown[0] if shown else tab

    def to_next_part(self) -> None:
        """Move the focus to the next part: board, message bar or tab."""
        parts: list[QWidget] = [self.board]
        if self.bar.isVisible():
            parts += self.bar.buttons[:1]
        parts.append(self._list())
        focus = self.window().focusWidget()
        here = 0
        if focus in self.bar.buttons:
            here = 1
        elif focus is not None and self.tabs.isAncestorOf(focus):
            here = len(parts) - 1
        parts[(here + 1) % len(parts)].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Report Escape, and move the focus back to the board."""
        if event.key() == Qt.Key.Key_Escape:
            self.board.setFocus()
            self.escaped.emit()
        else:
            super().keyPressEvent(event)

    def set_theme(self, theme: Theme) -> None:
        """Change the colours and fonts that style sheets do not reach."""
        self.panel.set_fonts()
        self.log.set_fonts()
        self.comment.set_fonts()
        for card in self.cards.values():
            card.set_theme(theme)
        self.moves.set_theme(theme)
        self.evaluation.set_theme(theme)

    # Sharing the width

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Divide the new width."""
        super().resizeEvent(event)
        self._share.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Give the board the focus at the start."""
        super().showEvent(event)
        self.board.setFocus()
        self._share.start()

    def _share_width(self) -> None:
        """Give the board a square of its height, and the panel the remaining width."""
        if self._has_chosen:
            return
        width, height = self.splitter.width(), self.board.height()
        beside = self.splitter.sizes()[0] - self.board.width()  # bar and margins
        left = min(height + beside, width - PANEL)
        self.splitter.setSizes([left, width - left])

    def _keep_widths(self) -> None:
        self._has_chosen = True
        self.widths_chosen.emit(self.splitter.sizes())
