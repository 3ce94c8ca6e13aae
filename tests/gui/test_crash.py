"""Nothing is lost: processes that are killed, and what the next start finds."""

import contextlib
import errno
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gomoku_brain.game.notation import Move
from gomoku_brain.gui.model.game_players import PlayerConfig
from gomoku_brain.gui.model.settings import GameChoice, load
from gomoku_brain.gui.window.app import App
from tests.match.engines import SCRIPT as FAKE_BRAIN

# A person plays against the brain, goes back, tries other moves and changes settings;
# each fact is told on stdout after it has come about, so that the test knows what must
# be there after the kill.
PLAY = """
import os, sys, time
from pathlib import Path
from PySide6.QtWidgets import QApplication
from gomoku_brain.game.notation import Move
from gomoku_brain.gui.window.app import App
from gomoku_brain.gui.model.settings import GameChoice
from gomoku_brain.gui.model.game_players import PlayerConfig

def tell(*words):
    sys.stdout.write(" ".join(map(str, words)) + chr(10))
    sys.stdout.flush()

qt = QApplication([])
app = App(qt, Path(sys.argv[1]))
window = app.start()
CHOICE = GameChoice(white=PlayerConfig("brain"), turn=0.3)
play = window.play
window.games.start(CHOICE)
play.moved.connect(lambda node: tell("move", node.move, node.ply))
tell("ready")
k = 0
while True:
    while not play.waits_for_person and play.ending is None:
        qt.processEvents()
        time.sleep(0.002)
    if play.ending is not None or play.tree.ply > 30:
        tell("beginning")
        window.games.start(CHOICE)
        tell("new")
        continue
    k += 1  # not before a new game: each number is told
    if k % 5 == 0 and play.tree.ply > 4:
        play.undo()
        tell("undo", play.tree.ply)
    app.settings.change(lines=k % 10 + 1)
    tell("lines", app.settings.lines)
    cells = play.tree.board.legal_moves()
    play.place(cells[(k * 37) % len(cells)])
"""
KILLS = int(os.environ.get("GOMOKU_KILLS", "4"))


def start(script, folder, *arguments):
    return subprocess.Popen(
        [sys.executable, "-c", script, folder, *arguments],
        cwd=Path(__file__).parents[2],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
@pytest.mark.parametrize(
    "seed",
    [
        3,  # after 0.75 s
        *(
            pytest.param(seed, marks=pytest.mark.slow("one more kill", ci=True))
            for seed in range(KILLS)
            if seed != 3
        ),
    ],
)
def test_a_kill_at_any_moment_takes_nothing(qt, tmp_path, seed):
    """What was told before the kill is there after it: moves, variations, settings."""
    process = start(PLAY, tmp_path)
    assert process.stdout.readline() == "ready\n"
    time.sleep(random.Random(seed).uniform(0.05, 3.0))
    process.send_signal(signal.SIGKILL)
    told = [line.split() for line in process.stdout.read().splitlines()]
    process.wait()
    process.stdout.close()

    app = App(qt, tmp_path)
    window = app.start()
    lines = [int(words[1]) for words in told if words[0] == "lines"]
    possible = {lines[-1], lines[-1] % 10 + 1} if lines else {3, 2}
    assert app.settings.lines in possible, "at most the next change came before it"
    begun = max([k for k, words in enumerate(told) if words[0] == "new"], default=-1)
    placed = [words for words in told[begun + 1 :] if words[0] == "move"]
    if placed:
        tree = window.play.tree
        if tree.game.variations:
            assert window.play.paused or window.play.ending
        else:  # the kill came after the next game was begun and before that was told
            assert told[-1] == ["beginning"]
            tree = app.autosave.archive.load(app.autosave.archive.games()[0].id).tree
        nodes = {(str(node.move), node.ply) for node in tree.game.nodes() if node.move}
        missing = {(move, int(ply)) for _, move, ply in placed} - nodes
        assert not missing
    games = app.autosave.archive.games()
    assert len(games) >= sum(words[0] == "new" for words in told)
    app.finish()


def leave(qt, folder, moves=((7, 7),)):
    """A game that is on the board when the program ends as it should."""
    app = App(qt, folder)
    window = app.start()
    window.games.start(GameChoice(black=PlayerConfig(), white=PlayerConfig()))
    for move in moves:
        window.play.place(Move(*move))
    window.close()
    return folder / "games.db"


def test_an_ordinary_end_keeps_the_game_too(qt, tmp_path):
    leave(qt, tmp_path, [(7, 7), (8, 8), (9, 9)])
    app = App(qt, tmp_path)
    window = app.start()
    assert window.play.tree.shown_game().moves == ((7, 7), (8, 8), (9, 9))
    assert not window.play.paused, "nobody is to be asked: people go on at once"
    app.finish()


def test_what_is_studied_comes_back_as_a_study(qt, tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[4]SZ[15]PB[Ann];B[hh];W[ii](;B[jj])(;B[aa]))")
    app = App(qt, tmp_path)
    app.start(file)
    app.window.step(2)
    app.window.close()
    app = App(qt, tmp_path)
    window = app.start()
    assert window.play.free
    assert window.play.tree.ply == 2
    assert len(window.play.tree.node.variations) == 2
    app.finish()


@pytest.mark.parametrize("solved", [False, True])
def test_who_leaves_during_a_puzzle_finds_the_game_before_it(
    qt, tmp_path, monkeypatch, solved
):
    monkeypatch.setattr(
        "gomoku_brain.gui.game.game_starter.show_question", lambda *words: "yes"
    )
    app = App(qt, tmp_path)
    window = app.start()
    window.games.start(GameChoice(black=PlayerConfig(), white=PlayerConfig()))
    window.play.place(Move(7, 7))
    window.actions_["train"].trigger()
    window.bar.buttons[1].click()  # the answer
    if not solved:
        window.actions_["next_puzzle"].trigger()
    window.archive_controller.flush()  # what the list of games does, too
    window.close()
    app = App(qt, tmp_path)
    assert app.start().play.tree.shown_game().moves == ((7, 7),)
    assert len(app.autosave.archive.games()) == 1, "a puzzle is no game"
    app.finish()


def test_a_new_game_is_not_asked_for_where_an_empty_board_was(qt, tmp_path):
    leave(qt, tmp_path)
    app = App(qt, tmp_path)
    app.start().games.start(GameChoice(black=PlayerConfig(), white=PlayerConfig()))
    app.window.close()
    app = App(qt, tmp_path)
    assert app.start().play.tree.ply == 0
    app.finish()


def test_a_game_that_was_left_stays_in_the_archive_when_a_file_is_opened(qt, tmp_path):
    leave(qt, tmp_path)
    file = tmp_path / "game.txt"
    file.write_text("h8 i9 j10")
    app = App(qt, tmp_path)
    window = app.start(file)
    assert window.play.tree.ply == 3
    assert [row.plies for row in app.autosave.archive.games()] == [1]
    app.finish()


def test_a_saved_game_with_a_broken_player_is_shown(qt, tmp_path):
    path = leave(qt, tmp_path)
    with sqlite3.connect(path) as base:
        (text,) = base.execute("SELECT text FROM games").fetchone()
        row = json.loads(text)
        row["terms"]["black"]["kind"] = "program"
        base.execute("UPDATE games SET text = ?", (json.dumps(row),))
    base.close()
    app = App(qt, tmp_path)
    window = app.start()
    assert window.play.free
    assert window.play.tree.ply == 1
    app.finish()


def test_a_damaged_archive_is_reported_in_the_bar(qt, tmp_path):
    path = leave(qt, tmp_path)
    data = bytearray(path.read_bytes())
    data[:4096] = bytes(4096)
    path.write_bytes(data)
    app = App(qt, tmp_path)
    window = app.start()
    assert "was damaged" in window.bar.text.text()
    assert "games-damaged-" in window.bar.text.text()
    assert window.play.tree.ply == 1, "it was read all the same"
    app.finish()


def test_damage_that_is_found_later_is_reported_and_the_game_is_kept(
    qt, tmp_path, until
):
    path = leave(qt, tmp_path)
    app = App(qt, tmp_path)
    window = app.start()
    app.autosave._take_check(False)  # what the check in the background may say
    assert "was damaged" in window.bar.text.text()
    window.play.place(Move(2, 2))
    app.finish()
    app = App(qt, tmp_path)
    assert app.start().play.tree.ply == 2
    assert path.exists()
    app.finish()


def test_a_folder_that_takes_nothing_is_reported_and_quitting_asks(
    qt, tmp_path, monkeypatch
):
    (tmp_path / "home").write_text("a file where the folder should be")
    app = App(qt, tmp_path / "home")
    window = app.start()
    qt.processEvents()
    text = window.bar.text.text()
    assert "cannot be stored" in text
    assert "settings.json: " in text
    assert "games.db: " in text
    window.games.start(GameChoice(black=PlayerConfig(), white=PlayerConfig()))
    window.play.place(Move(7, 7))
    asked = []
    monkeypatch.setattr(
        "gomoku_brain.gui.window.main_window.show_question",
        lambda *words: asked.append(words) or "no",
    )
    assert not window.close()
    assert [key for key, _ in asked[0][3]] == ["save", "quit", "no"]
    app.finish()


def test_an_archive_that_could_not_be_opened_is_opened_at_the_next_try(qt, tmp_path):
    home = tmp_path / "home"
    home.write_text("a file where the folder should be")
    app = App(qt, home)
    window = app.start()
    qt.processEvents()
    window.games.start(GameChoice(black=PlayerConfig(), white=PlayerConfig()))
    window.play.place(Move(7, 7))
    window.results.change(lambda record: record.with_level(3))
    window.archive_controller.retry()
    qt.processEvents()
    assert window.bar.name == "storage"
    home.unlink()
    window.bar.buttons[0].click()
    window.close()
    again = App(qt, home)
    assert again.start().play.tree.shown_game().moves == ((7, 7),)
    assert again.autosave.results.record.levels == [3]
    again.finish()


def full(*given, **more):
    """Fail as a full disk does, for files and for SQLite."""
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    raise error


def full_for_files(path, *given, **more):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))


@pytest.mark.parametrize("kind", ["settings", "archive", "full disk"])
def test_what_cannot_be_written_is_reported_at_the_start_and_tried_again(
    qt, tmp_path, monkeypatch, kind
):
    leave(qt, tmp_path)
    app = App(qt, tmp_path)
    file, archive = tmp_path / "settings.json", app.autosave.archive
    if kind == "settings":
        file.unlink()
        file.mkdir()
    elif kind == "archive":
        archive._base.execute("PRAGMA query_only = ON")  # as on a read-only disk
    else:
        monkeypatch.setattr(archive, "change_note", full)
        path = "gomoku_brain.gui.model.settings.write_whole"
        monkeypatch.setattr(path, full_for_files)
    window = app.start()
    qt.processEvents()
    text = window.bar.text.text()
    assert "cannot be stored" in text
    assert ("settings.json: " in text) is (kind != "archive")
    assert ("games.db: " in text) is (kind != "settings")
    window.results.change(lambda record: record.with_level(3))
    assert window.results.record.levels == [3], "it counts in this sitting"
    qt.processEvents()
    window.bar.clear()
    window.settings.change(lines=7)
    qt.processEvents()
    assert not window.bar.isVisible(), "told once"

    window.archive_controller.retry()
    qt.processEvents()
    assert window.bar.text.text() == text, "nothing has changed"
    monkeypatch.undo()
    if kind == "settings":
        file.rmdir()
    archive._base.execute("PRAGMA query_only = OFF")
    window.bar.buttons[0].click()
    qt.processEvents()
    assert window.bar.name != "storage"
    window.close()
    again = App(qt, tmp_path)
    assert again.settings.lines == 7
    assert again.autosave.results.record.levels == [3]
    again.finish()


def test_two_windows_keep_both_games_and_only_the_first_gives_one_back(qt, tmp_path):
    first, second = App(qt, tmp_path), App(qt, tmp_path)
    for app, cell in ((first, Move(1, 1)), (second, Move(2, 2))):
        app.start().games.start(GameChoice(black=PlayerConfig(), white=PlayerConfig()))
        app.window.play.place(cell)
    assert len(first.autosave.archive.games()) == 2
    second.window.close()
    first.window.close()
    app = App(qt, tmp_path)
    assert app.start().play.tree.node.move == Move(1, 1)
    app.finish()


def test_settings_are_written_at_every_change(qt, tmp_path):
    app = App(qt, tmp_path)
    window = app.start()
    for name in ("numbers", "sound"):
        window.actions_[name].trigger()
        assert getattr(load(tmp_path / "settings.json"), name)
    window.actions_.levels.actions()[2].trigger()
    written = load(tmp_path / "settings.json")
    assert written.game == app.settings.game
    assert app.settings.game.white.strength == 66
    app.finish()


def test_the_disk_is_waited_for_without_writing_older_settings(
    qt, tmp_path, monkeypatch
):
    """The thread that waits may come late, when newer settings have been written."""
    works = []

    class Late:
        def __init__(self, work):
            works.append(work)

        def start(self):
            return self

    app = App(qt, tmp_path)
    app.start()
    monkeypatch.setattr("gomoku_brain.gui.window.app.BackgroundTask", Late)
    app.settings.change(lines=4)
    app._save_durably()
    app.settings.change(lines=5)
    for work in works:
        work(None)
    assert load(tmp_path / "settings.json").lines == 5
    app.window.close()


HANGING = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from gomoku_brain.gui.window.app import App
from gomoku_brain.gui.model.settings import GameChoice
from gomoku_brain.gui.model.game_players import PlayerConfig

qt = QApplication([])
app = App(qt, Path(sys.argv[1]))
window = app.start()
command = f'"{sys.executable}" -I -S "{sys.argv[2]}" child START deaf 1'
window.games.start(GameChoice(black=PlayerConfig("program", command=command)))
print("started", flush=True)
qt.exec()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.slow("starts the board", ci=True)
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM"])
def test_no_engine_survives_the_board(tmp_path, name):
    """Even one that hangs, ignores signals and has a child."""
    psutil = pytest.importorskip("psutil")

    def alive(found):
        try:
            return found.status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return False

    script = shutil.copy(FAKE_BRAIN, tmp_path / "engine.py")
    process = start(HANGING, tmp_path / "board", str(script))
    assert process.stdout.readline() == "started\n"
    until = time.monotonic() + 60
    engines = []
    while not engines:  # the engine and its child, after the guard
        assert time.monotonic() < until
        time.sleep(0.02)
        with contextlib.suppress(psutil.NoSuchProcess):
            for child in psutil.Process(process.pid).children():
                if str(script) in " ".join(child.cmdline()) and child.children():
                    engines = [child, *child.children()]
    process.send_signal(getattr(signal, name))
    process.wait(60)
    process.stdout.close()
    while any(map(alive, engines)):
        assert time.monotonic() < until
        time.sleep(0.02)
