"""A trained network as integers: its file, and a plain forward pass to compare with.

docs/WEIGHTS.md describes the layout and every step of the arithmetic. All products and
sums stay within 32 bits, whatever the position:

- a row's numbers are at most ``ROW_LIMIT`` divided by the rows of a point, so that
  their sum is within 16 bits; the points' bias is contained in the rows;
- what enters a layer is 0..``INPUT_LIMIT``, and a layer of n inputs has weights within
  +-``WEIGHT_LIMIT`` and +-``SUM_LIMIT`` / (n * ``INPUT_LIMIT``).

Where bits are dropped, half of what is dropped is added first.
"""

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gomoku_brain.eval.weights import RULE_NAMES
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.train.features import COUNT_OF_KINDS, kinds_of_cells
from gomoku_brain.train.fit import UNIT
from gomoku_brain.train.pooled import POOL_UNIT, ZONES, Shape
from gomoku_brain.train.windows import row_numbers

__all__ = ["Quantized", "network_score", "pack", "quantize", "unpack"]

Array = Any  # numpy.ndarray

MAGIC = b"gomoku-brain pooled 1"
ROW_UNIT = 512  # of a row's numbers in 1
ROW_LIMIT = 32767  # of the sum of a point's rows
INPUT_UNIT = 512  # of an input of a layer in 1
INPUT_LIMIT = 8191
POOL_SHIFT = 4  # from sums of points to inputs: POOL_UNIT is 1/16
WEIGHT_UNIT, WEIGHT_LIMIT = 1024, 3071
WEIGHT_SHIFT = 10  # 1/512 * 1/1024 -> 1/512
BIAS_UNIT, BIAS_SHIFT = 256, 11  # a bias in 1/256; shifted, in 1/512 * 1/1024
OUTPUT_UNIT, OUTPUT_LIMIT = 16, 16383  # of a score unit
OUTPUT_SHIFT = 13  # 1/512 * 1/16 -> 1
SUM_LIMIT = 2**31 - 2**27  # of products; the rest is for the bias
DENSE = ("zones", "zone_bias", "first", "first_bias", "second", "second_bias", "output")


@dataclass(frozen=True, slots=True)
class Quantized:
    """The integers of a network: int16 arrays by name, in the order of the file."""

    rule: Rule
    shape: Shape
    arrays: dict[str, Array]


def layout(shape: Shape) -> dict[str, tuple[int, ...]]:
    """The arrays of a file and their shapes. ValueError if it has no integers."""
    if shape.input == "both" or shape.spread or shape.phases:
        raise ValueError(f"no integers for {shape}")
    rows = 2 * COUNT_OF_KINDS
    if shape.input == "lines":
        rows = 2 * int(row_numbers(shape.reach).max() + 1)
    inputs = 2 * shape.width
    sizes: dict[str, tuple[int, ...]] = {"rows": (rows, shape.width)}
    if shape.regions:
        sizes |= {"zones": (3, inputs, 16), "zone_bias": (3, 16)}
        inputs += 3 * 16
    return sizes | {
        "first": (inputs, 32),
        "first_bias": (32,),
        "second": (32, 16),
        "second_bias": (16,),
        "output": (16,),
    }


def quantize(shape: Shape, rule: Rule, floats: Mapping[str, Array]) -> Quantized:
    """The integers nearest to parameters: "table" (rows, width), "bias" and the head.

    Those of the head are as in ``PooledNet.parameters``. What is beyond a limit is cut.
    """
    import numpy

    assert POOL_UNIT * INPUT_UNIT / ROW_UNIT == 2**-POOL_SHIFT
    sizes = layout(shape)
    together = 2 if shape.input == "kinds" else 4
    rows = floats["table"] + floats["bias"] / together
    arrays = {"rows": _cut(rows * ROW_UNIT, ROW_LIMIT // together)}
    for name in DENSE:
        if name in sizes:
            numbers = numpy.asarray(floats[name]).reshape(sizes[name])
            if name.endswith("bias"):
                arrays[name] = _cut(numbers * BIAS_UNIT, 32767)
            elif name == "output":
                arrays[name] = _cut(numbers * UNIT * OUTPUT_UNIT, OUTPUT_LIMIT)
            else:
                limit = SUM_LIMIT // (sizes[name][-2] * INPUT_LIMIT)
                arrays[name] = _cut(numbers * WEIGHT_UNIT, min(WEIGHT_LIMIT, limit))
    return Quantized(rule, shape, {name: arrays[name] for name in sizes})


def _cut(numbers: Array, limit: int) -> Array:
    import numpy

    return numpy.clip(numpy.rint(numbers), -limit, limit).astype(numpy.int16)


def rows_of_board(shape: Shape, board: Board) -> Iterable[tuple[int, list[list[int]]]]:
    """(region, [black's view, white's view] of rows) of a square board's points."""
    size = board.width
    edge = (size + 1) // 3
    third = [(c >= edge) + (c >= size - edge) for c in range(size)]
    if shape.input == "kinds":
        kinds = memoryview(kinds_of_cells(board)).cast("H")
        for y in range(size):
            for x in range(size):
                black, white = kinds[2 * (y * size + x) : 2 * (y * size + x) + 2]
                if black != COUNT_OF_KINDS:
                    yield (
                        3 * third[y] + third[x],
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
            yield 3 * third[y] + third[x], views


def network_score(weights: Quantized, board: Board) -> int:
    """What the network adds to the linear evaluation, in score units, by integers.

    For the side to move of a square board whose stones were played alternately, black
    first. Plain and slow: the twin of what search computes.
    """
    import numpy

    arrays, shape = weights.arrays, weights.shape
    width, side = shape.width, int(board.turn)
    pools = numpy.zeros((9, 2, width), numpy.int64)
    for region, views in rows_of_board(shape, board):
        for view, rows in enumerate(views):
            sums = arrays["rows"][rows].astype(numpy.int64).sum(0)
            assert abs(sums).max() <= 32767
            pools[region, view ^ side] += numpy.maximum(sums, 0)
    whole = inputs_of(pools.reshape(9, -1).sum(0))
    parts = [whole]
    if shape.regions:
        for k, regions in enumerate(ZONES):
            out = numpy.zeros(16, numpy.int64)
            for region in regions:
                x = inputs_of(pools[region].reshape(-1))
                out += layer(x, arrays["zones"][k], arrays["zone_bias"][k])
            parts.append(numpy.minimum(out, INPUT_LIMIT))
    x = numpy.concatenate(parts)
    x = layer(x, arrays["first"], arrays["first_bias"])
    x = layer(x, arrays["second"], arrays["second_bias"])
    total = int(x @ arrays["output"].astype(numpy.int64))
    assert abs(total) < 2**31 - 2**OUTPUT_SHIFT
    return total + (1 << OUTPUT_SHIFT - 1) >> OUTPUT_SHIFT


def inputs_of(pool: Array) -> Array:
    """Sums over points as inputs of a layer."""
    import numpy

    return numpy.minimum(pool + (1 << POOL_SHIFT - 1) >> POOL_SHIFT, INPUT_LIMIT)


def layer(x: Array, weights: Array, bias: Array) -> Array:
    """One layer, cut to 0..INPUT_LIMIT."""
    import numpy

    total = (bias.astype(numpy.int64) << BIAS_SHIFT) + x @ weights.astype(numpy.int64)
    total += 1 << WEIGHT_SHIFT - 1
    assert abs(total).max() < 2**31
    return numpy.clip(total >> WEIGHT_SHIFT, 0, INPUT_LIMIT)


def pack(weights: Quantized, linear: bytes) -> bytes:
    """A file: a line with what it is for, then all numbers, compressed.

    ``linear``: the numbers of the linear evaluation, see ``classical.fill_weights``.
    """
    shape = weights.shape
    numbers = linear
    for array in weights.arrays.values():
        numbers += array.astype("<i2").tobytes()
    digest = f"{zlib.crc32(numbers):08x}"
    kind = "kinds" if shape.input == "kinds" else f"lines{2 * shape.reach + 1}"
    words = kind, "regions" if shape.regions else "whole", str(shape.width), digest
    rule = RULE_NAMES[int(weights.rule)]
    head = b" ".join([MAGIC, rule.encode(), *(word.encode() for word in words)])
    return head + b"\n" + zlib.compress(numbers, 9)


def unpack(data: bytes) -> tuple[Quantized, bytes]:
    """The inverse: (integers, numbers of the linear evaluation).

    Raises ValueError, in one line, for what is no such file or is damaged.
    """
    import numpy

    head, _, body = data.partition(b"\n")
    words = head.decode("ascii", "replace").split()
    if not head.startswith(MAGIC + b" ") or len(words) != 8:
        raise ValueError(f"pooled weights: expected {MAGIC!r}")
    _, _, _, rule_name, kind, zones, width, digest = words
    rules = {name: rule for rule, name in RULE_NAMES.items()}
    reaches = {f"lines{2 * reach + 1}": reach for reach in range(1, 6)}
    if (
        rule_name not in rules
        or kind not in {"kinds", *reaches}
        or zones not in ("regions", "whole")
        or width not in ("16", "32", "48", "64")
    ):
        raise ValueError(f"pooled weights: not of a known shape: {' '.join(words)}")
    shape = Shape(
        "kinds" if kind == "kinds" else "lines",
        reach=reaches.get(kind, 4),
        regions=zones == "regions",
        width=int(width),
    )
    try:
        numbers = zlib.decompress(body)
    except zlib.error as error:
        raise ValueError(f"pooled weights: {error}") from error
    if f"{zlib.crc32(numbers):08x}" != digest:
        raise ValueError("pooled weights: the hash does not fit the numbers")
    sizes = layout(shape)
    wanted = 2 * sum(int(numpy.prod(size)) for size in sizes.values())
    linear = len(numbers) - wanted
    if linear != 4 * (4 * COUNT_OF_KINDS + 2048):
        raise ValueError(f"pooled weights: {len(numbers)} bytes do not fit the shape")
    arrays, at = {}, linear
    for name, size in sizes.items():
        end = at + 2 * int(numpy.prod(size))
        arrays[name] = numpy.frombuffer(numbers[at:end], "<i2").reshape(size)
        at = end
    return Quantized(Rule(rules[rule_name]), shape, arrays), numbers[:linear]
