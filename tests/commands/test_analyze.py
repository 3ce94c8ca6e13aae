"""The command says what the study finds, as text or JSON, and can be interrupted."""

import _thread
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gomoku_brain.commands import analyze
from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.records.game_record import GameRecord, PlayedMove
from gomoku_brain.records.psq import to_psq
from gomoku_brain.records.read import read_games
from tests.commands.command import command


@pytest.fixture
def keys_work():
    """Ctrl-C interrupts, also where the tests run as a shell's background job."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


main = command("analyze")
QUICK = ["--nodes", "300", "--hash", "4"]


def run(capsys, *words):
    """Status, output and errors of the command."""
    status = main([*words, *QUICK])
    said = capsys.readouterr()
    return status, said.out, said.err


def rows(capsys, *words):
    status, out, err = run(capsys, *words, "--json")
    assert (status, err) == (0, "")
    return [json.loads(line) for line in out.splitlines()]


def test_the_best_lines_are_printed(capsys):
    status, out, err = run(capsys, "h8", "h9", "j10", "--lines", "2")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "freestyle 15x15, 3 stones, white to move"
    assert str(Board.from_moves("h8 h9 j10")) in out
    assert [line.split()[0] for line in lines[-2:]] == ["1.", "2."]


def test_json_states_position_and_lines(capsys):
    (row,) = rows(capsys, "h8 h9 j10", "--rule", "renju", "--size", "15")
    assert (row["rule"], row["width"], row["side_to_move"]) == ("renju", 15, "white")
    assert row["moves"] == ["h8", "h9", "j10"]
    assert row["black"] == ["h8", "j10"]
    assert len(row["lines"]) == 3
    for line in row["lines"]:
        assert line["line"][0] == line["move"]
        assert line["win_in"] is None
        assert 0 < line["chance"] < 1
    assert 0 < row["nodes"] < 400  # the limit is looked at now and then


def test_a_win_by_fours_is_found_besides_the_lines(capsys):
    (row,) = rows(capsys, "e8 d8 f8 a1 g8 a3 h6 a5 h7 o15")
    assert row["win_by_fours"][0] == "h8"
    assert len(row["win_by_fours"]) <= 5


def test_the_position_after_a_move_and_for_a_side_can_be_asked(capsys):
    (row,) = rows(capsys, "h8 h9 j10", "--move", "1", "--side", "black", "--lines", "1")
    assert row["moves"] == ["h8"]
    assert row["side_to_move"] == "black"


def test_a_file_of_several_positions_gives_a_row_each(capsys, tmp_path):
    path = tmp_path / "games.txt"
    path.write_text("h8 h9\nh8 i9 j10\n", encoding="utf-8")
    assert [row["name"] for row in rows(capsys, str(path))] == [
        f"{path}:1",
        f"{path}:2",
    ]
    (row,) = rows(capsys, str(path), "--number", "2")
    assert len(row["moves"]) == 3


def test_variations_are_passed_over_and_reported_or_games_of_their_own(
    capsys, tmp_path
):
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[4]SZ[15];B[hh](;W[hi];B[ii])(;W[gg]))", encoding="utf-8")
    out = run(capsys, str(path))[1]
    assert out.startswith(f"{path}: freestyle 15x15, 3 stones, white to move, 1 other")
    found = rows(capsys, str(path), "--variations")
    assert [row["moves"] for row in found] == [["h8", "h9", "i9"], ["h8", "g7"]]


def test_pictures_of_boards_come_from_standard_input(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(str(Board.from_moves("h8 h9"))))
    (row,) = rows(capsys, "-", "--lines", "1")
    assert row["black"] == ["h8"]
    assert row["moves"] == []


def test_threats_are_reported_in_words(capsys):
    moves = ("h8", "a1", "i9", "a3", "j10")
    status, out, _ = run(capsys, *moves, "--threats")
    assert status == 0
    assert "black has an open three h8-j10" in out
    assert "the last move j10: makes an open three h8-j10" in out
    (row,) = rows(capsys, *moves, "--threats")
    assert row["threats"]["shapes"] == [
        {
            "kind": "open_three",
            "side": "black",
            "stones": ["h8", "i9", "j10"],
            "points": ["g7", "k11"],
        }
    ]
    assert set(row["threats"]["threats"]) == {"g7", "k11"}


def test_the_table_of_values_has_every_candidate(capsys):
    status, out, _ = run(capsys, "h8", "h9", "--values", "--lines", "0")
    assert status == 0
    assert "values of 28 candidates (winning chance in percent), depth 1" in out
    assert "cell  score  chance  depth  nodes  line" in out
    (row,) = rows(capsys, "h8", "h9", "--values", "--lines", "0")
    assert len(row["values"]["cells"]) == 28
    assert "lines" not in row


def test_a_game_is_judged_with_its_blunders(capsys, tmp_path):
    moves = parse_moves("h8 g8 i8 b2 j8 b14 k8 o1 o15 l8")
    record = GameRecord(
        Rule.FREESTYLE,
        15,
        15,
        black="Ann",
        white="Bob",
        moves=tuple(map(PlayedMove, moves)),
    )
    path = tmp_path / "game.psq"
    path.write_text(to_psq(record), encoding="utf-8")
    status, out, _ = run(capsys, str(path), "--game", "--threats")
    assert status == 0
    assert (
        "blunder: loses in 1 move to l8, which wins by five h8-l8; l8 was better" in out
    )
    assert "blunder: missed a win in 1 move by l8" in out
    assert "black: 5 moves, " in out
    (row,) = rows(capsys, str(path), "--game", "--move", "8")
    assert len(row["review"]["moves"]) == 8
    assert row["review"]["moves"][7]["label"] == "blunder"
    assert len(row["review"]["curve"]) == 9


def test_pictures_are_written(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    heat, curve = tmp_path / "heat.png", tmp_path / "curve.svg"
    status, out, err = run(
        capsys,
        *("h8", "h9", "j10", "--picture", str(heat), "--curve", str(curve)),
        *("--lines", "0"),
    )
    assert (status, err) == (0, "")
    assert heat.read_bytes().startswith(b"\x89PNG")
    assert b"<svg" in curve.read_bytes()
    assert out.count("picture written: ") == 2


def test_without_matplotlib_a_picture_is_refused_at_once(capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "gomoku_brain.study.pictures", None)
    status, out, err = run(capsys, "h8", "--picture", "heat.png")
    assert (status, out) == (2, "")
    assert "pip install matplotlib" in err


def test_a_finished_game_is_said_to_be_won(capsys):
    status, out, _ = run(capsys, "h8 a1 i8 a2 j8 a3 k8 a4 l8")
    assert status == 0
    assert out.startswith("freestyle 15x15, 9 stones, black has won")
    assert "depth" not in out


def test_a_foul_of_black_ends_the_game_and_nothing_is_searched(capsys):
    moves = "h9 a1 h10 a15 i8 o1 j8 o15 h8"
    words = ("--rule", "renju", "--nodes", "300")
    out = run(capsys, moves, *words)[1]
    told = "white has won: black's move 9, h8, is forbidden (double three)"
    assert out.startswith(f"renju 15x15, 9 stones, {told}\n")
    assert "depth" not in out
    assert f"{told}, 2 moves follow\n" in run(capsys, f"{moves} i9 a7", *words)[1]
    assert "white to move" in run(capsys, moves, "--nodes", "300")[1]
    (row,) = rows(capsys, moves, *words)
    assert (row["winner"], row["over"]) == ("white", True)
    assert row["foul"] == {"number": 9, "move": "h8", "kind": "double_three"}
    out = run(capsys, f"{moves} i9", *words, "--game")[1]
    assert "white won: black's move 9 is forbidden (double three)\n" in out
    assert "1 move after the end is not judged\n" in out


def test_what_follows_a_five_and_two_fives_are_said(capsys, tmp_path):
    moves = "h8 a1 i8 a2 j8 a3 k8 a4 l8 a5 b1"
    out = run(capsys, moves, "--threats")[1]
    assert out.startswith(
        "freestyle 15x15, 11 stones, black has won with move 9, 2 moves follow\n"
    )
    assert "last move" not in out
    assert out.endswith("\nblack has won\n"), "white's five came after it"
    told = run(capsys, moves, "--threats", "--json")[1]
    assert '"words": ["black has won"]' in told
    assert '"win_in": null' in told
    out = run(capsys, moves, "--game")[1]
    assert "black won with move 9: five h8-l8\n" in out
    assert "2 moves after the end are not judged\n" in out
    path = tmp_path / "two.txt"
    path.write_text("XXXXX...\n........\nOOOOO...\n" + "........\n" * 5)
    out = run(capsys, str(path), "--threats")[1]
    assert "10 stones, both sides have five in a row\n" in out
    assert out.endswith("\nboth sides have five in a row\n")


def test_a_judged_game_is_written_for_other_programs(capsys, tmp_path):
    sgf, psq = tmp_path / "judged.sgf", tmp_path / "judged.psq"
    moves = "h8 g8 i8 b2 j8 b14 k8 o1 o15 l8"
    status, out, err = run(capsys, moves, "--sgf", str(sgf), "--psq", str(psq))
    assert (status, err) == (0, "")
    assert out.endswith(f"game written: {sgf}\ngame written: {psq}\n")
    assert "BM[2]" in sgf.read_text("utf-8")
    assert "; 8. o1 loses in 1 move: blunder: " in psq.read_text("utf-8")
    for path in (sgf, psq):
        (row,) = rows(capsys, str(path), "--lines", "0")
        assert " ".join(row["moves"]) == moves
    games = tmp_path / "games.txt"
    games.write_text("h8 i9\na1 b2\n")
    out = run(capsys, str(games), "--sgf", str(sgf))[1]
    assert out.endswith(f"2 games written: {sgf}\n")
    assert len(rows(capsys, str(sgf), "--lines", "0")) == 2


SOURCE = (
    "(;GM[4]SZ[15]C[hello]ON[I7];B[hh]LB[hi:A]TR[ii];W[ii]C[why](;B[jj]N[x])(;B[kk]))"
)


@pytest.mark.parametrize("words", [(), ("--move", "2")])
def test_a_judged_game_has_everything_of_its_source(capsys, tmp_path, words):
    path, judged = tmp_path / "game.sgf", tmp_path / "judged.sgf"
    path.write_text(SOURCE)
    status, _, err = run(capsys, str(path), "--sgf", str(judged), *words)
    assert (status, err, path.read_text()) == (0, "", SOURCE)
    (game,) = read_games(judged)
    assert (game.comment, game.text("ON"), game.text("AN")) == (
        *("hello", "I7", "gomoku-brain"),
    )
    first, second = game.node_at(1), game.node_at(2)
    assert first.labels == {Move(7, 8): "A"}
    assert first.marks[Move(8, 8)] == "TR"
    assert second.comment.startswith("why\n\n")
    following = [(str(n.move), n.text("N")) for n in second.variations]
    assert following[:2] == ([] if words else [("j10", "x"), ("k11", "")])


def test_variations_before_the_last_move_judged_stay(capsys, tmp_path):
    path, judged = tmp_path / "game.sgf", tmp_path / "judged.sgf"
    path.write_text("(;GM[4]SZ[15];B[hh](;W[ii];B[jj];W[kk])(;W[hi]N[x]))")
    run(capsys, str(path), "--sgf", str(judged), "--move", "3")
    (game,) = read_games(judged)
    assert [str(move) for move in game.moves] == ["h8", "i9", "j10"]
    assert game.node_at(1).variation("h9").text("N") == "x"


@pytest.mark.parametrize("name", ["nonsense", "hex"])
def test_an_unknown_encoding_is_an_error(capsys, name):
    status, out, err = run(capsys, "h8", "--encoding", name)
    told = f"argument --encoding: there is no encoding '{name}' of texts\n"
    assert (status, out, err) == (2, "", f"gomoku-brain analyze: {told}")


def test_an_encoding_reads_names_that_bytes_do_not_show(capsys, tmp_path):
    path = tmp_path / "game.sgf"
    text = "(;GM[4]SZ[15]PB[\u4e2d\u6751\u8302]PW[B];B[hh];W[ii])"
    path.write_bytes(text.encode("shift_jis"))
    out = run(capsys, str(path), "--encoding", "shift_jis")[1]
    assert out.startswith("\u4e2d\u6751\u8302 - B  *: freestyle")


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        (".....\n" * 5, ["--sgf", "x.sgf"], "is a position, not a game"),
        ('{"black": ["a1"], "white": [], "moves": ["h8"]}', ["--psq", "x.psq"],
         "begins with stones on the board, which PSQ cannot store: use --sgf"),
        ("h8", ["--sgf", "nowhere/x.sgf"], "there is no folder nowhere"),
        ("h8", ["--psq", "FOLDER"], "is a folder: name a file in it"),
        ('{"black": ["a1","a2","a3","a4","a5"], "white": [], "moves": ["h8"]}',
         ["--game"], "was over before its first move"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_reported_before_the_work(
    capsys, tmp_path, text, words, message
):
    path = tmp_path / "source.txt"
    path.write_text(text)
    words = [str(tmp_path) if word == "FOLDER" else word for word in words]
    status, out, err = run(capsys, str(path), *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["h8", "h8"], "moves: move 2, h8: the cell is occupied"),
        (["nothing.psq"], "there is no file nothing.psq"),
        (["h8", "--move", "2"], "--move 2, but the game has 1 moves"),
        (["h8", "--number", "2"], "--number 2, but there is 1"),
        (["h8", "--picture", "heat.gif"], "a picture is a file .png or .svg"),
        (
            ["h8", "--picture", "nowhere/heat.png"],
            f"{Path('nowhere/heat.png')} cannot be written: there is no folder nowhere",
        ),
        (
            ["h8", "--picture", "new.png", "--curve", "new.png"],
            "new.png would be written over",
        ),
        (["h8", "--game", "--move", "0"], "the source is a position, not a game"),
    ],
)
def test_errors_are_one_line_with_status_2(words, message, capsys):
    if "--picture" in words:
        pytest.importorskip("matplotlib")
    status, out, err = run(capsys, *words)
    assert (status, out) == (2, "")
    assert err.startswith(f"gomoku-brain analyze: {message}")
    assert err.count("\n") == 1


def test_a_table_too_large_is_one_line_with_status_2(capsys):
    assert main(["h8", "--hash", "99999999"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("gomoku-brain analyze: --hash 99999999: the table needs")
    assert told.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rule", "go"], "argument --rule: 'go' is not one of"),
        (["--size", "x"], "argument --size: not a size: 'x'"),
        (["--time", "0"], "argument --time: '0' is not a time in seconds"),
        (
            ["--lines", "-1"],
            "argument --lines: '-1' is not a whole number of 0 or more",
        ),
        (["--side", "red"], "argument --side: 'red' is not black or white"),
        (["--nonsense"], "unrecognized arguments: --nonsense"),
    ],
)
def test_bad_options_are_one_line_with_status_2(words, message, capsys):
    assert main(["h8", *words]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"gomoku-brain analyze: {message}")
    assert err.count("\n") == 1


@pytest.mark.parametrize("what", ["--lines=2", "--values", "--game"])
def test_ctrl_c_prints_what_is_known(what, keys_work, capsys, monkeypatch):
    pressed = []

    def interrupt(self, text):
        if not pressed and ("depth 3" in text() or "search 2" in text()):
            pressed.append(text())
            _thread.interrupt_main()
            time.sleep(0.5)  # the command looks up from waiting in the meantime

    monkeypatch.setattr(analyze.ProgressWriter, "write", interrupt)
    lines = [] if what.startswith("--lines") else ["--lines", "0"]
    limit = ["--nodes", "5000"] if what == "--game" else ["--time", "60"]
    words = ["h8 h9 j10 i9", what, *lines, *limit, "--hash", "4", "--json"]
    assert main(words) == 130
    row = json.loads(capsys.readouterr().out)
    if what == "--values":
        assert row["values"]["depth"] == 2
        assert len(row["values"]["cells"]) > 20
    elif what == "--game":
        assert [move["number"] for move in row["review"]["moves"]] == [4]
    else:
        assert len(row["lines"]) == 2


def test_several_workers_answer_in_order(capsys, tmp_path):
    path = tmp_path / "games.txt"
    path.write_text("".join(f"h8 {c}{k}\n" for c in "abc" for k in (3, 5, 9)))
    alone = rows(capsys, str(path))
    many = rows(capsys, str(path), "--workers", "3")
    assert [row["name"] for row in many] == [row["name"] for row in alone]
    for one, other in zip(alone, many, strict=True):
        assert [x["line"] for x in one["lines"]] == [x["line"] for x in other["lines"]]
    status, out, _ = run(capsys, str(path), "--workers", "2")
    assert status == 0
    assert out.count("freestyle 15x15, 2 stones, black to move") == 9


def test_one_bad_line_ends_no_file(capsys, tmp_path):
    path = tmp_path / "games.txt"
    path.write_text("h8 h9\nh0\nj10\n")
    status, out, err = run(capsys, str(path))
    assert (status, out) == (2, "")
    status, out, err = run(capsys, str(path), "--skip-errors", "--json")
    assert status == 1
    types = [json.loads(line)["type"] for line in out.splitlines()]
    assert types == ["error", "analysis", "analysis"]
    assert (
        err
        == f'gomoku-brain analyze: {path}:2: not a move: \'h0\' (write "h8" or "7,7")\n'
    )


def test_threads_are_taken(capsys):
    status, _, err = run(capsys, "h8 h9", "--threads", "2", "--time", "0.2")
    assert (status, err) == (0, "")
    status, _, err = run(capsys, "h8 h9", "--threads", "1000")
    assert status == 2
    assert "argument --threads: '1000' is not a whole number from 1 to 256" in err


def test_what_was_meant_is_understood(capsys, tmp_path):
    numbered = rows(capsys, "1.", "h8", "h9", "2.", "j10")
    assert numbered[0]["moves"] == ["h8", "h9", "j10"]
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_text("1. h8 h9 2... j10\n")
    two.write_text("a1\n")
    assert [row["moves"] for row in rows(capsys, str(one), str(two))] == [
        ["h8", "h9", "j10"],
        ["a1"],
    ]
    assert main(["h8 h9", "--nodes", "1e3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["nodes"] >= 1000


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["FOLDER"], "is a folder: name the files in it"),
        (["z99"], "z99: off the 15x15 board"),
        (["h8", "no.txt"], "not a move: 'no.txt'"),
    ],
)
def test_what_was_not_meant_gets_one_line(words, message, capsys, tmp_path):
    words = [str(tmp_path) if word == "FOLDER" else word for word in words]
    status, out, err = run(capsys, *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_the_source_is_not_written_over(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.txt").write_text("h8 h9")
    for words in (["--sgf", "game.txt"], ["--sgf", "x", "--psq", "./x"]):
        status, out, err = run(capsys, "game.txt", "--game", *words)
        assert (status, out) == (2, "")
        assert "would be written over: name another file" in err
    assert (tmp_path / "game.txt").read_text() == "h8 h9"


def test_walls_are_reported_before_a_game_is_judged_for_sgf(capsys, tmp_path):
    path = tmp_path / "walls.json"
    path.write_text('{"black": [], "white": [], "walls": ["a1"], "moves": ["h8"]}')
    status, out, err = run(capsys, str(path), "--sgf", str(tmp_path / "x.sgf"))
    assert (status, out) == (2, "")
    assert err.endswith("walls.json:1 has walls, which SGF cannot store\n")


def test_a_finished_game_has_no_heat_map_and_that_is_said(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    heat = tmp_path / "heat.png"
    game = "h8 a1 i8 a2 j8 a3 k8 a4 l8"
    status, out, _ = run(capsys, *game.split(), "--picture", str(heat))
    assert status == 0
    assert "no picture: the game is over" in out
    assert not heat.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of a shell")
@pytest.mark.parametrize(
    "words",
    [
        ["analyze", "--game", "--nodes", "100", "--sgf", "out.sgf", "game.txt"],
        ["solve", "--sgf", "out.sgf", "h8", "a1", "i8", "a2", "j8", "a3"],
    ],
)
def test_a_file_is_written_though_nobody_reads_the_output(words, tmp_path):
    (tmp_path / "game.txt").write_text("h8 i9 j10 h9 g9")
    command = [sys.executable, "-m", "gomoku_brain", *words]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE)
    process.stdout.close()
    assert process.wait(60) == 0
    assert (tmp_path / "out.sgf").read_text().startswith("(;FF[4]")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["h8", "--max-nodes", "9"], "--max-nodes is for --stream alone"),
        (["--stream", "--time", "9", "--max-time", "2"], '"time" is 9 seconds: this'),
        (
            ["--stream", "--nodes", "9", "--max-nodes", "8"],
            '"nodes" is 9: this service',
        ),
        (["--stream", "--max-depth", "0"], "--max-depth: '0' is not a whole number"),
    ],
)
def test_a_ceiling_below_the_defaults_is_refused(capsys, options, error):
    assert main(options) == 2
    assert error in capsys.readouterr().err


def test_ceilings_hold_for_the_stream(capsys, monkeypatch):
    requests = (
        '{"id": 1, "moves": "h8"}\n'  # the default time is the ceiling, not 5 seconds
        '{"id": 2, "moves": "h8", "limits": {"time": 1e8}}\n'
        '{"id": 3, "moves": "h8", "limits": {"nodes": 100000}}\n'
    )
    stream = io.TextIOWrapper(io.BytesIO(requests.encode()))
    monkeypatch.setattr("sys.stdin", stream)
    words = "--stream --hash 1 --max-time 0.05 --max-nodes 99999 --max-waiting 9"
    assert main(words.split()) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["id"]: row["type"] for row in rows} == {
        1: "result",
        2: "error",
        3: "error",
    }


def test_bytes_of_no_encoding_are_printed_and_written(tmp_path):
    name = "名人".encode()
    game = b"(;SZ[15]PB[%s\xff]GN[\xfe%s];B[hh]C[%s\xfd];W[ii])" % (name, name, name)
    (tmp_path / "a.sgf").write_bytes(game)
    words = [sys.executable, "-m", "gomoku_brain", "analyze", "a.sgf", *QUICK]
    words += ["--sgf", "b.sgf", "--psq", "b.psq"]
    place = {"cwd": tmp_path, "env": {**os.environ, "PYTHONIOENCODING": "ascii"}}
    ended = subprocess.run(words, capture_output=True, **place)
    assert ended.returncode == 0
    assert ended.stdout.startswith(rb"??\xff - ")
    assert name + b"\xff" in (tmp_path / "b.psq").read_bytes()
    written = (tmp_path / "b.sgf").read_bytes()
    assert all(raw in written for raw in (name + b"\xff", b"\xfe" + name, b"\xfd"))
