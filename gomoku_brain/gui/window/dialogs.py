"""Dialogs of the main window: settings, programs, tournament and help.

Each is imported at its first use, which makes the start faster.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from gomoku_brain.gui.base.forms import is_accepted
from gomoku_brain.gui.base.themes import Theme
from gomoku_brain.gui.model.archive import Archive
from gomoku_brain.gui.model.progress import StoredResults
from gomoku_brain.gui.model.settings import Settings

if TYPE_CHECKING:
    from gomoku_brain.gui.tournament.tournament_window import TournamentWindow

__all__ = ["Dialogs"]


class Dialogs(QObject):
    """Opener of the dialogs, which reports their results."""

    settings_changed = Signal(bool)
    """The settings have changed. The argument is whether the language has changed."""
    programs_changed = Signal()
    """The list of programs has changed."""
    game_wanted = Signal(object)
    """A game must be shown on the board. The argument is its ``GameTree``."""

    def __init__(
        self,
        window: QWidget,
        settings: Settings,
        results: StoredResults,
        home: Path,
        theme: Theme,
        archive: Callable[[], Archive | None],
    ) -> None:
        """Create the opener. ``home`` is the folder of tournament files."""
        super().__init__(window)
        self.window, self.settings, self.results = window, settings, results
        self.home, self.theme, self.archive = home, theme, archive
        self.tournament: TournamentWindow | None = None

    def set_theme(self, theme: Theme) -> None:
        """Use a theme from now on, also in the tournament window."""
        self.theme = theme
        if self.tournament is not None:
            self.tournament.set_theme(theme)

    def show_settings(self) -> None:
        """Show the settings dialog."""
        from gomoku_brain.gui.dialogs.settings_dialog import SettingsDialog

        dialog = SettingsDialog(self.settings, self.window)
        if is_accepted(dialog):
            language = self.settings.language
            dialog.apply()
            self.settings_changed.emit(self.settings.language != language)

    def edit_programs(self) -> None:
        """Show the dialog of programs."""
        from gomoku_brain.gui.dialogs.programs_dialog import ProgramsDialog

        self.settings.renew_programs()
        programs = list(self.settings.programs)
        dialog = ProgramsDialog(programs, self.window)

        def keep() -> None:
            self.settings.change(programs=list(programs))
            if self.tournament is not None:
                self.tournament.offer_programs(programs)
            self.programs_changed.emit()

        dialog.changed.connect(keep)
        is_accepted(dialog)

    def show_tournament(self) -> None:
        """Show the tournament window."""
        from gomoku_brain.gui.tournament.tournament_window import TournamentWindow

        if self.tournament is None:
            self.tournament = TournamentWindow(
                self.settings.programs, self.home, self.theme, self.window
            )
            self.tournament.game_wanted.connect(self.game_wanted)
        self.tournament.show()
        self.tournament.raise_()

    def show_results(self) -> None:
        """Show the user's rating, rated games, puzzles and storms."""
        from gomoku_brain.gui.dialogs.results_dialog import ResultsDialog
        from gomoku_brain.gui.model.level_rating import history
        from gomoku_brain.gui.model.storm import best_storms

        archive = self.archive()
        dialog = ResultsDialog(
            [] if archive is None else history(archive),
            self.results.record,
            [] if archive is None else best_storms(archive),
            self.theme,
            self.window,
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def show_rules(self) -> None:
        """Show the rules of the game."""
        from gomoku_brain.gui.dialogs import help_pages

        help_pages.show_rules(self.window, self.theme)

    def show_usage(self) -> None:
        """Show the instructions for the window."""
        from gomoku_brain.gui.dialogs import help_pages

        help_pages.show_usage(self.window)

    def show_about(self) -> None:
        """Show name, version and licence."""
        from gomoku_brain.gui.dialogs import help_pages

        help_pages.show_about(self.window)

    def rest(self) -> None:
        """Stop the tournament. Interrupted games are played again later."""
        if self.tournament is not None:
            self.tournament.rest()
