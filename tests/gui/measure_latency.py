"""How long the window keeps a person waiting while searches run: a script.

    QT_QPA_PLATFORM=offscreen python -m tests.gui.measure_latency [SECONDS [THREADS]]

The window analyses a position with the heat map, with a thread on every core, judges a
game and has a tournament played, while the mouse moves over the board and clicks step
through the game. Measured is how late each of many timer events comes, and how long
each click takes until the board is painted.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.gui.app import SWITCH_SECONDS, App
from gomoku_brain.gui.background import finish_all
from gomoku_brain.gui.game_tree import GameTree
from gomoku_brain.study.reader import Game

INTERVAL = 0.01  # seconds between two timer events
STEP = 0.5  # seconds between two steps through the game
MOVES = "h8 i9 g9 i7 i8 g8 f7 j10 k11 j8 h10 h9 k9 j9 j7 l9"


def measure(window, qt, seconds):
    """Lateness of timer events and times of steps, in seconds, sorted."""
    late, steps, due = [], [], [time.perf_counter()]

    def tick():
        now = time.perf_counter()
        late.append(max(now - due[0] - INTERVAL, 0.0))
        due[0] = now

    timer = QTimer()
    timer.setInterval(round(INTERVAL * 1000))
    timer.timeout.connect(tick)
    timer.start()
    end = next_step = time.perf_counter()
    end += seconds
    count = 0
    while time.perf_counter() < end:
        qt.processEvents()
        count += 1
        if count % 20 == 0:
            cell = window.board.position_of(Move(count // 20 % 15, 4))
            QTest.mouseMove(window.board, cell.toPoint() + QPoint(1, 1))
        if time.perf_counter() > next_step:
            begun = time.perf_counter()
            window.step(-1 if window.play.tree.ply > 8 else 8)
            window.board.repaint()
            steps.append(time.perf_counter() - begun)
            next_step = begun + STEP
        time.sleep(0.001)
    return sorted(late), sorted(steps)


def share(values, part):
    """The value that so large a part of them does not exceed."""
    return values[min(int(part * len(values)), len(values) - 1)]


def prepared(app):
    """A window with everything that is searched switched on."""
    window = app.start()
    window.games.show_game(GameTree(Game(moves=tuple(parse_moves(MOVES)))))
    for name in ("threats", "heat", "review"):
        window.actions_[name].trigger()
    window.dialogs.show_tournament()
    tournament = window.dialogs.tournament
    for k in range(tournament.engines.count() - 2, tournament.engines.count()):
        tournament.engines.item(k).setCheckState(Qt.CheckState.Checked)
    tournament.seconds.setValue(0.2)
    tournament.start()
    return window


def main(seconds, threads):
    sys.setswitchinterval(SWITCH_SECONDS)
    qt = QApplication([])
    app = App(qt, Path(tempfile.mkdtemp()))
    app.settings.threads = threads
    window = prepared(app)
    cpu = time.process_time()
    late, steps = measure(window, qt, seconds)
    cpu = (time.process_time() - cpu) / seconds
    print(f"{len(late)} events, {threads} threads, {cpu:.2f} cores used")
    for name, values in (("event", late), ("step", steps)):
        row = [f"{part}: {1000 * share(values, part):.1f} ms" for part in (0.5, 0.9)]
        row += [f"0.99: {1000 * share(values, 0.99):.1f} ms"]
        row += [f"worst: {1000 * values[-1]:.1f} ms"]
        print(f"{name:6} {', '.join(row)}")
    window.close()
    finish_all()


if __name__ == "__main__":
    main(
        float(sys.argv[1]) if len(sys.argv) > 1 else 20.0,
        int(sys.argv[2]) if len(sys.argv) > 2 else os.cpu_count(),
    )
