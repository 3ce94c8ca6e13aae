"""SPSA: a run that was stopped ends as if it had not been, and learns from points."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from gomoku_brain.control.params import PARAMETERS
from gomoku_brain.lab.tune import spsa
from gomoku_brain.lab.tune.spsa import learn, main, perturbed

OPTIONS = "--nodes 200 --iterations 8 --seed 2 --params futility_slope,late_move_base"


def fresh(names=("futility_slope", "late_move_base"), iterations=1000):
    return spsa.SpsaRun(
        rule="FREESTYLE",
        size=15,
        nodes=200,
        seed=2,
        iterations=iterations,
        done=0,
        points=0.0,
        values={name: float(PARAMETERS[name][1]) for name in names},
    )


def test_constants_move_towards_the_set_that_wins():
    import random

    state = fresh()
    up, down, moved = perturbed(state, 0, random.Random(1))
    before = dict(state["values"])
    for name, shift in moved.items():
        assert (up[name] - before[name]) * shift > 0
        assert up[name] >= PARAMETERS[name][2]
        assert down[name] <= PARAMETERS[name][3]
    learn(state, 0, moved, 1.0)
    assert state["values"] == before, "a shared pair teaches nothing"
    learn(state, 0, moved, 2.0)
    for name, shift in moved.items():
        assert (state["values"][name] - before[name]) * shift > 0


def test_it_finds_the_best_value_of_a_constant():
    import random

    state, best = fresh(["counter_bonus"]), 40.0
    for number in range(state["iterations"]):
        up, down, moved = perturbed(state, number, random.Random(number))
        near = [abs(side["counter_bonus"] - best) for side in (up, down)]
        learn(state, number, moved, 2.0 if near[0] < near[1] else 0.0)
    assert abs(state["values"]["counter_bonus"] - best) < 15
    assert abs(PARAMETERS["counter_bonus"][1] - best) > 50


def test_a_run_that_was_stopped_ends_with_the_same_values(
    tmp_path, capsys, monkeypatch
):
    whole, cut = tmp_path / "whole.json", tmp_path / "cut.json"
    assert main([str(whole), *OPTIONS.split()]) == 0
    output = capsys.readouterr().out
    real = spsa.save

    def stopped(path, state):
        real(path, state)
        raise OSError("the disk is full")

    monkeypatch.setattr(spsa, "save", stopped)
    assert main([str(cut), *OPTIONS.split()]) == 2
    assert capsys.readouterr().err.endswith("spsa: the disk is full\n")
    assert json.loads(cut.read_text())["done"] == 4
    monkeypatch.setattr(spsa, "save", real)
    assert main([str(cut), *OPTIONS.split()]) == 0
    assert capsys.readouterr().out == output
    assert cut.read_bytes() == whole.read_bytes()
    assert output.splitlines()[0].startswith("futility_slope ")
    values = json.loads(whole.read_text())["values"]
    assert values != fresh()["values"], "some pair was won"


@pytest.mark.slow("plays in two processes", ci=True)
def test_processes_play_the_same_pairs(tmp_path, monkeypatch):
    two, here = tmp_path / "two.json", tmp_path / "here.json"
    options = [*OPTIONS.split(), "--workers", "2"]
    assert main([str(two), *options]) == 0
    monkeypatch.setattr(spsa, "WorkerProcesses", lambda count: ThreadPoolExecutor(1))
    assert main([str(here), *options]) == 0
    assert here.read_bytes() == two.read_bytes()


@pytest.mark.parametrize(
    "other",
    ["--nodes=201", "--seed=3", "--rule=caro", "--iterations=9", "--params=razor_base"],
)
def test_a_run_of_other_options_is_left_alone(tmp_path, capsys, other):
    path = tmp_path / "state.json"
    spsa.save(path, {**fresh(iterations=8), "done": 4})
    before = path.read_bytes()
    assert main([str(path), *OPTIONS.split(), other]) == 2
    assert "begun with other options" in capsys.readouterr().err
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("names", "why"),
    [("x", "there is no constant x"), ("razor_base,razor_base", "is named twice")],
)
def test_constants_are_named_right(tmp_path, capsys, names, why):
    with pytest.raises(SystemExit):
        main([str(tmp_path / "state.json"), "--params", names])
    assert why in capsys.readouterr().err


def damaged():
    """Texts that are no state of a run, most of them nearly one."""
    run = fresh(iterations=8)
    yield from ("", "[]", '{"done": 3}', "hello")
    yield json.dumps({name: value for name, value in run.items() if name != "points"})
    for change in (
        {"done": 9},
        {"done": "4"},
        {"points": None},
        {"values": list(run["values"])},
        {"values": {"futility_slope": "50", "late_move_base": 3.0}},
        {"values": {"futility_slope": 5000.0, "late_move_base": 3.0}},
        {"values": {"none": 50.0, "late_move_base": 3.0}},
    ):
        yield json.dumps({**run, **change})


@pytest.mark.parametrize("text", list(damaged()))
def test_a_file_that_is_no_run_is_left_alone(tmp_path, capsys, text):
    path = tmp_path / "state.json"
    path.write_text(text)
    assert main([str(path), *OPTIONS.split()]) == 2
    assert "not the file of a run" in capsys.readouterr().err
    assert path.read_text() == text
