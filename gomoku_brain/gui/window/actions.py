"""Actions of the window with texts, shortcuts and icons: menus and toolbar."""

from typing import NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolBar

from gomoku_brain.gui.base.icons import icon
from gomoku_brain.gui.base.themes import Theme
from gomoku_brain.gui.base.words import level_name
from gomoku_brain.levels.ladder import LEVELS, level_named

__all__ = ["Actions"]


class _Row(NamedTuple):
    """Description of an action."""

    name: str
    text: str
    keys: str = ""
    """Shortcuts, separated by blanks."""
    icon: str = ""
    tip: str = ""
    checkable: bool = False


_TOOLBAR = (
    "new train archive open save | undo redo | hint move_now pause"
    " | first back forward last | free analyze heat threats"
)
EASY_LEVELS = ("easy", "medium", "hard")


class Actions(QObject):
    """Actions of a window by name: ``actions["undo"]``."""

    def __init__(self, window: QMainWindow) -> None:
        """Create the actions, the menu bar and the toolbar."""
        super().__init__(window)
        self._made: dict[str, QAction] = {}
        self._icons: dict[str, str] = {}
        for row in self._rows():
            self._made[row.name] = self._make(row)
        self.name_steps(None)
        for name, text in self._short_texts().items():
            self._made[name].setIconText(text)
        self.levels = QActionGroup(self)
        """Levels; the data of each action is its strength."""
        self.level_menu = self._make_level_menu(window)
        for title, names in self._menus():
            self._fill(window.menuBar().addMenu(title), names)
        self.toolbar = QToolBar(self.tr("Toolbar"), window)
        self.toolbar.setObjectName("toolbar")
        self.toolbar.setMovable(False)
        self._fill(self.toolbar, _TOOLBAR)
        window.addToolBar(self.toolbar)

    def __getitem__(self, name: str) -> QAction:
        return self._made[name]

    def name_steps(self, steps: tuple[str, str] | None) -> None:
        """Name the changes that undo and redo are about; None: moves of a game."""
        texts = (self.tr("&Take back"), self.tr("&Play again"))
        tips = (
            self.tr("Take back your last move and the answer to it"),
            self.tr("Play again what was taken back"),
        )
        if steps is not None:
            words = (self.tr("&Undo: {0}"), self.tr("&Redo: {0}"))
            texts = words[0].format(steps[0]), words[1].format(steps[1])
            tips = texts
        for name, text, tip in zip(("undo", "redo"), texts, tips, strict=True):
            self._made[name].setText(text)
            self._set_tip(self._made[name], tip)

    def set_theme(self, theme: Theme) -> None:
        """Draw the icons in the colours of a theme."""
        for name, picture in self._icons.items():
            self._made[name].setIcon(icon(picture, theme))

    def _rows(self) -> tuple[_Row, ...]:
        """Return the descriptions of all actions."""
        return (
            _Row(
                "new",
                self.tr("&New game…"),
                "Ctrl+N",
                "new",
                self.tr("Choose rule, size and players"),
            ),
            _Row("start_page", self.tr("First s&creen")),
            _Row("restart", self.tr("&Restart"), "F2"),
            _Row("swap", self.tr("Play again with s&wapped colours")),
            _Row(
                "play_on",
                self.tr("Play from here"),
                tip=self.tr("A new game from this position, with the last players"),
            ),
            _Row(
                "rated",
                self.tr("R&ated game…"),
                "Ctrl+Shift+G",
                tip=self.tr("A game against a level that changes your rating"),
            ),
            _Row("results", self.tr("&Your results…"), "Ctrl+Shift+Y"),
            _Row("puzzles", self.tr("The 20 en&d games…"), "Ctrl+L"),
            _Row(
                "train",
                self.tr("&Puzzles"),
                "Ctrl+Shift+L",
                "train",
                self.tr("Puzzles that match your rating"),
            ),
            _Row(
                "train_day",
                self.tr("Puzzle o&f the day"),
                "Ctrl+D",
                tip=self.tr("The same puzzle for everybody, another one each day"),
            ),
            _Row(
                "storm",
                self.tr("Three-minute s&torm"),
                "Ctrl+Shift+M",
                tip=self.tr("As many puzzles as possible in three minutes"),
            ),
            _Row("train_mistakes", self.tr("Puzzles from &my mistakes")),
            _Row("next_puzzle", self.tr("Ne&xt puzzle"), "N"),
            _Row("learn", self.tr("&Learn from the mistakes"), "Ctrl+Shift+R"),
            _Row("proof_game", self.tr("Play against t&he proof")),
            _Row("open_proof", self.tr("&Open a proof…")),
            _Row(
                "open",
                self.tr("&Open…"),
                "Ctrl+O",
                "open",
                self.tr("Open a game: PSQ, SGF, moves, a position"),
            ),
            _Row(
                "archive",
                self.tr("R&ecent games…"),
                "Ctrl+Shift+O",
                "archive",
                self.tr("All games played in this program"),
            ),
            _Row(
                "save",
                self.tr("&Save"),
                "Ctrl+S",
                "save",
                self.tr("Save the changes where the game comes from"),
            ),
            _Row(
                "save_as",
                self.tr("Save as…"),
                "Ctrl+Shift+S",
                tip=self.tr("Save the game: PSQ, SGF, JSON or text"),
            ),
            _Row("picture", self.tr("Save a p&icture…"), "Ctrl+E"),
            _Row("resign", self.tr("Resi&gn"), "", "resign"),
            _Row("quit", self.tr("&Quit"), "Ctrl+Q"),
            _Row("undo", "", "Ctrl+Z", "undo"),  # named by ``name_steps``
            _Row("redo", "", "Ctrl+Y Ctrl+Shift+Z", "redo"),
            _Row("undo_one", self.tr("Take back a &single move"), "Alt+Z"),
            _Row("redo_one", self.tr("Play again a si&ngle move"), "Alt+Y"),
            _Row("copy", self.tr("&Copy the position"), "Ctrl+C"),
            _Row("copy_picture", self.tr("Copy as a p&icture"), "Ctrl+Shift+C"),
            _Row(
                "copy_link",
                self.tr("Copy as a &link"),
                "Ctrl+Alt+C",
                tip=self.tr("A short text that this program opens and pastes"),
            ),
            _Row(
                "copy_web_link",
                self.tr("Copy for &gomocalc.com"),
                tip=self.tr("An address of a calculator in the web"),
            ),
            _Row("paste", self.tr("P&aste a position"), "Ctrl+V"),
            _Row(
                "promote_line",
                self.tr("Ma&ke main line"),
                "Ctrl+Up",
                tip=self.tr("The moves to here come first, other lines after them"),
            ),
            _Row("remove_line", self.tr("&Delete from here on"), "Ctrl+Del"),
            _Row("remove_variation", self.tr("Delete the &variation")),
            _Row("comment", self.tr("Co&mment on the position"), "Ctrl+K"),
            _Row("marks", self.tr("Labels and ma&rks"), "Ctrl+Shift+I"),
            _Row("settings", self.tr("S&ettings…"), "Ctrl+,"),
            _Row(
                "first",
                self.tr("To the &start"),
                "Home",
                "first",
                self.tr("Look at the start of the game"),
            ),
            _Row(
                "back",
                self.tr("One move &back"),
                "PgUp Alt+Left",
                "back",
                self.tr("Look at the position one move earlier"),
            ),
            _Row(
                "forward",
                self.tr("One move &forward"),
                "PgDown Alt+Right",
                "forward",
                self.tr("Look at the position one move later"),
            ),
            _Row(
                "last",
                self.tr("To the &end"),
                "End",
                "last",
                self.tr("Look at the end of the game"),
            ),
            _Row(
                "numbers",
                self.tr("&Numbers on the stones"),
                "Ctrl+Shift+N",
                checkable=True,
            ),
            _Row(
                "coordinates", self.tr("&Coordinates"), "Ctrl+Shift+K", checkable=True
            ),
            _Row("forbidden", self.tr("Forb&idden points (renju)"), checkable=True),
            _Row("rows_from_bottom", self.tr("&Rows from the bottom"), checkable=True),
            _Row(
                "evaluation", self.tr("E&valuation bar"), "Ctrl+Shift+B", checkable=True
            ),
            _Row(
                "evaluation_in_play",
                self.tr("Values during pla&y"),
                tip=self.tr("Show the brain's values in a game that you play"),
                checkable=True,
            ),
            _Row("labels", self.tr("&Text on the toolbar"), checkable=True),
            _Row("larger", self.tr("&Larger text"), "Ctrl++ Ctrl+="),
            _Row("smaller", self.tr("S&maller text"), "Ctrl+-"),
            _Row("normal", self.tr("Normal text si&ze"), "Ctrl+0"),
            _Row("sound", self.tr("Soun&d"), checkable=True),
            _Row("full_screen", self.tr("F&ull screen"), "F11", checkable=True),
            _Row(
                "hint", self.tr("&Hint"), "Ctrl+H", "hint", self.tr("Show a good move")
            ),
            _Row(
                "move_now",
                self.tr("&Move now"),
                "Ctrl+M",
                "move_now",
                self.tr("Let the brain play the best move found so far"),
            ),
            _Row(
                "pause",
                self.tr("&Pause"),
                "Ctrl+P",
                "pause",
                self.tr("Stop or continue the clocks"),
                checkable=True,
            ),
            _Row(
                "warnings",
                self.tr("&Warn before losing moves"),
                tip=self.tr("Check your moves for a forced win of the opponent"),
                checkable=True,
            ),
            _Row("tournament", self.tr("&Tournament…"), "Ctrl+Shift+T"),
            _Row("programs", self.tr("P&rograms…"), "Ctrl+G"),
            _Row("show_moves", self.tr("Sho&w the moves"), "Alt+1"),
            _Row("show_analysis", self.tr("Show the &analysis"), "Alt+2"),
            _Row("show_explorer", self.tr("Show the e&xplorer"), "Alt+3"),
            _Row("show_proof", self.tr("Show the &proof"), "Alt+4"),
            _Row("log", self.tr("Show the lo&g"), "Alt+5 Ctrl+J"),
            _Row("next_part", self.tr("To the next part &of the window"), "F6"),
            _Row(
                "free",
                self.tr("&Study board"),
                "Ctrl+B",
                "study",
                self.tr("Move both sides by hand, without clocks"),
                checkable=True,
            ),
            _Row("edit_position", self.tr("&Edit the position"), "Ctrl+Shift+E"),
            _Row(
                "analyze",
                self.tr("&Analyze"),
                "Ctrl+A",
                "analyze",
                self.tr("Search the position in the background"),
                checkable=True,
            ),
            _Row(
                "heat",
                self.tr("&Heat map"),
                "Ctrl+Shift+H",
                "heat",
                self.tr("Show the value of every candidate"),
                checkable=True,
            ),
            _Row(
                "threats",
                self.tr("&Threats"),
                "Ctrl+T",
                "threats",
                self.tr("Show fours and threes on the board"),
                checkable=True,
            ),
            _Row("solve", self.tr("Find a forced &win"), "Ctrl+W"),
            _Row("review", self.tr("&Judge the whole game"), "Ctrl+R"),
            _Row("rules", self.tr("&Rules"), "F1"),
            _Row("usage", self.tr("&How to use this window")),
            _Row("about", self.tr("&About")),
        )

    def _menus(self) -> tuple[tuple[str, str], ...]:
        """Return the titles of the menus with the names of their actions."""
        return (
            (
                self.tr("&Game"),
                "start_page new restart swap play_on level rated results"
                " | train train_day storm train_mistakes next_puzzle puzzles proof_game"
                " | archive open save save_as picture | resign"
                " | quit",
            ),
            (
                self.tr("&Edit"),
                "undo redo undo_one redo_one"
                " | copy copy_picture copy_link copy_web_link paste"
                " | comment marks promote_line remove_line remove_variation | settings",
            ),
            (
                self.tr("&View"),
                "first back forward last | numbers coordinates rows_from_bottom"
                " forbidden evaluation evaluation_in_play"
                " | larger smaller normal labels"
                " | show_moves show_analysis show_explorer show_proof log next_part"
                " | sound full_screen",
            ),
            (self.tr("E&ngine"), "hint warnings move_now pause | tournament programs"),
            (
                self.tr("&Analysis"),
                "free edit_position | analyze heat threats | solve review learn"
                " | open_proof",
            ),
            (self.tr("&Help"), "rules usage | about"),
        )

    def _short_texts(self) -> dict[str, str]:
        """Return the texts below the icons of the toolbar."""
        return {
            "new": self.tr("New"),
            "train": self.tr("Puzzles"),
            "archive": self.tr("Recent"),
            "open": self.tr("Open"),
            "save": self.tr("Save"),
            "undo": self.tr("Undo"),
            "redo": self.tr("Redo"),
            "hint": self.tr("Hint"),
            "move_now": self.tr("Move now"),
            "pause": self.tr("Pause"),
            "first": self.tr("Start"),
            "back": self.tr("Back"),
            "forward": self.tr("Next"),
            "last": self.tr("End"),
            "free": self.tr("Study"),
            "analyze": self.tr("Analyze"),
            "heat": self.tr("Heat map"),
            "threats": self.tr("Threats"),
        }

    def _make(self, row: _Row) -> QAction:
        made = QAction(row.text, self)
        made.setObjectName(row.name)
        if row.icon:
            self._icons[row.name] = row.icon
        made.setShortcuts([QKeySequence(keys) for keys in row.keys.split()])
        made.setCheckable(row.checkable)
        self._set_tip(made, row.tip or row.text)
        if row.name == "quit":
            made.setMenuRole(QAction.MenuRole.QuitRole)
        elif row.name == "settings":
            made.setMenuRole(QAction.MenuRole.PreferencesRole)
        elif row.name == "about":
            made.setMenuRole(QAction.MenuRole.AboutRole)
        return made

    def _set_tip(self, action: QAction, text: str) -> None:
        tip = text.replace("&", "")
        action.setStatusTip(tip)
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(f"{tip} ({keys})" if keys else tip)

    def _make_level_menu(self, window: QMainWindow) -> QMenu:
        menu = QMenu(self.tr("&Level"), window)
        quick = [level_named(name) for name in EASY_LEVELS]
        ladder = menu
        for level in (*quick, *LEVELS):
            if level is LEVELS[0] and ladder is menu:
                menu.addSeparator()
                ladder = menu.addMenu(self.tr("All levels"))
            made = QAction(level_name(level.strength), self)
            made.setData(level.strength)
            made.setCheckable(True)
            self.levels.addAction(made)
            ladder.addAction(made)
        self.levels.setExclusionPolicy(QActionGroup.ExclusionPolicy.None_)
        return menu

    def _fill(self, place: QMenu | QToolBar, names: str) -> None:
        for name in names.split():
            if name == "|":
                place.addSeparator()
            elif name == "level" and isinstance(place, QMenu):
                place.addMenu(self.level_menu)
            else:
                place.addAction(self._made[name])
