"""Controller of the training: puzzles, and mistakes of one game or of all games."""

import contextlib
import sqlite3
from collections.abc import Callable
from datetime import date

from PySide6.QtCore import QObject, Signal

from gomoku_brain.game.rules import Side
from gomoku_brain.gui.game.autosave import saved_game_of
from gomoku_brain.gui.game.game_starter import GameStarter
from gomoku_brain.gui.game.play import Play
from gomoku_brain.gui.model.archive import Archive
from gomoku_brain.gui.model.lessons import from_text as lesson_from
from gomoku_brain.gui.model.lessons import lessons_of
from gomoku_brain.gui.model.repetition import (
    Repetition,
    repetition_of,
    with_repetition,
)
from gomoku_brain.gui.model.storm import STORM, StormResult, best_storms
from gomoku_brain.gui.puzzles.coach import Trainer
from gomoku_brain.records.game_node import GameNode

__all__ = ["LearningController"]


class LearningController(QObject):
    """Controller of the lessons, which stores mistakes in the archive."""

    status_text = Signal(str)
    """A text for the status bar."""
    leaving = Signal()
    """The current game is about to be replaced, so it must be stored."""
    hint_wanted = Signal()
    """The user wants a hint for the position, without a lesson."""

    def __init__(
        self,
        play: Play,
        games: GameStarter,
        trainer: Trainer,
        archive: Callable[[], Archive | None],
        write: Callable[[Callable[[Archive], object]], None],
        parent: QObject,
    ) -> None:
        """Create the controller. ``write`` writes into the archive, if possible."""
        super().__init__(parent)
        self.play, self.games, self.trainer = play, games, trainer
        self._archive, self._write = archive, write
        trainer.judged.connect(self.note_result)
        trainer.left.connect(games.restore)
        trainer.storm_ended.connect(self._store_storm)
        trainer.best_storms = self.best_storms

    def train(self) -> None:
        """Start a training with the puzzles of the package."""
        if self._may_train():
            self.trainer.start_set(saved_game_of(self.play))

    def train_day(self) -> None:
        """Show the puzzle of today."""
        if self._may_train():
            self.trainer.start_day(saved_game_of(self.play), date.today())

    def train_storm(self) -> None:
        """Start a storm: as many puzzles as possible in three minutes."""
        if self._may_train():
            self.trainer.start_storm(saved_game_of(self.play))

    def _store_storm(self, result: StormResult) -> None:
        name, text = STORM + result.date, result.to_text()
        self._write(lambda archive: archive.note(name, text))

    def best_storms(self) -> list[StormResult]:
        """Return the best stored results of storms, the best one first."""
        archive = self._archive()
        return [] if archive is None else best_storms(archive)

    def learn(self) -> None:
        """Start a training with the mistakes of the current game."""
        play = self.play
        found = lessons_of(play.tree, play.tree.line(), self._learners())
        if not found:
            self._report_no_mistakes()
        elif self._may_train():
            self.trainer.start(found, saved_game_of(play))

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
            self.trainer.start(found, saved_game_of(self.play))

    def _report_no_mistakes(self) -> None:
        text = self.tr("There are no mistakes to learn from: judge a game first.")
        self.status_text.emit(text)

    def _may_train(self) -> bool:
        if self.trainer.lesson is not None:
            return True
        question = self.tr("Leave this game for the puzzle?")
        if not self.games.may_leave_game(question):
            return False
        self.leaving.emit()
        return True

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
            if number is None:
                return
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
        if self.trainer.lesson is not None:
            self.trainer.next()
        elif self.games.puzzle is not None:
            self.games.next_puzzle()
        else:
            self.train()

    def hint(self) -> None:
        """Show a hint for the lesson or the position."""
        if self.trainer.lesson is not None:
            self.trainer.hint()
        else:
            self.hint_wanted.emit()
