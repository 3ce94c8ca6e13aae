"""Network over the points of a board, added to the linear evaluation, and its training.

    logit = linear(kinds) + tempo[threats] + head(pools)

The pools are sums of the points' numbers over regions (``points``), 2 x width numbers
for a region: the mover's view, then the other side's. The head sums them to those of
the whole board. With regions, it also sends each of the nine through a small layer
shared by the four corners, by the four edges, and by the centre. The results are summed
for each of the three:

    x = [whole board, sum of corners, sum of edges, centre]
    head = output . relu(second(relu(first(x))))

So a turned or mirrored position has the same value. If the rule treats the sides
differently (renju), the view of either side has a table of its own, and either side to
move has linear values, tempo terms and, on request, a head of its own. The fit is Adam
on mini-batches of floats. Two threads share a batch, each always the same half, so a
run is deterministic for its seed.
"""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from gomoku_brain.eval.points import NETWORK, REGION_ZONES
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train import region_sums as kernel
from gomoku_brain.lab.train.kind_weights import TEMPO_BITS, design
from gomoku_brain.lab.train.losses import sigmoid
from gomoku_brain.lab.train.region_sums import (
    PointWindows,
    adam,
    spread_kinds,
    sum_kinds,
)
from gomoku_brain.lab.train.samples import Samples
from gomoku_brain.lab.train.windows import row_design, row_numbers

__all__ = ["PLAYED", "NetworkShape", "PooledNet", "Training", "designs_of"]

Array = Any  # numpy.ndarray

# The sizes of the network that the evaluation plays (eval/network.pxd).
WIDTH, FIRST = NETWORK["width"], NETWORK["first"]
ZONE_WIDTH, SECOND = WIDTH, WIDTH  # outputs of a zone's layer, and of the second one
POOL_UNIT = 2.0 ** -NETWORK["pool_shift"]  # factor of the pools that enter the head
ZONES = tuple(  # the regions of corners, edges, centre
    tuple(region for region, zone in enumerate(REGION_ZONES) if zone == number)
    for number in range(NETWORK["zones"])
)
HALVES = 2
DECAY = 0.02  # of the rests, in shares of the learning rate
LEAST = 1e-5  # rests with smaller slopes (rare rows) move less


@dataclass(frozen=True, slots=True)
class NetworkShape:
    """Inputs and widths of a network."""

    input: str
    """"kinds", "lines" or "both" (lines of two lengths added up)."""
    reach: int = 4
    """Cells each way in a window; 4 gives windows of nine cells."""
    regions: bool = False
    spread: bool = False
    """Whether the first numbers of a point are summed over the 3 x 3 around it."""
    width: int = WIDTH
    """Numbers of a point in either view."""
    phases: tuple[int, ...] = ()
    """Numbers of stones on the board from which the next head is used."""
    by_side: bool = False
    """Whether black's and white's views have rows of their own.

    If so, black and white to move also have linear values of their own.
    """
    two_heads: bool = False
    """Whether black and white to move have heads of their own."""

    @property
    def is_played(self) -> bool:
        """Whether an evaluation of the package plays files of this shape."""
        played = replace(
            PLAYED, reach=self.reach, by_side=self.by_side, two_heads=self.two_heads
        )
        return self == played

    @property
    def sides(self) -> int:
        """Number of sets of rows and of linear values."""
        return 2 if self.by_side else 1

    @property
    def reaches(self) -> tuple[int, ...]:
        """Cells each way of the windows whose rows a point has; empty for "kinds"."""
        if self.input == "kinds":
            return ()
        return (self.reach, self.reach + 1) if self.input == "both" else (self.reach,)

    @property
    def heads(self) -> int:
        """Number of heads: one for each phase and each side to move with heads of its
        own.
        """
        return (len(self.phases) + 1) * (2 if self.two_heads else 1)


PLAYED = NetworkShape("kinds", regions=True)
"""The shape of the files that the package plays, for a rule that is the same for both
sides."""


def designs_of(shape: NetworkShape, rule: Rule) -> tuple[Array, Array]:
    """Return the numbers that kinds and table rows have in common, as two sparse
    matrices.

    The first has a row for each value of a kind (2 x sides x kinds), the second one for
    each row of the table. A column stands for a number that rows share. With the input
    "kinds" a row of the table belongs to a kind as well, and both matrices are the
    same.
    """
    import numpy
    from scipy.sparse import block_diag, csr_matrix, vstack

    kinds_of = [
        csr_matrix(design(rule, side).astype(numpy.float32)) for side in range(2)
    ]
    kinds = block_diag(
        [kinds_of[view ^ k] for view in range(shape.sides) for k in range(2)], "csr"
    )
    if shape.input == "kinds":
        return kinds, kinds
    parts: list[list[Array]] = [[] for _ in range(shape.sides)]
    for reach in shape.reaches:
        for view in range(shape.sides):
            rows, _ = row_design(reach, rule, view)
            parts[view].append(vstack([rows, rows]))  # for both directions
    return kinds, block_diag([part for view in parts for part in view], "csr")


def first_common(shape: NetworkShape, rule: Rule, small: Callable[..., Array]) -> Array:
    """Return the shared numbers of table rows at the start of a fit: (columns, width).

    The columns are those of the second matrix of ``designs_of``; ``small(*size,
    scale=s)`` makes random numbers.
    """
    import numpy

    width = shape.width
    starts: list[Array] = []
    if shape.input == "kinds":
        columns = design(rule, 0).shape[1]
        start = numpy.zeros((2 * columns, width), numpy.float32)
        for end in (columns, 2 * columns):  # the ranks, except of cells without a rank
            start[end - 15 : end] = small(15, width, scale=0.15)
        starts.append(start)
    else:
        for reach in shape.reaches:
            rows, contents = row_design(reach, rule, 0)
            start = numpy.zeros((rows.shape[1], width), numpy.float32)
            if not starts:  # the longer windows start at 0
                start[:contents] = small(contents, width, scale=0.15)
                start[2:contents:4] *= 0.3  # walls
                start[3:contents:4] = 0  # empty cells
            starts.append(start)
    return numpy.concatenate(starts * shape.sides)


class PooledNet:
    """Parameters of a network, with its forward and backward pass."""

    def __init__(
        self, shape: NetworkShape, samples: Samples, rule: Rule, seed: int
    ) -> None:
        """Create a network for the positions of ``samples``, with random starts by
        ``seed``.
        """
        import numpy

        self.shape, self.samples = shape, samples
        dice = numpy.random.default_rng(seed)
        self.points: PointWindows
        if shape.input == "kinds":
            self.points = PointWindows(samples, kernel.KINDS, by_side=shape.by_side)
        elif shape.input == "lines":
            self.points = PointWindows(
                samples,
                kernel.LINES,
                numbers=row_numbers(shape.reach),
                reach=shape.reach,
                by_side=shape.by_side,
            )
        else:
            self.points = PointWindows(
                samples,
                kernel.BOTH_LINES,
                numbers=row_numbers(shape.reach),
                reach=shape.reach,
                more_numbers=row_numbers(shape.reach + 1),
                more_reach=shape.reach + 1,
                by_side=shape.by_side,
            )

        def small(*size: int, scale: float) -> Array:
            return (scale * dice.standard_normal(size)).astype(numpy.float32)

        width = shape.width
        kinds, table = designs_of(shape, rule)
        self.designs = {"linear": kinds, "table": table}
        self.parameters: dict[str, Array] = {
            "linear_common": numpy.zeros((kinds.shape[1], 1), numpy.float32),
            "linear_rest": numpy.zeros((kinds.shape[0], 1), numpy.float32),
            "tempo": numpy.zeros(shape.sides << TEMPO_BITS, numpy.float32),
            "table_common": first_common(shape, rule, small),
            "table_rest": numpy.zeros((self.points.rows, width), numpy.float32),
            "bias": numpy.zeros(width, numpy.float32),
            "spread": numpy.zeros((4 if shape.spread else 0, 8), numpy.float32),
        }
        self.parts = {
            "linear": numpy.zeros((kinds.shape[0], 1), numpy.float32),
            "table": numpy.zeros((self.points.rows, width), numpy.float32),
        }
        if shape.spread:
            self.parameters["spread"][0] = 1
            self.parameters["spread"][1:3] = small(2, 8, scale=0.05)
        inputs = 2 * width
        if shape.regions:
            zones = small(3, inputs, ZONE_WIDTH, scale=inputs**-0.5)
            zone_bias = small(3, ZONE_WIDTH, scale=0.1)
            times = 2 if shape.two_heads else 1
            self.parameters["zones"] = numpy.concatenate([zones] * times)
            self.parameters["zone_bias"] = numpy.concatenate([zone_bias] * times)
            inputs += 3 * ZONE_WIDTH
        for name, start in (
            ("first", small(inputs, FIRST, scale=inputs**-0.5)),
            ("first_bias", small(FIRST, scale=0.1)),
            ("second", small(FIRST, SECOND, scale=FIRST**-0.5)),
            ("second_bias", small(SECOND, scale=0.1)),
            ("output", small(SECOND, scale=0.2)),
        ):  # the heads, all equal at first
            self.parameters[name] = numpy.stack([start] * shape.heads)
        self.decay = {"table_rest": DECAY, "linear_rest": DECAY}
        self.least = {"table_rest": LEAST}
        self.slopes = {name: numpy.zeros_like(p) for name, p in self.parameters.items()}
        shared = self.parts | {n: self.parameters[n] for n in ("bias", "spread")}
        self._half_slopes = [
            {name: numpy.zeros_like(p) for name, p in shared.items()}
            for _ in range(HALVES)
        ]
        self._threads = ThreadPoolExecutor(HALVES)
        self.put_together()

    def begin_with(self, known: Mapping[str, Array]) -> None:
        """Start from the parameters of another network, of this or of another rule.

        The shared value of a kind's rank and classes is taken over, and the rest of a
        row goes to its kind. If that network has one table or head for both sides and
        this one has two, both start from it. Raises ValueError for parameters that are
        missing, of another shape or not finite; then nothing is changed.
        """
        import numpy

        found = {}
        for name, parameter in self.parameters.items():
            start = known.get(name)
            if start is not None and start.shape != parameter.shape:
                start = numpy.concatenate([start, start])
            if start is None or start.shape != parameter.shape:
                raise ValueError(f"{name!r} does not fit such a network")
            if not numpy.isfinite(start).all():
                raise ValueError(f"{name!r} has numbers that are not finite")
            found[name] = start
        for name, start in found.items():
            self.parameters[name][...] = start
        self.put_together()

    def put_together(self) -> None:
        """Compute the tables from the shared numbers of their rows and the rest of
        each.
        """
        for name, part in self.parts.items():
            p = self.parameters
            part[...] = self.designs[name] @ p[f"{name}_common"] + p[f"{name}_rest"]

    @property
    def count(self) -> int:
        """Number of parameters of the correction, without the linear evaluation."""
        outside = ("linear_common", "linear_rest", "tempo", "table_common")
        return sum(p.size for n, p in self.parameters.items() if n not in outside)

    def _half(self, positions: Array, which: int) -> slice:
        middle = len(positions) // HALVES
        return slice(which * middle, None if which == HALVES - 1 else middle)

    def _share(self, work: Callable[[int], None]) -> None:
        for done in [self._threads.submit(work, half) for half in range(HALVES)]:
            done.result()

    def inputs_of(self, positions: Array) -> tuple[Array, Array]:
        """Return (logits of the linear evaluation, pools) of positions, given by
        number.
        """
        import numpy

        p, s = self.parameters, self.samples
        linear = numpy.zeros(len(positions), numpy.float32)
        pools = numpy.zeros(
            (len(positions), kernel.REGIONS, 2 * self.shape.width), numpy.float32
        )

        def work(half: int) -> None:
            part = self._half(positions, half)
            sum_kinds(
                positions[part],
                s.starts,
                s.kinds,
                s.counts,
                s.ply,
                self._by_kind(self.parts["linear"]),
                linear[part],
            )
            self.points.forward(
                positions[part],
                self.parts["table"],
                p["bias"],
                p["spread"],
                pools[part],
            )

        self._share(work)
        linear += p["tempo"][self._tempo(positions)]
        return linear, pools

    def _by_kind(self, linear: Array) -> Array:
        """Return the linear values, or their slopes, as (sets, kinds of either
        side).
        """
        return linear.reshape(self.shape.sides, kernel.KIND_ROWS)

    def _tempo(self, positions: Array) -> Array:
        """Return the index of the tempo term of each position."""
        import numpy

        index = numpy.asarray(self.samples.tempo[positions], numpy.int32)
        if self.shape.by_side:
            index += (self.samples.ply[positions] & 1).astype(numpy.int32) << TEMPO_BITS
        return index

    def logits(self, positions: Array) -> Array:
        """Return the values of positions for the side to move."""
        import numpy

        out = []
        for at in range(0, len(positions), 4096):
            part = positions[at : at + 4096]
            linear, pools = self.inputs_of(part)
            out.append(linear + self._head(pools, self._heads(part))[0])
        return numpy.concatenate(out)

    def largest_pool(self, positions: Array) -> float:
        """Return the largest sum over a region in any of the positions."""
        largest = 0.0
        for at in range(0, len(positions), 4096):
            _, pools = self.inputs_of(positions[at : at + 4096])
            largest = max(largest, float(pools.max()))
        return largest

    def _heads(self, positions: Array) -> list[Any]:
        """Return an index of the positions of each head; every position has one
        head.
        """
        import numpy

        if self.shape.heads == 1:
            return [slice(None)]
        ply = numpy.asarray(self.samples.ply[positions], numpy.int64)
        head = numpy.searchsorted(numpy.array(self.shape.phases), ply, side="right")
        if self.shape.two_heads:
            head += (ply & 1) * (len(self.shape.phases) + 1)
        return [numpy.flatnonzero(head == k) for k in range(self.shape.heads)]

    def _zones(self, head: int) -> int:
        """Return the index of the first of a head's three layers of regions."""
        return len(ZONES) * (head // (len(self.shape.phases) + 1))

    def _head(self, pools: Array, heads: list[Any]) -> tuple[Array, list[Any]]:
        """Return (values, intermediate results of each head for the backward pass)."""
        import numpy

        p = self.parameters
        scaled = pools * numpy.float32(POOL_UNIT)
        value = numpy.zeros(len(pools), numpy.float32)
        kept = []
        for head, rows in enumerate(heads):
            mine = scaled[rows]
            parts = [mine.sum(1)]
            zones = []
            if self.shape.regions:
                for k, regions in enumerate(ZONES, self._zones(head)):
                    before = mine[:, regions] @ p["zones"][k] + p["zone_bias"][k]
                    zones.append(before)
                    parts.append(numpy.maximum(before, 0).sum(1))
            x = numpy.concatenate(parts, 1)
            first = numpy.maximum(x @ p["first"][head] + p["first_bias"][head], 0)
            second = numpy.maximum(
                first @ p["second"][head] + p["second_bias"][head], 0
            )
            value[rows] = second @ p["output"][head]
            kept.append((rows, mine, zones, x, first, second))
        return value, kept

    def loss(self, positions: Array, wanted: Array) -> float:
        """Return the cross-entropy of a batch; adds its gradients to ``slopes``."""
        import numpy

        linear, pools = self.inputs_of(positions)
        value, kept = self._head(pools, self._heads(positions))
        z = linear + value
        total = float((numpy.logaddexp(0, z) - wanted * z).mean())
        slope = ((sigmoid(z) - wanted) / len(z)).astype(numpy.float32)
        p, s, g = self.parameters, self.samples, self.slopes
        g["tempo"] += numpy.bincount(
            self._tempo(positions), weights=slope, minlength=len(g["tempo"])
        ).astype(numpy.float32)
        inputs = 2 * self.shape.width
        pool_slope = numpy.empty_like(pools)
        for head, (rows, scaled, zones, x, first, second) in enumerate(kept):
            part = slope[rows]
            g["output"][head] += second.T @ part
            down = part[:, None] * p["output"][head] * (second > 0)
            g["second"][head] += first.T @ down
            g["second_bias"][head] += down.sum(0)
            down = (down @ p["second"][head].T) * (first > 0)
            g["first"][head] += x.T @ down
            g["first_bias"][head] += down.sum(0)
            x_slope = down @ p["first"][head].T
            mine = numpy.repeat(x_slope[:, None, :inputs], kernel.REGIONS, 1)
            for zone, before in enumerate(zones):
                k, at = self._zones(head) + zone, inputs + zone * ZONE_WIDTH
                down = x_slope[:, None, at : at + ZONE_WIDTH] * (before > 0)
                g["zone_bias"][k] += down.sum((0, 1))
                g["zones"][k] += numpy.tensordot(
                    scaled[:, ZONES[zone]], down, ((0, 1), (0, 1))
                )
                mine[:, ZONES[zone]] += down @ p["zones"][k].T
            pool_slope[rows] = mine
        pool_slope *= numpy.float32(POOL_UNIT)

        def work(half: int) -> None:
            part = self._half(positions, half)
            mine = self._half_slopes[half]
            spread_kinds(
                positions[part],
                s.starts,
                s.kinds,
                s.counts,
                s.ply,
                slope[part],
                self._by_kind(mine["linear"]),
            )
            self.points.backward(
                positions[part],
                self.parts["table"],
                p["bias"],
                p["spread"],
                pool_slope[part],
                mine["table"],
                mine["bias"],
                mine["spread"],
            )

        self._share(work)
        for name in ("linear", "table", "bias", "spread"):
            both = self._half_slopes[0][name]
            both += self._half_slopes[1][name]
            if name in self.parts:
                g[f"{name}_common"] += self.designs[name].T @ both
                g[f"{name}_rest"] += both
            else:
                g[name] += both
            for half in range(HALVES):
                self._half_slopes[half][name][...] = 0
        return total


class Training:
    """Fit of a network to ``wanted``, the chances of the side to move, step by step.

    The learning rate rises to ``rate`` over a twentieth of the steps and then falls to
    0. ``state`` holds everything on which later steps depend, and the order of the
    positions follows from the seed and the epoch. So a fit that is stopped and resumed
    ends with the same numbers as an uninterrupted one.
    """

    def __init__(
        self,
        net: PooledNet,
        positions: Array,
        wanted: Array,
        *,
        epochs: int,
        batch: int,
        rate: float,
        seed: int,
    ) -> None:
        """Prepare the steps. ValueError if there are fewer positions than a batch
        has.
        """
        import numpy

        if len(positions) < batch:
            raise ValueError(f"{len(positions)} positions do not fill one batch")
        self.net, self.positions, self.wanted = net, positions, wanted
        self.batch, self.rate, self.seed = batch, rate, seed
        self.batches = len(positions) // batch
        self.steps = epochs * self.batches
        self.step = 0
        self.total = 0.0
        """Sum of the losses of the epoch's batches so far."""
        self.mean = {name: numpy.zeros_like(p) for name, p in net.parameters.items()}
        self.square = {name: numpy.zeros_like(p) for name, p in net.parameters.items()}
        self._order: tuple[int, Array] = (-1, None)

    def run(self) -> Iterator[float]:
        """Do the remaining steps; yield the mean loss of the epoch so far after
        each.
        """
        while self.step < self.steps:
            epoch, k = divmod(self.step, self.batches)
            if k == 0:
                self.total = 0.0
            part = self._batch(epoch, k)
            self.total += self.net.loss(self.positions[part], self.wanted[part])
            share = self.step / self.steps
            rate = self.rate * min(share / 0.05, (1 - share) / 0.95)
            self.step += 1
            for name, parameter in self.net.parameters.items():
                if parameter.size:
                    adam(
                        parameter.reshape(-1),
                        self.net.slopes[name].reshape(-1),
                        self.mean[name].reshape(-1),
                        self.square[name].reshape(-1),
                        rate,
                        self.net.decay.get(name, 0.0),
                        self.net.least.get(name, 1e-8),
                        self.step,
                    )
            self.net.put_together()
            yield self.total / (k + 1)

    def _batch(self, epoch: int, k: int) -> Array:
        import numpy

        if self._order[0] != epoch:
            dice = numpy.random.default_rng((self.seed, epoch))
            self._order = epoch, dice.permutation(len(self.positions))
        # in the order of the files, which are mapped and not loaded
        return numpy.sort(self._order[1][k * self.batch : (k + 1) * self.batch])

    def state(self) -> dict[str, Array]:
        """Return the arrays to save."""
        import numpy

        found = {"step": numpy.int64(self.step), "total": numpy.float64(self.total)}
        for kind, arrays in self._arrays().items():
            found |= {f"{kind}.{name}": array for name, array in arrays.items()}
        return found

    def go_on(self, state: Mapping[str, Array]) -> None:
        """Continue from a state. ValueError for a state of another shape."""
        for kind, arrays in self._arrays().items():
            for name, array in arrays.items():
                known = state.get(f"{kind}.{name}")
                if known is None or known.shape != array.shape:
                    raise ValueError(f"{kind}.{name} is not of this network")
        for kind, arrays in self._arrays().items():
            for name, array in arrays.items():
                array[...] = state[f"{kind}.{name}"]
        self.step, self.total = int(state["step"]), float(state["total"])
        self.net.put_together()

    def _arrays(self) -> dict[str, dict[str, Array]]:
        return {
            "parameters": self.net.parameters,
            "mean": self.mean,
            "square": self.square,
        }
