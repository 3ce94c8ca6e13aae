"""Makes the pictures of the board in docs/images: a script, run by hand.

    QT_QPA_PLATFORM=offscreen python -m tests.gui.screenshots [FOLDER]

The system needs fonts: fonts-dejavu-core, and fonts-noto-cjk for the Chinese one.
"""

import os
import sys
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PIL import Image  # comes with matplotlib
from PySide6.QtWidgets import QApplication

from gomoku_brain.game.notation import parse_moves
from gomoku_brain.gui.app import App
from gomoku_brain.gui.background import finish_all
from gomoku_brain.gui.game_tree import GameTree
from gomoku_brain.gui.seats import Seat
from gomoku_brain.gui.settings import GameChoice
from gomoku_brain.gui.themes import THEMES
from gomoku_brain.study.reader import Game

MOVES = "h8 i9 g9 i7 i8 g8 f7 j10 k11 j8 h10 h9 k9 j9 j7 l9"


def main(folder):
    qt = QApplication([])
    home = Path(os.environ.get("TMPDIR", "/tmp"), f"screenshots-{os.getpid()}")
    app = App(qt, home)

    def wait(seconds):
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            qt.processEvents()
            time.sleep(0.01)

    def shoot(window, name, size):
        window.resize(*size)
        wait(0.3)
        path = folder / f"{name}.png"
        window.grab().save(str(path))
        picture = Image.open(path).convert("RGB").quantize(256, kmeans=4)
        picture.save(path, optimize=True)

    def study(window, moves):
        window.games.show_game(GameTree(Game(moves=tuple(parse_moves(moves)))))

    window = app.start()
    window.set_theme(THEMES["light"])
    window.games.begin(
        GameChoice(black=Seat(), white=Seat("brain", strength=66)),
        Game(moves=tuple(parse_moves(MOVES[: MOVES.index(" k9")]))),
    )
    window.play.set_seat(window.play.tree.turn, Seat())
    window.actions_["numbers"].trigger()
    shoot(window, "gui-play", (1120, 820))

    window.set_theme(THEMES["dark"])
    window.actions_["numbers"].trigger()
    study(window, MOVES)
    window.actions_["review"].trigger()
    wait(8)
    for _ in range(8):
        window.step(-1)
    window.actions_["threats"].trigger()
    window.actions_["heat"].trigger()
    wait(6)
    shoot(window, "gui-study", (1280, 860))
    window.actions_["heat"].trigger()
    window.actions_["threats"].trigger()
    window.actions_["analyze"].trigger()

    app.settings.language = "zh_CN"
    window.language_changed.emit()
    window = app.window
    window.set_theme(THEMES["light"])
    study(window, "h8 i9 i8 j9 j8 k9 l8 h9 g9 h10 k8")
    window.tabs.setCurrentIndex(0)
    shoot(window, "gui-chinese", (900, 600))
    window.close()
    finish_all()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images"))
