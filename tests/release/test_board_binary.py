"""The folder of the board that needs no Python, as people start it.

``GOMOKU_BOARD`` names the program in the folder that build_board.py makes; a Windows
program elsewhere is run by Wine. With Xvfb and xdotool a real window gets real clicks.

    GOMOKU_BOARD=out/gomoku-board/gomoku-board \
        pytest -m "slow or not slow" tests/release/test_board_binary.py
"""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

import gomoku_brain
from tests.test_bench import SIGNATURE

GIVEN = os.environ.get("GOMOKU_BOARD")
if not GIVEN:
    pytest.skip("GOMOKU_BOARD names no program", allow_module_level=True)

import build_board  # noqa: E402

PROGRAM = Path(GIVEN).absolute()
FOLDER = PROGRAM.parent
IS_APP = FOLDER.name == "MacOS"
CONTENTS = FOLDER.parent / "Frameworks" if IS_APP else FOLDER / "_internal"
BRAIN = PROGRAM.with_name(f"pbrain-gomoku-brain{PROGRAM.suffix}")
WINE = ["wine"] if PROGRAM.suffix == ".exe" and sys.platform != "win32" else []
SOON = 300.0  # seconds: other work may keep the machine busy
GAME = "(;GM[4]SZ[15];B[hh];W[gg];B[hg];W[hi];B[ig])"
ITS_WINDOW = ("search", "--onlyvisible", "--pid")
HAS_XVFB = not WINE and all(map(shutil.which, ("Xvfb", "xdotool")))


def run(program, *arguments, given="", **variables):
    """Run a program of the folder to its end; what it printed."""
    done = subprocess.run(
        [*WINE, str(program), *map(str, arguments)],
        input=given.encode(),
        capture_output=True,
        timeout=SOON,
        env=os.environ | variables,
    )
    said = done.stdout.decode() + done.stderr.decode(errors="replace")
    assert done.returncode == 0, said
    return done.stdout.decode().replace("\r\n", "\n")


def self_check(program, report, **variables):
    """The report of the board about itself; the check has passed."""
    try:
        run(program, "--self-check", report, **variables)
    finally:
        if report.exists():
            print(report.read_text(encoding="utf-8"))
    lines = report.read_text(encoding="utf-8").splitlines()
    assert lines[-1].startswith("passed on ")
    assert any("对局" in line for line in lines), "the texts are translated"
    return lines


@pytest.mark.slow("starts the board")
def test_it_knows_its_version():
    assert run(PROGRAM, "--version") == f"gomoku-brain {gomoku_brain.__version__}\n"


@pytest.mark.slow("a game, an analysis and a tournament without a screen")
@pytest.mark.timeout(600)
@pytest.mark.skipif(bool(WINE), reason="Wine passes no variables of Qt on")
def test_the_board_plays_reads_analyses_and_ends_without_a_screen(tmp_path):
    lines = self_check(PROGRAM, tmp_path / "report", QT_QPA_PLATFORM="offscreen")
    assert lines[-1] == "passed on offscreen"


@pytest.mark.slow("the same in a window")
@pytest.mark.timeout(600)
@pytest.mark.skipif(
    sys.platform == "linux" and not WINE, reason="on Linux with Xvfb, below"
)
def test_the_board_plays_reads_analyses_and_ends_in_a_window(tmp_path, monkeypatch):
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    lines = self_check(PROGRAM, tmp_path / "report")
    assert lines[-1] in ("passed on windows", "passed on cocoa")


@pytest.mark.slow("copies the folder")
@pytest.mark.timeout(600)
@pytest.mark.skipif(IS_APP, reason="an app is moved as a whole")
def test_it_plays_from_a_folder_of_any_name_and_writes_nothing_there(tmp_path):
    folder = tmp_path / "Žofie's games 五子棋" / FOLDER.name
    shutil.copytree(FOLDER, folder, symlinks=True)
    before = sorted(folder.rglob("*"))
    self_check(folder / PROGRAM.name, tmp_path / "report", QT_QPA_PLATFORM="offscreen")
    assert sorted(folder.rglob("*")) == before


@pytest.mark.slow("starts the brain")
def test_the_brain_beside_it_plays_for_managers():
    said = run(BRAIN, given="START 15\r\nINFO timeout_turn 500\r\nTURN 7,7\r\nEND\r\n")
    first, *_, last = said.splitlines()
    assert first == "OK"
    assert last.partition(",")[0].isdigit()


@pytest.mark.slow("the whole bench")
@pytest.mark.timeout(600)
def test_the_search_of_the_brain_is_that_of_the_source():
    assert f"nodes {SIGNATURE} " in run(BRAIN, "bench").splitlines()[-1]


def test_only_what_the_board_needs_is_in_the_folder():
    assert build_board.check(CONTENTS) == []
    if not IS_APP:
        names = {path.name for path in FOLDER.iterdir()}
        assert {*build_board.PAGES, "LICENSE.txt", "licenses", "_internal"} <= names


@contextmanager
def display(size="1280x800"):
    """A screen of its own; its name."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with open(read) as pipe:
            yield f":{pipe.readline().strip()}"
    finally:
        server.terminate()
        server.wait(SOON)


@contextmanager
def board_on(screen, home, *arguments):
    """The board on a screen: its process and a function for xdotool."""
    variables = {k: v for k, v in os.environ.items() if k != "QT_QPA_PLATFORM"}
    variables |= {"DISPLAY": screen, "GOMOKU_BOARD_HOME": str(home)}
    process = subprocess.Popen([str(PROGRAM), *map(str, arguments)], env=variables)

    def do(*words):
        done = subprocess.run(
            ["xdotool", *map(str, words)], env=variables, capture_output=True, text=True
        )
        return done.stdout.split()

    try:
        yield process, do
    finally:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGKILL)
        process.wait(SOON)


def until(holds):
    end = time.monotonic() + SOON
    while not (found := holds()):
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.05)
    return found


def shown(do, pid):
    """The window of the board once it is on the screen."""
    return do(*ITS_WINDOW, pid)


def quit_by_keys(do, process):
    """Press Ctrl+Q until the board heeds it; its exit status."""

    def has_ended():
        # Without a window manager only a click gives the window the focus: one on
        # the list of moves.
        do("mousemove", 900, 500, "click", 1)
        do("key", "ctrl+q")
        time.sleep(1)
        return process.poll() is not None

    until(has_ended)
    return process.returncode


def stones(home):
    """The numbers of stones of the games in an archive, which may be in use."""
    place = (home / "games.db").as_uri() + "?mode=ro"
    with closing(sqlite3.connect(place, uri=True)) as base:
        return [plies for (plies,) in base.execute("SELECT plies FROM games")]


@pytest.mark.slow("a window with real clicks")
@pytest.mark.timeout(600)
@pytest.mark.skipif(not HAS_XVFB, reason="needs Xvfb and xdotool")
def test_clicks_in_a_real_window_play_and_the_game_comes_back(tmp_path):
    with display() as screen:
        for start in ("first", "second"):
            begin = time.monotonic()
            with board_on(screen, tmp_path) as (process, do):
                until(lambda do=do, pid=process.pid: shown(do, pid))
                print(f"{start} start to window: {time.monotonic() - begin:.2f} s")
                until((tmp_path / "games.db").exists)
                time.sleep(1)
                if start == "first":
                    # The click gives the first screen the focus.
                    do("mousemove", 100, 300, "click", 1, "key", "Escape")
                    do("mousemove", 355, 384, "click", 1)
                    until(lambda: stones(tmp_path) == [2])
                assert quit_by_keys(do, process) == 0
            assert stones(tmp_path) == [2]


@pytest.mark.slow("a window for a file")
@pytest.mark.timeout(600)
@pytest.mark.skipif(not HAS_XVFB, reason="needs Xvfb and xdotool")
def test_it_opens_the_file_that_it_is_started_with(tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text(GAME)
    with (
        display("1024x600") as screen,
        board_on(screen, tmp_path, file) as (
            process,
            do,
        ),
    ):
        until(lambda: shown(do, process.pid))
        until(lambda: (tmp_path / "games.db").exists() and stones(tmp_path))
        assert quit_by_keys(do, process) == 0
    assert stones(tmp_path) == [5]


@pytest.mark.slow("starts the board")
@pytest.mark.timeout(600)
@pytest.mark.skipif(not HAS_XVFB, reason="needs Xvfb")
def test_the_board_passes_its_check_under_x11(tmp_path, monkeypatch):
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    with display() as screen:
        lines = self_check(PROGRAM, tmp_path / "report", DISPLAY=screen)
    assert lines[-1] == "passed on xcb"
