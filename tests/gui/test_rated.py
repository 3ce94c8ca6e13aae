"""Rated games against the levels, from end to end."""

import sqlite3

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLabel, QMessageBox

from gomoku_brain.gui.base.words import side_name
from gomoku_brain.gui.dialogs.results_dialog import ResultsDialog
from gomoku_brain.gui.game import rated_games
from gomoku_brain.gui.game.rated_dialog import RatedDialog
from gomoku_brain.gui.model.game_tree import Ending
from gomoku_brain.gui.model.level_rating import (
    START,
    OpenGame,
    RatedResult,
    after,
    expected_score,
    history,
    level_rating,
    note_open,
    open_game,
    rating_of,
    store,
)
from gomoku_brain.gui.model.progress import SolverRecord
from gomoku_brain.gui.model.storm import StormResult
from gomoku_brain.gui.window.app import App
from gomoku_brain.levels.ladder import LEVELS
from tests.gui.clicks import act


def press(widget, label):
    button = next(b for b in widget.buttons() if label in b.text())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def in_dialog(kind, do, seen):
    """Do something in the next dialog of this kind."""

    def look():
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, kind):
            seen.append(dialog)
            do(dialog)
        else:
            QTimer.singleShot(5, look)

    QTimer.singleShot(0, look)


def choose(label):
    return lambda dialog: press(dialog.findChild(QDialogButtonBox), label)


def answer(name):
    return lambda box: QTest.mouseClick(
        next(b for b in box.buttons() if b.objectName() == name),
        Qt.MouseButton.LeftButton,
    )


@pytest.fixture
def rated(window, until):
    """A window with a rated game in which it is the person's turn."""
    seen = []
    in_dialog(RatedDialog, choose("Play"), seen)
    act(window, "rated")
    assert "Your rating: 1000 after 0 rated games." in texts_of(seen[0])
    text, turn = window.bar.text.text(), window.play.tree.turn
    until(lambda: window.play.waits_for_person)
    mine = window.play.people[0]
    assert "against Gomoku Brain, " in text
    assert f"you play {side_name(mine)}" in text
    assert ("is yours" in text) is (turn is mine)
    assert window.bar.text.text() == text, "it stays when the brain has moved"
    return window


def texts_of(dialog):
    return " ".join(label.text() for label in dialog.findChildren(QLabel))


def archive_of(window):
    return window.archive_controller.archive()


def finish(window, person_wins):
    side = window.play.people[0]
    winner = side if person_wins else side.other
    window.play._finish(Ending.won_by(winner, "resigned"))


def test_a_loss_that_leaves_the_rating_has_no_plus(rated):
    rated.rated.last = RatedResult("2026-11-28", 100, 0.0, 399.8, 1)
    rated.rated.before = 400.2
    assert rated.rated.words().endswith("your rating is 400 (±0).")


def test_a_rated_game_changes_the_rating_and_is_in_the_history(rated):
    (level,) = [s for s in rated.play.slots.values() if s.kind == "brain"]
    assert abs(level_rating(level.strength) - START) < 150, "the nearest level"
    assert rated.turn_text.text().startswith("Rated")
    assert rated.play.tree.ply, "an opening of the book"
    opened = open_game(archive_of(rated))
    assert opened.strength == level.strength
    finish(rated, person_wins=True)
    (result,) = history(archive_of(rated))
    assert result.game == opened.game
    assert result.rating > START
    assert open_game(archive_of(rated)) is None
    assert f"your rating is {round(result.rating)} (+" in rated.bar.text.text()
    assert not rated.turn_text.text().startswith("Rated")
    assert not rated.play.undo(), "a game that is over stays as it ended"
    seen = []
    in_dialog(RatedDialog, lambda dialog: dialog.reject(), seen)
    act(rated, "rated")
    assert "after 1 rated games" in texts_of(seen[0])


def test_help_makes_a_game_unrated_after_a_question(rated, until):
    play, seen = rated.play, []
    ply = play.tree.ply
    for name in ("hint", "free"):
        in_dialog(QMessageBox, answer("no"), seen)
        act(rated, name)
        assert "unrated" in seen[-1].text()
        assert rated.rated.is_on
        assert play.tree.ply == ply
        assert not rated.actions_["free"].isChecked()
    in_dialog(QMessageBox, answer("yes"), seen)
    act(rated, "hint")
    assert not rated.rated.is_on
    assert open_game(archive_of(rated)) is None
    finish(rated, person_wins=True)
    assert history(archive_of(rated)) == []
    assert "rating" not in rated.bar.text.text()


def test_an_earlier_position_is_no_take_back_without_a_question(rated):
    play, seen = rated.play, []
    act(rated, "back")
    act(rated, "back")
    ply = play.tree.ply
    in_dialog(QMessageBox, answer("no"), seen)
    act(rated, "pause")
    assert play.reviewing
    cell = play.tree.board.legal_moves()[0]
    point = rated.board.position_of(cell).toPoint()
    in_dialog(QMessageBox, answer("no"), seen)
    QTest.mouseClick(rated.board, Qt.MouseButton.LeftButton, pos=point)
    assert len(seen) == 2
    assert play.tree.ply == ply
    act(rated, "last")
    act(rated, "pause")
    assert not play.paused, "the end of the game needs no question"
    assert rated.rated.is_on


def test_nothing_helps_in_a_rated_game(rated, until, settings):
    settings.threats = settings.evaluation_in_play = settings.warnings = True
    act(rated, "analyze")
    act(rated, "solve")
    assert "rated game" in rated.panel.finding.text()
    act(rated, "review")
    assert "rated game" in rated.panel.finding.text()
    assert not rated.study.analyst.watching
    assert not rated.study.analyst.busy
    assert rated.scene().shapes == ()
    act(rated, "show_explorer")
    assert rated.explorer.table.topLevelItemCount() == 0
    assert "rated game" in rated.explorer.state.text()
    act(rated, "show_proof")
    assert rated.scene().hint is None
    assert "rated game" in rated.proof_panel.state.text()
    finish(rated, person_wins=False)
    until(lambda: rated.study.analyst.watching)


def test_a_game_that_is_left_goes_on_or_counts_as_lost(rated, until):
    archive, tree = archive_of(rated), rated.play.tree
    number = archive.number_of(tree)
    seen = []
    in_dialog(QMessageBox, answer("yes"), seen)
    rated.games.restart()
    assert rated.play.tree is not tree
    assert open_game(archive).game == number
    in_dialog(RatedDialog, choose("Continue"), seen)
    act(rated, "rated")
    assert "counts as lost" in texts_of(seen[-1])
    assert archive.number_of(rated.play.tree) == number
    assert rated.rated.is_on
    in_dialog(RatedDialog, choose("Play"), seen)
    act(rated, "restart")
    (result,) = history(archive)
    assert (result.score, result.game) == (0.0, number)
    assert archive.number_of(rated.play.tree) == open_game(archive).game != number
    assert "rated" not in archive.read(number).tree.facts


def test_a_rated_game_goes_on_after_a_restart(qt, tmp_path):
    first = App(qt, tmp_path)
    window = first.start()
    window.rated.begin(44)
    number = open_game(archive_of(window)).game
    window.play.pause()
    window.study.analyst.rest()
    first.finish()
    second = App(qt, tmp_path)
    window = second.start()
    assert window.rated.is_on
    assert archive_of(window).number_of(window.play.tree) == number
    window.play.resume()
    window.play.resign()
    assert [each.score for each in history(archive_of(window))] == [0.0]
    window.study.analyst.rest()
    second.finish()


def test_escape_keeps_the_game_rated(rated):
    seen = []
    in_dialog(QMessageBox, lambda box: QTest.keyClick(box, Qt.Key.Key_Escape), seen)
    act(rated, "hint")
    assert rated.rated.is_on
    assert seen


def test_the_log_is_empty_until_the_end(rated, until):
    rated.play.log.writer("Brain")("< ev 12 pv h8")
    act(rated, "log")
    rated.log.fetch()
    assert rated.log.text.toPlainText() == ""
    assert "rated game" in rated.log.text.placeholderText()
    finish(rated, person_wins=True)
    assert "pv h8" in rated.log.text.toPlainText()


def test_a_game_that_cannot_count_is_not_called_rated(window, monkeypatch):
    def fail(*arguments):
        raise sqlite3.OperationalError("database is locked")

    monkeypatch.setattr(rated_games, "note_open", fail)
    window.rated.begin(44)
    assert not window.rated.is_on
    assert "cannot be rated" in window.statusBar().currentMessage()


def test_the_rating_follows_the_games_also_if_the_clock_goes_back(window):
    archive = archive_of(window)
    note_open(archive, OpenGame(2, 33))
    store(archive, "2026-10-25T02:50:00.000", 33, 1.0, 1)
    last = store(archive, "2026-10-25T02:10:00.000", 33, 0.0, 2)
    assert history(archive)[-1] == last
    assert rating_of(history(archive)) == last.rating
    assert open_game(archive) is None, "stored with the result"


def test_the_formula_is_elo_s():
    assert [level_rating(level.strength) for level in LEVELS][::9] == [400, 2401]
    assert expected_score(level_rating(44), 44) == 0.5
    assert after(1178.0, 20, 44, 1.0) == 1194
    assert after(1178.0, 0, 44, 0.0) == 1146
    assert after(100.0, 20, 0, 0.0) == 100, "the lowest rating"


def test_the_history_survives_damage_of_an_entry(window):
    archive = archive_of(window)
    for day, score in ((1, 1.0), (2, 0.5), (3, 0.0)):
        store(archive, f"2026-11-0{day}T10:00:00.000", 33, score, day)
    archive.note("rated:x", "[1, 2")
    archive.note("rated:y", '["2026", 34, 1, 1, 1]')
    found = history(archive)
    assert [each.score for each in found] == [1.0, 0.5, 0.0]
    assert found[0].rating > START > found[1].rating - 60
    note_open(archive, OpenGame(3, 44))
    assert open_game(archive) == (3, 44)
    archive.note("rated-open", "[1, 45]")
    assert open_game(archive) is None


def test_the_results_show_the_curve_and_the_games(window, monkeypatch):
    archive = archive_of(window)
    for day in range(1, 8):
        store(archive, f"2026-11-0{day}T10:00:00.000", 33, day % 2, day)
    storm = StormResult(7, date="2026-11-02T10:00:00")
    archive.note("storm:2026", storm.to_text())
    act(window, "results")
    (dialog,) = window.findChildren(ResultsDialog)
    last = history(archive)[-1]
    assert f"{round(last.rating)} (Elo). Games: 7, won 4" in dialog.head.text()
    assert dialog.list.topLevelItem(0).text(3) == str(round(last.rating))
    assert dialog.storms.text() == "Best storms, solved puzzles: 7 (2026-11-02)."
    assert str(round(last.rating)) in dialog.curve.accessibleDescription()
    low, high = dialog.curve.span()
    assert low < START < high
    assert not dialog.grab().isNull()
    dialog.reject()


@pytest.mark.parametrize("zoom", [100, 200])
def test_both_dialogs_fit_a_small_screen(window, monkeypatch, zoom):
    window.settings.zoom = zoom
    window.switches.show_look()
    theme = window.presenter.theme
    for dialog in (
        RatedDialog([], OpenGame(1, 44), window),
        ResultsDialog([], SolverRecord(), [], theme, window),
    ):
        dialog.resize(1000, 540)
        dialog.show()
        QTest.qWait(20)
        assert dialog.height() <= 560
        assert dialog.width() <= 1000
        for button in dialog.findChild(QDialogButtonBox).buttons():
            corner = button.mapTo(dialog, button.rect().bottomRight())
            assert dialog.rect().contains(corner)
        dialog.reject()
    window.settings.zoom = 100
    window.switches.show_look()
