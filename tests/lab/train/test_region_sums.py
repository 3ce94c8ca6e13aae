"""The points of a position: their rows of the table, and both passes over them."""

import numpy as np
import pytest

from gomoku_brain.lab.train import region_sums as kernel
from gomoku_brain.lab.train.features import COUNT_OF_KINDS, kinds_of_cells
from gomoku_brain.lab.train.region_sums import (
    PointSums,
    adam,
    spread_kinds,
    sum_kinds,
)
from tests.lab.train.games import board_of


def cells_of(samples, at):
    """((x, y), (black's kind, white's kind)) of each empty cell of a position."""
    board = board_of(samples, at)
    kinds = np.frombuffer(kinds_of_cells(board), np.uint16).reshape(-1, 2)
    return [
        ((k % board.width, k // board.width), (int(black), int(white)))
        for k, (black, white) in enumerate(kinds)
        if black != COUNT_OF_KINDS
    ]


@pytest.mark.parametrize("by_side", [False, True])
def test_rows_are_those_of_the_kinds_of_the_empty_cells(samples, by_side):
    points = PointSums(samples, by_side=by_side)
    assert points.rows == (4 if by_side else 2) * COUNT_OF_KINDS
    for at in range(0, len(samples), 17):
        black, white = points.rows_of(at)
        kinds = [pair for _, pair in cells_of(samples, at)]
        assert black == [[b, w + COUNT_OF_KINDS] for b, w in kinds]
        first = 2 * COUNT_OF_KINDS * by_side
        assert white == [[first + w, first + b + COUNT_OF_KINDS] for b, w in kinds]


def forward_plain(samples, points, positions, table, bias):
    """The pools, point by point in numpy."""
    width = table.shape[1]
    pools = np.zeros((len(positions), 9, 2 * width))
    for k, at in enumerate(positions):
        size = board_of(samples, at).width
        edge = (size + 1) // 3
        third = [(c >= edge) + (c >= size - edge) for c in range(size)]
        where = [cell for cell, _ in cells_of(samples, at)]
        for view, rows in enumerate(points.rows_of(int(at))):
            slot = slice(width, None) if view != samples.side[at] else slice(width)
            for (x, y), row in zip(where, rows, strict=True):
                region = 3 * third[y] + third[x]
                pools[k, region, slot] += np.maximum(bias + table[row].sum(0), 0)
    return pools


def parameters(points, seed):
    rng = np.random.default_rng(seed)
    return [
        rng.normal(0, 0.3, size).astype(np.float32) for size in ((points.rows, 16), 16)
    ]


@pytest.mark.parametrize("by_side", [False, True])
def test_pools_are_those_of_the_plain_sum(samples, by_side):
    points = PointSums(samples, by_side=by_side)
    given = parameters(points, 3)
    positions = np.arange(0, len(samples), len(samples) // 5, dtype=np.int64)
    pools = np.zeros((len(positions), kernel.REGIONS, 32), np.float32)
    points.forward(positions, *given, pools)
    wanted = forward_plain(samples, points, positions, *given)
    assert pools == pytest.approx(wanted, rel=1e-4, abs=1e-3)
    assert (wanted > 1).any()


@pytest.mark.parametrize("by_side", [False, True])
def test_gradients_are_those_of_small_steps(samples, by_side):
    points = PointSums(samples, by_side=by_side)
    given = parameters(points, 4)
    rng = np.random.default_rng(5)
    positions = np.array([1, len(samples) // 2], np.int64)
    slopes = rng.normal(size=(2, kernel.REGIONS, 32)).astype(np.float32)
    found = [np.zeros_like(part) for part in given]
    points.backward(positions, *given, slopes, *found)
    for part, slope in zip(given, found, strict=True):
        # along the gradient itself: a sum of many numbers, whatever is cut off
        step = 1e-3 * slope / max(1e-9, float(np.abs(slope).max()))
        values = []
        for sign in (1, -1):
            moved = [p + sign * step if p is part else p for p in given]
            plain = forward_plain(samples, points, positions, *moved)
            values.append((plain * slopes).sum())
        wanted = float((slope.astype(float) * step).sum())
        assert (values[0] - values[1]) / 2 == pytest.approx(wanted, rel=0.03)
        assert wanted > 0


@pytest.mark.parametrize("sides", [1, 2])
def test_linear_sums_and_their_gradient(samples, sides):
    dice = np.random.default_rng(1)
    weights = dice.normal(size=(sides, kernel.KIND_ROWS)).astype(np.float32)
    positions = np.array([0, 3, 4, len(samples) - 1], np.int64)
    assert set(samples.side[positions]) == {0, 1}
    out = np.zeros(4, np.float32)
    arrays = samples.starts, samples.kinds, samples.counts, samples.ply
    sum_kinds(positions, *arrays, weights, out)
    slope, down = np.zeros_like(weights), np.array([1, -2, 3, 4], np.float32)
    spread_kinds(positions, *arrays, down, slope)
    for k, at in enumerate(positions):
        part = slice(samples.starts[at], samples.starts[at + 1])
        mine = weights[samples.side[at] if sides == 2 else 0]
        sums = samples.counts[part] * mine[samples.kinds[part]]
        assert out[k] == pytest.approx(sums.sum(), rel=1e-4)
    assert (slope * weights).sum() == pytest.approx(out @ down, rel=1e-4)
    for wrong in (weights[:, 1:], np.concatenate([weights] * 3)):
        with pytest.raises(ValueError, match="weights: not"):
            sum_kinds(positions, *arrays, np.ascontiguousarray(wrong), out)


def test_adam_is_that_of_its_authors():
    rng = np.random.default_rng(2)
    p, wanted = np.ones(5, np.float32), np.ones(5)
    mean, square = np.zeros(5, np.float32), np.zeros(5, np.float32)
    m, v = np.zeros(5), np.zeros(5)
    for step in range(1, 6):
        slope = rng.normal(size=5).astype(np.float32)
        m, v = 0.9 * m + 0.1 * slope, 0.999 * v + 0.001 * slope.astype(float) ** 2
        wanted *= 1 - 0.01 * 0.1
        wanted -= 0.01 * m / (1 - 0.9**step) / ((v / (1 - 0.999**step)) ** 0.5 + 1e-3)
        adam(p, slope, mean, square, 0.01, 0.1, 1e-3, step)
        assert not slope.any()
    assert p == pytest.approx(wanted, rel=1e-5)


def test_arrays_of_another_shape_are_refused(samples):
    points = PointSums(samples)
    table, bias = parameters(points, 1)
    positions = np.zeros(2, np.int64)
    pools = np.zeros((2, kernel.REGIONS, 32), np.float32)
    for name, wrong in (
        ("table", (table[:-1], bias, pools)),
        ("table", (table[:, :8].copy(), bias, pools)),
        ("bias", (table, bias[:8].copy(), pools)),
        ("pools", (table, bias, pools[:1])),
    ):
        with pytest.raises(ValueError, match=f"{name}: not"):
            points.forward(positions, *wrong)
