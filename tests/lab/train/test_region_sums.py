"""The points of a position: which rows they look at, and both passes over them."""

import numpy as np
import pytest

from gomoku_brain.game.notation import parse_moves
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train import region_sums as kernel
from gomoku_brain.lab.train.features import line_classes
from gomoku_brain.lab.train.region_sums import (
    PointWindows,
    adam,
    spread_kinds,
    sum_kinds,
)
from gomoku_brain.lab.train.windows import cells_of_rows, row_design, row_numbers
from tests.lab.train.games import some_games

WALL, EMPTY = 2, 3
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 1))


def board_of(samples, at):
    """(size, {(x, y): colour}) of a position, from its line of text."""
    words = some_games(6)[samples.game[at]].split()
    moves = parse_moves(words[3].replace(",", " "))[: samples.ply[at]]
    return int(words[1]), {tuple(move): k & 1 for k, move in enumerate(moves)}


def window(size, stones, x, y, step, reach, view):
    cells = []
    for k in range(-reach, reach + 1):
        at = x + k * step[0], y + k * step[1]
        colour = stones.get(at, EMPTY)
        if not (0 <= at[0] < size and 0 <= at[1] < size):
            cells.append(WALL)
        else:
            cells.append(colour if colour == EMPTY else colour ^ view)
    return cells


def rows_expected(samples, at, reach, first, diagonal):
    numbers = row_numbers(reach)
    size, stones = board_of(samples, at)
    return [
        [
            [
                first
                + diagonal * (d >= 2)
                + numbers[sum(c << 2 * k for k, c in enumerate(cells))]
                for d, step in enumerate(DIRECTIONS)
                for cells in [window(size, stones, x, y, step, reach, view)]
            ]
            for y in range(size)
            for x in range(size)
        ]
        for view in range(2)
    ]


@pytest.mark.parametrize("reach", [1, 3, 4])
def test_rows_are_those_of_the_windows(samples, reach):
    points = PointWindows(
        samples, kernel.LINES, numbers=row_numbers(reach), reach=reach
    )
    rows = points.rows // 2
    for at in range(0, len(samples), 17):
        assert points.rows_of(at) == rows_expected(samples, at, reach, 0, rows)


def test_rows_of_two_lengths_stand_one_after_the_other(samples):
    points = PointWindows(
        samples, kernel.BOTH_LINES, numbers=row_numbers(2), reach=2,
        more_numbers=row_numbers(3), more_reach=3,
    )  # fmt: skip
    short, long = row_numbers(2).max() + 1, row_numbers(3).max() + 1
    assert points.rows == 2 * (short + long)
    at = len(samples) - 1
    one = rows_expected(samples, at, 2, 0, short)
    two = rows_expected(samples, at, 3, 2 * short, long)
    for view in range(2):
        both = [a + b for a, b in zip(one[view], two[view], strict=True)]
        assert points.rows_of(at)[view] == both


def test_a_window_and_its_mirror_image_have_one_row():
    assert row_numbers(4).max() + 1 == 22143
    numbers, cells = row_numbers(2), cells_of_rows(2)
    for row, some in enumerate(cells):
        for order in (some, some[::-1]):
            assert numbers[sum(int(c) << 2 * k for k, c in enumerate(order))] == row
    hidden = [0, WALL, EMPTY, 1, EMPTY]  # a stone behind a wall is not seen
    walled = [WALL, WALL, EMPTY, 1, EMPTY]
    one, two = (sum(c << 2 * k for k, c in enumerate(w)) for w in (hidden, walled))
    assert numbers[one] == numbers[two] >= 0
    assert numbers[WALL << 4] == -1


def test_rows_share_cells_shorter_windows_and_classes():
    matrix, contents = row_design(3, Rule.FREESTYLE)
    cells = cells_of_rows(3)
    assert contents == 16
    dense = matrix.toarray()
    assert (dense[:, :contents].sum(1) == 7).all()
    row = next(k for k, c in enumerate(cells) if (c == [3, 3, 0, 3, 0, 0, 3]).all())
    near = dense[row, :contents].reshape(4, 4)
    assert (near == [[0, 0, 0, 1], [2, 0, 0, 0], [1, 0, 0, 1], [0, 0, 0, 2]]).all()
    # two windows within it, and the classes, as its point is empty
    assert dense[row, contents:].sum() == 3
    taken = next(k for k, c in enumerate(cells) if c[3] == 0)
    assert dense[taken, contents:].sum() == 2


def test_rows_of_whites_view_share_the_classes_that_white_has():
    matrix, contents = row_design(4, Rule.RENJU, 1)
    black, _ = row_design(4, Rule.RENJU)
    assert (matrix[:, :contents] != black[:, :contents]).nnz == 0
    reach, table = line_classes(int(Rule.RENJU))
    classes, cells = matrix[:, -196:], cells_of_rows(4)
    for row in range(40, len(cells), 997):
        own, other = cells[row] == 0, cells[row] == 1  # stones, of white and of black
        line = np.where(own, 1, np.where(other, 0, cells[row]))
        wide = np.full(2 * reach + 1, EMPTY)
        wide[reach - 4 : reach + 5] = line
        key = sum(int(c) << 2 * k for k, c in enumerate(np.delete(wide, reach)))
        wanted = (table[key] >> 4) * 14 + (table[key] & 15)
        found = classes[row].toarray()[0].nonzero()[0]
        assert found.tolist() == ([wanted] if line[4] == EMPTY else [])
    differ = (matrix != black).sum(1).astype(bool).sum()
    assert 0 < differ < len(cells)


def forward_plain(samples, points, positions, table, bias, spread):
    """The pools, point by point in numpy."""
    width = table.shape[1]
    pools = np.zeros((len(positions), 9, 2 * width))
    for k, at in enumerate(positions):
        size, stones = board_of(samples, at)
        edge = (size + 1) // 3
        third = [(c >= edge) + (c >= size - edge) for c in range(size)]
        where = [(x, y) for y in range(size) for x in range(size)]
        views = points.rows_of(int(at))
        if len(views[0][0]) == 2:  # kinds
            where = [cell for cell in where if cell not in stones]
        for view, rows in enumerate(views):
            f = np.zeros((size + 2, size + 2, width))
            for (x, y), row in zip(where, rows, strict=True):
                f[y + 1, x + 1] = np.maximum(bias + table[row].sum(0), 0)
            g = f.copy()
            if len(spread):
                n = spread.shape[1]
                for x, y in where:
                    near = f[y : y + 3, x : x + 3, :n]
                    sides = near[0, 1] + near[1, 0] + near[1, 2] + near[2, 1]
                    corners = near[0, 0] + near[0, 2] + near[2, 0] + near[2, 2]
                    own, side, corner, extra = spread
                    total = own * near[1, 1] + side * sides + corner * corners + extra
                    g[y + 1, x + 1, :n] = np.maximum(total, 0)
            slot = slice(width, None) if view != samples.side[at] else slice(width)
            for x, y in where:
                pools[k, 3 * third[y] + third[x], slot] += g[y + 1, x + 1]
    return pools


INPUTS = [  # width, sums of 3 x 3, tables for either side's view
    (kernel.KINDS, 16, False, False), (kernel.KINDS, 32, True, True),
    (kernel.LINES, 16, False, True), (kernel.LINES, 32, True, False),
    (kernel.BOTH_LINES, 16, True, False),
]  # fmt: skip


def make_points(samples, kind, by_side=False):
    if kind == kernel.KINDS:
        return PointWindows(samples, kind, by_side=by_side)
    return PointWindows(
        samples, kind, numbers=row_numbers(2), reach=2, more_numbers=row_numbers(3),
        more_reach=3, by_side=by_side,
    ) if kind == kernel.BOTH_LINES else PointWindows(
        samples, kind, numbers=row_numbers(2), reach=2, by_side=by_side
    )  # fmt: skip


def parameters(points, width, spreads, seed):
    rng = np.random.default_rng(seed)
    return [
        rng.normal(0, 0.3, size).astype(np.float32)
        for size in ((points.rows, width), (width,), (4 if spreads else 0, 8))
    ]


@pytest.mark.parametrize(("kind", "width", "spreads", "by_side"), INPUTS)
def test_pools_are_those_of_the_plain_sum(samples, kind, width, spreads, by_side):
    points = make_points(samples, kind, by_side)
    given = parameters(points, width, spreads, 3)
    positions = np.arange(0, len(samples), len(samples) // 5, dtype=np.int64)
    pools = np.zeros((len(positions), kernel.REGIONS, 2 * width), np.float32)
    points.forward(positions, *given, pools)
    wanted = forward_plain(samples, points, positions, *given)
    assert pools == pytest.approx(wanted, rel=1e-4, abs=1e-3)
    assert (wanted > 1).any()


@pytest.mark.parametrize(("kind", "width", "spreads", "by_side"), INPUTS)
def test_gradients_are_those_of_small_steps(samples, kind, width, spreads, by_side):
    points = make_points(samples, kind, by_side)
    given = parameters(points, width, spreads, 4)
    rng = np.random.default_rng(5)
    positions = np.array([1, len(samples) // 2], np.int64)
    slopes = rng.normal(size=(2, kernel.REGIONS, 2 * width)).astype(np.float32)
    found = [np.zeros_like(part) for part in given]
    points.backward(positions, *given, slopes, *found)
    for part, slope in zip(given, found, strict=True):
        if not part.size:
            continue
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


@pytest.mark.parametrize("kind", [kernel.KINDS, kernel.LINES, kernel.BOTH_LINES])
def test_the_views_of_the_sides_may_have_rows_of_their_own(samples, kind):
    shared, apart = make_points(samples, kind), make_points(samples, kind, True)
    assert apart.rows == 2 * shared.rows
    for at in range(0, len(samples), 23):
        black, white = shared.rows_of(at)
        later = [[row + shared.rows for row in rows] for rows in white]
        assert apart.rows_of(at) == [black, later]


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
    points = make_points(samples, kernel.LINES)
    table, bias, spread = parameters(points, 16, False, 1)
    positions = np.zeros(2, np.int64)
    pools = np.zeros((2, kernel.REGIONS, 32), np.float32)
    for wrong in (
        (table[:-1], bias, spread, pools),
        (table, bias[:8].copy(), spread, pools),
        (table, bias, np.zeros((3, 8), np.float32), pools),
        (table, bias, spread, pools[:1]),
    ):
        with pytest.raises(ValueError, match=r"table|width|spread|pools"):
            points.forward(positions, *wrong)
    with pytest.raises(ValueError, match="one for each key"):
        PointWindows(samples, kernel.LINES, numbers=row_numbers(2), reach=3)
    with pytest.raises(ValueError, match="not in 1"):
        PointWindows(samples, kernel.LINES, numbers=row_numbers(2), reach=6)
