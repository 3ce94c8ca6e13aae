"""The trainer's command: a file of integers, and runs that were cut."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from gomoku_brain.control.limits import Limits
from gomoku_brain.engine.engine import Engine
from gomoku_brain.eval.evaluate import evaluation_from
from gomoku_brain.eval.weights import pack_weights, shipped_weights, unpack_weights
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train import parts, trainer
from gomoku_brain.lab.train.evaluated import EvaluatedRecipe
from gomoku_brain.lab.train.losses import loss_of
from gomoku_brain.lab.train.parts import array_of
from gomoku_brain.lab.train.pooled import Training
from gomoku_brain.lab.train.quantize import network_of, sides_in
from gomoku_brain.lab.train.samples import open_samples
from gomoku_brain.lab.train.trainer import main, with_one_blas_thread
from tests.lab.train.games import some_games


@pytest.fixture
def games(tmp_path):
    path = tmp_path / "games.txt"
    path.write_text("".join(some_games(12)))
    return str(path)


@pytest.fixture(autouse=True)
def no_picture(request, monkeypatch):
    """No curve of the losses where nobody looks at it: half of the time of a run."""
    if request.function is not test_games_become_a_file:
        monkeypatch.setattr(trainer, "plot", lambda run: None)


def words(folder, *more):
    return [
        str(folder), *more, "--out", str(folder) + ".bin",
        "--epochs", "3", "--batch", "32",
    ]  # fmt: skip


def test_numpy_hears_of_its_threads_before_it_is_loaded(monkeypatch):
    code = "import sys, gomoku_brain.lab.train.trainer; print('numpy' in sys.modules)"
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    with_one_blas_thread()
    assert os.environ["OPENBLAS_NUM_THREADS"] == "2"
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    with_one_blas_thread()
    assert os.environ.pop("OPENBLAS_NUM_THREADS") == "1"


def losses_of(folder):
    lines = (folder / "losses.json").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_games_become_a_file(tmp_path, games, capsys):
    folder = tmp_path / "run"
    assert main(words(folder, games)) == 0
    weights = unpack_weights((tmp_path / "run.bin").read_bytes())
    assert weights.rule == Rule.FREESTYLE
    assert sides_in(weights) == 1
    assert any(weights.part("cells", (2, 2380, 4)).numbers)
    with Engine(hash_mb=1) as engine:
        engine.set_evaluation(evaluation_from(weights))
        assert engine.search(Board.from_moves("h8 h9 i8"), Limits(nodes=500)).move
    losses = losses_of(folder)
    assert [line["epoch"] for line in losses] == [1, 2, 3]
    assert losses[-1]["fitted"] < losses[0]["fitted"]
    assert (folder / "loss.png").read_bytes().startswith(b"\x89PNG")
    samples = open_samples(folder, Rule.FREESTYLE)
    held = np.flatnonzero(samples.held_out)
    found = loss_of(network_of(weights, samples).logits(held), samples.result[held])
    assert f"file's held-out loss of results {found:.4f}" in capsys.readouterr().out
    assert found == pytest.approx(losses[-1]["held_out"], abs=0.01)
    assert losses[-1]["held_out_aligned"] < losses[-1]["held_out"]


def test_the_file_may_be_in_the_folder_of_the_run(tmp_path, games):
    folder = tmp_path / "run"
    assert main([*words(folder, games), "--out", str(folder / "w.bin")]) == 0
    assert (folder / "w.bin").exists()


def test_no_file_is_written_whose_sums_would_wrap_around(
    tmp_path, games, capsys, monkeypatch
):
    folder = tmp_path / "run"
    assert main(words(folder, games)) == 0
    (tmp_path / "run.bin").unlink()
    monkeypatch.setattr(trainer, "POOL_SIZE", 1)
    assert main(words(folder)) == 2
    assert "of 1 in held-out games: no file is written" in capsys.readouterr().err
    assert not (tmp_path / "run.bin").exists()
    assert (folder / "net.npz").exists()  # nothing of the fit is lost


def test_positions_that_searches_evaluated_have_a_loss_of_their_own(
    tmp_path, games, capsys, monkeypatch
):
    monkeypatch.setattr(parts, "MOST_ROUNDED", 100)
    folder, path = tmp_path / "run", tmp_path / "evaluated.txt"
    recipe = EvaluatedRecipe(Rule.FREESTYLE, 800, 20, 60, 7)
    engine = Engine(hash_mb=1)
    lines = [recipe.line(n, line, engine) for n, line in enumerate(some_games(12))]
    path.write_text("".join(f"{line}\n" for line in lines))
    assert main(words(folder, games, str(path), "--lambda", "0.8")) == 0
    losses = losses_of(folder)
    printed = float(re.search(r"evaluated (0\.\d+)", capsys.readouterr().out)[1])
    assert printed == pytest.approx(losses[-1]["held_out_evaluated"], abs=0.01)
    # a file that is only judged stays as it is
    file = str(tmp_path / "run.bin")
    still = ("--warm-start", file, "--choices-of", file, "--rate", "0")
    assert main(words(tmp_path / "judged", games, str(path), *still)) == 0
    both = [tmp_path / "run.bin", tmp_path / "judged.bin"]
    assert both[0].read_bytes() == both[1].read_bytes()
    assert re.search(r"evaluated (0\.\d+)", capsys.readouterr().out)
    assert main(words(tmp_path / "other", str(path))) == 2
    assert "no position has a result" in capsys.readouterr().err
    assert main(words(tmp_path / "other", games)) == 2
    assert "holds samples of other files" in capsys.readouterr().err


class Cut(Exception):
    pass


def cut_after_an_epoch(patch):
    """Runs end with Cut at their next batch but one."""
    run, steps = Training.run, 0

    def cut(self):
        nonlocal steps
        for loss in run(self):
            yield loss
            steps += 1
            if steps == self.batches + 1:
                raise Cut

    patch.setattr(Training, "run", cut)


def test_a_run_that_was_cut_ends_with_the_same_file(tmp_path, games, monkeypatch):
    assert main(words(tmp_path / "whole", games)) == 0
    with monkeypatch.context() as patch:
        cut_after_an_epoch(patch)
        with pytest.raises(Cut):
            main(words(tmp_path / "cut", games, "--checkpoint", "0"))
    assert not (tmp_path / "cut.bin").exists()
    assert main(words(tmp_path / "cut")) == 0  # the samples are there
    assert (tmp_path / "cut.bin").read_bytes() == (tmp_path / "whole.bin").read_bytes()
    for name in ("losses.json",):
        both = [(tmp_path / folder / name).read_text() for folder in ("cut", "whole")]
        assert both[0] == both[1]


def test_renju_has_rows_and_linear_values_for_either_side(tmp_path):
    path = tmp_path / "renju.txt"
    path.write_text("".join(some_games(12, Rule.RENJU)))
    more = ("--rule", "renju")
    assert main(words(tmp_path / "run", str(path), *more)) == 0
    weights = unpack_weights((tmp_path / "run.bin").read_bytes())
    assert weights.rule == Rule.RENJU
    assert sides_in(weights) == 2
    cells = array_of(weights.part("cells", (2, 2380, 4)))
    tempo = array_of(weights.part("tempo", (2, 2048)))
    with np.load(tmp_path / "run" / "net.npz") as floats:
        # [side to move][mover's kinds, the other's], in logits; the other's are to its
        # harm
        linear = floats["linear"].reshape(2, 2, -1)
        terms = floats["tempo"].reshape(2, -1)
    for side in range(2):
        for role, logits in ((2, linear[side][0]), (3, -linear[side ^ 1][1])):
            assert cells[side, :, role] == pytest.approx(320 * logits, abs=1.01)
        assert tempo[side] == pytest.approx(320 * terms[side], abs=1.01)
    for numbers in (cells[:, :, 2:], tempo):
        assert (numbers[0] != numbers[1]).any()


def test_a_warm_start_goes_on_from_another_run(tmp_path, games, capsys):
    assert main(words(tmp_path / "one", games, "--rate", "0.01")) == 0
    known = str(tmp_path / "one" / "net.npz")
    warm = ("--warm-start", known)
    assert main(words(tmp_path / "two", games, *warm)) == 0
    one, two = (losses_of(tmp_path / name) for name in ("one", "two"))
    assert two[0]["fitted"] < one[0]["fitted"] - 0.05
    assert main(words(tmp_path / "again", games, *warm)) == 0
    files = [(tmp_path / f"{name}.bin").read_bytes() for name in ("two", "again")]
    assert files[0] == files[1]
    # where it began belongs to a run: it is another one without it, or with another
    assert main(words(tmp_path / "two")) == 2
    assert "is of another run" in capsys.readouterr().err
    other = str(tmp_path / "two" / "net.npz")
    assert main(words(tmp_path / "two", "--warm-start", other)) == 2
    assert "is of another run" in capsys.readouterr().err
    assert main(words(tmp_path / "two", *warm)) == 0


def test_a_cut_run_with_a_warm_start_ends_with_the_same_file(
    tmp_path, games, monkeypatch
):
    assert main(words(tmp_path / "one", games)) == 0
    warm = ("--warm-start", str(tmp_path / "one" / "net.npz"))
    assert main(words(tmp_path / "whole", games, *warm)) == 0
    with monkeypatch.context() as patch:
        cut_after_an_epoch(patch)
        with pytest.raises(Cut):
            main(words(tmp_path / "cut", games, "--checkpoint", "0", *warm))
    assert main(words(tmp_path / "cut", *warm)) == 0
    assert (tmp_path / "cut.bin").read_bytes() == (tmp_path / "whole.bin").read_bytes()


def test_a_warm_start_goes_on_from_a_weights_file(tmp_path, games):
    assert main(words(tmp_path / "one", games, "--rate", "0.01")) == 0
    known = (str(tmp_path / "one" / "net.npz"), str(tmp_path / "one.bin"))
    for name, start in zip(("floats", "integers"), known, strict=True):
        assert main(words(tmp_path / name, games, "--warm-start", start)) == 0
    floats, integers = (losses_of(tmp_path / name) for name in ("floats", "integers"))
    assert integers[0]["fitted"] == pytest.approx(floats[0]["fitted"], abs=0.02)
    cold = losses_of(tmp_path / "one")[0]["fitted"]
    assert integers[0]["fitted"] < cold - 0.05


def test_renju_begins_with_one_table_of_another_rule_for_both_sides(tmp_path, games):
    assert main(words(tmp_path / "one", games)) == 0
    path = tmp_path / "renju.txt"
    path.write_text("".join(some_games(12, Rule.RENJU)))
    start = ("--rule", "renju", "--warm-start", str(tmp_path / "one.bin"))
    # with a rate of 0 the numbers stay where they began
    assert main(words(tmp_path / "two", str(path), *start, "--rate", "0")) == 0
    one, two = (
        array_of(unpack_weights((tmp_path / f"{name}.bin").read_bytes()).parts["rows"])
        for name in ("one", "two")
    )
    assert one.any()
    # White's kinds have the ranks of freestyle, so their rows are the same in white's
    # view (own) and in black's (other); of black's kinds some are fouls.
    same = (abs(two - one) <= 1).all(-1).mean(-1)
    assert same[1][0] == same[0][1] == 1
    assert 0.5 < same[0][0] < 1
    assert 0.5 < same[1][1] < 1


@pytest.mark.parametrize("name", ["output", "cells"])
def test_a_warm_start_from_half_a_weights_file_is_refused(
    tmp_path, games, capsys, name
):
    known = shipped_weights(Rule.CARO)
    parts = {key: part for key, part in known.parts.items() if key != name}
    path = tmp_path / "half.bin"
    path.write_bytes(pack_weights(replace(known, parts=parts)))
    assert main(words(tmp_path / "run", games, "--warm-start", str(path))) == 2
    printed = capsys.readouterr().err.splitlines()[-1]
    assert printed.endswith(f"half.bin: weights of kind 'points': no part '{name}'")


def test_a_warm_start_that_does_not_fit_is_reported_in_one_line(
    tmp_path, games, capsys
):
    bad = tmp_path / "bad.npz"
    for data in (b"", b"PK\x03\x04", b"text", b"\x93NUMPY"):
        bad.write_bytes(data)
        assert main(words(tmp_path / "run", games, "--warm-start", str(bad))) == 2
        printed = capsys.readouterr().err.splitlines()[-1]
        assert printed.endswith("bad.npz: neither a run's net.npz nor a weights file")
    renju = tmp_path / "renju.txt"
    renju.write_text("".join(some_games(12, Rule.RENJU)))
    assert main(words(tmp_path / "one", str(renju), "--rule", "renju")) == 0
    known = str(tmp_path / "one" / "net.npz")
    assert main(words(tmp_path / "other", games, "--warm-start", known)) == 2
    printed = capsys.readouterr().err.splitlines()[-1]
    assert printed.endswith("net.npz: 'linear_common' does not fit such a network")
    assert main(words(tmp_path / "run", games, "--warm-start", "nowhere.npz")) == 2
    assert "nowhere.npz" in capsys.readouterr().err


def test_bad_input_is_reported_in_one_line(tmp_path, games, capsys):
    folder = tmp_path / "run"
    with pytest.raises(SystemExit):
        main(words(folder, "--rule", "chess"))
    assert "'chess' is not one of" in capsys.readouterr().err
    assert main(words(folder)) == 2
    assert "has no samples yet" in capsys.readouterr().err
    assert main(words(folder, games)) == 0
    for other in (("--seed", "2"), ("--lambda", "0.5")):
        assert main(words(folder, *other)) == 2
        assert "is of another run" in capsys.readouterr().err
    for wrong in ("8", "-0.1", "nan", "much"):
        with pytest.raises(SystemExit):
            main(words(folder, "--lambda", wrong))
        assert "is not a share from 0 to 1" in capsys.readouterr().err
    for option, wrong, expected in (
        ("--epochs", "0", "whole number from 1 to"),
        ("--batch", "0", "whole number from 1 to"),
        ("--rate", "nan", "0 or more"),
    ):
        with pytest.raises(SystemExit):
            main(words(folder, option, wrong))
        assert expected in capsys.readouterr().err


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # numpy tells it, too
@pytest.mark.parametrize("rate", ["1e6", "1e10"])
def test_a_fit_that_diverged_is_reported_and_leaves_no_file(
    tmp_path, games, capsys, rate
):
    assert main(words(tmp_path / "run", games, "--rate", rate)) == 2
    assert "the fit diverged" in capsys.readouterr().err
    assert not (tmp_path / "run.bin").exists()


def test_a_damaged_checkpoint_is_reported_in_one_line(tmp_path, games, capsys):
    folder = tmp_path / "run"
    assert main(words(folder, games)) == 0
    checkpoint = folder / "checkpoint.npz"
    data = checkpoint.read_bytes()
    checkpoint.write_bytes(data[: len(data) // 2])
    assert main(words(folder)) == 2
    printed = capsys.readouterr().err.splitlines()[-1]
    assert "checkpoint.npz: not a file of arrays, or a damaged one" in printed
    checkpoint.unlink()
    assert main(words(folder)) == 0


def test_ctrl_c_stops_a_run_in_one_line(tmp_path, games, capsys, monkeypatch):
    def interrupt(self):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(Training, "run", interrupt)
    assert main(words(tmp_path / "run", games)) == 130
    assert capsys.readouterr().err.splitlines()[-1] == "trainer: stopped"
