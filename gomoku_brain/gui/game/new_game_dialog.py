"""Dialog for the options of a new game: rule, size, players and time."""

from collections.abc import Sequence

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QGroupBox,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.base.forms import align, form, open_large, scrolled
from gomoku_brain.gui.base.labels import Label
from gomoku_brain.gui.base.words import level_name, rule_name, side_name
from gomoku_brain.gui.model.game_players import PlayerConfig
from gomoku_brain.gui.model.settings import GameChoice, Program
from gomoku_brain.levels.ladder import LEVELS
from gomoku_brain.records.openings import has_book

__all__ = ["NewGameDialog", "PlayerBox"]


class PlayerBox(QComboBox):
    """Choice of a side's player: a person, a level of our brain, or a program."""

    def __init__(self, slot: PlayerConfig, programs: Sequence[Program]) -> None:
        """Create the box with its current choice."""
        super().__init__()
        self._choices = [PlayerConfig()]
        self.addItem(self.tr("A person"))
        for level in reversed(LEVELS):
            self._choices.append(PlayerConfig("brain", strength=level.strength))
            self.addItem(
                self.tr("Gomoku Brain, {0}").format(level_name(level.strength))
            )
        for program in programs:
            self._choices.append(program.player_config)
            self.addItem(program.name)
        if slot in self._choices:
            self.setCurrentIndex(self._choices.index(slot))
        elif slot.kind == "program":  # the program is no longer in the list
            self._choices.append(slot)
            self.addItem(slot.name)
            self.setCurrentIndex(self.count() - 1)

    @property
    def choice(self) -> PlayerConfig:
        """The chosen player."""
        return self._choices[self.currentIndex()]


class NewGameDialog(QDialog):
    """Dialog for the options of a new game."""

    def __init__(
        self,
        choice: GameChoice,
        programs: Sequence[Program],
        parent: QWidget | None = None,
    ) -> None:
        """Show the options of the last game."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("New game"))
        self.rule = QComboBox()
        for rule in Rule:
            self.rule.addItem(rule_name(rule), rule.name.lower())
        self.rule.setCurrentIndex(max(self.rule.findData(choice.rule), 0))
        self.size_ = QSpinBox()
        self.size_.setRange(5, 22)
        self.size_.setValue(choice.size)
        self.boxes = {side: PlayerBox(choice.slot(side), programs) for side in Side}
        self.swap2 = QCheckBox(self.tr("Swap2"))
        self.swap2.setToolTip(self.tr("An opening that is fair to both players"))
        self.swap2.setChecked(choice.swap2)
        self.random = QCheckBox(self.tr("Random colours"))
        self.random.setChecked(choice.random_colours)
        self.opening = QComboBox()
        self.opening.addItem(self.tr("The empty board"), "")
        self.opening.addItem(self.tr("A balanced opening of the book"), "book")
        self.opening.setCurrentIndex(max(self.opening.findData(choice.opening), 0))
        self.handicap = QSpinBox()
        self.handicap.setRange(0, 5)
        self.handicap.setSpecialValueText(self.tr("none"))
        self.handicap.setValue(choice.handicap)
        self.handicap.setToolTip(self.tr("Black stones before white's first move"))
        self.swap2.toggled.connect(lambda: self._enable())
        self.handicap.valueChanged.connect(lambda: self._enable())
        self.size_.valueChanged.connect(lambda: self._enable())
        self.rule.currentIndexChanged.connect(lambda: self._enable())
        self.turn = self._seconds(choice.turn, self.tr("no limit per move"))
        self.match = QDoubleSpinBox()
        self.match.setRange(0, 600)
        self.match.setDecimals(1)
        self.match.setSuffix(self.tr(" min"))
        self.match.setSpecialValueText(self.tr("no limit per game"))
        self.match.setValue(choice.match / 60)
        self.increment = self._seconds(choice.increment, self.tr("none"))
        self.people_too = QCheckBox(self.tr("The limits also apply to people"))
        self.people_too.setChecked(choice.people_too)
        self.foul_loses = QCheckBox(self.tr("A forbidden move loses the game"))
        self.foul_loses.setToolTip(self.tr("Otherwise it is refused"))
        self.foul_loses.setChecked(choice.foul_loses)
        self._arrange()
        self._enable()
        open_large(self)

    def _seconds(self, value: float, none: str) -> QDoubleSpinBox:
        box = QDoubleSpinBox()
        box.setRange(0, 3600)
        box.setDecimals(1)
        box.setSuffix(self.tr(" s"))
        box.setSpecialValueText(none)
        box.setValue(value)
        return box

    def _arrange(self) -> None:
        board = QGroupBox(self.tr("Board"))
        on_board = form()
        board.setLayout(on_board)
        on_board.addRow(self.tr("&Rule:"), self.rule)
        on_board.addRow(self.tr("Si&ze:"), self.size_)
        on_board.addRow(self.tr("&Opening:"), self.opening)
        on_board.addRow(self.tr("&Handicap:"), self.handicap)
        on_board.addRow("", self.foul_loses)
        players = QGroupBox(self.tr("Players"))
        who = form()
        players.setLayout(who)
        titles = (self.tr("&Black:"), self.tr("&White:"))
        for title, (side, box) in zip(titles, self.boxes.items(), strict=True):
            who.addRow(title, box)
            box.setAccessibleName(side_name(side))
        who.addRow("", self.random)
        who.addRow("", self.swap2)
        how = Label(self.tr("The player of black proposes, then colours are chosen."))
        how.setWordWrap(True)
        how.setObjectName("muted")
        who.addRow("", how)
        time = QGroupBox(self.tr("Time"))
        clocks = form()
        time.setLayout(clocks)
        clocks.addRow(self.tr("Per &move:"), self.turn)
        clocks.addRow(self.tr("Per &game:"), self.match)
        clocks.addRow(self.tr("&Added per move:"), self.increment)
        clocks.addRow("", self.people_too)
        align(on_board, who, clocks)
        note = Label(self.tr("Levels below full strength answer at once."))
        note.setObjectName("muted")
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        buttons.button(QDialogButtonBox.StandardButton.Ok).setText(self.tr("Play"))
        column = QVBoxLayout(self)
        column.addWidget(scrolled(board, players, time, note), 1)
        column.addWidget(buttons)

    def _opening(self) -> str:
        return str(self.opening.currentData()) if self.opening.isEnabled() else ""

    def _enable(self) -> None:
        """Enable the options that fit the other options."""
        swap2 = self.swap2.isChecked()
        handicap = self.handicap.value() > 0
        self.handicap.setEnabled(not swap2)
        rule = Rule(str(self.rule.currentData()))
        self.foul_loses.setEnabled(rule.has_fouls)
        known = has_book(rule, self.size_.value())
        self.opening.setEnabled(known and not swap2 and not handicap)

    def choice(self) -> GameChoice:
        """Return the chosen options."""
        return GameChoice(
            rule=str(self.rule.currentData()),
            size=self.size_.value(),
            black=self.boxes[Side.BLACK].choice,
            white=self.boxes[Side.WHITE].choice,
            swap2=self.swap2.isChecked(),
            opening=self._opening(),
            random_colours=self.random.isChecked(),
            handicap=0 if self.swap2.isChecked() else self.handicap.value(),
            turn=self.turn.value(),
            match=self.match.value() * 60,
            increment=self.increment.value(),
            people_too=self.people_too.isChecked(),
            foul_loses=self.foul_loses.isChecked(),
        )
