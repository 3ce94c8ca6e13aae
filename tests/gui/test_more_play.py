"""Openings, handicaps, the explorer, files that are dropped, animations."""

from random import Random

import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog

from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.gui.archive.explorer import book_index
from gomoku_brain.gui.board.board_painter import margin
from gomoku_brain.gui.game.new_game_dialog import NewGameDialog
from gomoku_brain.gui.model.game_players import GameConfig
from gomoku_brain.gui.model.game_tree import Ending, GameTree
from gomoku_brain.gui.model.saved_game import SavedGame
from gomoku_brain.gui.model.settings import GameChoice, handicap_stones
from gomoku_brain.records.game import Game
from gomoku_brain.records.openings import book
from tests.gui.players import EASY, HUMAN
from tests.sampled import sampled


class TestNewGames:
    def test_an_opening_of_the_book_is_on_the_board(self, window):
        window.games.start(GameChoice(black=HUMAN, white=HUMAN, opening="book"))
        moves = window.play.tree.shown_game().moves
        assert moves in {opening.moves for opening in book(Rule.FREESTYLE, 15, "all")}
        assert window.play.tree.game.variations

    def test_a_handicap_gives_black_stones_and_white_begins(self, window):
        window.games.start(GameChoice(black=HUMAN, white=HUMAN, handicap=3))
        board = window.play.tree.board
        assert {m for m in board.moves if board.stone(m) is Side.BLACK} == set(
            handicap_stones(15, 3)
        )
        assert window.play.tree.turn is Side.WHITE
        for size in range(5, 23):
            stones = handicap_stones(size, 5)
            assert all(0 <= x < size and 0 <= y < size for x, y in stones)

    def test_colours_by_chance_are_both_met(self):
        choice = GameChoice(black=HUMAN, white=EASY, random_colours=True)
        chance = Random(1)
        met = {choice.drawn(chance)[0].black for _ in range(40)}
        assert met == {HUMAN, EASY}

    def test_the_dialog_offers_what_goes_together(self, qt):
        dialog = NewGameDialog(GameChoice(opening="book", random_colours=True), [])
        assert dialog.choice().opening == "book"
        assert dialog.choice().random_colours
        dialog.handicap.setValue(2)
        assert not dialog.opening.isEnabled()
        assert dialog.choice().handicap == 2
        assert dialog.choice().opening == ""
        dialog.swap2.setChecked(True)
        assert dialog.choice().handicap == 0
        dialog.swap2.setChecked(False)
        dialog.handicap.setValue(0)
        dialog.size_.setValue(9)
        assert not dialog.opening.isEnabled(), "the book is for larger boards"


class TestExplorer:
    def rows(self, window):
        table = window.explorer.table
        return {
            table.topLevelItem(k).text(0): [
                table.topLevelItem(k).text(c) for c in range(1, 4)
            ]
            for k in range(table.topLevelItemCount())
        }

    def test_games_and_book_are_shown_for_the_position(self, window, until):
        archive = window.archive_controller.archive()
        for moves, result in (("h8 i9", "1-0"), ("h8 i9 a1", "0-1"), ("h8 h9", "*")):
            tree = GameTree(Game(moves=moves))
            if result != "*":
                tree.end(Ending(result, "resigned"))
            archive.store(SavedGame(tree, GameConfig()))
        window.games.start(GameChoice(black=HUMAN, white=HUMAN))
        window.tabs.setCurrentWidget(window.explorer)
        until(lambda: window.explorer._books)
        rows = self.rows(window)
        assert rows["h8"][:2] == ["3", "50 % · 0 % · 50 %"]
        assert any(row[2] for row in rows.values()), "the book is there"
        window.explorer.table.setCurrentItem(window.explorer.table.topLevelItem(0))
        assert window.scene().line == tuple(parse_moves("h8"))
        window.explorer.table.itemActivated.emit(
            window.explorer.table.topLevelItem(0), 0
        )
        assert window.play.tree.ply == 1
        games = [row[0] for row in self.rows(window).values() if row[0]]
        assert sorted(games) == ["1", "2"]

    def test_the_book_is_indexed_as_it_is_written(self):
        index = book_index(Rule.RENJU, 15)
        (first,) = [count for key, count in index.items() if sum(count.values()) > 2000]
        assert sum(first.values()) == len(book(Rule.RENJU, 15, "all"))
        assert book_index(Rule.RENJU, 9) == {}


class TestFiles:
    def drop(self, window, data):
        at, action = QPoint(50, 50), Qt.DropAction.CopyAction
        button, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        enter = QDragEnterEvent(at, action, data, button, keys)
        QApplication.sendEvent(window, enter)
        assert enter.isAccepted()
        QApplication.sendEvent(window, QDropEvent(at, action, data, button, keys))

    def test_a_file_that_is_dropped_is_opened(self, window, tmp_path):
        path = tmp_path / "game.txt"
        path.write_text("h8 i9 j10")
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path))])
        self.drop(window, data)
        assert window.play.tree.ply == 3

    @pytest.mark.parametrize("name", ["a.proof", "a.bin"])
    def test_a_proof_that_is_dropped_is_opened_as_one(
        self, window, tmp_path, monkeypatch, name
    ):
        opened = []
        monkeypatch.setattr(window.proofs, "open_file", opened.append)
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(tmp_path / name))])
        self.drop(window, data)
        assert opened == [tmp_path / name]
        assert window.tabs.currentWidget() is window.proof_panel

    def test_every_kind_of_game_is_offered_to_be_opened(self, window, monkeypatch):
        asked = []

        def ask(parent, title, folder, kinds):
            asked.append(kinds)
            return "", ""

        monkeypatch.setattr(QFileDialog, "getOpenFileName", ask)
        window.actions_["open"].trigger()
        for ending in ("psq", "sgf", "lib", "json", "jsonl", "txt"):
            assert f"*.{ending}" in asked[0]

    def test_a_text_that_is_dropped_is_read(self, window):
        data = QMimeData()
        data.setText("h8 i9")
        self.drop(window, data)
        assert window.play.tree.ply == 2
        data.setText("hello?")
        self.drop(window, data)
        assert "This is not a position" in window.bar.text.text()

    def test_a_game_is_shared_as_an_animation(self, window, until, tmp_path):
        window.games.show_game(GameTree(Game(moves="h8 i9 j10")))
        window.step(-1)
        here = window.play.tree.node
        path = tmp_path / "game.gif"
        assert window.files.save_picture_file(path)
        assert window.play.tree.node is here
        until(lambda: "Saved" in window.statusBar().currentMessage())
        with Image.open(path) as picture:
            assert picture.n_frames == 4
            assert picture.width == 480

    @sampled(10, 120)
    def test_the_colours_of_an_animation_are_the_same_in_every_frame(
        self, window, until, tmp_path, count
    ):
        cells = [Move(x, y) for y in range(15) for x in range(15)]
        Random(1).shuffle(cells)
        black = [cell for cell in cells if (cell.x + 2 * cell.y) % 4 < 2]
        white = [cell for cell in cells if cell not in black]
        moves = tuple(m for pair in zip(black, white, strict=False) for m in pair)[
            :count
        ]
        window.games.show_game(GameTree(Game(moves=moves)))
        path = tmp_path / "game.gif"
        window.files.save_picture_file(path)
        until(path.exists)
        assert path.stat().st_size < 2_000_000
        scene = window.scene()
        colours = []
        with Image.open(path) as picture:
            assert picture.n_frames == count + 1
            for frame in (2, count // 2, count):
                picture.seek(frame)
                colours.append(picture.convert("RGB").getpixel((4, 40)))
                shown = picture.convert("L")
                cell = shown.width / (scene.board.width - 1 + 2 * margin(1))
                x, y = moves[0]
                middle = (round((x + margin(1)) * cell), round((y + margin(1)) * cell))
                assert shown.getpixel(middle) < 90, "the first stone is black"
        assert len(set(colours)) == 1, "the wood keeps its colour"

    def test_an_animation_that_cannot_be_written_is_reported(
        self, window, until, tmp_path
    ):
        window.games.show_game(GameTree(Game(moves="h8 i9")))
        window.files.save_picture_file(tmp_path / "none" / "game.gif")
        until(lambda: "cannot be written" in window.bar.text.text())
