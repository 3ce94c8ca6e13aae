"""The archive in the window: the game on the board is kept, others are opened."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from gomoku_brain.gui.base.themes import Theme
from gomoku_brain.gui.game.autosave import Autosave
from gomoku_brain.gui.game.game_starter import GameStarter
from gomoku_brain.gui.game.play import Play
from gomoku_brain.gui.model.archive import Archive
from gomoku_brain.gui.model.settings import Settings

__all__ = ["ArchiveDesk"]


class ArchiveDesk(QObject):
    """Keeps the game on the board from `begin` to `end`."""

    said = Signal(str)
    """A word for the status bar."""
    failed = Signal(str)
    """Games cannot be kept: why."""
    damaged = Signal(str, int)
    """The archive was set aside under a name; so many games could be read."""

    def __init__(
        self,
        window: QWidget,
        play: Play,
        settings: Settings,
        games: GameStarter,
        autosave: Autosave | None,
        theme: Callable[[], Theme],
    ) -> None:
        """Keep nothing yet."""
        super().__init__(window)
        self.window, self.play, self.settings = window, play, settings
        self.games, self.autosave = games, autosave
        self._theme = theme
        self._keeps = False
        games.is_kept = self.is_kept

    def begin(self) -> None:
        """Keep the game on the board, and all that follow, in the archive."""
        if self.autosave is not None:
            self.autosave.watch(self.play)
            self.autosave.failed.connect(self.failed)
            self.autosave.damaged.connect(self.damaged)
            self._keeps = True
            self.look()

    def end(self) -> None:
        """Another window keeps them from now on."""
        if self.autosave is not None:
            self.autosave.disconnect(self)
        self._keeps = False

    def look(self) -> None:
        """The game may have changed: write what is new."""
        if self._keeps and self.autosave is not None:
            self.autosave.keep()

    def flush(self) -> None:
        """Write what is waiting."""
        if self._keeps and self.autosave is not None:
            self.autosave.flush()

    def retry(self) -> None:
        """There may be room again."""
        if self.autosave is not None:
            self.autosave.retry()

    def is_kept(self) -> bool:
        """Whether the game on the board outlives the window."""
        return self._keeps and self.autosave is not None and self.autosave.is_safe

    def archive(self) -> Archive | None:
        """All games; None where none can be kept."""
        return None if self.autosave is None else self.autosave.archive

    def show(self) -> None:
        """Show all games that were kept, and open one."""
        # The start does not wait for what is not seen yet.
        from gomoku_brain.gui.archive.archive_dialog import ArchiveDialog

        archive = self.archive()
        if archive is None:
            self.said.emit(self.tr("There is no archive of games."))
            return
        self.flush()
        dialog = ArchiveDialog(
            archive, self.settings.folder, self._theme(), self.window
        )
        done = dialog.exec()
        self.settings.folder = dialog.folder
        if done != ArchiveDialog.DialogCode.Accepted or dialog.chosen is None:
            return
        if archive.number_of(self.play.tree) == dialog.chosen:
            return  # it is on the board
        if self.games.may_leave_game(self.tr("Open the game and leave this one?")):
            self.games.adopt(archive.load(dialog.chosen))
