"""Reading and writing of games and positions: files, clipboard and pictures."""

import io
import json
import re
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator

from gomoku_brain.game.notation import format_moves
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.board.board_painter import (
    Geometry,
    Scene,
    draw_background,
    draw_marks,
    draw_stones,
    margin,
    stone_stamp,
)
from gomoku_brain.gui.board.board_painter import draw_scene as draw
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.records.game import Game
from gomoku_brain.records.json_games import to_json
from gomoku_brain.records.psq import to_psq
from gomoku_brain.records.read import read_bytes, read_text
from gomoku_brain.records.read_options import Progress, ReadError, ReadNote, ReadOptions
from gomoku_brain.records.sgf import write
from gomoku_brain.records.short_forms import is_link
from gomoku_brain.runs.output_files import write_whole

__all__ = [
    "picture",
    "position_text",
    "read_file",
    "read_pasted",
    "save_animation",
    "save_game",
    "save_games",
    "save_picture",
]

CELL = 48  # pixels, in a picture
GIF_WIDTH = 480  # pixels
GIF_COLOURS = 256
GIF_MS, GIF_LAST_MS = 700, 3000  # duration of a picture
MAX_VARIATIONS = 2000  # lines of a library; more would take too long
translate = QCoreApplication.translate


def read_file(
    path: Path, progress: Progress | None = None, bad: "list[ReadError] | None" = None
) -> list[Game]:
    """Read all games of a file, each with at most MAX_VARIATIONS lines.

    ``progress`` is called with how much of how much is read; an exception that it
    raises ends the reading. The errors of broken games of a collection are put into
    ``bad``. Raises ValueError with a message of one line.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror or error}") from None

    def report(news: ReadError | ReadNote) -> None:
        if bad is not None and isinstance(news, ReadError):
            bad.append(news)

    options = ReadOptions(
        errors="raise" if bad is None else "games",
        report=report,
        progress=progress,
        max_lines=MAX_VARIATIONS,
    )
    return read_bytes(data, path.name, options)


_RULE = re.compile(r'\bRU\s*\[|"rule"|\bINFO rule\b', re.IGNORECASE)
_SIZE = re.compile(r'\bSZ\s*\[|"size"|"width"|START\b|^\W*Piskvorky', re.IGNORECASE)


def _has(property_: re.Pattern[str], text: str) -> bool:
    """Return whether a text states its rule or its size, which a link always does."""
    return is_link(text) or property_.search(text) is not None


def read_pasted(text: str, like: Game) -> Game:
    """Read a position from the clipboard.

    ``like`` provides the rule and the size if the text does not contain them.

    Raises:
        ValueError: The text is not a position; the message is one line.
    """
    name = translate("Documents", "clipboard")
    try:
        options = ReadOptions(
            rule=None if _has(_RULE, text) else like.rule,
            size=None if _has(_SIZE, text) else like.size,
            max_lines=MAX_VARIATIONS,
        )
        return read_text(text, name, options)[0]
    except ReadError:  # the text contains a different size
        return read_text(text, name, ReadOptions(max_lines=MAX_VARIATIONS))[0]


def position_text(tree: GameTree) -> str:
    """Write the position as moves, or as a text picture if stones were set up."""
    if not tree.game.is_set_up:
        return format_moves(tree.node.path_moves())
    return str(tree.board)


def save_game(tree: GameTree, path: Path) -> None:
    """Write the game in the format of the file name.

    .psq and .json store the current line, .sgf all variations, .txt the position.

    Raises:
        OSError: The file cannot be written.
        ValueError: The format is unknown or cannot store this game.
    """
    kind, is_set_up = path.suffix.lower(), tree.game.is_set_up
    if kind == ".txt":
        text = position_text(tree) + "\n"
    elif kind in (".json", ".jsonl"):
        text = (_set_up_json(tree) if is_set_up else to_json(tree.record())) + "\n"
    elif kind not in (".psq", ".sgf"):
        raise ValueError(
            translate("Documents", "The name must end in .psq, .sgf, .json or .txt.")
        )
    elif tree.game.walls or (kind == ".psq" and is_set_up):
        raise ValueError(
            translate(
                "Documents",
                "PSQ holds no stones at the start, and SGF no walls: save it as .json"
                " or .txt.",
            )
        )
    else:
        text = to_psq(tree.record()) if kind == ".psq" else write(tree.game)
    write_whole(path, text)


def save_games(trees: Sequence[GameTree], path: Path) -> int:
    """Write many games. Return the number of written games.

    A folder gets a .psq file per game. Any other path becomes one SGF file of all games
    with their variations. Games that the format cannot hold are left out: those with
    walls, and in PSQ those that begin with stones on the board.

    Raises:
        OSError: A file cannot be written.
    """
    if not path.is_dir():
        games = [tree.game for tree in trees if not tree.game.walls]
        write_whole(path, write(*games))
        return len(games)
    plain = [tree for tree in trees if not tree.game.is_set_up]
    for number, tree in enumerate(plain, 1):
        day = tree.game.date[:10] or "game"
        file = path / f"{day}-{number:04}.psq"
        while file.exists():
            file = file.with_name(file.stem + "+.psq")
        write_whole(file, to_psq(tree.record()))
    return len(plain)


def _set_up_json(tree: GameTree) -> str:
    """Write a set-up position and the moves from it as JSON."""
    game = tree.game
    cells = {
        "black": game.black_stones,
        "white": game.white_stones,
        "walls": game.walls,
        "moves": [node.move for node in tree.line()],
    }
    return json.dumps(
        {
            "rule": game.rule.name.lower(),
            "width": game.width,
            "height": game.height,
            "side_to_move": game.first.name.lower(),
            **{name: [str(move) for move in moves] for name, moves in cells.items()},
        }
    )


# Pictures


def _extent(scene: Scene) -> QSize:
    edges = 2 * margin(scene.coordinates)
    across, down = scene.board.width - 1 + edges, scene.board.height - 1 + edges
    return QSize(round(across * CELL), round(down * CELL))


def _geometry(scene: Scene, size: QSize) -> Geometry:
    room = QRectF(0, 0, size.width(), size.height()).adjusted(1, 1, -1, -1)
    board = scene.board
    return Geometry(board.width, board.height, room, scene.coordinates)


def _draw(painter: QPainter, scene: Scene, size: QSize) -> None:
    draw(painter, _geometry(scene, size), scene)


def _ground(scene: Scene) -> QImage:
    """Draw the empty board of an animation."""
    size = _extent(scene).scaled(
        GIF_WIDTH, GIF_WIDTH, Qt.AspectRatioMode.KeepAspectRatio
    )
    image = QImage(size, QImage.Format.Format_RGB888)
    image.fill(scene.theme.window)
    with QPainter(image) as painter:
        geometry = _geometry(scene, size)
        draw_background(painter, geometry, scene.theme, scene.rows_from_bottom)
    return image


def picture(scene: Scene) -> QImage:
    """Draw the board as an image."""
    size = _extent(scene)
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        _draw(painter, scene, size)
    return image


def save_picture(scene: Scene, path: Path) -> None:
    """Write the board as .png or .svg.

    Raises:
        OSError: The file cannot be written.
        ValueError: The name has another ending.
    """
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
    write_whole(path, bytes(drawn.data().data()))


def save_animation(scenes: Sequence[Scene], path: Path) -> None:
    """Write the scenes as an animated .gif. The last one is shown longer.

    Any thread may call this.

    Raises:
        OSError: The file cannot be written.
        ValueError: Pillow is not installed.
    """
    try:
        from PIL import Image
    except ImportError:
        raise ValueError(
            translate("Documents", "A GIF needs Pillow: pip install pillow")
        ) from None
    ground = _ground(scenes[-1])
    geometry = _geometry(scenes[-1], ground.size())
    stamps = {side: stone_stamp(geometry, side, scenes[-1].theme) for side in Side}
    drawn = []
    for scene in scenes:
        image = ground.copy()
        with QPainter(image) as painter:
            draw_stones(painter, geometry, scene, stamps)
            draw_marks(painter, geometry, scene)
        size = image.width(), image.height()
        rows = bytes(image.constBits())
        drawn.append(
            Image.frombuffer("RGB", size, rows, "raw", "RGB", image.bytesPerLine(), 1)
        )
    # One palette for all frames: colours do not change, and equal pixels are not stored
    sample = Image.new("RGB", (drawn[0].width, 2 * drawn[0].height))
    sample.paste(drawn[0], (0, 0))
    sample.paste(drawn[-1], (0, drawn[0].height))
    palette = sample.quantize(GIF_COLOURS, method=Image.Quantize.FASTOCTREE)
    frames = [
        frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in drawn
    ]
    draft = io.BytesIO()
    times = [GIF_MS] * (len(frames) - 1) + [GIF_LAST_MS]
    frames[0].save(
        draft,
        "GIF",
        save_all=True,
        append_images=frames[1:],
        duration=times,
        loop=0,
        optimize=False,
    )
    write_whole(path, draft.getvalue())
