"""The first screen: its choices, and when it is shown."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.model.game_players import PlayerConfig
from gomoku_brain.gui.model.settings import GameChoice, Program
from gomoku_brain.gui.window.app import App
from gomoku_brain.gui.window.start_page import StartPage
from gomoku_brain.records.game import Game
from tests.gui.clicks import act, click
from tests.gui.players import EASY, HUMAN


@pytest.fixture
def start(qt, tmp_path):
    """Start the program in one folder, again and again."""
    made = []

    def begin(**options):
        if made:
            made[-1].window.close()
        made.append(App(qt, tmp_path))
        return made[-1].start(**options)

    yield begin
    made[-1].window.close()
    made[-1].set_language("en")


def press(page, label):
    button = next(b for b in page.findChildren(QPushButton) if b.text() == label)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_game_is_chosen_in_one_row(start, until):
    window = start()
    page = window.view.page
    assert isinstance(page, StartPage)
    assert not window.cards[Side.BLACK].isVisible()
    page.opponent.setCurrentText("Gomoku Brain, Easy")
    page.colour.setCurrentText("You: White")
    press(page, "Play")
    assert window.view.page is None
    assert window.cards[Side.BLACK].isVisible()
    assert window.play.slots == {Side.BLACK: EASY, Side.WHITE: HUMAN}
    assert window.settings.game.white == HUMAN
    until(lambda: window.play.tree.ply == 1)
    click(window, "a1")
    assert window.play.tree.ply == 2


def test_it_is_not_in_front_of_a_game_that_comes_back_or_is_opened(start, tmp_path):
    window = start()
    QTest.keyClick(window.view.page, Qt.Key.Key_Escape)
    assert window.view.page is None
    click(window, "h8")
    window = start()
    assert window.view.page is None, "the game goes on"
    assert "restored: You (black) against Gomoku Brain" in window.bar.text.text()
    file = tmp_path / "moves.txt"
    file.write_text("h8 i9")
    assert start(file=file).view.page is None


def test_it_is_in_front_of_a_finished_game(start):
    window = start()
    moves = tuple(parse_moves("h8 a1 i8 a3 j8 a5 k8 a7"))
    window.games.start(GameChoice(black=HUMAN, white=HUMAN), Game(moves=moves))
    click(window, "l8")
    page = start().view.page
    assert page is not None
    assert page.back_button.text() == "To the board"


def test_it_names_the_game_under_way_and_pauses_it(window):
    moves = tuple(parse_moves("h8 i9"))
    window.games.start(GameChoice(black=HUMAN, white=EASY), Game(moves=moves))
    act(window, "start_page")
    assert window.play.paused
    texts = [label.text() for label in window.view.page.findChildren(QLabel)]
    assert any("You (black) against Gomoku Brain, Easy (white)" in t for t in texts)
    press(window.view.page, "Continue the game")
    assert window.view.page is None
    assert not window.play.paused
    act(window, "pause")
    act(window, "start_page")
    press(window.view.page, "Continue the game")
    assert not window.play.paused, "one click continues a paused game, too"
    act(window, "start_page")
    window.step(-1)
    assert window.view.page is None
    assert window.play.reviewing, "an earlier position starts no clock"


@pytest.mark.parametrize("name", ["free", "pause", "marks", "heat", "solve"])
def test_whatever_is_done_on_the_board_is_seen(window, name):
    window.play.set_player(Side.WHITE, PlayerConfig())
    act(window, "start_page")
    act(window, name)
    assert window.view.page is None


def test_a_study_that_is_on_stays_on(window):
    act(window, "free")
    click(window, "h8")
    act(window, "start_page")
    press(window.view.page, "Study board")
    assert window.view.page is None
    assert window.play.free


def test_a_game_that_cannot_start_is_not_the_next_choice(window, monkeypatch):
    said = []
    place = "gomoku_brain.gui.game.game_starter.show_warning"
    monkeypatch.setattr(place, lambda *words: said.append(words[-1]))
    before = window.settings.game
    window.settings.programs = [Program("bad", "'unclosed")]
    act(window, "start_page")
    window.view.page.opponent.setCurrentText("bad")
    press(window.view.page, "Play")
    assert said == ["No closing quotation"]
    assert window.settings.game == before, "else each start of the program would fail"


def test_a_message_stands_beside_it(window):
    act(window, "start_page")
    assert not window.bar.isVisible()
    window.notices.show_failure("The disk is full.")
    assert window.bar.isVisible()
    assert window.view.page is not None


def test_it_stays_in_another_language(start, qt):
    window = start()
    window.settings.language = "zh_CN"
    window.language_changed.emit()
    pages = [w for w in qt.allWidgets() if isinstance(w, StartPage) and w.isVisible()]
    assert [page.play_button.text() for page in pages] == ["开始"]
