"""Controller of files and clipboard: opening, saving, copying and pasting."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QInputDialog, QWidget

from gomoku_brain.gui.archive import documents
from gomoku_brain.gui.archive.file_errors import expected, reading_error
from gomoku_brain.gui.board.board_painter import Scene
from gomoku_brain.gui.game.play import Play
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.gui.model.saved_game import from_text, to_text
from gomoku_brain.gui.model.settings import Settings

__all__ = ["FileDesk"]


class FileDesk(QObject):
    """Controller of files and clipboard for a window.

    ``scene`` returns the scene on the board, ``may_leave`` whether the current game may
    be replaced.
    """

    opened = Signal(object)
    """A game was opened. The argument is its ``GameTree``."""
    failed = Signal(str)
    """An error occurred. The argument is the message in the user's language."""
    said = Signal(str)
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

    def open(self) -> None:
        """Show the file dialog and open the chosen file."""
        name, _ = QFileDialog.getOpenFileName(
            self.window,
            self.tr("Open a game"),
            self.settings.folder,
            self.tr(
                "Games and positions (*.psq *.sgf *.lib *.json *.jsonl *.txt);;All (*)"
            ),
        )
        if name:
            self.open_file(Path(name))

    def open_file(self, path: Path) -> bool:
        """Open a game or a position. After an error the current game remains."""
        try:
            found = documents.read_file(path)
        except ValueError as error:
            text = self.tr("{0} cannot be opened: {1}").format(
                path.name, reading_error(error, path)
            )
            self.failed.emit(text + "\n" + expected())
            return False
        document = found[0]
        if len(found) > 1:
            names = [f"{k}. {each.game.name}" for k, each in enumerate(found, 1)]
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
            document = found[names.index(name)]
        if not self._may_leave(self.tr("Open the file and leave this game?")):
            return False
        self.settings.folder = str(path.parent)
        self.opened.emit(document.tree())
        return True

    def save(self) -> None:
        """Show the file dialog and save the current line."""
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
        saved = self._write(lambda: documents.save_game(self.play.tree, path), path)
        if saved:
            self.play.keep()
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
        """Save the board as .png or .svg, or the game move by move as .gif."""
        if path.suffix.lower() == ".gif":
            return self._write(lambda: self._save_animation(path), path)
        return self._write(lambda: documents.save_picture(self._scene(), path), path)

    def _save_animation(self, path: Path) -> None:
        """Write a picture of every position of the current line."""
        tree, last = self.play.tree, self._scene()
        copy = from_text(to_text(tree, self.play.terms)).tree
        scenes = []
        for node in [copy.root, *copy.node.line()]:
            copy.go_to(node)
            scenes.append(
                replace(
                    Scene(theme=last.theme, coordinates=last.coordinates),
                    board=copy.board,
                    last=node.move,
                    winning=copy.winning_line(),
                    numbers=copy.numbers() if last.numbers else {},
                    rows_from_bottom=last.rows_from_bottom,
                )
            )
        documents.save_animation(scenes, path)

    def _write(self, work: Callable[[], None], path: Path) -> bool:
        try:
            work()
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else None
            text = self.tr("{0} cannot be written: {1}")
            self.failed.emit(text.format(path.name, reason or error))
            return False
        self.settings.folder = str(path.parent)
        self.said.emit(self.tr("Saved: {0}").format(path))
        return True

    def copy(self) -> None:
        """Copy the position as text."""
        QGuiApplication.clipboard().setText(documents.position_text(self.play.tree))
        self.said.emit(self.tr("The position was copied."))

    def copy_picture(self) -> None:
        """Copy the board as an image."""
        QGuiApplication.clipboard().setImage(documents.picture(self._scene()))
        self.said.emit(self.tr("The picture was copied."))

    def paste(self) -> None:
        """Open a position or a game from the clipboard."""
        self.open_text(QGuiApplication.clipboard().text())

    def open_text(self, text: str) -> None:
        """Open a position or a game from a pasted or dropped text."""
        try:
            game = documents.read_pasted(text, self.play.tree.start)
        except ValueError as error:
            text = self.tr("This is no position: {0}").format(reading_error(error))
            self.failed.emit(text + "\n" + expected())
            return
        if self._may_leave(self.tr("Paste the position and leave this game?")):
            self.opened.emit(GameTree(game))


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
