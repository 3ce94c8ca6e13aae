"""Controller of the archive: stores the current game and opens stored ones."""

import sqlite3
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from gomoku_brain.gui.base.forms import is_accepted
from gomoku_brain.gui.base.themes import Theme
from gomoku_brain.gui.game.autosave import Autosave, saved_game_of
from gomoku_brain.gui.game.game_starter import GameStarter
from gomoku_brain.gui.game.play import Play
from gomoku_brain.gui.model.archive import Archive
from gomoku_brain.gui.model.settings import Settings

__all__ = ["ArchiveController"]


class ArchiveController(QObject):
    """Controller that stores the game on the board from ``start`` to ``stop``."""

    status_text = Signal(str)
    """A text for the status bar."""
    failed = Signal(str)
    """Files cannot be written. The argument is their names with the reasons."""
    damaged = Signal(str, int)
    """The archive was damaged. The arguments are the new name of its file and the
    number of recovered games."""

    def __init__(
        self,
        window: QWidget,
        play: Play,
        settings: Settings,
        games: GameStarter,
        autosave: Autosave | None,
        theme: Callable[[], Theme],
    ) -> None:
        """Create the controller without storing games."""
        super().__init__(window)
        self.window, self.play, self.settings = window, play, settings
        self.games, self.autosave = games, autosave
        self._theme = theme
        self._is_active = False
        self._trouble = ""  # as last reported
        games.is_stored = self.is_stored

    def start(self) -> None:
        """Store the game on the board, and all later ones, in the archive."""
        if self.autosave is not None:
            self.autosave.watch(self.play)
            self.autosave.failed.connect(self.report)
            self.autosave.damaged.connect(self.damaged)
            self.play.over.connect(self._check_end)
            self._is_active = True
            self.retry()

    def stop(self) -> None:
        """Stop storing, because another window does it from now on."""
        if self.autosave is not None:
            self.autosave.disconnect(self)
        self._is_active = False

    def _check_end(self) -> None:
        """Note that a game has ended that could not be stored."""
        if not self.is_stored():
            self.play.tree.mark_saved(False)

    def save_changes(self) -> None:
        """Store the changes of the game, if any."""
        if self._is_active and self.autosave is not None:
            self.autosave.save()

    def flush(self) -> None:
        """Store all waiting changes."""
        if self._is_active and self.autosave is not None:
            self.autosave.flush()

    def retry(self) -> None:
        """Store settings, results and game, at the start and after an error."""
        self._trouble = ""
        if self.autosave is not None:
            self.autosave.retry()
        self.settings.save()
        self.report()

    def write(self, write: Callable[[Archive], object]) -> None:
        """Write into the archive, if it is usable. Errors are reported."""
        if self.autosave is not None:
            self.autosave.attempt(write)

    def report(self) -> None:
        """Report the files that cannot be written, if others than before."""
        reasons = [self.settings.trouble]
        if self.autosave is not None and self.autosave.trouble:
            reasons.append(f"{self.autosave.path.name}: {self.autosave.trouble}")
        trouble = "; ".join(filter(None, reasons))
        if trouble and trouble != self._trouble:
            self.failed.emit(trouble)
        self._trouble = trouble

    def is_stored(self) -> bool:
        """Return whether the game on the board survives the end of the window."""
        return self._is_active and self.autosave is not None and self.autosave.is_safe

    def save_copy(self) -> bool:
        """Store the copy on the board in place of its game in the archive.

        Return False if the archive has no game of it.
        """
        archive, text = self.archive(), self.tr("Saved in the recent games.")
        if archive is None or not self.play.is_copy:
            return False
        try:
            done = archive.save_copy(saved_game_of(self.play))
            if not done:
                return False
            if done == "apart":
                text = self.tr(
                    "Another window has changed the game. Your copy is a study beside"
                    " it in the recent games."
                )
        except sqlite3.Error as error:
            text = self.tr("The game cannot be saved: {0}").format(error)
        self.save_changes()
        self.status_text.emit(text)
        return True

    def store_review(self) -> None:
        """Store the review of the game on the board with it."""
        if self._is_active and self.play.is_copy:
            saved = saved_game_of(self.play)
            self.write(lambda archive: archive.store_review(saved))

    def archive(self) -> Archive | None:
        """Return the archive; None if it is unusable."""
        return None if self.autosave is None else self.autosave.archive

    def show(self) -> None:
        """Show the list of stored games and open the chosen one."""
        # Imported here, because the start of the program does not need it.
        from gomoku_brain.gui.archive.archive_dialog import ArchiveDialog

        archive = self.archive()
        if archive is None:
            self.status_text.emit(self.tr("There is no archive of games."))
            return
        self.flush()
        dialog = ArchiveDialog(
            archive, self.settings.folder, self._theme(), self.window
        )
        accepted = is_accepted(dialog)
        self.settings.change(folder=dialog.folder)
        if not accepted or dialog.chosen is None:
            return
        is_same = archive.number_of(self.play.tree) == dialog.chosen
        if is_same and not self.play.is_copy:
            return  # it is on the board already
        if not self.games.may_leave_game(self.tr("Open the game and leave this one?")):
            return
        try:
            self.games.restore(archive.load(dialog.chosen))
        except (ValueError, sqlite3.Error) as error:
            text = self.tr("The game cannot be opened: {0}").format(error)
            self.status_text.emit(text)
