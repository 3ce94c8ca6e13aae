"""A position studied by programs: what they say and do wrong is shown."""

import pytest
from PySide6.QtCore import Qt

from gomoku_brain.client.brain import BrainFault, EngineSpec
from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.gui.model import program_analysis
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.gui.model.program_analysis import ProgramWatch
from gomoku_brain.gui.model.settings import Program
from gomoku_brain.records.game import Game
from tests.gui.players import posix, program
from tests.match.engines import fake

GAME = Game(moves="h8 i9 g9 i7")
BOARD = Board.from_moves(GAME.moves)


class Listener:
    def __init__(self):
        self.news = []

    def report(self, news):
        self.news.append(news)


@pytest.fixture(autouse=True)
def short_rounds(monkeypatch):
    monkeypatch.setattr(program_analysis, "ROUNDS", (0.1, 0.2))


def test_our_own_brain_as_a_program_states_its_line():
    heard = Listener()
    spec = EngineSpec("Ours", ("ours",))
    log = []
    board = Board.from_moves(parse_moves("h8 i9 a1 i7"))  # no proof plays a1
    ProgramWatch(spec, board, log.append).run(heard)
    last = heard.news[-1]
    assert last.program == "Ours"
    assert last.figures.depth >= 1
    assert len(last.line) > 1
    assert board.is_empty(last.line[0])
    assert any(line.startswith("> BOARD") for line in log)


def test_a_program_that_says_nothing_states_its_move():
    heard = Listener()
    ProgramWatch(fake("--row", "3"), BOARD).run(heard)
    assert heard.news[-1].line == (Move(0, 3),)
    assert heard.news[-1].figures.score is None


def test_a_sure_result_ends_the_questions():
    log = []
    ProgramWatch(fake("win", "1"), BOARD, log.append).run(Listener())
    assert sum(line == "> DONE" for line in log) == 1


def test_a_wrong_answer_is_reported():
    with pytest.raises(BrainFault, match="occupied"):
        ProgramWatch(fake("--moves", "7,7"), BOARD).run(Listener())


@posix
class TestInTheWindow:
    @pytest.fixture
    def choose(self, window):
        def chosen(*arguments):
            command = program(*arguments).command
            window.settings.programs = [Program("Pela", command)]
            window.dialogs.programs_changed.emit()
            panel = window.panel
            panel.analyst.setCurrentIndex(panel.analyst.findData("Pela"))
            panel.analyst.activated.emit(panel.analyst.currentIndex())
            window.games.show_game(GameTree(GAME.copy()))
            window.actions_["analyze"].trigger()
            return panel

        return chosen

    def test_any_program_analyses(self, window, until, choose):
        panel = choose("--row", "3", "chatty", "1")
        until(lambda: panel.table.topLevelItemCount() == 1)
        row = panel.table.topLevelItem(0)
        assert row.text(0) == "+35", "in its own units, without a chance"
        assert row.data(0, Qt.ItemDataRole.UserRole) == (Move(0, 3),)
        assert "Pela" in panel.state.text()
        assert not panel.count.isEnabled()
        until(lambda: "Pela > BOARD" in window.log.text.toPlainText())
        assert window.settings.analyst == "Pela"
        window.actions_["analyze"].trigger()
        assert not window.study.analyst.watching

    def test_beside_it_the_values_of_all_cells_are_ours(self, window, until, choose):
        choose("--row", "3")
        window.actions_["heat"].trigger()
        until(lambda: window.scene().heat)
        until(lambda: window.panel.table.topLevelItemCount() == 1)

    def test_a_program_that_breaks_down_is_reported(self, window, until, choose):
        panel = choose("crash", "1")
        until(lambda: "Pela: exited with" in panel.state.text())
        panel.analyst.setCurrentIndex(0)
        panel.analyst.activated.emit(0)
        until(lambda: panel.table.topLevelItemCount() == 3)

    def test_a_program_that_is_taken_off_the_list_analyses_no_more(
        self, window, choose
    ):
        panel = choose("--row", "3")
        window.settings.programs = []
        window.dialogs.programs_changed.emit()
        assert panel.analyst.count() == 1
        assert panel.count.isEnabled()
