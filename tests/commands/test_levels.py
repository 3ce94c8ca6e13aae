"""The ladder as a command: shown, measured, resumed; and a brain of a named level."""

import json
import subprocess
import sys
import threading

import pytest

from gomoku_brain.commands import _level_games as levels
from gomoku_brain.commands._level_games import (
    LadderGame,
    LadderResult,
    LadderSettings,
    pairs,
    play,
)
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.levels.ladder import LEVELS
from tests.commands.command import command

main = command("levels")
QUICK = ["calibrate", "--only", "novice", "--games", "6", "--size", "9"]


def scores(capsys):
    return json.loads(capsys.readouterr().out)["steps"]


def test_the_ladder_is_shown_with_every_level(capsys):
    assert main([]) == 0
    shown = capsys.readouterr().out
    for level in LEVELS:
        assert f"{level.strength:8} {level.name}" in shown
    assert main(["--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["levels"]
    assert [row["name"] for row in rows] == [level.name for level in LEVELS]


def test_calibration_plays_and_counts_the_games_of_a_pair(capsys):
    assert main([*QUICK, "--json"]) == 0
    (row,) = scores(capsys)
    assert (row["level"], row["over"], row["games"]) == ("novice", "beginner", 6)
    assert row["wins"] + row["draws"] + row["losses"] == 6
    assert row["score"] == round((row["wins"] + row["draws"] / 2) / 6, 4)


def test_workers_change_no_game(tmp_path, capsys):
    kept = []
    for workers in "12":
        file = tmp_path / workers
        assert main([*QUICK, "--out", str(file), "--workers", workers]) == 0
        kept.append(sorted(file.read_text("utf-8").splitlines()))
    assert kept[0] == kept[1]


def test_another_seed_gives_other_games(tmp_path):
    moves = []
    for seed in (1, 2):
        settings = LadderSettings(Rule.FREESTYLE, 15, seed, 1000)
        game = LadderGame(LEVELS[1], LEVELS[0], 0)
        moves.append(play(game, settings, threading.Event()).moves)
    assert moves[0] != moves[1]


@pytest.mark.parametrize("rule", list(Rule))
def test_openings_are_legal_and_shared_by_the_two_games_of_a_pair(rule):
    settings = LadderSettings(rule, 9, 1, 500)
    board = Board(9, rule)
    stones = levels.opening(settings, 0)
    for move in stones:
        assert board.is_legal(move)
        board.play(move)
    assert board.winner is None
    for number in (0, 1):
        result = play(
            LadderGame(LEVELS[1], LEVELS[0], number), settings, threading.Event()
        )
        assert result.moves[: len(stones)] == stones


def test_points_are_those_of_the_upper_level():
    upper, lower = LEVELS[1], LEVELS[0]
    assert LadderResult(LadderGame(upper, lower, 0), "1-0", ()).points == 1
    assert LadderResult(LadderGame(upper, lower, 1), "1-0", ()).points == 0
    assert LadderResult(LadderGame(upper, lower, 1), "0-1", ()).points == 1
    assert LadderResult(LadderGame(upper, lower, 1), "1/2-1/2", ()).points == 0.5


def test_a_killed_run_goes_on_where_it_stopped(tmp_path, capsys, monkeypatch):
    file = tmp_path / "games.jsonl"
    assert main([*QUICK, "--out", str(file)]) == 0
    whole = file.read_text("utf-8")
    lines = whole.splitlines(keepends=True)
    assert len(lines) == 7
    file.write_text("".join(lines[:4]) + lines[4][:20], "utf-8")
    played = []

    def watched(game, *rest):
        played.append(game.number)
        return play(game, *rest)

    monkeypatch.setattr(levels, "play", watched)
    capsys.readouterr()
    assert main([*QUICK, "--out", str(file), "--resume", "--json"]) == 0
    assert sorted(played) == [3, 4, 5]
    assert file.read_text("utf-8") == whole
    (row,) = scores(capsys)
    assert row["games"] == 6


def test_a_run_is_not_mixed_with_one_of_other_settings(tmp_path, capsys):
    file = tmp_path / "games.jsonl"
    assert main([*QUICK, "--out", str(file)]) == 0
    before = file.read_bytes()
    for arguments, complaint in (
        ([], "--resume"),
        (["--resume", "--seed", "2"], "other settings"),
    ):
        capsys.readouterr()
        assert main([*QUICK, "--out", str(file), *arguments]) == 2
        said = capsys.readouterr().err
        assert said.startswith("gomoku-brain levels: ")
        assert complaint in said
        assert said.count("\n") == 1
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["calibrate", "--only", "god"], "'god' is not one of these upper levels"),
        (
            ["calibrate", "--only", "beginner"],
            "'beginner' is not one of these upper levels",
        ),
        (["calibrate", "--size", "3"], "'3' is not a whole number from 5 to 22"),
        (["calibrate", "--out", "/no/such/folder/file"], "folder"),
    ],
)
def test_a_bad_request_is_refused_in_one_line(arguments, complaint, capsys):
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1


def test_ctrl_c_shows_and_keeps_what_was_played(tmp_path, capsys, monkeypatch):
    file = tmp_path / "games.jsonl"
    say = levels._show_progress

    def interrupt(progress_writer, result, results, games):
        say(progress_writer, result, results, games)
        if len(results) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(levels, "_show_progress", interrupt)
    assert main([*QUICK, "--out", str(file), "--json"]) == 130
    (row,) = scores(capsys)
    assert row["games"] == 2
    assert len(file.read_text("utf-8").splitlines()) == 3


@pytest.mark.parametrize(("won", "status"), [(15, 0), (20, 1), (11, 1)])
def test_check_states_by_the_exit_status_whether_the_steps_are_right(
    won, status, monkeypatch, capsys
):
    def instant(game, settings, stop):
        upper = game.number < won
        black = (game.number % 2 == 0) == upper
        return LadderResult(game, "1-0" if black else "0-1", ())

    monkeypatch.setattr(levels, "play", instant)
    arguments = ["calibrate", "--only", "hard", "--games", "20", "--check"]
    assert main(arguments) == status


def test_the_pairs_are_neighbours():
    assert len(pairs()) == len(LEVELS) - 1
    assert pairs()[0] == (LEVELS[1], LEVELS[0])
    assert [upper.name for upper, _ in pairs(["hard"])] == ["hard"]


def talk(*arguments):
    done = subprocess.run(
        [sys.executable, "-m", "gomoku_brain", *arguments],
        input=b"START 15\nBEGIN\nTURN 8,8\nTURN 9,6\n",
        capture_output=True,
        timeout=60,
    )
    return done.returncode, done.stdout.decode("ascii"), done.stderr.decode()


def test_a_brain_of_a_named_level_plays_by_its_seed():
    status, said, _ = talk("--level", "beginner", "--seed", "4")
    assert status == 0
    same, other = talk("--strength=0", "--seed=4"), talk("--strength=0", "--seed=5")
    moves = [line for line in said.splitlines() if "MESSAGE" not in line]
    assert len(moves) == 4
    assert moves == [line for line in same[1].splitlines() if "MESSAGE" not in line]
    assert moves != [line for line in other[1].splitlines() if "MESSAGE" not in line]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--strength", "101"],
        ["--level", "god"],
        ["--strength", "x"],
        ["--threads", "0"],
        ["--threads", "two"],
    ],
)
def test_a_brain_with_a_wrong_option_does_not_start(arguments):
    status, said, complaint = talk(*arguments)
    assert status == 2
    assert said == ""
    assert "argument --" in complaint
