"""Pages of the Help menu."""

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt, QUrl
from PySide6.QtGui import QPainter, QPixmap, QTextDocument
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from gomoku_brain import __version__
from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.gui.base.forms import open_large
from gomoku_brain.gui.base.themes import Theme
from gomoku_brain.gui.board.board_painter import Geometry, Scene, draw_scene
from gomoku_brain.records.game import Game

__all__ = ["HelpPage", "shapes", "show_about", "show_rules", "show_usage"]

translate = QCoreApplication.translate

SIZE = (9, 7)  # of the boards in the pictures
SHAPES = {  # black stones, white stones, marked points
    "five": ("c4 d4 e4 f4 g4", "c3 e5 f3 d5", ""),
    "four": ("d4 e4 f4 g4", "c4 d5 f3", "h4"),
    "three": ("d4 e4 f4", "e3 d5", "c4 g4"),
    "double-three": ("f4 g4 e5 e6", "d3 g5 f6", ""),
    "double-four": ("b4 c4 d4 e5 e6 e7", "a4 c3 d6 f5", ""),
    "overline": ("b4 c4 d4 f4 g4", "c5 d3 f5", ""),
}


def shapes(theme: Theme) -> dict[str, Scene]:
    """Return the boards of the page of rules by the names of their pictures."""
    made = {}
    for name, (black, white, marked) in SHAPES.items():
        stones, is_foul = parse_moves(black), name not in ("five", "four", "three")
        board: Board = Game(
            SIZE, Rule.RENJU, black_stones=stones, white_stones=parse_moves(white)
        ).board()
        made[name] = Scene(
            board=board,
            theme=theme,
            coordinates=0,
            winning=() if is_foul or marked else tuple(stones),
            forbidden=tuple(board.forbidden_moves()) if is_foul else (),
            marks=dict.fromkeys(parse_moves(marked), "CR"),
        )
    return made


def _picture(scene: Scene, page: QWidget) -> QPixmap:
    """Draw a board, with cells in the size of the texts of a page."""
    cell, ratio = round(1.4 * page.fontMetrics().height()), page.devicePixelRatioF()
    made = QPixmap(*(round((side + 0.5) * cell * ratio) for side in SIZE))
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    room = QRectF(QPointF(), made.deviceIndependentSize())
    with QPainter(made) as painter:
        draw_scene(painter, Geometry(*SIZE, room, 0), scene)
    return made


class HelpPage(QDialog):
    """Dialog with a text in Markdown."""

    def __init__(self, title: str, text: str, parent: QWidget) -> None:
        """Create the dialog."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.browser = QTextBrowser()
        self.browser.setAccessibleName(title)
        self.browser.setMarkdown(text)
        self.browser.setOpenExternalLinks(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self.browser, 1)
        column.addWidget(buttons)
        open_large(self)

    def sizeHint(self) -> QSize:
        """Return the preferred size."""
        line = self.fontMetrics().height()
        return QSize(36 * line, 33 * line)


def show_rules(parent: QWidget, theme: Theme) -> None:
    """Show the rules of the game, with pictures of the shapes."""
    text = translate(
        "Help",
        "## The game\n\n"
        "Black and white place stones in turn on the crossings of the lines; black"
        " begins. The first player with **five in a row**, along a row, a column or a"
        " diagonal, wins. When the board is full, it is a draw.\n\n"
        "![five](five)\n\n"
        "A **four** needs one more stone, on the circle, for a five. It must be"
        " answered at once.\n\n"
        "![four](four)\n\n"
        "An **open three** becomes a four with two free ends, which no stone can stop."
        " So it must be answered too, at one of its ends or by a four.\n\n"
        "![three](three)\n\n"
        "## The rules to choose from\n\n"
        "- **Freestyle**: five or more win.\n"
        "- **Standard**: exactly five win; six do not count.\n"
        "- **Renju**: black wins with exactly five and must not make six or more, two"
        " fours or two open threes with one stone. White has no such limits.\n"
        "- **Caro**: five win unless the opponent stands at both ends; six and more"
        " win.\n"
        "- **Exact caro**: the same, but six and more do not win.\n\n"
        "## The fouls of renju\n\n"
        "Black must not place a stone on the cross.\n\n"
        "**Double three**: two open threes with one stone.\n\n"
        "![double-three](double-three)\n\n"
        "**Double four**: two fours with one stone.\n\n"
        "![double-four](double-four)\n\n"
        "**Overline**: six or more in a row.\n\n"
        "![overline](overline)\n\n"
        "## Swap2\n\n"
        "One player places three stones: black, white, black. The other takes black;"
        " or stays white; or adds a white and a black stone and leaves the choice of"
        " colour to the first. So nobody gains from an opening that favours a"
        " colour.\n",
    )
    page = HelpPage(translate("Help", "Rules"), text, parent)
    kind, document = QTextDocument.ResourceType.ImageResource, page.browser.document()
    for name, scene in shapes(theme).items():
        document.addResource(kind, QUrl(name), _picture(scene, page))
    page.open()  # only now, so the texts leave room for the pictures


def show_usage(parent: QWidget) -> None:
    """Show the instructions for the window."""
    text = translate(
        "Help",
        "## Playing\n\n"
        "The *First screen* (menu *Game*) offers a game, puzzles, and games to open or"
        " study. Click on a crossing, or move the cursor with the arrow keys and press"
        " Enter. *Game, New game* chooses rule, size, players and time; *Game, Level*"
        " how well the brain plays. *Take back* (Ctrl+Z) takes your move and the"
        " answer back. *Hint* (Ctrl+H) leads to a good move in three steps, *Move now*"
        " (Ctrl+M) ends the brain's thinking, *Pause* (Ctrl+P) stops the clocks.\n\n"
        "## Looking and trying\n\n"
        "Page Up and Page Down, the mouse wheel, the list of moves and the curve step"
        " through the game. A stone placed in an earlier position starts a variation;"
        " the game itself changes only by *Save*. On the *Study board* (Ctrl+B) you"
        " move both sides.\n\n"
        "## Analysis\n\n"
        "*Analyze* (Ctrl+A) searches in the background: the best lines with their"
        " values. Click on a line to see it on the board, double-click to add it as a"
        " variation. The *Heat map* shows the winning chance after every candidate in"
        " percent; W5 wins in 5 moves of your own, L3 loses to 3 of the opponent."
        " *Threats* shows fours and threes. *Find a forced win* numbers the winning"
        " moves on the board. *Judge the whole game* draws the curve and lists the"
        " mistakes.\n\n"
        "## Learning\n\n"
        "A judged game has a list of mistakes; *Learn from the mistakes*"
        " (Ctrl+Shift+R) lets you find a better move for each. *Puzzles*"
        " (Ctrl+Shift+L, N for the next) match your rating. The *Explorer* shows what"
        " was played in the position before.\n\n"
        "## Programs\n\n"
        "*Engine, Programs* adds any program that speaks the Gomocup/Piskvork"
        " protocol; it can then play in a new game, also against another program. The"
        " *Log* shows every line of the protocol. When a program fails, the game"
        " waits for your decision.\n\n"
        "## Files\n\n"
        "PSQ, SGF, JSON, lists of moves, pictures of boards and BOARD blocks of the"
        " protocol can be opened and pasted. Every game is stored: *Game, Recent"
        " games* (Ctrl+Shift+O) shows all of them, and the next start restores the"
        " last one.\n",
    )
    text += "\n" + translate(
        "Help",
        "## Results and sharing\n\n"
        "*Game, Rated game* plays against a level for your Elo rating; *Your results*"
        " shows its curve. *Three-minute storm* (Ctrl+Shift+M) and *Puzzle of the day*"
        " (Ctrl+D) are two more ways to solve puzzles. *Edit, Copy as a link* makes a"
        " short text of the game, which can be pasted here and elsewhere; *Labels and"
        " marks* writes on the board.\n",
    )
    text += "\n" + translate(
        "Help",
        "## By the keyboard\n\n"
        "F6 goes from the board to the message beside it and to the tab, Escape"
        " back to the board. Alt+1 to Alt+5 show a tab and go to its list: there the"
        " arrow keys go through moves, lines and mistakes, and Enter selects one.\n",
    )
    HelpPage(translate("Help", "How to use this window"), text, parent).open()


def show_about(parent: QWidget) -> None:
    """Show name, version and licence."""
    text = translate(
        "Help",
        "## Gomoku Brain {0}\n\n"
        "A Gomoku (five in a row) engine and its board. It speaks the protocol of"
        " Piskvork and Gomocup.\n\n"
        "MIT licence. The window is made with Qt for Python (PySide6, LGPL).\n",
    )
    text = text.format(__version__)
    HelpPage(translate("Help", "About"), text, parent).open()
