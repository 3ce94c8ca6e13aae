"""Self-play as data: resumed, checked, and the same wherever it was played."""

import subprocess
import sys

import pytest

from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train import numbered, selfplay
from gomoku_brain.lab.train.numbered import LineTask, checksum, lines_of_cluster
from gomoku_brain.lab.train.selfplay import main
from gomoku_brain.runs.cluster import Cluster, ClusterError
from tests.lab.train.games import RECIPE, some_games

ARGUMENTS = "--sizes 9,15 --nodes 60 --seed 5".split()


def test_a_run_that_was_cut_goes_on_and_ends_with_the_same_checksum(tmp_path, capsys):
    whole, cut = tmp_path / "whole.txt", tmp_path / "cut.txt"
    assert main([str(whole), "--games", "6", *ARGUMENTS]) == 0
    output = capsys.readouterr().out
    lines = whole.read_text().splitlines(keepends=True)
    assert output == f"6 lines, sha256 {checksum(lines)}\n"
    # other order, one game not there, one torn
    cut.write_text("".join([lines[4], lines[0], lines[2], lines[5][:20]]))
    assert main([str(cut), "--games", "6", *ARGUMENTS]) == 0
    assert capsys.readouterr().out == output
    assert cut.read_text() != whole.read_text()
    assert sorted(cut.read_text().splitlines()) == sorted(
        whole.read_text().splitlines()
    )


def test_a_game_depends_on_seed_and_number_only():
    from gomoku_brain.engine.engine import Engine

    engine = Engine(hash_mb=1)
    backwards = [selfplay.play(RECIPE, k, engine) + "\n" for k in (3, 2, 1, 0)]
    assert backwards[::-1] == some_games(4)


@pytest.mark.parametrize(
    "other", ["--seed=6", "--nodes=90", "--sizes=11", "--rule=caro"]
)
def test_a_file_of_another_recipe_is_not_gone_on_with(tmp_path, capsys, other):
    path = tmp_path / "games.txt"
    before = "".join(some_games(2))
    path.write_text(before)
    assert main([str(path), "--games", "3", *ARGUMENTS, other]) == 2
    assert "begun with other options" in capsys.readouterr().err
    assert path.read_text() == before


def test_a_file_without_a_line_to_compare_is_not_gone_on_with(tmp_path, capsys):
    path = tmp_path / "games.txt"
    before = "".join(some_games(6)[4:])
    path.write_text(before)
    assert main([str(path), "--games", "4", *ARGUMENTS]) == 2
    assert "no line of it can be compared" in capsys.readouterr().err
    assert path.read_text() == before


def test_a_number_that_is_there_twice_is_found_before_the_work(tmp_path, capsys):
    path = tmp_path / "games.txt"
    before = some_games(2)[1] * 2
    path.write_text(before)
    assert main([str(path), "--games", "3", *ARGUMENTS]) == 2
    assert "number 1 occurs twice" in capsys.readouterr().err
    assert path.read_text() == before


@pytest.mark.parametrize(
    ("words", "output"),
    [
        (["--rule", "chess"], "'chess' is not one of"),
        (["--sizes", "4"], "--sizes 4"),
        (["--sizes", "15,x"], "--sizes 15,x"),
        (["--games", "0"], "argument --games: '"),
        (["--games", "-1"], "argument --games: '"),
        (["--nodes", "0"], "argument --nodes: '"),
        (
            ["--nodes", "99999999999"],
            "argument --nodes: '",
        ),
    ],
)
def test_bad_arguments_are_reported_in_one_line(tmp_path, capsys, words, output):
    with pytest.raises(SystemExit):
        main([str(tmp_path / "games.txt"), *words])
    assert output in capsys.readouterr().err
    assert not (tmp_path / "games.txt").exists()


# Dask leaves a socket to the garbage collector when its first port is taken.
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.slow("starts a Dask cluster", ci=True)
def test_a_cluster_makes_the_same_games(tmp_path, local, monkeypatch):
    path = tmp_path / "games.txt"
    path.write_text(some_games(8)[3])
    address = ["--cluster", local.scheduler_address]
    command = [sys.executable, "-m", selfplay.__name__, str(path), "--games", "8"]
    output = subprocess.run(
        [*command, *ARGUMENTS, *address], check=True, capture_output=True, text=True
    )
    assert output.stdout == f"8 lines, sha256 {checksum(some_games(8))}\n"
    # a worker whose engine plays otherwise is found out before it has played
    with Cluster(local.scheduler_address) as cluster:
        tasks = [LineTask(RECIPE, number) for number in range(4)]
        ours = numbered._make_some(tasks)
        theirs = [*ours[:3], "3 15 1 h8 3"]  # the first line may be the same
        monkeypatch.setattr(
            cluster, "on_every_worker", lambda *_: {"a": ours, "b": theirs}
        )
        with pytest.raises(
            ClusterError, match="worker b: its engine is another version"
        ):
            list(lines_of_cluster(tasks, cluster))


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_cluster_that_is_not_there_is_reported_in_one_line(
    tmp_path, capsys, monkeypatch
):
    pytest.importorskip("distributed")
    monkeypatch.setattr("gomoku_brain.runs.cluster.PATIENCE", 0.2)
    address = ["--cluster", "tcp://127.0.0.1:1"]
    assert main([str(tmp_path / "games.txt"), *ARGUMENTS, *address]) == 2
    assert "no scheduler at tcp://127.0.0.1:1" in capsys.readouterr().err


def test_rules_with_two_words_can_be_named(tmp_path, capsys):
    path = tmp_path / "games.txt"
    words = "--rule caro_exact --games 1 --nodes 20 --sizes 9".split()
    assert main([str(path), *words]) == 0
    recipe = selfplay.SelfplayRecipe(Rule.CARO_EXACT, (9,), 20, 1)
    assert numbered.is_ours(numbered.journal_of(path), [LineTask(recipe, 0)])
