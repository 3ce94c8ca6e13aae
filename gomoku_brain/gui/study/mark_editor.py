"""Editor of marks: clicks put labels and marks on the board, or remove them."""

from itertools import count

from PySide6.QtCore import Signal

from gomoku_brain.game.notation import Move
from gomoku_brain.gui.game.modes import Activity, Mode

__all__ = ["MarkEditor"]

LETTER, NUMBER = "letter", "number"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class MarkEditor(Activity):
    """Editor of the labels and marks of the position shown.

    One can go through the game meanwhile; every position has its own marks.
    """

    changed = Signal()
    """Labels or marks have changed."""

    def __init__(self, mode: Mode) -> None:
        """Create an editor that is not active."""
        super().__init__(mode)
        self._kind = "TR"  # a mark of SGF, LETTER or NUMBER

    def _names(self) -> dict[str, str]:
        return {
            "TR": self.tr("Triangle"),
            "SQ": self.tr("Square"),
            "CR": self.tr("Circle"),
            "MA": self.tr("Cross"),
            LETTER: self.tr("Letter"),
            NUMBER: self.tr("Number"),
        }

    def switch(self) -> None:
        """Start or end the editing. It does not start in another activity."""
        if self.is_active:
            self.finish()
        elif self.mode.activity is None:
            self.mode.enter(self)
            self.show_message()

    def finish(self) -> None:
        """End the editing."""
        if self.is_active:
            self.mode.leave()

    def may_place(self, move: Move) -> bool:
        """Return False: a click places no stone."""
        return False

    def click(self, move: Move) -> None:
        """Put the chosen mark on a cell; remove it if the cell has it already."""
        node = self.play.tree.node
        labels = node.labels
        if self._kind not in (LETTER, NUMBER):
            is_there = node.marks.get(move) == self._kind
            node.set_mark(move, "" if is_there else self._kind)
        elif move in labels:
            node.set_label(move, "")
        else:
            used = set(labels.values())
            texts = LETTERS if self._kind == LETTER else map(str, count(1))
            free = next((text for text in texts if text not in used), LETTERS[-1])
            node.set_label(move, free)
        self.changed.emit()

    def _choose(self, kind: str) -> None:
        self._kind = kind
        self.show_message()

    def _remove_all(self) -> None:
        self.play.tree.node.remove_marks()
        self.changed.emit()
        self.show_message()

    def show_message(self) -> None:
        """Show the choices in the bar."""
        names = self._names()
        text = self.tr("Click to place or to remove: {0}. Every position has its own.")
        choices = [
            (name, lambda kind=kind: self._choose(kind)) for kind, name in names.items()
        ]
        self.bar.show_message(
            text.format(names[self._kind]),
            *choices,
            (self.tr("Remove all"), self._remove_all),
            (self.tr("Finish"), self.mode.leave),
            name="marks",
        )
        chosen = self.bar.buttons[[*names].index(self._kind)]
        chosen.setCheckable(True)
        chosen.setChecked(True)
