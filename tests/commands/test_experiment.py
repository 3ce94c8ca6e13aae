"""``gomoku-brain experiment``: a small run on two levels, and what users get wrong."""

import json
import re
import shutil
import sys

import pytest

from gomoku_brain.commands import experiment
from gomoku_brain.game.rules import Side
from gomoku_brain.records.read import parse_games
from gomoku_brain.study.puzzles import puzzle_levels
from tests.commands.command import command

main = command("experiment")
MEASURED = pytest.mark.slow("two levels are measured, with a report", ci=True)
SMALL = ["--quick", "--levels", "6,11", "--games", "2"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One run that was interrupted and then finished: all tests below read it."""
    out = tmp_path_factory.mktemp("experiment")
    left = [7]

    def interrupted(results, key, result):
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        add(results, key, result)

    add = experiment.Results.add
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(experiment.Results, "add", interrupted)
        assert main([*SMALL, "--out", str(out)]) == 130
    assert (out / "report.md").exists()
    lines = (out / "results.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 7
    assert main([*SMALL, "--out", str(out)]) == 0
    whole = (out / "results.jsonl").read_text(encoding="utf-8").splitlines()
    assert whole[:7] == lines
    return out


@MEASURED
def test_a_finished_run_measures_nothing_again(folder, capsys, monkeypatch):
    before = (folder / "results.jsonl").read_bytes()
    monkeypatch.setattr(experiment.Results, "add", None)  # would raise when called
    assert main([*SMALL, "--out", str(folder), "--json"]) == 0
    assert (folder / "results.jsonl").read_bytes() == before
    told = json.loads(capsys.readouterr().out)
    assert told["finished"] is True
    assert set(told["tables"]) == {
        *("nodes", "cutoffs", "pruned", "time", "needs", "levels", "games")
    }
    (row,) = told["tables"]["pruned"]["rows"][:1]
    assert all(0 <= cell <= 1 for cell in row[1:] if not isinstance(cell, str))
    assert {type(cell) for cell in row[1:]} & {int, float}


@MEASURED
def test_every_result_was_measured_once(folder):
    lines = (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
    keys = [json.dumps(json.loads(line)["key"], sort_keys=True) for line in lines]
    assert len(keys) == len(set(keys))
    kinds = {json.loads(key)["study"] for key in keys}
    assert kinds == {"nodes", "values", "play-out", "games"}


@MEASURED
def test_the_report_names_the_published_figures(folder):
    text = (folder / "report.md").read_text(encoding="utf-8")
    for figure in ("188,094", "73,286", "821,374", "93-97 %", "S2, published"):
        assert figure in text


@MEASURED
def test_the_rows_of_each_table_are_of_one_length(folder):
    text = (folder / "report.md").read_text(encoding="utf-8")
    tables = [part.splitlines() for part in text.split("\n\n") if part[:1] == "|"]
    assert len(tables) == 7
    for table in tables:
        assert len({line.count("|") for line in table}) == 1
        assert len(table) > 2


@MEASURED
def test_the_plot_is_there_with_matplotlib(folder):
    pytest.importorskip("matplotlib")
    assert "![nodes](nodes.png)" in (folder / "report.md").read_text(encoding="utf-8")
    assert (folder / "nodes.png").read_bytes().startswith(b"\x89PNG")


@MEASURED
def test_without_matplotlib_the_report_has_no_plot(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    out = folder / "again"
    out.mkdir()
    shutil.copy(folder / "results.jsonl", out)
    assert main([*SMALL, "--out", str(out)]) == 0
    assert "![" not in (out / "report.md").read_text(encoding="utf-8")
    assert not (out / "nodes.png").exists()


@MEASURED
def test_the_moves_of_a_level_can_be_replayed_from_its_file(folder):
    for number in (6, 11):
        level = puzzle_levels()[number - 1].board
        path = folder / "moves" / f"level-{number:02}.sgf"
        games = parse_games(path.read_text(encoding="utf-8"))
        assert len(games) >= 6  # attackers
        for game in games:
            assert game.board(0) == level
            names = [line.partition(":")[0] for line in game.comment.splitlines()]
            assert names == ["rules", "stones", "ours", "proved", "engine"]
            won = game.board(len(game.moves)).winner
            assert (game.result == "1-0") == (won == Side.BLACK)


@MEASURED
def test_the_sgf_is_one_that_a_library_reads(folder):
    sgf = pytest.importorskip("sgfmill.sgf")
    data = (folder / "moves" / "level-11.sgf").read_bytes()
    trees = re.split(rb"\)\n\n", data.removesuffix(b")\n"))
    game = sgf.Sgf_game.from_bytes(trees[0] + b")")
    assert game.get_size() == 15
    assert game.get_winner() == "b"
    black, white, _ = game.root.get_setup_stones()
    level = puzzle_levels()[10].board
    for stones, side in ((black, Side.BLACK), (white, Side.WHITE)):
        assert {(x, 14 - y) for y, x in stones} == {
            (x, y) for x in range(15) for y in range(15) if level.stone((x, y)) == side
        }
    (ours, *_) = parse_games(data.decode("utf-8"))
    played = [node.get_move() for node in game.get_main_sequence()[1:]]
    assert played == [
        ("bw"[k % 2], (14 - move.y, move.x)) for k, move in enumerate(ours.moves)
    ]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--levels", "1-30"], "the levels are 1 to 20"),
        (["--levels", "one"], "not a list of levels: 'one'"),
        (["--depth", "0"], "argument --depth"),
        (["--games", "7"], "--games is an even number"),
        (
            ["--evaluation", "no_such_module:f"],
            "--evaluation no_such_module:f: No module",
        ),
    ],
)
def test_a_wrong_setting_is_one_line_and_status_2(arguments, told, tmp_path, capsys):
    out = tmp_path / "none"
    assert main([*arguments, "--out", str(out)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"gomoku-brain experiment: {told}")
    assert said.err.count("\n") == 1
    assert not out.exists()


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path, capsys):
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert main(["--quick", "--out", str(tmp_path / "file" / "x")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_lists_of_levels_are_read():
    assert experiment.levels_of("1-3,7") == (1, 2, 3, 7)
    assert experiment.levels_of("20") == (20,)
