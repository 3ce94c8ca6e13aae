"""A real crash: the process is killed in the middle of a game."""

import os
import subprocess
import sys
from pathlib import Path

from gomoku_brain.gui.app import App

PLAY_AND_DIE = """
import os, sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from gomoku_brain.game.notation import Move
from gomoku_brain.gui.app import App
from gomoku_brain.gui.settings import GameChoice
from gomoku_brain.gui.seats import Seat

qt = QApplication([])
app = App(qt, Path(sys.argv[1]))
window = app.start()
window.begin(GameChoice(black=Seat(), white=Seat()))
for x in range(3):
    window.play.place(Move(x, 2 * x))
while not app.autosave.path.exists() or app.autosave._game or app.autosave._task:
    qt.processEvents()
os.abort() if sys.platform == "win32" else os.kill(os.getpid(), 9)
"""


def test_the_game_is_there_again_after_the_process_was_killed(qt, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PLAY_AND_DIE, tmp_path],
        cwd=Path(__file__).parents[2],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        timeout=100,
    )
    assert done.returncode != 0
    app = App(qt, tmp_path)
    window = app.start()
    assert window.play.tree.game().moves == ((0, 0), (1, 2), (2, 4))
    assert "interrupted" in window.bar.text.text()
    window.play.study(window.play.tree)
    app.finish()
    again = App(qt, tmp_path)
    assert again.autosave.left_behind() is None
    again.autosave.forget()
