"""The user's folder is the place that Qt names, and needs no Qt."""

from pathlib import Path

import pytest

from gomoku_brain.runs.user_folder import user_folder


def test_the_variable_names_the_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("GOMOKU_BOARD_HOME", str(tmp_path))
    assert user_folder() == tmp_path


@pytest.mark.parametrize("config", ["", "relative", "/absolute"])
def test_the_usual_folder_is_that_of_qt(monkeypatch, config):
    core = pytest.importorskip("PySide6.QtCore")
    monkeypatch.delenv("GOMOKU_BOARD_HOME", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", config)
    place = core.QStandardPaths.StandardLocation.GenericConfigLocation
    usual = Path(core.QStandardPaths.writableLocation(place))
    assert user_folder() == usual / "gomoku-brain"


def test_an_unknown_home_is_an_error_of_the_system(monkeypatch):
    def unknown():
        raise RuntimeError("Could not determine home directory.")

    for name in ("GOMOKU_BOARD_HOME", "XDG_CONFIG_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", unknown)
    with pytest.raises(OSError, match="home directory"):
        user_folder()
