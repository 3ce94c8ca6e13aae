"""How long the board keeps a person waiting: at its start, with files, in searches.

    QT_QPA_PLATFORM=offscreen python .ci/measure_board.py start [--times N]
    QT_QPA_PLATFORM=offscreen python .ci/measure_board.py events [--seconds S]
    QT_QPA_PLATFORM=offscreen python .ci/measure_board.py files

``start``: from the first line of a new process to the painted window, with an archive
of 10,000 games, one of which comes back on the board. ``events``: the window analyses a
position with the heat map, with a thread on every core, judges a game and has a
tournament played, while the mouse moves over the board and clicks step through the
game; measured is how late each of many timer events comes, and how long each step takes
until the board is painted. ``files``: the same lateness while the window opens a
library of RenLib of 1 MB, goes through it, and writes a game of 120 moves as GIF; also
the seconds of each, and the size of the GIF. Prints one object of JSON, times in
milliseconds.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[1]))  # for the tests' library

MOVES = "h8 i9 g9 i7 i8 g8 f7 j10 k11 j8 h10 h9 k9 j9 j7 l9"
GAMES = 10_000
INTERVAL = 0.01  # seconds between two timer events
STEP = 0.5  # seconds between two steps through the game
LIBRARY = 500_000  # nodes, of two bytes each
LIBRARY_DEPTH = 14  # moves of its lines
GIF_MOVES = 120
AFTERWARDS = 1.0  # seconds that are watched after the library is shown
PARTS = (0.5, 0.9, 0.99)

START = """
import time
begun = time.perf_counter()
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
qt = QApplication([])
from gomoku_brain.gui.window.app import App
app = App(qt, Path(sys.argv[1]))
window = app.start()
qt.processEvents()
window.grab()
shown = time.perf_counter() - begun
assert window.play.tree.node.path_moves(), "a game came back"
print(shown, time.process_time())
app.finish()
"""


def fill(home: Path, games: int = GAMES) -> None:
    """Make an archive of so many games in a folder; the last was on the board."""
    from gomoku_brain.game.notation import Move, parse_moves
    from gomoku_brain.gui.model.archive import Archive
    from gomoku_brain.gui.model.game_players import GameConfig
    from gomoku_brain.gui.model.game_tree import GameTree
    from gomoku_brain.gui.model.saved_game import SavedGame
    from gomoku_brain.records.game import Game

    archive = Archive(home / "games.db")
    for k in range(games):
        tree = GameTree(Game(moves=(Move(k % 15, 14), *parse_moves(MOVES))))
        archive.store(SavedGame(tree, GameConfig()))
    archive.note("open", str(games))
    archive.checkpoint()
    archive.close()


def measure_start(times: int) -> dict[str, object]:
    """Start so often, each time in a process of its own."""
    shown, processor = [], []
    with tempfile.TemporaryDirectory() as home:
        fill(Path(home))
        for _ in range(times):
            done = subprocess.run(
                [sys.executable, "-c", START, home],
                capture_output=True,
                text=True,
                check=True,
            )
            by_clock, used = map(float, done.stdout.split())
            shown.append(round(1000 * by_clock))
            processor.append(round(1000 * used))
    return {"games": GAMES, "painted": shown, "processor": processor}


def switch_on(window):  # noqa: ANN001, ANN201
    """Actions, in their order, after which everything that can be searched is."""
    from PySide6.QtCore import Qt

    from gomoku_brain.gui.model.game_tree import GameTree
    from gomoku_brain.records.game import Game

    def choose() -> None:
        tournament = window.dialogs.tournament
        for k in range(tournament.engines.count() - 2, tournament.engines.count()):
            tournament.engines.item(k).setCheckState(Qt.CheckState.Checked)
        tournament.seconds.setValue(0.2)

    game = Game(moves=MOVES)
    yield lambda: window.games.show_game(GameTree(game))
    for name in ("threats", "heat", "review", "tournament"):
        yield window.actions_[name].trigger
    yield choose
    yield lambda: window.dialogs.tournament.start()


class Lateness:
    """How late the events of a timer come."""

    def __init__(self) -> None:
        """Start the timer."""
        from PySide6.QtCore import QTimer

        self._late: list[float] = []
        self._due = time.perf_counter()
        self._timer = QTimer()
        self._timer.setInterval(round(INTERVAL * 1000))
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self) -> None:
        now = time.perf_counter()
        self._late.append(max(now - self._due - INTERVAL, 0.0))
        self._due = now

    def end(self) -> list[float]:
        """Stop the timer. Return the lateness of its events in seconds, sorted."""
        self._tick()  # a pause before this moment
        self._timer.stop()
        return sorted(self._late)


def watch(window, qt, seconds):  # noqa: ANN001, ANN201
    """Lateness of timer events and times of steps, in seconds, sorted."""
    from PySide6.QtCore import QPoint
    from PySide6.QtTest import QTest

    from gomoku_brain.game.notation import Move

    steps, late = [], Lateness()
    begun = next_step = time.perf_counter()
    for action in switch_on(window):
        action()
        qt.processEvents()
    count = 0
    while time.perf_counter() < begun + seconds:
        qt.processEvents()
        count += 1
        if count % 20 == 0:
            cell = window.board.position_of(Move(count // 20 % 15, 4))
            QTest.mouseMove(window.board, cell.toPoint() + QPoint(1, 1))
        if time.perf_counter() > next_step:
            before = time.perf_counter()
            window.step(-1 if window.play.tree.ply > 8 else 8)
            window.board.repaint()
            steps.append(time.perf_counter() - before)
            next_step = before + STEP
            if not window.study.analyst.busy:
                window.actions_["review"].trigger()
        time.sleep(0.001)
    return late.end(), sorted(steps)


def measure_events(seconds: float, threads: int) -> dict[str, object]:
    """How late events are while everything is searched that can be."""
    from PySide6.QtWidgets import QApplication

    from gomoku_brain.gui.base.background import CycleCollector, finish_all
    from gomoku_brain.gui.window.app import SWITCH_SECONDS, App

    sys.setswitchinterval(SWITCH_SECONDS)
    qt = QApplication([])
    collector = CycleCollector(qt)  # as in the program
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        app = App(qt, Path(home))
        app.settings.threads = threads
        window = app.start()
        lateness(qt, lambda: window.isActiveWindow(), window.activateWindow)
        used = time.process_time()
        late, steps = watch(window, qt, seconds)
        used = time.process_time() - used
        window.close()
        finish_all()
    collector.stop()
    return {
        "threads": threads,
        "cores": round(used / seconds, 2),
        "late": figures(late),
        "step": figures(steps),
    }


def lateness(qt, done, during=lambda: None):  # noqa: ANN001, ANN201
    """Lateness of timer events until something is done, sorted, and the seconds."""
    late, begun = Lateness(), time.perf_counter()
    during()
    while not done():
        qt.processEvents()
        time.sleep(0.001)
    seconds = time.perf_counter() - begun
    return late.end(), round(seconds, 2)


def measure_files() -> dict[str, object]:
    """How late events are while a large library is read and a GIF is written."""
    from PySide6.QtWidgets import QApplication

    from gomoku_brain.game.notation import Move
    from gomoku_brain.gui.base.background import CycleCollector, finish_all
    from gomoku_brain.gui.model.game_tree import GameTree
    from gomoku_brain.gui.window.app import SWITCH_SECONDS, App
    from gomoku_brain.records.game import Game
    from tests.gui.libraries import library

    sys.setswitchinterval(SWITCH_SECONDS)
    qt = QApplication([])
    collector = CycleCollector(qt)  # as in the program
    found: dict[str, object] = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        window = App(qt, Path(home)).start()
        lateness(qt, lambda: window.isActiveWindow(), window.activateWindow)
        lib = Path(home, "large.lib")
        lib.write_bytes(library(LIBRARY, LIBRARY_DEPTH))
        tree = window.play.tree
        settled = [0.0]

        def opened() -> bool:
            if window.play.tree is tree:
                return False
            settled[0] = settled[0] or time.perf_counter()
            return time.perf_counter() > settled[0] + AFTERWARDS

        late, seconds = lateness(qt, opened, lambda: window.files.open_file(lib))
        row = {"bytes": lib.stat().st_size, "seconds": round(seconds - AFTERWARDS, 2)}
        found["library"] = row | {"late": figures(late)}
        steps = []
        for k in range(40):
            before = time.perf_counter()
            window.step(-1 if k < 8 else (1, -1)[k % 2])
            qt.processEvents()
            steps.append(time.perf_counter() - before)
        found["library"] |= {"step": figures(sorted(steps))}
        cells = [Move(k % 15, k // 15) for k in range(225)]
        sides = [[m for m in cells if (m.x // 2 + m.y) % 2 == k] for k in (0, 1)]
        pairs = zip(*sides, strict=False)  # no side has more than two in a row
        moves = tuple(move for pair in pairs for move in pair)[:GIF_MOVES]
        window.games.show_game(GameTree(Game(moves=moves)))
        qt.processEvents()
        gif = Path(home, "game.gif")
        begin = lambda: window.files.save_picture_file(gif)  # noqa: E731
        late, seconds = lateness(qt, gif.exists, begin)
        found["gif"] = {
            "moves": window.play.tree.ply,
            "bytes": gif.stat().st_size,
            "seconds": seconds,
            "late": figures(late),
        }
        window.study.analyst.rest()
        window.close()
        finish_all()
    collector.stop()
    return found


def figures(values: list[float]) -> dict[str, float]:
    """Milliseconds that so large a part of the sorted values does not exceed."""
    last = len(values) - 1
    row = {f"{p:g}": values[min(int(p * len(values)), last)] for p in PARTS}
    row["worst"] = values[-1]
    return {"count": len(values)} | {k: round(1000 * v, 1) for k, v in row.items()}


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("start", "events", "files"))
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    if asked.what == "start":
        found = measure_start(asked.times)
    elif asked.what == "files":
        found = measure_files()
    else:
        found = measure_events(asked.seconds, asked.threads)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
