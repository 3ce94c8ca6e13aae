"""A network over the points of a board, added to the linear evaluation; its training.

    logit = linear(kinds) + tempo[threats] + head(pools)

The pools are sums over regions of what every point shows (``points``), 2 x width
numbers a region: the mover's view, then the other side's. The head sums them to those
of the whole board and, with regions, sends each of the nine through a small layer
shared by the four corners, the four edges, and the centre; the results are summed for
each of the three:

    x = [whole board, sum of corners, sum of edges, centre]
    head = output . relu(second(relu(first(x))))

So the same position turned or mirrored has the same value. Adam on mini-batches of
floats; two threads share a batch, each half always the same one, so that a run is
deterministic for its seed.
"""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from gomoku_brain.game.rules import Rule
from gomoku_brain.train import points as kernel
from gomoku_brain.train.kind_weights import TEMPO_BITS, design
from gomoku_brain.train.losses import sigmoid
from gomoku_brain.train.points import PointWindows, adam, spread_kinds, sum_kinds
from gomoku_brain.train.samples import Samples
from gomoku_brain.train.windows import row_design, row_numbers

__all__ = ["NetworkShape", "PooledNet", "Training"]

Array = Any  # numpy.ndarray

POOL_UNIT = 1 / 16  # pools are multiplied by this before the head sees them
ZONES = ((0, 2, 6, 8), (1, 3, 5, 7), (4,))  # the regions of corners, edges, centre
ZONE_WIDTH, FIRST, SECOND = 16, 32, 16
HALVES = 2
DECAY = 0.02  # of the rests, in shares of the learning rate
LEAST = 1e-5  # slopes of the rests below this move them less: rows seldom seen


@dataclass(frozen=True, slots=True)
class NetworkShape:
    """What a network looks at, and how wide it is."""

    input: str
    """"kinds", "lines" or "both" (lines of two lengths added up)."""
    reach: int = 4
    """Cells each way in a window; 4: windows of nine cells."""
    regions: bool = False
    spread: bool = False
    """Whether the first numbers of a point are summed over the 3 x 3 around it."""
    width: int = 16
    """Numbers of a point in either view."""
    phases: tuple[int, ...] = ()
    """Stones on the board from which on the next head is used."""


class PooledNet:
    """Parameters, forward and backward pass."""

    def __init__(
        self, shape: NetworkShape, samples: Samples, rule: Rule, seed: int
    ) -> None:
        """``samples``: what it will be asked about."""
        import numpy

        self.shape, self.samples = shape, samples
        dice = numpy.random.default_rng(seed)
        self.points: PointWindows
        if shape.input == "kinds":
            self.points = PointWindows(samples, kernel.KINDS)
        elif shape.input == "lines":
            numbers = row_numbers(shape.reach)
            self.points = PointWindows(
                samples, kernel.LINES, numbers=numbers, reach=shape.reach
            )
        else:
            self.points = PointWindows(
                samples,
                kernel.BOTH_LINES,
                numbers=row_numbers(shape.reach),
                reach=shape.reach,
                more_numbers=row_numbers(shape.reach + 1),
                more_reach=shape.reach + 1,
            )

        def small(*size: int, scale: float) -> Array:
            return (scale * dice.standard_normal(size)).astype(numpy.float32)

        width = shape.width
        kinds, table, first = self._designs(rule, small)
        self.designs = {"linear": kinds, "table": table}
        self.parameters: dict[str, Array] = {
            "linear_common": numpy.zeros((kinds.shape[1], 1), numpy.float32),
            "linear_rest": numpy.zeros((kernel.KIND_ROWS, 1), numpy.float32),
            "tempo": numpy.zeros(1 << TEMPO_BITS, numpy.float32),
            "table_common": first,
            "table_rest": numpy.zeros((self.points.rows, width), numpy.float32),
            "bias": numpy.zeros(width, numpy.float32),
            "spread": numpy.zeros((4 if shape.spread else 0, 8), numpy.float32),
        }
        self.parts = {
            "linear": numpy.zeros((kernel.KIND_ROWS, 1), numpy.float32),
            "table": numpy.zeros((self.points.rows, width), numpy.float32),
        }
        if shape.spread:
            self.parameters["spread"][0] = 1
            self.parameters["spread"][1:3] = small(2, 8, scale=0.05)
        inputs = 2 * width
        if shape.regions:
            self.parameters["zones"] = small(3, inputs, ZONE_WIDTH, scale=inputs**-0.5)
            self.parameters["zone_bias"] = small(3, ZONE_WIDTH, scale=0.1)
            inputs += 3 * ZONE_WIDTH
        for name, start in (
            ("first", small(inputs, FIRST, scale=inputs**-0.5)),
            ("first_bias", small(FIRST, scale=0.1)),
            ("second", small(FIRST, SECOND, scale=FIRST**-0.5)),
            ("second_bias", small(SECOND, scale=0.1)),
            ("output", small(SECOND, scale=0.2)),
        ):  # a head for each phase, all of them alike at first
            self.parameters[name] = numpy.stack([start] * (len(shape.phases) + 1))
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

    def put_together(self) -> None:
        """The tables from what their rows have in common and the rest of each."""
        for name, part in self.parts.items():
            p = self.parameters
            part[...] = self.designs[name] @ p[f"{name}_common"] + p[f"{name}_rest"]

    def _designs(
        self, rule: Rule, small: Callable[..., Array]
    ) -> tuple[Array, Array, Array]:
        """What kinds, and rows of the table, have in common; the latter's start."""
        import numpy
        from scipy.sparse import block_diag, csr_matrix, vstack

        shape = self.shape
        one = csr_matrix(design(rule, 0).astype(numpy.float32))
        kinds = block_diag([one, one], "csr")
        if shape.input == "kinds":
            first = numpy.zeros((kinds.shape[1], shape.width), numpy.float32)
            for side in range(2):  # the ranks, but for the cells of no rank
                end = (side + 1) * one.shape[1]
                first[end - 15 : end] = small(15, shape.width, scale=0.15)
            return kinds, kinds, first
        parts: list[Array] = []
        starts: list[Array] = []
        for reach in (shape.reach, shape.reach + 1)[: 1 + (shape.input == "both")]:
            rows, contents = row_design(reach, rule)
            parts.append(vstack([rows, rows]))  # the same for both directions
            start = numpy.zeros((rows.shape[1], shape.width), numpy.float32)
            if not starts:  # the longer windows begin with nothing to add
                start[:contents] = small(contents, shape.width, scale=0.15)
                start[2:contents:4] *= 0.3  # walls
                start[3:contents:4] = 0  # empty cells
            starts.append(start)
        return kinds, block_diag(parts, "csr"), numpy.concatenate(starts)

    @property
    def count(self) -> int:
        """Numbers of the correction, without those of the linear evaluation."""
        outside = ("linear_common", "linear_rest", "tempo", "table_common")
        return sum(p.size for n, p in self.parameters.items() if n not in outside)

    def _half(self, positions: Array, which: int) -> slice:
        middle = len(positions) // HALVES
        return slice(which * middle, None if which == HALVES - 1 else middle)

    def _share(self, work: Callable[[int], None]) -> None:
        for done in [self._threads.submit(work, half) for half in range(HALVES)]:
            done.result()

    def inputs_of(self, positions: Array) -> tuple[Array, Array]:
        """(logits of the linear evaluation, pools) of positions, by number."""
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
                self.parts["linear"][:, 0],
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
        linear += p["tempo"][s.tempo[positions]]
        return linear, pools

    def logits(self, positions: Array) -> Array:
        """The values of positions for the side to move."""
        import numpy

        out = []
        for at in range(0, len(positions), 4096):
            part = positions[at : at + 4096]
            linear, pools = self.inputs_of(part)
            out.append(linear + self._head(pools, self._phase(part))[0])
        return numpy.concatenate(out)

    def _phase(self, positions: Array) -> Array:
        import numpy

        return numpy.searchsorted(
            numpy.array(self.shape.phases), self.samples.ply[positions], side="right"
        )

    def _head(self, pools: Array, phase: Array) -> tuple[Array, Any]:
        """(values, what the backward pass wants to know)."""
        import numpy

        p = self.parameters
        scaled = pools * numpy.float32(POOL_UNIT)
        parts = [scaled.sum(1)]
        zones = []
        if self.shape.regions:
            for k, regions in enumerate(ZONES):
                before = scaled[:, regions] @ p["zones"][k] + p["zone_bias"][k]
                zones.append(before)
                parts.append(numpy.maximum(before, 0).sum(1))
        x = numpy.concatenate(parts, 1)
        value = numpy.zeros(len(pools), numpy.float32)
        kept = []
        for head in range(len(self.shape.phases) + 1):
            rows = (
                slice(None)
                if not self.shape.phases
                else numpy.flatnonzero(phase == head)
            )
            first = numpy.maximum(x[rows] @ p["first"][head] + p["first_bias"][head], 0)
            second = numpy.maximum(
                first @ p["second"][head] + p["second_bias"][head], 0
            )
            value[rows] = second @ p["output"][head]
            kept.append((rows, first, second))
        return value, (scaled, zones, x, kept)

    def loss(self, positions: Array, wanted: Array) -> float:
        """Cross-entropy of a batch; adds its gradients to ``slopes``."""
        import numpy

        linear, pools = self.inputs_of(positions)
        value, (scaled, zones, x, kept) = self._head(pools, self._phase(positions))
        z = linear + value
        total = float((numpy.logaddexp(0, z) - wanted * z).mean())
        slope = ((sigmoid(z) - wanted) / len(z)).astype(numpy.float32)
        p, s, g = self.parameters, self.samples, self.slopes
        g["tempo"] += numpy.bincount(
            s.tempo[positions], weights=slope, minlength=1 << TEMPO_BITS
        ).astype(numpy.float32)
        x_slope = numpy.zeros_like(x)
        for head, (rows, first, second) in enumerate(kept):
            part = slope[rows]
            g["output"][head] += second.T @ part
            down = part[:, None] * p["output"][head] * (second > 0)
            g["second"][head] += first.T @ down
            g["second_bias"][head] += down.sum(0)
            down = (down @ p["second"][head].T) * (first > 0)
            g["first"][head] += x[rows].T @ down
            g["first_bias"][head] += down.sum(0)
            x_slope[rows] = down @ p["first"][head].T
        inputs = 2 * self.shape.width
        pool_slope = numpy.repeat(x_slope[:, None, :inputs], kernel.REGIONS, 1)
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
                slope[part],
                mine["linear"][:, 0],
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
    """The fit of a network to ``wanted``, chances of the side to move, step by step.

    The learning rate rises to ``rate`` over a twentieth of the way and is then lowered
    to 0. All that a later step depends on is in ``state``, and the order of the
    positions follows from the seed and the epoch: a fit that is stopped and resumed
    ends with the same numbers as one that is not.
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
        """ValueError when there are fewer positions than a batch has."""
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
        """Do the steps that are left; after each, the mean loss of its epoch so far."""
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
        # in the order of the files, which are mapped and not read
        return numpy.sort(self._order[1][k * self.batch : (k + 1) * self.batch])

    def state(self) -> dict[str, Array]:
        """Arrays to save."""
        import numpy

        found = {"step": numpy.int64(self.step), "total": numpy.float64(self.total)}
        for kind, arrays in self._arrays().items():
            found |= {f"{kind}.{name}": array for name, array in arrays.items()}
        return found

    def go_on(self, state: Mapping[str, Array]) -> None:
        """Continue from a state. ValueError for one of another shape."""
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
