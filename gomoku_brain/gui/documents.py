"""Games and positions from and to files, the clipboard, pictures."""

from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator

from gomoku_brain.game.notation import draw_board, format_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.board_painter import BARE_MARGIN, MARGIN, Geometry, Scene
from gomoku_brain.gui.board_painter import draw_scene as draw
from gomoku_brain.gui.game_tree import GameTree
from gomoku_brain.gui.settings import write_whole
from gomoku_brain.match.record import text_of, to_json, to_psq, to_sgf
from gomoku_brain.study.reader import Game, ReadError, Setting, read_text

__all__ = [
    "picture",
    "position_text",
    "read_file",
    "read_pasted",
    "save_game",
    "save_picture",
]

CELL = 48  # pixels, in a picture
translate = QCoreApplication.translate


def read_file(path: Path) -> list[Game]:
    """All games of a file; raises ValueError with one line for whatever is wrong."""
    try:
        text = text_of(path)
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror or error}") from None
    return read_text(text, path.name)


def read_pasted(text: str, like: Game) -> Game:
    """A position from the clipboard; what it does not tell is as in the game shown.

    Raises ValueError with one line.
    """
    name = translate("Documents", "clipboard")
    try:
        setting = Setting(rule=like.rule, size=(like.width, like.height))
        return read_text(text, name, setting)[0]
    except ReadError:
        return read_text(text, name)[0]  # it tells another size itself


def position_text(tree: GameTree) -> str:
    """The position as people write it: moves, or a picture where stones were set up."""
    game = tree.game()
    if not game.set_up:
        return format_moves(game.moves)
    return picture_text(tree.board)


def picture_text(board: Board) -> str:
    """The board in characters."""
    signs: dict[tuple[int, int], str] = {}
    for move in board.moves:
        side = board.stone(move)
        signs[move] = "#" if side is None else "O" if side is Side.WHITE else "X"
    return draw_board(board.width, board.height, signs)


def save_game(tree: GameTree, path: Path) -> None:
    """Write the line shown; the name's end tells the form: .psq .sgf .json .txt.

    Raises OSError, and ValueError for a form that has no place for this game.
    """
    kind = path.suffix.lower()
    if kind == ".txt":
        text = position_text(tree) + "\n"
    elif tree.start.set_up:
        raise ValueError(
            translate(
                "Documents",
                "The game begins with stones on the board: save it as text (.txt).",
            )
        )
    elif kind == ".psq":
        text = to_psq(tree.record())
    elif kind == ".sgf":
        text = to_sgf(tree.record())
    elif kind in (".json", ".jsonl"):
        text = to_json(tree.record()) + "\n"
    else:
        raise ValueError(
            translate("Documents", "The name must end in .psq, .sgf, .json or .txt.")
        )
    write_whole(path, text)


# Pictures


def _extent(scene: Scene) -> QSize:
    margin = 2 * (MARGIN if scene.coordinates else BARE_MARGIN)
    across, down = scene.board.width - 1 + margin, scene.board.height - 1 + margin
    return QSize(round(across * CELL), round(down * CELL))


def _draw(painter: QPainter, scene: Scene, size: QSize) -> None:
    room = QRectF(0, 0, size.width(), size.height()).adjusted(1, 1, -1, -1)
    board = scene.board
    draw(painter, Geometry(board.width, board.height, room, scene.coordinates), scene)


def picture(scene: Scene) -> QImage:
    """The board as an image."""
    size = _extent(scene)
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        _draw(painter, scene, size)
    return image


def save_picture(scene: Scene, path: Path) -> None:
    """Write .png or .svg. Raises ValueError for another name, OSError."""
    drawn = QBuffer()
    drawn.open(QBuffer.OpenModeFlag.WriteOnly)
    kind = path.suffix.lower()
    if kind == ".png":
        QImageWriter(drawn, QByteArray(b"png")).write(picture(scene))
    elif kind == ".svg":
        generator = QSvgGenerator()
        size = _extent(scene)
        generator.setOutputDevice(drawn)
        generator.setSize(size)
        generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
        generator.setTitle("Gomoku Brain")
        with QPainter(generator) as painter:
            _draw(painter, scene, size)
    else:
        raise ValueError(translate("Documents", "The name must end in .png or .svg."))
    path.write_bytes(drawn.data().data())
