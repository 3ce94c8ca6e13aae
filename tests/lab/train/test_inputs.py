"""The comparison of inputs, on a few games."""

import json

import numpy as np
import pytest

from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train import inputs
from gomoku_brain.lab.train.inputs import main
from gomoku_brain.lab.train.losses import target_of
from gomoku_brain.lab.train.samples import open_samples
from tests.lab.train.games import some_games


@pytest.fixture
def games(tmp_path):
    path = tmp_path / "games.txt"
    path.write_text("".join(some_games(12)))
    return path


def run(tmp_path, *words):
    return main(
        [
            str(tmp_path / "folder"),
            *words,
            "--epochs",
            "2",
            "--batch",
            "32",
            "--held",
            "1",
        ]
    )


def results(tmp_path):
    lines = (tmp_path / "folder" / "results.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_inputs_are_compared_on_the_same_held_out_games(tmp_path, games, capsys):
    assert run(tmp_path, str(games), "--inputs", "b,a") == 0
    found = results(tmp_path)
    assert [row["input"] for row in found] == ["b", "a"]
    assert len({row["held_positions"] for row in found}) == 1
    assert len({row["search_loss"] for row in found}) == 1
    output = capsys.readouterr().out
    assert (
        f"| b: kinds, regions | {found[0]['positions']:,} | 1e-05 | 1 | 80,896 |"
        in output
    )
    # what is done is not done again
    before = [path.read_bytes() for path in (tmp_path / "folder").glob("*.npy")]
    assert run(tmp_path, "--inputs", "b,a,d7") == 0
    assert [row["input"] for row in results(tmp_path)] == ["b", "a", "d7"]
    assert set(before) <= {p.read_bytes() for p in (tmp_path / "folder").glob("*.npy")}
    assert "±" in capsys.readouterr().out


def test_a_fit_that_was_cut_before_its_row_is_done_again(tmp_path, games):
    assert run(tmp_path, str(games), "--inputs", "a") == 0
    path = tmp_path / "folder" / "results.jsonl"
    row = path.read_text()
    path.write_text(row[:20])  # it was killed while it wrote it
    assert run(tmp_path, "--inputs", "a") == 0
    (again,) = results(tmp_path)
    assert again["loss"] == json.loads(row)["loss"]


def test_two_runs_may_add_to_one_folder(tmp_path, games, monkeypatch):
    assert run(tmp_path, str(games), "--inputs", "a") == 0
    path = tmp_path / "folder" / "results.jsonl"
    fitted = inputs.fit_one

    def fit_beside_another(*arguments):
        found = fitted(*arguments)
        row = {**json.loads(path.read_text().splitlines()[0]), "seed": 2}
        path.write_text(path.read_text() + json.dumps(row) + "\n")
        return found

    monkeypatch.setattr(inputs, "fit_one", fit_beside_another)
    monkeypatch.setattr(inputs, "table", lambda folder, rule: "")
    assert run(tmp_path, "--inputs", "b") == 0
    found = [(row["input"], row["seed"]) for row in results(tmp_path)]
    assert found == [("a", 1), ("a", 2), ("b", 1)]


def test_losses_are_those_of_the_values_that_are_kept(tmp_path, games):
    assert run(tmp_path, str(games), "--inputs", "b") == 0
    [row] = results(tmp_path)
    folder = tmp_path / "folder"
    samples = open_samples(folder, Rule.FREESTYLE)
    held = np.asarray(samples.game) % 10 == 1
    assert row["held_positions"] == held.sum() > 0
    [path] = folder.glob("*.npy")
    result = samples.result
    score = np.asarray(samples.score, float)
    searched = score / target_of(score, result, ~held, 0.8)[1]
    for name, z in (("loss", np.load(path)), ("search_loss", searched[held])):
        chance = 1 / (1 + np.exp(-z.astype(float)))
        aim = result[held]
        loss = -(aim * np.log(chance) + (1 - aim) * np.log(1 - chance)).mean()
        assert row[name] == pytest.approx(loss, rel=1e-4)


def test_games_are_held_out_by_their_number_in_their_file(tmp_path, games):
    more = tmp_path / "more.txt"
    more.write_text("".join(some_games(12)))
    assert run(tmp_path, str(games), str(more), "--inputs", "b,a", "--below", "8") == 0
    samples = open_samples(tmp_path / "folder", Rule.FREESTYLE)
    number = samples.number[samples.game]
    for row in results(tmp_path):
        assert row["held_positions"] == (number % 10 == 1).sum()
        assert row["positions"] == ((number % 10 != 1) & (number < 8)).sum()


def test_a_folder_of_other_files_is_refused(tmp_path, games, capsys):
    evaluated, more = tmp_path / "evaluated.txt", tmp_path / "more.txt"
    evaluated.write_text("0 15 h8,h9 i9,i10,j11=-250\n")
    more.write_text("".join(some_games(6)))
    assert run(tmp_path, str(games), str(evaluated), "--inputs", "b") == 2
    assert "inputs are compared on games" in capsys.readouterr().err
    other = tmp_path / "other"
    assert run(tmp_path, str(games), "--inputs", "b") == 2
    output = f"{tmp_path / 'folder'} holds samples of other files or of another --most"
    assert output in capsys.readouterr().err
    assert run(other, str(games), "--most", "6", "--inputs", "b") == 0
    before = results(other)
    for words in ([str(games)], [str(games), str(more), "--most", "6"]):
        assert run(other, *words, "--inputs", "b,a") == 2
        assert "holds samples of other files" in capsys.readouterr().err
    assert results(other) == before
    # the same command goes on, and so does one that names no files
    assert run(other, str(games), "--most", "6", "--inputs", "b,a") == 0
    assert run(other, str(more), "--inputs", "b,a") == 0  # the same games
    assert run(other, "--inputs", "b,a") == 0
    assert len(results(other)) == 2


def test_labels_from_later_searches_make_another_fit(tmp_path, games):
    assert run(tmp_path, str(games), "--inputs", "b") == 0
    assert run(tmp_path, "--inputs", "b", "--lambda", "0.8") == 0
    one, two = results(tmp_path)
    assert [one["decay"], two["decay"]] == [0, 0.8]
    assert one["loss"] != two["loss"]
    assert one["search_loss"] == two["search_loss"]


def test_results_of_an_input_that_is_gone_are_left_out(tmp_path, games, capsys):
    assert run(tmp_path, str(games), "--inputs", "a") == 0
    path = tmp_path / "folder" / "results.jsonl"
    line = path.read_text()
    path.write_text(line + line.replace('"a"', '"reference"'))
    capsys.readouterr()
    assert run(tmp_path, "--inputs", "a") == 0
    output = capsys.readouterr().out
    assert "| a: kinds |" in output
    assert "reference:" not in output


def test_renju_is_compared_with_tables_for_either_side(tmp_path, capsys):
    path = tmp_path / "renju.txt"
    path.write_text("".join(some_games(12, Rule.RENJU)))
    words = str(path), "--rule", "renju", "--inputs", "b,bh"
    assert run(tmp_path, *words, "--batch", "16") == 0
    one, two = results(tmp_path)
    assert one["parameters"] == 80_896 + 2 * 2380 * 16
    assert two["parameters"] > one["parameters"]
    output = capsys.readouterr().out
    assert all(name in output for name in ("b: kinds", "bh: kinds, regions, a head"))


def test_fewer_games_are_judged_on_the_same_positions(tmp_path, games, capsys):
    assert run(tmp_path, str(games), "--inputs", "b,a") == 0
    assert run(tmp_path, "--inputs", "b,a", "--below", "8") == 0
    found = results(tmp_path)
    assert len({row["held_positions"] for row in found}) == 1
    assert len({row["positions"] for row in found}) == 2
    assert found[2]["positions"] == found[3]["positions"] < found[0]["positions"]
    assert len({row["loss"] for row in found}) == 4
    # each is compared with the reference of as many games
    output = capsys.readouterr().out.splitlines()
    for one, two in ((1, 0), (3, 2)):
        gap = f"{found[one]['loss'] - found[two]['loss']:+.4f} ±"
        assert any(f" {found[one]['loss']:.4f} | {gap}" in line for line in output)


def test_the_same_seed_gives_the_same_fit(tmp_path, games):
    values = []
    for name in ("one", "two"):
        assert run(tmp_path / name, str(games), "--inputs", "d7") == 0
        [path] = (tmp_path / name / "folder").glob("*.npy")
        values.append(np.load(path))
    assert (values[0] == values[1]).all()


def test_bad_input_is_reported_in_one_line(tmp_path, games, capsys):
    for words, output in (
        (["--inputs", "z"], "there is no input z"),
        (["--rule", "chess"], "'chess' is not one of"),
        (["--most", "0"], "argument --most: '"),
    ):
        with pytest.raises(SystemExit):
            run(tmp_path, *words)
        assert output in capsys.readouterr().err
    assert run(tmp_path) == 2
    assert "has no samples yet" in capsys.readouterr().err
    assert run(tmp_path, str(games), "--most", "20") == 2
    assert "number 12 is missing" in capsys.readouterr().err
    assert run(tmp_path, str(tmp_path / "none.txt")) == 2
    assert "none.txt" in capsys.readouterr().err
