"""Panel of a proof: the winning move, the distance and the replies."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gomoku_brain.game.notation import Move
from gomoku_brain.gui.base.labels import Label
from gomoku_brain.gui.base.words import (
    cell_text,
    moves_text,
    rule_name,
    side_name,
    win_length,
)
from gomoku_brain.study.known_proofs import Proof, Shown

__all__ = ["ProofPanel"]

_LINE = Qt.ItemDataRole.UserRole


class ProofPanel(QWidget):
    """Description of the position, and a row for each reply in the proof."""

    line_shown = Signal(object)
    """A row was selected. The argument is its moves, () for none."""
    chosen = Signal(object)
    """A row was activated. The argument is the move to play."""

    def __init__(self) -> None:
        """Create an empty panel."""
        super().__init__()
        self.state = Label()
        self.state.setWordWrap(True)
        self.source = Label()
        self.source.setWordWrap(True)
        self.source.setObjectName("muted")
        self.table = QTreeWidget()
        self.table.setRootIsDecorated(False)
        self.table.setHeaderLabels(
            [self.tr("Reply"), self.tr("Answer"), self.tr("Wins in")]
        )
        self.table.setAccessibleName(self.tr("Replies in the proof"))
        self.table.header().setStretchLastSection(False)
        self.table.itemSelectionChanged.connect(self._show)
        self.table.itemActivated.connect(self._play)
        self.play_button = QPushButton(self.tr("Play against it"))
        self.open_button = QPushButton(self.tr("Open a proof…"))
        row = QHBoxLayout()
        row.addWidget(self.play_button)
        row.addWidget(self.open_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.addWidget(self.state)
        column.addWidget(self.table, 1)
        column.addWidget(self.source)
        column.addLayout(row)

    def show_proof(self, proof: Proof | None, shown: Shown) -> None:
        """Show the information of a proof about the position; None = no proof."""
        self.table.clear()
        self.play_button.setEnabled(proof is not None and proof.checked)
        self.table.setVisible(bool(shown.replies))
        if proof is None:
            self.state.setText(
                self.tr(
                    "There is no proof for this rule and size. Open one from a file,"
                    " or make one: see gomoku-brain prove --help."
                )
            )
            self.source.setText("")
            return
        self.state.setText(self._words(proof, shown))
        self.source.setText(self._source(proof, shown))
        for reply in shown.replies:
            item = QTreeWidgetItem(
                [
                    cell_text(reply.move),
                    cell_text(reply.answer),
                    str(win_length(reply.plies)) if reply.plies else "?",
                ]
            )
            item.setData(0, _LINE, (reply.move, reply.answer))
            item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight)
            self.table.addTopLevelItem(item)
        for place in range(3):
            self.table.resizeColumnToContents(place)

    def show_nothing(self, reason: str) -> None:
        """Show no proof, and the reason."""
        self.table.clear()
        self.table.hide()
        self.play_button.setEnabled(False)
        self.source.setText("")
        self.state.setText(reason)

    def show_reading(self, name: str) -> None:
        """Show that a file is being read."""
        self.state.setText(self.tr("Reading {0}…").format(name))

    def _words(self, proof: Proof, shown: Shown) -> str:
        """Describe the position in a sentence."""
        winner, loser = side_name(proof.winner), side_name(proof.winner.other)
        move = "" if shown.move is None else cell_text(shown.move)
        if not shown.kind:
            return self.tr("This position is not in the proof.")
        if not proof.checked and shown.kind != "open":
            text = self.tr(
                "The certificate was not checked in full, so nothing is proved. Check"
                " it with gomoku-brain prove --check."
            )
            if move:
                claim = self.tr("It contains {0}.").format(move)
                text = f"{claim} {text}"
            return text
        if shown.kind == "move":
            return self.tr("Proved: {0} wins in {1} with {2}.").format(
                winner, moves_text(shown.plies), move
            )
        if shown.kind == "replies":
            return self.tr("Proved: {0} wins in {1}, whatever {2} replies.").format(
                winner, moves_text(shown.plies), loser
            )
        if shown.kind == "threats":
            return self.tr(
                "Proved: {0} wins by fours and threes from here; Find a forced win"
                " shows how."
            ).format(winner)
        count = proof.book.open.bit_count()
        if move:
            return self.tr(
                "{0} wins with {1} against all replies except open ones ({2})."
            ).format(winner, move, count)
        if shown.replies:
            return self.tr("Open replies: {0}. All others lose.").format(count)
        return self.tr("Open: the result after this reply is not proved yet.")

    def _source(self, proof: Proof, shown: Shown) -> str:
        """Describe the proof."""
        others = ""
        if shown.replies and proof.checked:
            others = self.tr("Any other reply is answered by threats.")
        words = [
            others,
            f"{rule_name(proof.rule)} {proof.width}x{proof.height}:",
            self.tr("{0} positions with a move").format(f"{len(proof.book):,}"),
            f"({proof.name})" if proof.name else "",
        ]
        return " ".join(filter(None, words))

    def _line(self) -> tuple[Move, ...]:
        item = self.table.currentItem()
        if item is None or not item.isSelected():
            return ()
        return tuple(Move(*cell) for cell in item.data(0, _LINE))

    def _show(self) -> None:
        self.line_shown.emit(self._line())

    def _play(self) -> None:
        line = self._line()
        if line:
            self.chosen.emit(line[0])
