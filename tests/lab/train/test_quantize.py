"""A network as integers: near its floats, within its limits, and what it is told by."""

import numpy as np
import pytest

from gomoku_brain.eval.weights import Weights, pack_weights, unpack_weights
from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.features import COUNT_OF_KINDS
from gomoku_brain.lab.train.parts import UNIT, linear_parts
from gomoku_brain.lab.train.pooled import NetworkShape, PooledNet
from gomoku_brain.lab.train.quantize import (
    HEAD,
    INPUT_LIMIT,
    KIND_NAMES,
    ROW_UNIT,
    head_unit,
    layout,
    linear_values,
    network_score,
    parameters_of,
    pooled_parts,
    shape_of,
)
from tests.lab.train.games import some_games
from tests.sampled import some_of

SHAPES = [
    NetworkShape("kinds"),
    NetworkShape("kinds", regions=True, width=32),
    NetworkShape("lines", reach=2, regions=True),
    NetworkShape("lines", reach=4, regions=True),
    NetworkShape("lines", reach=3, regions=True, spread=True),
]
RENJU_SHAPES = [
    NetworkShape("kinds", regions=True, by_side=True),
    NetworkShape("kinds", regions=True, by_side=True, two_heads=True),
    NetworkShape("lines", reach=3, spread=True, by_side=True, two_heads=True),
]
CASES = [(shape, Rule.FREESTYLE) for shape in SHAPES]
CASES += [(shape, Rule.RENJU) for shape in RENJU_SHAPES]
OTHER_SHAPE = "as with the other shapes"


def board_of(samples, at, rule=Rule.FREESTYLE):
    words = some_games(6, rule)[samples.game[at]].split()
    board = Board(int(words[1]), rule)
    for move in parse_moves(words[3].replace(",", " "))[: samples.ply[at]]:
        board.play(move)
    return board


def some_net(samples, shape, rule=Rule.FREESTYLE):
    """Parameters of every size, so that each part shows."""
    net = PooledNet(shape, samples, rule, 5)
    dice = np.random.default_rng(6)
    for name, parameter in net.parameters.items():
        if not name.startswith(("linear", "tempo")):
            parameter += dice.normal(0, 0.02, parameter.shape).astype(np.float32)
    net.put_together()
    return net


def weights_of(shape, floats, rule=Rule.FREESTYLE):
    kind = KIND_NAMES[shape.input]
    return Weights(kind, int(rule), pooled_parts(shape, floats))


@pytest.mark.parametrize(("shape", "rule"), some_of(CASES, 4, OTHER_SHAPE))
def test_integers_are_near_the_floats(positions_of, shape, rule):
    samples = positions_of[rule]
    net = some_net(samples, shape, rule)
    weights = weights_of(shape, net.parameters | net.parts, rule)
    of_sides = [np.flatnonzero(samples.side == side) for side in (0, 1)]
    positions = np.concatenate([rows[2 :: len(rows) // 3] for rows in of_sides])
    wanted = 320 * net.logits(positions)  # its linear part is 0
    assert np.ptp(wanted) > 5
    for at, units in zip(positions, wanted.tolist(), strict=True):
        found = network_score(weights, board_of(samples, at, rule))
        assert found == pytest.approx(units, abs=2 + 0.02 * abs(units))


@pytest.mark.parametrize("shape", [SHAPES[1], SHAPES[2], SHAPES[4]])
@pytest.mark.parametrize("sign", [1, -1])
def test_numbers_at_their_limits_do_not_wrap_round(samples, shape, sign):
    sizes = layout(shape)
    floats = {name: np.full(size, sign * 1e6) for name, size in sizes.items()}
    floats["rows"] = np.abs(floats["rows"])
    floats |= {"table": floats.pop("rows"), "bias": np.zeros(shape.width)}
    weights = weights_of(shape, floats)
    assert np.frombuffer(weights.parts["rows"].numbers, np.int16).max() == 32767 // (
        2 if shape.input == "kinds" else 4
    )
    inputs = 80 if shape.regions and shape.width == 16 else 112
    limit = min(3071, (2**31 - 2**27) // (inputs * 8191))
    first = np.frombuffer(weights.parts["first"].numbers, np.int16)
    assert first.max() == sign * limit
    score = network_score(weights, board_of(samples, 3))
    # every input of the last layer is at its limit, or at 0
    assert score == ((16 * INPUT_LIMIT * 16383 + 4096) >> 13 if sign == 1 else 0)


@pytest.mark.parametrize(("shape", "rule"), CASES)
def test_a_file_states_the_inputs_of_its_network(positions_of, shape, rule):
    net = some_net(positions_of[rule], shape, rule)
    weights = weights_of(shape, net.parameters | net.parts, rule)
    again = unpack_weights(pack_weights(weights))
    assert again == weights
    assert shape_of(again) == shape


FARTHEST = pytest.mark.slow("the fit of the rests of the largest table", ci=True)


@pytest.mark.parametrize(
    ("shape", "rule"),
    [
        pytest.param(*case, marks=[FARTHEST] if case[0].reach == 4 else [])
        for case in CASES
    ],
)
def test_a_file_gives_back_the_parameters_it_was_made_of(positions_of, shape, rule):
    samples = positions_of[rule]
    net = some_net(samples, shape, rule)
    dice = np.random.default_rng(7)
    for name in ("linear_rest", "tempo"):
        net.parameters[name] += dice.normal(0, 0.1, net.parameters[name].shape)
    net.put_together()
    floats = net.parameters | net.parts
    parts = linear_parts(
        linear_values(shape, floats), [[np.zeros(COUNT_OF_KINDS)] * 2] * 2
    )
    weights = weights_of(shape, floats, rule)
    weights.parts.update(parts)
    again = PooledNet(shape, samples, rule, 8)
    again.begin_with(parameters_of(weights))
    found, together = again.parameters, 2 if shape.input == "kinds" else 4
    bias = net.parameters["bias"] / together
    assert_near(again.parts["linear"], net.parts["linear"], UNIT)
    assert_near(again.parts["table"], net.parts["table"] + bias, ROW_UNIT)
    assert_near(found["tempo"], net.parameters["tempo"], UNIT)
    assert not found["bias"].any()
    if shape.spread:
        assert_near(found["spread"][:3], net.parameters["spread"][:3], 256)
        assert_near(found["spread"][3], net.parameters["spread"][3], ROW_UNIT)
    for name in HEAD:
        if name in found:
            assert_near(found[name], net.parameters[name], head_unit(name))
    # what rows share explains as much of them as it can: the rests have none of it left
    for name in again.parts:
        left = again.designs[name].T @ found[f"{name}_rest"]
        assert np.abs(left).max() < 0.01


def assert_near(found, numbers, unit):
    """Compare numbers that were rounded to a unit; arrays have up to 100,000."""
    assert np.shape(found) == np.shape(numbers)
    assert np.abs(found - numbers).max() <= 0.51 / unit


def test_parts_that_do_not_fit_are_refused(samples):
    net = some_net(samples, SHAPES[2])
    weights = weights_of(SHAPES[2], net.parameters | net.parts)
    parts = weights.parts
    for wrong, printed in (
        (weights._replace(kind="linear"), "no network over points: kind 'linear'"),
        (weights._replace(parts={}), "no network over points"),
        (weights._replace(kind="points"), "part 'rows' is"),
        (weights._replace(parts=parts | {"first": parts["second"]}), "part 'first' is"),
        (
            weights._replace(parts={k: v for k, v in parts.items() if k != "output"}),
            "no part 'output'",
        ),
    ):
        with pytest.raises(ValueError, match=printed) as caught:
            shape_of(wrong)
        assert "\n" not in str(caught.value)


def test_shapes_without_integers_are_refused():
    for shape in (NetworkShape("both"), NetworkShape("kinds", phases=(9,))):
        with pytest.raises(ValueError, match="no integer format for"):
            layout(shape)
