"""``gomoku-brain experiment``: a small run on two levels, and what users get wrong."""

import json
import re
import sys
from html.parser import HTMLParser

import pytest

from gomoku_brain.commands import experiment
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.plain import tables
from gomoku_brain.study.puzzles import puzzle_levels
from tests.commands.command import command

pytest.importorskip("matplotlib")
main = command("experiment")
MEASURED = pytest.mark.slow("two levels are measured, with a report", ci=True)
SMALL = ["--quick", "--levels", "6,11", "--games", "2"]
PLOTS = ["games", "needs", "nodes", "parts", "pruned", "time", "values-11"]


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
    assert (out / "report.html").exists()
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
        *("nodes", "pruned", "time", "parts", "published", "needs", "games")
    }
    (row,) = told["tables"]["pruned"]["rows"][:1]
    assert all(0 <= cell <= 1 for cell in row[1:] if not isinstance(cell, str))
    assert {type(cell) for cell in row[1:]} & {int, float}


def test_cells_of_one_number_are_numbers():
    for cell, number in (
        *(("188,094", 188094), ("+78", 78), ("95.3 %", 0.953), ("1.20 s", 1.2)),
        *(("12.3 ms", 0.0123), ("0 %", 0.0), ("-", "-"), ("> 5", "> 5")),
        *(("+78 [+13, +148]", "+78 [+13, +148]"), ("ms", "ms"), ("s", "s"), ("", "")),
    ):
        found = tables._number_or_text(cell)
        assert (found, type(found)) == (number, type(number))


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


class Checker(HTMLParser):
    """Notes elements left open, pictures, and the cells of each row."""

    def __init__(self):
        super().__init__()
        self.open, self.images, self.rows = [], [], []

    def handle_starttag(self, tag, attributes):
        if tag == "img":
            self.images.append(dict(attributes)["src"])
        elif tag != "meta":
            self.open.append(tag)
        if tag == "table":
            self.rows.append([])
        elif tag == "tr":
            self.rows[-1].append(0)
        elif tag in ("td", "th"):
            self.rows[-1][-1] += 1

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@MEASURED
def test_the_page_is_sound_and_its_pictures_exist(folder):
    checker = Checker()
    checker.feed((folder / "report.html").read_text(encoding="utf-8"))
    assert checker.open == []
    assert sorted(checker.images) == sorted(f"{name}.png" for name in PLOTS)
    for name in checker.images:
        assert (folder / name).read_bytes().startswith(b"\x89PNG")
    assert len(checker.rows) == 9
    for table in checker.rows:
        assert len(set(table)) == 1
        assert len(table) > 1


@MEASURED
def test_the_moves_of_a_level_can_be_replayed_from_its_files(folder):
    for number in (6, 11):
        level = puzzle_levels()[number - 1].board
        stem = folder / "moves" / f"level-{number:02}"
        entry = json.loads(stem.with_suffix(".json").read_text(encoding="utf-8"))
        text = stem.with_suffix(".txt").read_text(encoding="utf-8")
        assert entry["board"] == str(level).splitlines()
        assert str(level) in text
        assert set(entry["values"]) == {"rules", "stones", "ours", "proved", "engine"}
        for game in entry["play_outs"]:
            board = level.copy()
            for move in game["moves"]:
                board.play(command_move(move["move"]))
                assert isinstance(move["score"], int)
            assert (game["outcome"] == "won") == (board.winner == Side.BLACK)


def command_move(text):
    return Board.from_moves(text).moves[0]


@MEASURED
def test_the_sgf_is_one_that_a_library_reads(folder):
    sgf = pytest.importorskip("sgfmill.sgf")
    data = (folder / "moves" / "level-11.sgf").read_bytes()
    trees = re.split(rb"\)\n\n", data.removesuffix(b")\n"))
    entry = json.loads((folder / "moves" / "level-11.json").read_text("utf-8"))
    assert len(trees) == len(entry["play_outs"])
    best = min(
        (game for game in entry["play_outs"] if game["outcome"] == "won"),
        key=lambda game: game["count"],
    )
    game = sgf.Sgf_game.from_bytes(trees[0] + b")")
    assert game.get_size() == 15
    assert game.get_winner() == "b"
    black, white, _ = game.root.get_setup_stones()
    level = puzzle_levels()[10].board
    for stones, side in ((black, Side.BLACK), (white, Side.WHITE)):
        assert {(x, 14 - y) for y, x in stones} == {
            (x, y) for x in range(15) for y in range(15) if level.stone((x, y)) == side
        }
    played = [node.get_move() for node in game.get_main_sequence()[1:]]
    assert [(colour, (x, 14 - y)) for colour, (y, x) in played] == [
        (move["side"][0], tuple(command_move(move["move"]))) for move in best["moves"]
    ]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--levels", "1-30"], "the levels are 1 to 20"),
        (["--levels", "one"], "not a list of levels: 'one'"),
        (["--depth", "0"], "the depth is 1 to 8"),
        (["--games", "7"], "--games is an even number"),
        (["--budget", "0"], "a number of nodes is at least 1"),
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


def test_without_matplotlib_the_user_is_reported_what_to_install(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "gomoku_brain.study.pictures", raising=False)
    assert main(["--quick", "--out", str(tmp_path / "none")]) == 2
    assert 'pip install "gomoku-brain[lab]"' in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_lists_of_levels_are_read():
    assert experiment.levels_of("1-3,7") == (1, 2, 3, 7)
    assert experiment.levels_of("20") == (20,)
