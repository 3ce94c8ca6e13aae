"""The three-minute storm of puzzles, from end to end."""

from functools import partial
from random import Random

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gomoku_brain.game.rules import Rule
from gomoku_brain.gui.model.storm import (
    PENALTY,
    SECONDS,
    Storm,
    StormResult,
    best_storms,
    result_from,
)
from gomoku_brain.gui.puzzles import coach
from gomoku_brain.study.puzzles import exercises
from tests.gui.clicks import act, click, press


class Time:
    """A clock that only the test moves."""

    seconds = 0.0

    def __call__(self):
        return self.seconds


@pytest.fixture
def now(monkeypatch):
    clock = Time()
    monkeypatch.setattr(coach, "Storm", partial(Storm, now=clock))
    return clock


def bar(window):
    return window.bar.text.text()


def wrong_move(lesson):
    moves = lesson.board.legal_moves()[::-1]
    return next(move for move in moves if move not in lesson.answers)


def solve(window, until):
    trainer, number = window.trainer, len(window.trainer._storm._left)
    while len(trainer._storm._left) == number and trainer.is_waiting:
        lesson = trainer.lesson
        click(window, lesson.answers[0])
        until(lambda lesson=lesson: trainer.lesson is not lesson)


def test_a_storm_by_mouse_and_keys(window, until, now):
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    control = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(window, Qt.Key.Key_M, control)
    trainer = window.trainer
    head = window.bar.head
    assert head.text().strip() == "3:00"
    assert head.fontMetrics().height() > 1.5 * window.bar.text.fontMetrics().height()
    assert "solved 0  ·  errors 0  ·  skipped 0  ·  with help 0" in bar(window)
    now.seconds = 5.0
    until(lambda: "2:55" in head.text())
    solve(window, until)
    assert "Yes, " in bar(window)
    assert head.text() == "2:55   ✓"
    assert "solved 1" in bar(window)
    lesson = trainer.lesson
    click(window, wrong_move(lesson))
    now.seconds = 65.0  # the check took a minute
    until(lambda: "errors 1" in bar(window))
    assert "10 s less" in bar(window)
    assert head.text() == "2:45   ✗"
    assert trainer.lesson.name != lesson.name, "the next puzzle"
    assert trainer._storm.seconds_left == SECONDS - 5 - PENALTY
    press(window, "Hint")
    assert "There is a win in" in bar(window)
    solve(window, until)
    assert "skipped 0  ·  with help 1" in bar(window)
    assert trainer._storm.seconds_left == SECONDS - 5 - PENALTY
    press(window, "Hint")
    QTest.keyClick(window, Qt.Key.Key_N)
    assert "skipped 1  ·  with help 1" in bar(window)
    assert trainer._storm.seconds_left == SECONDS - 5 - 2 * PENALTY, "no free skip"
    assert window.results.record.tried == 0, "the rating does not change"
    now.seconds = 500.0
    until(lambda: "Time is up." in bar(window))
    assert "This is your best storm." in bar(window)
    assert head.text() == "✓ 1   ✗ 3"
    assert not trainer.is_waiting
    archive = window.archive_controller.archive()
    (best,) = best_storms(archive)
    assert (best.solved, best.wrong, best.skipped, best.helped) == (1, 1, 1, 1)
    assert best.hardest > 0
    QTest.keyClick(window, Qt.Key.Key_N)
    assert head.text().strip() == "3:00", "another storm"
    now.seconds = 800.0
    until(lambda: "Your best storms: 1, 0" in bar(window))
    press(window, "Back to the game")
    assert trainer.lesson is None
    assert not trainer._timer.isActive()


def test_a_storm_that_ends_early_stores_what_was_tried(window, until, now):
    window.actions_["storm"].trigger()
    press(window, "End the storm")
    assert "The storm is over." in bar(window)
    archive = window.archive_controller.archive()
    assert best_storms(archive) == [], "nothing was tried"
    window.actions_["storm"].trigger()
    solve(window, until)
    window.actions_["storm"].trigger()
    assert [each.solved for each in best_storms(archive)] == [1]
    press(window, "Skip")
    window.close()
    assert [each.skipped for each in best_storms(archive)] == [0, 1]


def test_a_storm_that_is_ended_shows_its_result_and_the_missed_puzzles(
    window, until, now
):
    act(window, "storm")
    solve(window, until)
    missed = [window.trainer.lesson.name]
    press(window, "Skip")
    missed.append(window.trainer.lesson.name)
    press(window, "Hint")
    solve(window, until)
    press(window, "End the storm")
    text = "The storm is over. solved 1  ·  errors 0  ·  skipped 1  ·  with help 1"
    assert text in bar(window)
    archive = window.archive_controller.archive()
    assert [each.solved for each in best_storms(archive)] == [1]
    press(window, "The missed puzzles (2)")
    assert window.trainer.lesson.name == missed[0]
    assert "1 more to come" in bar(window)
    press(window, "Show the answer")
    press(window, "Next")
    assert window.trainer.lesson.name == missed[1]
    assert "This is the last one." in bar(window)
    press(window, "Finish")
    assert window.results.record.tried == 0, "the rating does not change"
    assert len(best_storms(archive)) == 1, "it is stored once"


def test_the_puzzle_of_the_day_is_not_in_the_storm(window, now):
    act(window, "train_day")
    today = window.trainer.lesson.name
    act(window, "storm")
    storm = window.trainer._storm
    names = {each.name for each in storm._left} | {window.trainer.lesson.name}
    assert names == {each.name for each in exercises()} - {today}


def test_the_clock_of_a_storm_is_true():
    now = Time()
    storm = Storm(exercises(), now=now, chance=Random(1))
    now.seconds = 10.0
    assert storm.seconds_left == 170
    storm.stop_clock()
    storm.stop_clock()
    now.seconds = 50.0
    assert storm.seconds_left == 170
    storm.run_clock()
    storm.run_clock()
    now.seconds = 51.0
    assert storm.seconds_left == 169
    storm.draw()
    storm.count("wrong")
    assert storm.seconds_left == 159
    now.seconds = 1000.0
    assert storm.seconds_left == 0
    assert storm.is_over


def test_puzzles_of_a_storm_become_harder_and_do_not_repeat():
    storm = Storm(exercises(), Rule.RENJU, chance=Random(1))
    found = []
    while (each := storm.draw()) is not None:
        found.append(each)
    assert len({each.name for each in found}) == len(found) == 100
    assert all(each.rule is Rule.RENJU for each in found)
    assert sum(e.rating for e in found[:5]) < sum(e.rating for e in found[15:20])


def test_results_are_stored_and_ordered(window):
    archive = window.archive_controller.archive()
    for solved, wrong, day in ((3, 1, 1), (5, 2, 2), (5, 1, 3)):
        result = StormResult(solved, wrong, date=f"2026-11-0{day}T10:00:00")
        assert result_from(result.to_text()) == result
        archive.note("storm:" + result.date, result.to_text())
    archive.note("storm:damaged", '{"solved": 9}')
    found = best_storms(archive)
    assert [(each.solved, each.wrong) for each in found] == [(5, 1), (5, 2), (3, 1)]


def test_a_storm_that_cannot_be_stored_is_reported(window, until, now):
    act(window, "storm")
    archive = window.archive_controller.archive()
    archive._base.execute("PRAGMA query_only = ON")
    now.seconds += SECONDS
    until(lambda: window.trainer._done)
    until(lambda: "games.db: attempt to write" in window.bar.text.text())
    assert best_storms(archive) == []
