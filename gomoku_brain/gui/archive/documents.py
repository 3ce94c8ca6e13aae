"""Reading and writing of games and positions: files, clipboard and pictures."""

import io
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QBuffer, QByteArray, QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator

from gomoku_brain.game.notation import draw_board, format_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.board.board_painter import (
    BARE_MARGIN,
    MARGIN,
    Geometry,
    Scene,
    draw_background,
    draw_marks,
    draw_stones,
    stone_stamp,
)
from gomoku_brain.gui.board.board_painter import draw_scene as draw
from gomoku_brain.gui.model.game_tree import Ending, GameTree
from gomoku_brain.gui.model.node_notes import add_record, record_tree_of, set_up_record
from gomoku_brain.records.encodings import decode
from gomoku_brain.records.game_formats import (
    GameRecord,
    is_lib,
    to_json,
    to_psq,
    to_sgf,
)
from gomoku_brain.records.game_trees import read_trees
from gomoku_brain.records.reader import Game, ReadError, Setting, read_bytes, read_text
from gomoku_brain.records.record_tree import RecordTree
from gomoku_brain.records.result_words import result_named
from gomoku_brain.records.sgf_trees import Watch
from gomoku_brain.records.short_forms import is_link
from gomoku_brain.runs.output_files import write_whole

__all__ = [
    "Document",
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
MOST_VARIATIONS = 2000  # of a library; more would take too long
translate = QCoreApplication.translate


class Document(NamedTuple):
    """Game of a file, with its variations."""

    game: Game
    variations: tuple[GameRecord, ...] = ()
    """Other lines of the game, from its first move."""
    record: RecordTree | None = None
    """The game with all lines and notes, if the format has them."""

    def tree(self) -> tuple[GameTree, int]:
        """Return the tree of the game, at the end of its main line.

        The second value is the number of variations that are left out.
        """
        tree = GameTree(self.game)
        if self.record is not None:
            if self.game.set_up:
                _read_head(tree, self.record)
            return tree, add_record(tree, self.record, MOST_VARIATIONS)
        end = tree.node
        for record in reversed(self.variations):
            tree.go_to(tree.root)
            for played in record.moves:
                if tree.ending is not None and tree.ending.is_final:
                    break  # moves after a five are invalid
                tree.play(played)
        for node in end.path():  # restore the order, with the main line first
            if node.parent is not None:
                node.parent.children.remove(node)
                node.parent.children.insert(0, node)
        tree.go_to(end)
        return tree, self.game.others


def _read_head(tree: GameTree, record: RecordTree) -> None:
    """Copy names, date and result of a game that begins with stones on the board."""
    tree.names = {Side.BLACK: record.text("PB"), Side.WHITE: record.text("PW")}
    tree.date = record.text("DT")
    result, reason = result_named(record.text("RE")) or ("*", "")
    if result != "*" and tree.node.ending is None:
        tree.end(Ending(result, reason))


def read_file(
    path: Path, watch: Watch | None = None, bad: "list[ReadError] | None" = None
) -> list[Document]:
    """Read all games of a file, each with at most MOST_VARIATIONS variations.

    ``watch`` is called with how much of how much is read; an exception that it raises
    ends the reading. The errors of broken games of a collection are put into ``bad``.
    Raises ValueError with a message of one line.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror or error}") from None
    records = _records(path, data, watch)
    setting = Setting(
        variations=records is None,
        most_lines=1 + MOST_VARIATIONS,
        watch=watch,
        bad_game=None if bad is None else bad.append,
    )
    if records is not None:
        games = list(read_bytes(data, path.name, setting))
        return _matched(games, records)
    found: list[list[Game]] = []
    for game in read_bytes(data, path.name, setting):
        if found and game.line > found[-1][-1].line:
            found[-1].append(game)
        else:
            found.append([game])
    return [_document(lines) for lines in found]


def _matched(games: list[Game], records: list[RecordTree]) -> list[Document]:
    """Join games with their records. Both have the order of the file, but the records
    include those of games that cannot be read.
    """
    found, place = [], 0
    for game in games:
        record = None
        for k in range(place, len(records)):
            moves = [node.move for node in records[k].mainline() if node.move]
            if all(a == b for a, b in zip(moves, game.moves, strict=False)) and (
                len(moves) >= len(game.moves)
            ):
                record, place = records[k], k + 1
                break
        found.append(Document(game, record=record))
    return found


def _records(path: Path, data: bytes, watch: Watch | None) -> list[RecordTree] | None:
    """Read the trees of an SGF file or a RenLib library; None for other formats."""
    if not is_lib(data) and not decode(data).text.lstrip("\ufeff \t\r\n").startswith(
        "("
    ):
        return None
    try:
        return read_trees(path, skip=lambda error: None, watch=watch)
    except (ValueError, OSError):
        return None


def _document(lines: list[Game]) -> Document:
    """Return a game with its other lines, unless stones were set up."""
    records = [game.record for game in lines if game.record is not None]
    if lines[0].record is None:
        return Document(lines[0])
    return Document(lines[0], tuple(records[1:]))


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
        setting = Setting(
            rule=None if _has(_RULE, text) else like.rule,
            size=None if _has(_SIZE, text) else (like.width, like.height),
        )
        return read_text(text, name, setting)[0]
    except ReadError:
        return read_text(text, name)[0]  # the text contains a different size


def position_text(tree: GameTree) -> str:
    """Write the position as moves, or as a text picture if stones were set up."""
    game = tree.game()
    if not game.set_up:
        return format_moves(game.moves)
    return picture_text(tree.board)


def picture_text(board: Board) -> str:
    """Draw the board in characters."""
    signs: dict[tuple[int, int], str] = {}
    for move in board.moves:
        side = board.stone(move)
        signs[move] = "#" if side is None else "O" if side is Side.WHITE else "X"
    return draw_board(board.width, board.height, signs)


def save_game(tree: GameTree, path: Path) -> None:
    """Write the game in the format of the file name.

    .psq and .json store the current line, .sgf all variations, .txt the position.

    Raises:
        OSError: The file cannot be written.
        ValueError: The format is unknown or cannot store this game.
    """
    kind = path.suffix.lower()
    if kind == ".txt":
        text = position_text(tree) + "\n"
    elif kind in (".json", ".jsonl"):
        text = (
            _set_up_json(tree) if tree.start.set_up else to_json(tree.record())
        ) + "\n"
    elif kind not in (".psq", ".sgf"):
        raise ValueError(
            translate("Documents", "The name must end in .psq, .sgf, .json or .txt.")
        )
    elif tree.start.walls or (kind == ".psq" and tree.start.set_up):
        raise ValueError(
            translate(
                "Documents",
                "PSQ holds no stones at the start, and SGF no walls: save it as .json"
                " or .txt.",
            )
        )
    elif kind == ".psq":
        text = to_psq(tree.record())
    else:
        text = _sgf_text(tree)
    write_whole(path, text)


def save_games(trees: Sequence[GameTree], path: Path) -> int:
    """Write many games. Return the number of written games.

    A folder gets a .psq file per game. Any other path becomes one SGF file of all games
    with their variations. Games that the format cannot hold are left out: those with
    walls, and in PSQ those that begin with stones on the board.

    Raises:
        OSError: A file cannot be written.
    """
    to_folder = path.is_dir()
    games = [
        tree
        for tree in trees
        if not (tree.start.set_up if to_folder else tree.start.walls)
    ]
    if not to_folder:
        texts = [_sgf_text(tree) for tree in games]
        write_whole(path, "\n".join(text.rstrip() for text in texts) + "\n")
        return len(games)
    for number, tree in enumerate(games, 1):
        day = tree.date[:10] or "game"
        file = path / f"{day}-{number:04}.psq"
        while file.exists():
            file = file.with_name(file.stem + "+.psq")
        write_whole(file, to_psq(tree.record()))
    return len(games)


def _sgf_text(tree: GameTree) -> str:
    """Write a game as SGF, with variations, comments, labels and marks."""
    if tree.start.set_up:
        return to_sgf(set_up_record(tree))
    return to_sgf(record_tree_of(tree, [tree.record(), *_variations(tree)]))


def _variations(tree: GameTree) -> list[GameRecord]:
    """Return the other lines of a game, from its first move."""
    ends = [node for node in tree.nodes() if not node.children and node.played]
    shown = tree.node.line()
    found = []
    for end in ends:
        if not shown or end is not shown[-1]:
            moves = tuple(n.played for n in end.path() if n.played is not None)
            found.append(replace(tree.record(), moves=moves))
    return found


def _set_up_json(tree: GameTree) -> str:
    """Write a set-up position and the moves from it as JSON for ``records.reader``."""
    start = tree.start
    stones = {"black": start.black, "white": start.white, "walls": start.walls}
    moves = [node.move for node in tree.node.line()]
    return json.dumps(
        {
            "rule": start.rule.name.lower(),
            "width": start.width,
            "height": start.height,
            **{name: [str(move) for move in cells] for name, cells in stones.items()},
            "side_to_move": start.first.name.lower(),
            "moves": [str(move) for move in moves],
        }
    )


# Pictures


def _extent(scene: Scene) -> QSize:
    margin = 2 * (MARGIN if scene.coordinates else BARE_MARGIN)
    across, down = scene.board.width - 1 + margin, scene.board.height - 1 + margin
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
