"""Conversion of a network to integers and back, and a plain forward pass to compare
with.

``docs/WEIGHTS.md`` describes the layout and every step of the arithmetic. The sums of a
region are modulo ``POOL_SIZE``; all other products and sums stay within 32 bits,
whatever the position:

- a row's numbers are within +-``ROW_LIMIT``, so that the sum of a point's two rows is
  within 16 bits; the points' bias is contained in the rows;
- the inputs of a layer are 0..``INPUT_LIMIT``, and a layer of n inputs has weights
  within +-``WEIGHT_LIMIT`` and +-``SUM_LIMIT`` / (n * ``INPUT_LIMIT``).

Before a shift drops bits, half of their unit is added, to round.
"""

from collections.abc import Mapping
from typing import Any

from gomoku_brain.eval.points import NETWORK
from gomoku_brain.eval.weights import Part, Weights
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.features import COUNT_OF_KINDS, kinds_of_cells
from gomoku_brain.lab.train.parts import (
    UNIT,
    array_of,
    linear_fit,
    linear_parts,
    part_of,
    rounded_together,
)
from gomoku_brain.lab.train.pooled import (
    FIRST,
    SECOND,
    WIDTH,
    ZONE_WIDTH,
    ZONES,
    PooledNet,
    design_of,
)
from gomoku_brain.lab.train.region_sums import REGIONS
from gomoku_brain.lab.train.samples import Samples

__all__ = [
    "POOL_SIZE",
    "ROW_UNIT",
    "layout",
    "linear_values",
    "network_of",
    "network_score",
    "parameters_of",
    "pooled_parts",
    "weights_of",
]

Array = Any  # numpy.ndarray

# The numbers of the evaluation (eval/network.pxd), and units that follow from them.
ROW_UNIT = NETWORK["row_unit"]  # of a row's numbers in 1
ROW_LIMIT = NETWORK["max_row"]  # of a number of a row
INPUT_LIMIT = NETWORK["max_input"]
POOL_SIZE = 1 << 16  # sums over a region wrap around here
POOL_SHIFT = NETWORK["pool_shift"]  # from sums of points to inputs
WEIGHT_SHIFT = NETWORK["weight_shift"]  # 1/512 * 1/1024 -> 1/512
WEIGHT_UNIT, WEIGHT_LIMIT = 1 << WEIGHT_SHIFT, 3071
BIAS_SHIFT = NETWORK["bias_shift"]  # a bias in 1/256; shifted, in 1/512 * 1/1024
BIAS_UNIT = (ROW_UNIT << WEIGHT_SHIFT) >> BIAS_SHIFT
OUTPUT_SHIFT = NETWORK["output_shift"]  # 1/512 * 1/16 -> 1
OUTPUT_UNIT, OUTPUT_LIMIT = (1 << OUTPUT_SHIFT) // ROW_UNIT, 16383  # of a score unit
SUM_LIMIT = NETWORK["max_sum"] + 1 - 2**27  # of products; the rest is for the bias
HEAD = ("zones", "zone_bias", "first", "first_bias", "second", "second_bias", "output")


def layout(sides: int) -> dict[str, tuple[int, ...]]:
    """Return the parts of a file and their shapes. ``sides``: number of tables of
    rows.
    """
    views = (2,) if sides == 2 else ()
    inputs, zones = 2 * WIDTH, len(ZONES)
    return {
        "rows": (*views, 2, COUNT_OF_KINDS, WIDTH),
        "zones": (zones, inputs, ZONE_WIDTH),
        "zone_bias": (zones, ZONE_WIDTH),
        "first": (inputs + zones * ZONE_WIDTH, FIRST),
        "first_bias": (FIRST,),
        "second": (FIRST, SECOND),
        "second_bias": (SECOND,),
        "output": (SECOND,),
    }


def pooled_parts(floats: Mapping[str, Array]) -> dict[str, Part]:
    """Return the integers nearest to parameters: "table" (rows, width), "bias" and the
    head.

    The names of the head's parts are those of ``PooledNet.parameters``. Numbers beyond
    a limit are clipped.
    """
    table = floats["table"]
    sizes = layout(len(table) // (2 * COUNT_OF_KINDS))
    rows = (table + floats["bias"] / 2).reshape(sizes["rows"])
    parts = {"rows": part_of(rows * ROW_UNIT, ROW_LIMIT)}
    for name in HEAD:
        if name.endswith("bias"):
            limit = 32767
        elif name == "output":
            limit = OUTPUT_LIMIT
        else:
            limit = min(WEIGHT_LIMIT, SUM_LIMIT // (sizes[name][-2] * INPUT_LIMIT))
        parts[name] = part_of(floats[name] * head_unit(name), limit)
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

    sides = sides_in(weights)
    linear, tempo = linear_numbers(sides, weights)
    rows = array_of(weights.parts["rows"]) / ROW_UNIT
    whole = {"linear": linear, "table": rows.reshape(-1, WIDTH)}
    found = {"tempo": tempo, "bias": numpy.zeros(WIDTH)}
    matrix = design_of(Rule(weights.rule), sides)
    for name, part in whole.items():
        common = numpy.stack([lsqr(matrix, column)[0] for column in part.T], 1)
        found[f"{name}_common"] = common
        found[f"{name}_rest"] = part - matrix @ common
    for name in HEAD:
        found[name] = array_of(weights.parts[name]) / head_unit(name)
    return {name: part.astype(numpy.float32) for name, part in found.items()}


def weights_of(
    net: PooledNet, rule: Rule, choices: list[list[Array]], positions: Array
) -> Weights:
    """Return a network as a weights file, with move scores [side][attack, defend].

    The linear numbers are rounded together (``parts.rounded_together``), so that the
    values of ``positions`` stay nearly the same although the other numbers are rounded,
    too. Raises ValueError for a network that is not finite.
    """
    import numpy

    floats = net.parameters | net.parts

    def rounded() -> Weights:
        parts = linear_parts(linear_values(floats), choices) | pooled_parts(floats)
        return Weights("points", int(rule), parts)

    whole = network_of(rounded(), net.samples)
    errors = UNIT * (whole.logits(positions) - net.logits(positions))
    numbers = numpy.append(floats["linear"], floats["tempo"]) * UNIT
    numbers = rounded_together(numbers, net.linear_counts(positions), errors) / UNIT
    linear, tempo = numpy.split(numbers, [len(floats["linear"])])
    floats |= {"linear": linear[:, None], "tempo": tempo}
    return rounded()


def network_of(weights: Weights, samples: Samples) -> PooledNet:
    """Return a network for the positions of ``samples`` with the numbers of a file."""
    net = PooledNet(samples, Rule(weights.rule), 0)
    net.begin_with(parameters_of(weights))
    return net


def linear_values(floats: Mapping[str, Array]) -> list[list[Array]]:
    """Return [side][mover, waiter, tempo] for ``linear_parts``, from parameters in
    logits.

    ``floats`` has "linear", for each side to move its own cells and then the other's
    with a minus, and "tempo".
    """
    sides = len(floats["linear"]) // (2 * COUNT_OF_KINDS)
    kinds = floats["linear"].astype(float).reshape(sides, 2, -1)
    tempo = floats["tempo"].astype(float).reshape(sides, -1)
    return [  # the cells of a waiting side were weighted with the other side to move
        [kinds[side % sides][0], -kinds[(side ^ 1) % sides][1], tempo[side % sides]]
        for side in range(2)
    ]


def linear_numbers(sides: int, weights: Weights) -> tuple[Array, Array]:
    """Return ("linear", "tempo") of a weights file: the inverse of
    ``linear_values``.
    """
    import numpy

    fits = linear_fit(weights)
    kinds = []
    for side in range(sides):
        kinds += [fits[side][0][:, 2], -fits[side ^ 1][0][:, 3]]
    tempo = numpy.concatenate([fits[side][1] for side in range(sides)])
    return numpy.concatenate(kinds)[:, None], tempo


def sides_in(weights: Weights) -> int:
    """Return the number of tables of rows in a weights file.

    Raises ValueError, in one line, for parts that are missing or do not fit together.
    """
    rows = weights.parts.get("rows")
    if weights.kind != "points" or rows is None or len(rows.shape) not in (3, 4):
        raise ValueError(f"no network over points: kind {weights.kind!r}")
    sides = len(rows.shape) - 2
    for name, size in layout(sides).items():
        weights.part(name, size)
    weights.refuse_others(("cells", "tempo", *layout(sides)))
    return sides


def network_score(weights: Weights, board: Board) -> int:
    """Return the score that the network adds to the linear evaluation, by integers.

    It is in score units, for the side to move of a square board whose stones were
    played alternately, black first. Plain and slow: the reference implementation of the
    engine's evaluation.
    """
    import numpy

    sides = sides_in(weights)
    arrays = {
        name: array_of(weights.parts[name]).astype(numpy.int64)
        for name in layout(sides)
    }
    tables = numpy.broadcast_to(arrays["rows"], (2, 2, COUNT_OF_KINDS, WIDTH))
    pools = numpy.zeros((REGIONS, 2, WIDTH), numpy.int64)
    size, side = board.width, int(board.turn)
    edge = (size + 1) // 3
    third = [(c >= edge) + (c >= size - edge) for c in range(size)]
    kinds = memoryview(kinds_of_cells(board)).cast("H")
    for y in range(size):
        for x in range(size):
            pair = kinds[2 * (y * size + x) : 2 * (y * size + x) + 2]
            if pair[0] == COUNT_OF_KINDS:
                continue
            for view in range(2):
                own, other = tables[view]
                sums = own[pair[view]] + other[pair[view ^ 1]]
                assert abs(sums).max() <= 32767
                region = 3 * third[y] + third[x]
                pools[region, view ^ side] += numpy.maximum(sums, 0)
    pools %= POOL_SIZE
    parts = [inputs_of(pools.reshape(REGIONS, -1).sum(0))]
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
