"""A changed setting acts on the whole window at once, as after a restart."""

import shutil
from dataclasses import fields
from functools import partial

import pytest
from PySide6.QtCore import QModelIndex, QRectF, Qt
from PySide6.QtGui import QAction, QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QScrollBar,
    QTabWidget,
    QTreeView,
    QWidget,
)

from gomoku_brain.game.notation import Move
from gomoku_brain.gui.base import background
from gomoku_brain.gui.base.themes import THEMES
from gomoku_brain.gui.board.board_painter import Geometry, draw_background
from gomoku_brain.gui.dialogs.settings_dialog import SettingsDialog
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.gui.model.settings import GameChoice, Settings
from gomoku_brain.gui.window.app import App
from gomoku_brain.records.game import Game
from tests.gui.clicks import act
from tests.gui.players import EASY, HUMAN

BLUNDER = Game(rule="renju", moves="h8 a1 i8 a3 j8 a5 b7 a7")
TEXTS = ("text", "windowTitle", "accessibleName", "toolTip", "plainText")
HELD = {  # what acts at another time, or is no look
    *("game", "programs", "folder", "geometry", "splitter", "tab"),
    *("heat", "analyst"),  # of the running analysis, which ends with the window
}


def choose(monkeypatch, name, value, window):
    """Change a setting in the dialog of settings."""

    def fill(dialog):
        box = getattr(dialog, name)
        if name == "name":
            box.setText(value)
        elif name in ("threads", "memory"):
            box.setValue(value)
        else:
            box.setCurrentIndex(box.findData(value))
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(SettingsDialog, "exec", fill)
    window.dialogs.show_settings()


def changes(monkeypatch):
    """(setting, change of the window) by the actions and dialogs of the window."""
    for size in ("larger", "larger", "smaller"):
        yield "zoom", lambda window, size=size: act(window, size)
    for name in (
        *("threats", "numbers", "coordinates", "forbidden", "rows_from_bottom"),
        *("evaluation", "labels", "sound", "evaluation_in_play", "warnings"),
    ):
        yield name, lambda window, name=name: act(window, name)
    yield "coordinates", lambda window: act(window, "coordinates")
    yield "lines", lambda window: window.panel.count.setValue(5)
    for setting, name, value in (
        *(("theme", "theme", name) for name in ("dark", "contrast")),
        ("name", "name", "Ann"),
        ("wins_in_plies", "unit", "plies"),
        ("puzzle_rule", "puzzles", "renju"),
        ("threads", "threads", 2),
        ("hash_mb", "memory", 8),
        ("language", "language", "zh_CN"),
    ):
        yield setting, partial(choose, monkeypatch, name, value)


def cells(view, parent=None):
    """Yield text and icon of each cell of a list."""
    model, parent = view.model(), QModelIndex() if parent is None else parent
    for row in range(model.rowCount(parent)):
        for column in range(model.columnCount(parent)):
            index = model.index(row, column, parent)
            icon = model.data(index, Qt.ItemDataRole.DecorationRole)
            yield model.data(index), icon and icon.pixmap(16).toImage()
        yield from cells(view, model.index(row, 0, parent))


def looks(window, until):
    """Return the texts, fonts and places of all parts of a window, and its picture."""
    window.statusBar().clearMessage()
    window.bar.show_message("")  # a restart says that the game was restored
    window.bar.clear()
    QTest.qWait(30)
    until(lambda: not background._running)
    found = {}
    for number, part in enumerate([window, *window.findChildren(QWidget)]):
        name = f"{number} {type(part).__name__} {part.objectName()}"
        found[name] = row = [part.property(text) for text in TEXTS]
        if part.isVisible():
            row.append((part.mapTo(window, part.rect().topLeft()), part.size()))
        if not (part.objectName().startswith("qt_") or isinstance(part, QScrollBar)):
            row.append(part.font().toString())
        if isinstance(part, QTabWidget):
            row += [part.tabText(k) for k in range(part.count())]
        if isinstance(part, QAbstractItemView) and part.model() is not None:
            row += cells(part)
        if isinstance(part, QTreeView) and part.isVisible():
            header = part.header()
            row += [header.sectionSize(k) for k in range(header.count())]
    for action in window.findChildren(QAction):
        row = (action.text(), action.isChecked(), action.isEnabled())
        found.setdefault("actions", []).append(row)
    found["board"] = window.board.grab().toImage()
    found["picture"] = window.grab().toImage()
    return found


def close(qt, app):
    app.window.close()
    app.window.deleteLater()
    app.set_language("en")
    qt.sendPostedEvents(None, 0)
    qt.setStyleSheet("")  # as a new process begins


def show_study(window, until):
    window.games.show_game(GameTree(BLUNDER.copy()))
    act(window, "review")
    until(lambda: window.panel.review.list.topLevelItemCount() > 0)
    window.play.look_at(window.play.tree.at_ply(6))


def show_game(window, until):
    window.games.start(GameChoice(black=HUMAN, white=EASY))
    window.play.place(Move(2, 5))
    until(lambda: window.play.tree.ply == 2)


@pytest.mark.slow("starts the board after every change", ci=True)
@pytest.mark.parametrize("show", [show_study, show_game])
def test_every_setting_acts_at_once_as_after_a_restart(
    qt, tmp_path, until, quick_review, monkeypatch, show
):
    home, copy = tmp_path / "home", tmp_path / "copy"
    app = App(qt, home)
    show(app.start(), until)
    app.window.tabs.setCurrentWidget(app.window.moves)
    close(qt, app)
    app = App(qt, home)
    app.start()
    names = set()
    for name, change in changes(monkeypatch):
        before = getattr(app.settings, name)
        change(app.window)
        QTest.qWait(10)  # a window in another language is created later
        assert getattr(app.settings, name) != before
        now = looks(app.window, until)
        app.window.remember()
        shutil.copytree(home, copy, ignore=shutil.ignore_patterns("*.lock"))
        other = App(qt, copy)
        other.start()
        later = looks(other.window, until)
        close(qt, other)
        shutil.rmtree(copy)
        app.window.set_theme(app.window.presenter.theme)  # not that of ``other``
        wrong = [part for part in {**now, **later} if now.get(part) != later.get(part)]
        assert not wrong, name
        names.add(name)
    assert names | HELD == {field.name for field in fields(Settings)}
    close(qt, app)


def test_threads_and_memory_reach_the_analysis_at_once_and_the_next_game(
    window, monkeypatch
):
    choose(monkeypatch, "threads", 2, window)
    choose(monkeypatch, "memory", 8, window)
    assert (window.play.config.threads, window.play.config.hash_mb) == (1, 4)
    window.games.start(window.settings.game)
    assert (window.play.config.threads, window.play.config.hash_mb) == (2, 8)


def height_of_coordinates(size):
    """Return the height in pixels of the 8 beside a board of 400 pixels."""
    image = QImage(400, 400, QImage.Format.Format_RGB32)
    geometry = Geometry(15, 15, QRectF(0, 0, 400, 400), size)
    theme = THEMES["contrast"]  # without a grain
    with QPainter(image) as painter:
        draw_background(painter, geometry, theme)
    left, right = geometry.frame.left() + 3, geometry.point((0, 7)).x() - 3
    middle = geometry.point((0, 7)).y()
    wood = QColor(theme.wood[0])
    rows = [
        y
        for y in range(round(middle - geometry.cell / 2), round(middle) + 12)
        if any(image.pixelColor(x, y) != wood for x in range(round(left), round(right)))
    ]
    return len(rows)


def test_coordinates_grow_with_the_texts():
    usual = height_of_coordinates(1)
    assert usual >= 5
    assert height_of_coordinates(2) > 1.7 * usual
