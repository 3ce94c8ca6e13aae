"""Dialog of the archive: search, preview, open, delete and export games."""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from gomoku_brain.foreign_text import shown
from gomoku_brain.game.rules import Rule
from gomoku_brain.gui.archive.documents import save_games
from gomoku_brain.gui.base.forms import open_large
from gomoku_brain.gui.base.labels import Label, plain_tip
from gomoku_brain.gui.base.messages import show_question
from gomoku_brain.gui.base.themes import Theme
from gomoku_brain.gui.base.words import rule_name
from gomoku_brain.gui.board.board_painter import Scene
from gomoku_brain.gui.board.board_widget import BoardWidget
from gomoku_brain.gui.model.archive import Archive, Query, Row
from gomoku_brain.gui.model.game_tree import GameTree

__all__ = ["ArchiveDialog"]

PREVIEW = 240  # pixels
BLACK, WHITE = 1, 2  # columns of names
MIN_NAME = 9  # characters of the narrowest column
MEASURED_ROWS = 50  # rows that determine the width of a column
SEARCH_MS = 200  # delay of the search after a key
Index = QModelIndex | QPersistentModelIndex
_HERE = QModelIndex()


class _Games(QAbstractTableModel):
    """Table model of a list of games."""

    def __init__(self, titles: Sequence[str], of_study: str, parent: QWidget) -> None:
        """Create an empty table.

        ``of_study`` replaces the players of a game without names.
        """
        super().__init__(parent)
        self._of_study = of_study
        self.rows: list[Row] = []
        self._titles = titles

    def show_rows(self, rows: list[Row]) -> None:
        """Show another list."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = _HERE) -> int:
        """Return the number of games."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _HERE) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self._titles)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> str | None:
        """Return the title of a column."""
        shown = role == Qt.ItemDataRole.DisplayRole
        if shown and orientation is Qt.Orientation.Horizontal:
            return self._titles[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> str | None:
        """Return the text of a cell."""
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        row = self.rows[index.row()]
        rule = rule_name(Rule[row.rule.upper()])
        size = str(row.width)
        if row.width != row.height:
            size += f" x {row.height}"
        black, white = row.black, row.white
        if not (black or white):
            black = self._of_study
        text = (
            row.date[:16].replace("T", " "),
            black,
            white,
            row.result,
            str(row.plies),
            f"{rule}, {size}",
        )[index.column()]
        return plain_tip(text) if role == Qt.ItemDataRole.ToolTipRole else shown(text)


class ArchiveDialog(QDialog):
    """Dialog of the archive. After it was accepted, ``chosen`` is the game to open."""

    def __init__(
        self, archive: Archive, folder: str, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Show all games, the latest first."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Recent games"))
        self.chosen: int | None = None
        self.folder = folder
        """Folder of the last written file."""
        self._archive, self._theme = archive, theme
        self.player = QLineEdit()
        self.player.setPlaceholderText(self.tr("A player's name"))
        self.player.setAccessibleName(self.tr("Player"))
        self.player.setClearButtonEnabled(True)
        self.ending = self._box(
            self.tr("Result"),
            ("", self.tr("Any result")),
            ("1-0", self.tr("Black won")),
            ("0-1", self.tr("White won")),
            ("1/2-1/2", self.tr("Drawn")),
            ("*", self.tr("Unfinished")),
        )
        rules = [(rule.name.lower(), rule_name(rule)) for rule in Rule]
        self.rule = self._box(self.tr("Rule"), ("", self.tr("Any rule")), *rules)
        self.since = self._box(
            self.tr("Date"),
            ("", self.tr("Any date")),
            *(
                ((date.today() - timedelta(days)).isoformat(), text)
                for days, text in (
                    (0, self.tr("Today")),
                    (6, self.tr("The last 7 days")),
                    (29, self.tr("The last 30 days")),
                    (364, self.tr("The last year")),
                )
            ),
        )
        titles = [
            self.tr("Date"),
            self.tr("Black"),
            self.tr("White"),
            self.tr("Result"),
            self.tr("Moves"),
            self.tr("Rule"),
        ]
        self.model = _Games(titles, self.tr("Study board"), self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Games"))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        self.table.setAlternatingRowColors(True)
        self.table.setTabKeyNavigation(False)
        self.table.activated.connect(self.open)
        self.table.setWordWrap(False)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # keeps the level
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setResizeContentsPrecision(MEASURED_ROWS)
        header.setMinimumSectionSize(self.fontMetrics().averageCharWidth() * MIN_NAME)
        for column in range(len(titles)):
            if column not in (BLACK, WHITE):
                mode = QHeaderView.ResizeMode.ResizeToContents
                header.setSectionResizeMode(column, mode)
                continue
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        self.preview = BoardWidget()
        self.preview.setFixedWidth(PREVIEW)
        self.preview.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.preview.set_name(self.tr("The end of the game"))
        self.count = Label()
        self.count.setObjectName("muted")
        self.open_button = QPushButton(self.tr("&Open"))
        self.open_button.setDefault(True)
        self.delete_button = QPushButton(self.tr("&Delete…"))
        self.sgf_button = QPushButton(self.tr("Export as &SGF…"))
        self.psq_button = QPushButton(self.tr("Export as &PSQ…"))
        self._search = QTimer(self)
        self._search.setSingleShot(True)
        self._search.setInterval(SEARCH_MS)
        self._arrange()
        self._connect()
        self.refresh()
        open_large(self)

    def sizeHint(self) -> QSize:
        """Return the preferred size, for a list and a board."""
        return QSize(1020, 560)

    def _box(self, name: str, *choices: tuple[str, str]) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(name)
        for key, text in choices:
            box.addItem(text, key)
        box.currentIndexChanged.connect(lambda: self.refresh())
        return box

    def _arrange(self) -> None:
        search = QHBoxLayout()
        search.addWidget(self.player, 1)
        for box in (self.ending, self.rule, self.since):
            search.addWidget(box)
        middle = QHBoxLayout()
        middle.addWidget(self.table, 1)
        middle.addWidget(self.preview)
        close = QPushButton(self.tr("&Close"))
        close.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addWidget(self.count, 1)
        for button in (
            self.delete_button,
            self.sgf_button,
            self.psq_button,
            close,
            self.open_button,
        ):
            button.setAutoDefault(button is self.open_button)
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.addLayout(search)
        column.addLayout(middle, 1)
        column.addLayout(buttons)

    def _connect(self) -> None:
        self.player.textChanged.connect(lambda: self._search.start())
        self._search.timeout.connect(self.refresh)
        self.table.selectionModel().selectionChanged.connect(lambda: self._selected())
        self.open_button.clicked.connect(self.open)
        self.delete_button.clicked.connect(self.delete)
        self.sgf_button.clicked.connect(self._choose_sgf)
        self.psq_button.clicked.connect(self._choose_psq)

    # List

    def refresh(self) -> None:
        """Show the games that match the search fields."""
        query = Query(
            player=self.player.text().strip(),
            result=str(self.ending.currentData()),
            rule=str(self.rule.currentData()),
            since=str(self.since.currentData()),
        )
        try:
            rows = self._archive.games(query)
        except sqlite3.Error as error:
            self.model.show_rows([])
            self.count.setText(str(error))
            return
        self.model.show_rows(rows)
        if rows:
            # ``selectRow()`` would use Ctrl and Shift, which may still be pressed after
            # the shortcut for this dialog.
            self.table.selectionModel().setCurrentIndex(
                self.model.index(0, 0),
                QItemSelectionModel.SelectionFlag.ClearAndSelect
                | QItemSelectionModel.SelectionFlag.Rows,
            )
        self._selected()

    def numbers(self) -> list[int]:
        """Return the numbers of the selected games."""
        chosen = self.table.selectionModel().selectedRows()
        return [self.model.rows[index.row()].id for index in chosen]

    def _selected(self) -> None:
        numbers = self.numbers()
        for button in (self.delete_button, self.sgf_button, self.psq_button):
            button.setEnabled(bool(numbers))
        self.open_button.setEnabled(len(numbers) == 1)
        text = self.tr("{0} games").format(len(self.model.rows))
        if len(numbers) > 1:
            text += " · " + self.tr("{0} chosen").format(len(numbers))
        self.count.setText(text)
        scene = Scene(theme=self._theme, coordinates=False)
        if numbers:
            tree = self._tree(numbers[0])
            if tree is not None:
                tree.go_to(tree.end_of_line)
                scene = replace(
                    scene,
                    board=tree.board,
                    last=tree.node.move,
                    winning=tree.winning_line(),
                )
        self.preview.show_scene(scene)

    def _tree(self, number: int) -> GameTree | None:
        try:
            return self._archive.read(number).tree
        except (ValueError, sqlite3.Error):
            return None

    # Actions

    def open(self) -> None:
        """Choose the selected game for the board."""
        numbers = self.numbers()
        if len(numbers) == 1:
            self.chosen = numbers[0]
            self.accept()

    def delete(self) -> None:
        """Delete the selected games after a question."""
        numbers = self.numbers()
        question = self.tr("Delete {0} games for good?").format(len(numbers))
        choices = [("yes", self.tr("Delete")), ("no", self.tr("Keep them"))]
        if show_question(self, self.tr("Delete"), question, choices, "no") == "yes":
            try:
                self._archive.remove(numbers)
            except sqlite3.Error as error:
                self.count.setText(str(error))
            else:
                self.refresh()

    def _choose_sgf(self) -> None:
        name, _ = QFileDialog.getSaveFileName(
            self,
            self.tr("Export as SGF"),
            str(Path(self.folder, "games.sgf")),
            "SGF (*.sgf)",
        )
        if name:
            self.export_sgf(Path(name).with_suffix(".sgf"))

    def _choose_psq(self) -> None:
        name = QFileDialog.getExistingDirectory(
            self, self.tr("A folder for the PSQ files"), self.folder
        )
        if name:
            self.export_psq(Path(name))

    def export_sgf(self, path: Path) -> None:
        """Write the selected games to one SGF file."""
        self._export(path, lambda trees: save_games(trees, path))

    def export_psq(self, folder: Path) -> None:
        """Write a PSQ file for each selected game."""
        self._export(folder, lambda trees: save_games(trees, folder))

    def _export(self, path: Path, write: Callable[[list[GameTree]], int]) -> None:
        trees = [t for n in reversed(self.numbers()) if (t := self._tree(n))]
        try:
            written = write(trees)
        except OSError as error:
            self.count.setText(f"{path}: {error.strerror or error}")
            return
        self.folder = str(path if path.is_dir() else path.parent)
        text = self.tr("{0} games were written: {1}").format(written, path)
        if written < len(trees):
            text += " · " + self.tr("{0} begin with stones on the board").format(
                len(trees) - written
            )
        self.count.setText(text)
