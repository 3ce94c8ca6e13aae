"""Dialog for the settings: language, colours, sound and resources of a search."""

import os

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from gomoku_brain.game.rules import Rule
from gomoku_brain.gui.base.forms import form
from gomoku_brain.gui.base.labels import Label
from gomoku_brain.gui.base.languages import available
from gomoku_brain.gui.base.words import rule_name
from gomoku_brain.gui.model.settings import Settings

__all__ = ["SettingsDialog"]

PUZZLE_RULES = (Rule.FREESTYLE, Rule.STANDARD, Rule.RENJU)  # of the set of puzzles


class SettingsDialog(QDialog):
    """Dialog for the settings. ``apply`` changes them."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        """Show the current settings."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings"))
        self._settings = settings
        self.language = self._box(
            settings.language,
            ("system", self.tr("System default")),
            *available().items(),
        )
        self.theme = self._box(
            settings.theme,
            ("system", self.tr("System default")),
            ("light", self.tr("Light wood")),
            ("dark", self.tr("Dark")),
            ("contrast", self.tr("High contrast")),
            ("colour-blind", self.tr("Colour-blind safe")),
        )
        self.name = QLineEdit(settings.name)
        self.name.setPlaceholderText(self.tr("You"))
        self.puzzles = self._box(
            settings.puzzle_rule,
            ("", self.tr("All rules")),
            *((rule.name.lower(), rule_name(rule)) for rule in PUZZLE_RULES),
        )
        self.unit = self._box(
            "plies" if settings.wins_in_plies else "",
            ("", self.tr("Own moves of the winner")),
            ("plies", self.tr("Plies: moves of both sides")),
        )
        self.sound = QCheckBox(self.tr("A sound with every stone"))
        self.sound.setChecked(settings.sound)
        self.threads = QSpinBox()
        self.threads.setRange(1, max(os.cpu_count() or 1, settings.threads))
        self.threads.setValue(settings.threads)
        self.memory = QSpinBox()
        self.memory.setRange(1, 16384)
        self.memory.setSuffix(" MB")
        self.memory.setValue(settings.hash_mb)
        rows = form()
        rows.addRow(self.tr("&Language:"), self.language)
        rows.addRow(self.tr("&Colours:"), self.theme)
        rows.addRow(self.tr("Your &name:"), self.name)
        rows.addRow(self.tr("&Puzzles:"), self.puzzles)
        rows.addRow(self.tr("Length of a &win:"), self.unit)
        rows.addRow(self.tr("&Threads of a search:"), self.threads)
        rows.addRow(self.tr("&Memory of a search:"), self.memory)
        rows.addRow("", Label(self.tr("Games use both from the next game on.")))
        rows.addRow("", self.sound)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addLayout(rows)
        column.addWidget(buttons)

    def _box(self, value: str, *choices: tuple[str, str]) -> QComboBox:
        box = QComboBox()
        for key, text in choices:
            box.addItem(text, key)
        box.setCurrentIndex(max(box.findData(value), 0))
        return box

    def apply(self) -> None:
        """Change the settings to the values in the dialog."""
        self._settings.change(
            language=str(self.language.currentData()),
            theme=str(self.theme.currentData()),
            name=self.name.text().strip(),
            puzzle_rule=str(self.puzzles.currentData()),
            wins_in_plies=self.unit.currentData() == "plies",
            sound=self.sound.isChecked(),
            threads=self.threads.value(),
            hash_mb=self.memory.value(),
        )
