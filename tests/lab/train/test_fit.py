"""The program that fits the linear evaluation, on a few games."""

from dataclasses import replace

import numpy as np
import pytest

from gomoku_brain.eval.evaluate import evaluation_from
from gomoku_brain.eval.weights import (
    Part,
    Weights,
    shipped_weights,
    unpack_weights,
)
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train import fit
from gomoku_brain.lab.train.parts import (
    array_of,
    choices_of,
    linear_fit,
    linear_parts,
    part_of,
)
from tests.lab.train.games import some_games

QUICK = ["--steps", "20", "--choice-steps", "3"]


@pytest.fixture
def games(tmp_path):
    path = tmp_path / "games.txt"
    path.write_text("".join(some_games(12)))
    return path


def written(games, out, *words):
    assert fit.main([str(games), "--out", str(out), *QUICK, *words]) == 0
    return unpack_weights(out.read_bytes())


def test_what_a_fit_writes_is_a_linear_evaluation(games, tmp_path, capsys):
    weights = written(games, tmp_path / "weights.bin")
    assert (weights.kind, weights.rule) == ("linear", Rule.FREESTYLE)
    assert evaluation_from(weights).rule == Rule.FREESTYLE
    output = capsys.readouterr().out
    assert output.startswith("values: positions ")
    assert "\nchoices: choices " in output
    assert "held-out loss of results" in output


def test_move_scores_may_be_those_of_another_file(games, tmp_path, capsys):
    known = tmp_path / "known.bin"
    before = written(games, known)
    capsys.readouterr()
    words = "--choices-of", str(known), "--mix", "0.9"
    after = written(games, tmp_path / "new.bin", *words)
    assert "choices:" not in capsys.readouterr().out
    for one, two in zip(choices_of(before), choices_of(after), strict=True):
        assert np.array_equal(one, two)
    values = [linear_fit(weights)[0][0][:, 2:] for weights in (before, after)]
    assert not np.array_equal(*values)


@pytest.mark.parametrize("rule", [Rule.FREESTYLE, Rule.RENJU])
def test_a_fit_is_pulled_to_the_weights_that_are_shipped(rule, games, tmp_path):
    games.write_text("".join(some_games(12, rule)))
    hard = "--prior", "renju", "--fine", "1e8", "--choice-fine", "1e6"
    words = "--rule", rule.name.lower(), *hard
    weights = written(games, tmp_path / "weights.bin", *words)
    known = shipped_weights(Rule.RENJU)
    sides = (0, 1) if rule == Rule.RENJU else (0, 0)
    found, wanted = (
        [array_of(each.parts[name]) for name in ("cells", "tempo")]
        for each in (weights, known)
    )
    for side, shipped in enumerate(sides):
        # Of one evaluation for both sides attack and mover are those of black.
        roles = [0, 2] if rule == Rule.FREESTYLE else [0, 1, 2, 3]
        for part, aim in (
            (found[0][side][:, roles], wanted[0][shipped][:, roles]),
            (found[1][side], wanted[1][shipped]),
        ):
            assert np.abs(part - aim).max() <= 1  # numbers are rounded together
            assert (part == aim).mean() > 0.98


def test_unfit_data_is_reported_in_one_line(games, tmp_path, capsys):
    out = tmp_path / "weights.bin"
    known = tmp_path / "known.bin"
    written(games, known)
    capsys.readouterr()
    for words, expected in (
        ([str(tmp_path / "none.txt")], "No such file"),
        (
            [str(games), "--rule", "standard", "--choices-of", str(known)],
            "known.bin: weights for another rule",
        ),
    ):
        assert fit.main([*words, "--out", str(out), *QUICK]) == 2
        error = capsys.readouterr().err.rpartition("\r")[2].strip().splitlines()[-1]
        assert error.startswith("fit: ")
        assert expected in error
    assert not out.exists()
    with pytest.raises(SystemExit):
        fit.main([str(games), "--rule", "go", "--out", str(out)])
    assert "'go' is not one of" in capsys.readouterr().err


def test_linear_parts_are_read_back_as_they_were_fitted():
    rng = np.random.default_rng(1)
    values = [
        [rng.integers(-200, 200, n) / 320 for n in (2380, 2380, 2048)] for _ in range(2)
    ]
    choices = [[rng.integers(-99, 99, 2380) / 64 for _ in range(2)] for _ in range(2)]
    parts = linear_parts(values, choices)
    weights = Weights("linear", int(Rule.FREESTYLE), parts)
    for side, (cells, tempo) in enumerate(linear_fit(weights)):
        wanted = np.stack([*choices[side], *values[side][:2]], 1)
        assert np.allclose(cells, wanted)
        assert np.allclose(tempo, values[side][2])


@pytest.mark.parametrize("name", ["cells", "tempo"])
def test_weights_without_a_part_of_the_linear_evaluation_are_refused(name):
    known = shipped_weights(Rule.FREESTYLE)
    parts = {key: part for key, part in known.parts.items() if key != name}
    with pytest.raises(ValueError, match=f"no part '{name}'"):
        linear_fit(replace(known, parts=parts))
    parts[name] = Part((1, 2), bytes(4))
    with pytest.raises(ValueError, match=f"part '{name}' is 1x2 instead of"):
        linear_fit(replace(known, parts=parts))


def test_a_fit_does_not_depend_on_the_order_of_the_lines(games, tmp_path):
    lines = games.read_text().splitlines(keepends=True)
    written(games, tmp_path / "one.bin", "--most", "11")
    games.write_text("".join(lines[::-1]) + "12 15 1 7,7")  # it is being written
    written(games, tmp_path / "two.bin", "--most", "11")
    assert (tmp_path / "one.bin").read_bytes() == (tmp_path / "two.bin").read_bytes()


def test_an_unwritable_file_is_reported_before_the_fit(games, tmp_path, capsys):
    before = games.read_text()
    for out, expected in (
        (tmp_path / "none" / "weights.bin", "there is no folder"),
        (games, "would be written over"),
    ):
        assert fit.main([str(games), "--out", str(out)]) == 2
        output = capsys.readouterr()
        assert expected in output.err
        assert not output.out
    assert games.read_text() == before


def test_a_fit_that_diverged_is_not_written():
    for wrong in (np.nan, np.inf):
        with pytest.raises(ValueError, match="diverged: no file is written"):
            part_of(np.array([1.0, wrong]), 100)
