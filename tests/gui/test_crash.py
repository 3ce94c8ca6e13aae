"""A real crash: the process is killed in the middle of a game."""

import json
import os
import subprocess
import sys
from pathlib import Path

from gomoku_brain.game.notation import Move
from gomoku_brain.gui.app import App
from gomoku_brain.gui.seats import Seat
from gomoku_brain.gui.settings import GameChoice

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
window.games.begin(GameChoice(black=Seat(), white=Seat()))
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


def left_by(qt, folder):
    """What a crash leaves."""
    app = App(qt, folder)
    window = app.start()
    window.games.begin(GameChoice(black=Seat(), white=Seat()))
    window.play.place(Move(7, 7))
    app.autosave.flush()
    app.autosave.is_ours = False
    app.autosave._lock.unlock()
    window.play.close()
    return app.autosave.path


def test_a_game_that_was_interrupted_is_not_lost_to_the_file_opened(
    qt, tmp_path, monkeypatch
):
    left_by(qt, tmp_path)
    file = tmp_path / "game.txt"
    file.write_text("h8 i9 j10")
    asked = []
    monkeypatch.setattr(
        "gomoku_brain.gui.game_starter.ask", lambda *words: asked.append(words) or "no"
    )
    app = App(qt, tmp_path)
    window = app.start(file)
    assert len(asked) == 1
    assert window.play.tree.ply == 1
    app.finish()


def test_a_saved_game_with_a_broken_player_is_shown(qt, tmp_path):
    path = left_by(qt, tmp_path)
    row = json.loads(path.read_text())
    row["terms"]["black"]["kind"] = "program"
    path.write_text(json.dumps(row))
    app = App(qt, tmp_path)
    window = app.start()
    assert window.play.free
    assert window.play.tree.ply == 1
    app.finish()
