"""Make pictures of the board: those of the documents, or all that are to be looked at.

    python .ci/screenshots.py [--out docs/images]
    python .ci/screenshots.py --all [--only play,lost] [--language zh_CN] --out FOLDER

``--all`` shows each view of the window in three sizes and three themes, a file each,
``play-1280-dark.png``. The system needs fonts: fonts-dejavu-core, and fonts-noto-cjk
for Chinese.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PIL import Image  # comes with matplotlib
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.rules import Rule
from gomoku_brain.gui.archive.archive_dialog import ArchiveDialog
from gomoku_brain.gui.base.background import finish_all
from gomoku_brain.gui.base.themes import THEMES
from gomoku_brain.gui.dialogs.programs_dialog import ProgramsDialog
from gomoku_brain.gui.dialogs.results_dialog import ResultsDialog
from gomoku_brain.gui.dialogs.settings_dialog import SettingsDialog
from gomoku_brain.gui.game.new_game_dialog import NewGameDialog
from gomoku_brain.gui.game.puzzles_dialog import PuzzlesDialog
from gomoku_brain.gui.game.rated_dialog import RatedDialog
from gomoku_brain.gui.model.archive import Archive
from gomoku_brain.gui.model.game_players import GameConfig, PlayerConfig
from gomoku_brain.gui.model.game_tree import Ending, GameTree
from gomoku_brain.gui.model.level_rating import history, store
from gomoku_brain.gui.model.saved_game import SavedGame
from gomoku_brain.gui.model.settings import GameChoice, Program
from gomoku_brain.gui.model.storm import StormResult, best_storms
from gomoku_brain.gui.window.app import App
from gomoku_brain.gui.window.main_window import Window
from gomoku_brain.records.game import Game
from gomoku_brain.records.openings import book
from gomoku_brain.study.puzzles import puzzle_levels

MOVES = "h8 i9 g9 i7 i8 g8 f7 j10 k11 j8 h10 h9 k9 j9 j7 l9"
LOST = "h8 a1 i8 a15 j8 o1"  # white to move: black has an open three made a four soon
FINISHED = "h8 i9 i8 h7 j8 g8 j9 k10 j7 j10 k8 j6"
RENJU = "g8 a1 f8 a15 h9 o1 h10 o15"
SIZES = ((1280, 800), (1920, 1080), (1024, 600))
RATED = (  # levels and scores of the rated games
    *((33, 1), (44, 0), (44, 1), (44, 1), (55, 0), (44, 1), (44, 0.5), (55, 0)),
    *((44, 1), (55, 1), (55, 0), (55, 1), (55, 0.5), (66, 0), (55, 1), (55, 1)),
)
MARKED = {"TR": "h8", "SQ": "i9", "CR": "f9", "MA": "l12", "letter": "k9 j9 e6"}
LOOKS = ("light", "dark", "contrast")


class Studio:
    """A window that is brought into a state and pictured."""

    def __init__(self, home: Path, folder: Path) -> None:
        """Open it over an archive with some games."""
        self.qt = QApplication([])
        self.folder = folder
        self.app = App(self.qt, home)
        self.window: Window = self.app.start()
        archive = self.app.autosave.archive
        assert archive is not None
        for number, opening in enumerate(book(Rule.FREESTYLE, 15, "final")[:40]):
            names = (
                "You",
                "Gomoku Brain, hard",
                "Pela 8",
                "Gomoku Brain, full strength",
            )
            game = Game(
                moves=opening.moves,
                black=names[number % 4],
                white=names[(number // 2 + 1) % 4],
            )
            game.date = f"2026-0{1 + number % 9}-{10 + number % 19}T1{number % 9}:30:00"
            tree = GameTree(game)
            tree.end(Ending(("1-0", "0-1", "1/2-1/2")[number % 3], "resigned"))
            archive.store(SavedGame(tree, GameConfig()))
        self.app.settings.programs = [
            Program("Pela 8", "/opt/gomoku/pbrain-pela", memory=256),
            Program("Embryo", "wine /opt/gomoku/pbrain-embryo.exe", threads=2),
        ]

    def wait(self, seconds: float) -> None:
        """Let the window work."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            self.qt.processEvents()
            time.sleep(0.005)

    def until(self, holds: Callable[[], object], seconds: float = 60.0) -> None:
        """Let the window work until something holds."""
        end = time.perf_counter() + seconds
        while not holds() and time.perf_counter() < end:
            self.wait(0.02)

    def shoot(self, widget: QWidget, name: str) -> None:
        """Picture a widget with few colours, which makes a small file."""
        self.wait(0.15)
        path = self.folder / f"{name}.png"
        widget.grab().save(str(path))
        picture = Image.open(path).convert("RGB").quantize(256, kmeans=4)
        picture.save(path, optimize=True)

    def act(self, *names: str) -> None:
        """Trigger actions."""
        for name in names:
            self.window.actions_[name].trigger()

    def study(self, moves: str, rule: Rule = Rule.FREESTYLE) -> None:
        """Put a game on the study board."""
        game = Game(rule=rule, moves=moves)
        self.window.games.show_game(GameTree(game))

    def play(self, moves: str, rule: str = "freestyle") -> None:
        """Have a person play both sides from here."""
        choice = GameChoice(
            rule=rule, black=PlayerConfig(), white=PlayerConfig("brain", strength=66)
        )
        game = Game(rule=Rule[rule.upper()], moves=moves)
        self.window.games.start(choice, game)
        self.window.play.set_player(self.window.play.tree.turn, PlayerConfig())

    def rest(self) -> None:
        """Back to a plain window."""
        window, settings = self.window, self.app.settings
        for name in ("heat", "threats", "numbers"):
            if getattr(settings, name):
                self.act(name)
        if window.study.on:
            self.act("analyze")
        window.study.stop_review()
        self.study("")  # nothing that would be asked about is left behind
        window.bar.clear()
        window.tabs.setCurrentIndex(0)

    # The views

    def see_start(self) -> QWidget:
        """The first screen, with a game under way."""
        self.play("h8 i9")
        self.act("start_page")
        return self.window

    def see_play(self) -> QWidget:
        """A game in which it is a person's turn."""
        self.act("numbers")
        self.play(MOVES[: MOVES.index(" k9")])
        return self.window

    def see_renju(self) -> QWidget:
        """Points that are forbidden to black."""
        self.play(RENJU, "renju")
        return self.window

    def see_analysis(self) -> QWidget:
        """Best lines, values of all cells and threats."""
        self.study(MOVES[: MOVES.index(" k9")])
        self.act("threats", "heat")
        window = self.window
        self.until(lambda: window.panel.table.topLevelItemCount() and window.study.heat)
        return window

    def see_review(self) -> QWidget:
        """A judged game, at one of its mistakes."""
        self.study(MOVES)
        self.act("review")
        review = self.window.panel.review
        self.until(lambda: review.list.topLevelItemCount() > 0)
        review.list.setCurrentItem(review.list.topLevelItem(0))
        review.list.itemClicked.emit(review.list.topLevelItem(0), 0)
        return self.window

    def see_puzzle(self) -> QWidget:
        """A puzzle of the set."""
        self.act("train")
        return self.window

    def see_lost(self) -> QWidget:
        """A position in which all moves lose, with their values."""
        self.study(LOST.rsplit(" ", 1)[0])
        self.act("heat")
        self.until(lambda: self.window.study.heat)
        return self.window

    def see_finished(self) -> QWidget:
        """The end of a game."""
        self.play(FINISHED)
        self.window.play.place(parse_moves("l8")[0])
        return self.window

    def see_explorer(self) -> QWidget:
        """What was played in a position."""
        window = self.window
        self.study("h8")
        self.window.step(-1)
        window.tabs.setCurrentWidget(window.explorer)
        self.until(lambda: window.explorer.table.topLevelItemCount() > 2, 10)
        return window

    def see_tournament(self) -> QWidget:
        """Two levels against each other."""
        self.act("tournament")
        made = self.window.dialogs.tournament
        assert made is not None
        if made.run is None:
            for k in range(3):
                item = made.engines.item(made.engines.count() - 3 - k)
                item.setCheckState(Qt.CheckState.Checked)
            made.seconds.setValue(0.1)
            made.pairs.setValue(3)
            made.start()
            self.until(lambda: made.games.count() >= 8, 90)
        return made

    def see_archive(self) -> QWidget:
        """All games."""
        archive = self.window.archive_controller.archive()
        assert archive is not None
        return ArchiveDialog(archive, "", self.window.presenter.theme, self.window)

    def see_settings(self) -> QWidget:
        """What can be set."""
        return SettingsDialog(self.app.settings, self.window)

    def see_newgame(self) -> QWidget:
        """What is to be played."""
        settings = self.app.settings
        return NewGameDialog(settings.game, settings.programs, self.window)

    def see_programs(self) -> QWidget:
        """The programs that can take a seat."""
        made = ProgramsDialog(list(self.app.settings.programs), self.window)
        made.list.setCurrentRow(0)
        return made

    def see_noprograms(self) -> QWidget:
        """The hint in an empty list of programs."""
        return ProgramsDialog([], self.window)

    def see_levels(self) -> QWidget:
        """The 20 end games."""
        theme = self.window.presenter.theme
        return PuzzlesDialog(puzzle_levels(), [1, 2, 5], theme, self.window)

    def see_storm(self) -> QWidget:
        """A storm of puzzles."""
        self.act("storm")
        return self.window

    def see_rated(self) -> QWidget:
        """The levels to choose from for a rated game."""
        archive = self.window.archive_controller.archive()
        assert archive is not None
        self._rate(archive)
        return RatedDialog(history(archive), None, self.window)

    def see_results(self) -> QWidget:
        """The rating with its curve."""
        archive = self.window.archive_controller.archive()
        assert archive is not None
        self._rate(archive)
        record, theme = self.window.results.record, self.window.presenter.theme
        storms = best_storms(archive)
        return ResultsDialog(history(archive), record, storms, theme, self.window)

    def _rate(self, archive: Archive) -> None:
        """Store some rated games and storms, once."""
        if history(archive):
            return
        for day, (strength, score) in enumerate(RATED, 1):
            store(archive, f"2026-10-{day:02}T19:30:00.000", strength, score, 0)
        for day, solved in ((12, 14), (20, 17)):
            result = StormResult(solved, date=f"2026-10-{day}T19:45:00")
            archive.note(f"storm:{day}", result.to_text())

    def see_marks(self) -> QWidget:
        """Labels and marks, as they are edited."""
        self.study(MOVES[: MOVES.index(" k9")])
        self.act("marks")
        editor = self.window.marks
        for kind, cells in MARKED.items():
            for cell in parse_moves(cells):
                editor._choose(kind)
                editor.click(cell)
        return self.window

    # Sets of pictures

    def speak(self, language: str) -> None:
        """Change the language, which makes another window."""
        self.app.settings.language = language
        self.window.language_changed.emit()
        assert self.app.window is not None
        self.window = self.app.window

    def everything(self, only: set[str], language: str) -> None:
        """Every view in all sizes and looks; dialogs have a size of their own."""
        self.speak(language)
        views = [name for name in dir(self) if name.startswith("see_")]
        for view in views:
            name = view.removeprefix("see_")
            if only and name not in only:
                continue
            for look in LOOKS:
                self.window.set_theme(THEMES[look])
                self.rest()
                seen = getattr(self, view)()
                for size in SIZES:
                    if seen is self.window:
                        seen.resize(*size)
                    elif size == SIZES[0]:
                        seen.show()
                    else:
                        continue
                    self.shoot(seen, f"{name}-{size[0]}-{look}")
                if seen is not self.window:
                    seen.hide()

    def documents(self) -> None:
        """The pictures of README.md and docs/gui.md."""
        self.window.set_theme(THEMES["light"])
        self.see_play()
        self.window.resize(1280, 800)
        self.shoot(self.window, "gui-play")
        self.rest()
        self.window.set_theme(THEMES["dark"])
        self.see_review()
        self.window.study.show_line(())
        self.act("threats", "heat")
        self.until(lambda: self.window.study.heat)
        self.wait(3)
        self.shoot(self.window, "gui-study")
        self.rest()
        self.window.set_theme(THEMES["light"])
        results = self.see_results()
        results.show()
        self.shoot(results, "gui-results")
        results.hide()
        self.speak("zh_CN")
        self.window.set_theme(THEMES["light"])
        self.study("h8 i9 i8 j9 j8 k9 l8 h9 g9 h10 k8")
        self.window.resize(1024, 600)
        self.shoot(self.window, "gui-chinese")


def main() -> None:
    """Make what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", default="", help="views, divided by commas")
    parser.add_argument("--language", default="en", help="of --all")
    parser.add_argument("--out", type=Path, default=Path("docs/images"))
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        studio = Studio(Path(home), asked.out)
        if asked.all:
            studio.everything(set(filter(None, asked.only.split(","))), asked.language)
        else:
            studio.documents()
        studio.app.window.close()
        finish_all()


if __name__ == "__main__":
    main()
