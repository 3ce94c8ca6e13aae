"""First screen: the choice between a game, puzzles, and games to open or study."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gomoku_brain.game.rules import Side
from gomoku_brain.gui.base.flow_layout import FlowLayout
from gomoku_brain.gui.base.labels import Label
from gomoku_brain.gui.base.words import rule_name, side_name
from gomoku_brain.gui.game.new_game_dialog import PlayerBox
from gomoku_brain.gui.model.game_players import PlayerConfig
from gomoku_brain.gui.model.settings import GameChoice, Settings
from gomoku_brain.gui.window.actions import Actions

__all__ = ["StartPage"]

WIDTH = 48  # of the page at most, in heights of a line


class StartPage(QScrollArea):
    """Page in front of the board with three groups of buttons."""

    game_wanted = Signal(object)
    """A game must be started. The argument is its ``GameChoice``."""
    left = Signal()
    """The user wants to see the board."""

    def __init__(self, settings: Settings, actions: Actions, under_way: str) -> None:
        """Show the choices, and a description of the game that is under way, if any."""
        super().__init__()
        self._choice, self._actions = settings.game, actions
        game = self._choice
        person = Side.BLACK if game.black.kind == "human" else Side.WHITE
        self.opponent = PlayerBox(game.slot(person.other), settings.programs)
        self.opponent.setAccessibleName(self.tr("Against"))
        self.colour = QComboBox()
        self.colour.setAccessibleName(self.tr("Your colour"))
        for side in Side:
            self.colour.addItem(self.tr("You: {0}").format(side_name(side)), side)
        self.colour.addItem(self.tr("You: a random colour"))
        self.colour.setCurrentIndex(2 if game.random_colours else [*Side].index(person))
        self.play_button = QPushButton(self.tr("Play"))
        self.play_button.clicked.connect(lambda: self.game_wanted.emit(self.choice()))
        self.play_button.setMinimumHeight(self.opponent.sizeHint().height())
        self.back_button = QPushButton(self.tr("To the board"))
        self.back_button.clicked.connect(self.left)
        title = Label(self.tr("What would you like to do?"))
        title.setObjectName("title")
        title.setWordWrap(True)
        board = f"{rule_name(game.start.rule)}, {game.size}x{game.size}"
        row = [self.opponent, self.colour, self.play_button]
        inside = QWidget()
        inside.setMaximumWidth(WIDTH * self.fontMetrics().height())
        column = QVBoxLayout(inside)
        column.addStretch(1)
        column.addWidget(title)
        if under_way:
            self.back_button.setText(self.tr("Continue the game"))
            game_group = self._group(
                self.tr("Your game"), under_way, [self.back_button], ""
            )
            column.addWidget(game_group)
        column.addWidget(self._group(self.tr("Play against"), board, row, "new rated"))
        column.addWidget(
            self._group(
                self.tr("Puzzles"),
                self.tr("Find the moves that win by force."),
                [],
                "train train_day storm puzzles",
            )
        )
        column.addWidget(
            self._group(
                self.tr("Open or study"),
                self.tr("Look at games, try moves, let the brain judge them."),
                [],
                "open archive free",
            )
        )
        if not under_way:
            last = FlowLayout()
            last.addWidget(self.back_button)
            column.addLayout(last)
        column.addStretch(2)
        self.setWidget(inside)
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusProxy(self.back_button if under_way else self.play_button)

    def _group(
        self, title: str, text: str, first: Sequence[QWidget], names: str
    ) -> QFrame:
        """Return a card: a title, a text, widgets in a row, and buttons of actions."""
        made = QFrame()
        made.setObjectName("card")
        head, note = Label(title), Label(text)
        head.setObjectName("head")
        note.setObjectName("muted")
        note.setWordWrap(True)
        rows = FlowLayout(), FlowLayout()
        for part in first:
            rows[0].addWidget(part)
        for name in names.split():
            action = self._actions[name]
            button = QPushButton(re.sub(r"\(&.\)|&", "", action.text()))
            button.setToolTip(action.toolTip())
            button.clicked.connect(partial(self._act, action))
            rows[1].addWidget(button)
        column = QVBoxLayout(made)
        column.addWidget(head)
        column.addWidget(note)
        for each in rows:
            column.addLayout(each)
        return made

    def _act(self, action: QAction) -> None:
        """Trigger an action. What is on already is only shown again."""
        if action.isChecked():
            self.left.emit()
        else:
            action.trigger()

    def choice(self) -> GameChoice:
        """Return the options of the last game with the chosen players."""
        players = PlayerConfig(), self.opponent.choice
        if self.colour.currentData() is Side.WHITE:
            players = players[1], players[0]
        return replace(
            self._choice,
            black=players[0],
            white=players[1],
            random_colours=self.colour.currentData() is None,
        )
