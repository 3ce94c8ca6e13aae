"""Presenter: shows the state of a game in the widgets of the window."""

from PySide6.QtCore import QObject

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.archive.explorer import Explorer
from gomoku_brain.gui.base.themes import Theme
from gomoku_brain.gui.base.words import clock_text, set_rows, step_name
from gomoku_brain.gui.board.board_painter import Scene
from gomoku_brain.gui.board.player_card import Limit
from gomoku_brain.gui.game.modes import Mode
from gomoku_brain.gui.game.status import (
    advice_text,
    enabled_actions,
    player_name,
    task_text,
    turn_text,
)
from gomoku_brain.gui.study.proof_controller import ProofController
from gomoku_brain.gui.study.study_controller import StudyController
from gomoku_brain.gui.window.actions import Actions
from gomoku_brain.gui.window.main_view import MainView

__all__ = ["Presenter"]

LOW_SECONDS = 10.0  # the clock warns when less time is left,
LOW_PART = 0.2  # and less than this share of the whole time


Notes = dict[Move, str]


def _inside(notes: Notes, board: Board) -> Notes:
    """Leave out cells that are not on the board."""
    return {
        cell: text
        for cell, text in notes.items()
        if cell.x < board.width and cell.y < board.height
    }


class Presenter(QObject):
    """Presenter that reads a ``Play`` and its analysis, and fills a ``MainView``."""

    def __init__(
        self,
        mode: Mode,
        view: MainView,
        actions: Actions,
        study: StudyController,
        explorer: Explorer,
        proofs: ProofController,
        theme: Theme,
    ) -> None:
        """Create a presenter."""
        super().__init__(view)
        self.mode, self.view, self.actions, self.study = mode, view, actions, study
        self.play, self.settings, self.games = mode.play, mode.settings, mode.games
        self.explorer, self.proofs = explorer, proofs
        self.theme = theme

    def show_all(self) -> None:
        """Update the whole window."""
        self.show_board()
        self.show_clocks()
        self.show_state()
        self.show_values()
        self.explore()

    def update_position(self) -> None:
        """Start the analysis of a new position, and set the names of the players."""
        tree = self.play.tree
        set_rows(tree.game.height, self.settings.rows_from_bottom)
        self.study.update_position()
        if not self.play.free:  # a game from a file has its own names
            tree.set_names(*(player_name(self.play, side) for side in Side))

    def explore(self) -> None:
        """Show earlier moves in this position, and its proof.

        A rated game hides them, and the log, which has the values of the opponent.
        """
        reason = ""
        if self.mode.hides == "rated":
            reason = self.tr("This is a rated game: nothing is shown until its end.")
        self.view.log.show_nothing(reason)
        if reason:
            self.explorer.show_nothing(reason)
            self.proofs.show_nothing(reason)
            return
        self.explorer.show_position(self.play.tree)
        if self.mode.hides == "puzzle":
            self.proofs.show_nothing(self.tr("The proof waits for your answer."))
        else:
            self.proofs.update_position()

    def scene(self) -> Scene:
        """Return the scene of the board."""
        tree, settings = self.play.tree, self.settings
        board = tree.board
        marked = board.rule.has_fouls and settings.forbidden and not tree.ending
        scene = Scene(
            board=board,
            theme=self.theme,
            coordinates=settings.zoom / 100 if settings.coordinates else 0,
            numbers=tree.numbers() if settings.numbers else {},
            last=tree.node.move,
            winning=tree.winning_line(),
            forbidden=tuple(board.forbidden_moves()) if marked else (),
            rows_from_bottom=settings.rows_from_bottom,
            labels=_inside(tree.node.labels, board),
            marks=_inside(tree.node.marks, board),
        )
        following = tuple(n.move for n in tree.node.variations if n.move is not None)
        if len(following) > 1:
            scene.branches = following
        self.study.decorate(scene)
        self.proofs.decorate(scene)
        return scene

    def show_board(self) -> None:
        """Redraw the board."""
        self.view.board.show_scene(self.scene())

    def show_clocks(self) -> None:
        """Show the time left or the time used."""
        play = self.play
        limit: Limit = "move" if play.clock.control.match is None else "game"
        for side, card in self.view.cards.items():
            left, used = play.left(side), play.used(side)
            text = clock_text(used if left is None else left)
            unlimited = left is None or play.free
            low = left is not None and self._is_low(side, left)
            card.show_clock(
                "" if unlimited and not used else text,
                "" if left is None else limit,
                low,
            )

    def _is_low(self, side: Side, left: float) -> bool:
        """Return whether a person should be warned about the time left."""
        play = self.play
        if side not in play.people or play.free or play.ending is not None:
            return False
        whole = play.clock.left(0.0, 0)
        return whole is not None and left < min(LOW_SECONDS, LOW_PART * whole)

    def show_state(self) -> None:
        """Show the players, the side to move and the possible actions."""
        play, actions = self.play, self.actions
        ending, turn = play.ending, play.tree.turn
        for side, card in self.view.cards.items():
            state = ""
            if play.thinking is side:
                state = self.tr("thinking…")
            elif play.paused and side is turn and not play.is_looking_back:
                state = self.tr("paused")
            name = player_name(play, side)
            if play.free and any(map(play.tree.name, Side)):
                name = play.tree.name(side) or name
            active = ending is None and side is (play.actor if play.stage else turn)
            card.show_player(name, state, active)
        self.view.turn_text.setText(turn_text(play))
        puzzle, activity = self.games.puzzle, self.mode.activity
        advice = "" if activity is None else activity.advice
        advice = advice or advice_text(play, puzzle)
        self.view.hint_text.setText("" if self.view.page else advice)
        # The task of a level stays while the defence thinks.
        if puzzle is None or play.waits_for_person or play.ending is not None:
            self.view.bar.show_task(task_text(play, puzzle))
        for name, enabled in enabled_actions(play).items():
            actions[name].setEnabled(enabled)
        history = play.tree.game.history
        names = step_name(history.undo_name), step_name(history.redo_name)
        actions.name_steps(names if play.is_copy else None)
        actions["pause"].setChecked(play.paused and not play.is_looking_back)
        actions["free"].setChecked(play.free)
        actions["analyze"].setChecked(self.study.on)
        strengths = {s.strength for s in play.slots.values() if s.kind == "brain"}
        for action in actions.levels.actions():
            action.setChecked({action.data()} == strengths)

    def show_values(self) -> None:
        """Show curve, moves, mistakes and evaluation bar."""
        self.study.show_curve(self.theme)
        tree, moves = self.play.tree, self.view.moves
        moves.show_tree(tree, self.study.chances)
        self.view.comment.show_comment(tree.node, tree.node.comment)
        self.view.panel.review.show_line(
            self.study.verdicts, tree.judged_line(), moves.stones
        )
        self.view.panel.show_lists(self.study.on)
        chance, ending = self.study.chances.get(tree.node), tree.ending
        if ending is not None:
            chance = {"1-0": 1.0, "0-1": 0.0}.get(ending.result, 0.5)
        self.view.evaluation.show_chance(chance)
