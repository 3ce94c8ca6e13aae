"""The board is tested offscreen; without Qt these tests are skipped, but not in CI."""

import os
import sys
import time

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

try:
    from PySide6.QtCore import QEvent, QtMsgType, qInstallMessageHandler
    from PySide6.QtWidgets import QApplication
except ImportError as error:
    if os.environ.get("GOMOKU_STRICT"):
        raise
    pytest.skip(f"Qt is not there: {error}", allow_module_level=True)

from gomoku_brain.gui import background
from gomoku_brain.gui.settings import Settings
from tests.match.conftest import no_child_left  # noqa: F401

PATIENCE = 60.0  # seconds; the machine may be busy
# What Qt says of the offscreen platform, and of nothing that is wrong.
HARMLESS = ("This plugin does not support", "QFont::", "Populating font family")


@pytest.fixture(scope="session")
def qt():
    application = QApplication.instance() or QApplication(["tests"])
    application.setQuitOnLastWindowClosed(False)
    application.setStyle("fusion")
    return application


@pytest.fixture(autouse=True)
def nothing_goes_wrong_unseen(qt, monkeypatch):
    """Errors in slots and Qt's warnings fail the test, instead of being printed."""
    wrong = []
    monkeypatch.setattr(sys, "excepthook", lambda *error: wrong.append(error))

    def note(kind, context, text):
        if kind is not QtMsgType.QtDebugMsg and not text.startswith(HARMLESS):
            wrong.append(text)

    old = qInstallMessageHandler(note)
    yield
    background.finish_all()
    qt.processEvents()
    for window in qt.topLevelWidgets():
        window.hide()
        window.deleteLater()
    qt.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qInstallMessageHandler(old)
    assert not wrong


@pytest.fixture
def until(qt):
    """Let the window work until something holds."""

    def wait(holds, seconds=PATIENCE):
        end = time.perf_counter() + seconds
        while not holds():
            assert time.perf_counter() < end, "it did not come about"
            qt.processEvents()
            time.sleep(0.002)

    return wait


@pytest.fixture
def settings():
    made = Settings()
    made.hash_mb = 4
    return made
