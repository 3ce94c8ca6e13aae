"""Storage of the current game in the archive while it is played."""

import contextlib
import os
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal

from gomoku_brain.game.rules import Side
from gomoku_brain.gui.base.background import BackgroundTask
from gomoku_brain.gui.game.play import Play
from gomoku_brain.gui.model.archive import Archive, Kind
from gomoku_brain.gui.model.game_players import GameConfig
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.gui.model.progress import StoredResults
from gomoku_brain.gui.model.saved_game import SavedGame

__all__ = ["Autosave", "saved_game_of"]

DELAY_MS = 300  # delay for changes other than moves, such as evaluations
CHECKPOINT_MS = 3000
LARGE = 2000  # nodes; a larger game is not stored at every move
OPEN = "open"  # name of the note with the number of the game that is played
DRAFT = "draft"  # beginning of the names of notes with the copies that are studied


def saved_game_of(play: Play) -> SavedGame:
    """Return the current game with its current players."""
    slots = play.slots
    config = replace(
        play.config,
        black=slots[Side.BLACK],
        white=slots[Side.WHITE],
        swap2=play.opening is not None,  # it begins again if there is no stone
    )
    return SavedGame(play.tree, config, play.free)


class Autosave(QObject):
    """Automatic storage of the game: moves at once, other changes with a delay.

    ``archive`` is None if the archive is unusable. Then games are not stored.
    """

    failed = Signal(str)
    """Games cannot be stored. The argument is the reason."""
    damaged = Signal(str, int)
    """The archive was damaged. The arguments are the new name of its file and the
    number of recovered games."""

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        """Open the archive.

        Only the first window of the program restores the last game.
        """
        super().__init__(parent)
        self.path = path
        self.trouble = ""
        """Reason why games are not stored; "" if they are."""
        self.archive: Archive | None = None
        self.results = StoredResults(
            lambda: self.archive, lambda: self.attempt(self.results.store)
        )
        self._lock = QLockFile(str(path.with_suffix(".lock")))
        self._lock.setStaleLockTime(0)
        self.is_first = False
        self._open()
        self._play: Play | None = None
        self._known: tuple[GameTree, int, GameConfig] | None = None  # as last stored
        self._last: SavedGame | None = None  # the last game that was stored
        self._is_played = False  # whether the archive has it as one that goes on
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self._write)
        self._checkpoint = QTimer(self)
        self._checkpoint.setSingleShot(True)
        self._checkpoint.setInterval(CHECKPOINT_MS)
        self._checkpoint.timeout.connect(self._make_durable)

    def _open(self) -> None:
        self.trouble = ""
        try:
            self.archive = Archive(self.path)
        except (sqlite3.Error, OSError) as error:
            self.trouble = str(error)
        self.is_first = self.is_first or self._lock.tryLock(0)

    @property
    def _draft(self) -> str:
        return DRAFT if self.is_first else f"{DRAFT}-{os.getpid()}"

    @property
    def is_safe(self) -> bool:
        """Whether the current game survives the end of the program."""
        return self.archive is not None and not self.trouble

    def check(self) -> None:
        """Report damage of the archive, and check the whole file in a thread."""
        archive = self.archive
        if archive is None:
            return
        if archive.set_aside is not None:
            self.damaged.emit(archive.set_aside.name, archive.rescued)
        task = BackgroundTask(lambda task: _check(archive))
        task.done.connect(self._take_check)
        task.start()

    def _take_check(self, sound: bool) -> None:
        if not sound and self.archive is not None and not self.trouble:
            self._rebuild()

    def _rebuild(self) -> None:
        assert self.archive is not None
        try:
            self.archive.rebuild()
        except (sqlite3.Error, OSError) as error:
            self._note_trouble(str(error))
            return
        self._known = None
        if self.archive.set_aside is not None:
            self.damaged.emit(self.archive.set_aside.name, self.archive.rescued)
        self._write()

    def left_behind(self) -> SavedGame | None:
        """Return the game that was on the board when the program ended, if any."""
        if self.archive is None or not self.is_first:
            return None
        archive = self.archive
        try:
            drafts = archive.noted_all(DRAFT)
            text, number = drafts.pop(DRAFT, ""), archive.noted(OPEN)
            for name, other in drafts.items():  # of other windows that were killed
                with contextlib.suppress(ValueError):
                    saved = archive.draft(other)
                    if saved.tree.is_unsaved:
                        archive.store_apart(saved)
                archive.forget(name)
            if text:
                self._last = archive.draft(text)
            elif number:
                self._last = archive.load(int(number))
            return self._last
        except (ValueError, sqlite3.Error):
            return None

    def watch(self, play: Play) -> None:
        """Store this game and all later ones. The window calls ``save``."""
        self._play = play

    def save(self) -> None:
        """Store the game after a possible change. A new move is stored at once."""
        play = self._play
        if play is None or not self.is_safe:
            return
        saved = saved_game_of(play)
        state = (saved.tree, saved.tree.game.history.revision, saved.config)
        changed = self._known is None or state != self._known
        if changed and sum(1 for _ in islice(saved.tree.game.nodes(), LARGE)) < LARGE:
            self._write()
        elif not self._timer.isActive():
            self._timer.start()

    def _write(self) -> None:
        play = self._play
        self.attempt(self.results.store)
        if play is None or play.tree.is_lesson:
            return  # the game before the lesson is restored at the next start
        saved = saved_game_of(play)

        def store(archive: Archive) -> None:
            if self._last is not None and self._last.tree is not saved.tree:
                self._store_left(archive)
            self._store(archive, saved)
            self._known = (saved.tree, saved.tree.game.history.revision, saved.config)

        self.attempt(store)

    def attempt(self, write: Callable[[Archive], object]) -> None:
        """Write into the archive, if it is usable, and handle all errors."""
        if self.archive is None or self.trouble:
            return
        try:
            write(self.archive)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF in (
                sqlite3.SQLITE_BUSY,
                sqlite3.SQLITE_LOCKED,
            ):
                self._timer.start()  # another window is writing
            else:
                self._note_trouble(str(error))
        except sqlite3.DatabaseError:
            self._rebuild()
        else:
            if not self._checkpoint.isActive():
                self._checkpoint.start()

    def _store(self, archive: Archive, saved: SavedGame) -> None:
        """Store a game that is played as a game, a copy as a draft."""
        tree = saved.tree
        is_known = archive.number_of(tree) is not None or archive.is_deleted(tree)
        if saved.free or (tree.is_over and is_known and not self._is_played):
            self._is_played = False
            gone = [OPEN] if self.is_first else []
            archive.change_notes({self._draft: archive.draft_text(saved)}, gone)
        else:
            number = archive.store(saved, _kind_of(saved))
            self._is_played = not tree.is_over
            if tree.is_over:
                tree.mark_saved()
            notes = {OPEN: str(number or "")} if self.is_first else {}
            archive.change_notes(notes, [self._draft])
        self._last = saved

    def _store_left(self, archive: Archive) -> None:
        """Store the game that is no longer on the board, a copy if it was changed."""
        saved, self._is_played = self._last, False
        assert saved is not None
        if not (saved.free or saved.tree.is_over):
            archive.store(saved, _kind_of(saved))
        elif saved.tree.is_unsaved:
            archive.store_apart(saved)
        self._last = None

    def _note_trouble(self, text: str) -> None:
        self.trouble = text
        self.failed.emit(text)

    def retry(self) -> None:
        """Store all, at the start and after an error, and report a new one."""
        self.trouble, self._known = "", None
        if self.archive is None:
            self._open()
            self.check()
        self.attempt(lambda archive: archive.change_note(OPEN, lambda text: text))
        self._write()

    def _make_durable(self) -> None:
        archive = self.archive
        if archive is not None:
            BackgroundTask(lambda task: archive.checkpoint()).start()

    def flush(self) -> None:
        """Store all waiting changes."""
        self._timer.stop()
        self._write()

    def close(self) -> None:
        """Store the game and close the archive. The next start restores the game."""
        self.flush()
        self._checkpoint.stop()
        self._play = None
        if self.archive is not None:
            if not self.is_first:  # its game is not restored
                with contextlib.suppress(sqlite3.Error):
                    if self._last is not None:
                        self._store_left(self.archive)
                    self.archive.forget(self._draft)
            self.archive.close()
            self.archive = None
        if self.is_first:
            self._lock.unlock()
            self.is_first = False


def _kind_of(saved: SavedGame) -> Kind:
    return "puzzle" if "puzzle" in saved.tree.facts else "game"


def _check(archive: Archive) -> bool:
    """Return whether the file is intact; repair an index that disagrees with it."""
    if not archive.is_sound():
        return False
    with contextlib.suppress(sqlite3.Error):  # another window writes: next time
        archive.repair()
    return True
