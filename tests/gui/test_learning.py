"""Reviews, mistakes and puzzles, from end to end."""

from datetime import date
from random import Random

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gomoku_brain import Engine
from gomoku_brain.control.limits import Limits
from gomoku_brain.game.notation import parse_move
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.base import background
from gomoku_brain.gui.base.words import moves_text
from gomoku_brain.gui.game.autosave import Autosave
from gomoku_brain.gui.model import search_limits
from gomoku_brain.gui.model.game_players import GameConfig
from gomoku_brain.gui.model.game_tree import GameTree, Verdict
from gomoku_brain.gui.model.lessons import (
    Lesson,
    LessonAnswer,
    check,
    from_text,
    lessons_of,
    next_of_set,
    of_exercise,
    puzzle_of_day,
)
from gomoku_brain.gui.model.progress import SolverRecord
from gomoku_brain.gui.model.repetition import (
    INTERVALS,
    Repetition,
    repetition_of,
    with_repetition,
)
from gomoku_brain.gui.model.saved_game import from_text as game_from
from gomoku_brain.gui.model.saved_game import to_text
from gomoku_brain.gui.model.settings import GameChoice
from gomoku_brain.gui.model.storm import best_storms
from gomoku_brain.gui.study.review_list import accuracy
from gomoku_brain.records.game import Game
from gomoku_brain.study.annotate import Value
from gomoku_brain.study.puzzles import exercises, puzzle_levels
from tests.gui.clicks import act, click, press
from tests.gui.players import EASY, HUMAN

BLUNDER = Game(moves="h8 a1 i8 a3 j8 a5 b7 a7")


def solve(window, until):
    """Play a puzzle to its end."""
    trainer = window.trainer
    while trainer.is_waiting:
        lesson = trainer.lesson
        click(window, str(lesson.answers[0]))
        until(
            lambda lesson=lesson: trainer.lesson is not lesson or not trainer.is_waiting
        )


def key(window, key):
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    QTest.keyClick(window, key)


class TestReview:
    @pytest.fixture
    def reviewed(self, window, until, quick_review):
        window.games.show_game(GameTree(BLUNDER.copy()))
        act(window, "review")
        until(lambda: window.panel.review.list.topLevelItemCount() > 0)
        return window

    def test_mistakes_stay_in_a_list_and_show_what_was_better(self, reviewed):
        review = reviewed.panel.review
        texts = [
            [review.list.topLevelItem(k).text(c) for c in range(3)]
            for k in range(review.list.topLevelItemCount())
        ]
        row = next(k for k, text in enumerate(texts) if text[1] == "b7")
        assert "missed a win" in texts[row][2]
        assert "Black: accuracy" in review.accuracies.text()
        node = review.mistakes()[row]
        review.list.itemClicked.emit(review.list.topLevelItem(row), 0)
        assert reviewed.play.tree.node is node.parent
        best = reviewed.play.tree.verdicts[node].best
        assert reviewed.scene().line[0] == best
        reviewed.play.look_at(node)
        assert reviewed.scene().better == best
        assert review.list.topLevelItemCount() == len(texts), "it stays"

    def test_the_review_is_kept_with_the_game(self, reviewed):
        text = to_text(reviewed.play.tree, GameConfig())
        again = game_from(text).tree
        verdicts = [again.verdicts[node] for node in again.line()]
        tree = reviewed.play.tree
        assert verdicts == [tree.verdicts[node] for node in tree.line()]
        assert any(verdict.is_mistake for verdict in verdicts)

    def test_a_copy_of_the_game_is_judged(self, window, monkeypatch):
        tree = GameTree(BLUNDER.copy())
        tree.back(3)
        tree.play(parse_move("c3"))
        window.games.show_game(tree)
        given = []
        monkeypatch.setattr(window.study.analyst, "review", given.append)
        act(window, "review")
        (game,) = given
        assert game.moves == tree.node.path_moves()
        assert not {*game.nodes()} & {*tree.game.nodes()}

    def test_mistakes_are_tried_again(self, reviewed, until):
        act(reviewed, "learn")
        trainer = reviewed.trainer
        seen = []
        while trainer.lesson is not None:
            lesson = trainer.lesson
            seen.append(lesson)
            assert "Find a better move" in reviewed.bar.text.text()
            click(reviewed, str(lesson.played))
            until(lambda: "Try again" in reviewed.bar.text.text())
            assert reviewed.play.tree.ply == len(lesson.game.moves), "nothing is placed"
            click(reviewed, str(lesson.answers[0]))
            until(lambda: "Yes" in reviewed.bar.text.text())
            act(reviewed, "next_puzzle")
        assert seen
        assert reviewed.play.tree.shown_game().moves == BLUNDER.moves, (
            "the game is back"
        )
        assert reviewed.bar.name != "trainer"

    def test_mistakes_of_all_games_return_after_days(self, reviewed, until):
        archive = reviewed.archive_controller.autosave.archive
        before = archive.noted_all("game:")
        assert before
        today = date.today().toordinal()
        act(reviewed, "train_mistakes")
        lesson = reviewed.trainer.lesson
        click(reviewed, str(lesson.answers[0]))
        until(lambda: "Excellent" in reviewed.bar.text.text())
        assert repetition_of(archive.noted(lesson.name)) == (1, today + 1)
        for name in before:  # as if all others were solved, too
            state = Repetition(2, today + 3)
            archive.note(name, with_repetition(archive.noted(name), state))
        press(reviewed, "Back")
        assert reviewed.trainer.lesson is None
        act(reviewed, "train_mistakes")
        assert reviewed.trainer.lesson is None
        words = f"{len(before)} wait; days until the next: 3"
        assert words in reviewed.statusBar().currentMessage()
        archive.note(lesson.name, with_repetition(archive.noted(lesson.name), state))
        reviewed.learning.note_result(lesson.name, clean=False)
        assert repetition_of(archive.noted(lesson.name)) == (0, today + 1)
        last = Repetition(len(INTERVALS), today)
        archive.note(lesson.name, with_repetition(archive.noted(lesson.name), last))
        reviewed.learning.note_result(lesson.name, clean=True)
        assert len(archive.noted_all("game:")) == len(before) - 1, "it is finished"

    @pytest.mark.parametrize("help_", ["Hint", "Show the answer"])
    def test_help_with_a_mistake_counts_also_if_it_is_left(self, reviewed, help_):
        archive = reviewed.archive_controller.autosave.archive
        today = date.today().toordinal()
        for name, text in archive.noted_all("game:").items():
            archive.note(name, with_repetition(text, Repetition(2, today)))
        act(reviewed, "train_mistakes")
        name = reviewed.trainer.lesson.name
        assert repetition_of(archive.noted(name)) == (2, today)
        press(reviewed, help_)
        press(reviewed, "Back")
        assert repetition_of(archive.noted(name)) == (0, today + 1)

    def test_the_bar_runs_until_the_result_and_never_back(
        self, window, until, monkeypatch
    ):
        monkeypatch.setattr(search_limits, "REVIEW", Limits(nodes=1000))
        window.games.show_game(GameTree(BLUNDER.copy()))
        panel, seen = window.panel, []
        panel.progress.valueChanged.connect(seen.append)
        ended = []
        window.study.reviewed.connect(lambda line: ended.append(panel.progress.value()))
        window.tabs.setCurrentWidget(panel)
        QTest.mouseClick(panel.review_button, Qt.MouseButton.LeftButton)
        job = window.study.analyst._job
        until(lambda: panel.progress.value() > 300)
        QTest.mouseClick(panel.review_button, Qt.MouseButton.LeftButton)
        assert window.study.analyst._job is job, "a second press starts nothing anew"
        while not ended:
            assert panel.progress.isVisible(), "the bar stays until the result"
            QTest.qWait(5)
        assert not panel.progress.isVisible()
        assert ended == [1000]
        assert seen == sorted(seen)
        assert len([value for value in seen if value > 500]) > 2

    def test_a_game_without_moves_is_not_reviewed(self, window):
        QTest.mouseClick(window.panel.review_button, Qt.MouseButton.LeftButton)
        window.study.judge()
        assert "no moves" in window.panel.finding.text()
        assert not window.panel.progress.isVisibleTo(window.panel)

    def test_a_click_on_the_ending_reviews_the_game(self, window, until, quick_review):
        window.games.start(GameChoice(black=HUMAN, white=HUMAN))
        for cell in "h8 a1 i8 a3 j8 a5 k8 a7 l8".split():
            click(window, cell)
        press(window, "Review")
        until(lambda: window.panel.review.isVisibleTo(window.panel))
        assert window.tabs.currentWidget() is window.panel


class TestPuzzles:
    def test_a_puzzle_is_solved_with_rating_streak_and_next_by_one_key(
        self, window, until
    ):
        act(window, "train")
        assert "your rating 900" in window.bar.text.text()
        solve(window, until)
        until(lambda: "Excellent" in window.bar.text.text())
        assert window.hint_text.text() == "That was the answer. Press N to continue."
        assert window.results.record.rating > 900
        assert window.results.record.streak == 1
        assert len(window.results.record.solved) == 1
        QTest.keyClick(window, Qt.Key.Key_N)
        until(lambda: window.trainer.is_waiting)
        assert window.hint_text.text().startswith("Your answer")
        press(window, "Show the answer")
        assert window.hint_text.text() == "That was the answer. Press N to continue."
        assert window.results.record.streak == 0
        assert window.results.record.longest == 1

    def test_a_puzzle_is_played_to_its_end_against_the_defence(self, window, until):
        long = next(k for k, e in enumerate(exercises(), 1) if e.plies >= 7)
        window.results.change(lambda record: record.with_open(long))
        act(window, "train")
        first = window.trainer.lesson
        click(window, str(first.answers[0]))
        until(lambda: window.trainer.lesson is not first)
        assert window.play.tree.ply == len(first.game.moves) + 2, "the defence replied"
        assert "still wins by force" in window.bar.text.text()
        assert window.results.record.tried == 0, "it counts at the end"
        wins = [window.trainer.lesson.before.win_in]
        wrong = next(
            m
            for m in window.trainer.lesson.board.legal_moves()
            if m not in window.trainer.lesson.answers
        )
        click(window, str(wrong))
        until(lambda: "Try again" in window.bar.text.text())
        assert window.results.record.tried == 1
        solve(window, until)
        wins.append(window.trainer.lesson.before.win_in)
        assert wins[-1] < first.before.win_in
        assert window.play.ending is not None or wins[-1] <= 3
        assert "Yes" in window.bar.text.text()
        assert "Excellent" not in window.bar.text.text()
        assert window.results.record.tried == 1, "counted once"
        assert window.results.record.streak == 0

    def test_the_answer_is_played_out_on_the_board_to_the_five(self, window, until):
        window.trainer._mover.setInterval(0)
        window.results.change(lambda record: record.with_open(150))
        act(window, "train")
        start, tree = len(window.trainer.lesson.game.moves), window.play.tree
        press(window, "Show the answer")
        assert tree.ply == start + 1
        act(window, "back")
        until(lambda: window.trainer._moves)
        QTest.qWait(5)
        assert tree.ply == start, "it waits while the person looks elsewhere"
        act(window, "forward")
        until(lambda: tree.ending is not None)
        assert tree.ply == start + exercises()[149].plies
        assert window.bar.name == "trainer"

    def test_a_solution_ends_with_its_puzzle(self, window, until):
        window.trainer._mover.setInterval(0)
        window.results.change(lambda record: record.with_open(150))
        act(window, "train")
        press(window, "Show the answer")
        press(window, "Next")
        ply = window.play.tree.ply
        until(lambda: not background._running)
        QTest.qWait(5)
        assert window.play.tree.ply == ply

    def test_hints_come_in_steps_and_cost_the_rating(self, window):
        act(window, "train")
        best = window.trainer.lesson.answers[0]
        act(window, "hint")
        assert "There is a win in" in window.bar.text.text()
        assert window.results.record.rating < 900
        act(window, "hint")
        assert "Look at column" in window.bar.text.text()
        assert window.scene().hint is None
        act(window, "hint")
        assert window.scene().hint == best

    def test_a_wrong_move_is_not_placed_and_counts_once(self, window, until):
        act(window, "train")
        lesson = window.trainer.lesson
        wrong = next(
            m for m in lesson.board.legal_moves()[::-1] if m not in lesson.answers
        )
        for _ in range(2):
            click(window, str(wrong))
            until(lambda: "Try again" in window.bar.text.text())
        assert window.results.record.tried == 1

    def test_a_click_on_another_position_only_returns_to_the_puzzle(
        self, window, until
    ):
        act(window, "train")
        lesson, node = window.trainer.lesson, window.play.tree.node
        answer = lesson.answers[0]
        for _ in range(2):
            key(window, Qt.Key.Key_PageUp)
        assert window.play.tree.node is not node
        assert "Not the puzzle's position" in window.hint_text.text()
        assert not window.board.may_place(answer)
        click(window, str(answer))
        assert window.play.tree.node is node
        assert window.results.record.tried == 0
        assert "Your answer" in window.hint_text.text()
        click(window, str(answer))
        key(window, Qt.Key.Key_PageUp)  # during the check
        until(lambda: node.variations)
        assert node.variations[0].move == answer
        assert window.trainer.is_shown or not window.trainer.is_waiting

    def test_the_answer_and_hints_are_shown_in_the_position_of_the_puzzle(self, window):
        act(window, "train")
        lesson, node = window.trainer.lesson, window.play.tree.node
        for _ in range(3):
            key(window, Qt.Key.Key_PageUp)
            press(window, "Hint")
            assert window.play.tree.node is node
        assert window.scene().hint == lesson.answers[0]
        key(window, Qt.Key.Key_PageUp)
        press(window, "Show the answer")
        assert window.play.tree.node.parent is node

    def test_the_analysis_gives_no_answer_to_a_puzzle(self, window, until, settings):
        settings.threats = True
        act(window, "analyze")
        act(window, "train")
        act(window, "solve")
        assert "find the win yourself" in window.panel.finding.text()
        assert not window.study.analyst.watching
        assert not window.study.analyst.busy
        assert window.scene().shapes == ()
        act(window, "show_proof")
        assert "waits for your answer" in window.proof_panel.state.text()
        assert window.scene().hint is None
        press(window, "Show the answer")
        assert window.study.analyst.watching, "afterwards it may be analysed"
        assert "waits for your answer" not in window.proof_panel.state.text()

    def test_a_reproach_does_not_contain_the_answer(self, window):
        act(window, "train")
        trainer = window.trainer
        best = trainer.lesson.answers[0]
        wrong = parse_move("a1")
        text = trainer._reproach(
            trainer.lesson, wrong, LessonAnswer(False, (best,), Value(-1))
        )
        assert str(best) not in text
        assert "Not a1" in text

    def test_leaving_is_no_answer_and_chooses_no_other_puzzle(
        self, window, settings, tmp_path, monkeypatch
    ):
        monkeypatch.setattr(window.games, "may_leave_game", lambda question: True)
        fresh = SolverRecord(rating=950.0, streak=3)
        window.results.change(lambda record: fresh)
        act(window, "train")
        name = window.trainer.lesson.name
        file = tmp_path / "game.sgf"
        file.write_text("(;GM[4]SZ[15];B[hh])")
        ways = [
            lambda: press(window, "Back to the game"),
            lambda: act(window, "train_day"),
            lambda: (act(window, "storm"), press(window, "End the storm")),
            lambda: act(window, "edit_position"),
            lambda: window.files.open_file(file),
            lambda: window.rated.begin(44),
            lambda: window.games.start(GameChoice(black=HUMAN, white=HUMAN)),
            lambda: window.games.start_puzzle(puzzle_levels()[0]),
            window.close,
        ]
        for leave in ways:
            act(window, "train")
            assert window.trainer.lesson.name == name, "it is shown again"
            leave()
            assert window.results.record.with_open(0) == fresh
            assert (window.mode.activity is window.trainer) == (
                window.trainer.lesson is not None
            )
        assert window.trainer.lesson is None
        assert best_storms(window.archive_controller.archive()) == [], "nothing tried"

    def test_next_leads_on_only_after_an_attempt(self, window, until, settings):
        act(window, "train")
        first = window.trainer.lesson
        assert not any("Next" in button.text() for button in window.bar.buttons)
        key(window, Qt.Key.Key_N)
        assert window.trainer.lesson is first
        assert "Try this puzzle first" in window.bar.text.text()
        assert window.results.record == SolverRecord().with_open(int(first.name[4:]))
        press(window, "Show the answer")
        assert window.results.record.tried == 1
        assert window.results.record.rating < 900
        key(window, Qt.Key.Key_N)
        assert window.trainer.lesson.name != first.name
        assert window.results.record.tried == 1

    def test_the_puzzle_of_the_day_is_no_way_around_an_open_puzzle(self, window):
        act(window, "train")
        first = window.trainer.lesson
        press(window, "Back")
        act(window, "train_day")
        press(window, "Show the answer")
        act(window, "train")
        assert window.trainer.lesson.name == first.name

    def test_a_click_on_a_stone_is_refused_with_the_reason(self, window, until):
        act(window, "train")
        lesson = window.trainer.lesson
        click(window, str(lesson.game.moves[0]))
        assert "occupied" in window.statusBar().currentMessage()
        assert window.trainer._pending is None
        press(window, "Show the answer")
        click(window, str(lesson.game.moves[0]))
        assert "occupied" in window.statusBar().currentMessage()

    def test_the_game_comes_back_after_the_puzzles(self, window, until):
        click(window, "h8")
        until(lambda: window.play.tree.ply == 2)
        act(window, "pause")
        moves = window.play.tree.shown_game().moves
        window.play.set_free(True)
        act(window, "train")
        press(window, "Back")
        assert window.play.tree.shown_game().moves == moves
        kinds = {row.kind for row in window.archive_controller.autosave.archive.games()}
        assert "puzzle" not in kinds, "puzzles are no games"

    def test_a_game_that_has_not_begun_comes_back_and_goes_on(self, window, until):
        window.games.start(GameChoice(black=EASY, white=HUMAN))
        act(window, "train")
        press(window, "Back")
        assert not window.play.paused
        until(lambda: window.play.tree.ply == 1)

    def test_swap2_begins_again_after_a_puzzle(self, window):
        window.games.start(GameChoice(black=HUMAN, white=EASY, swap2=True))
        act(window, "train")
        press(window, "Back")
        assert window.play.stage == "place three"

    def test_a_level_and_its_hint_promise_the_same_win(self, window, until):
        level = puzzle_levels()[1]
        window.games.start_puzzle(level)
        assert f"wins in {moves_text(level.plies)}" in window.hint_text.text()
        for _ in range(3):
            assert window.scene().hint is None
            act(window, "hint")
        assert window.scene().hint == level.move
        words = f"(Black wins in {moves_text(level.plies)})"
        assert words in window.statusBar().currentMessage()


class TestPuzzleOfTheDay:
    def test_it_is_solved_once_a_day_and_counts_days_in_a_row(self, window, until):
        today = date.today().toordinal()
        window.results.change(lambda record: SolverRecord(days=[today - 2, today - 1]))
        window.activateWindow()
        act(window, "train_day")
        lesson = window.trainer.lesson
        assert lesson.name == puzzle_of_day(exercises(), today).name
        assert f"Puzzle of the day {date.today()}" in window.bar.text.text()
        assert "days in a row: 2" in window.bar.text.text()
        solve(window, until)
        until(lambda: "Excellent" in window.bar.text.text())
        assert "days in a row: 3" in window.bar.text.text()
        assert window.results.record.tried == 1
        press(window, "Finish")
        assert window.trainer.lesson is None
        act(window, "train_day")
        solve(window, until)
        until(lambda: "Excellent" in window.bar.text.text())
        assert window.results.record.tried == 1, "rated once"
        assert window.results.record.day_streak(today) == 3

    def test_a_failed_day_is_not_rated_again(self, window):
        act(window, "train_day")
        press(window, "Hint")
        assert window.results.record.tried == 1
        rating = window.results.record.rating
        press(window, "Back")
        act(window, "train_day")
        press(window, "Hint")
        assert (window.results.record.tried, window.results.record.rating) == (
            1,
            rating,
        )

    def test_a_shown_answer_is_no_solved_day(self, window):
        act(window, "train_day")
        press(window, "Show the answer")
        assert window.results.record.days == []
        assert "days in a row: 0" in window.bar.text.text()

    def test_a_day_without_a_puzzle_ends_the_row(self):
        record = SolverRecord(days=[1, 2, 4, 5, 6])
        assert record.day_streak(6) == 3
        assert record.day_streak(7) == 3, "today is open"
        assert record.day_streak(8) == 0

    def test_every_puzzle_has_its_day(self):
        found = exercises()
        names = {puzzle_of_day(found, day).name for day in range(len(found))}
        assert len(names) == len(found)


class TestLessons:
    def test_every_proved_win_is_accepted_and_nothing_else(self):
        lesson = of_exercise(exercises()[60])
        with Engine(hash_mb=8) as engine:
            for move in lesson.answers:
                assert check(engine, lesson, move).right
            wrong = [m for m in lesson.board.legal_moves() if m not in lesson.answers]
            assert not check(engine, lesson, wrong[0]).right

    def test_a_lesson_comes_back_from_its_text(self):
        lesson = Lesson(
            "game:1:3",
            Game(15, Rule.RENJU, moves="h8 i9"),
            (parse_move("j10"),),
            Value(50, None),
            parse_move("a1"),
        )
        again = from_text("game:1:3", lesson.to_text())
        assert again._replace(game=lesson.game) == lesson
        assert again.to_text() == lesson.to_text()
        for text in ("", "{}", "[]", '{"rule": "go"}'):
            with pytest.raises(ValueError):  # noqa: PT011  JSON's own, too
                from_text("x", text)

    def test_only_the_mistakes_of_the_learner_are_asked(self):
        tree = GameTree(BLUNDER.copy())
        for node in tree.line():
            line = (parse_move("o15"),)
            tree.verdicts[node] = Verdict("blunder", 0.5, line, Value(100), Value(-100))
        found = lessons_of(tree, tree.line(), [Side.WHITE])
        assert [len(each.game.moves) for each in found] == [1, 3, 5, 7]

    def test_the_next_puzzle_is_as_hard_as_the_solver_is_good(self):
        found = exercises()
        for rating in (500, 1500, 2200):
            chosen = next_of_set(found, SolverRecord(rating=rating), Random(1))
            assert abs(chosen.rating - rating) < 150
            for seed in range(30):
                again = next_of_set(
                    found, SolverRecord(rating=rating), Random(seed), last=chosen.name
                )
                assert again.name != chosen.name
        solved = SolverRecord(rating=455, solved=list(range(1, 101)))
        chosen = next_of_set(found, solved, Random(1))
        assert int(chosen.name[4:]) > 100

    def test_progress_moves_and_is_remembered(self, tmp_path):
        won = SolverRecord().after(900, True)
        assert won.rating == 940
        assert won.after(900, False).streak == 0
        first = Autosave(tmp_path / "games.db")
        first.results.change(lambda record: won.with_solved(7))
        first.close()
        again = Autosave(tmp_path / "games.db")
        assert again.results.record == won.with_solved(7)
        again.close()

    def test_accuracy_is_whole_without_losses(self):
        assert accuracy([]) is None
        assert accuracy([0, 0]) == 100
        assert 30 < accuracy([0.2]) < 40
