"""The board's data needs no Qt."""

import subprocess
import sys
from pathlib import Path

from gomoku_brain.gui import model

FOLDER = Path(model.__file__).parent


def test_the_model_imports_no_qt():
    names = sorted(path.stem for path in FOLDER.glob("[a-z]*.py"))
    assert "game_tree" in names
    program = f"""
import importlib, sys
sys.modules["PySide6"] = None  # an import of it fails
for name in {names!r}:
    importlib.import_module("gomoku_brain.gui.model." + name)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=FOLDER.parents[2],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
