"""Position editor: stones are placed and removed in any order and number."""

from collections.abc import Sequence

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.base.words import side_name
from gomoku_brain.gui.game.modes import Activity, Mode
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.records.game import Game

__all__ = ["PositionEditor"]


class PositionEditor(Activity):
    """Editor of the position on the board.

    A click gives an empty cell a stone of the chosen colour, or removes a stone. The
    bar has the other choices.
    """

    def __init__(self, mode: Mode) -> None:
        """Create an editor that is not active."""
        super().__init__(mode)
        self._side = Side.BLACK  # colour of the next stone
        self._first = Side.BLACK  # side to move in the position

    def start(self) -> None:
        """Edit the position shown. *Cancel* restores the game."""
        question = self.tr("Leave this game for the position editor?")
        if self.is_active or not self.mode.games.may_leave_game(question):
            return
        self.mode.enter(self)
        board, game = self.play.tree.board, self.play.tree.game
        self._side, self._first = Side.BLACK, board.turn
        stones = [[m for m in board.moves if board.stone(m) is side] for side in Side]
        made = Game(
            game.size,
            game.rule,
            black_stones=stones[Side.BLACK],
            white_stones=stones[Side.WHITE],
            walls=game.walls,
            first=self._first,
        )
        tree = GameTree(made)
        tree.is_lesson = True  # the archive stores the result only
        self.play.study(tree)
        self.show_message()

    def click(self, move: Move) -> None:
        """Place or remove a stone."""
        game = self.play.tree.game
        if move in game.walls:
            return
        black = [each for each in game.black_stones if each != move]
        white = [each for each in game.white_stones if each != move]
        if self.play.tree.board.is_empty(move):
            (black if self._side is Side.BLACK else white).append(move)
        self._set_up(black, white)

    def finish(self) -> None:
        """End the editing. The position stays on the study board."""
        if self.is_active:
            self.mode.leave()
            self.play.tree.is_lesson = False
            self.play.tree.mark_saved(False)
            self.play.study(self.play.tree)

    def leave(self) -> None:
        """Keep a changed position, which becomes a study."""
        tree = self.play.tree
        if tree.is_lesson and tree.is_unsaved:
            tree.is_lesson = False
            tree.mark_saved(False)
            self.play.changed.emit()

    def _cancel(self) -> None:
        self.play.tree.mark_saved()
        self.mode.go_back()

    def _switch_stones(self) -> None:
        self._side = self._side.other
        self.show_message()

    def _switch_turn(self) -> None:
        self._first = self._first.other
        game = self.play.tree.game
        self._set_up(game.black_stones, game.white_stones)

    def _remove_all(self) -> None:
        self._set_up((), ())

    def _set_up(self, black: Sequence[Move], white: Sequence[Move]) -> None:
        tree = self.play.tree
        tree.set_up(black, white, tree.game.walls, self._first)
        self.play.changed.emit()
        self.show_message()

    def take_undone(self) -> None:
        """Show the choices of the position that undo or redo has shown."""
        if self.is_active:
            self._first = self.play.tree.game.first
            self.show_message()

    def show_message(self) -> None:
        """Show the choices in the bar."""
        text = self.tr("Click to place {0} stones or to remove one. {1} is to move.")
        self.bar.show_message(
            text.format(side_name(self._side), side_name(self._first)),
            (
                self.tr("Stones: {0}").format(side_name(self._side.other)),
                self._switch_stones,
            ),
            (
                self.tr("To move: {0}").format(side_name(self._first.other)),
                self._switch_turn,
            ),
            (self.tr("Remove all"), self._remove_all),
            (self.tr("Finish"), self.finish),
            (self.tr("Cancel"), self._cancel),
            name="editor",
        )
