"""Card of a player: stone, name, clock and state."""

from typing import Literal

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gomoku_brain.foreign_text import shown
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.base.labels import Label, plain_tip
from gomoku_brain.gui.base.themes import LIGHT, Theme, fixed_font
from gomoku_brain.gui.base.words import side_name
from gomoku_brain.gui.board.board_painter import draw_stone_on_panel

__all__ = ["PlayerCard"]

Limit = Literal["", "move", "game"]
"""Time that a limit is set for; "" = there is none."""


class StoneLabel(QWidget):
    """Stone of a side."""

    def __init__(self, side: Side) -> None:
        """Create a stone in the light theme."""
        super().__init__()
        self.side = side
        self.theme: Theme = LIGHT
        self.setFixedSize(QSize(34, 34))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the stone."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            room = QRectF(self.rect()).adjusted(3, 3, -4, -4)
            draw_stone_on_panel(painter, room, self.side, self.theme)


class PlayerCard(QFrame):
    """Card of one player."""

    def __init__(self, side: Side) -> None:
        """Create a card without a player."""
        super().__init__()
        self.setObjectName("card")
        self.stone = StoneLabel(side)
        self.name = Label()
        self.name.setWordWrap(True)
        bold = QFont()  # without a size, so that it follows that of all texts
        bold.setBold(True)
        self.name.setFont(bold)
        self.state = Label()
        self.state.setObjectName("muted")
        self.time = Label("0:00")
        self.time.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.time.setAccessibleName(self.tr("Clock"))
        self.counts = Label()
        self.counts.setObjectName("muted")
        self.counts.setAlignment(Qt.AlignmentFlag.AlignRight)
        clock = QVBoxLayout()
        clock.setSpacing(0)
        clock.addWidget(self.time)
        clock.addWidget(self.counts)
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addWidget(self.name)
        texts.addWidget(self.state)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 6, 12, 6)
        row.addWidget(self.stone)
        row.addLayout(texts, 1)
        row.addLayout(clock)

    def show_player(self, name: str, state: str, active: bool) -> None:
        """Show the name and the state of the player, and whether the side is active."""
        side = side_name(self.stone.side)
        self.name.setText(name)
        self.name.setToolTip(plain_tip(name))
        self.state.setText(state or ("" if name == side else side))
        self.state.setVisible(bool(self.state.text()))
        self.setAccessibleName(shown(f"{side}: {name}"))
        if self.property("active") != active:
            self.setProperty("active", active)
            self.style().unpolish(self)
            self.style().polish(self)

    def show_clock(self, text: str, limit: Limit, is_low: bool = False) -> None:
        """Show the time left within a limit, or the time used; "" hides the clock.

        ``is_low`` warns that little time is left.
        """
        self.time.setText(text)
        if bool(self.time.property("low")) != is_low:
            self.time.setProperty("low", is_low)
            self.time.style().unpolish(self.time)
            self.time.style().polish(self.time)
            self.time.setFont(fixed_font(1.5))  # the size got lost
        words = {
            "move": self.tr("left for this move"),
            "game": self.tr("left for the game"),
        }
        self.counts.setText(words.get(limit, self.tr("used, no limit")))
        tip = self.tr("Time left: it counts down")
        if not limit:
            tip = self.tr("Time used: it counts up, without a limit")
        for label in (self.time, self.counts):
            label.setToolTip(tip)
            label.setVisible(bool(text))

    def set_theme(self, theme: Theme) -> None:
        """Draw the stone as on the board, and the clock in the size of all texts."""
        self.time.setFont(fixed_font(1.5))
        self.stone.theme = theme
        self.stone.update()
