"""Warning before a move of a person after which the opponent wins by force."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from gomoku_brain.control.limits import SolveResult
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import Move
from gomoku_brain.gui.base.background import BackgroundTask
from gomoku_brain.gui.base.messages import MessageBar
from gomoku_brain.gui.base.words import cell_text, moves_text, side_name
from gomoku_brain.gui.game.play import Play
from gomoku_brain.gui.model import search_limits
from gomoku_brain.records.game_node import GameNode

__all__ = ["MoveGuard"]

HASH_MB = 8.0


class MoveGuard(QObject):
    """Check of a person's moves before they are played.

    A move is played unless a short search finds a forced win of the opponent by fours
    and threes. Then a message offers to choose another one.
    """

    def __init__(self, play: Play, bar: MessageBar, parent: QObject) -> None:
        """Create a guard. Its engine is created when it is needed."""
        super().__init__(parent)
        self.play, self.bar = play, bar
        self._engine: Engine | None = None
        self._pending: object = None  # identifies the running check
        self._node: GameNode | None = None  # the position of the warning
        play.changed.connect(self._clear_stale)

    def _clear_stale(self) -> None:
        """Hide a warning about another position than the one shown."""
        if self.bar.name == "guard" and self.play.tree.node is not self._node:
            self.bar.clear()

    def place(self, move: Move, place: Callable[[Move], None]) -> None:
        """Call ``place`` with the move, at once or after a warning.

        Args:
            move: A legal move of the person to move.
            place: Function that plays the move.
        """
        node = self.play.tree.node
        board = self.play.tree.board
        if board.wins_at(move):
            place(move)
            return
        board.play(move)
        if board.winner is not None or board.is_full:
            place(move)
            return
        mark = self._pending = object()
        self._engine = engine = self._engine or Engine(hash_mb=HASH_MB)
        limits = search_limits.THREAT
        task = BackgroundTask(lambda task: engine.find_win(board, "auto", limits))

        def take(found: SolveResult) -> None:
            if mark is not self._pending or self.play.tree.node is not node:
                return
            self._pending = None
            if found.status == "win":
                self._warn(move, found, place)
            else:
                place(move)

        def fail(error: Exception) -> None:
            if mark is self._pending and self.play.tree.node is node:
                self._pending = None
                place(move)

        task.done.connect(take)
        task.failed.connect(fail)
        task.start()

    def _warn(
        self, move: Move, found: SolveResult, place: Callable[[Move], None]
    ) -> None:
        text = self.tr("After {0}, {1} wins by force in {2}, beginning with {3}.")
        winner = side_name(self.play.tree.turn.other)
        self._node = self.play.tree.node
        self.bar.show_message(
            text.format(
                cell_text(move),
                winner,
                moves_text(len(found.line)),
                cell_text(found.line[0]),
            ),
            (self.tr("Choose another move"), self.bar.clear),
            (self.tr("Play it anyway"), lambda: place(move)),
            name="guard",
        )
