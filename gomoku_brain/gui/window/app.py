"""The program around the window: settings, language, the game that was on the board."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import (
    QObject,
    QStandardPaths,
    QTimer,
)
from PySide6.QtWidgets import QApplication

from gomoku_brain.gui.base.background import BackgroundTask, CycleCollector, finish_all
from gomoku_brain.gui.base.icons import app_icon
from gomoku_brain.gui.base.languages import Languages
from gomoku_brain.gui.game.autosave import Autosave
from gomoku_brain.gui.game.play import Play
from gomoku_brain.gui.model.settings import Settings, load, make_durable, save
from gomoku_brain.gui.window.main_window import Window

__all__ = ["App", "run"]

# Work in Python holds the window up for this long at most before it has to let go.
SWITCH_SECONDS = 0.0005
DURABLE_MS = 1000  # after a change of settings, before the disk is waited for


class App(QObject):
    """One window after the other, when the language changes, over one game."""

    def __init__(self, application: QApplication, folder: Path) -> None:
        """Keep settings and the saved game in a folder."""
        super().__init__()
        self.application = application
        self.settings_file = folder / "settings.json"
        self.settings: Settings = load(self.settings_file)
        self.settings.watch(self._keep_settings)
        self._durable = QTimer(self)
        self._durable.setSingleShot(True)
        self._durable.setInterval(DURABLE_MS)
        self._durable.timeout.connect(self._save_durably)
        self.autosave = Autosave(folder / "games.db", self)
        self.languages = Languages(application)
        self.window: Window | None = None
        application.setApplicationName("gomoku-brain")
        application.setApplicationDisplayName("Gomoku Brain")
        application.setWindowIcon(app_icon())
        application.setStyle("fusion")  # the one style that takes all our colours
        self.set_language(self.settings.language)

    def start(self, file: Path | None = None) -> Window:
        """Show the window with the game that was last on the board, or with a file."""
        left = self.autosave.left_behind()
        window = self._show(None)
        opened = file is not None and window.files.open_file(file)
        if left is not None and not opened:  # else it stays in the archive
            window.games.adopt(left)
        window.kept.begin()
        self.autosave.tell_damage()
        return window

    def _keep_settings(self) -> None:
        """Write a change at once, so that no kill of the process can take it."""
        save(self.settings, self.settings_file, durable=False)
        self._durable.start()

    def _save_durably(self) -> None:
        BackgroundTask(lambda task: make_durable(self.settings_file)).start()

    def _show(self, play: Play | None) -> Window:
        window = Window(self.settings, play, self.autosave)
        window.language_changed.connect(self._change_language)
        window.closed.connect(self.finish)
        self.window = window
        window.show()
        return window

    def set_language(self, name: str) -> None:
        """Load the texts of a language: its name, or "system"."""
        self.languages.use(name)

    def _change_language(self) -> None:
        """Make the window anew over the same game."""
        old = self.window
        if old is None:
            return
        self.set_language(self.settings.language)
        old.remember()
        old.study.analyst.rest()
        old.play.disconnect(old)
        old.kept.end()
        old.dialogs.rest()
        new = self._show(old.play)
        new.games.puzzle = old.games.puzzle
        new.trainer.take_over(old.trainer)
        new.kept.begin()
        new.refresh()
        old.hide()
        old.deleteLater()

    def finish(self) -> None:
        """Remember everything and stop all work."""
        if self.window is not None:
            self.window.play.close()
        self._durable.stop()
        self.settings.watch(None)
        save(self.settings, self.settings_file)
        self.autosave.close()
        finish_all()


def folder() -> Path:
    """Where settings are kept: GOMOKU_BOARD_HOME, or the usual place of the system."""
    named = os.environ.get("GOMOKU_BOARD_HOME")
    if named:
        return Path(named)
    place = QStandardPaths.StandardLocation.GenericConfigLocation
    return Path(QStandardPaths.writableLocation(place), "gomoku-brain")


def run(arguments: Sequence[str], file: Path | None = None) -> int:
    """Show the board until it is closed; the exit status."""
    sys.setswitchinterval(SWITCH_SECONDS)
    application = QApplication([sys.argv[0], *arguments])
    collector = CycleCollector(application)
    app = App(application, folder())
    app.start(file)
    status = application.exec()
    collector.stop()
    return status
