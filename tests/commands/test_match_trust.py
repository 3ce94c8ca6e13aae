"""Commands of a file of games run only if the user named, started or confirmed them."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gomoku_brain.client.brain import EngineSpec
from gomoku_brain.commands import _match_arguments, match
from gomoku_brain.match import trust
from gomoku_brain.match.tournament import GameFile
from gomoku_brain.records.read import read_games
from tests.commands.command import command
from tests.match.engines import SCRIPT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a shell of POSIX")
main = command("match")
PATIENCE = 120  # seconds; the machine may be busy
FAKE = shlex.join((sys.executable, "-I", "-S", str(SCRIPT)))
PAIR = ("--engine", f"a={FAKE} --row 2", "--engine", f"b={FAKE} --row 8")
SHORT = ("--openings", "none", "--depth", "1", "--games", "2")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A user who has confirmed nothing, in a folder of the test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GOMOKU_BOARD_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def foreign(path, *words):
    """Write a file of games as another user's match with these options left it."""
    options = _match_arguments.make_parser().parse_args(words)
    settings = _match_arguments.settings_of(options, print)
    with GameFile(path, settings, arguments=list(words)) as games:
        games.start()
    return path


@pytest.fixture
def harmful(tmp_path):
    """A file with an engine that makes the file ``mark`` when it starts."""
    shell = shlex.quote(f"touch mark; exec {FAKE} --row 2")
    return foreign(
        tmp_path / "x.jsonl", "--engine", f"a=sh -c {shell}", *PAIR[2:], *SHORT
    )


def process(*arguments, **options):
    root = match.__file__.partition("gomoku_brain")[0]
    return subprocess.Popen(
        [sys.executable, "-m", "gomoku_brain", "match", *arguments],
        env={**os.environ, "PYTHONPATH": root},
        text=True,
        **options,
    )


def resume(path, *more):
    return main(["--resume", "--out", str(path), *more])


# The question


def test_without_a_terminal_nothing_of_a_foreign_file_runs(harmful, capsys):
    assert resume(harmful) == 2
    error = capsys.readouterr().err
    assert f"sh -c 'touch mark; exec {FAKE} --row 2' (folder {Path.cwd()})" in error
    assert f"{SCRIPT} --row 8" in error
    assert "--allow-commands" in error.splitlines()[-1]
    assert not Path("mark").exists()
    assert len(harmful.read_text().splitlines()) == 1


def test_the_option_allows_the_commands(harmful):
    assert resume(harmful, "--allow-commands") == 0
    assert Path("mark").exists()
    assert resume(harmful) == 0, "they are confirmed now"


def test_the_option_in_the_file_allows_nothing(tmp_path, capsys):
    path = foreign(tmp_path / "x", *PAIR, *SHORT, "--allow-commands")
    assert resume(path) == 2


@pytest.mark.parametrize(("answer", "status"), [("y", 2), ("yes", 0)])
def test_a_terminal_shows_the_commands_and_needs_a_yes(harmful, answer, status):
    import pty

    master, terminal = pty.openpty()
    files = {"stdin": terminal, "stderr": terminal, "stdout": subprocess.DEVNULL}
    runner = process("--resume", "--out", harmful, **files)
    shown = b""
    try:
        while not shown.endswith(b"Type yes to run them: "):
            shown += os.read(master, 1000)
        assert b"touch mark" in shown
        assert not Path("mark").exists()
        os.write(master, f"{answer}\n".encode())
        assert runner.wait(PATIENCE) == status
    finally:
        runner.kill()
        os.close(master)
        os.close(terminal)
    assert Path("mark").exists() == (answer == "yes")
    assert resume(harmful) == status, "a confirmation holds, a refusal leaves nothing"


def test_an_own_match_that_was_killed_resumes_without_a_question(tmp_path):
    slow = "--engine", f"a={FAKE} --row 2 late 2", *PAIR[2:]
    own = (*slow, "--openings", "own.txt", "--depth", "1", "--games", "4")
    Path("own.txt").write_text("a15\nb15\n")
    path = tmp_path / "games.jsonl"
    runner = process(*own, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    end = time.monotonic() + PATIENCE
    while not path.exists() or path.read_text().count("\n") < 2:
        assert time.monotonic() < end
        time.sleep(0.01)
    runner.send_signal(signal.SIGKILL)
    runner.wait()
    assert len(read_games(path)) < 4
    path = path.rename(tmp_path / "moved.jsonl")
    assert resume(path) == 0
    assert len(read_games(path)) == 4


def test_the_same_command_continues_a_foreign_file(harmful, tmp_path):
    path = foreign(tmp_path / "y", *PAIR, *SHORT)
    assert main([*PAIR, *SHORT, "--out", str(path)]) == 0
    path = foreign(tmp_path / "z", *PAIR, *SHORT)
    named = [PAIR[1] + " ", PAIR[3]]
    words = ["--engine", named[0], "--engine", named[1], *SHORT]
    assert resume(path, *words) == 0


def test_our_brain_alone_needs_no_question(tmp_path):
    path = foreign(tmp_path / "x", "--engine", "a=ours", "--engine", "b=ours", *SHORT)
    assert not _match_arguments.file_commands(match.header_of(path), path)


def test_another_file_does_not_replace_the_outputs_of_an_own_match(tmp_path, capsys):
    page = ("--html", "report.html")
    assert main([*PAIR, *SHORT, *page, "--out", "own"]) == 0
    mine = Path("report.html").read_text()
    path = foreign(tmp_path / "x", *PAIR, *SHORT, "--draw-after", "9", *page)
    assert resume(path) == 2
    assert capsys.readouterr().err.splitlines()[1:-1] == [
        f"  --html {tmp_path}/report.html"
    ]
    assert Path("report.html").read_text() == mine
    assert resume("own") == 0


# The commands of a file


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["--html", "r.html"], "--html {here}/r.html"),
        (["--log", "/etc/x y"], "--log '/etc/x y'"),
        (["--psq", "games"], "--psq {here}/games"),
        (["--sgf", "a.sgf"], "--sgf {here}/a.sgf"),
        (["--samples", "s"], "--samples {here}/s"),
        (["--openings", "o.txt"], "--openings {here}/o.txt"),
        (["--engines", "e.json"], "--engines {here}/e.json"),
        (["--cluster", "tcp://far:8786"], "--cluster tcp://far:8786"),
        (["--psq", "None"], "--psq {here}/None"),
        (["--log", "-"], "--log {here}/-"),
        (["--sgf", "-", "--openings", "final", "--games", "4"], ""),
    ],
)
def test_options_that_name_files_or_a_cluster_are_commands(
    tmp_path, capsys, words, shown
):
    ours = ["--engine", "a=ours", "--engine", "b=ours", "--depth", "1"]
    path = foreign(tmp_path / "x", *ours, "--openings", "none")
    header = json.loads(path.read_text())
    header["arguments"] = [*ours, *words]
    path.write_text(json.dumps(header) + "\n")
    lines = [shown.format(here=tmp_path)] if shown else []
    options = _match_arguments.make_parser().parse_args(header["arguments"])
    given = _match_arguments.make_parser().parse_args([])
    assert _match_arguments.option_commands(options, given) == lines
    assert not _match_arguments.option_commands(options, options)
    if lines:
        assert resume(path) == 2
        assert lines[0] in capsys.readouterr().err


def test_every_option_with_a_free_text_is_known():
    """A new option that names a file or an address belongs into ``NAMING``."""
    plain = {"help", "engine", "out", "anchor", "sprt"}
    plain |= {"adjudicate_win", "adjudicate_draw"}
    free = {
        action.dest
        for action in _match_arguments.make_parser()._actions
        if action.nargs != 0
        and action.choices is None
        and action.type in (None, str, Path)
    }
    assert free == plain - {"help"} | set(_match_arguments.NAMING)


def test_a_command_is_bound_to_its_folder_and_settings(tmp_path, monkeypatch):
    def line(*words, cwd=None, infos=()):
        (found,) = trust.engine_commands([EngineSpec("x", words, cwd, infos)])
        return found

    assert line("./x", "-a") == f"{tmp_path}/x -a (folder {tmp_path})"
    assert line("ours", cwd="/y") == "ours (folder /y)"
    info = line("/x/y", infos=(("folder", "/a b"),))
    assert info == "/x/y (folder /x; INFO folder '/a b')"
    here = line("python3", "-m", "x"), line("./x")
    (tmp_path / "other").mkdir()
    monkeypatch.chdir("other")
    assert not set(here) & {line("python3", "-m", "x"), line("./x")}
    assert line("/x/y") == "/x/y (folder /x)", "a full path means the same anywhere"


def test_no_character_hides_a_command():
    assert trust.quote("a\x1b[2Jb") == "$'a\\x1b[2Jb'"
    assert trust.quote("\a\r\n\u202e\u200b\udc80") == (
        "$'\\x07\\r\\n\\u202e\\u200b\\udc80'"
    )
    assert trust.quote("a\u0301 א\ufe0f") == "$'a\\u0301 \\u05d0\\ufe0f'"
    assert trust.quote("evil;     x") == "$'evil; \\x20 \\x20 x'"
    assert trust.quote("棋 é") == "'棋 é'"
    words = ["\x1b", "\\x1b", "'\x1b", "$'\\x1b'", "a\x1b", "", " ", "(folder", "中"]
    words += ["a  b", "a b", "a \\x20b", "a   b", "$'a \\x20b'"]
    quotes = [trust.quote(word) for word in words]
    assert len(set(quotes)) == len(words)
    assert all(text.isprintable() for text in quotes)


@pytest.mark.parametrize(
    "settings",
    [5, {}, {"engines": 5}, {"engines": [{}]}, {"engines": [{"command": []}]}],
)
def test_a_file_without_valid_engines_starts_nothing(harmful, settings, capsys):
    header = json.loads(harmful.read_text())
    valid = header["settings"]["engines"]
    if isinstance(settings, dict) and isinstance(settings.get("engines"), list):
        row = settings["engines"][0]
        settings = {"engines": [{**valid[0], **row} if row else {}, valid[1]]}
    header["settings"] = settings
    harmful.write_text(json.dumps(header) + "\n")
    assert resume(harmful, "--allow-commands") == 2
    assert "has no valid settings" in capsys.readouterr().err
    assert not Path("mark").exists()


def test_engines_that_differ_from_the_confirmed_ones_do_not_run(harmful, capsys):
    header = json.loads(harmful.read_text())
    header["settings"]["engines"][0]["command"] = ["ours"]
    harmful.write_text(json.dumps(header) + "\n")
    assert resume(harmful, "--allow-commands") == 2
    assert "made with other settings" in capsys.readouterr().err
    assert not Path("mark").exists()


# The store


def test_after_damage_of_the_store_a_confirmation_is_needed_again(
    home, tmp_path, capsys
):
    home.mkdir()
    store = home / trust.FOLDER
    store.write_text("damaged")
    assert main([*PAIR, *SHORT]) == 0
    lines = capsys.readouterr().err.splitlines()
    (line,) = [line for line in lines if "are not remembered" in line]
    assert str(store) in line
    assert resume("games.jsonl") == 2
    store.unlink()
    store.mkdir()
    (store / "junk").write_text("x")
    assert main([*PAIR, *SHORT]) == 0
    assert resume("games.jsonl") == 0
    assert (store / "junk").exists()


def test_the_store_is_bounded_and_drops_the_oldest(home, monkeypatch):
    monkeypatch.setattr(trust, "MOST", 3)
    for number in range(5):
        trust.remember([f"engine {number}"])
        for path in (home / trust.FOLDER).iterdir():
            os.utime(path, (path.stat().st_mtime - 10,) * 2)
        trust.remember(["engine 0"])
    left = trust.unconfirmed(f"engine {number}" for number in range(5))
    assert left == ["engine 1", "engine 2"]


def test_a_store_in_the_current_folder_is_not_trusted(monkeypatch):
    monkeypatch.setenv("GOMOKU_BOARD_HOME", "home")
    with pytest.raises(OSError, match="not an absolute path"):
        trust.remember(["x"])
    assert trust.unconfirmed(["x"]) == ["x"]
