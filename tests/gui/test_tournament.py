"""The tournament window: the runner and the files of `match`, watched and paused."""

import shlex
import sys
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QPixmap, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.base.themes import LIGHT, THEMES
from gomoku_brain.gui.model.settings import Program
from gomoku_brain.gui.tournament.tournament_run import (
    TournamentPlan,
    TournamentRun,
    plan_of,
)
from gomoku_brain.gui.tournament.tournament_window import TournamentWindow
from gomoku_brain.match.tournament import GameFile
from gomoku_brain.records.game_record import GameRecord
from tests.commands.command import command
from tests.match.engines import fake

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="the commands are quoted for a POSIX shell"
)


def engine(name, *arguments):
    return Program(name, shlex.join(fake(*arguments).command))


main = command("match")
PAIR = [engine("Ann", "--row", "1"), engine("Bob", "--row", "13")]


@pytest.fixture
def window(qt, tmp_path):
    made = TournamentWindow(PAIR, tmp_path, LIGHT)
    made.show()
    yield made
    made.rest()


def check(window, *names):
    for k in range(window.engines.count()):
        item = window.engines.item(k)
        if item.text() in names:
            item.setCheckState(Qt.CheckState.Checked)


def press(button):
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_tournament_is_played_and_shown(window, until, tmp_path):
    check(window, "Ann", "Bob")
    window.pairs.setValue(2)
    press(window.start_button)
    assert window.run is not None, window.state.text()
    until(lambda: window.board.scene.board.ply > 3)
    until(lambda: not window.run.is_playing)
    assert "Finished: 4 of 4" in window.state.text()
    assert window.table.rowCount() == 2
    names = {window.table.verticalHeaderItem(k).text() for k in range(2)}
    assert names == {"Ann", "Bob"}
    assert window.games.count() == 4
    assert "(five in a row)" in window.games.item(0).text()
    window.set_theme(THEMES["dark"])
    assert window.board.scene.theme is THEMES["dark"]
    shown = []
    window.game_wanted.connect(shown.append)
    window.games.itemActivated.emit(window.games.item(0))
    assert shown[0].ply > 8
    assert not window.start_button.isEnabled()


def test_an_engine_has_one_name_in_every_part(window, until):
    hints = [window.state, window.names, window._no_table, window._no_games]
    assert all(hint.isVisible() and hint.text() for hint in hints)
    check(window, "Gomoku Brain, Beginner", "Gomoku Brain, Novice")
    window.pairs.setValue(1)
    press(window.start_button)
    until(lambda: window.games.count() > 0)
    names = {"Gomoku Brain, Beginner", "Gomoku Brain, Novice"}
    assert {window.table.verticalHeaderItem(k).text() for k in range(2)} == names
    assert set(window.games.item(0).text().split("  ")[1].split(" - ")) == names
    assert all(name in window.names.text() for name in names)
    assert window._no_table.isHidden()
    assert window._no_games.isHidden()
    shown = []
    window.game_wanted.connect(shown.append)
    window.games.itemActivated.emit(window.games.item(0))
    assert {shown[0].name(side) for side in Side} == names
    until(lambda: not window.run.is_playing)


def test_a_pause_keeps_what_was_played_and_goes_on(window, until):
    check(window, "Ann", "Bob")
    window.pairs.setValue(6)
    press(window.start_button)
    until(lambda: window.games.count() >= 2)
    press(window.pause_button)
    until(lambda: not window.run.is_playing)
    played = len(window.run.match.games.records)
    assert 2 <= played < 12
    assert "Paused" in window.state.text()
    assert window.start_button.text() == "&Continue"
    press(window.start_button)
    until(lambda: window.games.count() == 12)
    until(lambda: not window.run.is_playing)
    ids = [record.id for record in window.run.match.games.records]
    assert len(set(ids)) == 12, "none is lost, none is played twice"


def test_its_file_is_one_of_match_and_the_other_way_round(
    window, until, tmp_path, capsys
):
    check(window, "Ann", "Bob")
    window.pairs.setValue(1)
    press(window.start_button)
    until(lambda: not window.run.is_playing)
    path = window.run.path
    assert main(["--resume", "--out", str(path), "--json"]) == 0
    assert '"games": 2' in capsys.readouterr().out

    words = [f"{each.name}={each.command}" for each in PAIR]
    other = tmp_path / "other.jsonl"
    arguments = ["--engine", words[0], "--engine", words[1], "--time", "1"]
    main([*arguments, "--games", "2", "--out", str(other)])
    again = TournamentWindow([], tmp_path, LIGHT)
    assert again.open_file(other), again.state.text()
    assert again.games.count() == 2
    assert again.run.match.is_over
    assert plan_of(other).rule is Rule.FREESTYLE


@pytest.fixture
def foreign(tmp_path, monkeypatch):
    """A file of another user, whose first engine makes the file ``mark``."""
    monkeypatch.setenv("GOMOKU_BOARD_HOME", str(tmp_path / "home"))
    words = shlex.join(fake("--row", "1").command)
    shell = shlex.join(["sh", "-c", f"touch {tmp_path}/mark; exec {words}"])
    named = ("Ann", Program("Ann", shell)), ("Bob", PAIR[1])
    engines = tuple((name, program.player_config) for name, program in named)
    plan = TournamentPlan(engines=engines, openings="none", pairs=1)
    path = tmp_path / "foreign.jsonl"
    with GameFile(path, plan.settings(), arguments=plan.arguments()) as games:
        games.start()
    return path


def answer(name, seen):
    """Press a button of the next question, and note what it shows."""
    dialog = QApplication.activeModalWidget()
    if dialog is None:
        QTimer.singleShot(5, lambda: answer(name, seen))
        return
    seen.append(dialog.commands.toPlainText())
    press(getattr(dialog, name))


def test_a_foreign_file_runs_only_after_a_yes(window, until, tmp_path, foreign):
    assert window.open_file(foreign)
    seen = []
    QTimer.singleShot(0, lambda: answer("cancel_button", seen))
    press(window.start_button)
    assert f"sh -c 'touch {tmp_path}/mark; exec" in seen[0]
    assert "Bob" not in seen[0], "a program of the user's list needs no question"
    assert len(seen[0].splitlines()) == 1
    assert not window.run.is_playing
    assert not (tmp_path / "mark").exists()
    QTimer.singleShot(0, lambda: answer("run_button", seen))
    press(window.start_button)
    until(lambda: not window.run.is_playing)
    assert (tmp_path / "mark").exists()
    assert window.run.match.is_over
    assert main(["--resume", "--out", str(foreign)]) == 0, "match knows the answer"


def test_texts_of_a_file_are_no_rich_text(window, tmp_path, foreign):
    pixmap = QPixmap(300, 900)
    pixmap.save(str(tmp_path / "large.png"))
    picture = f"<img src='{tmp_path}/large.png'>"
    text = foreign.read_text().replace("Ann", picture).replace("Bob", picture)
    foreign.write_text(text)
    assert not window.open_file(foreign)
    assert picture in window.state.text()
    assert window.state.sizeHint().height() < 300
    window._list(GameRecord(Rule.FREESTYLE, 15, 15, detail=f"crash: {picture}"))
    document = QTextDocument()
    document.setHtml(window.games.item(0).toolTip())
    assert document.toPlainText() == f"crash: {picture}"


def test_a_size_that_is_no_number_is_refused(window, foreign):
    foreign.write_text(foreign.read_text().replace('"size": 15', '"size": 1e999'))
    assert not window.open_file(foreign)
    assert "is not a file of match games" in window.state.text()


def test_a_started_tournament_continues_without_a_question(
    window, until, foreign, tmp_path
):
    check(window, "Ann", "Bob")
    window.pairs.setValue(2)
    press(window.start_button)
    window.pause()
    until(lambda: not window.run.is_playing)
    again = TournamentWindow([], tmp_path, LIGHT)
    assert again.open_file(window.run.path)
    press(again.start_button)
    until(lambda: not again.run.is_playing)
    assert again.run.match.is_over


def test_a_user_folder_that_cannot_be_written_is_named(
    window, until, foreign, monkeypatch
):
    monkeypatch.setenv("GOMOKU_BOARD_HOME", str(foreign))  # a file
    check(window, "Ann", "Bob")
    window.pairs.setValue(1)
    press(window.start_button)
    until(lambda: not window.run.is_playing)
    assert "The programs are not remembered: " in window.state.text()


def test_clocks_of_games_and_swap2_reach_the_engines(window, until, tmp_path):
    check(window, "Ann", "Bob")
    window.seconds.setValue(0)
    window.openings.setCurrentIndex(window.openings.findData("swap2"))
    window.pairs.setValue(2)
    press(window.start_button)
    assert "a limit for a move or for a game is needed" in window.state.text()
    assert not window.increment.isEnabled()
    window.match.setValue(30)
    window.increment.setValue(0.5)
    plan = window.plan()
    control = plan.settings().players[0].limits
    assert (control.turn, control.match, control.increment) == (None, 30, 0.5)
    assert plan.settings().swap2
    window.match.setValue(0)
    window.seconds.setValue(1)
    engines = (  # Ann can only propose, Bob only choose: the first game is played
        ("Ann", engine("Ann", "--row", "2", "--swap2", "0,0 1,0 0,1").player_config),
        ("Bob", engine("Bob", "--row", "9", "--swap2", "SWAP").player_config),
    )
    plan = replace(plan, engines=engines, seconds=1.0, pairs=1)
    path = tmp_path / "swap2.jsonl"
    run = TournamentRun(plan, path)
    failed = []
    run.failed.connect(failed.append)
    run.start()
    until(lambda: not run.is_playing)
    assert not failed
    first = run.match.games.records[0]
    assert first.extra["swap2"] == "Ann proposed; swap"
    assert first.black == "Bob"
    again = plan_of(path)
    assert again.swap2
    assert again.settings() == plan.settings()
    assert main(["--resume", "--out", str(path), "--json"]) == 0


def test_what_cannot_be_played_is_reported(window, tmp_path):
    press(window.start_button)
    assert "two engines" in window.state.text()
    assert not window.open_file(tmp_path / "none.jsonl")
    (tmp_path / "x.jsonl").write_text("hello\n")
    assert not window.open_file(tmp_path / "x.jsonl")
    assert "not a file of match games" in window.state.text()


def test_settings_of_engines_reach_them(until, tmp_path):
    told = Program("Cy", PAIR[0].command, str(tmp_path), 32, 2, "style 5; x y")
    engines = (("Cy", told.player_config), ("Bob", PAIR[1].player_config))
    plan = TournamentPlan(engines=engines, openings="none", pairs=1)
    spec = plan.settings().players[0].spec
    assert spec.cwd == str(tmp_path)
    assert spec.infos == (
        ("max_memory", str(32 << 20)),
        ("thread_num", "2"),
        ("style", "5"),
        ("x", "y"),
    )
    run = TournamentRun(plan, tmp_path / "t.jsonl")
    run.start()
    until(lambda: not run.is_playing)
    assert len(run.match.games.records) == 2


def test_closing_the_window_stops_nothing(window, until):
    check(window, "Ann", "Bob")
    window.pairs.setValue(3)
    press(window.start_button)
    window.close()
    assert not window.isVisible()
    until(lambda: not window.run.is_playing)
    assert window.games.count() == 6


def test_another_tournament_follows_a_finished_one(window, until, tmp_path):
    check(window, "Ann", "Bob")
    window.openings.setCurrentIndex(window.openings.findData("none"))
    press(window.start_button)
    until(lambda: not window.run.is_playing)
    first = window.run.path
    assert not window.engines.isEnabled()
    press(window.new_button)
    parts = (window.engines, window.rule, window.size_, window.seconds, window.openings)
    assert all(part.isEnabled() for part in parts)
    assert window.games.count() == 0
    assert window.table.rowCount() == 0
    assert window.start_button.text() == "&Start"
    window.offer_programs([*PAIR, engine("Cy", "--row", "5")])  # added in the meantime
    assert [name for name, _ in window.selected_engines()] == ["Ann", "Bob"]
    check(window, "Cy")
    press(window.start_button)
    until(lambda: window.run is not None and not window.run.is_playing)
    assert window.run.path != first
    assert window.table.rowCount() == 3
    assert window.run.match.is_over
