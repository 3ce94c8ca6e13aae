"""Icons of the buttons: small SVG drawings in the colour of the text."""

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from gomoku_brain.gui.base.themes import Theme

__all__ = ["ICONS", "app_icon", "icon"]

# Drawn on 24 x 24 with strokes. {fill} marks filled parts.
ICONS = {
    "new": '<circle cx="12" cy="12" r="8"/><path d="M12 8v8M8 12h8"/>',
    "open": '<path d="M3 18V6h6l2 2h8v3M3 18l3-7h15l-3 7z"/>',
    "save": '<path d="M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6"/>',
    "archive": '<rect x="3" y="4" width="18" height="5"/>'
    '<path d="M5 9v11h14V9M10 13h4"/>',
    "train": '<circle cx="12" cy="12" r="9"/><circle cx="12" cy="12" r="5"/>'
    '<circle cx="12" cy="12" r="1.5" {fill}/>',
    "undo": '<path d="M9 5 4 10l5 5M4 10h10a5 5 0 0 1 0 10h-3"/>',
    "redo": '<path d="M15 5l5 5-5 5M20 10H10a5 5 0 0 0 0 10h3"/>',
    "hint": '<path d="M9 17h6M10 20h4M8.5 14a5.5 5.5 0 1 1 7 0c-.6.6-.9 1.4-1 3h-5'
    'c-.1-1.6-.4-2.4-1-3z"/>',
    "move_now": '<path {fill} d="M13 2 5 14h6l-1 8 8-12h-6z"/>',
    "pause": '<path d="M9 5v14M15 5v14" stroke-width="3"/>',
    "resume": '<path {fill} d="M7 5l12 7-12 7z"/>',
    "first": '<path d="M6 5v14M18 5l-8 7 8 7"/>',
    "back": '<path d="M15 5l-8 7 8 7"/>',
    "forward": '<path d="M9 5l8 7-8 7"/>',
    "last": '<path d="M18 5v14M6 5l8 7-8 7"/>',
    "analyze": '<path d="M4 20V4M4 20h16M7 15l4-5 3 3 5-7"/>',
    "heat": '<rect x="4" y="4" width="7" height="7" {fill}/><rect x="13" y="4" '
    'width="7" height="7"/><rect x="4" y="13" width="7" height="7"/>'
    '<rect x="13" y="13" width="7" height="7" {fill}/>',
    "threats": '<circle cx="6" cy="18" r="2.5"/><circle cx="12" cy="12" r="2.5"/>'
    '<circle cx="18" cy="6" r="2.5"/><path d="M8 16l2-2M14 10l2-2"/>',
    "resign": '<path d="M6 21V4M6 4h11l-2 4 2 4H6"/>',
    "study": '<path d="M12 6C9 4 6 4 3 5v13c3-1 6-1 9 1 3-2 6-2 9-1V5c-3-1-6-1-9 1z'
    'M12 6v13"/>',
}
_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" '
    'stroke="{colour}" stroke-width="1.8" stroke-linecap="round" '
    'stroke-linejoin="round">{body}</svg>'
)
_APP = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect x="2" y="2" '
    'width="60" height="60" rx="12" fill="#deb066"/><path d="M12 20h40M12 32h40M12 '
    '44h40M20 12v40M32 12v40M44 12v40" stroke="#5a3c14" stroke-width="2"/>'
    '<circle cx="20" cy="44" r="9" fill="#1d1d20"/><circle cx="32" cy="32" r="9" '
    'fill="#1d1d20"/><circle cx="44" cy="20" r="9" fill="#f4f1ec" stroke="#8f8a80"/>'
    "</svg>"
)


class _Drawing(QIconEngine):
    """Icon that draws an SVG at the requested size."""

    def __init__(self, texts: dict[tuple[QIcon.Mode, QIcon.State], str]) -> None:
        """Create an icon from a drawing for each mode and state.

        The drawing of the normal mode replaces missing ones.
        """
        super().__init__()
        self._texts = texts

    def paint(
        self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State
    ) -> None:
        """Draw the icon into a rectangle."""
        usual = self._texts[QIcon.Mode.Normal, QIcon.State.Off]
        if mode is not QIcon.Mode.Disabled:
            mode = QIcon.Mode.Normal
        else:
            state = QIcon.State.Off
        text = self._texts.get((mode, state), usual)
        renderer = QSvgRenderer(QByteArray(text.encode()))
        renderer.render(painter, QRectF(rect))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Draw the icon on a transparent pixmap."""
        drawn = QPixmap(size)
        drawn.fill(Qt.GlobalColor.transparent)
        with QPainter(drawn) as painter:
            self.paint(painter, QRect(0, 0, size.width(), size.height()), mode, state)
        return drawn

    def clone(self) -> QIconEngine:
        """Return a copy of the icon."""
        return _Drawing(self._texts)


def icon(name: str, theme: Theme) -> QIcon:
    """Return an icon by its name, in the colours of a theme; pale if disabled."""
    texts = {}
    body = ICONS[name]
    for mode, state, colour in (
        (QIcon.Mode.Normal, QIcon.State.Off, theme.text),
        (QIcon.Mode.Normal, QIcon.State.On, theme.on_accent),
        (QIcon.Mode.Disabled, QIcon.State.Off, theme.disabled or theme.border),
    ):
        filled = body.replace("{fill}", f'fill="{colour}"')
        texts[mode, state] = _SVG.format(colour=colour, body=filled)
    return QIcon(_Drawing(texts))


def app_icon() -> QIcon:
    """Return the icon of the program: three stones on a board."""
    return QIcon(_Drawing({(QIcon.Mode.Normal, QIcon.State.Off): _APP}))
