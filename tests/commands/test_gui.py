"""`gomoku-brain gui`: what it says when it cannot show a window, and that it can."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gomoku_brain.commands import gui

HAS_QT = importlib.util.find_spec("PySide6") is not None


def told(capsys, *arguments):
    with pytest.raises(SystemExit) as end:
        gui.main(list(arguments))
    assert end.value.code == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    return error


def test_without_the_extra_it_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr(gui, "find_spec", lambda name: None)
    assert 'pip install "PySide6-Essentials' in told(capsys)


def test_a_file_that_is_not_there_is_reported(capsys):
    assert "there is no file nothing.psq" in told(capsys, "nothing.psq")


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="they have a screen")
def test_without_a_screen_it_says_so(monkeypatch, capsys):
    monkeypatch.setattr(gui, "find_spec", lambda name: "there")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert "no display" in told(capsys)


def test_libraries_that_lack_are_reported(monkeypatch, capsys):
    monkeypatch.setattr(gui, "find_spec", lambda name: "there")
    monkeypatch.setattr(gui, "has_display", lambda: True)
    monkeypatch.setitem(sys.modules, "gomoku_brain.gui.window.app", None)
    assert "Qt cannot be loaded" in told(capsys)


def test_the_brain_never_loads_qt():
    code = (
        "import sys; from gomoku_brain.__main__ import main; main(['--help']);"
        "import gomoku_brain.protocol.stdio, gomoku_brain.commands.gui;"
        "sys.exit('PySide6' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(gui.__file__).parents[2],
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not HAS_QT, reason="needs the extra gui")
def test_the_window_opens_remembers_and_closes(tmp_path):
    """The real program, in its own process: a window, a stone, an ordinary end."""
    code = """
import sys
from PySide6.QtCore import QTimer
from gomoku_brain.gui.window import app

def start_and_leave(self, file=None, text=""):
    window = start(self, file)
    assert window.isVisible()
    window.play.set_free(True)
    QTimer.singleShot(50, window.close)
    return window

start, app.App.start = app.App.start, start_and_leave
sys.exit(app.run([]))
"""
    variables = os.environ | {
        "QT_QPA_PLATFORM": "offscreen",
        "GOMOKU_BOARD_HOME": str(tmp_path / "home"),
    }
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=Path(gui.__file__).parents[2],
        env=variables,
        capture_output=True,
        text=True,
        timeout=100,
    )
    errors = [
        line
        for line in done.stderr.splitlines()
        if not line.startswith("This plugin does not support")
    ]
    assert done.returncode == 0, errors
    assert not errors
    kept = [path.name for path in (tmp_path / "home").iterdir()]
    assert sorted(kept) == ["games.db", "settings.json"]
