"""Start of a game: by dialog, again, at another level, or as a puzzle."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from gomoku_brain.control.limits import FULL_STRENGTH
from gomoku_brain.eval.score import WIN
from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.base.forms import is_accepted
from gomoku_brain.gui.base.messages import show_question, show_warning
from gomoku_brain.gui.base.themes import Theme
from gomoku_brain.gui.game.play import Play
from gomoku_brain.gui.model import search_limits
from gomoku_brain.gui.model.game_players import PlayerConfig
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.gui.model.progress import StoredResults
from gomoku_brain.gui.model.saved_game import SavedGame
from gomoku_brain.gui.model.settings import GameChoice, Settings
from gomoku_brain.records.game import Game
from gomoku_brain.study.annotate import Value
from gomoku_brain.study.puzzles import Puzzle, puzzle_levels

__all__ = ["GameStarter"]


class GameStarter(QObject):
    """Starter of games for a window, with a question before it leaves a game."""

    leaving = Signal()
    """The current game is about to be replaced."""
    failed = Signal()
    """The replacement failed, so the current game continues."""
    resumed = Signal()
    """A stored game was restored."""
    changed = Signal()
    """The levels or the puzzle have changed."""

    def __init__(
        self,
        window: QWidget,
        play: Play,
        settings: Settings,
        results: StoredResults,
        theme: Callable[[], Theme],
    ) -> None:
        """Create a starter without a game."""
        super().__init__(window)
        self.window, self.play, self.settings = window, play, settings
        self.results = results
        self.puzzle: Puzzle | None = None
        """The puzzle on the board."""
        self.is_stored: Callable[[], bool] = lambda: False
        """Function that returns whether the archive stores the current game."""
        self._theme = theme
        self._chance = Random()

    def may_leave_game(self, question: str) -> bool:
        """Return whether the current game may be replaced.

        If it is in progress, show ``question``.
        """
        if not self.play.in_progress:
            return True
        if self.is_stored():
            if self.play.is_copy:
                return True
            question += " " + self.tr("It stays in the recent games.")
        choices = [
            ("yes", self.tr("Leave the game")),
            ("no", self.tr("Continue playing")),
        ]
        title = self.tr("A game is in progress")
        return show_question(self.window, title, question, choices, "no") == "yes"

    def start(self, choice: GameChoice, start: Game | None = None) -> bool:
        """Start a game with these options. Return False if that fails."""
        puzzle = self.puzzle
        try:
            if start is None:
                choice, start = choice.drawn(self._chance)
            config = choice.game_config(self.settings.threads, self.settings.hash_mb)
            self.leaving.emit()
            self.puzzle = None
            self.play.start(config, start)
        except ValueError as error:
            self.puzzle = puzzle
            self.failed.emit()
            show_warning(self.window, self.tr("The game cannot start"), str(error))
            return False
        return True

    def new_game(self) -> None:
        """Show the dialog for a new game, then start it."""
        # Imported here, because the start of the program does not need it.
        from gomoku_brain.gui.game.new_game_dialog import NewGameDialog

        dialog = NewGameDialog(self.settings.game, self.settings.programs, self.window)
        if is_accepted(dialog):
            self.start_chosen(dialog.choice())

    def start_chosen(self, choice: GameChoice) -> None:
        """Start a game with the options that the user chose, and store them."""
        question = self.tr("Start a new game and leave this one?")
        if self.may_leave_game(question) and self.start(choice):
            self.settings.change(game=choice)

    def restart(self) -> None:
        """Start the same game again."""
        if not self.may_leave_game(self.tr("Start this game again?")):
            return
        if self.puzzle is not None:
            self.start_puzzle(self.puzzle)
        else:
            self.start(self.settings.game)

    def play_on(self) -> None:
        """Start a game from the position shown, with the players of the last game."""
        if self.may_leave_game(self.tr("Start a new game and leave this one?")):
            tree = self.play.tree
            start = tree.bare_game(tree.node.path_moves())
            self.start(replace(self.settings.game, swap2=False), start)

    def swap_colours(self) -> None:
        """Start a new game with swapped colours, also if they were drawn at random."""
        old = self.settings.game
        black, white = old.white, old.black
        if old.random_colours and self.play.slots[Side.BLACK] == black:
            black, white = white, black  # they were drawn the other way round
        swapped = replace(old, black=black, white=white, random_colours=False)
        self.start_chosen(swapped)

    def change_level(self, strength: int) -> None:
        """Change the strength of our brain, in a new game or in the current one."""
        answer = "new"
        if self.play.in_progress:
            choices = [
                ("new", self.tr("New game")),
                ("keep", self.tr("Change it in this game")),
                ("cancel", self.tr("Cancel")),
            ]
            if "rated" in self.play.tree.facts or all(
                slot.kind != "brain" for slot in self.play.slots.values()
            ):
                del choices[1]
            answer = show_question(
                self.window,
                self.tr("A game is in progress"),
                self.tr(
                    "Start a new game at this level, or change the level of this game?"
                ),
                choices,
            )
        game = self.settings.game
        if answer == "cancel":
            self.changed.emit()
            return
        brains = [side for side in Side if game.slot(side).kind == "brain"]
        for side in brains or [Side.WHITE]:
            slot = PlayerConfig("brain", strength=strength)
            name = "black" if side is Side.BLACK else "white"
            game = replace(game, **{name: slot})  # type: ignore[arg-type]
        self.settings.change(game=game)
        if answer == "new":
            self.start(game)
        else:
            for side in Side:
                if self.play.slots[side].kind == "brain":
                    self.play.set_player(side, PlayerConfig("brain", strength=strength))

    def choose_puzzle(self) -> None:
        """Show the 20 end-game puzzles and start the chosen one."""
        from gomoku_brain.gui.game.puzzles_dialog import PuzzlesDialog

        dialog = PuzzlesDialog(
            puzzle_levels(), self.results.record.levels, self._theme(), self.window
        )
        if not is_accepted(dialog) or not dialog.chosen:
            return
        if self.may_leave_game(self.tr("Leave this game for the puzzle?")):
            self.start_puzzle(dialog.chosen)

    def start_puzzle(self, puzzle: Puzzle) -> None:
        """Start a puzzle: a person attacks with black, our brain defends."""
        board = puzzle.board
        sides = {
            side: tuple(m for m in board.moves if board.stone(m) is side)
            for side in Side
        }
        start = Game(
            (board.width, board.height),
            board.rule,
            black_stones=sides[Side.BLACK],
            white_stones=sides[Side.WHITE],
            first=Side.BLACK,
        )
        choice = GameChoice(
            black=PlayerConfig(),
            white=PlayerConfig("brain", strength=FULL_STRENGTH),
            turn=search_limits.PUZZLE_SECONDS,
        )
        if self.start(choice, start):
            self.puzzle = puzzle
            self.play.tree.set_fact("puzzle", str(puzzle.number))
            self.changed.emit()

    def show_game(self, tree: GameTree) -> None:
        """Show a game from a file or the clipboard on the study board."""
        self.leaving.emit()
        self.puzzle = None
        self.play.study(tree)

    def restore(self, saved: SavedGame) -> None:
        """Restore a stored game. It is paused if an engine plays in it."""
        tree, config, free = saved
        self.leaving.emit()
        self.puzzle = _puzzle_of(tree)
        try:
            if free and config.black.kind == config.white.kind == "human":
                self.play.study(tree)
            else:
                self.play.restore(config, tree, free)
        except ValueError:  # the command of a program is no longer valid
            self.play.study(tree)
        if not self.play.paused or self.play.is_looking_back:
            return
        if tree.game.variations:
            self.resumed.emit()
        else:
            self.play.resume()  # it has not begun

    def level_hint(self) -> tuple[Move, Value] | None:
        """Return the winning first move of the puzzle on the board, with its value."""
        puzzle, tree = self.puzzle, self.play.tree
        if puzzle is None or tree.ply:
            return None
        return puzzle.move, Value(WIN - puzzle.plies, puzzle.plies)

    def next_puzzle(self) -> None:
        """Start the next puzzle."""
        if self.puzzle is not None:
            levels = puzzle_levels()
            self.start_puzzle(levels[self.puzzle.number % len(levels)])


def _puzzle_of(tree: GameTree) -> Puzzle | None:
    """Return the puzzle of a stored game, if any."""
    number = tree.facts.get("puzzle", "")
    levels = puzzle_levels()
    if number.isdecimal() and 1 <= int(number) <= len(levels):
        return levels[int(number) - 1]
    return None
