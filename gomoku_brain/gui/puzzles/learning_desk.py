"""Learning in the window: puzzles, the mistakes of a game, those of all games."""

import contextlib
import sqlite3
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from gomoku_brain.game.rules import Side
from gomoku_brain.gui.game.autosave import saved_game_of
from gomoku_brain.gui.game.game_starter import GameStarter
from gomoku_brain.gui.game.play import Play
from gomoku_brain.gui.model.archive import Archive
from gomoku_brain.gui.model.game_tree import Node
from gomoku_brain.gui.model.lessons import from_text as lesson_from
from gomoku_brain.gui.model.lessons import lessons_of
from gomoku_brain.gui.puzzles.coach import Trainer

__all__ = ["LearningDesk"]


class LearningDesk(QObject):
    """Gives the trainer its lessons; mistakes are kept in the archive."""

    said = Signal(str)
    """A word for the status bar."""
    leaving = Signal()
    """The game on the board makes room: write what is waiting."""
    hint_wanted = Signal()
    """No lesson is asked: a hint for the position."""

    def __init__(
        self,
        play: Play,
        games: GameStarter,
        trainer: Trainer,
        archive: Callable[[], Archive | None],
        parent: QObject,
    ) -> None:
        """Nothing is asked yet."""
        super().__init__(parent)
        self.play, self.games, self.trainer = play, games, trainer
        self._archive = archive
        trainer.solved.connect(self.mistake_solved)
        trainer.left.connect(games.adopt)

    def train(self) -> None:
        """Puzzles of the shipped set."""
        if self._may_train():
            self.trainer.begin_set(saved_game_of(self.play))

    def learn(self) -> None:
        """Try again at each mistake of the game on the board."""
        play = self.play
        found = lessons_of(play.tree, play.tree.node.line(), self._learners())
        if not found:
            self._say_none()
        elif self._may_train():
            self.trainer.begin(found, saved_game_of(play))

    def train_mistakes(self) -> None:
        """Mistakes of all games that were judged, until their answers are found."""
        archive = self._archive()
        found = []
        for name, text in {} if archive is None else archive.noted_all("game:").items():
            with contextlib.suppress(ValueError):
                found.append(lesson_from(name, text))
        if not found:
            self._say_none()
        elif self._may_train():
            self.trainer.begin(found, saved_game_of(self.play))

    def _say_none(self) -> None:
        text = self.tr("There are no mistakes to learn from: judge a game.")
        self.said.emit(text)

    def _may_train(self) -> bool:
        if self.trainer.lesson is not None:
            return True
        question = self.tr("Leave this game for the puzzle?")
        if not self.games.may_leave_game(question):
            return False
        self.leaving.emit()
        return True

    def _learners(self) -> list[Side]:
        """Whose mistakes are of interest: those of people, or of both sides."""
        seats = self.play.seats
        people = [side for side in Side if seats[side].kind == "human"]
        return people or list(Side)

    def keep_mistakes(self, line: list[Node]) -> None:
        """The mistakes of a judged game become puzzles."""
        archive = self._archive()
        number = None if archive is None else archive.number_of(self.play.tree)
        if archive is None or number is None:
            return
        with contextlib.suppress(sqlite3.Error):
            for each in lessons_of(self.play.tree, line, self._learners(), number):
                archive.note(each.name, each.to_text())

    def mistake_solved(self, name: str) -> None:
        """A mistake whose answer was found is no puzzle any more."""
        archive = self._archive()
        if archive is not None and name.startswith("game:"):
            with contextlib.suppress(sqlite3.Error):
                archive.forget(name)

    def next_puzzle(self) -> None:
        """The next lesson, level or puzzle, by one key."""
        if self.trainer.lesson is not None:
            self.trainer.next()
        elif self.games.puzzle is not None:
            self.games.next_puzzle()
        else:
            self.train()

    def hint(self) -> None:
        """Help with the lesson or the position."""
        if self.trainer.lesson is not None:
            self.trainer.hint()
        else:
            self.hint_wanted.emit()
