"""What a screen reader says: every control of every window has a name."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QWidget

from gomoku_brain.gui.archive.archive_dialog import ArchiveDialog
from gomoku_brain.gui.base.themes import LIGHT
from gomoku_brain.gui.dialogs import help_pages
from gomoku_brain.gui.dialogs.programs_dialog import ProgramsDialog
from gomoku_brain.gui.dialogs.settings_dialog import SettingsDialog
from gomoku_brain.gui.game.new_game_dialog import NewGameDialog
from gomoku_brain.gui.game.puzzles_dialog import PuzzlesDialog
from gomoku_brain.gui.tournament.commands_dialog import CommandsDialog
from gomoku_brain.gui.tournament.tournament_window import TournamentWindow
from gomoku_brain.study.puzzles import puzzle_levels


def controls(window):
    """What takes the keys, but for the parts that other controls are made of."""
    for each in [window, *window.findChildren(QWidget)]:
        inside = each.parent()
        while inside is not None and not isinstance(inside, QComboBox):
            if isinstance(inside, QAbstractSpinBox):
                break
            inside = inside.parent()
        if inside is None and each.focusPolicy() != Qt.FocusPolicy.NoFocus:
            yield each


def name_of(widget):
    """What a screen reader says; Qt takes the text, or the label beside it."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return "" if interface is None else interface.text(QAccessible.Text.Name)


def opened(window, tmp_path):
    """Every window that there is."""
    settings = window.settings
    yield window
    yield NewGameDialog(settings.game, [], window)
    yield SettingsDialog(settings, window)
    yield ProgramsDialog([], window)
    yield PuzzlesDialog(puzzle_levels(), [1], LIGHT, window)
    yield ArchiveDialog(window.archive_controller.archive(), "", LIGHT, window)
    yield TournamentWindow([], tmp_path, LIGHT, window)
    yield CommandsDialog(tmp_path, ["program"], window)
    for name in ("rules", "usage", "about"):
        before = set(window.findChildren(help_pages.HelpPage))
        window.actions_[name].trigger()
        yield from set(window.findChildren(help_pages.HelpPage)) - before


def test_every_control_of_every_window_has_a_name(window, tmp_path):
    window.actions_["train"].trigger()  # the bar has its buttons
    nameless, seen = [], 0
    for each in opened(window, tmp_path):
        for control in controls(each):
            seen += 1
            if not name_of(control).strip():
                nameless.append(f"{type(each).__name__}: {type(control).__name__}")
    assert not nameless
    assert seen > 80


def test_every_action_has_a_text_and_what_it_does(window):
    for name, action in window.actions_._made.items():
        assert action.text(), name
        assert action.statusTip(), name
        assert "&" not in action.statusTip(), name


@pytest.mark.parametrize("chance", [None, 0.75])
def test_the_evaluation_is_said(window, chance):
    window.evaluation.show_chance(chance)
    interface = QAccessible.queryAccessibleInterface(window.evaluation)
    said = interface.text(QAccessible.Text.Description)
    assert said == (
        "Black's winning chance, after an analysis or a review"
        if chance is None
        else "Black 75 %, White 25 %"
    )
