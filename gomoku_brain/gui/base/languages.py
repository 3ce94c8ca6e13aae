"""The languages of the window: English in the source, each other one in a file.

`gui/NAME.ts` holds the texts, `data/gui_NAME.qm` the same compiled; a language is there
as soon as its compiled file is. What Qt's own translation lacks is in `gui/qt_NAME.ts`.
"""

from importlib import resources

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from gomoku_brain.game.package_data import read_data

__all__ = ["Languages", "available"]

ENGLISH = "en"


def available() -> dict[str, str]:
    """The names of the languages, each with what it calls itself, English first."""
    found = {ENGLISH: "English"}
    data = resources.files("gomoku_brain") / "data"
    names = [entry.name for entry in data.iterdir()]
    for name in sorted(names):
        if name.startswith("gui_") and name.endswith(".qm"):
            key = name.removeprefix("gui_").removesuffix(".qm")
            found[key] = QLocale(key).nativeLanguageName() or key
    return found


def chosen(name: str) -> str:
    """The language of a setting; "system" and unknown ones: that of the desktop, where
    it is there, else English."""
    known = available()
    if name in known:
        return name
    locale = QLocale.system()
    for key in known:
        if QLocale(key).language() is locale.language():
            return key
    return ENGLISH


class Languages:
    """Installs the texts of one language at a time, Qt's own ones with ours."""

    def __init__(self, application: QApplication) -> None:
        """English, until told otherwise."""
        self._application = application
        self._installed: list[QTranslator] = []
        self._texts: list[bytes] = []  # Qt reads them in place

    def use(self, name: str) -> None:
        """Speak a language from now on: its name, or "system"."""
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
