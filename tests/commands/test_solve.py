"""``solve``: verdicts, trees, files of positions, and errors in one line."""

import _thread
import io
import json
import signal
import time
from pathlib import Path

import pytest

from gomoku_brain.commands import solve
from gomoku_brain.control.limits import SolveResult
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.records.game import Game
from tests.boards import problems
from tests.cases import POSITIONS
from tests.commands.command import command

LEVELS = (POSITIONS / "levels.jsonl").read_text(encoding="utf-8").splitlines()
main = command("solve")
NODES = ["--nodes", "300000", "--hash", "4"]
OPEN_THREE = "h8 a1 i8 a2 j8 a3"  # black to move wins by an open four


def run(capsys, *words):
    """(status, standard output, standard error)."""
    status = main([*words, *NODES])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.fixture
def level(tmp_path):
    """A file with level 3: no win by fours, one by fours and threes in 5 moves."""
    path = tmp_path / "level.json"
    path.write_text(LEVELS[2], encoding="utf-8")
    return str(path)


@pytest.fixture
def collection(tmp_path):
    """A win by fours, one by fours and threes, one unsolvable, one that is over."""
    quiet = {"id": "quiet", "moves": "h8 i9"}
    over = {"id": "done", "moves": "h8 a1 i8 a2 j8 a3 k8 a4 l8"}
    path = tmp_path / "puzzles.jsonl"
    lines = [LEVELS[0], LEVELS[2], json.dumps(quiet), json.dumps(over)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


def test_a_game_lost_by_a_foul_is_over(capsys):
    moves = "h9 a1 h10 a15 i8 o1 j8 o15 h8".split()
    assert main([*moves, "--rule", "renju"]) == 0
    out = capsys.readouterr().out
    assert "the game is over: white has won: black's move 9, h8, is forbidden" in out


def test_moves_on_the_command_line_are_solved(capsys):
    status, out, err = run(capsys, *OPEN_THREE.split())
    assert status == 0
    assert "black to move" in out
    assert "win by fours in 2 moves" in out
    assert err == ""


def test_a_win_by_fours_and_threes_is_reported_with_its_line(capsys, level):
    status, out, _ = run(capsys, level)
    assert status == 0
    assert "win by fours and threes in 5 moves" in out
    line = next(line for line in out.splitlines() if line.startswith("line: "))
    assert len(line.split()) == 1 + 9


def test_the_kind_decides_what_is_looked_for(capsys, level):
    assert "no win by fours: proved" in run(capsys, level, "--kind", "vcf")[1]
    assert "win by fours and threes in" in run(capsys, level, "--kind", "vct")[1]


def test_proved_and_not_found_are_distinguished(capsys, level):
    _, out, _ = run(capsys, "h8", "i9")
    assert "no win by fours and threes: proved" in out
    main([level, "--nodes", "10"])
    told = capsys.readouterr().out
    assert "no win by fours and threes found within the budget" in told


def test_the_side_to_move_may_be_stated(capsys):
    _, out, _ = run(capsys, *OPEN_THREE.split(), "--side", "white")
    assert "white to move" in out
    assert "no win by fours and threes: proved" in out


def test_the_rule_and_the_size_may_be_stated(capsys):
    moves = "d4 a1 e4 a2 f4 a3 h4 a4 i4 c4".split()  # g4 makes six
    assert "win by fours in 1 move" in run(capsys, *moves)[1]
    _, out, _ = run(capsys, *moves, "--rule", "standard", "--size", "12x8")
    assert "standard, black to move" in out
    assert "by fours in 1 move" not in out
    assert out.splitlines()[0].split() == list("abcdefghijkl")


def test_positions_are_read_from_standard_input(capsys, monkeypatch):
    board = Board.from_moves(OPEN_THREE)
    monkeypatch.setattr("sys.stdin", io.StringIO(str(board)))
    assert "win by fours in 2 moves" in run(capsys, "-")[1]


def test_the_tree_shows_the_defences_as_deep_as_asked(capsys, level):
    _, out, _ = run(capsys, level, "--tree")
    tree = out.split("\n\n")[1].splitlines()
    assert len(tree) > 5
    assert tree[0].startswith("defences")
    assert tree[1].startswith("i6")
    _, out, _ = run(capsys, level, "--tree", "2")
    assert out.split("\n\n")[1].splitlines()[1:] == ["i6 .. then wins in 4 moves"]


def test_sgf_holds_the_whole_tree(capsys, level, tmp_path):
    path = tmp_path / "win.sgf"
    status, _, _ = run(capsys, level, "--sgf", str(path))
    assert status == 0
    text = path.read_text(encoding="utf-8")
    assert text.count("(") == text.count(")") >= 4
    assert "PL[B]" in text
    assert "RU[freestyle]" in text
    assert text.count("wins in 5 moves\nany other reply loses to ") == 1


def test_an_sgf_file_outlives_a_refused_command(capsys, tmp_path):
    path = tmp_path / "win.sgf"
    path.write_text("before")
    status = main(["h8", "--sgf", str(path), "--hash", "99999999"])
    assert status == 2
    assert "the table needs" in capsys.readouterr().err
    assert path.read_text() == "before"


def test_a_win_that_sgf_cannot_hold_is_reported_and_the_others_are_written(
    capsys, tmp_path
):
    stones = [(7, 7), (8, 7), (9, 7)]
    source, target = tmp_path / "walls.txt", tmp_path / "x.sgf"
    boards = [Board.from_stones(stones, [], walls) for walls in ([(0, 0)], [])]
    source.write_text("\n\n".join(map(str, boards)), encoding="utf-8")
    words = (str(source), "--side", "black", "--sgf", str(target))
    status, out, err = run(capsys, *words)
    assert status == 2
    assert f"walls.txt:1 is not in {target}: SGF knows no walls" in err
    assert "1 win written" in err
    assert target.read_text(encoding="utf-8").count("(;FF[4]") == 1
    assert "positions 2: win 2" in out  # the summary comes all the same


def test_without_a_win_an_sgf_file_is_left_alone(capsys, tmp_path):
    path = tmp_path / "wins.sgf"
    path.write_text("before")
    status, _, err = run(capsys, "h8", "h9", "--sgf", str(path))
    assert (status, path.read_text()) == (0, "before")
    assert "no win to write" in err
    path.unlink()
    run(capsys, "h8", "h9", "--sgf", str(path))
    assert not path.exists()


def test_the_positions_are_not_written_over(capsys, level):
    before = Path(level).read_text(encoding="utf-8")
    status, _, err = run(capsys, level, "--sgf", level)
    assert status == 2
    assert err == (
        f"gomoku-brain solve: {level} would be written over: name another file\n"
    )
    assert Path(level).read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            "h8 --sgf /no/such/x.sgf",
            f"{Path('/no/such/x.sgf')} cannot be written:"
            f" there is no folder {Path('/no/such')}",
        ),
        ("h8 --sgf .", ". is a folder: name a file in it"),
        ("h8 --number 2", "--number 2, but there is 1"),
        ("- --play", "--play reads your defences from standard input"),
    ],
)
def test_what_cannot_be_done_is_said_before_the_work(capsys, monkeypatch, words, told):
    monkeypatch.setattr("sys.stdin", io.StringIO("h8"))
    status, out, err = run(capsys, *words.split())
    assert (status, out) == (2, "")
    assert err.startswith(f"gomoku-brain solve: {told}")
    assert err.count("\n") == 1


@pytest.mark.parametrize("seconds", ["0", "-1", "x", "nan"])
def test_a_time_is_a_number_above_0(capsys, seconds):
    assert main(["h8", f"--time={seconds}"]) == 2
    assert f"{seconds!r} is not a time in seconds" in capsys.readouterr().err


def test_a_full_board_is_a_draw(capsys, tmp_path):
    path = tmp_path / "full.txt"
    path.write_text("XXOOX\nOOXXO\nXXOOX\nOOXXO\nXXOOX\n")
    status, out, _ = run(capsys, str(path))
    assert status == 0
    assert "the game is over: a draw, the board is full" in out
    _, out, _ = run(capsys, str(path), "--json")
    row, counts = map(json.loads, out.splitlines())
    assert (row["over"], row["status"], counts["over"]) == (True, "over", 1)


def test_who_made_the_first_five_has_won_whatever_was_played_after_it(capsys):
    game = "h8 a1 i8 a2 j8 a3 k8 a4 l8 a5 m8"
    _, out, _ = run(capsys, *game.split())
    assert "the game is over: black has won with move 9, 2 moves follow" in out
    assert "both" not in out


def test_many_positions_get_a_line_each_and_a_summary(capsys, collection):
    status, out, err = run(capsys, collection)
    assert status == 0
    lines = out.splitlines()
    assert len(lines) == 4 + 2
    assert lines[0].startswith("hlwzq-01: win by fours in 3 moves: i4 ")
    assert lines[1].startswith("hlwzq-03: win by fours and threes in 5 moves")
    assert lines[2].startswith("quiet: no win by fours and threes: proved")
    assert lines[3] == "done: the game is over: black has won"
    assert lines[4] == "positions 4: win 2, no win 1, unknown 0, over 1"
    assert lines[5].startswith("seconds: total ")
    assert err == ""


def test_json_is_the_only_output(capsys, collection):
    status, out, err = run(capsys, collection, "--json", "--tree", "4")
    assert status == 0
    assert err == ""
    *rows, last = map(json.loads, out.splitlines())
    assert [row["type"] for row in rows] == ["solution"] * 4
    first, second, quiet, over = rows
    assert first["kind"] == "vcf"
    assert first["plies"] == len(first["line"]) == 5
    assert second["status"] == "win"
    assert second["tree"]["move"] == second["line"][0]
    assert second["line"][1] in second["tree"]["replies"]
    assert (quiet["status"], quiet["plies"]) == ("no_win", None)
    assert over["status"] == "over"
    assert (last["type"], last["positions"], last["win"]) == ("summary", 4, 2)
    assert set(last["seconds"]) == {"total", "median", "p90", "p99"}


def test_percentiles_are_values_that_occurred():
    values = list(range(1, 101))
    assert [solve.percentile(values, p) for p in (0.5, 0.9, 0.99)] == [50, 90, 99]
    assert solve.percentile([7.0], 0.5) == 7.0
    assert solve.percentile([1.0, 2.0], 0.99) == 2.0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["h8", "h8"], "h8: the cell is occupied"),
        (["no-such-file.txt"], "there is no file"),
        (["h8", "--size", "x"], "not a size"),
        (["h8", "--size", "99"], "99"),
    ],
)
def test_errors_are_one_line(capsys, words, told):
    status, out, err = run(capsys, *words)
    assert status == 2
    assert out == ""
    assert err.startswith("gomoku-brain solve: ")
    assert told in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["h8", "--threads", "0"],
        ["h8", "--time", "0"],
        ["h8", "--nodes", "0"],
        ["h8", "--kind", "x"],
    ],
)
def test_bad_options_are_refused(capsys, words):
    assert main(words) == 2
    err = capsys.readouterr().err
    assert err.startswith("gomoku-brain solve: ")
    assert err.count("\n") == 1


def test_an_interrupt_keeps_what_is_done(capsys, collection, monkeypatch):
    """The main thread hears Ctrl-C, the search of it at its next poll."""
    answers = iter([SolveResult("no win", "vct")])
    stopped = []

    def find_win(self, board, kind, limits, control, shortest):
        for answer in answers:
            return answer
        if not stopped:
            time.sleep(0.3)  # the first answer is printed
            _thread.interrupt_main()
        while not control.stopped:
            time.sleep(0.01)
        stopped.append(True)
        return SolveResult("unknown", "vct")

    monkeypatch.setattr(solve.Engine, "find_win", find_win)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        status, out, _ = run(capsys, collection)
    finally:
        signal.signal(signal.SIGINT, before)
    assert status == 130
    assert stopped
    assert "positions 1: win 0, no win 1, unknown 0" in out


def test_several_workers_answer_in_order(capsys, collection):
    _, alone, _ = run(capsys, collection, "--json")
    status, out, err = run(capsys, collection, "--json", "--workers", "3")
    assert (status, err) == (0, "")
    pairs = zip(alone.splitlines()[:-1], out.splitlines()[:-1], strict=True)
    for one, many in pairs:
        assert json.loads(one)["name"] == json.loads(many)["name"]
        assert json.loads(one).get("line") == json.loads(many).get("line")


def test_one_bad_line_ends_no_file(capsys, tmp_path):
    path = tmp_path / "puzzles.txt"
    path.write_text("h8 a1 i8 a2 j8 a3\nh0\nh8 a1 i8\n")
    status, out, err = run(capsys, str(path))
    assert (status, out) == (2, "")
    status, out, err = run(capsys, str(path), "--skip-errors", "--json")
    assert status == 1
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["type"] for row in rows] == ["error", "solution", "solution", "summary"]
    assert rows[0]["message"].startswith(f"{path}:2: not a move")
    assert rows[-1]["unread"] == 1
    assert err == f"gomoku-brain solve: {rows[0]['message']}\n"


def test_a_line_of_many_positions_is_cut():
    board = problems("levels.jsonl")[0].board
    line = tuple(Move(x, 0) for x in range(11))
    game = Game()
    game.name = "p"
    solved = solve.Solved(game, board, SolveResult("win", "vct", line))
    assert solve.row(solved) == (
        "p: win by fours and threes in 6 moves: a1 b1 c1 d1 e1 f1 g1 h1 .. (0.000 s)"
    )


def test_the_shortest_win_is_said_to_be_it(capsys, level, collection):
    status, out, _ = run(capsys, level, "--shortest")
    assert status == 0
    assert "win by fours and threes in 4 moves, the shortest of all\n" in out
    out = run(capsys, collection, "--number", "1", "--shortest", "--kind", "vcf")[1]
    assert "win by fours in 3 moves, the shortest of all" in out
    (row, _) = run(capsys, level, "--shortest", "--json")[1].splitlines()
    found = json.loads(row)
    assert (found["plies"], found["least"], found["shortest"]) == (7, 7, True)
    assert found["least_of_all"] == 7


def test_what_is_not_shown_to_be_the_shortest_is_not_called_so(capsys, level):
    assert main([level, "--shortest", "--nodes", "300", "--hash", "4"]) == 0
    told = capsys.readouterr().out
    assert ", not shown to be the shortest (it takes " in told


def test_threads_are_taken(capsys, level):
    status, out, err = run(capsys, level, "--threads", "3")
    assert (status, err) == (0, "")
    assert "win by fours and threes in" in out


def play(capsys, monkeypatch, level, *lines):
    """What is said to each line, without the boards."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{x}\n" for x in lines)))
    status, out, err = run(capsys, level, "--play", "--shortest")
    assert (status, err) == (0, "")
    said = out.split("white> ")
    return [
        " ".join(row for row in part.splitlines() if not row[:3].strip().isdigit())
        for part in said
    ]


def test_any_defence_gets_the_proved_answer(capsys, monkeypatch, level):
    first, *said = play(
        capsys, monkeypatch, level,
        "what", "h8 h9", "j9", "undo", "e7", "undo", "a1", "again", "e7", "a1", "a2",
        "b1", "quit",
    )  # fmt: skip
    assert first.endswith("black plays j9 and then wins in 3 moves at most")
    assert said[0] == 'not a move: \'what\' (write "h8" or "7,7")'
    assert said[1] == "'h8 h9' is not one move"
    assert said[2] == "j9 is occupied"
    assert said[3] == "there is no defence to take back"
    assert said[4].endswith("black plays g7 and then wins in 2 moves at most")
    assert said[5].endswith("black plays j9 and then wins in 3 moves at most")
    assert "then wins in" in said[6]
    assert said[7] == said[5]
    assert said[8] == said[4]
    ends = [part for part in said if ": five. undo, again or quit" in part]
    assert ends
    assert said[-2] == "the game is over: undo, again or quit"


def test_the_end_of_the_input_ends_the_play(capsys, monkeypatch, level):
    assert len(play(capsys, monkeypatch, level, "help", "board", "")) == 5


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--json"], "--play is interactive: leave out --json"),
        ([], "--play is for one of the 4 positions: add --number"),
        (["--number", "5"], "--number 5, but there are 4"),
    ],
)
def test_play_is_for_one_position(capsys, collection, words, told):
    status, out, err = run(capsys, collection, "--play", *words)
    assert (status, out) == (2, "")
    assert err == f"gomoku-brain solve: {told}\n"


def test_without_a_win_there_is_nothing_to_play(capsys):
    status, out, _ = run(capsys, "h8", "i9", "--play")
    assert status == 1
    assert out.endswith("nothing to play: no win was found\n")
