"""The two programs that fit today's evaluation, on a few games."""

import numpy as np
import pytest

from gomoku_brain.eval.evaluate import evaluation_from
from gomoku_brain.eval.weights import unpack_weights
from gomoku_brain.game.rules import Rule
from gomoku_brain.train import fit, network
from gomoku_brain.train.parts import choices_of, linear_fit, linear_parts
from tests.train.games import some_games

QUICK = {
    fit: ["--steps", "20", "--choice-steps", "3"],
    network: ["--epochs", "1", "--choice-steps", "3"],
}


@pytest.fixture
def games(tmp_path, monkeypatch):
    monkeypatch.setattr(network, "BATCH", 32)
    path = tmp_path / "games.txt"
    path.write_text("".join(some_games(12)))
    return path


def written(program, games, out, *words):
    arguments = [str(games), "--out", str(out), *QUICK[program], *words]
    assert program.main(arguments) == 0
    return unpack_weights(out.read_bytes())


@pytest.mark.parametrize(
    ("program", "kind"), [(fit, "linear"), (network, "network")], ids=["fit", "network"]
)
def test_what_a_fit_writes_is_an_evaluation_of_its_kind(
    program, kind, games, tmp_path, capsys
):
    weights = written(program, games, tmp_path / "weights.bin")
    assert (weights.kind, weights.rule) == (kind, Rule.FREESTYLE)
    assert evaluation_from(weights).rule == Rule.FREESTYLE
    said = capsys.readouterr().out
    assert said.startswith("values: positions ")
    assert "\nchoices: choices " in said
    assert "held-out loss of results" in said


@pytest.mark.parametrize("program", [fit, network], ids=["fit", "network"])
def test_move_scores_may_be_those_of_another_file(program, games, tmp_path, capsys):
    known = tmp_path / "known.bin"
    before = written(fit, games, known)
    capsys.readouterr()
    after = written(
        program, games, tmp_path / "new.bin", "--choices-of", str(known), "--mix", "0.9"
    )
    assert "choices:" not in capsys.readouterr().out
    for one, two in zip(choices_of(before), choices_of(after), strict=True):
        assert np.array_equal(one, two)
    values = [linear_fit(weights)[0][0][:, 2:] for weights in (before, after)]
    assert not np.array_equal(*values)


@pytest.mark.parametrize("program", [fit, network], ids=["fit", "network"])
def test_what_cannot_be_fitted_is_told_in_one_line(program, games, tmp_path, capsys):
    out = tmp_path / "weights.bin"
    known = tmp_path / "known.bin"
    written(fit, games, known)
    capsys.readouterr()
    name = program.__name__.rpartition(".")[2]
    for words, told in (
        ([str(tmp_path / "none.txt")], "No such file"),
        (
            [str(games), "--rule", "standard", "--choices-of", str(known)],
            "is for another rule",
        ),
    ):
        assert program.main([*words, "--out", str(out), *QUICK[program]]) == 1
        error = capsys.readouterr().err.rpartition("\r")[2].strip().splitlines()[-1]
        assert error.startswith(f"{name}: ")
        assert told in error
    assert not out.exists()
    with pytest.raises(SystemExit):
        program.main([str(games), "--rule", "go", "--out", str(out)])
    assert "no rule is called go" in capsys.readouterr().err


def test_linear_parts_are_read_back_as_they_were_fitted():
    rng = np.random.default_rng(1)
    values = [
        [rng.integers(-200, 200, n) / 320 for n in (2380, 2380, 2048)] for _ in range(2)
    ]
    choices = [[rng.integers(-99, 99, 2380) / 64 for _ in range(2)] for _ in range(2)]
    parts = linear_parts(values, choices)
    weights = type("Weights", (), {"parts": parts})
    for side, (cells, tempo) in enumerate(linear_fit(weights)):
        wanted = np.stack([*choices[side], *values[side][:2]], 1)
        assert np.allclose(cells, wanted)
        assert np.allclose(tempo, values[side][2])
