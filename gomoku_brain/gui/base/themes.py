"""Themes of the board and the window, as sets of colours.

In every theme, black and white stones differ in lightness and rim, and no information
depends on a hue alone: marks differ in form, values are numbers. The colour-blind safe
theme uses the palette of Okabe and Ito.
"""

from dataclasses import dataclass, replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

__all__ = [
    "HEAT",
    "THEMES",
    "Theme",
    "fixed_font",
    "heat_colour",
    "palette",
    "set_zoom",
    "style",
    "theme_named",
]


@dataclass(frozen=True)
class Theme:
    """Colours of a theme, each "#rrggbb"."""

    name: str
    window: str
    panel: str
    """Background of lists and cards."""
    text: str
    muted: str
    """Secondary texts."""
    border: str
    accent: str
    """Selections, and the side to move."""
    on_accent: str
    wood: tuple[str, str]
    """The board: upper left and lower right colour of a gradient."""
    grain: str
    grain_strength: float
    """Strength of the wood grain; 0 = a plain board."""
    line: str
    label: str
    """Coordinates."""
    black: tuple[str, str, str]
    """A black stone: highlight, body and rim."""
    white: tuple[str, str, str]
    mark: str
    """Mark of the last move."""
    win: str
    """The winning line."""
    hint: str
    forbidden: str
    threats: tuple[str, str]
    """Marks of black's and white's threats."""
    shadow: float = 0.35
    """Darkness of the stones' shadows, 0 to 1."""
    line_width: float = 1.0
    """Relative width of the grid lines."""
    disabled: str = ""
    """Disabled icons; "" = the colour of the border."""


LIGHT = Theme(
    name="light",
    window="#f4efe6",
    panel="#fffdf9",
    text="#2b2520",
    muted="#72675c",
    border="#d9cfc0",
    accent="#a8612a",
    on_accent="#ffffff",
    wood=("#ecc786", "#d9a75c"),
    grain="#8a5a22",
    grain_strength=1.0,
    line="#4f3512",
    label="#5f431b",
    black=("#6a6a6e", "#1d1d20", "#000000"),
    white=("#ffffff", "#e9e6e0", "#8f8a80"),
    mark="#d9481c",
    win="#d9281c",
    hint="#1b7f5c",
    forbidden="#c22727",
    threats=("#b3261e", "#1f5fae"),
)
DARK = replace(
    LIGHT,
    name="dark",
    window="#202225",
    panel="#292c30",
    text="#e8e4dc",
    muted="#a09a90",
    border="#3d4147",
    accent="#d9924e",
    on_accent="#1a1510",
    wood=("#a87f4a", "#815c30"),
    grain="#3a250d",
    line="#22160a",
    label="#2c1c0b",
    white=("#fbfaf7", "#d6d2ca", "#55504a"),
    mark="#ff8a3c",
    win="#ff4b3a",
    hint="#3fe0a8",
    forbidden="#d21f1f",
    threats=("#8c140d", "#123f80"),
    shadow=0.5,
)
CONTRAST = Theme(
    name="contrast",
    window="#000000",
    panel="#000000",
    text="#ffffff",
    muted="#e6e6e6",
    border="#ffffff",
    accent="#ffe600",
    on_accent="#000000",
    wood=("#f7d774", "#f7d774"),
    grain="#000000",
    grain_strength=0.0,
    line="#000000",
    label="#000000",
    black=("#000000", "#000000", "#000000"),
    white=("#ffffff", "#ffffff", "#000000"),
    mark="#e00000",
    win="#e00000",
    hint="#0000d0",
    forbidden="#c00000",
    threats=("#a00000", "#0000b0"),
    shadow=0.0,
    line_width=1.6,
    disabled="#6a6a6a",
)
COLOUR_BLIND = replace(
    LIGHT,
    name="colour-blind",
    window="#f2f2f0",
    panel="#ffffff",
    text="#1c1c1c",
    muted="#5c5c5c",
    border="#cccccc",
    accent="#0072b2",
    wood=("#e6d3a8", "#d3bc88"),
    grain="#7d6a40",
    grain_strength=0.6,
    line="#3d3523",
    label="#3d3523",
    mark="#d55e00",
    win="#d55e00",
    hint="#0072b2",
    forbidden="#000000",
    threats=("#d55e00", "#0072b2"),
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK, CONTRAST, COLOUR_BLIND)}

DARK_WINDOW = 0.3  # lightness of a dark window, from 0 to 1
HEAT = (  # the viridis palette, which is readable for all eyes
    "#440154 #482878 #3e4989 #31688e #26828e #1f9e89 #35b779 #6ece58 #b5de2b #fde725"
).split()


def theme_named(name: str) -> Theme:
    """Return the theme with a name.

    For "system" and unknown names, return the light or dark theme, as on the desktop.
    """
    if name in THEMES:
        return THEMES[name]
    scheme = QGuiApplication.styleHints().colorScheme()
    return DARK if scheme is Qt.ColorScheme.Dark else LIGHT


def set_zoom(percent: int) -> None:
    """Set the size of all texts, in percent of the desktop's size."""
    application = QGuiApplication.instance()
    assert isinstance(application, QApplication)
    usual = application.property("usual size")
    if usual is None:
        usual = application.font().pointSizeF()
        application.setProperty("usual size", usual)
    font = application.font()
    if abs(font.pointSizeF() - usual * percent / 100) > 0.01:
        font.setPointSizeF(usual * percent / 100)
        application.setFont(font)


def fixed_font(scale: float = 1.0) -> QFont:
    """Return a font with letters of one width, relative to the size of all texts."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(QGuiApplication.font().pointSizeF() * scale)
    return font


def heat_colour(share: float) -> QColor:
    """Return the colour of a value from 0 (worst) to 1 (best)."""
    place = min(max(share, 0.0), 1.0) * (len(HEAT) - 1)
    low = min(int(place), len(HEAT) - 2)
    first, second, part = QColor(HEAT[low]), QColor(HEAT[low + 1]), place - low
    return QColor(
        *(
            round(a + (b - a) * part)
            for a, b in (
                (first.red(), second.red()),
                (first.green(), second.green()),
                (first.blue(), second.blue()),
            )
        )
    )


def palette(theme: Theme) -> QPalette:
    """Return the palette of all widgets."""
    made = QPalette()
    role = QPalette.ColorRole
    for roles, colour in (
        ((role.Window, role.Button, role.AlternateBase), theme.window),
        ((role.Base, role.ToolTipBase), theme.panel),
        (
            (role.WindowText, role.Text, role.ButtonText, role.ToolTipText),
            theme.text,
        ),
        ((role.PlaceholderText,), theme.muted),
        ((role.Highlight, role.Link, role.Accent), theme.accent),
        ((role.HighlightedText,), theme.on_accent),
        ((role.Mid, role.Dark), theme.border),
    ):
        for one in roles:
            made.setColor(one, QColor(colour))
    for one in (role.WindowText, role.Text, role.ButtonText):
        grey = QColor(theme.muted)
        grey.setAlpha(150)
        made.setColor(QPalette.ColorGroup.Disabled, one, grey)
    return made


def style(theme: Theme) -> str:
    """Return a style sheet for the properties that a palette cannot set."""
    plain = ""
    if theme is CONTRAST:  # the usual frames are too pale
        plain = f"""
        QPushButton {{ border: 1px solid {theme.border}; padding: 5px 12px; }}
        QPushButton:default, QPushButton:focus {{ border: 2px solid {theme.accent}; }}
        QToolButton:hover:enabled:!checked {{ background: {theme.panel};
            border: 1px solid {theme.accent}; }}
        QPushButton:hover {{ background: {theme.accent}; color: {theme.on_accent}; }}
        QLineEdit, QComboBox, QGroupBox, QProgressBar, QListView, QTableView,
        QTreeView, QPlainTextEdit, QTextBrowser {{
            border: 1px solid {theme.border}; }}
        QLineEdit, QComboBox {{ padding: 2px 4px; }}
        QAbstractSpinBox {{ background-color: #3a3a3a; }}
        QGroupBox {{ margin-top: 1.4em; }}
        QGroupBox::title {{ subcontrol-origin: margin; }}
        QLineEdit:focus, QComboBox:focus, QListView:focus, QTableView:focus,
        QTreeView:focus, QCheckBox:focus {{ border: 2px solid {theme.accent}; }}
        """
    if (
        QColor(theme.window).lightnessF() < DARK_WINDOW
    ):  # where the usual box is not seen
        plain += f"""
        QCheckBox::indicator, QListView::indicator {{ width: 11px; height: 11px;
            border: 1px solid {theme.muted}; border-radius: 2px; }}
        QCheckBox::indicator:checked, QListView::indicator:checked {{
            background: {theme.accent}; }}
        """
    size = QGuiApplication.font().pointSizeF()
    return f"""/* {size} pt: Qt takes a new font over only with a new sheet. */
    QToolBar {{ border: none; padding: 4px; spacing: 0; background: {theme.window}; }}
    QToolButton {{ padding: 4px 1px; border-radius: 6px; color: {theme.text}; }}
    QToolButton:hover:enabled:!checked {{ background: {theme.border}; }}
    QToolButton:checked {{ background: {theme.accent}; color: {theme.on_accent}; }}
    QToolButton#qt_toolbar_ext_button {{ background: {theme.white[1]}; padding: 0; }}
    QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
    QStatusBar {{ border-top: 1px solid {theme.border}; }}
    QStatusBar QLabel {{ padding: 2px 8px; }}
    QStatusBar::item {{ border: none; }}
    QFrame#card {{ background: {theme.panel}; border: 1px solid {theme.border};
        border-radius: 8px; padding: 1px; }}
    QFrame#card[active="true"] {{ border: 2px solid {theme.accent}; padding: 0; }}
    QFrame#bar {{ background: {theme.panel}; border: 1px solid {theme.accent};
        border-radius: 8px; }}
    QFrame#bar QPushButton:checked {{ background: {theme.accent};
        color: {theme.on_accent}; border-radius: 3px; padding: 4px 12px; }}
    QLabel[low="true"] {{ color: #ffffff; background: {theme.forbidden};
        border-radius: 4px; padding: 0 4px; }}
    QLabel#clock {{ font-size: {2 * size}pt; font-weight: bold; }}
    QLabel#muted {{ color: {theme.muted}; }}
    QLabel#title {{ font-size: {1.5 * size}pt; font-weight: bold; }}
    QLabel#head {{ font-size: {1.2 * size}pt; font-weight: bold; }}
    QTabWidget::pane {{ border: 1px solid {theme.border}; border-radius: 6px;
        background: {theme.panel}; }}
    QTabBar::tab {{ padding: 6px 12px; color: {theme.muted}; background: transparent;
        border-bottom: 2px solid transparent; }}
    QTabBar::tab:selected {{ color: {theme.text};
        border-bottom: 2px solid {theme.accent}; }}
    QTabBar::tab:focus {{ color: {theme.accent}; }}
    QPlainTextEdit, QTableView, QTreeView, QTextBrowser, QListView {{
        background: {theme.panel}; border: none; }}
    QTreeView::item {{ padding: 2px 0; }}
    QLineEdit, QComboBox, QAbstractSpinBox {{ min-height: 1.35em; }}
    QHeaderView {{ background: {theme.panel}; }}
    QHeaderView::section {{ background: {theme.panel}; color: {theme.muted};
        border: none; border-bottom: 1px solid {theme.border}; padding: 3px; }}
    {plain}"""
