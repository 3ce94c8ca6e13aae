"""Texts, clocks and messages that hold at the moment when they are shown."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

from gomoku_brain.control.limits import SearchInfo
from gomoku_brain.game.notation import parse_move, parse_moves
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.base.words import (
    chance_text,
    judgement_text,
    moves_text,
    short_value_text,
    value_text,
)
from gomoku_brain.gui.dialogs.settings_dialog import SettingsDialog
from gomoku_brain.gui.game.autosave import saved_game_of
from gomoku_brain.gui.game.new_game_dialog import NewGameDialog
from gomoku_brain.gui.game.puzzles_dialog import PuzzlesDialog
from gomoku_brain.gui.model.game_players import PlayerConfig
from gomoku_brain.gui.model.game_tree import Ending, GameTree, Verdict
from gomoku_brain.gui.model.saved_game import from_text, to_text
from gomoku_brain.gui.model.settings import GameChoice
from gomoku_brain.gui.window.main_window import Window
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_record import PlayedMove
from gomoku_brain.study.annotate import Value
from gomoku_brain.study.puzzles import puzzle_levels
from tests.gui.clicks import act, click
from tests.gui.players import EASY, HUMAN


class TestLevels:
    def test_the_text_follows_what_the_defence_has_proved(self, window):
        level = puzzle_levels()[1]
        window.games.start_puzzle(level)
        assert f"wins in {moves_text(level.plies)}" in window.hint_text.text()
        window.play._cancel()  # no move of the defence but these
        window.play.set_player(Side.WHITE, HUMAN)
        empty = [str(m) for m in level.board.legal_moves()]
        click(window, level.move)
        reply = next(cell for cell in empty if cell != str(level.move))
        window.play._put(PlayedMove(parse_move(reply), win_in=-6))
        assert window.hint_text.text() == "End game 2: black to move wins in 3 moves."

    def test_after_a_losing_move_no_win_is_promised(self, window):
        level = puzzle_levels()[1]
        window.games.start_puzzle(level)
        window.play.set_player(Side.WHITE, HUMAN)
        cells = level.board.legal_moves()
        click(window, cells[0])
        window.play._put(PlayedMove(cells[-1], score=0))
        assert "no forced win" in window.hint_text.text()
        assert "Ctrl+Z" in window.hint_text.text()
        act(window, "undo_one")
        act(window, "undo_one")
        assert "wins in" in window.hint_text.text()

    def test_the_dialog_has_its_own_name(self, window):
        dialog = PuzzlesDialog(puzzle_levels(), [], window.presenter.theme, window)
        assert dialog.windowTitle() == "The 20 end games"
        level = puzzle_levels()[0]
        assert dialog.list.item(0).text() == f"1: win in {moves_text(level.plies)}"


class TestUnits:
    def test_a_win_is_counted_in_the_winners_own_moves(self):
        assert moves_text(1) == "1 move"
        assert moves_text(21) == "11 moves"
        assert value_text(Value(0, 5)) == "wins in 3 moves"
        assert value_text(Value(0, -6)) == "loses in 3 moves"
        assert value_text(Value(0)) == "50 %"
        assert short_value_text(Value(0, 5)) == "W3"
        assert short_value_text(Value(0, -6)) == "L3"
        assert short_value_text(Value(0)) == "50"
        assert chance_text(Value(0, 1), Side.WHITE) == "White wins in 1 move"

    def test_the_other_unit_is_shown_on_request(self, window, until):
        won = Game(moves="h8 a1 i8 a3 j8 a5")  # open three
        window.games.start(GameChoice(black=HUMAN, white=HUMAN), won)

        def choose(value):
            dialog = SettingsDialog(window.settings, window)
            dialog.unit.setCurrentIndex(dialog.unit.findData(value))
            dialog.apply()
            window.dialogs.settings_changed.emit(False)

        choose("plies")
        act(window, "solve")
        finding = window.panel.finding
        until(lambda: "wins in 3 plies" in finding.text())
        assert short_value_text(Value(0, 5)) == "W5"
        assert window.settings.wins_in_plies
        choose("")
        act(window, "solve")
        until(lambda: "wins in 2 moves" in finding.text())
        assert short_value_text(Value(0, 5)) == "W3"

    def test_hint_review_analysis_and_solver_count_alike(self, window, until):
        won = Game(moves="h8 a1 i8 a3 j8 a5")  # open three
        window.games.start(GameChoice(black=HUMAN, white=HUMAN), won)
        act(window, "solve")
        finding = window.panel.finding
        until(lambda: "wins in 2 moves" in finding.text())
        act(window, "hint")
        until(lambda: "a win in 2 moves" in window.statusBar().currentMessage())
        act(window, "hint")
        act(window, "hint")
        until(lambda: "wins in 2 moves" in window.statusBar().currentMessage())
        row = SearchInfo(
            depth=3, seldepth=3, multipv=1, score=999_997, nodes=1, time=0.1,
            pv=tuple(parse_moves("k8 l8 g8")), win_in=3,
        )  # fmt: skip
        window.panel.show_lines([row], Side.BLACK)
        assert window.panel.table.topLevelItem(0).text(0) == "Black wins in 2 moves"
        line = tuple(parse_moves("k8"))
        verdict = Verdict("blunder", 0.5, line, Value(999_997, 3), Value(0))
        assert "missed a win in 2 moves by k8" in judgement_text(verdict)


class TestSwap2:
    def test_the_colours_of_both_players_are_shown(self, window, until):
        window.games.start(GameChoice(black=HUMAN, white=EASY, swap2=True))
        for cell in ("h8", "i9", "o15"):
            click(window, cell)
        until(lambda: window.bar.isVisible() or window.play.stage == "place two")
        if not window.play.stage:
            text = window.bar.text.text()
            assert "Swap2: Gomoku Brain, Easy chose " in text
            assert "You" in text

    def test_the_choice_of_a_person_is_shown_with_the_places(self, window, until):
        window.games.start(GameChoice(black=EASY, white=HUMAN, swap2=True))
        until(lambda: window.bar.isVisible())
        QTest.mouseClick(window.bar.buttons[0], Qt.MouseButton.LeftButton)
        assert window.bar.text.text() == (
            "Swap2: You chose Black. Now black: You; white: Gomoku Brain, Easy."
        )
        window.bar.buttons[0].click()
        assert not window.bar.isVisible()


class TestClocks:
    def test_a_finished_game_has_nothing_to_continue(self, window, until):
        moves = tuple(parse_moves("h8 a1 i8 a3 j8 a5 k8 a7 l8"))
        window.games.start(GameChoice(black=HUMAN, white=EASY), Game(moves=moves))
        tree = GameTree(Game(moves=moves))
        tree.go_to(tree.node.parent)
        window.games.restore(saved_game_of(window.play)._replace(tree=tree))
        assert window.play.is_looking_back
        assert window.bar.isHidden(), "nothing to continue"
        assert not window.actions_["pause"].isEnabled()
        assert window.play.clock.side is None
        assert "An earlier position" in window.hint_text.text()

    def test_the_clock_of_people_waits_for_a_stone_after_a_restart(self, window):
        window.games.start(GameChoice(black=HUMAN, white=HUMAN))
        click(window, "h8")
        assert window.play.clock.side is Side.WHITE
        saved = saved_game_of(window.play)
        window.games.restore(saved)
        assert window.play.clock.side is None
        click(window, "i9")
        assert window.play.clock.side is Side.BLACK

    def test_the_loser_on_time_has_no_time_left(self, window):
        window.games.start(
            GameChoice(
                black=HUMAN, white=HUMAN, turn=900.0, match=60.0, people_too=True
            )
        )
        click(window, "h8")
        window.play._finish(Ending.won_by(Side.BLACK, "time"))
        assert window.cards[Side.WHITE].time.text() == "0:00.0"

    def test_little_time_is_shown(self, window):
        window.games.start(
            GameChoice(
                black=HUMAN, white=HUMAN, turn=900.0, match=60.0, people_too=True
            )
        )
        click(window, "h8")
        card = window.cards[Side.WHITE]
        assert not card.time.property("low")
        size = card.time.fontInfo().pixelSize()
        window.play.clock._begun -= 52
        window.presenter.show_clocks()
        assert card.time.property("low")
        assert card.time.fontInfo().pixelSize() == size

    def test_the_clock_of_a_person_stops_behind_a_dialog(self, window):
        window.games.start(GameChoice(black=HUMAN, white=HUMAN))
        click(window, "h8")
        seen = []

        def look():
            dialog = QApplication.activeModalWidget()
            assert isinstance(dialog, NewGameDialog)
            seen.append(window.play.clock.side)
            dialog.reject()

        QTimer.singleShot(50, look)
        act(window, "new")
        assert seen == [None]
        assert window.play.clock.side is Side.WHITE


class TestSmallThings:
    @pytest.mark.parametrize(
        ("moves", "cell", "words"),
        [
            ("h8 a1 h9 a15 g10 o1 i10 o15", "h10", "two open threes"),
            ("f8 a1 g8 a3 h8 a5 j8 a7 k8 a9", "i8", "overline"),
        ],
    )
    def test_a_forbidden_point_has_a_reason(self, window, moves, cell, words):
        game = Game(rule=Rule.RENJU, moves=moves)
        window.games.start(GameChoice("renju", black=HUMAN, white=HUMAN), game)
        click(window, cell)
        assert words in window.statusBar().currentMessage().lower()
        window._point(parse_move(cell))
        assert words in window.statusBar().currentMessage().lower()

    def test_a_forbidden_move_loses_if_the_game_is_played_so(self, window):
        dialog = NewGameDialog(GameChoice("renju"), [], window)
        assert dialog.foul_loses.isEnabled()
        dialog.foul_loses.setChecked(True)
        assert dialog.choice().foul_loses
        dialog.rule.setCurrentIndex(dialog.rule.findData("freestyle"))
        assert not dialog.foul_loses.isEnabled()
        moves = tuple(parse_moves("h8 a1 h9 a15 g10 o1 i10 o15"))
        choice = GameChoice("renju", black=HUMAN, white=HUMAN, foul_loses=True)
        window.games.start(choice, Game(rule=Rule.RENJU, moves=moves))
        click(window, "h10")
        assert window.play.ending.reason == "foul"
        assert window.play.ending.winner is Side.WHITE
        assert "double three" in window.bar.text.text()
        saved = saved_game_of(window.play)
        assert from_text(to_text(*saved)).config.foul_loses

    def test_keys_of_a_menu_are_not_ambiguous(self, window):
        for menu in window.menuBar().actions():
            keys = [
                action.text()[action.text().index("&") + 1].lower()
                for action in menu.menu().actions()
                if "&" in action.text()
            ]
            repeated = {key for key in keys if keys.count(key) > 1}
            assert not repeated, (menu.text(), repeated)

    @pytest.mark.source
    def test_the_menu_paths_of_the_pages_exist(self, window):
        """They are written ``*Game, New game*``, or bold."""

        def titles(actions):
            named = {re.sub("&|…|\\.\\.\\.", "", a.text()): a for a in actions}
            return {name: a.menu() for name, a in named.items() if name}

        docs = Path(__file__).parents[2] / "docs"
        menus = titles(window.menuBar().actions())
        found = 0
        for page in ("gui", "board-en", "board-cs", "bot", "records", "match"):
            text = (docs / f"{page}.md").read_text(encoding="utf-8")
            for path in re.findall(r"\*([A-Z][a-z]+), ([^*]+)\*", text):
                if path[0] in ("Windows", "macOS"):
                    continue
                assert path[0] in menus, (page, path)
                assert path[1].rstrip("…") in titles(menus[path[0]].actions()), path
                found += 1
        assert found > 10

    def test_every_tab_has_a_key_in_their_order(self, window):
        names = "show_moves show_analysis show_explorer show_proof log".split()
        for place, name in enumerate(names):
            act(window, name)
            assert window.tabs.currentIndex() == place
            keys = [key.toString() for key in window.actions_[name].shortcuts()]
            assert f"Alt+{place + 1}" in keys

    def test_the_log_stays_in_a_new_window(self, window, settings):
        window.play.log.writer("Bob")("< OK")
        window.log.fetch()
        other = Window(settings, window.play)  # as after a change of language
        assert "Bob < OK" in other.log.text.toPlainText()

    def test_messages_of_the_old_game_close_with_it(self, window):
        broken = PlayerConfig("program", "x", command='"')
        assert not window.games.start(GameChoice(black=HUMAN, white=broken))
        assert [b for b in window.findChildren(QMessageBox) if b.isVisible()]
        window.games.start(GameChoice(black=HUMAN, white=HUMAN))
        assert not [b for b in window.findChildren(QMessageBox) if b.isVisible()]
