"""Controller of the training: puzzles, and mistakes of one game or of all games."""

import contextlib
import sqlite3
from datetime import date

from PySide6.QtCore import QObject, Signal

from gomoku_brain.game.rules import Side
from gomoku_brain.gui.archive.archive_controller import ArchiveController
from gomoku_brain.gui.game.modes import Mode
from gomoku_brain.gui.model.archive import Archive
from gomoku_brain.gui.model.lessons import from_text as lesson_from
from gomoku_brain.gui.model.lessons import lessons_of
from gomoku_brain.gui.model.repetition import (
    Repetition,
    repetition_of,
    with_repetition,
)
from gomoku_brain.gui.puzzles.coach import Trainer
from gomoku_brain.records.game_node import GameNode

__all__ = ["LearningController"]


class LearningController(QObject):
    """Controller of the lessons, which stores mistakes in the archive."""

    status_text = Signal(str)
    """A text for the status bar."""

    def __init__(
        self, mode: Mode, trainer: Trainer, archives: ArchiveController
    ) -> None:
        """Create the controller."""
        super().__init__(mode)
        self.play, self.games, self.trainer = mode.play, mode.games, trainer
        self._archive, self._write = archives.archive, archives.write
        trainer.judged.connect(self.note_result)

    def train(self) -> None:
        """Start a training with the puzzles of the package."""
        if self._may_train():
            self.trainer.start_set()

    def train_day(self) -> None:
        """Show the puzzle of today."""
        if self._may_train():
            self.trainer.start_day(date.today())

    def train_storm(self) -> None:
        """Start a storm: as many puzzles as possible in three minutes."""
        if self._may_train():
            self.trainer.start_storm()

    def learn(self) -> None:
        """Start a training with the mistakes of the current game."""
        play = self.play
        found = lessons_of(play.tree, play.tree.line(), self._learners())
        if not found:
            self._report_no_mistakes()
        elif self._may_train():
            self.trainer.start(found)

    def train_mistakes(self) -> None:
        """Start a training with the mistakes of all reviewed games that are due."""
        archive = self._archive()
        today = date.today().toordinal()
        found, waiting, texts = [], [], {}
        if archive is not None:
            with contextlib.suppress(sqlite3.Error):
                texts = archive.noted_all("game:")
        for name, text in texts.items():
            due = repetition_of(text).due
            if due > today:
                waiting.append(due - today)
                continue
            with contextlib.suppress(ValueError):
                found.append(lesson_from(name, text))
        if not found and waiting:
            text = self.tr(
                "No mistake is due today. {0} wait; days until the next: {1}"
            )
            self.status_text.emit(text.format(len(waiting), min(waiting)))
        elif not found:
            self._report_no_mistakes()
        elif self._may_train():
            self.trainer.start(found)

    def _report_no_mistakes(self) -> None:
        text = self.tr("There are no mistakes to learn from: judge a game first.")
        self.status_text.emit(text)

    def _may_train(self) -> bool:
        if self.trainer.is_active:
            return True
        return self.games.may_leave_game(self.tr("Leave this game for the puzzle?"))

    def _learners(self) -> list[Side]:
        """Return the sides whose mistakes matter: those of people, else both."""
        slots = self.play.slots
        people = [side for side in Side if slots[side].kind == "human"]
        return people or list(Side)

    def store_mistakes(self, line: list[GameNode]) -> None:
        """Store the mistakes of a reviewed game as lessons."""

        def store(archive: Archive) -> None:
            tree = self.play.tree
            number = archive.number_of(tree)
            if number is None or line != tree.line(tree.game):
                return  # a variation is not the game
            for each in lessons_of(tree, line, self._learners(), number):
                old = archive.noted(each.name)
                state = repetition_of(old) if old else Repetition()
                archive.note(each.name, with_repetition(each.to_text(), state))

        self._write(store)

    def note_result(self, name: str, clean: bool) -> None:
        """Store when a mistake of the user is shown again, or that it is finished."""

        def store(archive: Archive) -> None:
            text = archive.noted(name)
            if not text:
                return
            state = repetition_of(text).after(clean, date.today().toordinal())
            if state is None:
                archive.forget(name)
                return
            with contextlib.suppress(ValueError):
                archive.note(name, with_repetition(text, state))

        if name.startswith("game:"):
            self._write(store)

    def next_puzzle(self) -> None:
        """Show the next lesson or puzzle."""
        if self.trainer.is_active:
            self.trainer.next()
        elif self.games.puzzle is not None:
            self.games.next_puzzle()
        else:
            self.train()

    def hint(self) -> None:
        """Show a hint for the lesson or the position."""
        if self.trainer.is_active:
            self.trainer.hint()
        else:
            self.trainer.study.hint()
