"""Mode of the board: what a click does, and what is hidden from the person."""

from typing import Literal

from PySide6.QtCore import QObject, Signal

from gomoku_brain.game.notation import Move
from gomoku_brain.gui.base.messages import MessageBar
from gomoku_brain.gui.base.words import foul_text, refusal_text
from gomoku_brain.gui.game.autosave import saved_game_of
from gomoku_brain.gui.game.move_guard import MoveGuard
from gomoku_brain.gui.game.rated_games import RatedGames
from gomoku_brain.gui.model.game_tree import Ending
from gomoku_brain.gui.model.saved_game import SavedGame
from gomoku_brain.gui.model.settings import Settings

__all__ = ["Activity", "Mode"]


class Activity(QObject):
    """Use of the board in which a click is no move of a game: a puzzle, an editor."""

    def __init__(self, mode: "Mode") -> None:
        """Create an activity that is not on."""
        super().__init__(mode)
        self.play, self.bar, self.mode = mode.play, mode.bar, mode

    @property
    def is_active(self) -> bool:
        """Whether it is on."""
        return self.mode.activity is self

    @property
    def is_waiting(self) -> bool:
        """Whether it waits for an answer that an analysis would reveal."""
        return False

    @property
    def advice(self) -> str:
        """Possible actions of the person; "" = those of the game on the board."""
        return ""

    def may_place(self, move: Move) -> bool:
        """Return whether a click there would place a stone."""
        return not self.play.refusal(move)

    def click(self, move: Move) -> None:
        """Handle a click on the board."""
        raise NotImplementedError

    def show_message(self) -> None:
        """Show the message again that another one has replaced."""
        raise NotImplementedError

    def leave(self) -> None:
        """Stop all work, because the board is used for something else."""


class Mode(QObject):
    """Use of the board: a game, a rated game, a study, or an ``Activity``.

    At most one activity is on. Every way out of it goes through ``leave``.
    """

    entering = Signal()
    """An activity begins, so the game must be stored."""
    left = Signal()
    """An activity has ended."""
    refused = Signal(str)
    """A stone cannot be placed. The argument is the reason."""

    def __init__(self, settings: Settings, bar: MessageBar, rated: RatedGames) -> None:
        """Create the mode of a game."""
        super().__init__(rated)
        self.settings, self.bar, self.rated = settings, bar, rated
        self.play, self.games = rated.play, rated.games
        self.activity: Activity | None = None
        self.before: SavedGame | None = None
        """The game before the last activity."""
        self._ended: Ending | None = None  # its end, if it was played here
        self._guard = MoveGuard(self.play, bar, self)

    @property
    def hides(self) -> Literal["", "puzzle", "rated"]:
        """The reason why analysis and values are hidden; "" if they are allowed."""
        if self.activity is not None and self.activity.is_waiting:
            return "puzzle"
        return "rated" if self.rated.is_on else ""

    # Activities

    def enter(self, activity: Activity) -> None:
        """Start an activity. Another one ends."""
        self.entering.emit()
        if not self.play.tree.is_lesson:
            self.before, self._ended = saved_game_of(self.play), self.play.ended
        self.leave()
        self.activity = activity

    def leave(self) -> None:
        """End the activity, if any."""
        activity, self.activity = self.activity, None
        if activity is not None:
            activity.leave()
            self.bar.clear()
            self.left.emit()

    def go_back(self) -> None:
        """End the activity and restore the game before it."""
        self.leave()
        if self.before is not None:
            self.games.restore(self.before)
            self.play.ended = self._ended
            self.left.emit()

    # Clicks

    def may_place(self, move: Move) -> bool:
        """Return whether a click there would place a stone."""
        if self.activity is not None:
            return self.activity.may_place(move)
        return not self.play.refusal(move)

    def click(self, move: Move) -> None:
        """Handle a click on the board."""
        self.bar.show_note("")
        play = self.play
        if self.activity is not None:
            self.activity.click(move)
            return
        if play.reviewing and not play.tree.is_at_end and not self.rated.may_help():
            return
        in_game = not play.free and not play.stage and play.waits_for_person
        warns = self.settings.warnings and not self.rated.is_on
        if warns and in_game and not play.refusal(move):
            self._guard.place(move, self.place)
        else:
            self.place(move)

    def place(self, move: Move) -> None:
        """Place a stone, or report why that is impossible."""
        refused = self.play.place(move)
        if refused == "forbidden":
            self.refused.emit(foul_text(self.play.tree.board.foul(move) or ""))
        elif refused:
            self.refused.emit(refusal_text(refused))
