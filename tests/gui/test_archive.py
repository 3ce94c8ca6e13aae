"""The archive of games: written at once, found again, rebuilt from damage."""

import contextlib
import random
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from gomoku_brain.game.notation import Move, parse_move
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.game.symmetry import transform_moves
from gomoku_brain.gui.model.archive import INDEXED, Archive, Query
from gomoku_brain.gui.model.archive_rescue import FURTHEST
from gomoku_brain.gui.model.game_players import GameConfig
from gomoku_brain.gui.model.game_tree import Ending, GameTree
from gomoku_brain.gui.model.position_keys import keys_of_line
from gomoku_brain.gui.model.saved_game import SavedGame, from_text, to_text
from gomoku_brain.records.encodings import encoded
from gomoku_brain.records.game import Game
from gomoku_brain.records.read import read_bytes
from gomoku_brain.records.read_options import ReadOptions
from gomoku_brain.records.sgf import to_sgf
from tests.sampled import sampled


def game(moves="h8 i9", black="Ann", white="Bob", date="2026-03-04", rule="freestyle"):
    tree = GameTree(Game(rule=Rule[rule.upper()], moves=moves))
    tree.set_names(black, white)
    tree.set_date(date)
    return SavedGame(tree, GameConfig())


@pytest.fixture
def archive(tmp_path):
    made = Archive(tmp_path / "games.db")
    yield made
    made.close()


def test_a_game_is_kept_from_its_first_move_in_one_place(archive):
    saved = game("")
    assert archive.store(saved) is None
    saved.tree.play(Move(7, 7))
    number = archive.store(saved)
    saved.tree.play(Move(8, 8))
    assert archive.store(saved) == number
    other = Archive(archive.path)  # the first one has not even been closed
    tree = other.load(number).tree
    assert tree.shown_game().moves == ((7, 7), (8, 8))
    assert [row.plies for row in other.games()] == [2]
    other.close()


def test_variations_values_and_endings_come_back(archive):
    saved = game("h8 i9 j10")
    tree = saved.tree
    tree.back(2)
    tree.chances[tree.node] = 0.75
    tree.play(parse_move("a1"))
    tree.end(Ending.won_by(Side.WHITE, "resigned"))
    found = archive.load(archive.store(saved)).tree
    assert {str(node.move) for node in found.game.nodes() if node.move} == {
        *("h8", "i9", "j10", "a1")
    }
    assert found.ending.reason == "resigned"
    assert found.chances[found.node.parent] == 0.75


def test_the_row_of_a_finished_game_stays_whatever_is_tried(archive):
    saved = game("h8 i9 j10 k11")
    tree = saved.tree
    tree.end(Ending.won_by(Side.WHITE, "resigned"))
    number = archive.store(saved)
    (row,) = archive.games()
    tree.back(3)
    tree.play(parse_move("a1"))
    tree.play(parse_move("a2"))
    for free in (False, True):
        assert archive.store(saved._replace(free=free)) == number
        assert archive.games() == [row]
    again = archive.load(number).tree
    assert again.node.path_moves() == tuple(map(parse_move, ("h8", "a1", "a2")))
    assert (again.game.result, again.game.reason) == ("0-1", "resigned")
    (entry,) = archive.continuations(Game(moves="h8"))
    assert parse_move("i9") in entry.moves


def test_games_are_searched_by_player_result_rule_and_date(archive):
    first = game(date="2026-01-01")
    second = game("h8 i9 j10", "Ann_B", "50%", "2026-02-02", "renju")
    second.tree.end(Ending.won_by(Side.BLACK, "resigned"))
    numbers = [archive.store(saved) for saved in (first, second)]

    def found(**query):
        return [numbers.index(row.id) for row in archive.games(Query(**query))]

    assert found() == [1, 0], "the last one first"
    assert found(player="ann") == [1, 0]
    assert found(player="n_b") == [1]
    assert found(player="%") == [1]
    assert found(result="1-0") == [1]
    assert found(result="*") == [0]
    assert found(rule="renju") == [1]
    assert found(since="2026-02-01") == [1]
    assert found(until="2026-02-01") == [0]


def test_bytes_of_no_encoding_come_back(archive):
    data = "(;GM[4]CA[UTF-8]SZ[15]PB[名人".encode() + b"\xff];B[hh]C[\xfe];W[ii])"
    (read,) = read_bytes(data, "x", ReadOptions())
    number = archive.store(SavedGame(GameTree(read), GameConfig()))
    assert archive.games()[0].black == read.black
    written = encoded(to_sgf(archive.load(number).tree.game))
    assert "名人".encode() + b"\xff" in written
    assert b"C[\xfe]" in written


def test_a_deleted_game_is_gone_and_one_on_the_board_begins_anew(archive):
    saved = game()
    number = archive.store(saved)
    archive.remove([number])
    assert archive.games() == []
    assert archive.continuations(Game()) == []
    with pytest.raises(ValueError, match="no game"):
        archive.load(number)
    assert archive.store(saved) != number


def test_the_same_file_opened_twice_is_one_game(archive):
    numbers = {archive.store(game()._replace(free=True), "study") for _ in range(2)}
    assert len(numbers) == 1


def test_positions_of_the_editor_are_stored_and_are_not_mixed_up(archive):
    trees = [
        GameTree(
            Game(
                black_stones=(Move(x, 0),), white_stones=(Move(0, x),), first=Side.BLACK
            )
        )
        for x in (3, 4)
    ]
    saved = [SavedGame(tree, GameConfig(), free=True) for tree in trees]
    numbers = [archive.store(each, "study") for each in saved]
    assert len({*numbers}) == 2
    assert [row.id for row in archive.games()] == numbers[::-1]
    for each in saved:
        each.tree.play(parse_move("h8"))
        archive.store(each, "study")
    again = SavedGame(GameTree(trees[0].game.cut(0)), GameConfig(), free=True)
    again.tree.play(parse_move("h8"))
    assert archive.store(again, "study") == numbers[0], "the same position"
    handicap = SavedGame(GameTree(trees[0].game.cut(0)), GameConfig())
    assert archive.store(handicap) is None, "a game without moves"


def test_the_same_moves_by_another_rule_are_another_game(archive):
    found = {
        archive.store(game(rule=rule)._replace(free=True), "study")
        for rule in ("freestyle", "renju")
    }
    assert len(found) == 2


class TestPositions:
    def test_all_images_of_a_position_have_one_key(self):
        chance = random.Random(3)
        cells = [Move(x, y) for x in range(15) for y in range(15)]
        for _ in range(20):
            moves = chance.sample(cells, 9)
            *_, key = keys_of_line(Rule.FREESTYLE, 15, 15, moves)
            for k in range(8):
                image = transform_moves(moves, 15, 15, k)
                *_, other = keys_of_line(Rule.FREESTYLE, 15, 15, image)
                assert other.key == key.key
                move = transform_moves([Move(2, 5)], 15, 15, k)[0]
                assert other.cell(move) == key.cell(Move(2, 5))
                assert move in other.moves(key.cell(Move(2, 5)))
            *_, renju = keys_of_line(Rule.RENJU, 15, 15, moves)
            assert renju.key != key.key

    def test_what_was_played_is_found_however_the_board_is_turned(self, archive):
        won = game("h8 i9 g9")
        won.tree.end(Ending.won_by(Side.BLACK, "resigned"))
        archive.store(won)
        archive.store(game("h8 g7 i7", black="Cy"))  # turned by half
        archive.store(game("h8 h9 i9", black="Dan"))
        first = archive.continuations(Game())
        assert [(entry.moves, entry.games) for entry in first] == [
            ((parse_move("h8"),), 3)
        ]
        after = archive.continuations(Game(moves="h8 i7"))
        assert sum(entry.games for entry in after) == 2
        assert sum(entry.black for entry in after) == 1
        assert after[0].unfinished + after[0].black == after[0].games

    def test_a_changed_line_is_found_as_it_is_now(self, archive):
        saved = game("h8 i9 j10")
        archive.store(saved)
        saved.tree.back(2)
        saved.tree.play(parse_move("h9"))
        archive.store(saved)
        (entry,) = archive.continuations(Game(moves="h8"))
        assert parse_move("h9") in entry.moves


class TestDamage:
    @pytest.fixture
    def path(self, tmp_path):
        archive = Archive(tmp_path / "games.db")
        for k in range(300):
            archive.store(game(f"h8 {'abcdefg'[k % 7]}{k % 15 + 1}", black=f"P{k}"))
        archive.note("rating", "1234")
        archive._base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        archive.close()
        return archive.path

    def test_a_file_of_another_kind_is_set_aside(self, tmp_path):
        path = tmp_path / "games.db"
        path.write_bytes(b"no database at all\n" * 999)
        archive = Archive(path)
        assert archive.set_aside.read_bytes().startswith(b"no database")
        assert archive.rescued == 0
        assert archive.store(game()) is not None
        archive.close()

    def test_a_broken_first_page_costs_little(self, path):
        data = bytearray(path.read_bytes())
        data[:4096] = bytes(4096)
        path.write_bytes(data)
        archive = Archive(path)
        assert archive.set_aside is not None
        assert archive.rescued == 300
        assert archive.noted("rating") == "1234"
        assert len(archive.games(Query(player="P299"))) == 1
        archive.close()

    def test_broken_pages_in_the_middle_cost_their_games_only(self, path):
        size = path.stat().st_size
        with path.open("r+b") as file:
            for place in (size // 3, size // 2):
                file.seek(place // 4096 * 4096)
                file.write(b"\xff" * 4096)
        archive = Archive(path)
        if archive.set_aside is None:  # it is noticed when all pages are looked at
            assert not archive.is_sound()
            archive.rebuild()
        assert 200 < archive.rescued < 300
        assert archive.is_sound()
        assert len(archive.games()) == archive.rescued
        assert archive.store(game("a1 b2")) is not None
        archive.close()

    def test_a_cut_file_gives_what_it_has(self, path):
        data = path.read_bytes()
        path.write_bytes(data[: len(data) * 2 // 3 // 4096 * 4096])
        archive = Archive(path)
        if archive.set_aside is None:
            assert not archive.is_sound()
            archive.rebuild()
        assert archive.rescued > 50
        archive.close()
        assert FURTHEST > 300

    @sampled(1, 5)
    def test_a_file_in_use_by_a_thread_is_not_taken_away(self, path, count):
        archive = Archive(path)
        stop = threading.Event()

        answers = []

        def look():
            while not stop.is_set():
                archive.checkpoint()
                answers.append(archive.is_sound())

        others = [threading.Thread(target=look) for _ in range(2)]
        for other in others:
            other.start()
        try:
            for _ in range(count):
                archive.rebuild()
                assert archive.rescued == 300
        finally:
            stop.set()
            for other in others:
                other.join()
        assert answers
        assert all(answers)
        archive.close()

    def test_a_later_version_is_left_alone(self, path):
        with sqlite3.connect(path) as base:
            base.execute("PRAGMA user_version = 99")
        base.close()
        with pytest.raises(sqlite3.NotSupportedError):
            Archive(path)
        assert path.exists()


def test_a_move_is_written_in_no_time_that_anybody_feels(archive):
    """The window's own thread writes; the median, so that a busy disk is no verdict."""
    saved = game("")
    times = []
    for k in range(100):
        saved.tree.play(Move(k % 15, k // 15 * 2))
        begun = time.perf_counter()
        archive.store(saved)
        times.append(time.perf_counter() - begun)
        if saved.tree.ending:
            break
    assert sorted(times)[len(times) // 2] < 0.02


KILLED = """
import random, sys
from pathlib import Path
from gomoku_brain.gui.model.archive import Archive
from gomoku_brain.gui.model.game_players import GameConfig
from gomoku_brain.gui.model.game_tree import GameTree
from gomoku_brain.gui.model.saved_game import SavedGame
from gomoku_brain.records.game import Game
archive = Archive(Path(sys.argv[1]))
cells = [f"{'abcdefghijklmno'[x]}{y}" for x in range(15) for y in range(1, 16)]
print("ready", flush=True)
while True:
    game = Game(moves=" ".join(random.sample(cells, 40)))
    saved = SavedGame(GameTree(game), GameConfig())
    archive.store(saved)
    node = saved.tree.game.node_at(20)
    node.add_main_variation(node.end().move)
    archive.store(saved)
"""


def disagreements(path):
    """Rows without a text, and games whose index is not that of their text."""
    with contextlib.closing(sqlite3.connect(path)) as base:
        found = base.execute("SELECT id, text, moves FROM games").fetchall()
        index = base.execute("SELECT game, ply FROM positions").fetchall()
    counts = Counter(number for number, _ in index)
    wrong = [number for number, text, _ in found if not text]
    for number, text, moves in found:
        if text:
            tree = from_text(text).tree
            line = tree.line(tree.game)
            assert moves.split() == [str(node.move) for node in line]
            wrong += [number] * (counts.pop(number, 0) != min(len(line), INDEXED))
    return wrong, [*counts]


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
@pytest.mark.parametrize(
    "kills", [3, pytest.param(20, marks=pytest.mark.slow("more kills", ci=True))]
)
def test_a_kill_leaves_text_and_index_in_agreement(tmp_path, kills):
    path = tmp_path / "games.db"
    dice = random.Random(8)
    for _ in range(kills):
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, path],
            cwd=Path(__file__).parents[2],
            stdout=subprocess.PIPE,
        )
        assert process.stdout.readline() == b"ready\n"
        time.sleep(dice.uniform(0.1, 0.4))
        assert process.poll() is None
        process.kill()
        process.wait()
        process.stdout.close()
        archive = Archive(path)
        assert archive.games()
        assert disagreements(path) == ([], [])
        assert archive.repair() == 0
        archive.close()


def test_what_disagrees_is_repaired_and_copied_first(tmp_path):
    path = tmp_path / "games.db"
    archive = Archive(path)
    whole, cut, emptied, set_up = (
        archive.store(game(moves)) for moves in ("h8 i9", "h8 j9 a1", "a1 b2", "c3 d4")
    )
    before = archive.read(whole), archive.read(cut)
    base = archive._base
    base.execute("DELETE FROM positions WHERE game = ? AND ply = 1", (cut,))
    base.execute("UPDATE games SET text = '' WHERE id = ?", (emptied,))
    base.execute("INSERT INTO positions VALUES (99, 0, 1, 1)")
    base.execute("DELETE FROM positions WHERE game = ?", (set_up,))
    assert archive.repair() == 4
    assert disagreements(path) == ([], [])
    assert [row.id for row in archive.games()] == [set_up, cut, whole]
    for old, number in zip(before, (whole, cut), strict=True):
        assert to_text(*archive.read(number)) == to_text(*old)
    (copy,) = tmp_path.glob("games-damaged-*.db")
    assert disagreements(copy)[1] == [99, emptied]
    assert archive.repair() == 0
    assert len([*tmp_path.glob("*damaged*")]) == 1
    archive.close()


def test_a_store_that_fails_leaves_nothing_and_is_made_again(archive):
    saved = game("h8 i9")
    other = sqlite3.connect(archive.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        archive.store(saved)
    other.execute("ROLLBACK")
    other.close()
    assert archive.games() == []
    number = archive.store(saved)
    assert [row.id for row in archive.games()] == [number]
    assert disagreements(archive.path) == ([], [])
