"""Conversion of a network to integers and back, and a plain forward pass to compare
with.

``docs/WEIGHTS.md`` describes the layout and every step of the arithmetic. The sums of a
region are modulo ``POOL_SIZE``; all other products and sums stay within 32 bits,
whatever the position:

- a row's numbers are at most ``ROW_LIMIT`` divided by the rows of a point, so that
  their sum is within 16 bits; the points' bias is contained in the rows;
- the inputs of a layer are 0..``INPUT_LIMIT``, and a layer of n inputs has weights
  within +-``WEIGHT_LIMIT`` and +-``SUM_LIMIT`` / (n * ``INPUT_LIMIT``).

Before a shift drops bits, half of their unit is added, to round.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from gomoku_brain.eval.points import NETWORK
from gomoku_brain.eval.weights import Part, Weights
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.features import COUNT_OF_KINDS, kinds_of_cells
from gomoku_brain.lab.train.parts import UNIT, array_of, linear_fit, part_of
from gomoku_brain.lab.train.pooled import (
    FIRST,
    POOL_UNIT,
    SECOND,
    ZONE_WIDTH,
    ZONES,
    NetworkShape,
    designs_of,
)
from gomoku_brain.lab.train.region_sums import REGIONS, SPREAD
from gomoku_brain.lab.train.windows import row_numbers

__all__ = [
    "KIND_NAMES",
    "POOL_SIZE",
    "ROW_UNIT",
    "layout",
    "linear_values",
    "network_score",
    "parameters_of",
    "pooled_parts",
    "shape_of",
]

Array = Any  # numpy.ndarray

KIND_NAMES = {"kinds": "points", "lines": "lines"}
"""Kind of evaluation that a weights file names, by input."""
# The numbers of the evaluation (eval/network.pxd), and units that follow from them.
ROW_UNIT = NETWORK["row_unit"]  # of a row's numbers in 1
ROW_LIMIT = 2 * NETWORK["most_row"] + 1  # of the sum of a point's rows: 16 bits
INPUT_UNIT = ROW_UNIT  # of an input of a layer in 1
INPUT_LIMIT = NETWORK["most_input"]
POOL_SIZE = 1 << 16  # sums over a region wrap around here
POOL_SHIFT = NETWORK["pool_shift"]  # from sums of points to inputs
WEIGHT_SHIFT = NETWORK["weight_shift"]  # 1/512 * 1/1024 -> 1/512
WEIGHT_UNIT, WEIGHT_LIMIT = 1 << WEIGHT_SHIFT, 3071
BIAS_SHIFT = NETWORK["bias_shift"]  # a bias in 1/256; shifted, in 1/512 * 1/1024
BIAS_UNIT = (ROW_UNIT << WEIGHT_SHIFT) >> BIAS_SHIFT
OUTPUT_SHIFT = NETWORK["output_shift"]  # 1/512 * 1/16 -> 1
OUTPUT_UNIT, OUTPUT_LIMIT = (1 << OUTPUT_SHIFT) // ROW_UNIT, 16383  # of a score unit
SPREAD_UNIT, SPREAD_LIMIT = 256, 2047  # of the 3 x 3 weights; their bias is in 1/512
SPREAD_SHIFT = 8
SUM_LIMIT = NETWORK["most_sum"] + 1 - 2**27  # of products; the rest is for the bias
HEAD = ("zones", "zone_bias", "first", "first_bias", "second", "second_bias", "output")


def layout(shape: NetworkShape) -> dict[str, tuple[int, ...]]:
    """Return the parts of a file and their shapes. ValueError if the shape has no
    integers.
    """
    if shape.input == "both" or shape.phases:
        raise ValueError(f"no integer format for {shape}")
    rows = COUNT_OF_KINDS
    if shape.input == "lines":
        rows = int(row_numbers(shape.reach).max() + 1)
    inputs = 2 * shape.width
    views = (2,) if shape.by_side else ()
    heads = (2,) if shape.two_heads else ()
    sizes: dict[str, tuple[int, ...]] = {"rows": (*views, 2, rows, shape.width)}
    if shape.spread:
        sizes["spread"] = (4, SPREAD)
    if shape.regions:
        zones = len(ZONES)
        sizes["zones"] = (*heads, zones, inputs, ZONE_WIDTH)
        sizes["zone_bias"] = (*heads, zones, ZONE_WIDTH)
        inputs += zones * ZONE_WIDTH
    return sizes | {
        "first": (*heads, inputs, FIRST),
        "first_bias": (*heads, FIRST),
        "second": (*heads, FIRST, SECOND),
        "second_bias": (*heads, SECOND),
        "output": (*heads, SECOND),
    }


def pooled_parts(shape: NetworkShape, floats: Mapping[str, Array]) -> dict[str, Part]:
    """Return the integers nearest to parameters: "table" (rows, width), "bias" and the
    head.

    The names of the head's parts are those of ``PooledNet.parameters``. Numbers beyond
    a limit are clipped.
    """
    import numpy

    assert POOL_UNIT * INPUT_UNIT / ROW_UNIT == 2**-POOL_SHIFT
    sizes = layout(shape)
    together = 2 if shape.input == "kinds" else 4
    rows = (floats["table"] + floats["bias"] / together).reshape(sizes["rows"])
    parts = {"rows": part_of(rows * ROW_UNIT, ROW_LIMIT // together)}
    if shape.spread:
        numbers = numpy.asarray(floats["spread"]) * SPREAD_UNIT
        numbers[3] *= ROW_UNIT / SPREAD_UNIT
        parts["spread"] = part_of(numbers, SPREAD_LIMIT)
    for name in HEAD:
        if name in sizes:
            numbers = numpy.asarray(floats[name]).reshape(sizes[name])
            if name.endswith("bias"):
                limit = 32767
            elif name == "output":
                limit = OUTPUT_LIMIT
            else:
                limit = min(WEIGHT_LIMIT, SUM_LIMIT // (sizes[name][-2] * INPUT_LIMIT))
            parts[name] = part_of(numbers * head_unit(name), limit)
    return parts


def head_unit(name: str) -> float:
    """Return the factor of the numbers of a head's part before they are rounded."""
    if name.endswith("bias"):
        return BIAS_UNIT
    return UNIT * OUTPUT_UNIT if name == "output" else WEIGHT_UNIT


def parameters_of(weights: Weights) -> dict[str, Array]:
    """Return the numbers of a weights file as the parameters of a network.

    Names and shapes are those of ``PooledNet.parameters``; the numbers are those of the
    file, rounded and clipped. A file holds complete rows: their shared part is the
    least-squares solution for them, and their rest is the residual. The bias of the
    points is 0, since the rows contain it. Move scores are no parameters of a network
    and are left out.

    Raises ValueError, in one line, for a file without a network over points.
    """
    import numpy
    from scipy.sparse.linalg import lsqr

    shape, rule = shape_of(weights), Rule(weights.rule)
    linear, tempo = linear_numbers(shape, weights)
    rows = array_of(weights.parts["rows"]) / ROW_UNIT
    whole = {"linear": linear, "table": rows.reshape(-1, shape.width)}
    found = {
        "tempo": tempo,
        "bias": numpy.zeros(shape.width),
        "spread": numpy.zeros((0, SPREAD)),
    }
    for (name, part), design in zip(
        whole.items(), designs_of(shape, rule), strict=True
    ):
        common = numpy.stack([lsqr(design, column)[0] for column in part.T], 1)
        found[f"{name}_common"] = common
        found[f"{name}_rest"] = part - design @ common
    if shape.spread:
        found["spread"] = array_of(weights.parts["spread"]) / SPREAD_UNIT
        found["spread"][3] *= SPREAD_UNIT / ROW_UNIT
    for name, size in layout(shape).items():
        if name in HEAD:
            # Layers of several zones or heads are stacked along the first dimension.
            dimensions = 1 if name == "output" or name.endswith("bias") else 2
            part = array_of(weights.parts[name]) / head_unit(name)
            found[name] = part.reshape(-1, *size[-dimensions:])
    return {name: part.astype(numpy.float32) for name, part in found.items()}


def linear_values(
    shape: NetworkShape, floats: Mapping[str, Array]
) -> list[list[Array]]:
    """Return [side][mover, waiter, tempo] for ``linear_parts``, from parameters in
    logits.

    ``floats`` has "linear", for each side to move its own cells and then the other's
    with a minus, and "tempo".
    """
    sides = shape.sides
    kinds = floats["linear"].astype(float).reshape(sides, 2, -1)
    tempo = floats["tempo"].astype(float).reshape(sides, -1)
    return [  # the cells of a waiting side were weighted with the other side to move
        [kinds[side % sides][0], -kinds[(side ^ 1) % sides][1], tempo[side % sides]]
        for side in range(2)
    ]


def linear_numbers(shape: NetworkShape, weights: Weights) -> tuple[Array, Array]:
    """Return ("linear", "tempo") of a weights file: the inverse of
    ``linear_values``.
    """
    import numpy

    sides = linear_fit(weights)
    kinds = []
    for side in range(shape.sides):
        kinds += [sides[side][0][:, 2], -sides[side ^ 1][0][:, 3]]
    tempo = numpy.concatenate([sides[side][1] for side in range(shape.sides)])
    return numpy.concatenate(kinds)[:, None], tempo


def shape_of(weights: Weights) -> NetworkShape:
    """Return the shape of the network in a weights file.

    Raises ValueError, in one line, for parts that are missing or do not fit together.
    """
    inputs = {kind: name for name, kind in KIND_NAMES.items()}
    rows = weights.parts.get("rows")
    if weights.kind not in inputs or rows is None or len(rows.shape) not in (3, 4):
        raise ValueError(f"no network over points: kind {weights.kind!r}")
    first = weights.parts.get("first")
    for reach in (4,) if weights.kind == "points" else range(1, 6):
        shape = NetworkShape(
            inputs[weights.kind],
            reach=reach,
            regions="zones" in weights.parts,
            spread="spread" in weights.parts,
            width=rows.shape[-1],
            by_side=len(rows.shape) == 4,
            two_heads=first is not None and len(first.shape) == 3,
        )
        if layout(shape)["rows"] == rows.shape:
            break
    for name, size in layout(shape).items():
        weights.part(name, size)
    return shape


def rows_of_board(
    shape: NetworkShape, board: Board
) -> Iterable[tuple[int, int, list[list[int]]]]:
    """Yield (x, y, [black's view, white's view] of rows) of a square board's points."""
    size = board.width
    if shape.input == "kinds":
        kinds = memoryview(kinds_of_cells(board)).cast("H")
        for y in range(size):
            for x in range(size):
                black, white = kinds[2 * (y * size + x) : 2 * (y * size + x) + 2]
                if black != COUNT_OF_KINDS:
                    yield (
                        x,
                        y,
                        [
                            [black, white + COUNT_OF_KINDS],
                            [white, black + COUNT_OF_KINDS],
                        ],
                    )
        return
    numbers = row_numbers(shape.reach)
    diagonal = int(numbers.max()) + 1
    colour = {tuple(move): k & 1 for k, move in enumerate(board.moves)}
    for y in range(size):
        for x in range(size):
            views = []
            for view in range(2):
                rows = []
                for k, (across, down) in enumerate(((1, 0), (0, 1), (1, 1), (-1, 1))):
                    key = 0
                    for j in range(-shape.reach, shape.reach + 1):
                        at = x + j * across, y + j * down
                        cell = 2  # off the board
                        if 0 <= at[0] < size and 0 <= at[1] < size:
                            cell = colour[at] ^ view if at in colour else 3
                        key |= cell << 2 * (j + shape.reach)
                    rows.append(int(numbers[key]) + diagonal * (k >= 2))
                views.append(rows)
            yield x, y, views


def network_score(weights: Weights, board: Board) -> int:
    """Return the score that the network adds to the linear evaluation, by integers.

    It is in score units, for the side to move of a square board whose stones were
    played alternately, black first. Plain and slow: the reference implementation of the
    engine's evaluation.
    """
    import numpy

    shape = shape_of(weights)
    arrays = {
        name: array_of(weights.parts[name]).astype(numpy.int64)
        for name in layout(shape)
    }
    arrays["rows"] = arrays["rows"].reshape(-1, shape.width)
    width, side = shape.width, int(board.turn)
    if shape.two_heads:
        arrays |= {name: arrays[name][side] for name in HEAD if name in arrays}
    pools = numpy.zeros((REGIONS, 2, width), numpy.int64)
    size = board.width
    edge = (size + 1) // 3
    third = [(c >= edge) + (c >= size - edge) for c in range(size)]
    shown = numpy.zeros((2, size + 2, size + 2, width), numpy.int64)
    points = list(rows_of_board(shape, board))
    for x, y, views in points:
        for view, rows in enumerate(views):
            first = view * len(arrays["rows"]) // 2 if shape.by_side else 0
            sums = arrays["rows"][[first + row for row in rows]].sum(0)
            assert abs(sums).max() <= 32767
            shown[view, y + 1, x + 1] = numpy.maximum(sums, 0)
    for x, y, _ in points:
        region = 3 * third[y] + third[x]
        for view in range(2):
            numbers = shown[view, y + 1, x + 1].copy()
            if shape.spread:
                near = shown[view, y : y + 3, x : x + 3, :SPREAD]
                numbers[:SPREAD] = spread_of(near, arrays["spread"])
            pools[region, view ^ side] += numbers
    pools %= POOL_SIZE
    whole = inputs_of(pools.reshape(REGIONS, -1).sum(0))
    parts = [whole]
    if shape.regions:
        for k, regions in enumerate(ZONES):
            out = numpy.zeros(ZONE_WIDTH, numpy.int64)
            for region in regions:
                seen = inputs_of(pools[region].reshape(-1))
                out += layer(seen, arrays["zones"][k], arrays["zone_bias"][k])
            parts.append(numpy.minimum(out, INPUT_LIMIT))
    seen = numpy.concatenate(parts)
    seen = layer(seen, arrays["first"], arrays["first_bias"])
    seen = layer(seen, arrays["second"], arrays["second_bias"])
    score = int(seen @ arrays["output"])
    assert abs(score) < 2**31 - 2**OUTPUT_SHIFT
    return score + (1 << OUTPUT_SHIFT - 1) >> OUTPUT_SHIFT


def spread_of(near: Array, weights: Array) -> Array:
    """Return the 3 x 3 sum of a point's first numbers, clipped to 16 bits."""
    import numpy

    sides = near[0, 1] + near[1, 0] + near[1, 2] + near[2, 1]
    corners = near[0, 0] + near[0, 2] + near[2, 0] + near[2, 2]
    total = near[1, 1] * weights[0] + sides * weights[1] + corners * weights[2]
    total += (weights[3] << SPREAD_SHIFT) + (1 << SPREAD_SHIFT - 1)
    assert abs(total).max() < 2**31
    return numpy.clip(total >> SPREAD_SHIFT, 0, ROW_LIMIT)


def inputs_of(pool: Array) -> Array:
    """Return sums over points as inputs of a layer."""
    import numpy

    return numpy.minimum(pool + (1 << POOL_SHIFT - 1) >> POOL_SHIFT, INPUT_LIMIT)


def layer(x: Array, weights: Array, bias: Array) -> Array:
    """Return the output of one layer, clipped to 0..INPUT_LIMIT."""
    import numpy

    total = (bias << BIAS_SHIFT) + x @ weights
    total += 1 << WEIGHT_SHIFT - 1
    assert abs(total).max() < 2**31
    return numpy.clip(total >> WEIGHT_SHIFT, 0, INPUT_LIMIT)
