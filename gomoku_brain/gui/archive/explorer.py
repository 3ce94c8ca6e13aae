"""Explorer: the moves that were played in the current position.

It counts the user's games in the archive and the openings of the book.
"""

import contextlib
import sqlite3
from collections import Counter
from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule
from gomoku_brain.gui.base.background import BackgroundTask
from gomoku_brain.gui.base.labels import Label
from gomoku_brain.gui.base.words import cell_text
from gomoku_brain.gui.model.archive import Archive
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.gui.model.position_keys import keys_of_line
from gomoku_brain.records.game import Game
from gomoku_brain.records.openings import book, has_book

__all__ = ["Explorer", "book_index"]

BookIndex = dict[int, Counter[int]]
"""For the key of a position: the next moves and their numbers of openings."""
_MOVE = Qt.ItemDataRole.UserRole


def book_index(rule: Rule, size: int) -> BookIndex:
    """Index all openings of the book by position. This takes a part of a second."""
    found: BookIndex = {}
    if not has_book(rule, size):
        return found
    for opening in book(rule, size, "all"):
        keys = keys_of_line(rule, size, size, opening.moves)
        for key, move in zip(keys, opening.moves, strict=False):
            found.setdefault(key.key, Counter())[key.cell(move)] += 1
    return found


class Explorer(QWidget):
    """List of moves with the results of archived games and the book's openings."""

    line_shown = Signal(object)
    """A row was selected. The argument is its move as a tuple, or ()."""
    chosen = Signal(object)
    """A row was activated. The argument is its move."""

    def __init__(self, archive: Callable[[], Archive | None]) -> None:
        """Create an empty explorer."""
        super().__init__()
        self._archive = archive
        self._tree: GameTree | None = None
        self._place: object = None  # the position in the list
        self._books: dict[tuple[Rule, int], BookIndex] = {}
        self._reading: set[tuple[Rule, int]] = set()
        self.state = Label()
        self.state.setObjectName("muted")
        self.state.setWordWrap(True)
        self.table = QTreeWidget()
        self.table.setRootIsDecorated(False)
        self.table.setHeaderLabels(
            [
                self.tr("Move"),
                self.tr("Games"),
                self.tr("Black · = · White"),
                self.tr("Book"),
            ]
        )
        self.table.setAccessibleName(self.tr("Moves played here"))
        self.table.header().setStretchLastSection(False)
        self.table.itemSelectionChanged.connect(self._show)
        self.table.itemActivated.connect(self._play)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.addWidget(self.state)
        column.addWidget(self.table, 1)

    def show_position(self, tree: GameTree) -> None:
        """Show the moves played in the position shown, if the explorer is visible."""
        if not self.isVisible():
            self._tree = None
            return
        if (tree, tree.place) == (self._tree, self._place):
            return
        self._tree, self._place = tree, tree.place
        self._fill(tree.shown_game())

    def show_nothing(self, reason: str) -> None:
        """Show no moves, and the reason."""
        self._tree = None
        self.table.clear()
        self.state.setText(reason)

    def invalidate(self) -> None:
        """Update the list at the next call of ``show_position``."""
        self._tree = None

    def _fill(self, game: Game) -> None:
        self.table.clear()
        key = (game.rule, game.width)
        in_book: Counter[int] = Counter()
        if game.is_set_up or game.width != game.height:
            self.state.setText(self.tr("Games from set-up positions are not counted."))
            return
        if key in self._books:
            *_, here = keys_of_line(game.rule, game.width, game.height, game.moves)
            in_book = self._books[key].get(here.key, Counter())
        else:
            self._read_book(key)
        *_, here = keys_of_line(game.rule, game.width, game.height, game.moves)
        archive = self._archive()
        played = {}
        if archive is not None:
            with contextlib.suppress(sqlite3.Error):
                entries = archive.continuations(game)
                played = {here.cell(entry.moves[0]): entry for entry in entries}
        order = sorted(
            {*played, *in_book},
            key=lambda cell: (
                -(played[cell].games if cell in played else 0),
                -in_book[cell],
            ),
        )
        for cell in order:
            moves = [m for m in here.moves(cell)]
            entry = played.get(cell)
            words = [cell_text(moves[0])]
            if entry is None:
                words += ["", ""]
            else:
                words.append(str(entry.games))
                finished = entry.games - entry.unfinished
                shares = [
                    f"{100 * count / finished:.0f} %"
                    for count in (entry.black, entry.draws, entry.white)
                    if finished
                ]
                words.append(" · ".join(shares))
            words.append(str(in_book[cell] or ""))
            row = QTreeWidgetItem(words)
            row.setData(0, _MOVE, moves[0])
            for place in range(1, 4):
                row.setTextAlignment(place, Qt.AlignmentFlag.AlignRight)
            self.table.addTopLevelItem(row)
        for place in range(4):
            self.table.resizeColumnToContents(place)
        self.state.setText(
            self.tr("Rotated and mirrored positions count as the same.")
            if order
            else self.tr("No game has reached this position yet.")
        )

    def _read_book(self, key: tuple[Rule, int]) -> None:
        if key in self._reading:
            return
        self._reading.add(key)

        task = BackgroundTask(lambda task: (key, book_index(*key)))
        # A bound method: the connection ends with the window. That of a closure would
        # not.
        task.done.connect(self._take_book)
        task.start()

    def _take_book(self, found: tuple[tuple[Rule, int], BookIndex]) -> None:
        key, index = found
        self._books[key] = index
        tree, self._tree = self._tree, None
        if tree is not None:
            self.show_position(tree)

    def _chosen(self) -> Move | None:
        row = self.table.currentItem()
        if row is None or not row.isSelected():
            return None
        return Move(*row.data(0, _MOVE))

    def _show(self) -> None:
        move = self._chosen()
        self.line_shown.emit(() if move is None else (move,))

    def _play(self) -> None:
        move = self._chosen()
        if move is not None:
            self.chosen.emit(move)
