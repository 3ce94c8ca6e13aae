import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QWheelEvent
from PySide6.QtTest import QTest

from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.base.themes import THEMES, heat_colour, palette
from gomoku_brain.gui.board.board_painter import (
    Geometry,
    Scene,
    draw_scene,
    star_points,
)
from gomoku_brain.gui.board.board_widget import BoardWidget
from gomoku_brain.study.annotate import Value
from gomoku_brain.study.threat_words import describe_position


@pytest.fixture
def board(qt):
    made = BoardWidget()
    made.resize(600, 600)
    made.show()
    made.may_place = lambda move: made.scene.board.is_empty(move)
    yield made
    made.deleteLater()


def show(board, moves="h8 i9", size=15, **more):
    board.show_scene(Scene(board=Board.from_moves(moves, size), **more))


def click(board, move):
    point = board.position_of(move).toPoint()
    QTest.mouseClick(board, Qt.MouseButton.LeftButton, pos=point)


@pytest.mark.parametrize("size", range(5, 23))
@pytest.mark.parametrize("coordinates", [True, False])
def test_every_cell_is_where_it_is_drawn(size, coordinates):
    geometry = Geometry(size, size, QRectF(0, 0, 500, 400), coordinates)
    for move in (Move(0, 0), Move(size - 1, 0), Move(2, size - 1)):
        for away in (-0.45, 0.45):
            point = geometry.point(move) + QPointF(away, away) * geometry.cell
            assert geometry.move_at(point) == move
    assert geometry.move_at(geometry.frame.topLeft()) is None
    assert geometry.frame.height() == pytest.approx(400)


def test_clicks_are_reported_as_cells(board):
    show(board)
    told = []
    board.clicked.connect(told.append)
    for move in (Move(0, 0), Move(14, 14), Move(3, 11)):
        click(board, move)
    QTest.mouseClick(board, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))
    QTest.mouseClick(
        board, Qt.MouseButton.RightButton, pos=board.position_of(Move(5, 5)).toPoint()
    )
    assert told == [(0, 0), (14, 14), (3, 11)]


def test_the_stone_to_come_is_shown_under_the_mouse_where_it_may_be_placed(board):
    show(board)
    QTest.mouseMove(board, board.position_of(Move(4, 4)).toPoint())
    assert board.scene.hover == (4, 4)
    QTest.mouseMove(board, board.position_of(Move(7, 7)).toPoint())
    assert board.scene.hover is None


def test_keys_move_a_cursor_and_place(board):
    show(board, last=Move(8, 8))
    board.setFocus()
    told = []
    board.clicked.connect(told.append)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Return):
        QTest.keyClick(board, key)
    assert told == [(9, 7)], "from the last move, one to the right and one up"
    for _ in range(20):
        QTest.keyClick(board, Qt.Key.Key_Left)
    QTest.keyClick(board, Qt.Key.Key_Space)
    assert told[-1] == (0, 7)


def test_a_touchpad_steps_when_its_parts_make_a_notch(board, qt):
    show(board)
    told = []
    board.wheeled.connect(told.append)
    for turn in (50, 50, 50, -50, -50, -20, -20):
        event = QWheelEvent(
            QPointF(50, 50),
            QPointF(50, 50),
            QPoint(),
            QPoint(0, turn),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        qt.sendEvent(board, event)
    assert told == [-1, 1]


def test_the_wheel_steps_through_the_game(board, qt):
    show(board)
    told = []
    board.wheeled.connect(told.append)
    for turn in (120, -120):
        event = QWheelEvent(
            QPointF(50, 50),
            QPointF(50, 50),
            QPoint(),
            QPoint(0, turn),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        qt.sendEvent(board, event)
    assert told == [-1, 1]


def picture(scene, size=420):
    image = QImage(size, size, QImage.Format.Format_RGB32)
    geometry = Geometry(
        scene.board.width, scene.board.height, QRectF(0, 0, size, size), True
    )
    with QPainter(image) as painter:
        draw_scene(painter, geometry, scene)
    return image, geometry


def colour_at(image, geometry, move, right=0.0, down=0.0):
    point = geometry.point(move) + QPointF(right, down) * geometry.cell
    return image.pixelColor(point.toPoint())


@pytest.mark.parametrize("name", THEMES)
def test_stones_differ_by_lightness_in_every_theme(qt, name):
    scene = Scene(board=Board.from_moves("h8 i9"), theme=THEMES[name])
    image, geometry = picture(scene)
    black = colour_at(image, geometry, Move(7, 7), 0.1, 0.2).lightness()
    white = colour_at(image, geometry, Move(8, 8), 0.1, 0.2).lightness()
    wood = colour_at(image, geometry, Move(3, 3), 0.5, 0.5).lightness()
    assert black < wood - 30
    assert white > wood + 20


def contrast(first, second):
    """As WCAG defines it, 1 to 21."""

    def light(name):
        parts = QColor(name).getRgbF()[:3]
        red, green, blue = (
            c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((light(first), light(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", THEMES)
def test_texts_can_be_read_in_every_theme(qt, name):
    theme = THEMES[name]
    least = 15 if name == "contrast" else 4.5
    for ground in (theme.window, theme.panel):
        assert contrast(theme.text, ground) >= least
        assert contrast(theme.muted, ground) >= 4.4
    assert contrast(theme.on_accent, theme.accent) >= 4.5
    for wood in theme.wood:
        assert contrast(theme.label, wood) >= 2.5
        assert contrast(theme.line, wood) >= 2.5
    colours = palette(theme)
    assert colours.text().color().name() == theme.text


@pytest.mark.parametrize("mark", ["forbidden", "winning", "hint", "line", "heat"])
def test_every_mark_is_seen(qt, mark):
    board = Board.from_moves("a1 a5 b1 b5 c1 c5 d1 d5 e1")
    cell = Move(9, 9)
    value = {
        "forbidden": (cell,),
        "winning": tuple(parse_moves("a1 b1 c1 d1 e1")),
        "hint": cell,
        "line": (cell,),
        "heat": {cell: Value(50), Move(10, 9): Value(0, None)},
    }[mark]
    plain, _ = picture(Scene(board=board))
    marked, _ = picture(Scene(board=board, **{mark: value}))
    assert plain != marked


def test_threats_are_drawn_along_their_stones(qt):
    board = Board.from_moves("h8 a1 i8 a2 j8 a3")
    shapes = describe_position(board).shapes
    assert {shape.side for shape in shapes} >= {Side.BLACK}
    plain, geometry = picture(Scene(board=board))
    marked, _ = picture(Scene(board=board, shapes=shapes))
    points = next(s.points for s in shapes if s.kind == "open three")
    for point in points:
        old = colour_at(plain, geometry, point, 0.1, 0.1)
        assert colour_at(marked, geometry, point, 0.1, 0.1) != old


def test_star_points_are_symmetric_at_every_size():
    for size in range(5, 23):
        stars = set(star_points(size, size))
        assert {(size - 1 - x, y) for x, y in stars} == stars
        assert {(y, x) for x, y in stars} == stars
        assert ((size // 2, size // 2) in stars) is (size % 2 == 1)


def test_a_dense_screen_gets_a_sharp_board(qt):
    small, _ = picture(Scene(board=Board.from_moves("h8")), 300)
    large, _ = picture(Scene(board=Board.from_moves("h8")), 1200)
    stretched = small.scaled(1200, 1200)
    assert large != stretched


def test_heat_colours_rise_in_lightness():
    lights = [heat_colour(k / 20).lightnessF() for k in range(15)]
    assert heat_colour(-5) == heat_colour(0)
    assert heat_colour(5) == heat_colour(1)
    assert lights[0] < lights[7] < lights[14]
