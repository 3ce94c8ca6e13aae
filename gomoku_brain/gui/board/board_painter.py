"""Painter of a board for the screen, PNG and SVG, without a widget.

A ``Scene`` describes the content. The geometry depends only on the size, so that
pictures are sharp at every size and pixel density.
"""

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QImage,
    QLinearGradient,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QRadialGradient,
)

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.base.themes import LIGHT, Theme, heat_colour
from gomoku_brain.gui.base.words import short_value_text
from gomoku_brain.study.annotate import Value
from gomoku_brain.study.threat_words import Shape

__all__ = [
    "Geometry",
    "Scene",
    "draw_background",
    "draw_marks",
    "draw_pointers",
    "draw_scene",
    "draw_stone",
    "draw_stone_on_panel",
    "draw_stones",
    "margin",
    "star_points",
    "stone_stamp",
]

BARE_MARGIN = 0.75  # cells around the outermost lines, without coordinates
STONE = 0.465  # radius, in cells
STAMP = 1.5  # half the side of a stamp, in radii of its stone
SMALL = 20  # pixels; smaller stones have no shadow
DARK = 0.3  # largest lightness of a dark background, from 0 to 1
GRAIN_LINES = 110
LONGEST_LABEL = 6  # characters on a cell
BEST_LOSSES = 3  # number of best moves that are emphasized if all moves lose
MIN_SPAN = 0.10  # smallest range of winning chances that the colours cover
SHOWN_SHAPES = ("five", "open four", "four", "open three")


@dataclass
class Scene:
    """Content of the board."""

    board: Board = field(default_factory=Board)
    theme: Theme = LIGHT
    coordinates: float = 1.0
    """Size of the coordinates, relative to the usual one; 0 = none."""
    numbers: Mapping[Move, int] = field(default_factory=dict)
    """Numbers on the stones."""
    last: Move | None = None
    winning: tuple[Move, ...] = ()
    forbidden: tuple[Move, ...] = ()
    hover: Move | None = None
    """Cell of the stone preview."""
    cursor: Move | None = None
    """Cell of the keyboard cursor."""
    hint: Move | None = None
    heat: Mapping[Move, Value] = field(default_factory=dict)
    """Values of candidates, the best first."""
    shapes: tuple[Shape, ...] = ()
    """Threats to draw."""
    line: tuple[Move, ...] = ()
    """Next moves as numbered pale stones, beginning with the side to move."""
    rows_from_bottom: bool = False
    """Whether rows are counted from the bottom."""
    better: Move | None = None
    """The better move instead of the last one."""
    labels: Mapping[Move, str] = field(default_factory=dict)
    """Texts on cells, from the file of the game."""
    marks: Mapping[Move, str] = field(default_factory=dict)
    """Marks on cells: TR, CR, SQ, MA or SL, as in SGF."""
    branches: tuple[Move, ...] = ()
    """Next moves in the tree of the game, if there are several."""


def margin(coordinates: float) -> float:
    """Return the cells around the outermost lines."""
    return 0.77 + 0.38 * coordinates if coordinates else BARE_MARGIN


class Geometry:
    """Positions of the cells of a board in a rectangle."""

    def __init__(
        self, width: int, height: int, room: QRectF, coordinates: float = 1.0
    ) -> None:
        """Place the board in the centre of ``room``."""
        edge = margin(coordinates)
        across, down = width - 1 + 2 * edge, height - 1 + 2 * edge
        self.width, self.height, self.coordinates = width, height, coordinates
        self.cell = min(room.width() / across, room.height() / down)
        """Side of a cell, in pixels."""
        self.frame = QRectF(0, 0, across * self.cell, down * self.cell)
        """Rectangle of the wood."""
        self.frame.moveCenter(room.center())
        self._origin = self.frame.topLeft() + QPointF(edge, edge) * self.cell

    def point(self, move: tuple[float, float]) -> QPointF:
        """Return the centre of a cell."""
        x, y = move
        return self._origin + QPointF(x, y) * self.cell

    def move_at(self, point: QPointF) -> Move | None:
        """Return the cell at a point; None outside the board."""
        place = (point - self._origin) / self.cell
        x, y = math.floor(place.x() + 0.5), math.floor(place.y() + 0.5)
        inside = 0 <= x < self.width and 0 <= y < self.height
        return Move(x, y) if inside else None

    def square(self, move: tuple[float, float], radius: float) -> QRectF:
        """Return the square around the centre of a cell; ``radius`` is in cells."""
        side = 2 * radius * self.cell
        square = QRectF(0, 0, side, side)
        square.moveCenter(self.point(move))
        return square


def _colour(name: str, alpha: float = 1.0) -> QColor:
    colour = QColor(name)
    colour.setAlphaF(alpha)
    return colour


def _mixed(ground: str, colour: QColor, part: float) -> QColor:
    """Return the mix of a background and a colour with opacity ``part``."""
    below = QColor(ground)
    return QColor.fromRgbF(
        below.redF() + (colour.redF() - below.redF()) * part,
        below.greenF() + (colour.greenF() - below.greenF()) * part,
        below.blueF() + (colour.blueF() - below.blueF()) * part,
    )


def _is_dark(colour: QColor) -> bool:
    """Return whether white text is easier to read on the colour than black (WCAG 2)."""
    luminance = 0.0
    for part, weight in (
        (colour.redF(), 0.2126),
        (colour.greenF(), 0.7152),
        (colour.blueF(), 0.0722),
    ):
        linear = part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        luminance += weight * linear
    return luminance < 0.18


def _font(pixels: float, bold: bool = False) -> QFont:
    font = QFont()
    font.setPixelSize(max(round(pixels), 1))
    font.setBold(bold)
    return font


# The board


def draw_background(
    painter: QPainter,
    geometry: Geometry,
    theme: Theme,
    rows_from_bottom: bool = False,
) -> None:
    """Draw wood, lines, star points and coordinates."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _draw_wood(painter, geometry, theme)
    _draw_grid(painter, geometry, theme)
    if geometry.coordinates:
        _draw_coordinates(painter, geometry, theme, rows_from_bottom)


def _draw_wood(painter: QPainter, geometry: Geometry, theme: Theme) -> None:
    frame, cell = geometry.frame, geometry.cell
    outline = QPainterPath()
    outline.addRoundedRect(frame, cell * 0.22, cell * 0.22)
    base = QLinearGradient(frame.topLeft(), frame.bottomRight())
    base.setColorAt(0, QColor(theme.wood[0]))
    base.setColorAt(1, QColor(theme.wood[1]))
    painter.fillPath(outline, QBrush(base))
    if theme.grain_strength:
        painter.save()
        painter.setClipPath(outline)
        chance = random.Random(5)  # always the same grain
        for _ in range(GRAIN_LINES):
            _draw_grain(painter, frame, theme, chance)
        painter.restore()
    edge = _colour(theme.line, 0.55)
    painter.setPen(QPen(edge, max(cell * 0.04, 0.8)))
    painter.drawPath(outline)


def _draw_grain(
    painter: QPainter, frame: QRectF, theme: Theme, chance: random.Random
) -> None:
    """Draw one line of the grain, from left to right."""
    unit = frame.height()
    level = frame.top() + chance.uniform(-0.05, 1.05) * unit
    swing, phase = chance.uniform(0.004, 0.02) * unit, chance.uniform(0, math.tau)
    waves = chance.uniform(0.4, 1.2)
    path = QPainterPath()
    steps = 12
    for step in range(steps + 1):
        share = step / steps
        y = level + swing * math.sin(phase + waves * math.tau * share)
        point = QPointF(frame.left() + share * frame.width(), y)
        if step == 0:
            path.moveTo(point)
        else:
            path.lineTo(point)
    alpha = chance.uniform(0.02, 0.11) * theme.grain_strength
    width = unit * chance.choice((0.0012, 0.0018, 0.003, 0.006))
    painter.strokePath(path, QPen(_colour(theme.grain, alpha), width))


def star_points(width: int, height: int) -> list[Move]:
    """Return the marked points: four near the corners, and the centre if it exists."""
    shorter = min(width, height)
    edge = 3 if shorter >= 13 else 2
    found = []
    if shorter >= 8:
        found = [
            Move(x, y)
            for x in (edge, width - 1 - edge)
            for y in (edge, height - 1 - edge)
        ]
    if width % 2 and height % 2:
        found.append(Move(width // 2, height // 2))
    return found


def _draw_grid(painter: QPainter, geometry: Geometry, theme: Theme) -> None:
    width, height, cell = geometry.width, geometry.height, geometry.cell
    thin = max(cell * 0.028, 0.7) * theme.line_width
    for count, ends in (
        (width, lambda k: ((k, 0), (k, height - 1))),
        (height, lambda k: ((0, k), (width - 1, k))),
    ):
        for k in range(count):
            outer = k in (0, count - 1)
            pen = QPen(QColor(theme.line), thin * (2.0 if outer else 1.0))
            pen.setCapStyle(Qt.PenCapStyle.SquareCap)
            painter.setPen(pen)
            first, second = ends(k)
            painter.drawLine(geometry.point(first), geometry.point(second))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.line))
    for star in star_points(width, height):
        painter.drawEllipse(geometry.square(star, 0.095 * theme.line_width**0.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _draw_coordinates(
    painter: QPainter, geometry: Geometry, theme: Theme, rows_from_bottom: bool
) -> None:
    painter.setPen(QColor(theme.label))
    painter.setFont(_font(geometry.cell * 0.34 * geometry.coordinates))
    away = 0.63 + 0.19 * geometry.coordinates
    for x in range(geometry.width):
        for y in (-away, geometry.height - 1 + away):
            _write(painter, geometry, (x, y), chr(ord("a") + x))
    for row in range(geometry.height):
        for side in (-away, geometry.width - 1 + away):
            number = geometry.height - row if rows_from_bottom else row + 1
            _write(painter, geometry, (side, row), str(number))


def _write(
    painter: QPainter, geometry: Geometry, place: tuple[float, float], text: str
) -> None:
    painter.drawText(geometry.square(place, 0.9), Qt.AlignmentFlag.AlignCenter, text)


# Stones and marks


def draw_stone(
    painter: QPainter, where: QRectF, side: Side, theme: Theme, shadow: bool = True
) -> None:
    """Draw a stone that fills a square, with a shadow to the lower right."""
    radius = where.width() / 2
    if shadow and theme.shadow:
        fall = where.translated(radius * 0.10, radius * 0.14)
        soft = QRadialGradient(fall.center(), radius * 1.12)
        soft.setColorAt(0.75, _colour("#000000", theme.shadow))
        soft.setColorAt(1.0, _colour("#000000", 0.0))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(soft))
        painter.drawEllipse(fall.adjusted(-2, -2, 2, 2))
    light, body, rim = theme.black if side is Side.BLACK else theme.white
    glow = QRadialGradient(
        where.center() + QPointF(-radius * 0.35, -radius * 0.42), radius * 1.35
    )
    glow.setColorAt(0.0, QColor(light))
    glow.setColorAt(0.55 if side is Side.BLACK else 0.75, QColor(body))
    glow.setColorAt(1.0, QColor(body).darker(112))
    painter.setBrush(QBrush(glow))
    painter.setPen(QPen(QColor(rim), max(radius * 0.055, 0.6)))
    painter.drawEllipse(where)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def draw_stone_on_panel(
    painter: QPainter, where: QRectF, side: Side, theme: Theme
) -> None:
    """Draw a stone beside the board, with a ring if black would be invisible."""
    draw_stone(painter, where, side, theme, shadow=where.width() > SMALL)
    if QColor(theme.panel).lightnessF() < DARK:
        painter.setPen(QPen(QColor(theme.muted), 1.2))
        painter.drawEllipse(where)


def stone_stamp(
    geometry: Geometry, side: Side, theme: Theme, ratio: float = 1.0
) -> QImage:
    """Return a stone as an image, centred, with space for its shadow."""
    reach = STONE * geometry.cell * STAMP
    size = math.ceil(2 * reach * ratio)
    stamp = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    stamp.setDevicePixelRatio(ratio)
    stamp.fill(Qt.GlobalColor.transparent)
    radius = STONE * geometry.cell
    middle = size / ratio / 2
    where = QRectF(middle - radius, middle - radius, 2 * radius, 2 * radius)
    with QPainter(stamp) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_stone(painter, where, side, theme)
    return stamp


def draw_stones(
    painter: QPainter,
    geometry: Geometry,
    scene: Scene,
    stamps: Mapping[Side, QPixmap] | Mapping[Side, QImage] | None = None,
) -> None:
    """Draw all stones and walls, without marks.

    ``stamps`` of the two stones save the time to shade each stone.
    """
    board = scene.board
    for move in sorted(board.moves, key=lambda move: (move.y, move.x)):
        side = board.stone(move)
        if side is not None:
            _place_stone(painter, geometry, move, side, scene, stamps)
        else:
            painter.fillRect(geometry.square(move, 0.4), QColor("#7d7d7d"))


def _place_stone(
    painter: QPainter,
    geometry: Geometry,
    where: tuple[int, int],
    side: Side,
    scene: Scene,
    stamps: Mapping[Side, QPixmap] | Mapping[Side, QImage] | None,
) -> None:
    """Draw a stone on a cell, by its stamp if available."""
    if stamps is None:
        draw_stone(painter, geometry.square(where, STONE), side, scene.theme)
    else:
        reach = stamps[side].deviceIndependentSize() / 2
        corner = QPointF(reach.width(), reach.height())
        stamp = stamps[side]
        if isinstance(stamp, QPixmap):
            painter.drawPixmap(geometry.point(where) - corner, stamp)
        else:
            painter.drawImage(geometry.point(where) - corner, stamp)


def draw_marks(painter: QPainter, geometry: Geometry, scene: Scene) -> None:
    """Draw all marks on and between the stones."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _draw_heat(painter, geometry, scene)
    _draw_shapes(painter, geometry, scene)
    _draw_forbidden(painter, geometry, scene)
    _draw_line(painter, geometry, scene)
    _draw_numbers(painter, geometry, scene)
    _draw_winning(painter, geometry, scene)
    _draw_last(painter, geometry, scene)
    _draw_advice(painter, geometry, scene)
    _draw_notes(painter, geometry, scene)


def draw_scene(painter: QPainter, geometry: Geometry, scene: Scene) -> None:
    """Draw the complete board."""
    draw_background(painter, geometry, scene.theme, scene.rows_from_bottom)
    draw_stones(painter, geometry, scene)
    draw_marks(painter, geometry, scene)
    draw_pointers(painter, geometry, scene)


def _ink(side: Side) -> str:
    return "#ffffff" if side is Side.BLACK else "#1a1a1a"


def _faded_losses(heat: Mapping[Move, Value]) -> set[Move]:
    """Return the losing moves to draw pale.

    If all moves lose, these are the moves that lose sooner than the best few.
    """
    if any(value.chance > 0 for value in heat.values()):
        return {m for m, v in heat.items() if v.win_in is not None and v.win_in < 0}
    lasting = sorted({abs(v.win_in or 0) for v in heat.values()}, reverse=True)
    ranked = sorted(heat, key=lambda m: -abs(heat[m].win_in or 0))
    minimum = abs(heat[ranked[min(len(ranked), BEST_LOSSES) - 1]].win_in or 0)
    if minimum == lasting[-1] and len(lasting) > 1:
        minimum = lasting[-2]
    return {m for m in heat if abs(heat[m].win_in or 0) < minimum}


def _draw_heat(painter: QPainter, geometry: Geometry, scene: Scene) -> None:
    """Draw candidates coloured by their winning chance, with the percentage.

    With a line of next moves the colours are paler and the line's cells are left out.
    """
    if not scene.heat:
        return
    chances = [value.chance for value in scene.heat.values()]
    low, high = min(chances), max(chances)
    if high - low < MIN_SPAN:
        low = max(high - MIN_SPAN, 0.0)
    best = next(iter(scene.heat))
    faded = _faded_losses(scene.heat)
    for move, value in scene.heat.items():
        if move in scene.line:
            continue
        share = (value.chance - low) / max(high - low, MIN_SPAN)
        ground = colour = heat_colour(share)
        if move in faded:  # opaque: lines of the board would cross the text
            ground = _mixed(scene.theme.wood[1], colour, 0.35)
        painter.setOpacity(0.25 if scene.line else 1.0)
        painter.setPen(Qt.PenStyle.NoPen)
        if move == best:
            painter.setPen(QPen(QColor(scene.theme.win), geometry.cell * 0.07))
        painter.setBrush(colour if scene.line else ground)
        corner = geometry.cell * 0.16
        painter.drawRoundedRect(geometry.square(move, 0.43), corner, corner)
        painter.setOpacity(1.0)
        if scene.line:
            continue
        painter.setPen(QColor("#ffffff" if _is_dark(ground) else "#101010"))
        text = short_value_text(value)
        size = 0.40 if len(text) < 3 else 0.31
        painter.setFont(_font(geometry.cell * size, bold=move == best))
        _write(painter, geometry, move, text)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _draw_shapes(painter: QPainter, geometry: Geometry, scene: Scene) -> None:
    """Draw threats: a band along the stones, a diamond on each extending point."""
    for shape in scene.shapes:
        if shape.kind not in SHOWN_SHAPES:
            continue
        colour = QColor(scene.theme.threats[shape.side])
        strong = shape.kind != "open three"
        band = QPen(colour, geometry.cell * (0.16 if strong else 0.10))
        band.setCapStyle(Qt.PenCapStyle.RoundCap)
        if not strong:
            band.setStyle(Qt.PenStyle.DotLine)
        painter.setPen(band)
        first, last = shape.stones[0], shape.stones[-1]
        painter.drawLine(geometry.point(first), geometry.point(last))
        painter.setPen(QPen(colour, geometry.cell * 0.06))
        painter.setBrush(_colour(scene.theme.threats[shape.side], 0.25))
        for point in shape.points:
            if point in scene.line:
                continue  # the number of the line must stay readable
            if point in scene.heat and not scene.line:
                painter.save()  # a frame around the value, which must be read
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(geometry.square(point, 0.46))
                painter.restore()
                continue
            middle, reach = geometry.point(point), geometry.cell * 0.24
            painter.drawPolygon(
                [
                    middle + QPointF(0, -reach),
                    middle + QPointF(reach, 0),
                    middle + QPointF(0, reach),
                    middle + QPointF(-reach, 0),
                ]
            )
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _draw_forbidden(painter: QPainter, geometry: Geometry, scene: Scene) -> None:
    """Draw crosses, with a pale rim that contrasts with dark wood."""
    for colour, width in (
        (_colour("#ffffff", 0.8), 0.15),
        (scene.theme.forbidden, 0.075),
    ):
        painter.setPen(QPen(QColor(colour), geometry.cell * width))
        for move in scene.forbidden:
            square = geometry.square(move, 0.2)
            painter.drawLine(square.topLeft(), square.bottomRight())
            painter.drawLine(square.topRight(), square.bottomLeft())


def _draw_line(painter: QPainter, geometry: Geometry, scene: Scene) -> None:
    """Draw the next moves as numbered pale stones."""
    side = scene.board.turn
    for number, move in enumerate(scene.line, 1):
        painter.setOpacity(0.72)
        square = geometry.square(move, STONE * 0.92)
        draw_stone(painter, square, side, scene.theme, shadow=False)
        painter.setOpacity(1.0)
        painter.setPen(QColor(_ink(side)))
        size = 0.42 if number < 100 else 0.32
        painter.setFont(_font(geometry.cell * size, bold=True))
        _write(painter, geometry, move, str(number))
        side = side.other


def _draw_numbers(painter: QPainter, geometry: Geometry, scene: Scene) -> None:
    for move, number in scene.numbers.items():
        side = scene.board.stone(move)
        if side is None:
            continue
        painter.setPen(QColor(_ink(side)))
        size = 0.42 if number < 100 else 0.33
        painter.setFont(_font(geometry.cell * size, bold=move == scene.last))
        _write(painter, geometry, move, str(number))


def _draw_winning(painter: QPainter, geometry: Geometry, scene: Scene) -> None:
    if len(scene.winning) < 2:
        return
    first, last = (geometry.point(scene.winning[k]) for k in (0, -1))
    for colour, width in ((_colour("#ffffff", 0.85), 0.24), (scene.theme.win, 0.14)):
        pen = QPen(QColor(colour), geometry.cell * width)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawLine(first, last)


def _draw_last(painter: QPainter, geometry: Geometry, scene: Scene) -> None:
    """Draw a ring on the last move, or a bar under its number."""
    if scene.last is None:
        return
    mark = QColor(scene.theme.mark)
    if scene.numbers:
        painter.setPen(QPen(mark, geometry.cell * 0.07))
        painter.drawEllipse(geometry.square(scene.last, STONE * 0.9))
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(mark)
    painter.drawEllipse(geometry.square(scene.last, 0.13))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _draw_advice(painter: QPainter, geometry: Geometry, scene: Scene) -> None:
    """Draw the better move and the hint."""
    if scene.better is not None:
        painter.setPen(QPen(QColor(scene.theme.hint), geometry.cell * 0.08))
        square = geometry.square(scene.better, 0.36)
        painter.drawRect(square)
    if scene.hint is not None:
        painter.setPen(QPen(QColor(scene.theme.hint), geometry.cell * 0.09))
        painter.drawEllipse(geometry.square(scene.hint, 0.40))
        painter.drawEllipse(geometry.square(scene.hint, 0.12))


def _draw_notes(painter: QPainter, geometry: Geometry, scene: Scene) -> None:
    """Draw branches, marks and labels, in a colour that the stone below shows."""
    board = scene.board
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for move in scene.branches:
        if board.is_empty(move) and move not in scene.labels:
            painter.setPen(QPen(QColor(scene.theme.label), geometry.cell * 0.05))
            painter.drawEllipse(geometry.square(move, 0.2))
    for move, mark in scene.marks.items():
        side = board.stone(move)
        ink = scene.theme.label if side is None else _ink(side)
        painter.setPen(QPen(QColor(ink), geometry.cell * 0.07))
        square = geometry.square(move, 0.24)
        if mark == "CR":
            painter.drawEllipse(square)
        elif mark == "MA":
            painter.drawLine(square.topLeft(), square.bottomRight())
            painter.drawLine(square.topRight(), square.bottomLeft())
        elif mark == "TR":
            top = QPointF(square.center().x(), square.top())
            painter.drawPolygon([top, square.bottomRight(), square.bottomLeft()])
        else:
            painter.drawRect(square)
    for move, text in scene.labels.items():
        side = board.stone(move)
        if side is None:  # the lines must not cross the text
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(scene.theme.wood[0]))
            painter.drawEllipse(geometry.square(move, 0.34))
            painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QColor(scene.theme.label if side is None else _ink(side)))
        size = 0.5 if len(text) < 3 else 0.3
        painter.setFont(_font(geometry.cell * size, bold=True))
        _write(painter, geometry, move, text[:LONGEST_LABEL])


def draw_pointers(
    painter: QPainter,
    geometry: Geometry,
    scene: Scene,
    stamps: Mapping[Side, QPixmap] | None = None,
) -> None:
    """Draw the stone preview and the keyboard cursor."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if scene.hover is not None:
        painter.setOpacity(0.5)
        _place_stone(painter, geometry, scene.hover, scene.board.turn, scene, stamps)
        painter.setOpacity(1.0)
    if scene.cursor is not None:
        square, arm = geometry.square(scene.cursor, 0.47), geometry.cell * 0.22
        for colour, width in (
            (_colour("#ffffff", 0.9), 0.13),
            (scene.theme.mark, 0.07),
        ):
            painter.setPen(QPen(QColor(colour), geometry.cell * width))
            for corner, dx, dy in (
                (square.topLeft(), 1, 1),
                (square.topRight(), -1, 1),
                (square.bottomLeft(), 1, -1),
                (square.bottomRight(), -1, -1),
            ):
                painter.drawLine(corner, corner + QPointF(dx * arm, 0))
                painter.drawLine(corner, corner + QPointF(0, dy * arm))
