"""Controller of rated games: their start, what makes them unrated, their results."""

import contextlib
import sqlite3
from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from gomoku_brain.gui.base.forms import is_accepted
from gomoku_brain.gui.base.messages import show_question
from gomoku_brain.gui.base.words import level_name
from gomoku_brain.gui.game.game_starter import GameStarter
from gomoku_brain.gui.game.play import Play
from gomoku_brain.gui.model.archive import Archive
from gomoku_brain.gui.model.game_players import PlayerConfig
from gomoku_brain.gui.model.game_tree import Ending
from gomoku_brain.gui.model.level_rating import (
    OpenGame,
    RatedResult,
    forget_open,
    history,
    note_open,
    open_game,
    rating_of,
    store,
)
from gomoku_brain.gui.model.settings import GameChoice

__all__ = ["RatedGames"]

RATED = "rated"  # field of the game's record; its value is the strength of the level


class RatedGames(QObject):
    """Controller of rated games against the levels.

    At most one rated game is open. It can be left and continued, also after a restart;
    starting another one counts it as lost.
    """

    status_text = Signal(str)
    """A text for the status bar."""
    begun = Signal()
    """A rated game has begun."""
    changed = Signal()
    """The game on the board is no longer rated."""

    def __init__(
        self,
        window: QWidget,
        play: Play,
        games: GameStarter,
        archive: Callable[[], Archive | None],
    ) -> None:
        """Create the controller."""
        super().__init__(window)
        self.window, self.play, self.games = window, play, games
        self._archive = archive
        self.last: RatedResult | None = None
        """Result of the game that has just ended; None if it was not rated."""
        self.before = 0.0
        """The rating before that game."""
        play.over.connect(self._record)

    @property
    def is_on(self) -> bool:
        """Whether the game on the board is rated and not over."""
        play = self.play
        return RATED in play.tree.facts and not play.free and play.ending is None

    def start(self) -> None:
        """Show the dialog of levels and start a rated game."""
        # Imported here, because the start of the program does not need it.
        from gomoku_brain.gui.game.rated_dialog import RatedDialog

        archive = self._archive()
        if archive is None or not self.games.is_stored():
            self._show_unstored()
            return
        unfinished = open_game(archive)
        dialog = RatedDialog(history(archive), unfinished, self.window)
        if not is_accepted(dialog):
            return
        if dialog.goes_on and unfinished is not None:
            self._continue(archive, unfinished)
        elif self.is_on or self.games.may_leave_game(
            self.tr("Start a new game and leave this one?")
        ):
            self.begin(dialog.strength)

    def _continue(self, archive: Archive, unfinished: OpenGame) -> None:
        if archive.number_of(self.play.tree) == unfinished.game:
            return  # it is on the board
        question = self.tr("Open the game and leave this one?")
        if not self.games.may_leave_game(question):
            return
        try:
            self.games.restore(archive.load(unfinished.game))
        except (ValueError, sqlite3.Error):
            self.status_text.emit(self.tr("The game is no longer in the archive."))

    def begin(self, strength: int) -> None:
        """Start a rated game against a level. An open one counts as lost."""
        archive = self._archive()
        if archive is None:
            return
        self._lose_open(archive)
        choice = GameChoice(
            black=PlayerConfig(),
            white=PlayerConfig("brain", strength=strength),
            opening="book",
            random_colours=True,
        )
        if not self.games.start(choice):
            return
        tree = self.play.tree
        tree.set_fact(RATED, str(strength))
        self.changed.emit()
        number = archive.number_of(tree)
        try:
            if number is None:
                raise sqlite3.OperationalError
            note_open(archive, OpenGame(number, strength))
        except sqlite3.Error:  # it would not count, so it must not say so
            self._unmark()
            self._show_unstored()
        else:
            self.begun.emit()

    def _show_unstored(self) -> None:
        text = self.tr("Games cannot be stored now, so they cannot be rated.")
        self.status_text.emit(text)

    def _lose_open(self, archive: Archive) -> None:
        unfinished = open_game(archive)
        if unfinished is None:
            return
        with contextlib.suppress(sqlite3.Error):
            store(archive, _now(), unfinished.strength, 0.0, unfinished.game)
        if archive.number_of(self.play.tree) == unfinished.game:
            self._unmark()

    # Help

    def may_help(self) -> bool:
        """Return whether help is allowed: a rated game becomes unrated, if wanted."""
        if not self.is_on:
            return True
        answer = show_question(
            self.window,
            self.tr("Rated game"),
            self.tr("This makes the game unrated."),
            [
                ("yes", self.tr("Make it unrated")),
                ("no", self.tr("Keep it rated")),
            ],
            "no",
        )
        if answer == "yes":
            self._make_unrated()
        return answer == "yes"

    def _make_unrated(self) -> None:
        archive = self._archive()
        if archive is not None:
            with contextlib.suppress(sqlite3.Error):
                forget_open(archive)
        self._unmark()

    def _unmark(self) -> None:
        """Mark the game on the board as unrated."""
        self.play.tree.set_fact(RATED, "")
        self.changed.emit()

    # Results

    def _record(self, ending: Ending) -> None:
        """Store the result of a rated game."""
        self.last = None
        tree, play, archive = self.play.tree, self.play, self._archive()
        strength = tree.facts.get(RATED, "")
        if not strength or play.free or archive is None:
            return
        number = archive.number_of(tree) or 0
        unfinished = open_game(archive)
        is_open = unfinished is not None and unfinished.game == number
        if is_open and len(play.people) == 1:  # else it was counted before
            score = 0.5
            if ending.winner is not None:
                score = float(ending.winner is play.people[0])
            with contextlib.suppress(sqlite3.Error, KeyError):
                self.before = rating_of(history(archive))
                self.last = store(archive, _now(), int(strength), score, number)
        self._unmark()

    def words(self) -> str:
        """Describe the result of the game that has just ended; "" if it has none."""
        if self.last is None:
            return ""
        rating, before = round(self.last.rating), round(self.before)
        text = self.tr("Rated game against {0}: your rating is {1} ({2}).")
        return text.format(
            level_name(self.last.strength),
            rating,
            f"{rating - before:+d}".replace("+0", "±0"),
        )


def _now() -> str:
    return datetime.now().isoformat(timespec="milliseconds")
