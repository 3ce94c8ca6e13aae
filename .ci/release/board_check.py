"""Try the board of this program: ``gomoku-board --self-check FILE``.

A window appears, plays and closes by itself: a move against the brain, a game from a
file, an analysis, an animation, two games of the brain as a program of its own, the
other languages. Its settings and games are in a folder that is deleted. FILE receives
a line for each step, with its seconds; a step that fails ends the check with status 1.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from gomoku_brain.game.notation import Move
from gomoku_brain.game.package_data import read_data
from gomoku_brain.gui.base.background import CycleCollector
from gomoku_brain.gui.base.languages import available
from gomoku_brain.gui.model.game_players import PlayerConfig
from gomoku_brain.gui.model.settings import GameChoice
from gomoku_brain.gui.tournament.tournament_run import TournamentPlan, TournamentRun
from gomoku_brain.gui.window.app import App
from gomoku_brain.gui.window.main_window import Window
from gomoku_brain.study.puzzles import exercises

PATIENCE = 120.0  # seconds; the machine may be busy
GAME = "(;GM[4]SZ[15];B[hh];W[aa];B[ih];W[ac];B[jh];W[ae])"  # black wins
STONES = 6


class Check:
    """The steps of the check, with an open window."""

    def __init__(self, application: QApplication, folder: Path, report: Path) -> None:
        """Create the application in an empty folder."""
        self.report = report
        report.write_text("")
        self.application, self.folder = application, folder
        self.app = App(application, folder)
        self.answers = QTimer()
        self.answers.setInterval(200)
        self.answers.timeout.connect(self.answer_question)
        self.answers.start()

    def answer_question(self) -> None:
        """Press "yes" of a question; any other question ends as by Escape."""
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox):
            self.note(f"     {box.text()}")
            button = box.findChild(QPushButton, "yes")
            if button is None:
                box.reject()
            else:
                button.click()

    def until(self, holds: Callable[[], object]) -> None:
        """Let the window work until something holds."""
        end = time.perf_counter() + PATIENCE
        while not holds():
            if time.perf_counter() > end:
                raise TimeoutError(f"not after {PATIENCE:g} s")
            self.application.processEvents()
            time.sleep(0.002)

    def note(self, line: str) -> None:
        """Add a line to the report."""
        with self.report.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    @property
    def window(self) -> Window:
        """The open window."""
        window = self.app.window
        assert window is not None
        return window

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Record a step."""
        begin = time.perf_counter()
        try:
            yield
        except BaseException as error:
            self.note(f"FAIL {name}: {error!r}")
            raise
        self.note(f"ok   {name}: {time.perf_counter() - begin:.2f} s")

    def click(self, move: Move) -> None:
        """Click a point of the board, as a mouse does."""
        board = self.window.board
        place = QPointF(board.position_of(move).toPoint())
        for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
            event = QMouseEvent(
                kind,
                place,
                board.mapToGlobal(place),
                Qt.MouseButton.LeftButton,
                Qt.MouseButton.LeftButton,
                Qt.KeyboardModifier.NoModifier,
            )
            self.application.sendEvent(board, event)

    def run(self) -> None:
        """Do all steps."""
        with self.step("other programs find their own libraries"):
            self.search_of_libraries()
        with self.step("window"):
            self.app.start()
            self.until(lambda: self.window.isVisible())
            assert not self.window.grab().isNull()
        with self.step("open a file"):
            file = self.folder / "game.sgf"
            file.write_text(GAME, encoding="ascii")
            assert self.window.files.open_file(file)
            assert len(self.window.play.tree.line()) == STONES
        with self.step("analyse"):
            action = self.window.actions_["analyze"]
            action.trigger()
            self.until(lambda: self.window.panel.table.topLevelItemCount() > 0)
            action.trigger()
        with self.step("find a forced win"):
            self.window.actions_["solve"].trigger()
            self.until(lambda: self.window.scene().line)
        for ending in ("png", "svg", "gif"):
            with self.step(f"save a picture, {ending}"):
                picture = self.folder / f"game.{ending}"
                assert self.window.files.save_picture_file(picture)
                self.until(lambda file=picture: file.exists() and file.stat().st_size)
        with self.step("a move against the brain"):
            self.window.games.start(GameChoice())
            self.click(Move(7, 7))
            tree = self.window.play.tree
            self.until(lambda: tree.ply == 2)
        with self.step("puzzles and proofs"):
            assert len(exercises()) >= 400
            assert read_data("proof-freestyle15.bin")
        with self.step("a tournament"):
            self.tournament()
        for language in available():
            with self.step(f"language {language}"):
                self.app.settings.language = language
                self.window.language_changed.emit()
                self.application.processEvents()
                assert self.window.isVisible()
                self.note(f"     {self.window.menuBar().actions()[0].text()}")
        with self.step("close"):
            self.window.close()
            self.application.processEvents()
            self.app.finish()

    def search_of_libraries(self) -> None:
        """Check that what is started from here does not find our libraries."""
        ours = getattr(sys, "_MEIPASS", None)
        if ours is None:
            return  # it runs in Python
        assert ours not in os.environ.get("LD_LIBRARY_PATH", "")
        if sys.platform == "win32":
            import ctypes

            assert ctypes.windll.kernel32.GetDllDirectoryW(0, None) <= 1

    def tournament(self) -> None:
        """Let two levels of the brain play a pair of games, each in a process."""
        easy, hard = (PlayerConfig("brain", strength=n) for n in (20, 60))
        plan = TournamentPlan(engines=(("easy", easy), ("hard", hard)))
        plan = replace(plan, seconds=3.0, pairs=1)
        games = TournamentRun(plan, self.folder / "tournament-1.jsonl")
        failed: list[str] = []
        ended: list[object] = []
        games.failed.connect(failed.append)
        games.stopped.connect(lambda: ended.append(True))
        games.start()
        self.until(lambda: ended)
        if failed:
            raise RuntimeError(failed[0])
        results = [record.result for record in games.match.games.records]
        reasons = [record.reason for record in games.match.games.records]
        assert len(results) == 2, results
        assert set(reasons) <= {"five", "full board"}, reasons
        assert len(games.match.standings.ratings()) == 2


def main(report: Path) -> int:
    """Do the check and write the report; the exit status."""
    application = QApplication(sys.argv[:1])
    collector = CycleCollector(application)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        check = Check(application, Path(folder), report)
        try:
            check.run()
        except Exception:
            return 1
        else:
            check.note(f"passed on {application.platformName()}")
            return 0
        finally:
            collector.stop()
