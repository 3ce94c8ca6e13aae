"""A network as integers: near its floats, within its limits, read from a file again."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csc_matrix

from gomoku_brain.eval.weights import Weights, pack_weights, unpack_weights
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.features import COUNT_OF_KINDS
from gomoku_brain.lab.train.parts import UNIT, linear_parts, rounded_together
from gomoku_brain.lab.train.pooled import PooledNet
from gomoku_brain.lab.train.quantize import (
    HEAD,
    INPUT_LIMIT,
    ROW_UNIT,
    head_unit,
    layout,
    linear_values,
    network_of,
    network_score,
    parameters_of,
    pooled_parts,
    sides_in,
    weights_of,
)
from tests.lab.train.games import board_of

RULES = [Rule.FREESTYLE, Rule.RENJU]


def some_net(samples, rule=Rule.FREESTYLE):
    """Parameters of every size, so that each part shows."""
    net = PooledNet(samples, rule, 5)
    dice = np.random.default_rng(6)
    for name, parameter in net.parameters.items():
        if not name.startswith(("linear", "tempo")):
            parameter += dice.normal(0, 0.04, parameter.shape).astype(np.float32)
    net.put_together()
    return net


def some_net_and_linear(samples, rule):
    net = some_net(samples, rule)
    dice = np.random.default_rng(7)
    for name in ("linear_rest", "tempo"):
        net.parameters[name] += dice.normal(0, 0.1, net.parameters[name].shape)
    net.put_together()
    return net


def network_parts(floats, rule=Rule.FREESTYLE):
    return Weights("points", int(rule), pooled_parts(floats))


@pytest.mark.parametrize("rule", RULES)
def test_integers_are_near_the_floats(positions_of, rule):
    samples = positions_of[rule]
    net = some_net(samples, rule)
    weights = network_parts(net.parameters | net.parts, rule)
    of_sides = [np.flatnonzero(samples.side == side) for side in (0, 1)]
    positions = np.concatenate([rows[2 :: len(rows) // 3] for rows in of_sides])
    wanted = 320 * net.logits(positions)  # its linear part is 0
    assert np.ptp(wanted) > 5
    for at, units in zip(positions, wanted.tolist(), strict=True):
        found = network_score(weights, board_of(samples, at, rule))
        assert found == pytest.approx(units, abs=2 + 0.02 * abs(units))


@pytest.mark.parametrize("sign", [1, -1])
def test_numbers_at_their_limits_do_not_wrap_round(samples, sign):
    floats = {name: np.full(size, sign * 1e6) for name, size in layout(1).items()}
    floats["table"] = np.abs(floats.pop("rows")).reshape(-1, 16)
    weights = network_parts(floats | {"bias": np.zeros(16)})
    assert np.frombuffer(weights.parts["rows"].numbers, np.int16).max() == 16383
    limit = min(3071, (2**31 - 2**27) // (80 * 8191))
    first = np.frombuffer(weights.parts["first"].numbers, np.int16)
    assert first.max() == sign * limit
    score = network_score(weights, board_of(samples, 3))
    # every input of the last layer is at its limit, or at 0
    assert score == ((16 * INPUT_LIMIT * 16383 + 4096) >> 13 if sign == 1 else 0)


@pytest.mark.parametrize("rule", RULES)
def test_a_file_has_a_table_for_each_side_that_differs(positions_of, rule):
    net = some_net(positions_of[rule], rule)
    weights = network_parts(net.parameters | net.parts, rule)
    again = unpack_weights(pack_weights(weights))
    assert again == weights
    assert sides_in(again) == net.sides == (2 if rule == Rule.RENJU else 1)


@pytest.mark.parametrize("rule", RULES)
def test_a_file_gives_back_the_parameters_it_was_made_of(positions_of, rule):
    samples = positions_of[rule]
    net = some_net_and_linear(samples, rule)
    floats = net.parameters | net.parts
    parts = linear_parts(linear_values(floats), [[np.zeros(COUNT_OF_KINDS)] * 2] * 2)
    weights = network_parts(floats, rule)
    weights.parts.update(parts)
    again = PooledNet(samples, rule, 8)
    again.begin_with(parameters_of(weights))
    found, bias = again.parameters, net.parameters["bias"] / 2
    assert_near(again.parts["linear"], net.parts["linear"], UNIT)
    assert_near(again.parts["table"], net.parts["table"] + bias, ROW_UNIT)
    assert_near(found["tempo"], net.parameters["tempo"], UNIT)
    assert not found["bias"].any()
    for name in HEAD:
        assert_near(found[name], net.parameters[name], head_unit(name))
    # what rows share explains as much of them as it can: the rests have none of it left
    for name in again.parts:
        left = again.design.T @ found[f"{name}_rest"]
        assert np.abs(left).max() < 0.01


@pytest.mark.parametrize("rule", RULES)
def test_a_file_keeps_the_values_of_positions_in_the_mean(positions_of, rule):
    samples = positions_of[rule]
    net = some_net_and_linear(samples, rule)
    every = np.arange(len(samples))
    floats = net.parameters | net.parts
    numbers = np.append(floats["linear"], floats["tempo"])
    linear = net.inputs_of(every)[0]
    assert np.allclose(net.linear_counts(every) @ numbers, linear, atol=1e-4)
    choices = [[np.zeros(COUNT_OF_KINDS)] * 2] * 2
    rounded = weights_of(net, rule, choices, every[::2].copy())
    parts = linear_parts(linear_values(floats), choices) | pooled_parts(floats)
    together, alone = (
        UNIT * (network_of(file, samples).logits(every) - net.logits(every))
        for file in (rounded, Weights("points", int(rule), parts))
    )
    assert abs(together[::2].mean()) < 1
    for half in (0, 1):  # the other half was not rounded for
        errors = np.square(together[half::2]).mean(), np.square(alone[half::2]).mean()
        assert errors[0] < errors[1]


def test_integers_stay_and_others_go_to_a_neighbour():
    dice = np.random.default_rng(1)
    numbers = np.append(dice.integers(-9, 9, 20), dice.normal(0, 9, 60))
    counts = csc_matrix(dice.poisson(np.linspace(0, 40, 80), (300, 80)))
    alone = counts @ (np.rint(numbers) - numbers)
    whole = rounded_together(numbers, counts, alone)
    assert np.array_equal(whole, np.rint(whole))
    assert np.array_equal(whole[:20], numbers[:20])
    assert np.abs(whole - numbers).max() < 1
    together = counts @ (whole - numbers)
    assert np.square(together).sum() < np.square(alone).sum() / 4
    assert np.array_equal(rounded_together(whole, counts, alone), whole)
    nothing = rounded_together(numbers, counts[:0], alone[:0])
    assert np.array_equal(nothing, np.rint(numbers))
    with pytest.raises(ValueError, match="diverged"):
        rounded_together(numbers, counts, alone * np.nan)
    far = np.array([2600.4, 0.4])
    assert rounded_together(far, csc_matrix(np.eye(2)), far * 0)[0] == 2500


def assert_near(found, numbers, unit):
    """Compare numbers that were rounded to a unit; arrays have up to 100,000."""
    assert np.shape(found) == np.shape(numbers)
    assert np.abs(found - numbers).max() <= 0.51 / unit


def test_parts_that_do_not_fit_are_refused(samples):
    net = some_net(samples)
    weights = network_parts(net.parameters | net.parts)
    parts = weights.parts
    for wrong, printed in (
        (replace(weights, kind="linear"), "no network over points: kind 'linear'"),
        (replace(weights, parts={}), "no network over points"),
        (replace(weights, parts=parts | {"rows": parts["zones"]}), "part 'rows' is"),
        (replace(weights, parts=parts | {"first": parts["second"]}), "part 'first' is"),
        (replace(weights, parts=parts | {"spread": parts["zones"]}), "part 'spread'"),
        (
            replace(weights, parts={k: v for k, v in parts.items() if k != "output"}),
            "no part 'output'",
        ),
    ):
        with pytest.raises(ValueError, match=printed) as caught:
            sides_in(wrong)
        assert "\n" not in str(caught.value)
