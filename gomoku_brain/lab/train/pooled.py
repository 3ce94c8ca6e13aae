"""Network over the points of a board, added to the linear evaluation, and its training.

    logit = linear(kinds) + tempo[threats] + head(pools)

The pools are sums of the points' numbers over regions (``region_sums``), 2 x WIDTH
numbers for a region: the mover's view, then the other side's. The head sums them to
those of the whole board. It also sends each of the nine through a small layer shared by
the four corners, by the four edges, and by the centre. The results are summed for each
of the three:

    x = [whole board, sum of corners, sum of edges, centre]
    head = output . relu(second(relu(first(x))))

So a turned or mirrored position has the same value. If the rule treats the sides
differently (renju), the view of either side has a table of its own, and either side to
move has linear values and tempo terms of its own. The fit is Adam on mini-batches of
floats. Two threads share a batch, each always the same half, so a run is deterministic
for its seed.
"""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from gomoku_brain.eval.points import NETWORK, REGION_ZONES
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.kind_weights import TEMPO_BITS, design
from gomoku_brain.lab.train.losses import sigmoid
from gomoku_brain.lab.train.parts import linear_counts
from gomoku_brain.lab.train.region_sums import (
    KIND_ROWS,
    REGIONS,
    PointSums,
    adam,
    spread_kinds,
    sum_kinds,
)
from gomoku_brain.lab.train.samples import Samples

__all__ = ["PooledNet", "Training", "design_of"]

Array = Any  # numpy.ndarray

# The sizes of the network (eval/network.pxd).
WIDTH, FIRST = NETWORK["width"], NETWORK["first"]
ZONE_WIDTH, SECOND = WIDTH, WIDTH  # outputs of a zone's layer, and of the second one
POOL_UNIT = 2.0 ** -NETWORK["pool_shift"]  # factor of the pools that enter the head
ZONES = tuple(  # the regions of corners, edges, centre
    tuple(region for region, zone in enumerate(REGION_ZONES) if zone == number)
    for number in range(NETWORK["zones"])
)
HALVES = 2
DECAY = 0.02  # of the rests, in shares of the learning rate
# Parameters with numbers for each side to move where the rule treats them differently
OF_SIDES = ("linear_common", "linear_rest", "tempo", "table_common", "table_rest")
LEAST = 1e-5  # rests with smaller slopes (rare rows) move less


def design_of(rule: Rule, sides: int) -> Array:
    """Return the numbers that kinds have in common, as a sparse matrix.

    It has a row for each value of a kind (``sides`` tables x 2 x kinds, own first). A
    column stands for a number that rows share.
    """
    import numpy
    from scipy.sparse import block_diag, csr_matrix

    kinds_of = [
        csr_matrix(design(rule, side).astype(numpy.float32)) for side in range(2)
    ]
    return block_diag(
        [kinds_of[view ^ k] for view in range(sides) for k in range(2)], "csr"
    )


class PooledNet:
    """Parameters of a network, with its forward and backward pass."""

    def __init__(self, samples: Samples, rule: Rule, seed: int) -> None:
        """Create a network for the positions of ``samples``, with random starts by
        ``seed``.
        """
        import numpy

        self.samples = samples
        self.sides = 2 if rule.sides_differ else 1
        """Number of tables of rows and of sets of linear values."""
        dice = numpy.random.default_rng(seed)
        self.points = PointSums(samples, by_side=rule.sides_differ)

        def small(*size: int, scale: float) -> Array:
            return (scale * dice.standard_normal(size)).astype(numpy.float32)

        self.design = design_of(rule, self.sides)
        columns = design(rule, 0).shape[1]
        common = numpy.zeros((2 * columns, WIDTH), numpy.float32)
        for end in (columns, 2 * columns):  # the ranks, except of cells without a rank
            common[end - 15 : end] = small(15, WIDTH, scale=0.15)
        rows, inputs = self.points.rows, 2 * WIDTH
        joined = inputs + len(ZONES) * ZONE_WIDTH
        self.parameters: dict[str, Array] = {
            "linear_common": numpy.zeros((self.design.shape[1], 1), numpy.float32),
            "linear_rest": numpy.zeros((rows, 1), numpy.float32),
            "tempo": numpy.zeros(self.sides << TEMPO_BITS, numpy.float32),
            "table_common": numpy.concatenate([common] * self.sides),
            "table_rest": numpy.zeros((rows, WIDTH), numpy.float32),
            "bias": numpy.zeros(WIDTH, numpy.float32),
            "zones": small(len(ZONES), inputs, ZONE_WIDTH, scale=inputs**-0.5),
            "zone_bias": small(len(ZONES), ZONE_WIDTH, scale=0.1),
            "first": small(joined, FIRST, scale=joined**-0.5),
            "first_bias": small(FIRST, scale=0.1),
            "second": small(FIRST, SECOND, scale=FIRST**-0.5),
            "second_bias": small(SECOND, scale=0.1),
            "output": small(SECOND, scale=0.2),
        }
        self.parts = {
            "linear": numpy.zeros((rows, 1), numpy.float32),
            "table": numpy.zeros((rows, WIDTH), numpy.float32),
        }
        self.decay = {"table_rest": DECAY, "linear_rest": DECAY}
        self.least = {"table_rest": LEAST}
        self.slopes = {name: numpy.zeros_like(p) for name, p in self.parameters.items()}
        shared = self.parts | {"bias": self.parameters["bias"]}
        self._half_slopes = [
            {name: numpy.zeros_like(p) for name, p in shared.items()}
            for _ in range(HALVES)
        ]
        self._threads = ThreadPoolExecutor(HALVES)
        self.put_together()

    def begin_with(self, known: Mapping[str, Array]) -> None:
        """Start from the parameters of another network, of this or of another rule.

        The shared value of a kind's rank and classes is taken over, and the rest of a
        row goes to its kind. If that network has one table for both sides and this one
        has two, both start from it. Raises ValueError for parameters that are missing,
        of another shape or not finite; then nothing is changed.
        """
        import numpy

        found = {}
        for name, parameter in self.parameters.items():
            start = known.get(name)
            half = start is not None and 2 * len(start) == len(parameter)
            if half and self.sides == 2 and name in OF_SIDES:
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
            part[...] = self.design @ p[f"{name}_common"] + p[f"{name}_rest"]

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
        pools = numpy.zeros((len(positions), REGIONS, 2 * WIDTH), numpy.float32)

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
                positions[part], self.parts["table"], p["bias"], pools[part]
            )

        self._share(work)
        linear += p["tempo"][self._tempo(positions)]
        return linear, pools

    def _by_kind(self, linear: Array) -> Array:
        """Return the linear values, or their slopes, as (sets, kinds of either
        side).
        """
        return linear.reshape(self.sides, KIND_ROWS)

    def _tempo(self, positions: Array) -> Array:
        """Return the index of the tempo term of each position."""
        import numpy

        index = numpy.asarray(self.samples.tempo[positions], numpy.int32)
        if self.sides == 2:
            index += (self.samples.ply[positions] & 1).astype(numpy.int32) << TEMPO_BITS
        return index

    def linear_counts(self, positions: Array) -> Array:
        """Return how often the linear evaluation of each position has each number of
        "linear" and then of "tempo"; see ``parts.linear_counts``.
        """
        import numpy
        from scipy.sparse import csr_matrix

        s = self.samples
        first = numpy.asarray(s.starts[positions])
        lengths = numpy.asarray(s.starts[positions + 1]) - first
        starts = numpy.append(0, lengths.cumsum())
        at = numpy.arange(starts[-1]) + numpy.repeat(first - starts[:-1], lengths)
        columns = numpy.asarray(s.kinds[at], numpy.int32)
        if self.sides == 2:
            mover = numpy.asarray(s.ply[positions] & 1, numpy.int32)
            columns += KIND_ROWS * numpy.repeat(mover, lengths)
        counts = numpy.asarray(s.counts[at], numpy.float32)
        size = (len(positions), self.points.rows)
        kinds = csr_matrix((counts, columns, starts), size)
        return linear_counts(kinds, self._tempo(positions), self.sides << TEMPO_BITS)

    def logits(self, positions: Array) -> Array:
        """Return the values of positions for the side to move."""
        import numpy

        out = []
        for at in range(0, len(positions), 4096):
            part = positions[at : at + 4096]
            linear, pools = self.inputs_of(part)
            out.append(linear + self._head(pools)[0])
        return numpy.concatenate(out)

    def largest_pool(self, positions: Array) -> float:
        """Return the largest sum over a region in any of the positions."""
        largest = 0.0
        for at in range(0, len(positions), 4096):
            _, pools = self.inputs_of(positions[at : at + 4096])
            largest = max(largest, float(pools.max()))
        return largest

    def _head(self, pools: Array) -> tuple[Array, tuple[Any, ...]]:
        """Return (values, intermediate results for the backward pass)."""
        import numpy

        p = self.parameters
        scaled = pools * numpy.float32(POOL_UNIT)
        parts = [scaled.sum(1)]
        zones = []
        for k, regions in enumerate(ZONES):
            before = scaled[:, regions] @ p["zones"][k] + p["zone_bias"][k]
            zones.append(before)
            parts.append(numpy.maximum(before, 0).sum(1))
        x = numpy.concatenate(parts, 1)
        first = numpy.maximum(x @ p["first"] + p["first_bias"], 0)
        second = numpy.maximum(first @ p["second"] + p["second_bias"], 0)
        return second @ p["output"], (scaled, zones, x, first, second)

    def loss(self, positions: Array, wanted: Array) -> float:
        """Return the cross-entropy of a batch; adds its gradients to ``slopes``."""
        import numpy

        linear, pools = self.inputs_of(positions)
        value, (scaled, zones, x, first, second) = self._head(pools)
        z = linear + value
        total = float((numpy.logaddexp(0, z) - wanted * z).mean())
        slope = ((sigmoid(z) - wanted) / len(z)).astype(numpy.float32)
        p, s, g = self.parameters, self.samples, self.slopes
        g["tempo"] += numpy.bincount(
            self._tempo(positions), weights=slope, minlength=len(g["tempo"])
        ).astype(numpy.float32)
        g["output"] += second.T @ slope
        down = slope[:, None] * p["output"] * (second > 0)
        g["second"] += first.T @ down
        g["second_bias"] += down.sum(0)
        down = (down @ p["second"].T) * (first > 0)
        g["first"] += x.T @ down
        g["first_bias"] += down.sum(0)
        x_slope = down @ p["first"].T
        inputs = 2 * WIDTH
        pool_slope = numpy.repeat(x_slope[:, None, :inputs], REGIONS, 1)
        for k, before in enumerate(zones):
            at = inputs + k * ZONE_WIDTH
            down = x_slope[:, None, at : at + ZONE_WIDTH] * (before > 0)
            g["zone_bias"][k] += down.sum((0, 1))
            g["zones"][k] += numpy.tensordot(
                scaled[:, ZONES[k]], down, ((0, 1), (0, 1))
            )
            pool_slope[:, ZONES[k]] += down @ p["zones"][k].T
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
                pool_slope[part],
                mine["table"],
                mine["bias"],
            )

        self._share(work)
        for name in ("linear", "table", "bias"):
            both = self._half_slopes[0][name]
            both += self._half_slopes[1][name]
            if name in self.parts:
                g[f"{name}_common"] += self.design.T @ both
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
