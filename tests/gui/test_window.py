"""The window from end to end, clicked through as a person does."""

import os
import re
import time

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, QUrl
from PySide6.QtGui import QColor, QGuiApplication, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QInputDialog,
    QLabel,
    QMessageBox,
    QProgressDialog,
    QPushButton,
    QToolButton,
)

from gomoku_brain import Engine, Limits
from gomoku_brain.control.limits import SearchInfo
from gomoku_brain.game.notation import Move, parse_move, parse_moves
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.archive import file_controller
from gomoku_brain.gui.base.themes import THEMES
from gomoku_brain.gui.dialogs.help_pages import HelpPage, shapes
from gomoku_brain.gui.game.autosave import Autosave
from gomoku_brain.gui.model.game_players import PlayerConfig
from gomoku_brain.gui.model.game_tree import Ending, GameTree
from gomoku_brain.gui.model.settings import GameChoice
from gomoku_brain.gui.window.app import App
from gomoku_brain.gui.window.main_window import Window
from gomoku_brain.levels.ladder import level_named
from gomoku_brain.records.game import Game
from gomoku_brain.study.puzzles import puzzle_levels
from tests.gui.clicks import act, click, press
from tests.gui.players import EASY, HUMAN, posix, program

OTHER_FAULT = pytest.mark.slow("as with a crash", ci=True)


@pytest.fixture
def window(qt, settings):
    settings.game = GameChoice(black=HUMAN, white=EASY)
    made = Window(settings)
    made.show()
    yield made
    made.study.analyst.rest()
    made.play.close()


@pytest.fixture
def answer(qt):
    """Have the next question answered by the button of a name; a list of the texts."""
    asked = []

    def later(name):
        def press():
            box = QApplication.activeModalWidget()
            if not isinstance(box, QMessageBox):
                QTimer.singleShot(20, press)
                return
            asked.append(box.text())
            QTest.mouseClick(
                box.findChild(QPushButton, name), Qt.MouseButton.LeftButton
            )

        QTimer.singleShot(0, press)
        return asked

    return later


def box(window, name=None):
    """The message that is open."""
    boxes = [b for b in window.findChildren(QMessageBox) if b.isVisible()]
    if name is not None:
        boxes = [b for b in boxes if b.objectName() == name]
    return boxes[-1] if boxes else None


class TestPlaying:
    def test_a_whole_game_against_the_brain_is_clicked_through(self, window, until):
        """Every click is on the cell that a small search likes."""
        engine = Engine(hash_mb=4)
        play = window.play
        while play.ending is None:
            move = engine.search(play.tree.board, Limits(nodes=3000)).move
            ply = play.tree.ply
            click(window, str(move))
            assert play.tree.ply == ply + 1, "the click has placed a stone at once"
            until(lambda: play.waits_for_person or play.ending is not None)
        assert window.bar.name == "ending"
        words = {"1-0": "You won: Black", "0-1": "You lost: White"}
        assert words.get(play.ending.result, "A draw") in window.bar.text.text()
        left = window.bar.mapTo(window, QPoint(0, 0)).x()
        right = window.board.mapTo(window, window.board.rect().topRight()).x()
        assert left > right, "no stone hides"
        assert play.tree.winning_line()
        assert window.scene().winning == play.tree.winning_line()
        assert "wins" in window.turn_text.text()
        assert window.scene().last == play.tree.node.move, "its mark stays"
        QTest.mouseClick(window.bar.buttons[0], Qt.MouseButton.LeftButton)
        assert play.tree.ply == 0
        assert play.ending is None

    def test_undo_gives_the_move_back(self, window, until):
        click(window, "h8")
        until(lambda: window.play.tree.ply == 2)
        act(window, "undo")
        assert window.play.tree.ply == 0
        assert not window.actions_["undo"].isEnabled()
        act(window, "redo")
        assert window.play.tree.ply == 2

    def test_what_is_refused_is_said(self, window, until):
        click(window, "h8")
        until(lambda: window.play.tree.ply == 2)
        click(window, "h8")
        assert "occupied" in window.statusBar().currentMessage()
        assert window.play.tree.ply == 2

    def test_the_keyboard_is_enough(self, window, until):
        window.board.setFocus()
        window.activateWindow()
        for key in (Qt.Key.Key_Left, Qt.Key.Key_Return):
            QTest.keyClick(window.board, key)
        until(lambda: window.play.tree.ply == 2)
        assert window.play.tree.game.variations[0].move == (6, 7), "no key goes missing"

    def test_the_cards_show_who_is_to_move_and_clocks_run(self, window, until):
        black, white = window.cards[Side.BLACK], window.cards[Side.WHITE]
        assert black.name.text() == "You"
        assert white.name.text() == "Gomoku Brain, Easy"
        assert black.property("active")
        assert black.counts.text() == "used, no limit"
        assert white.counts.text() == "left for this move"
        QTest.qWait(250)
        assert black.time.isHidden(), "it begins with the first move"
        click(window, "h8")
        until(lambda: window.play.tree.ply == 2)
        before = black.time.text()
        until(lambda: black.time.text() != before)

    def test_two_people_end_with_a_draw_on_a_full_board(self, window, until):
        window.games.start(GameChoice(size=5, white=HUMAN))
        order = [(x, y) for y in range(5) for x in range(5)]
        rows = ["XXOXX", "OOXOO", "XXOXX", "OOXOO", "XXOXO"]
        black = [Move(x, y) for x, y in order if rows[y][x] == "X"]
        white = [Move(x, y) for x, y in order if rows[y][x] == "O"]
        for k in range(25):
            click(window, str((white if k % 2 else black).pop()))
        assert "draw" in window.bar.text.text()

    def test_resigning_asks_first(self, window, until, answer):
        click(window, "h8")
        until(lambda: window.play.waits_for_person)
        answer("no")
        act(window, "resign")
        assert window.play.ending is None
        answer("yes")
        act(window, "resign")
        assert window.play.ending.reason == "resigned"
        assert "You lost: Black resigned." in window.bar.text.text()

    def test_a_hint_is_shown_on_the_board(self, window, until):
        window.games.start(
            GameChoice(black=HUMAN, white=HUMAN),
            Game(moves="h8 a1 i8 a2 j8 a3 k8 l8"),
        )
        act(window, "hint")
        until(lambda: "There is a win" in window.statusBar().currentMessage())
        act(window, "hint")
        act(window, "hint")
        assert str(window.scene().hint) == "g8"
        assert "g8" in window.statusBar().currentMessage()
        click(window, "a15")
        assert window.scene().hint is None

    def test_pause_and_move_now(self, window, until):
        window.games.start(
            GameChoice(black=HUMAN, white=PlayerConfig("brain"), turn=600.0)
        )
        click(window, "h8")
        act(window, "pause")
        assert "Paused" in window.hint_text.text()
        act(window, "pause")
        act(window, "move_now")
        until(lambda: window.play.tree.ply == 2)

    def test_swap2_offers_the_colours(self, window, until):
        window.games.start(GameChoice(black=EASY, white=HUMAN, swap2=True))
        until(lambda: window.bar.isVisible())
        labels = [button.text() for button in window.bar.buttons]
        assert labels == ["Take black", "Stay white", "Add two stones"]
        QTest.mouseClick(window.bar.buttons[0], Qt.MouseButton.LeftButton)
        assert window.play.slots[Side.BLACK] == HUMAN
        assert [button.text() for button in window.bar.buttons] == ["OK"]

    def test_what_a_choice_waits_for_is_said_again(self, window, settings, until):
        window.games.start(GameChoice(black=EASY, white=HUMAN, swap2=True))
        until(lambda: window.bar.isVisible())
        broken = PlayerConfig("program", "x", command='"')
        assert not window.games.start(GameChoice(black=HUMAN, white=broken))
        box(window).close()
        assert window.bar.isVisible()
        other = Window(settings, window.play)  # as after a change of language
        other.show()
        assert other.bar.buttons[0].text() == "Take black"
        assert not other.actions_["resign"].isEnabled()

    def test_renju_marks_what_is_forbidden(self, window):
        moves = tuple(parse_moves("h8 a1 h9 a15 g10 o1 i10 o15"))
        window.games.start(
            GameChoice("renju", black=HUMAN, white=HUMAN),
            Game(rule=Rule.RENJU, moves=moves),
        )
        assert window.scene().forbidden == (parse_move("h10"),)
        click(window, "h10")
        assert "two open threes" in window.statusBar().currentMessage()
        act(window, "forbidden")
        assert window.scene().forbidden == ()


class TestTheEndOfAGame:
    """It speaks to the player, and names the move that decided it."""

    @pytest.fixture
    def lost(self, window, until, quick_review):
        window.games.start(GameChoice(black=HUMAN, white=program("--row", "8")))
        play = window.play
        for ply, cell in enumerate("h8 j8 h10 j10 o5".split(), 1):
            assert window.study.verdicts == {}, "nothing is judged before the end"
            click(window, cell)
            until(lambda ply=ply: play.tree.ply == 2 * ply or play.ending)
        return window

    def test_the_person_reads_who_won_and_sees_what_decided_it(self, lost, until):
        bar = lost.bar
        assert bar.text.text() == "You lost: White made five in a row.", "no claim yet"
        until(lambda: "decided" in bar.text.text())
        assert "\nMove 9 decided the game: Black o5.\nBlunder: " in bar.text.text()
        press(lost, "Show me")
        assert lost.play.tree.ply == 8
        assert lost.scene().line[0] == parse_move("e9")

    def test_what_decided_it_is_found_also_after_a_puzzle_at_once(self, lost, until):
        act(lost, "train")
        press(lost, "Back to the game")
        until(lambda: "decided" in lost.bar.text.text())

    def test_what_decided_it_is_found_also_in_another_window(self, lost, until, qt):
        other = Window(lost.settings, lost.play)
        lost.study.analyst.rest()
        until(lambda: "decided" in other.bar.text.text())
        other.study.analyst.rest()

    def test_the_next_game_stays_within_reach(self, lost, until, answer):
        until(lambda: not lost.study.analyst.busy)
        old = lost.play.tree

        def offers():
            return [button.text() for button in lost.bar.buttons]

        assert offers() == ["Show me", "Play again", "Swap colours", "Review the game"]
        before = offers()
        press(lost, "Review")
        assert lost.tabs.currentWidget() is lost.panel
        assert not lost.study.analyst.busy, "it is judged already"
        assert offers() == before
        act(lost, "train")
        press(lost, "Back to the game")
        assert offers() == before, "also after a puzzle"
        act(lost, "first")
        click(lost, "a1")
        assert offers() == before, "also on the study board"
        act(lost, "marks")
        press(lost, "Finish")
        assert offers() == before
        lost.notices.show_failure("x.sgf cannot be opened")
        press(lost, "OK")
        assert offers() == before
        answer("yes")  # the changed copy is not stored here
        press(lost, "Play again")
        assert lost.play.tree is not old
        assert not lost.bar.isVisible()

    def test_a_winner_is_told_so(self, window, until):
        window.games.start(GameChoice(black=HUMAN, white=program("--row", "8")))
        for ply, cell in enumerate("h8 i8 j8 k8 l8".split(), 1):
            click(window, cell)
            until(lambda ply=ply: window.play.tree.ply == 2 * ply or window.play.ending)
        assert window.bar.text.text() == "You won: Black made five in a row."

    def test_a_variation_of_a_finished_game_does_not_end_it_again(self, lost, until):
        act(lost, "back")
        text = lost.bar.text.text()
        lost.play.look_at(lost.play.tree.at_ply(8))
        for cell in "k1 a1 k2 a2 k3 a3 k4 a4 k5".split():
            if lost.play.ending is None:
                click(lost, cell)
        assert lost.play.ending is not None
        assert lost.bar.text.text().startswith(text.partition("\n")[0])


class TestLosingAGame:
    def level(self, window, name):
        strength = level_named(name).strength
        action = next(
            a for a in window.actions_.levels.actions() if a.data() == strength
        )
        action.trigger()

    @pytest.fixture
    def started(self, window, until):
        click(window, "h8")
        until(lambda: window.play.tree.ply == 2)
        return window

    def test_the_level_changes_without_a_question_before_the_first_move(self, window):
        self.level(window, "hard")
        assert window.play.slots[Side.WHITE].strength == 66
        assert window.cards[Side.WHITE].name.text() == "Gomoku Brain, Hard"

    @pytest.mark.parametrize(
        ("button", "ply", "strength"),
        [("new", 0, 66), ("keep", 2, 66), ("cancel", 2, 22)],
    )
    def test_the_level_changes_in_a_game_only_after_a_question(
        self, started, answer, button, ply, strength
    ):
        asked = answer(button)
        self.level(started, "hard")
        assert len(asked) == 1
        assert started.play.tree.ply == ply
        assert started.play.slots[Side.WHITE].strength == strength
        checked = {a.data() for a in started.actions_.levels.actions() if a.isChecked()}
        assert checked == {strength}

    def test_a_level_is_not_offered_to_a_game_without_our_brain(self, window, answer):
        window.games.start(GameChoice(black=HUMAN, white=HUMAN))
        click(window, "h8")

        def look():
            message = QApplication.activeModalWidget()
            assert message.findChild(QPushButton, "keep") is None

        QTimer.singleShot(0, look)
        answer("cancel")
        self.level(window, "hard")
        assert window.play.tree.ply == 1

    @pytest.mark.parametrize("name", ["restart", "swap"])
    def test_a_new_game_asks_first(self, started, answer, name):
        answer("no")
        act(started, name)
        assert started.play.tree.ply == 2
        old = started.play.tree
        answer("yes")
        act(started, name)
        assert started.play.tree is not old
        assert (started.play.slots[Side.BLACK] == EASY) is (name == "swap")

    @pytest.mark.parametrize("black", [EASY, HUMAN])
    def test_colours_that_were_drawn_are_swapped(self, window, settings, black):
        white = HUMAN if black == EASY else EASY
        window.games.start(GameChoice(black=black, white=white))
        settings.game = GameChoice(black=HUMAN, white=EASY, random_colours=True)
        act(window, "swap")
        assert (window.play.slots[Side.BLACK] == EASY) is (black == HUMAN)

    def test_closing_asks_where_the_game_would_be_lost(
        self, started, answer, tmp_path, monkeypatch
    ):
        answer("no")
        assert not started.close()
        assert started.isVisible()
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a: ("", ""))
        answer("save")
        assert not started.close(), "the question for a name was left"
        chosen = str(tmp_path / "game.psq"), "PSQ (*.psq)"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a: chosen)
        answer("save")
        assert started.close()
        assert (tmp_path / "game.psq").exists()

    def test_closing_asks_nothing_where_games_are_kept(self, started, tmp_path):
        started.archive_controller.autosave = Autosave(tmp_path / "games.db")
        started.archive_controller.start()
        assert started.close()
        assert len(started.archive_controller.autosave.archive.games()) == 1
        started.archive_controller.autosave.close()

    def test_enter_does_not_leave_the_game(self, started):
        def press():
            QTest.keyClick(QApplication.activeModalWidget(), Qt.Key.Key_Return)

        QTimer.singleShot(0, press)
        act(started, "restart")
        assert started.play.tree.ply == 2


class TestFaults:
    pytestmark = posix

    @pytest.mark.parametrize(
        ("deed", "words"),
        [
            ("crash", "crash. The log"),
            pytest.param("stall", "no answer. The log", marks=OTHER_FAULT),
            pytest.param("99,99", "illegal move. The log", marks=OTHER_FAULT),
        ],
    )
    def test_a_program_that_fails_is_reported_and_our_brain_takes_over(
        self, window, until, deed, words
    ):
        bad = program("--row", "3", deed, "2", name="Bad")
        window.games.start(GameChoice(black=HUMAN, white=bad, turn=1.0))
        click(window, "h8")
        until(lambda: window.play.tree.ply == 2)
        click(window, "i8")
        until(lambda: window.bar.isVisible())
        assert "Bad (White)" in window.bar.text.text()
        assert words in window.bar.text.text()
        window.log.fetch()
        assert "Bad ! " in window.log.text.toPlainText()
        assert window.play.tree.ply == 3, "the game stands as it was"
        button = next(b for b in window.bar.buttons if "takes over" in b.text())
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        until(lambda: window.play.tree.ply == 4)
        assert not window.bar.isVisible()

    def test_two_programs_play_while_the_log_reports(self, window, until):
        pair = {
            "black": program("--row", "1", name="Ann"),
            "white": program("--row", "8", name="Bob"),
        }
        window.games.start(GameChoice(**pair))
        until(lambda: window.play.ending is not None)
        window.log.fetch()
        text = window.log.text.toPlainText()
        assert "Ann > BEGIN" in text
        assert "Bob < 0,8" in text
        assert window.bar.text.text().endswith("five in a row.\nWinner: Ann")
        assert window.play.tree.record().black == "Ann"


class TestFiles:
    def test_a_broken_file_is_reported_and_the_game_goes_on(
        self, window, until, tmp_path
    ):
        click(window, "h8")
        until(lambda: window.play.tree.ply == 2)
        path = tmp_path / "broken.psq"
        path.write_text("Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n")
        assert not window.files.open_file(path)
        assert "broken.psq cannot be opened" in window.bar.text.text()
        assert "Expected: a game as PSQ" in window.bar.text.text()
        QTest.mouseClick(window.bar.buttons[0], Qt.MouseButton.LeftButton)
        assert not window.bar.isVisible()
        assert window.play.tree.ply == 2
        click(window, "a1")
        until(lambda: window.play.tree.ply == 4)

    def test_a_game_is_saved_and_opened_again(self, window, until, tmp_path):
        click(window, "h8")
        until(lambda: window.play.tree.ply == 2)
        moves = window.play.tree.shown_game().moves
        path = tmp_path / "game.sgf"
        assert window.files.save_file(path)
        window.games.start(GameChoice(black=HUMAN, white=HUMAN))
        assert window.files.open_file(path)
        assert window.play.tree.shown_game().moves == moves
        assert window.play.free
        assert window.play.tree.game.white == "Gomoku Brain, Easy"

    def test_a_large_file_is_read_while_the_board_stays_awake(
        self, window, until, tmp_path, monkeypatch
    ):
        monkeypatch.setattr(file_controller, "LARGE", 1000)
        monkeypatch.setattr(file_controller, "REPORT", 0.0)
        answers = []
        monkeypatch.setattr(
            QInputDialog,
            "getItem",
            lambda *given: (answers.append(len(given[3])) or given[3][1], True),
        )
        window.games.start(GameChoice(black=HUMAN, white=HUMAN))
        path = tmp_path / "large.sgf"
        game = "(;GM[4]SZ[15];B[hh];W[ii];B[jj])\n"
        path.write_text(game + "(;GM[4]SZ[15];B[aa];W[aa])\n" + game * 500)
        said = []
        window.files.status_text.connect(said.append)
        started = time.perf_counter()
        assert window.files.open_file(path)
        assert time.perf_counter() - started < 1
        assert window.files.reading is not None
        until(lambda: window.play.tree.end_of_line.ply)
        assert window.play.tree.ply == 3
        assert answers == [501]
        assert window.files.reading is None
        assert "1 games of large.sgf cannot be read: line 2" in said[-1]

    def test_the_reading_of_a_large_file_can_be_stopped(
        self, window, until, tmp_path, monkeypatch
    ):
        monkeypatch.setattr(file_controller, "LARGE", 1000)
        monkeypatch.setattr(file_controller, "REPORT", 0.0)
        path = tmp_path / "large.sgf"
        path.write_text("(;GM[4]SZ[15];B[hh];W[ii];B[jj])\n" * 30_000)
        opened, failed = [], []
        window.files.opened.connect(opened.append)
        window.files.failed.connect(failed.append)
        assert window.files.open_file(path)
        (progress,) = window.findChildren(QProgressDialog)
        until(lambda: progress.value() > 0)
        progress.canceled.emit()
        until(lambda: window.files.reading is None)
        assert (opened, failed) == ([], [])

    def test_a_position_is_copied_and_pasted(self, window, until, answer):
        click(window, "h8")
        until(lambda: window.play.tree.ply == 2)
        text = str(window.play.tree.board)
        act(window, "copy")
        answer("yes")
        act(window, "paste")
        assert str(window.play.tree.board) == text
        QGuiApplication.clipboard().setText("what?")
        act(window, "paste")
        assert "This is not a position" in window.bar.text.text()
        act(window, "copy_picture")
        assert not QGuiApplication.clipboard().image().isNull()

    def test_a_name_without_an_ending_gets_that_of_the_form(
        self, window, tmp_path, monkeypatch
    ):
        chosen = str(tmp_path / "game"), "SGF (*.sgf)"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a: chosen)
        act(window, "save")
        assert (tmp_path / "game.sgf").read_text().startswith("(;")
        (tmp_path / "game.sgf").write_text("mine")
        os.utime(tmp_path / "game.sgf", ns=(1, 1))
        act(window, "save")
        assert (tmp_path / "game.sgf").read_text() == "mine"
        assert "must end in" in window.bar.text.text()

    def test_a_full_disk_is_reported(self, window, tmp_path):
        assert not window.files.save_file(tmp_path / "none" / "x" / ".psq")
        assert not window.files.save_picture_file(tmp_path / "none" / "x.png")
        assert "x.png cannot be written: No such file" in window.bar.text.text()


class TestStudy:
    WIN = Game(moves="h8 a1 i8 a3 j8 a5")

    def test_the_analysis_shows_lines_values_and_a_curve(self, window, until):
        window.games.show_game(GameTree(self.WIN.copy()))
        act(window, "analyze")
        table = window.panel.table
        until(lambda: table.topLevelItemCount() == 3)
        until(lambda: window.play.tree.node in window.play.tree.chances)
        assert "Black to move" in window.panel.state.text()
        table.setCurrentItem(table.topLevelItem(0))
        assert window.scene().line, "the line is shown on the board"
        act(window, "heat")
        until(lambda: window.scene().heat)
        first = next(iter(window.scene().heat.values()))
        assert first.win_in is not None
        act(window, "analyze")
        assert not window.study.analyst.watching

    def test_the_best_line_comes_first(self, window):
        def line(number, score, cells):
            return SearchInfo(
                depth=8, seldepth=9, multipv=number, score=score, nodes=1, time=0.1,
                pv=tuple(parse_moves(cells)), win_in=None,
            )  # fmt: skip

        window.study._take_lines((line(1, -90, "a1"), line(2, 40, "b1")))
        table = window.panel.table
        assert [table.topLevelItem(k).text(1) for k in (0, 1)] == ["b1", "a1"]
        assert window.play.tree.chances[window.play.tree.node] > 0.5

    def test_threats_are_shown_and_named(self, window, until):
        window.games.show_game(GameTree(self.WIN.copy()))
        act(window, "threats")
        until(lambda: window.scene().shapes)
        assert "Black: open three h8-j8" in window.panel.threats.text()

    def test_a_forced_win_is_numbered_on_the_board(self, window, until):
        window.games.show_game(GameTree(self.WIN.copy()))
        act(window, "solve")
        until(lambda: window.scene().line)
        assert len(window.scene().line) == 3
        assert "wins in 2 moves" in window.panel.finding.text()

    def test_a_game_is_judged(self, window, until, quick_review):
        window.games.show_game(GameTree(Game(moves="h8 a1 i8 a3 j8 a5 b7 a7")))
        act(window, "review")
        until(lambda: window.panel.review.isVisibleTo(window.panel))
        assert not window.panel.finding.isVisibleTo(window.panel), "one list of them"
        mistakes = window.panel.review.mistakes()
        assert [node.ply for node in mistakes if node.side is Side.BLACK] == [7]
        window.study.show_line(tuple(Move(x, 0) for x in range(1, 15)))
        assert len(window.scene().line) == 9, "a long line does not hide the board"
        tree = window.play.tree
        assert all(node in tree.chances for node in tree.line())
        assert window.panel.curve._errors[7].startswith("Blunder: missed a win")

    def test_of_a_job_that_is_given_up_nothing_stays(self, window, until):
        window.games.show_game(GameTree(self.WIN.copy()))
        act(window, "review")
        until(lambda: window.panel.progress.isVisibleTo(window.panel))
        act(window, "solve")
        assert not window.panel.progress.isVisibleTo(window.panel)
        act(window, "hint")
        assert not window.panel.finding.isVisibleTo(window.panel)
        until(lambda: not window.study.analyst.busy)
        won = Game(moves="h8 a1 i8 a3 j8 a5 k8 a7 l8")
        window.games.show_game(GameTree(won))
        act(window, "solve")
        assert window.panel.finding.text() == "The game is over"

    def test_a_line_becomes_a_variation(self, window, until):
        window.games.show_game(GameTree(self.WIN.copy()))
        window.study._play_line(tuple(parse_moves("k8 g8")))
        node = window.play.tree.node
        assert [child.move for child in node.variations] == [parse_move("k8")]
        assert window.moves.topLevelItemCount() == 8

    def test_a_word_about_a_position_goes_with_it(self, window, until):
        window.games.show_game(GameTree(Game(moves="h8 i9 g9")))
        act(window, "hint")
        until(lambda: window.scene().hint is not None)
        assert "Hint" in window.statusBar().currentMessage()
        window.step(-1)
        assert window.statusBar().currentMessage() == ""

    def test_stepping_and_branching_keeps_everything(self, window, until):
        window.games.show_game(GameTree(self.WIN.copy()))
        for _ in range(2):
            act(window, "back")
        assert window.play.tree.ply == 4
        click(window, "b2")
        assert window.play.tree.node.parent.variations[0].move == parse_move("j8")
        act(window, "promote_line")
        act(window, "first")
        assert window.play.tree.ply == 0
        act(window, "last")
        assert window.play.tree.node.move == parse_move("b2")
        act(window, "remove_line")
        act(window, "last")
        assert window.play.tree.ply == 6

    def test_a_move_is_chosen_in_the_list_and_on_the_curve(self, window, until):
        window.games.show_game(GameTree(self.WIN.copy()))
        row = window.moves.topLevelItem(1)
        window.moves.itemClicked.emit(row, 0)
        assert window.play.tree.ply == 2
        curve = window.panel.curve
        window.tabs.setCurrentWidget(window.panel)
        QTest.mouseClick(
            curve, Qt.MouseButton.LeftButton, pos=QPoint(curve.width() - 13, 30)
        )
        assert window.play.tree.ply == 6

    def test_a_puzzle_is_played_against_the_defending_program(self, window, until):
        puzzle = puzzle_levels()[0]
        window.games.start_puzzle(puzzle)
        assert "End game 1" in window.hint_text.text()
        with Engine(hash_mb=16) as engine:
            while window.play.ending is None:
                line = engine.find_win(window.play.tree.board).line
                click(window, str(line[0]))
                until(
                    lambda: (
                        window.play.waits_for_person or window.play.ending is not None
                    )
                )
        assert window.results.record.levels == [1]
        assert "Puzzle 1 is solved" in window.bar.text.text()
        QTest.mouseClick(window.bar.buttons[1], Qt.MouseButton.LeftButton)
        assert window.games.puzzle.number == 2


@pytest.mark.parametrize("how", ["study board", "weaker defence"])
def test_a_level_is_solved_only_against_the_full_defence(window, how):
    window.games.start_puzzle(puzzle_levels()[0])
    window.play._cancel()
    if how == "study board":
        window.play.set_free(True)
    else:
        window.play.set_player(Side.WHITE, EASY)
        window.play._cancel()
    window.play._finish(Ending.won_by(Side.BLACK, "five"))
    assert window.results.record.levels == []
    assert "solved" not in window.bar.text.text()


def test_a_game_comes_back_and_goes_on(window, settings, until, tmp_path):
    path = tmp_path / "games.db"
    window.archive_controller.autosave = Autosave(path)
    window.archive_controller.start()
    click(window, "h8")
    until(lambda: window.play.tree.ply == 2)
    moves = window.play.tree.shown_game().moves
    window.archive_controller.autosave._lock.unlock()  # as the end of the process does

    left = Autosave(path).left_behind()
    other = Window(settings)
    other.show()
    other.games.restore(left)
    assert other.play.tree.shown_game().moves == moves
    assert other.play.paused
    QTest.mouseClick(other.bar.buttons[0], Qt.MouseButton.LeftButton)
    click(other, "a1")
    until(lambda: other.play.tree.ply == 4)
    other.play.close()


def test_what_is_seen_is_switched_and_remembered(window, settings):
    window.play.set_free(True)
    click(window, "h8")
    assert window.scene().coordinates
    assert window.scene().numbers == {}
    for name in ("numbers", "coordinates", "sound"):
        before = getattr(settings, name)
        act(window, name)
        assert getattr(settings, name) is not before
    assert not window.scene().coordinates
    assert window.scene().numbers == {(7, 7): 1}


@pytest.mark.parametrize("name", ["rules", "usage", "about"])
def test_the_help_pages_open(window, name):
    act(window, name)
    page = window.findChildren(HelpPage)[-1]
    assert len(page.browser.toPlainText()) > 50
    page.close()


def test_the_rules_show_each_shape_with_its_points(window):
    act(window, "rules")
    browser = window.findChildren(HelpPage)[-1].browser
    shown = re.findall(r'<img src="([^"]*)"', browser.toHtml())
    scenes = shapes(window.presenter.theme)
    assert shown == [*scenes]
    kind = QTextDocument.ResourceType.ImageResource
    resources = [browser.document().resource(kind, QUrl(name)) for name in shown]
    assert all(not picture.isNull() for picture in resources)
    layout, block = browser.document().documentLayout(), browser.document().begin()
    rooms = []
    while block.isValid():
        if "\ufffc" in block.text():
            rooms.append(layout.blockBoundingRect(block).height())
        block = block.next()
    heights = [picture.deviceIndependentSize().height() for picture in resources]
    assert all(r >= h for r, h in zip(rooms, heights, strict=True)), "none is covered"
    for name in ("double-three", "double-four", "overline"):
        board = scenes[name].board
        assert [board.foul(move) for move in scenes[name].forbidden] == [name]


@pytest.mark.parametrize("theme", [*THEMES])
def test_the_chosen_mark_stands_out_in_all_colours(window, qt, theme):
    window.play.set_free(True)
    act(window, "marks")
    window.set_theme(THEMES[theme])
    qt.processEvents()
    chosen = window.bar.buttons[0]
    colour = chosen.grab().toImage().pixelColor(4, chosen.height() // 2)
    assert colour == QColor(THEMES[theme].accent)


def test_no_two_actions_share_a_shortcut(window):
    seen = {}
    for name, action in window.actions_._made.items():
        for keys in action.shortcuts():
            assert keys.toString() not in seen, f"{name} and {seen[keys.toString()]}"
            seen[keys.toString()] = name


class TestSeenAtAGlance:
    WIN = Game(moves="h8 a1 i8 a3 j8 a5")

    def test_the_bar_beside_the_board_says_who_is_better(self, window):
        window.games.show_game(GameTree(self.WIN.copy()))
        assert window.evaluation.chance is None
        empty = window.evaluation.grab().toImage()
        plain = {empty.pixel(9, y) for y in range(empty.height())}
        assert len(plain) == 1, "no frame without a value"
        window.play.tree.chances[window.play.tree.node] = 0.8
        window.refresh()
        assert window.evaluation.toolTip() == "Black 80 %, White 20 %"
        act(window, "evaluation")
        assert not window.evaluation.isVisible()

    def test_a_line_is_shown_while_the_mouse_is_on_it(self, window, until):
        window.games.show_game(GameTree(self.WIN.copy()))
        act(window, "analyze")
        table = window.panel.table
        until(lambda: table.topLevelItemCount() == 3)
        table.itemEntered.emit(table.topLevelItem(1), 1)
        second = table.topLevelItem(1).data(0, Qt.ItemDataRole.UserRole)
        assert window.scene().line == tuple(second)
        QApplication.sendEvent(table.viewport(), QEvent(QEvent.Type.Leave))
        assert window.scene().line == ()
        assert "Black" in table.topLevelItem(0).text(0) or "wins" in (
            table.topLevelItem(0).text(0)
        )

    def test_a_long_line_takes_the_height_that_it_needs(self, window):
        window.tabs.setCurrentWidget(window.panel)
        window.resize(900, 600)
        pv = tuple(Move(x, y) for y in range(2) for x in range(15))
        line = SearchInfo(
            multipv=1, score=50, win_in=17, depth=9, seldepth=9, nodes=9, time=1, pv=pv
        )
        window.panel.show_lines([line], Side.BLACK)
        row = window.panel.table.topLevelItem(0)
        one = window.panel.table.fontMetrics().height()
        assert row.sizeHint(1).height() > 2 * one

    @pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (900, 600)])
    def test_the_panel_takes_what_the_square_board_leaves(self, qt, window, size):
        window.resize(*size)
        QTest.qWait(50)
        panel = window.view.splitter.sizes()[1]
        assert panel >= 320
        if size[0] > 1000:
            assert abs(window.board.width() - window.board.height()) < 40
            assert panel > 400

    def test_the_first_window_fits_on_a_small_screen(self, window):
        assert window.height() <= window.screen().availableGeometry().height() - 40

    def test_rows_are_counted_from_the_bottom_everywhere(self, window):
        window.games.show_game(GameTree(Game(moves="a1 b3")))
        act(window, "rows_from_bottom")
        rows = [window.moves.topLevelItem(k).text(1) for k in range(2)]
        assert rows == ["a15", "b13"]
        assert window.scene().rows_from_bottom
        act(window, "rows_from_bottom")
        assert window.moves.topLevelItem(0).text(1) == "a1"

    def test_all_that_was_found_is_named_anew_when_rows_are_turned(self, window, until):
        def column(table, place):
            rows = (table.topLevelItem(k) for k in range(table.topLevelItemCount()))
            return [row.text(place) for row in rows]

        window.games.show_game(GameTree())
        panel, explorer = window.panel, window.explorer
        window.view.show_tab(explorer)
        until(lambda: column(explorer.table, 0))
        book = column(explorer.table, 0)
        act(window, "rows_from_bottom")
        turned = [f"{cell[0]}{16 - int(cell[1:])}" for cell in book]
        assert column(explorer.table, 0) == turned
        act(window, "rows_from_bottom")
        window.view.show_tab(panel)
        info = SearchInfo(
            depth=1,
            seldepth=1,
            multipv=1,
            score=10,
            win_in=None,
            nodes=1,
            time=1.0,
            pv=tuple(parse_moves("a1 b2")),
        )
        panel.show_lines([info], Side.WHITE)
        act(window, "rows_from_bottom")
        assert column(panel.table, 1) == ["a15 b14"]

    def test_threats_name_cells_as_the_board_does(self, window, until):
        window.games.show_game(GameTree(Game(moves="h2 a1 i2 a15 j2 o1")))
        act(window, "threats")
        until(lambda: "h2-j2" in window.panel.threats.text())
        act(window, "rows_from_bottom")
        until(lambda: "h14-j14" in window.panel.threats.text())

    def test_texts_grow(self, qt, window, settings):
        before = qt.font().pointSizeF()
        act(window, "larger")
        assert qt.font().pointSizeF() > before
        act(window, "normal")
        assert qt.font().pointSizeF() == before

    def test_the_toolbar_has_words_that_can_be_hidden(self, qt, window, settings):
        window.resize(1024, 600)
        qt.processEvents()
        bar = window.actions_.toolbar
        buttons = bar.findChildren(QToolButton)
        hidden = [b for b in buttons if b.defaultAction() and not b.isVisible()]
        assert bar.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonTextUnderIcon
        assert not hidden, "the words need no more than a small screen"
        act(window, "labels")
        assert bar.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonIconOnly
        assert not settings.labels


def test_texts_are_large_from_the_start_and_small_at_once(qt, settings):
    usual = qt.font().pointSizeF()
    settings.zoom = 200
    window = Window(settings)
    try:
        lists = (window.tabs, window.moves, window.panel.table, window.log.text)
        names = [card.name for card in window.cards.values()]
        parts = (*lists, *names, window.hint_text, window.menuBar())
        assert {part.font().pointSizeF() for part in parts} == {2 * usual}
        edge = window.board.position_of(Move(0, 0)).x()
    finally:
        act(window, "normal")
        assert {part.font().pointSizeF() for part in parts} == {usual}
        assert window.board.position_of(Move(0, 0)).x() < edge, "smaller coordinates"
        window.play.close()


def test_all_is_reached_on_a_small_screen_with_large_texts(qt, settings):
    settings.zoom = 200
    window = Window(settings)
    try:
        window.show()
        window.resize(1024, 600)
        for name in ("train", "storm", "edit_position"):
            window.actions_[name].trigger()
            QTest.qWait(30)
            assert window.size().height() == 600, "the screen has no more"
            assert window.statusBar().isVisible()
            bar, column = window.view.bar, window.view.splitter.widget(1)
            assert bar.height() >= bar.heightForWidth(bar.width()), "no text is cut"
            assert column.verticalScrollBar().isVisible()
            for button in window.bar.buttons:
                assert bar.rect().contains(button.geometry())
            window.games.show_game(GameTree())
    finally:
        act(window, "normal")
        window.play.close()


def test_a_usual_screen_needs_no_scroll_bar(qt, window):
    bar = window.view.splitter.widget(1).verticalScrollBar()
    window.games.show_game(GameTree(Game(moves="h8 i9 g9 i7")))
    window.tabs.setCurrentWidget(window.panel)
    window.bar.show_message("A message", ("OK", window.bar.clear))
    window.resize(1024, 600)
    QTest.qWait(50)
    assert not bar.isVisible()
    window.resize(1280, 800)
    window.panel.review.show()
    window.panel.table.show()
    window.panel.show_finding("A finding.")
    QTest.qWait(50)
    assert not bar.isVisible()


class TestHonestStates:
    def test_a_game_between_programs_can_be_branched(self, window, until):
        window.games.start(GameChoice(black=EASY, white=EASY, turn=0.2))
        until(lambda: window.play.tree.ply >= 4)
        act(window, "back")
        act(window, "back")
        assert "line" in window.hint_text.text()
        here = window.play.tree.node
        click(window, "a15")
        assert window.play.free
        assert window.play.tree.node.parent is here
        assert len(here.variations) == 2

    def test_stepping_through_a_finished_game_does_not_light_pause(self, window):
        won = "h8 a1 i8 a3 j8 a5 k8 a7 l8"
        window.games.start(GameChoice(black=HUMAN, white=HUMAN))
        for cell in won.split():
            click(window, cell)
        act(window, "back")
        assert not window.actions_["pause"].isChecked()
        assert not window.actions_["pause"].isEnabled()
        assert window.bar.name == "ending"

    def test_the_tab_stays_when_language_or_theme_change(self, qt, tmp_path):
        app = App(qt, tmp_path)
        window = app.start()
        window.tabs.setCurrentWidget(window.panel)
        window.set_theme(THEMES["dark"])
        assert window.tabs.currentWidget() is window.panel
        app.settings.language = "zh_CN"
        window.language_changed.emit()
        assert app.window.tabs.currentWidget() is app.window.panel
        dialog = QFileDialog()
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        labels = [label.text() for label in dialog.findChildren(QLabel)]
        assert "Look in:" not in labels
        assert any(any(ord(c) > 0x4E00 for c in text) for text in labels), labels
        dialog.deleteLater()
        app.finish()
        app.set_language("en")

    def test_a_file_that_is_no_text_is_reported_so(self, window, tmp_path):
        path = tmp_path / "game.sgf"
        path.write_bytes(bytes(range(256)) * 9)
        assert not window.files.open_file(path)
        assert "it is not a text file" in window.bar.text.text(), window.bar.text.text()
