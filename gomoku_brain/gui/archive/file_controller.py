"""Controller of files and clipboard: opening, saving, copying and pasting."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event
from time import perf_counter

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QInputDialog, QProgressDialog, QWidget

from gomoku_brain.foreign_text import shown
from gomoku_brain.gui.archive import documents
from gomoku_brain.gui.archive.file_errors import expected, reading_error
from gomoku_brain.gui.base.background import BackgroundTask, hold_collection
from gomoku_brain.gui.base.labels import Label
from gomoku_brain.gui.base.words import rule_name
from gomoku_brain.gui.board.board_painter import Scene
from gomoku_brain.gui.game.play import Play
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.gui.model.settings import Settings
from gomoku_brain.records.game import Game
from gomoku_brain.records.read_options import ReadError
from gomoku_brain.records.short_forms import link_of, web_link

__all__ = ["FileController"]

LARGE = 15_000  # bytes of a file or a text that is read in a thread
PROGRESS_MS = 400  # until the progress of the reading is shown
REPORT = 0.1  # seconds between two reports of its progress


class ReadingStopped(Exception):
    """The user stopped the reading of a file."""


class FileController(QObject):
    """Controller of files and clipboard for a window.

    ``scene`` returns the scene on the board, ``may_leave`` whether the current game may
    be replaced.
    """

    opened = Signal(object)
    """A game was opened. The argument is its ``GameTree``."""
    failed = Signal(str)
    """An error occurred. The argument is the message in the user's language."""
    status_text = Signal(str)
    """A text for the status bar."""

    def __init__(
        self,
        window: QWidget,
        play: Play,
        settings: Settings,
        scene: Callable[[], Scene],
        may_leave: Callable[[str], bool],
    ) -> None:
        """Create the controller."""
        super().__init__(window)
        self.window, self.play, self.settings = window, play, settings
        self._scene, self._may_leave = scene, may_leave
        self.reading: Event | None = None
        """Set it to stop the reading of a large file."""

    def open(self) -> None:
        """Show the file dialog and open the chosen file."""
        name, _ = QFileDialog.getOpenFileName(
            self.window,
            self.tr("Open a game"),
            self.settings.folder,
            self.tr(
                "Games and positions (*.psq *.sgf *.lib *.json *.jsonl *.txt *.pgn"
                " *.rif *.xml *.sav *.pos *.rec);;All (*)"
            ),
        )
        if name:
            self.open_file(Path(name))

    def open_file(self, path: Path) -> bool:
        """Open a game or a position. After an error the current game remains.

        A large file is read in a thread, and its game is shown later; the result is
        then True.
        """
        try:
            large = path.stat().st_size > LARGE
        except OSError:
            large = False
        if large:
            self._start_reading(path)
            return True
        bad: list[ReadError] = []
        try:
            found = documents.read_file(path, bad=bad)
        except ValueError as error:
            self._report(path, error)
            return False
        return self._show(path, found, bad)

    def open_one_of(self, paths: list[Path]) -> None:
        """Show a choice of several dropped files, and open the chosen one."""
        names = [shown(path.name) for path in paths]
        name, chosen = QInputDialog.getItem(
            self.window,
            self.tr("Several files"),
            self.tr("Which one?"),
            names,
            0,
            False,
        )
        if chosen:
            self.open_file(paths[names.index(name)])

    def _start_reading(self, path: Path) -> None:
        """Read a large file in a thread. The bar shows its progress and a button."""
        self.stop_reading()
        bad: list[ReadError] = []
        stopped = Event()
        words = self.tr("Reading {0}…").format(path.name)
        progress = QProgressDialog(words, self.tr("Stop"), 0, 100, self.window)
        progress.setLabel(Label(words))
        progress.setWindowModality(Qt.WindowModality.NonModal)
        progress.setMinimumDuration(PROGRESS_MS)
        progress.setAutoClose(False)
        progress.setAutoReset(False)
        progress.canceled.connect(stopped.set)
        last = 0.0

        def read(task: BackgroundTask) -> list[Game]:
            def note_progress(done: int, whole: int) -> None:
                nonlocal last
                if stopped.is_set():
                    raise ReadingStopped
                if (now := perf_counter()) > last + REPORT:
                    last = now
                    task.report(100 * done // max(whole, 1))

            found = documents.read_file(path, note_progress, bad)
            if stopped.is_set():
                raise ReadingStopped
            return found

        def end() -> None:
            if self.reading is stopped:
                self.reading = None
            progress.canceled.disconnect()
            progress.close()
            progress.deleteLater()
            hold_collection(False)

        def take(found: list[Game]) -> None:
            hold_collection(True)
            end()
            self._show(path, found, bad)
            hold_collection(False)
            unused = [game for game in found if game is not self.play.tree.game]
            if unused:
                BackgroundTask(lambda task: _dissolve(unused)).start()

        def fail(error: Exception) -> None:
            end()
            if not isinstance(error, ReadingStopped):
                self._report(path, error)

        task = BackgroundTask(read)
        task.reported.connect(progress.setValue)
        task.done.connect(take)
        task.failed.connect(fail)
        self.reading = stopped
        hold_collection(True)
        task.start()

    def stop_reading(self) -> None:
        """Stop the reading of a large file, if there is one."""
        if self.reading is not None:
            self.reading.set()

    def _report(self, path: Path, error: Exception) -> None:
        text = self.tr("{0} cannot be opened: {1}").format(
            path.name, reading_error(error, path)
        )
        self.failed.emit(text + "\n" + expected())

    def _show(
        self,
        path: Path,
        found: list[Game],
        bad: list[ReadError],
    ) -> bool:
        """Show a game of a file, after a question which one if there are several."""
        game, is_alone = found[0], len(found) == 1 and not bad
        if len(found) > 1:
            names = [f"{k}. {shown(each.name)}" for k, each in enumerate(found, 1)]
            name, chosen = QInputDialog.getItem(
                self.window,
                self.tr("Several games"),
                self.tr("Which one?"),
                names,
                0,
                False,
            )
            if not chosen:
                return False
            game = found[names.index(name)]
        if not self._may_leave(self.tr("Open the file and leave this game?")):
            return False
        self.settings.change(folder=str(path.parent))
        tree = _study_of(game)
        tree.file = _stamped(path) if is_alone and not game.left_out else None
        self.opened.emit(tree)
        if bad:
            text = self.tr("{0} games of {1} cannot be read: {2}")
            words = reading_error(bad[0], path)
            self.status_text.emit(text.format(len(bad), path.name, words))
        elif game.left_out:
            text = self.tr("{0} more variations of {1} are not shown.")
            self.status_text.emit(text.format(game.left_out, path.name))
        return True

    def save(self) -> None:
        """Save the game in its SGF file, unless somebody else has changed that; other
        games by dialog.
        """
        path, changed = self.play.tree.file or (Path(), 0)
        if path.suffix.lower() == ".sgf" and _stamped(path) == (path, changed):
            self.save_file(path)
        else:
            self.save_as()

    def save_as(self) -> None:
        """Show the file dialog and save the game."""
        name, form = QFileDialog.getSaveFileName(
            self.window,
            self.tr("Save the game"),
            str(Path(self.settings.folder, "game.psq")),
            "PSQ (*.psq);;SGF (*.sgf);;JSON (*.json);;" + self.tr("Text") + " (*.txt)",
        )
        if name:
            self.save_file(_with_ending(name, form))

    def save_file(self, path: Path) -> bool:
        """Save the current line in the format of the file name."""
        tree = self.play.tree
        saved = self._write(lambda: documents.save_game(tree, path), path)
        if saved and path.suffix.lower() == ".sgf":  # it has everything
            tree.file = _stamped(path)
        if saved:
            tree.mark_saved()
        return saved

    def save_picture(self) -> None:
        """Show the file dialog and save a picture of the board."""
        name, form = QFileDialog.getSaveFileName(
            self.window,
            self.tr("Save a picture"),
            str(Path(self.settings.folder, "board.png")),
            "PNG (*.png);;SVG (*.svg);;"
            + self.tr("The whole game as an animation")
            + " (*.gif)",
        )
        if name:
            self.save_picture_file(_with_ending(name, form))

    def save_picture_file(self, path: Path) -> bool:
        """Save the board as .png or .svg, or the game move by move as .gif.

        A .gif is written in a thread; the result is then True.
        """
        if path.suffix.lower() == ".gif":
            self._save_animation(path)
            return True
        return self._write(lambda: documents.save_picture(self._scene(), path), path)

    def _save_animation(self, path: Path) -> None:
        """Write a picture of every position of the current line, in a thread."""
        tree, last = self.play.tree, self._scene()
        game = tree.game.cut(len(tree.line()), tree.end_of_line)

        def work(task: BackgroundTask) -> None:
            documents.save_animation(_scenes_of(game, last), path)

        self.status_text.emit(self.tr("Writing {0}…").format(path.name))
        task = BackgroundTask(work)
        task.done.connect(lambda nothing: self._report_saved(path))
        task.failed.connect(lambda error: self._report_unsaved(path, error))
        task.start()

    def _write(self, work: Callable[[], None], path: Path) -> bool:
        try:
            work()
        except (OSError, ValueError) as error:
            self._report_unsaved(path, error)
            return False
        self._report_saved(path)
        return True

    def _report_unsaved(self, path: Path, error: Exception) -> None:
        reason = error.strerror if isinstance(error, OSError) else None
        text = self.tr("{0} cannot be written: {1}")
        self.failed.emit(text.format(path.name, reason or error))

    def _report_saved(self, path: Path) -> None:
        self.settings.change(folder=str(path.parent))
        self.status_text.emit(self.tr("Saved: {0}").format(path))

    def copy(self) -> None:
        """Copy the position as text."""
        QGuiApplication.clipboard().setText(documents.position_text(self.play.tree))
        self.status_text.emit(self.tr("The position was copied."))

    def copy_link(self) -> None:
        """Copy the game up to the position shown as a link."""
        try:
            link = link_of(self.play.tree.shown_game())
        except ValueError:
            self.status_text.emit(self.tr("A link cannot hold walls."))
            return
        QGuiApplication.clipboard().setText(link)
        self.status_text.emit(self.tr("Copied: {0}").format(link))

    def copy_web_link(self) -> None:
        """Copy the game up to the position shown as an address of gomocalc.com."""
        game = self.play.tree.shown_game()
        try:
            link = web_link(game)
        except ValueError:
            text = self.tr("gomocalc.com needs a square board that is empty at first.")
            self.status_text.emit(text)
            return
        QGuiApplication.clipboard().setText(link)
        text = self.tr("Copied. Choose the size {0} and the rule there: {1}.")
        self.status_text.emit(text.format(game.width, rule_name(game.rule)))

    def copy_picture(self) -> None:
        """Copy the board as an image."""
        QGuiApplication.clipboard().setImage(documents.picture(self._scene()))
        self.status_text.emit(self.tr("The picture was copied."))

    def paste(self) -> None:
        """Open a position or a game from the clipboard."""
        self.open_text(QGuiApplication.clipboard().text())

    def open_text(self, text: str) -> bool:
        """Open a position or a game from a pasted or dropped text.

        Return whether it was opened. A large text is read in a thread, and its game is
        shown later; the result is then True.
        """
        like = self.play.tree.game.cut(0)
        if len(text) > LARGE:
            task = BackgroundTask(lambda task: documents.read_pasted(text, like))
            task.done.connect(self._show_pasted)
            task.failed.connect(self._report_text)
            task.start()
            return True
        try:
            game = documents.read_pasted(text, like)
        except ValueError as error:
            self._report_text(error)
            return False
        return self._show_pasted(game)

    def _report_text(self, error: Exception) -> None:
        text = self.tr("This is not a position: {0}").format(reading_error(error))
        self.failed.emit(text + "\n" + expected())

    def _show_pasted(self, game: Game) -> bool:
        """Show a pasted game, if the current one may be left."""
        if not self._may_leave(self.tr("Paste the position and leave this game?")):
            return False
        tree = _study_of(game)
        tree.mark_saved(False)
        self.opened.emit(tree)
        return True


def _study_of(game: Game) -> GameTree:
    """Return a tree that shows the end of a game, or the start of one with comments or
    variations, which is read from there.
    """
    tree = GameTree(game)
    if any(node.comment or len(node.variations) > 1 for node in game.nodes()):
        tree.go_to(game)
    return tree


def _stamped(path: Path) -> tuple[Path, int] | None:
    """Return a file with the time of its last change; None if there is no such file."""
    try:
        return path, path.stat().st_mtime_ns
    except OSError:
        return None


def _dissolve(games: list[Game]) -> None:
    """Free the games of a file that are not shown."""
    for game in games:
        game.dissolve()


def _scenes_of(game: Game, like: Scene) -> list[Scene]:
    """Return the scenes of a game, with the looks of one."""
    tree = GameTree(game)
    scenes = []
    for node in tree.node.path():
        tree.go_to(node)
        scenes.append(
            replace(
                Scene(theme=like.theme, coordinates=like.coordinates),
                board=tree.board,
                last=node.move,
                winning=tree.winning_line(),
                numbers=tree.numbers() if like.numbers else {},
                rows_from_bottom=like.rows_from_bottom,
            )
        )
    return scenes


def _with_ending(name: str, form: str) -> Path:
    """Add the ending of the selected format to a file name without an ending.

    ``form`` is for example "PSQ (*.psq)". The ending is not added if that file exists,
    because the file dialog has not shown the question about overwriting it.
    """
    path = Path(name)
    if path.suffix or not form.endswith(")"):
        return path
    whole = path.with_name(path.name + form[form.rindex(".") : -1])
    return path if whole.exists() else whole
