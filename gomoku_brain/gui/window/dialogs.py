"""The windows that the main one opens: settings, programs, tournament, help.

Each is imported when it is first asked for, so that the start does not wait for it.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from gomoku_brain.gui.base.themes import Theme
from gomoku_brain.gui.model.settings import Settings

if TYPE_CHECKING:
    from gomoku_brain.gui.tournament.tournament_window import TournamentWindow

__all__ = ["Dialogs"]


class Dialogs(QObject):
    """Opens them and passes on what was decided there."""

    settings_changed = Signal(bool)
    """The settings are others; whether the language is another one, too."""
    programs_changed = Signal()
    """The list of programs is another one."""
    game_wanted = Signal(object)
    """A `GameTree` that is to be shown on the board."""

    def __init__(
        self, window: QWidget, settings: Settings, home: Path, theme: Theme
    ) -> None:
        """Nothing is open. Files of tournaments are put into `home`."""
        super().__init__(window)
        self.window, self.settings, self.home = window, settings, home
        self.theme = theme
        self.tournament: TournamentWindow | None = None

    def show_settings(self) -> None:
        """Change what is remembered."""
        from gomoku_brain.gui.dialogs.settings_dialog import SettingsDialog

        dialog = SettingsDialog(self.settings, self.window)
        if dialog.exec() == SettingsDialog.DialogCode.Accepted:
            language = self.settings.language
            dialog.apply()
            self.settings_changed.emit(self.settings.language != language)

    def edit_programs(self) -> None:
        """Add and remove programs that can take a seat."""
        from gomoku_brain.gui.dialogs.programs_dialog import ProgramsDialog

        programs = list(self.settings.programs)
        dialog = ProgramsDialog(programs, self.window)

        def keep() -> None:
            self.settings.programs = list(programs)
            self.programs_changed.emit()

        dialog.changed.connect(keep)
        dialog.exec()

    def show_tournament(self) -> None:
        """Engines against engines, in a window of its own."""
        from gomoku_brain.gui.tournament.tournament_window import TournamentWindow

        if self.tournament is None:
            self.tournament = TournamentWindow(
                self.settings.programs, self.home, self.theme, self.window
            )
            self.tournament.game_wanted.connect(self.game_wanted)
        self.tournament.show()
        self.tournament.raise_()

    def show_rules(self) -> None:
        """The rules of the game."""
        from gomoku_brain.gui.dialogs import help_pages

        help_pages.show_rules(self.window)

    def show_usage(self) -> None:
        """How to use the window."""
        from gomoku_brain.gui.dialogs import help_pages

        help_pages.show_usage(self.window)

    def show_about(self) -> None:
        """What this is."""
        from gomoku_brain.gui.dialogs import help_pages

        help_pages.show_about(self.window)

    def rest(self) -> None:
        """Nothing is played any more; what is under way is played again later."""
        if self.tournament is not None:
            self.tournament.rest()
