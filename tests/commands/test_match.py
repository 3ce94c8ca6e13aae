import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from gomoku_brain.client.brain import Brain, EngineSpec
from gomoku_brain.commands import _match_arguments, match
from gomoku_brain.commands._match_display import fitted
from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.match.report import report
from gomoku_brain.match.stats import Pentanomial, Score
from gomoku_brain.match.tournament import GameFile, Standings, header_of
from gomoku_brain.records.game_record import from_json
from gomoku_brain.records.read import parse_games, read_games
from tests.commands.command import command
from tests.match.engines import SCRIPT

main = command("match")
FAKE = f'"{sys.executable}" -I -S "{SCRIPT}"'.replace("\\", "/")
# They play along a row of their own, so each is through with its fifth stone.
ROWS = [f"{FAKE} --row 2", f"{FAKE} --row 8"]
PATIENCE = 300  # seconds; the machine may be busy
OTHER_SIGNAL = pytest.mark.slow("as with another signal", ci=True)
NO_LIMITS = dict.fromkeys(_match_arguments.LIMITS)


@pytest.fixture
def openings(tmp_path):
    path = tmp_path / "openings.txt"
    path.write_text("a15\nb15\nc15\nh13\n")
    return path


@pytest.fixture
def play(tmp_path, monkeypatch, openings):
    """Runs the command in a folder of its own; engines a and b, depth 1."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments, engines=None):
        engines = engines or [
            ["--engine", f"a={ROWS[0]}"],
            ["--engine", f"b={ROWS[1]}"],
        ]
        return main(
            [
                *[word for words in engines for word in words],
                *("--openings", str(openings), "--depth", "1", "--reuse", *arguments),
            ]
        )

    return run


def error_of(capsys):
    """The one line of a refusal."""
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    assert line.startswith("gomoku-brain match: ")
    return line.removeprefix("gomoku-brain match: ")


# Words


def test_an_engine_has_a_name_a_command_and_its_own_limits():
    words = ["old=/opt/a/pbrain --quick", "nodes=200", "time=none", "memory=64"]
    words += ["threads=2", "cwd=/tmp", "info.caution_factor=3"]
    player = _match_arguments.parse_engine(
        words, NO_LIMITS | {"time": 1.5, "increment": 0.5}
    )
    infos = (("thread_num", "2"), ("caution_factor", "3"))
    command = ("/opt/a/pbrain", "--quick")
    assert player.spec == EngineSpec("old", command, "/tmp", infos)
    assert player.limits == PlayerLimits(increment=0.5, nodes=200, memory=64 << 20)


def test_an_engine_without_a_name_is_named_by_its_program():
    def name(text):
        return _match_arguments.parse_engine([text], NO_LIMITS).name

    assert name("ours") == "ours"
    assert name("/opt/pbrain-pela --level=3") == "pbrain-pela"
    assert name("new=ours") == "new"
    assert name("pbrain-x.exe") == "pbrain-x"


@pytest.mark.parametrize(
    "words",
    [
        ["x="],
        ['x="y'],
        ["x=y", "speed=3"],
        ["x=y", "nodes=many"],
        ["x=y", "nodes=0"],
    ],
)
def test_an_engine_that_cannot_be_read_is_refused(words):
    with pytest.raises(
        ValueError, match=r"no command|is not closed|not one of|not a whole number"
    ):
        _match_arguments.parse_engine(words, NO_LIMITS)


# Refusals: one line, status 2, no file


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--games", "3"], "must be an even number"),
        (["--games", "10"], "4 openings are too few for 5 pairs"),
        (["--openings", "none.txt"], "none.txt"),
        (["--openings", "none", "--sprt", "0,5", "--games", "20"], "too few"),
        (["--sprt", "5"], "write ELO0,ELO1"),
        (["--sprt", "5,0"], "must be less than"),
        (["--size", "30"], "'30' is not a whole number from 5 to 22"),
        (["--time", "-1"], "not a time in seconds"),
        (["--resume"], "games.jsonl"),
        (["--cluster", "tcp://127.0.0.1:1", "--time", "1"], "plays by the clock"),
        (["--cluster", "tcp://127.0.0.1:1", "--reuse"], "does not work on a cluster"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(play, tmp_path, capsys, arguments, told):
    assert play(*arguments) == 2
    assert told in error_of(capsys)
    assert [path.name for path in tmp_path.iterdir()] == ["openings.txt"]


def test_engines_must_be_two_limited_and_different(play, capsys):
    one = ["--engine", f"a={ROWS[0]}"]
    assert play(engines=[one]) == 2
    assert error_of(capsys) == "a match needs two engines"
    assert play(engines=[one, one]) == 2
    assert error_of(capsys) == "two engines are named 'a'"
    assert play(engines=[one, ["--engine", f"b={ROWS[1]}", "depth=none"]]) == 2
    assert "b has no limit: add --time" in error_of(capsys)


def test_weights_of_another_rule_are_refused(play, capsys):
    weights = files("gomoku_brain") / "data" / "weights-renju.bin"
    engines = [["--engine", "a=ours", f"weights={weights}"], ["--engine", f"b={FAKE}"]]
    assert play(engines=engines) == 2
    assert "has the weights of renju, not of freestyle" in error_of(capsys)


@pytest.mark.parametrize(
    "what", ["no-such-brain", f"{FAKE} crash START"], ids=["none", "crash"]
)
def test_an_engine_that_cannot_start_is_reported_before_any_game(
    play, tmp_path, capsys, what
):
    engines = [["--engine", f"a={ROWS[0]}"], ["--engine", f"bad={what}"]]
    assert play(engines=engines) == 2
    assert error_of(capsys).startswith("engine bad ")
    assert not (tmp_path / "games.jsonl").exists()


# Runs


def test_a_match_ends_with_a_report_and_all_files(play, tmp_path, capsys):
    files = ["--psq", "games", "--sgf", "games.sgf"]
    assert play("--games", "6", "--workers", "2", "--every", "3", *files) == 0
    captured = capsys.readouterr()
    # Black, with the first stone on the board, is a stone ahead.
    assert "a - b: 6 games, +3 =0 -3, 50.0 %" in captured.out
    assert "pairs 3, pentanomial [0, 0, 3, 0, 0]: 2-0 0, 0-2 0, split 3" in captured.out
    assert captured.err.count("[3/6] ") == captured.err.count("[6/6] ") == 1

    records = {r.id: r for r in read_games(tmp_path / "games.jsonl")}
    assert set(records) == {f"1-2.{n}{half}" for n in (1, 2, 3) for half in "ab"}
    (sgf,) = [read_games(tmp_path / "games.sgf")]
    psq = [read_games(path)[0] for path in (tmp_path / "games").iterdir()]
    for others in (sgf, psq):
        assert len(others) == 6
        assert {r.moves for r in others} == {r.moves for r in records.values()}


def test_json_is_all_that_standard_output_gets(play, tmp_path, capsys):
    play("--games", "4", "--json")
    row = json.loads(capsys.readouterr().out)
    assert row["games"] == row["of"] == 4
    assert row["finished"] is True
    assert row["pairings"][0]["pentanomial"] == [0, 0, 2, 0, 0]
    assert {rank["name"] for rank in row["ranking"]} == {"a", "b"}


def test_the_json_has_the_form_of_the_schema(play, capsys):
    jsonschema = pytest.importorskip("jsonschema")
    path = Path(__file__).parents[2] / "docs" / "output.schema.json"
    valid = jsonschema.Draft202012Validator(json.loads(path.read_text("utf-8")))
    play("--games", "4", "--sprt", "0,50", "--json", "--anchor", "b=1000")
    row = json.loads(capsys.readouterr().out)
    valid.validate(row)
    assert {rank["name"]: rank["rating"] for rank in row["ranking"]} == {
        "a": 1000,
        "b": 1000,
    }


def test_a_folder_that_is_not_there_is_no_wish_for_one(play, tmp_path, capsys):
    out = tmp_path / "none" / "games.jsonl"
    assert play("--games", "4", "--out", str(out)) == 2
    assert error_of(capsys).endswith(f"there is no folder {out.parent}")
    assert not out.parent.exists()


def test_the_games_go_to_standard_output_and_the_table_to_the_other(play, capsys):
    assert play("--games", "4", "--sgf", "-") == 0
    captured = capsys.readouterr()
    assert len(parse_games(captured.out)) == 4
    assert "a - b: 4 games" in captured.err
    assert play("--games", "4", "--sgf", "-", "--json") == 2
    assert error_of(capsys) == "--json and --sgf - both write to standard output"


def test_a_level_is_an_engines_key():
    player = _match_arguments.parse_engine(["ours", "level=Easy"], NO_LIMITS)
    assert player.spec.infos == (("strength", "22"),)
    with pytest.raises(ValueError, match="no level 'god'; there are: beginner, "):
        _match_arguments.parse_engine(["ours", "level=god"], NO_LIMITS)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--anchor", "c"], "--anchor c: the players are a, b"),
        (["--anchor", "a=x"], "'x' is not a rating"),
        (["--anchor", "a=inf"], "'inf' is not a rating"),
        (["--adjudicate-win", "x"], "--adjudicate-win x: write whole numbers"),
        (["--adjudicate-win", "1,2,3"], "write whole numbers"),
        (["--adjudicate-win", "0"], "a win by a score of 0: at least 1"),
        (["--adjudicate-draw", "5,0"], "at least one move of both"),
    ],
)
def test_a_mistaken_anchor_or_adjudication_is_reported(play, capsys, words, told):
    assert play("--games", "2", *words) == 2
    assert told in error_of(capsys)


def test_scores_that_agree_end_a_game_only_where_that_is_asked_for(play, tmp_path):
    """Each says from its second move on that it wins, or loses."""
    deeds = "win 2 win 3 win 4", "lose 2 lose 3 lose 4"
    engines = [
        ["--engine", f"{name}={row} {deed}"]
        for name, row, deed in zip("ab", ROWS, deeds, strict=True)
    ]
    asked = ["--adjudicate-win", "500,2", "--out", "asked.jsonl"]
    assert play("--games", "2", *asked, engines=engines) == 0
    games = read_games(tmp_path / "asked.jsonl")
    assert [game.reason for game in games] == ["adjudicated"] * 2
    assert {game.id[-1]: game.result for game in games} == {"a": "1-0", "b": "0-1"}
    assert play("--games", "2", engines=engines) == 0
    assert [g.reason for g in read_games(tmp_path / "games.jsonl")] == ["five"] * 2
    agreed = header_of(tmp_path / "asked.jsonl")["settings"]["adjudication"]
    assert (agreed["win_score"], agreed["win_moves"]) == (500, 2)
    assert "adjudication" not in header_of(tmp_path / "games.jsonl")["settings"]


STONES = '"7,7 8,7 9,9"'


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", 'does not play swap2: it answered "UNKNOWN command"'),
        ("--swap2 7,7", 'does not play swap2: it answered "7,7"'),
        (
            f"--swap2 {STONES} ignore SWAP2BOARD",
            "does not play swap2: it gave no answer",
        ),
    ],
)
def test_who_does_not_play_swap2_is_reported_before_any_game(
    play, tmp_path, capsys, monkeypatch, words, told
):
    monkeypatch.setattr(
        match, "try_engine", partial(match.try_engine, patience=0.3 if words else 10)
    )
    knows = f"{FAKE} --swap2 {STONES}/SWAP"
    bad = FAKE if not words else f"{FAKE} {words}"
    engines = [["--engine", f"a={knows}"], ["--engine", f"b={bad}"]]
    assert play("--swap2", "--games", "2", engines=engines) == 2
    said = error_of(capsys)
    assert said.startswith("engine b ")
    assert told in said
    assert not (tmp_path / "games.jsonl").exists()


def test_ranking_and_pairings_state_the_same():
    """Of 8-0 one said a likelihood of superiority of 0.969, the other 0.998."""
    standings = Standings(["ab", "ac", "bc"])
    encounter = standings.encounters[0]
    encounter.pairs, encounter.score = Pentanomial(ww=4), Score(wins=8)
    assert standings.tally("a").los == encounter.tally.los == 1 - 0.5**5
    assert standings.tally("b").los == pytest.approx(0.5**5)
    assert standings.tally("c").trials == 0
    standings.encounters[1].pairs = Pentanomial(ll=1)
    standings.encounters[1].score = Score(losses=2)
    assert standings.tally("a").counts == (1, 0, 0, 0, 4)
    table = [line.split() for line in standings.crosstable()]
    assert table[0] == ["1", "2", "3"]
    assert {row[1]: sorted(row[2:]) for row in table[1:]} == {
        "a": ["-", "0/2", "8/8"],
        "b": ["-", "-", "0/8"],
        "c": ["-", "-", "2/2"],
    }


def test_resuming_without_a_file_is_one_line(capsys, tmp_path):
    assert main(["--resume", "--out", str(tmp_path / "none.jsonl")]) == 2
    err = capsys.readouterr().err
    assert "the file does not exist: name it with --out" in err
    assert err.count("\n") == 1


def test_the_same_command_again_plays_nothing_and_more_games_go_on(
    play, tmp_path, capsys
):
    play("--games", "2")
    before = (tmp_path / "games.jsonl").read_bytes()
    assert play("--games", "2") == 0
    assert (tmp_path / "games.jsonl").read_bytes() == before
    capsys.readouterr()
    assert play("--games", "4") == 0
    assert "2 of 4 games are already played" in capsys.readouterr().err
    assert (tmp_path / "games.jsonl").read_bytes().startswith(before)
    assert play("--games", "4", "--size", "16") == 2
    assert "size 15, now 16" in error_of(capsys)


def test_a_torn_first_line_is_named(tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    path.write_text('{"match": {"rule"')
    assert main(["--resume", "--out", str(path)]) == 2
    assert "has no complete first line: its run ended" in capsys.readouterr().err
    path.write_text("")
    assert main(["--resume", "--out", str(path)]) == 2
    assert "games.jsonl is empty" in capsys.readouterr().err


def test_resume_needs_no_engine_named(play, tmp_path, capsys):
    play("--games", "2")
    path = (tmp_path / "games.jsonl").rename(tmp_path / "other.jsonl")
    assert main(["--resume", "--out", str(path), "--games", "4"]) == 0
    assert len(read_games(path)) == 4
    assert not (tmp_path / "games.jsonl").exists()


def test_each_fault_ends_one_game_and_is_reported(play, capsys, tmp_path):
    bad = f"bad={FAKE} --row 8 crash 3"
    engines = [["--engine", f"a={ROWS[0]}"], ["--engine", bad]]
    assert play("--games", "4", engines=engines) == 0
    captured = capsys.readouterr()
    assert "by other faults 0 - 4" in captured.out
    assert captured.err.count("(crash, ") == 4
    assert "it went wrong" in captured.err


@pytest.mark.slow("engines that hang", ci=True)
def test_whatever_engines_do_every_game_is_accounted_for(play, tmp_path, capsys):
    limits = {"late": "time=0.1", "stall": "time=1"}
    deeds = ["crash", "stall", "flood", "late", "0,2", "words"]
    engines = [["--engine", f"good={ROWS[0]}"]]
    for deed in deeds:
        command = f"{deed}={FAKE} --row 8 {deed} 2"
        engines.append(["--engine", command, limits.get(deed, "time=10")])
    arguments = ["--gauntlet", "--games", "2", "--time", "10", "--workers", "4"]
    assert play(*arguments, engines=engines) == 0
    reasons = {
        (record.white if record.white != "good" else record.black): record.reason
        for record in read_games(tmp_path / "games.jsonl")
    }
    assert reasons == {
        "crash": "crash",
        "stall": "hang",
        "flood": "flood",
        "late": "time",
        "0,2": "illegal move",
        "words": "garbage",
    }
    out = capsys.readouterr().out
    assert " 1 good " in out
    assert out.count("+2 =0 -0") == len(deeds)


def test_several_engines_are_ranked(play, capsys):
    engines = [["--engine", f"{name}={ROWS[0]}"] for name in "ab"]
    engines += [["--engine", f"c={FAKE} --row 8 crash 2"]]
    assert play("--games", "2", "--reuse", engines=engines) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split()[:2] == ["3", "c"]
    assert lines[2].split()[2:5] == ["0", "of", "4"]


def test_a_narrow_terminal_cuts_nothing():
    """A wide crosstable becomes several, and other lines are wrapped."""
    names = [f"engine-{k:02}" for k in range(12)]
    standings = Standings((names[i], names[j]) for i in range(12) for j in range(i))
    for encounter in standings.encounters:
        encounter.score = Score(10, 0, 10)
    match = SimpleNamespace(standings=standings, sprt=None)
    wide = report(match)
    assert max(map(len, standings.crosstable())) > 80
    for width in (80, 40):
        lines = report(match, width).split("\n")
        assert max(map(len, lines)) <= width
        assert "".join(lines).count("10/20") == 12 * 11
        words = " ".join(lines).split()
        assert set(wide.split()) <= set(words)
    assert report(match, 1000) == wide


def test_copies_are_reported_and_do_not_count(play, capsys):
    assert play("--openings", "none", "--games", "6", "--repeat-openings") == 0
    out = capsys.readouterr().out
    assert "a - b: 2 games" in out
    assert "4 games were copies of others and do not count" in out


def test_openings_that_equal_others_are_left_out(play, openings, capsys):
    with openings.open("a") as file:
        file.write("h3\no15\n")  # mirror images of h13 and a15
    assert play("--games", "10") == 2
    assert "left out 2 openings" in capsys.readouterr().err


GOOD, BAD = f"{FAKE} --row 2", f"{FAKE} --row 8 crash 2"


@pytest.mark.parametrize(
    ("first", "second", "elos", "status", "told"),
    [
        (GOOD, BAD, "0,400,0.4,0.4", 0, "H1: first is stronger"),
        (BAD, GOOD, "0,400,0.4,0.4", 1, "H0: first is not stronger"),
        (GOOD, GOOD, "0,2", 3, "no verdict yet"),
    ],
    ids=["H1", "H0", "none"],
)
def test_an_sprt_states_its_verdict_by_words_and_status(
    play, capsys, first, second, elos, status, told
):
    engines = [["--engine", f"first={first}"], ["--engine", f"second={second}"]]
    assert play("--sprt", elos, engines=engines) == status
    assert told in capsys.readouterr().out
    games = len(read_games("games.jsonl"))
    assert games == 8 if status == 3 else games < 8


def test_without_openings_named_the_shipped_book_is_used(play, capsys):
    assert play("--openings", "tuning", "--games", "2") == 0
    records = read_games("games.jsonl")
    assert all(record.node_at(1).figures.by_opening for record in records)
    assert all(record.extra["opening"].startswith("freestyle15:") for record in records)


def test_a_killed_run_goes_on_without_loss_or_repetition(play, tmp_path, openings):
    path = tmp_path / "games.jsonl"
    command = [sys.executable, "-m", "gomoku_brain", "match", "--out", str(path)]
    command += ["--engine", f"a={ROWS[0]}", "--engine", f"b={ROWS[1]}", "--depth", "1"]
    command += ["--openings", str(openings), "--games", "8", "--workers", "2"]
    folder = match.__file__.partition("gomoku_brain")[0]
    kept = []
    for more in (2, 3):
        process = subprocess.Popen(command, cwd=folder, stderr=subprocess.DEVNULL)
        until = time.monotonic() + PATIENCE
        wanted = len(kept) + more
        while not path.exists() or path.read_bytes().count(b"\n") <= wanted:
            assert time.monotonic() < until
            time.sleep(0.01)
        process.kill()
        process.wait()
        now = path.read_bytes().split(b"\n")[1:-1]
        assert now[: len(kept)] == kept
        kept = now
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0
    assert f"{len(kept)} of 8 games are already played" in done.stderr
    lines = path.read_bytes().splitlines()[1:]
    assert lines[: len(kept)] == kept
    ids = sorted(from_json(line.decode()).id for line in lines)
    assert ids == sorted(f"1-2.{n}{half}" for n in range(1, 5) for half in "ab")


def test_ctrl_c_keeps_what_is_done_and_kills_the_engines(
    play, tmp_path, monkeypatch, capsys
):
    append = GameFile.append

    def append_and_interrupt(games, record):
        append(games, record)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(GameFile, "append", append_and_interrupt)
        assert play("--games", "8", "--workers", "2", "--sgf", "g.sgf") == 130
    captured = capsys.readouterr()
    assert "stopped; run the command again to continue" in captured.err
    assert len(read_games(tmp_path / "games.jsonl")) == 1
    assert len(read_games(tmp_path / "g.sgf")) == 1
    assert main(["--resume"]) == 0
    assert header_of(tmp_path / "games.jsonl")["settings"]["openings"] == 4
    assert len(read_games(tmp_path / "g.sgf")) == 8


def test_a_full_disk_ends_the_run_with_what_is_done(play, monkeypatch, capsys):
    append = GameFile.append

    def append_two(games, record):
        if len(games.records) == 2:
            raise OSError(28, "No space left on device")
        append(games, record)

    monkeypatch.setattr(GameFile, "append", append_two)
    assert play("--games", "8") == 2
    captured = capsys.readouterr()
    assert "a - b: 2 games" in captured.out
    assert captured.err.splitlines()[-1].endswith("No space left on device")


@pytest.mark.parametrize("option", ["--psq", "--sgf", "--out"])
def test_a_place_that_cannot_be_written_is_reported_before_the_first_game(
    play, tmp_path, capsys, option
):
    place = tmp_path / "file" / "below"
    (tmp_path / "file").touch()
    assert play(option, str(place if option != "--out" else tmp_path)) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("gomoku-brain match: ")
    assert told.err.count("\n") == 1
    assert not (tmp_path / "games.jsonl").exists()


@pytest.mark.parametrize("option", ["--sgf", "--html"])
def test_games_and_openings_are_not_written_over(play, tmp_path, capsys, option):
    assert play("--games", "4") == 0
    before = (tmp_path / "games.jsonl").read_bytes()
    capsys.readouterr()
    for place in ("games.jsonl", "openings.txt"):
        assert play("--games", "4", option, place) == 2
        assert error_of(capsys).endswith("would be written over: name another file")
    assert (tmp_path / "games.jsonl").read_bytes() == before
    assert play("--games", "4", "--sgf", "x", "--html", "./x") == 2
    assert error_of(capsys) == "x would be written over: name another file"


def test_a_missing_file_of_openings_is_reported_by_its_name(play, tmp_path, capsys):
    assert play("--openings", "nofile") == 2
    assert error_of(capsys) == "nofile: No such file or directory"
    assert play("--openings", str(tmp_path)) == 2
    assert error_of(capsys) == f"{tmp_path}: Is a directory"


def test_a_full_disk_is_reported_once_and_the_table_is_printed(play, capsys):
    resource = pytest.importorskip("resource", reason="Windows has no such limit")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, hard))
    try:
        status = play()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    told = capsys.readouterr()
    assert status == 2
    assert told.err.count("gomoku-brain match: ") == 1
    assert told.out.startswith("a - b: ")


# Ends by signals, the log, engines in a file


@pytest.fixture
def run_match():
    """Start the command in a process of its own, which is gone when the test ends."""
    started = []

    def run(folder, *arguments):
        path = match.__file__.partition("gomoku_brain")[0]
        process = subprocess.Popen(
            [sys.executable, "-m", "gomoku_brain", "match", *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        with process:  # closes its pipes
            pass


def left_behind(mark, runner):
    """Processes but the runner whose command line has the mark."""
    return [
        process
        for process in psutil.process_iter(["cmdline"])
        if mark in " ".join(process.info["cmdline"] or []) and process.pid != runner
    ]


def children_of(process):
    """All processes below; none when it has just ended, as a fork before its exec."""
    try:
        return process.children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def is_at_work(process):
    """Whether a process runs; one that ended may wait for its parent as a zombie."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(
    "name",
    [
        "SIGINT",
        pytest.param("SIGTERM", marks=OTHER_SIGNAL),
        pytest.param("SIGHUP", marks=OTHER_SIGNAL),
        "SIGKILL",
    ],
)
def test_no_signal_leaves_an_engine_behind(run_match, tmp_path, name):
    """Even an engine that hangs, ignores signals and has children."""
    mark = f"mark-{name}-{os.getpid()}"
    (tmp_path / mark).mkdir()
    script = shutil.copy(SCRIPT, tmp_path / mark / "engine.py")
    fake_engine = f'"{sys.executable}" -I -S "{script}"'
    process = run_match(
        tmp_path,
        *("--engine", f"deaf={fake_engine} child 1 deaf 2"),
        *("--engine", f"other={fake_engine} --row 4"),
        *("--depth", "1", "--openings", "none", "--games", "2"),
    )
    until = time.monotonic() + PATIENCE
    # Two engines and the child of one, which sleeps in the third process.
    while not [p for p in left_behind(mark, process.pid) if children_of(p)]:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.05)
    children = [c for p in left_behind(mark, process.pid) for c in children_of(p)]
    process.send_signal(getattr(signal, name))
    out, error = process.communicate(timeout=PATIENCE)
    status = {"SIGINT": 130, "SIGTERM": 143, "SIGHUP": 129, "SIGKILL": -9}[name]
    assert process.returncode == status
    assert "Traceback" not in error
    if name != "SIGKILL":
        assert "deaf - other: no game yet" in out
        assert "run the command again to continue games.jsonl" in error
    until = time.monotonic() + PATIENCE
    while running := [p for p in children if is_at_work(p)]:
        assert time.monotonic() < until, running
        time.sleep(0.05)
    assert not [p for p in left_behind(mark, process.pid) if is_at_work(p)]


def test_the_log_has_both_sides_with_times(play, tmp_path, capsys):
    assert play("--games", "2", "--log", "match.log") == 0
    lines = (tmp_path / "match.log").read_text().splitlines()
    assert lines[0].startswith("=== 1-2.1a a - b, 20")
    assert lines[-1].startswith("=== 1-2.1b ")
    for pattern in (
        r" +0\.\d{3} 1-2\.1a a > START 15$",
        r" +\d+\.\d{3} 1-2\.1a a < OK$",
        r" +\d+\.\d{3} 1-2\.1b b < \d+,\d+$",
    ):
        assert [line for line in lines if re.match(pattern, line)], pattern


def test_a_folder_gets_a_log_for_each_game(play, tmp_path, capsys):
    engines = [
        ["--engine", f"a={ROWS[0]}"],
        ["--engine", f"b={FAKE} crash 2"],
    ]
    assert play("--games", "2", "--log", "logs/", engines=engines) == 0
    assert sorted(p.name for p in (tmp_path / "logs").iterdir()) == [
        "1-2.1a.log",
        "1-2.1b.log",
    ]
    text = (tmp_path / "logs" / "1-2.1a.log").read_text()
    assert re.search(r"^ +\d+\.\d{3} b ! Traceback: it went wrong$", text, re.MULTILINE)
    assert "=== 1-2.1a 1-0 (crash, " in text
    assert "b exited with status 3" in text


def test_a_log_that_cannot_be_written_ends_nothing(play, tmp_path, capsys):
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full")
    assert play("--games", "2", "--log", "/dev/full") == 0
    captured = capsys.readouterr()
    assert "the log is not complete: /dev/full: No space left" in captured.err
    assert len(read_games(tmp_path / "games.jsonl")) == 2


ENGINES = [
    {"name": "a", "command": ROWS[0], "nodes": 5},
    {
        "name": "b",
        "command": [sys.executable, "-I", "-S", str(SCRIPT), "--row", "8"],
        "workingDirectory": ".",
        "protocol": "gomocup",
        "options": [{"name": "caution_factor", "value": 3}],
        "info": {"pondering": True},
        "time": None,
    },
    {"name": "c", "command": f"{FAKE} --row 4"},
]


def test_engines_come_from_a_file(play, tmp_path, capsys):
    (tmp_path / "engines.json").write_text(json.dumps(ENGINES))
    three = ["--engines", "engines.json"]
    assert play("--games", "2", engines=[three]) == 0
    header = header_of(tmp_path / "games.jsonl")
    a, b, c = header["settings"]["engines"]
    assert [a["name"], b["name"], c["name"]] == ["a", "b", "c"]
    assert (a["time"]["nodes"], a["time"]["depth"]) == (5, 1)
    assert b["infos"] == [["caution_factor", "3"], ["pondering", "1"]]
    assert b["cwd"] == "."


def test_engines_of_a_file_are_selected_and_changed(play, tmp_path, capsys):
    (tmp_path / "engines.json").write_text(json.dumps({"engines": ENGINES}))
    two = ["--engines", "engines.json", "--engine", "c", "nodes=7", "--engine", "a"]
    assert play("--games", "2", engines=[two]) == 0
    c, a = header_of(tmp_path / "games.jsonl")["settings"]["engines"]
    assert [c["name"], c["time"]["nodes"], a["name"]] == ["c", 7, "a"]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("{", "engines.json is no JSON"),
        ("3", "write a list of engines"),
        ('[{"name": "x"}]', 'engines.json, engine x: "command" is missing'),
        ('[{"command": "x \\"y"}]', "engine 1: a quote is not closed"),
        ('[{"command": "x", "no": 1}]', "engine 1: 'no=1' is not one of time"),
        ('[{"command": "x"}, {"command": "x"}]', "two engines are named 'x'"),
        ('[{"command": "x", "options": [1]}]', "an option has a name and a value"),
    ],
)
def test_a_mistake_in_the_file_of_engines_is_one_line(
    play, tmp_path, capsys, content, text
):
    (tmp_path / "engines.json").write_text(content)
    assert play(engines=[["--engines", "engines.json"]]) == 2
    assert text in error_of(capsys)


def test_other_settings_are_refused_with_the_engines_name(play, tmp_path, capsys):
    assert play("--games", "2") == 0
    capsys.readouterr()
    engines = [["--engine", f"a={ROWS[0]}"], ["--engine", f"b={ROWS[1]}", "nodes=9"]]
    assert play("--games", "2", engines=engines) == 2
    assert "engine b: time.nodes null, now 9" in error_of(capsys)


def test_patience_ends_a_hang_without_a_clock(play, tmp_path, capsys):
    engines = [["--engine", f"a={ROWS[0]}"], ["--engine", f"b={FAKE} ignore 2"]]
    assert play("--games", "2", "--patience", "0.4", engines=engines) == 0
    assert "b gave no answer to TURN 0,2 within 0.4 s" in capsys.readouterr().err
    assert header_of(tmp_path / "games.jsonl")["settings"]["patience"] == 0.4


@pytest.mark.skipif(sys.platform != "linux", reason="Linux binds processes")
def test_engines_are_bound_to_processors_of_their_game(tmp_path):
    some = min(os.sched_getaffinity(0))
    before = os.sched_getaffinity(0)
    with Brain(EngineSpec("x", (sys.executable, "-c", "input()")), cpus={some}) as x:
        assert os.sched_getaffinity(x.pid) == {some}
    assert os.sched_getaffinity(0) == before


def test_more_games_than_processors_are_refused_with_affinity(play, capsys):
    assert play("--games", "2", "--affinity", "--workers", "999") == 2
    error = capsys.readouterr().err
    assert "--affinity" in error


@pytest.mark.skipif(sys.platform != "linux", reason="Linux binds processes")
def test_a_match_with_affinity_plays(play, capsys):
    assert play("--games", "2", "--affinity", "--reuse") == 0


def test_samples_are_positions_with_move_score_and_result(play, tmp_path, capsys):
    assert play("--games", "2", "--samples", "samples.jsonl") == 0
    rows = [
        json.loads(line)
        for line in (tmp_path / "samples.jsonl").read_text().splitlines()
    ]
    games = read_games(tmp_path / "games.jsonl")
    assert len(rows) == sum(
        not node.figures.by_opening for game in games for node in game.mainline()
    )
    last = rows[-1]
    assert last["result"] == 1.0
    assert last["game"] == games[-1].id
    assert last["move"] == str(games[-1].moves[-1])
    assert last["rule"] == "freestyle"


def test_a_table_that_is_too_long_for_the_terminal_is_cut():
    lines = [str(n) for n in range(20)]
    assert fitted(lines, 20) == lines
    assert fitted(lines, 5) == ["0", "1", "2", "3", ".. 16 more lines at the end"]


@pytest.mark.slow("whole games of the brain", ci=True)
def test_our_brain_with_all_details_loses_no_game(play, tmp_path, capsys):
    engines = [
        ["--engine", "one=ours", "nodes=50", "info.show_detail=2"],
        ["--engine", "two=ours", "nodes=50", "info.show_detail=3"],
    ]
    assert play("--games", "2", engines=engines) == 0
    for game in read_games(tmp_path / "games.jsonl"):
        assert game.reason in ("five", "full board")
