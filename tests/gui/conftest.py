"""The board is tested offscreen; without Qt these tests are skipped, but not in CI."""

import os
import sys
import time
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

MISSING = ""
try:
    import PySide6

    if PySide6.__version_info__ >= (6, 12) and sys.version_info < (3, 12):
        # It loses references to None until the program aborts; see pyproject.toml.
        raise ImportError("PySide6 6.12 is of no use on this Python, 6.11 is")
    from PySide6.QtCore import QEvent, QtMsgType, qInstallMessageHandler
    from PySide6.QtWidgets import QApplication

    from gomoku_brain.control.limits import Limits
    from gomoku_brain.engine import swap2
    from gomoku_brain.gui.base import background
    from gomoku_brain.gui.board import board_painter
    from gomoku_brain.gui.game.autosave import Autosave
    from gomoku_brain.gui.model import search_limits
    from gomoku_brain.gui.model.settings import GameChoice, Settings
    from gomoku_brain.gui.study import analyst
    from gomoku_brain.gui.window.main_window import Window
    from gomoku_brain.records.short_forms import link_of
    from tests.gui.players import EASY, HUMAN
except ImportError as error:
    if os.environ.get("GOMOKU_STRICT"):
        raise
    MISSING = str(error)
    tests = Path(__file__).parent.glob("test_*.py")
    collect_ignore = [path.name for path in tests if path.name != "test_qt.py"]
else:
    from tests.match.conftest import children_left  # noqa: F401

PATIENCE = 60.0  # seconds; the machine may be busy
# What Qt says of the offscreen platform, and of nothing that is wrong.
HARMLESS = ("This plugin does not support", "QFont", "Populating font family")


@pytest.fixture(scope="session")
def qt():
    application = QApplication.instance() or QApplication(["tests"])
    application.setQuitOnLastWindowClosed(False)
    application.setStyle("fusion")
    return application


@pytest.fixture(scope="module", autouse=not MISSING)
def cycles_are_collected_as_in_the_program(qt):
    """By the window's thread; see gui/base/background."""
    collector = background.CycleCollector()
    yield
    collector.stop()


@pytest.fixture
def missing():
    """Why Qt cannot be used; "" when it can."""
    return MISSING


@pytest.fixture(autouse=not MISSING)
def a_board_that_draws_and_searches_little(monkeypatch):
    """The grain of a plank takes 33 ms; a hint and swap2's stones take a second, the
    check of an answer a quarter of one, the review of a game that has ended some, and
    moves in puzzles and proofs up to two.
    """
    monkeypatch.setattr(board_painter, "GRAIN_LINES", 5)
    monkeypatch.setattr(swap2, "FIRST_NODES", 50)
    monkeypatch.setattr(search_limits, "HINT", Limits(nodes=5000))
    monkeypatch.setattr(search_limits, "THREAT", Limits(nodes=5000))
    monkeypatch.setattr(search_limits, "REVIEW", Limits(nodes=300))
    monkeypatch.setattr(search_limits, "ANSWER", Limits(nodes=10_000))
    monkeypatch.setattr(search_limits, "PUZZLE_SECONDS", 0.3)
    monkeypatch.setattr(search_limits, "PROOF_SECONDS", 0.3)


@pytest.fixture(autouse=not MISSING)
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
    qt.setStyleSheet("")  # with one, a window takes half as long again to create
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


@pytest.fixture(scope="session")
def reviews():
    """The reviews of all tests by their games."""
    return {}


@pytest.fixture
def quick_review(reviews, monkeypatch):
    """Reviews with short searches; each game is reviewed by the first test with it."""
    real = analyst.review

    def review(engine, game, limits, *, on_progress, stop):
        key = link_of(game)
        if key not in reviews:
            found = real(engine, game, limits, on_progress=on_progress, stop=stop)
            if stop():
                return found
            reviews[key] = found
        return reviews[key]

    monkeypatch.setattr(search_limits, "REVIEW", Limits(nodes=3000))
    monkeypatch.setattr(analyst, "review", review)


@pytest.fixture
def window(qt, settings, tmp_path):
    """A window whose games are kept in an archive of its own."""
    settings.game = GameChoice(black=HUMAN, white=EASY)
    made = Window(settings, None, Autosave(tmp_path / "games.db"))
    made.archive_controller.start()
    made.show()
    yield made
    made.study.analyst.rest()
    made.play.close()
    made.archive_controller.autosave.close()
