"""Application: settings, language, and the window with the last game."""

import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from gomoku_brain.gui.base.background import BackgroundTask, CycleCollector, finish_all
from gomoku_brain.gui.base.icons import app_icon
from gomoku_brain.gui.base.languages import Languages
from gomoku_brain.gui.game.autosave import Autosave
from gomoku_brain.gui.game.play import Play
from gomoku_brain.gui.model.progress import import_results
from gomoku_brain.gui.model.settings import Settings, load, make_durable
from gomoku_brain.gui.window.main_window import Window
from gomoku_brain.runs.user_folder import user_folder

__all__ = ["App", "run"]

# Python code in other threads delays the window by at most this time.
SWITCH_SECONDS = 0.0005
DURABLE_MS = 1000  # delay between a change of settings and its write to the disk


class App(QObject):
    """Application that creates the window, and creates it again for a new language."""

    def __init__(self, application: QApplication, folder: Path) -> None:
        """Create the application. ``folder`` contains settings and games."""
        super().__init__()
        self.application = application
        self.settings_file = folder / "settings.json"
        self.settings: Settings = load(self.settings_file)
        self._durable = QTimer(self)
        self._durable.setSingleShot(True)
        self._durable.setInterval(DURABLE_MS)
        self._durable.timeout.connect(self._save_durably)
        self.autosave = Autosave(folder / "games.db", self)
        import_results(self.settings_file, self.autosave.results)
        self.settings.saved = self._settings_saved
        self.languages = Languages(application)
        self.window: Window | None = None
        application.setApplicationName("gomoku-brain")
        application.setApplicationDisplayName("Gomoku Brain")
        application.setWindowIcon(app_icon())
        application.setStyle("fusion")  # the only style that uses all our colours
        self.set_language(self.settings.language)

    def start(self, file: Path | None = None, text: str = "") -> Window:
        """Show the window with the last game, or with that of a file or a text."""
        left = self.autosave.left_behind()
        window = self._show(None)
        opened = file is not None and window.files.open_file(file)
        opened = opened or (bool(text) and window.files.open_text(text))
        if left is not None and not opened:  # otherwise it stays in the archive
            window.games.restore(left)
        window.archive_controller.start()
        self.autosave.check()
        if not (opened or window.play.in_progress or window.play.free):
            window.show_start_page()
        return window

    def _settings_saved(self) -> None:
        if self.window is not None:
            self.window.archive_controller.report()
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
        """Load the texts of a language by its name, or of "system"."""
        self.languages.use(name)

    def _change_language(self) -> None:
        """Create the window again with the same game."""
        old = self.window
        if old is None:
            return
        self.set_language(self.settings.language)
        has_page = old.view.page is not None
        old.leave_start_page(resume=True)
        old.remember()
        old.study.analyst.rest()
        old.play.disconnect(old)
        old.archive_controller.stop()
        old.dialogs.rest()
        new = self._show(old.play)
        new.games.puzzle = old.games.puzzle
        new.rated.last, new.rated.before = old.rated.last, old.rated.before
        new.notices.remind()  # now with the result of a rated game or puzzle
        new.trainer.take_over(old.trainer)
        new.archive_controller.start()
        new.refresh()
        if has_page:
            new.show_start_page()
        old.hide()
        old.deleteLater()

    def finish(self) -> None:
        """Store everything and stop all work."""
        if self.window is not None:
            self.window.play.close()
        self._durable.stop()
        self.settings.saved = lambda: None
        self.settings.save()
        make_durable(self.settings_file)
        self.autosave.close()
        finish_all()


def run(arguments: Sequence[str], file: Path | None = None, text: str = "") -> int:
    """Show the board until it is closed. Return the exit status."""
    sys.setswitchinterval(SWITCH_SECONDS)
    application = QApplication([sys.argv[0], *arguments])
    collector = CycleCollector(application)
    app = App(application, user_folder())
    app.start(file, text=text)
    status = application.exec()
    collector.stop()
    return status
