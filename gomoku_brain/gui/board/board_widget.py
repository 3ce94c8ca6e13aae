"""Widget of the board: shows a ``Scene`` and reports clicks and keys."""

from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.base.words import cell_text, side_name
from gomoku_brain.gui.board.board_painter import (
    Geometry,
    Scene,
    draw_background,
    draw_marks,
    draw_pointers,
    draw_stones,
    stone_stamp,
)

__all__ = ["BoardWidget"]

ROOM = 6  # pixels around the wood
NOTCH = 120  # of a wheel; a touchpad sends many smaller steps


class BoardWidget(QLabel):
    """Board that shows a scene and emits signals for the user's input.

    It is a label because screen readers leave out a widget without a role: its name
    has the cell of the cursor, its description the last move.
    """

    clicked = Signal(object)
    """A cell was clicked or chosen with Enter or the space bar."""
    pointed = Signal(object)
    """The cell under the mouse or the cursor changed; None outside the board."""
    wheeled = Signal(int)
    """The wheel was turned: -1 for one move back, 1 for one forward."""

    _ARROWS: ClassVar = {
        Qt.Key.Key_Left: (-1, 0),
        Qt.Key.Key_Right: (1, 0),
        Qt.Key.Key_Up: (0, -1),
        Qt.Key.Key_Down: (0, 1),
    }

    def __init__(self, parent: QWidget | None = None) -> None:
        """Create an empty board."""
        super().__init__(parent)
        self.scene = Scene()
        self.may_place: Callable[[Move], bool] = lambda move: False
        """Function that returns whether to preview a stone under the mouse."""
        self._hover: Move | None = None
        self._cursor: Move | None = None  # of the keyboard, after its first use
        self._turned = 0  # rotation of the wheel since the last step
        self._background: QPixmap | None = None
        self._stamps: dict[Side, QPixmap] = {}
        self._stones: QPixmap | None = None
        self._marked: QPixmap | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy.Policy.Expanding
        self.setSizePolicy(policy, policy)
        self.setMinimumSize(280, 280)
        self._name = self.tr("Board")
        self.setAccessibleName(self._name)

    def sizeHint(self) -> QSize:
        """Return the preferred size."""
        return QSize(720, 720)

    def show_scene(self, scene: Scene) -> None:
        """Show another scene."""
        old, self.scene = self.scene, scene
        board = scene.board
        shape = (board.width, board.height)
        changed_wood = (
            shape != (old.board.width, old.board.height)
            or scene.coordinates != old.coordinates
            or scene.theme != old.theme
            or scene.rows_from_bottom != old.rows_from_bottom
        )
        if changed_wood:
            self._background = None
            self._hover = self._cursor = None
        if changed_wood or board != old.board:
            self._stones = None
        self._marked = None
        self._point()

    @property
    def geometry_now(self) -> Geometry:
        """Positions of the cells at the current size."""
        room = QRectF(self.rect()).adjusted(ROOM, ROOM, -ROOM, -ROOM)
        board = self.scene.board
        return Geometry(board.width, board.height, room, self.scene.coordinates)

    def position_of(self, move: Move) -> QPointF:
        """Return the centre of a cell in this widget."""
        return self.geometry_now.point(move)

    # Drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the board from cached layers, and the mouse and keyboard cursors."""
        geometry = self.geometry_now
        if self._background is None:
            self._background = self._canvas()
            with QPainter(self._background) as painter:
                scene = self.scene
                draw_background(painter, geometry, scene.theme, scene.rows_from_bottom)
            ratio = self.devicePixelRatioF()
            self._stamps = {
                side: QPixmap.fromImage(
                    stone_stamp(geometry, side, self.scene.theme, ratio)
                )
                for side in Side
            }
            self._stones = None
        if self._stones is None:
            self._stones = QPixmap(self._background)
            with QPainter(self._stones) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                draw_stones(painter, geometry, self.scene, self._stamps)
            self._marked = None
        if self._marked is None:
            self._marked = QPixmap(self._stones)
            with QPainter(self._marked) as painter:
                draw_marks(painter, geometry, self.scene)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._marked)
            draw_pointers(painter, geometry, self.scene, self._stamps)

    def _canvas(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        canvas = QPixmap(
            max(round(self.width() * ratio), 1), max(round(self.height() * ratio), 1)
        )
        canvas.setDevicePixelRatio(ratio)
        canvas.fill(Qt.GlobalColor.transparent)
        return canvas

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Redraw the board at the new size."""
        self._background = None

    def event(self, event: QEvent) -> bool:
        """Redraw the board on a screen of another pixel density."""
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._background = None
            self.update()
        return super().event(event)

    # Mouse and keys

    def _point(self) -> None:
        """Update the stone preview and the cursor in the scene."""
        for place in (self._cursor, self._hover):
            if place is not None and self.may_place(place):
                self.scene.hover = place
                break
        else:
            self.scene.hover = None
        self.scene.cursor = self._cursor if self.hasFocus() else None
        self._describe()
        self.update()

    def set_name(self, name: str) -> None:
        """Set the name of the board for screen readers."""
        self._name = name
        self._describe()

    def _describe(self) -> None:
        """Describe the cursor and the last move for screen readers."""
        board, last, cursor = self.scene.board, self.scene.last, self._cursor
        name = self._name
        if cursor is not None and cursor.x < board.width and cursor.y < board.height:
            stone = board.stone(cursor)
            content = self.tr("wall") if stone is None else side_name(stone)
            if board.is_empty(cursor):
                content = self.tr("empty")
                if cursor in self.scene.forbidden:
                    content = self.tr("forbidden")
            name += f", {cell_text(cursor)}: {content}"
        text = self.tr("No stones yet.")
        mover = None if last is None else board.stone(last)
        if last is not None and mover is not None:
            text = self.tr("Last move: {0} {1}.")
            text = text.format(side_name(mover), cell_text(last))
        if name != self.accessibleName():
            self.setAccessibleName(name)
        if text != self.accessibleDescription():
            self.setAccessibleDescription(text)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Preview the stone under the mouse."""
        move = self.geometry_now.move_at(event.position())
        if move != self._hover or self._cursor is not None:
            self._hover, self._cursor = move, None
            self._point()
            self.pointed.emit(move)

    def leaveEvent(self, event: QEvent) -> None:
        """Remove the preview."""
        self._hover = None
        self._point()
        self.pointed.emit(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Report the clicked cell."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._cursor = None
            move = self.geometry_now.move_at(event.position())
            if move is not None:
                self.clicked.emit(move)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Go through the game."""
        turn = event.angleDelta().y()
        if turn * self._turned < 0:
            self._turned = 0
        self._turned += turn
        if abs(self._turned) >= NOTCH:
            self.wheeled.emit(-1 if self._turned > 0 else 1)
            self._turned = 0
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the cursor with arrows, place a stone with Enter or the space bar."""
        key = Qt.Key(event.key())
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif key in self._ARROWS:
            self._move_cursor(*self._ARROWS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            if self._cursor is not None:
                self.clicked.emit(self._cursor)
            else:
                self._move_cursor(0, 0)
        elif key == Qt.Key.Key_Escape and self._cursor is not None:
            self._cursor = None
            self._point()
        else:
            super().keyPressEvent(event)

    def _move_cursor(self, dx: int, dy: int) -> None:
        board = self.scene.board
        start = self._cursor or self._hover or self.scene.last
        if start is None:
            start = Move(board.width // 2, board.height // 2)
        self._cursor = Move(
            min(max(start.x + dx, 0), board.width - 1),
            min(max(start.y + dy, 0), board.height - 1),
        )
        self._point()
        self.pointed.emit(self._cursor)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the cursor."""
        self._point()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the cursor."""
        self._point()
