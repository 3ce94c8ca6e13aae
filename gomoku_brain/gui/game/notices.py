"""Messages and questions of a game: its end, failures of players, swap2 colours."""

from functools import partial

from PySide6.QtCore import QObject, Signal

from gomoku_brain.control.limits import FULL_STRENGTH
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.base.words import (
    cell_text,
    ending_text,
    judgement_text,
    reason_name,
    side_name,
)
from gomoku_brain.gui.game.modes import Mode
from gomoku_brain.gui.game.status import game_text, player_name
from gomoku_brain.gui.model.game_players import PlayerConfig, PlayerFault
from gomoku_brain.gui.model.game_tree import Ending

__all__ = ["Notices"]


class Notices(QObject):
    """Display of the events of ``Play`` in the message bar."""

    review_wanted = Signal()
    """The user wants a review of the finished game."""
    move_wanted = Signal(object)
    """The user wants to see the move that decided the game: its node."""
    results_wanted = Signal()
    """The user wants to see the rating and its history."""
    retry_wanted = Signal()
    """The user wants to store all again, for example after freeing disk space."""

    def __init__(self, mode: Mode) -> None:
        """Create the display and connect it to the game."""
        super().__init__(mode)
        self.play, self.bar, self.mode = mode.play, mode.bar, mode
        self.games, self.rated = mode.games, mode.rated
        play = self.play
        play.over.connect(self._show_ending)
        play.faulty.connect(self._show_fault)
        self.rated.begun.connect(self._show_rated)
        play.choice_wanted.connect(self._offer_colours)
        play.colours_chosen.connect(self._show_colours)
        self._colours_at = 0  # ply at which the colours were shown
        play.changed.connect(self._clear_stale)
        mode.left.connect(self.remind)

    def _clear_stale(self) -> None:
        """Hide a message whose buttons are no longer useful."""
        if self.play.stage.startswith("choose") or self.play.fault:
            return
        if self.bar.name == "colours" and self._colours_at <= self.play.tree.ply < (
            self._colours_at + 3
        ):
            return
        play = self.play
        ended = play.ended or play.ending is not None or play.is_looking_back
        if (
            self.mode.activity is not None
            or self.bar.name == "storage"
            or (self.bar.name in ("ending", "proof") and ended)
        ):
            return
        if self.bar.buttons and not self.play.paused:
            self.bar.clear()

    def remind(self) -> None:
        """Show again the message of an activity, or what the game waits for."""
        if self.mode.activity is not None:
            self.mode.activity.show_message()
        elif self.play.fault is not None:
            self._show_fault(*self.play.fault)
        elif self.play.stage.startswith("choose") and self.play.waits_for_person:
            self._offer_colours()
        elif self.play.ended is not None:
            self.show_end(self.play.ended)

    def show_resumed(self) -> None:
        """Show that a stored game was restored."""
        self.bar.show_message(
            self.tr("The last game was restored: {0}. Its clocks are stopped.").format(
                game_text(self.play)
            ),
            (self.tr("Continue"), self.go_on),
            (self.tr("New game…"), self.games.new_game),
        )

    def show_failure(self, text: str) -> None:
        """Show that a file could not be read or written. The game does not change."""
        self.bar.show_message(text, (self.tr("OK"), self.bar.clear))

    def show_not_stored(self, trouble: str) -> None:
        """Show which files cannot be written."""
        self.bar.show_message(
            self.tr(
                "Games, results or settings cannot be stored ({0}). Save this game as"
                " a file before you leave."
            ).format(trouble),
            (self.tr("Try again"), self.retry_wanted.emit),
            (self.tr("OK"), self.bar.clear),
            name="storage",
        )

    def show_damaged(self, name: str, count: int) -> None:
        """Show that the archive was damaged and has been rebuilt."""
        self.bar.show_message(
            self.tr(
                "The archive of games was damaged. It was renamed to {0}, and {1}"
                " games were recovered."
            ).format(name, count),
            (self.tr("OK"), self.bar.clear),
        )

    def go_on(self) -> None:
        """Continue a paused game."""
        if self.play.paused:
            self.play.resume()

    def _show_ending(self, ending: Ending) -> None:
        puzzle = self.games.puzzle
        if puzzle is not None and self._is_solved(ending):
            number = puzzle.number
            self.games.results.change(lambda record: record.with_level(number))
        is_variation = self.play.ended not in (None, ending)
        if self.mode.activity is None and not is_variation:
            self.show_end(ending)

    def show_review(self) -> None:
        """Show in the message of the end which move decided the game."""
        if self.play.ended is not None and self.bar.name == "ending":
            self.show_end(self.play.ended)

    def show_end(self, ending: Ending) -> None:
        """Show how the game ended, and what can be done now."""
        puzzle, tree = self.games.puzzle, self.play.tree
        text = self._ending_words(ending)
        if ending.detail and ending.reason not in ("foul", "time"):
            text += f"\n{ending.detail}"
        again = (self.tr("Play again"), self.games.restart)
        if puzzle is not None:
            more = (self.tr("Next puzzle"), self.games.next_puzzle)
        elif self.rated.last is not None:
            text += "\n" + self.rated.words()
            again = (self.tr("Another rated game"), self.rated.start)
            more = (self.tr("Your results"), self.results_wanted.emit)
        else:
            more = (self.tr("Swap colours"), self.games.swap_colours)
        offers = [again, more, (self.tr("Review the game"), self.review_wanted.emit)]
        node = tree.deciding_move() if self.play.ended else None
        if node is not None and node.move is not None and node.side is not None:
            words = self.tr("Move {0} decided the game: {1} {2}.")
            words = words.format(node.ply, side_name(node.side), cell_text(node.move))
            text += "\n" + words
            text += "\n" + judgement_text(tree.verdicts[node])
            show = partial(self.move_wanted.emit, node)
            offers.insert(0, (self.tr("Show me"), show))
        self.bar.show_message(text, *offers, name="ending")

    def _is_solved(self, ending: Ending) -> bool:
        """Return whether a level is won against the defence at full strength."""
        slots = self.play.slots
        return (
            ending.winner is Side.BLACK
            and ending.is_final
            and self.play.ended is not None
            and slots[Side.BLACK].kind == "human"
            and slots[Side.WHITE] == PlayerConfig("brain", strength=FULL_STRENGTH)
        )

    def _ending_words(self, ending: Ending) -> str:
        if self.games.puzzle is not None and self._is_solved(ending):
            solved = self.tr("Puzzle {0} is solved.")
            return solved.format(self.games.puzzle.number)
        people, winner = self.play.people, ending.winner
        if len(people) == 1 and self.play.ended is not None:
            return ending_text(ending, people[0])
        text = ending_text(ending)
        if winner is None or player_name(self.play, winner) == side_name(winner):
            return text
        name = self.tr("Winner: {0}").format(player_name(self.play, winner))
        return f"{text}\n{name}"

    def _show_fault(self, side: Side, fault: PlayerFault) -> None:
        words = self.tr("{0} ({1}): {2}. The log (Alt+5) has the details.").format(
            player_name(self.play, side), side_name(side), reason_name(fault.reason)
        )
        self.bar.show_message(
            words,
            (self.tr("Try again"), self.play.resume),
            (self.tr("Our brain takes over"), lambda: self._replace(side, "brain")),
            (self.tr("I take over"), lambda: self._replace(side, "human")),
            (self.tr("Count as a loss"), self.play.forfeit),
        )

    def _replace(self, side: Side, kind: str) -> None:
        self.play.set_player(
            side, PlayerConfig("brain" if kind == "brain" else "human")
        )
        self.play.resume()

    def _show_colours(self, chooser: Side) -> None:
        """Show which colours the players have after swap2."""
        names = [player_name(self.play, side) for side in (chooser, *Side)]
        text = self.tr("Swap2: {0} chose {1}. Now black: {2}; white: {3}.").format(
            names[0], side_name(chooser), *names[1:]
        )
        self._colours_at = self.play.tree.ply
        self.bar.show_message(text, (self.tr("OK"), self.bar.clear), name="colours")

    def _show_rated(self) -> None:
        """Show the colour of the person, the opening and the turn of a rated game."""
        play = self.play
        (person,) = play.people
        brain = player_name(play, person.other)
        text = self.tr(
            "Rated game against {0}: you play {1}. The stones on the board are a"
            " balanced opening of the book."
        ).format(brain, side_name(person))
        first = self.tr("{0} makes the first move after it.").format(brain)
        if play.tree.turn is person:
            first = self.tr("The first move after it is yours.")
        self._colours_at = play.tree.ply
        offer = (self.tr("OK"), self.bar.clear)
        self.bar.show_message(f"{text} {first}", offer, name="colours")

    def _offer_colours(self) -> None:
        choose = self.play.choose_colour
        offers = [
            (self.tr("Take black"), lambda: choose("black")),
            (self.tr("Stay white"), lambda: choose("white")),
        ]
        if self.play.stage == "choose after three":
            offers.append((self.tr("Add two stones"), lambda: choose("two")))
        self.bar.show_message(self.tr("Swap2: which colour do you take?"), *offers)
