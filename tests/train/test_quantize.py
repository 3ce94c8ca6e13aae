"""A network as integers: near its floats, within its limits, and as a file."""

import numpy as np
import pytest

from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.train.pooled import PooledNet, Shape
from gomoku_brain.train.quantize import (
    INPUT_LIMIT,
    Quantized,
    layout,
    network_score,
    pack,
    quantize,
    unpack,
)
from tests.train.games import some_games

SHAPES = [
    Shape("kinds"),
    Shape("kinds", regions=True, width=32),
    Shape("lines", reach=2, regions=True),
    Shape("lines", reach=4, regions=True),
]
LINEAR = bytes(4 * (4 * 2380 + 2048))


def board_of(samples, at):
    words = some_games(6)[samples.game[at]].split()
    board = Board(int(words[1]), Rule.FREESTYLE)
    for move in parse_moves(words[3].replace(",", " "))[: samples.ply[at]]:
        board.play(move)
    return board


def some_net(samples, shape):
    """Parameters of every size, so that each part shows."""
    net = PooledNet(shape, samples, Rule.FREESTYLE, 5)
    dice = np.random.default_rng(6)
    for name, parameter in net.parameters.items():
        if not name.startswith(("linear", "tempo")):
            parameter += dice.normal(0, 0.02, parameter.shape).astype(np.float32)
    net.put_together()
    return net


@pytest.mark.parametrize("shape", SHAPES)
def test_integers_are_near_the_floats(samples, shape):
    net = some_net(samples, shape)
    weights = quantize(shape, Rule.FREESTYLE, net.parameters | net.parts)
    positions = np.arange(2, len(samples), len(samples) // 6, dtype=np.int64)
    wanted = 320 * net.logits(positions)  # its linear part is 0
    assert np.ptp(wanted) > 10
    for at, units in zip(positions, wanted.tolist(), strict=True):
        found = network_score(weights, board_of(samples, at))
        assert found == pytest.approx(units, abs=2 + 0.02 * abs(units))


@pytest.mark.parametrize("shape", SHAPES[1:3])
@pytest.mark.parametrize("sign", [1, -1])
def test_numbers_at_their_limits_do_not_wrap_round(samples, shape, sign):
    sizes = layout(shape)
    floats = {name: np.full(size, sign * 1e6) for name, size in sizes.items()}
    floats["rows"] = np.abs(floats["rows"])
    floats |= {"table": floats.pop("rows"), "bias": np.zeros(shape.width)}
    weights = quantize(shape, Rule.FREESTYLE, floats)
    rows = weights.arrays["rows"].astype(int)
    assert rows.max() == 32767 // (2 if shape.input == "kinds" else 4)
    inputs = 80 if shape.regions and shape.width == 16 else 112
    limit = min(3071, (2**31 - 2**27) // (inputs * 8191))
    assert weights.arrays["first"].max() == sign * limit
    score = network_score(weights, board_of(samples, 3))
    # every input of the last layer is at its limit, or at 0
    assert score == ((16 * INPUT_LIMIT * 16383 + 4096) >> 13 if sign == 1 else 0)


@pytest.mark.parametrize("shape", SHAPES[:3])
def test_a_file_is_read_back(samples, shape):
    net = some_net(samples, shape)
    weights = quantize(shape, Rule.CARO_EXACT, net.parameters | net.parts)
    data = pack(weights, LINEAR)
    again, linear = unpack(data)
    assert linear == LINEAR
    assert (again.rule, again.shape) == (Rule.CARO_EXACT, shape)
    assert list(again.arrays) == list(weights.arrays)
    for name, array in weights.arrays.items():
        assert (again.arrays[name] == array).all()


def test_another_file_is_refused(samples):
    net = some_net(samples, SHAPES[2])
    data = pack(quantize(SHAPES[2], Rule.CARO, net.parameters | net.parts), LINEAR)
    head, _, body = data.partition(b"\n")
    for wrong, said in (
        (b"", "expected"),
        (b"gomoku-brain classical 2 caro 12345678\n", "expected"),
        (data.replace(b"caro", b"chess"), "known shape"),
        (data.replace(b"lines5", b"lines9"), "do not fit the shape"),
        (data.replace(b"regions", b"whole"), "do not fit the shape"),
        (data[:-9], "incomplete"),
        (head[:-8] + b"00000000\n" + body, "hash"),
    ):
        with pytest.raises(ValueError, match=said) as caught:
            unpack(wrong)
        assert "\n" not in str(caught.value)


def test_shapes_without_integers_are_refused():
    for shape in (
        Shape("both"),
        Shape("kinds", spread=True),
        Shape("kinds", phases=(9,)),
    ):
        with pytest.raises(ValueError, match="no integers for"):
            layout(shape)


def test_arrays_are_of_16_bits(samples):
    net = some_net(samples, SHAPES[1])
    weights = quantize(SHAPES[1], Rule.FREESTYLE, net.parameters | net.parts)
    assert isinstance(weights, Quantized)
    assert {array.dtype for array in weights.arrays.values()} == {np.dtype(np.int16)}
