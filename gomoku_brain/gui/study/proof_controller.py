"""Controller of proofs: display, files, and games against a proof."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from gomoku_brain.control.limits import FULL_STRENGTH
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.base.background import BackgroundTask
from gomoku_brain.gui.board.board_painter import Scene
from gomoku_brain.gui.game.modes import Mode
from gomoku_brain.gui.model import search_limits
from gomoku_brain.gui.model.game_players import PlayerConfig
from gomoku_brain.gui.model.game_tree import Ending, GameTree
from gomoku_brain.gui.model.settings import GameChoice
from gomoku_brain.gui.study.proof_panel import ProofPanel
from gomoku_brain.study.known_proofs import Proof, ProofError, Shown, read_proof

__all__ = ["ProofController"]

CHALLENGE = "proof"  # key in a game's extra fields for a game against a proof


class ProofController(QObject):
    """Controller of the proof panel, and of the longest game against a proof."""

    changed = Signal()
    """The board must be redrawn."""
    failed = Signal(str)
    """A file could not be read. The argument is the message in the user's language."""
    review_wanted = Signal()
    """The user wants a review of the finished game."""

    def __init__(self, window: QWidget, panel: ProofPanel, mode: Mode) -> None:
        """Create the controller."""
        super().__init__(window)
        self.window, self.panel = window, panel
        self.play, self.settings = mode.play, mode.settings
        self.games, self.bar = mode.games, mode.bar
        play = self.play
        self.shown = Shown("")
        self._place: object = None  # the position of ``shown``
        panel.play_button.clicked.connect(self.play_against)
        panel.open_button.clicked.connect(self.open)
        play.over.connect(self._show_result)

    # Showing

    def update_position(self) -> None:
        """Show the proof of the current position, if the panel is visible."""
        place = self.play.tree.place
        if not self.panel.isVisible():
            self._place, self.shown = None, Shown("")
            return
        if place == self._place:
            return
        self._place = place
        board = self.play.tree.board
        proof = self.play.proofs.find_for(board)
        self.shown = Shown("") if proof is None else proof.lookup(board)
        self.panel.show_proof(proof, self.shown)
        self.changed.emit()

    def show_nothing(self, reason: str) -> None:
        """Show no proof, and the reason."""
        self._place, self.shown = None, Shown("")
        self.panel.show_nothing(reason)

    def invalidate(self) -> None:
        """Update the panel at the next call of ``update_position``."""
        self._place = None

    def decorate(self, scene: Scene) -> None:
        """Mark the proof's move on the board."""
        move = self.shown.move
        if move is not None and scene.hint is None and scene.board.is_empty(move):
            scene.hint = move

    # Files

    def open(self) -> None:
        """Show the file dialog and open the chosen proof."""
        name, _ = QFileDialog.getOpenFileName(
            self.window,
            self.tr("Open a proof"),
            self.settings.folder,
            self.tr("Proofs (*.proof *.bin);;All (*)"),
        )
        if name:
            self.open_file(Path(name))

    def open_file(self, path: Path) -> BackgroundTask:
        """Read a certificate or a book in a thread and show its first position."""
        self.panel.show_reading(path.name)
        task = BackgroundTask(lambda task: read_proof(path))
        task.done.connect(lambda proof: self._take(proof, path))
        task.failed.connect(lambda error: self._fail(path, error))
        return task.start()

    def _take(self, proof: Proof, path: Path) -> None:
        self.play.proofs.add(proof)
        self.settings.change(folder=str(path.parent))
        self._place = None
        if not proof.is_for(self.play.tree.board):
            self._show_start(proof)
        self.update_position()

    def _show_start(self, proof: Proof) -> None:
        """Show the first position of a proof on the study board.

        A question protects a game in progress.
        """
        question = self.tr("Leave this game for the proof's first position?")
        if self.games.may_leave_game(question):
            self.games.show_game(GameTree(proof.start()))

    def _fail(self, path: Path, error: Exception) -> None:
        self._place = None
        self.update_position()
        reason = str(error)
        if isinstance(error, OSError):
            reason = error.strerror or reason
        elif not isinstance(error, ProofError):
            reason = f"{type(error).__name__}: {error}"
        self.failed.emit(self.tr("{0} cannot be opened: {1}").format(path.name, reason))

    # Games against a proof

    def play_against(self) -> None:
        """Start a game of a person against the proof for the current rule and size."""
        proof = self._to_play()
        if proof is None:
            self.bar.show_message(
                self.tr(
                    "There is no proof to play against, neither for this rule and"
                    " size nor for freestyle on 15x15. Open a certificate or book"
                    " that was checked in full, or make one with gomoku-brain prove."
                ),
                (self.tr("Open a proof…"), self.open),
                (self.tr("OK"), self.bar.clear),
            )
            return
        question = self.tr("Leave this game and play against the proof?")
        if self.games.may_leave_game(question):
            self.start(proof)

    def _to_play(self) -> Proof | None:
        """Return the proof for the current board, else that for freestyle on 15x15."""
        for board in (self.play.tree.board, Board(15, Rule.FREESTYLE)):
            proof = self.play.proofs.find_for(board)
            if proof is not None and proof.checked:
                return proof
        return None

    def start(self, proof: Proof) -> None:
        """Start a game after the first move of a proof."""
        brain, person = PlayerConfig("brain", strength=FULL_STRENGTH), PlayerConfig()
        choice = GameChoice(
            rule=proof.rule.name.lower(),
            size=proof.width,
            black=brain if proof.winner is Side.BLACK else person,
            white=person if proof.winner is Side.BLACK else brain,
            turn=search_limits.PROOF_SECONDS,
        )
        if not self.games.start(choice, proof.start()):
            return
        self.play.tree.set_fact(CHALLENGE, proof.name or "package")
        words = self.tr("The proof wins, whatever you do. How long can you hold out?")
        if not proof.is_whole:
            words = self.tr(
                "The proof wins against all replies to this move except open ones"
                " ({0}). How long can you hold out?"
            ).format(proof.book.open.bit_count())
        longest = self.games.results.record.held_out
        if longest and self._counts(proof):
            words += " " + self.tr("Your record: {0} stones.").format(longest)
        self.bar.show_message(words, (self.tr("OK"), self.bar.clear))

    def _counts(self, proof: Proof) -> bool:
        """Return whether games against the proof count for the record.

        These are games of freestyle on 15x15 from the empty board.
        """
        kind = (proof.rule, proof.width, proof.height, proof.book.start)
        return kind == (Rule.FREESTYLE, 15, 15, (0, 0))

    def _show_result(self, ending: Ending) -> None:
        """Show the number of stones of a finished game against a proof."""
        tree = self.play.tree
        proof = self.play.proofs.find_for(tree.board)
        if self.play.free or CHALLENGE not in tree.facts:
            return  # on the study board, the person also moves the proof's side
        if proof is None or not ending.is_final:
            return
        stones, results = tree.board.ply, self.games.results
        longest = results.record.held_out
        if ending.winner is not proof.winner:
            text = self.tr("You were not beaten: this game was not in the proof.")
        elif not self._stayed(proof):
            text = self.tr(
                "Lost after {0} stones, but your reply is open in the proof: the game"
                " does not count."
            ).format(stones)
        elif not self._counts(proof):
            text = self.tr("You held out for {0} stones.").format(stones)
        elif stones > longest:
            results.change(lambda record: record.with_held_out(stones))
            text = self.tr("You held out for {0} stones: your record.").format(stones)
        else:
            text = self.tr("You held out for {0} stones; your record is {1}.").format(
                stones, longest
            )
        self.bar.show_message(
            text,
            (self.tr("Try again"), lambda: self.start(proof)),
            (self.tr("Review the game"), self.review_wanted.emit),
            name="proof",
        )

    def _stayed(self, proof: Proof) -> bool:
        """Return whether the game followed the proof, by its second position."""
        if proof.is_whole:
            return True
        tree = self.play.tree
        ply = len(proof.start().moves) + 1
        return proof.lookup(tree.shown_game().board(ply)).kind in ("move", "threats")
