"""Languages of the window: English in the source, other languages in files.

``gui/NAME.ts`` contains the texts of a language, ``data/gui_NAME.qm`` their compiled
form. The window offers each language with a compiled file. ``gui/qt_NAME.ts`` contains
texts that Qt's own translation lacks.
"""

from importlib import resources

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from gomoku_brain.game.package_data import read_data

__all__ = ["Languages", "available"]

ENGLISH = "en"


def available() -> dict[str, str]:
    """Return the native name of each language, English first."""
    found = {ENGLISH: "English"}
    data = resources.files("gomoku_brain") / "data"
    names = [entry.name for entry in data.iterdir()]
    for name in sorted(names):
        if name.startswith("gui_") and name.endswith(".qm"):
            key = name.removeprefix("gui_").removesuffix(".qm")
            found[key] = QLocale(key).nativeLanguageName() or key
    return found


def chosen(name: str) -> str:
    """Return the language of a setting.

    For "system" and unknown languages this is the language of the desktop if it is
    available, else English.
    """
    known = available()
    if name in known:
        return name
    locale = QLocale.system()
    for key in known:
        if QLocale(key).language() is locale.language():
            return key
    return ENGLISH


class Languages:
    """Translators of the current language, for our texts and Qt's texts."""

    def __init__(self, application: QApplication) -> None:
        """Start with English."""
        self._application = application
        self._installed: list[QTranslator] = []
        self._texts: list[bytes] = []  # Qt does not copy them

    def use(self, name: str) -> None:
        """Switch to a language by its name, or to "system"."""
        for translator in self._installed:
            self._application.removeTranslator(translator)
        self._installed = []
        key = chosen(name)
        if key == ENGLISH:
            return
        qt = QTranslator(self._application)
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if qt.load(f"qtbase_{key}", folder):
            self._install(qt)
        self._texts = [read_data(f"gui_{key}.qm")]
        if (resources.files("gomoku_brain") / "data" / f"qt_{key}.qm").is_file():
            self._texts.append(read_data(f"qt_{key}.qm"))
        for texts in self._texts:
            ours = QTranslator(self._application)
            if ours.load(texts):
                self._install(ours)

    def _install(self, translator: QTranslator) -> None:
        self._application.installTranslator(translator)
        self._installed.append(translator)
