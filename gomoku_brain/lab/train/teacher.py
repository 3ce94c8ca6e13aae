"""Residual network over kinds of cells, and its training: a teacher for the evaluation.

It reads two planes of stones, from the view of the side to move, a plane for the board,
and for each cell a row of numbers for its kind for either side (``game.patterns``):
over kinds it is better than over stones alone with twice the positions. It corrects a
weights file: its value is added to that of the file's static evaluation. All
layers are convolutions and pools, so boards of every size share it. A block has two
convolutions; between them, the mean and the maximum of each channel over the board are
added to every cell. A finished network has statistics of its norms for each size of
board. The outputs are the value of the position in logits and a logit for each cell to
play next.

The program fits it to packed positions (``packed``). Its target is that of ``trainer``;
the loss of the moves counts with a small weight. Each batch has boards of one size, and
each position is one of its eight symmetric images. The order depends on the seed alone,
so a run that is continued from its checkpoint ends with the same numbers (on
processors, with the same number of threads). Needs torch and scipy (extra ``teacher``).
"""

import argparse
import hashlib
import json
import math
import os
from collections.abc import Iterable, Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from time import perf_counter
from typing import Any

from gomoku_brain.eval.evaluate import BoardEvaluator, evaluation_from
from gomoku_brain.eval.weights import pack_weights, unpack_weights
from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.losses import aligned_loss_of, loss_of, target_of
from gomoku_brain.lab.train.packed import Positions, images
from gomoku_brain.lab.train.program_options import read_weights
from gomoku_brain.runs.output_files import make_folder, write_whole
from gomoku_brain.runs.program_end import run_reporting
from gomoku_brain.runs.run_options import OneLineParser, at_least, number_within

__all__ = [
    "IMAGES",
    "Teacher",
    "TeacherRun",
    "add_threads",
    "main",
    "outputs",
    "teacher_in",
    "use_threads",
]

Array = Any  # numpy.ndarray; numpy is imported late
Tensor = Any  # torch.Tensor
Network = Any  # torch.nn.ModuleDict

CHECKPOINT, LOSSES = "teacher.pt", "losses.jsonl"
IMAGES = 8  # symmetric images of a position
KINDS = 2381  # of a cell, one with a stone included
ROWS = ("mine", "theirs")  # rows of the kinds for the mover and for the other side
HIDDEN = 96  # numbers between the pools and the value
SETTLED = 1 << 15  # positions for the statistics of the norms
WARM_UP = 200  # steps in which the learning rate rises
LAST_RATE = 0.01  # the last learning rate, in shares of the first
WEIGHT_DECAY = 1e-4
ROW_DECAY = 1e-3  # weight decay of the rows of kinds, many of which are rare
ROW_SPREAD = 0.1  # standard deviation of the first numbers of these rows
REPORTS = 20  # of the loss, in a run
JUDGED_AT_ONCE = {"cuda": 4096, "cpu": 128}  # positions without a backward pass


def _make_network(blocks: int, channels: int) -> Network:
    """Return a network with random numbers, whose values are 0."""
    from torch import nn

    layers: dict[str, Any] = {"first": nn.Conv2d(3, channels, 5, padding=2)}
    for k in range(blocks):
        for half in "ab":
            layers[f"{k}{half}"] = nn.Conv2d(
                channels, channels, 3, padding=1, bias=False
            )
            layers[f"{k}{half}_norm"] = nn.BatchNorm2d(channels)
        layers[f"{k}_pools"] = nn.Linear(2 * channels, channels)
    for name in ROWS:
        layers[name] = nn.Embedding(KINDS, channels)
        nn.init.normal_(layers[name].weight, std=ROW_SPREAD)
    layers["hidden"] = nn.Linear(2 * channels, HIDDEN)
    layers["value"] = nn.Linear(HIDDEN, 1)
    nn.init.zeros_(layers["value"].weight)
    nn.init.zeros_(layers["value"].bias)
    layers["policy"] = nn.Conv2d(channels, 1, 1)
    return nn.ModuleDict(layers)


def outputs(net: Network, stones: Tensor, kinds: Tensor) -> tuple[Tensor, Tensor]:
    """Return (values in logits, logits of the cells) of positions.

    ``stones``: (positions, size x size), as ``Packed.stones``; ``kinds``: as
    ``Positions.kinds``.
    """
    import torch
    from torch.nn.functional import relu

    size = math.isqrt(stones.shape[1])
    planes = torch.stack([stones == 1, stones == 2, stones < 3], 1).float()
    x = planes.view(-1, 3, size, size).contiguous(memory_format=torch.channels_last)
    rows = sum(net[name](kinds[..., k]) for k, name in enumerate(ROWS))
    rows = rows.transpose(1, 2).reshape(len(rows), -1, size, size)
    x = relu(net["first"](x) + rows)
    for k in range(sum(name.endswith("_pools") for name in net)):
        y = relu(net[f"{k}a_norm"](net[f"{k}a"](x)))
        everywhere = net[f"{k}_pools"](_pools(y))[:, :, None, None]
        x = relu(x + net[f"{k}b_norm"](net[f"{k}b"](y + everywhere)))
    value = net["value"](relu(net["hidden"](_pools(x))))
    return value.squeeze(1), net["policy"](x).flatten(1)


def _pools(x: Tensor) -> Tensor:
    import torch

    return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)


def _placed(net: Network) -> tuple[Network, Any]:
    """Return (network, its device): a GPU if there is one."""
    import torch

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return net.to(device, memory_format=torch.channels_last), device


def _half_precision(device: Any) -> Any:  # noqa: ANN401
    import torch

    on_gpu = device.type == "cuda"
    return torch.autocast(device.type, torch.bfloat16, enabled=on_gpu)


class Teacher:
    """Network, and the evaluation that it corrects."""

    def __init__(self, blocks: int, channels: int, corrected: bytes) -> None:
        """Make a network that changes nothing yet.

        ``corrected``: content of a weights file. ValueError for other content.
        """
        self.net, self.device = _placed(_make_network(blocks, channels))
        self.norms: dict[int, dict[str, Tensor]] = {}  # statistics by size
        self.corrected = corrected
        evaluation = evaluation_from(unpack_weights(corrected))
        self._rule = evaluation.rule
        self._evaluator = BoardEvaluator()
        self._evaluator.set_evaluation(evaluation)

    def start_of(self, positions: Positions, which: Array, stones: Array) -> Tensor:
        """Return the values that the network's are added to, in logits.

        ``stones``: those of the positions ``which``, any image of them. ValueError for
        positions of another rule than that of the corrected file.
        """
        import torch

        if Rule[positions.rule] != self._rule:
            raise ValueError(f"positions of {positions.rule}, but a teacher of another")
        found = torch.from_numpy(positions.values(which, stones, self._evaluator))
        return found.to(self.device, non_blocking=True)

    def settle(
        self, positions: Positions, batches: Iterable[tuple[Array, Array]]
    ) -> None:
        """Set the statistics of the norms for one size of board: those of the batches.

        Batches of a fit have one size each, so the running statistics are of a mixture
        that no batch had. ``batches``: positions, and the image of each.
        """
        import torch
        from torch import nn

        for layer in self.net.values():
            if isinstance(layer, nn.BatchNorm2d):
                layer.reset_running_stats()
                layer.momentum = None  # the mean of all batches
        with torch.no_grad(), _half_precision(self.device):
            for which, image in batches:
                outputs(self.net, *self.seen(positions, which, image)[2])
        size = int(positions.size[which[0]])
        self.norms[size] = {k: v.clone() for k, v in self.net.named_buffers()}

    def seen(
        self, positions: Positions, which: Array, image: Array
    ) -> tuple[Array, Array, list[Tensor]]:
        """Return (stones, moves, inputs of ``outputs``) of positions on boards of one
        size.
        """
        import numpy
        import torch

        stones, moves = positions.stones(which, image)
        kinds = positions.kinds(which, stones).astype(numpy.int32)
        both = [
            torch.from_numpy(each).to(self.device, non_blocking=True)
            for each in (stones, kinds)
        ]
        return stones, moves, both

    def logits(self, positions: Positions, which: Array, symmetries: int) -> Array:
        """Return the values of positions, given by number: the mean of the first
        ``symmetries`` images of each.

        ValueError for a size of board that the data of a finished teacher lack.
        """
        import numpy
        import torch

        at_once = JUDGED_AT_ONCE[self.device.type]
        found = numpy.zeros(len(which), numpy.float32)
        self.net.eval()
        with torch.inference_mode(), _half_precision(self.device):
            for size in numpy.unique(positions.size[which]):
                if self.norms:
                    if size not in self.norms:
                        raise ValueError(f"no teacher for boards of {size} x {size}")
                    self.net.load_state_dict(self.norms[size], strict=False)
                same = numpy.flatnonzero(positions.size[which] == size)
                turned = torch.from_numpy(images(int(size))[:symmetries])
                for at in range(0, len(same), at_once):
                    part = same[at : at + at_once]
                    plain = numpy.zeros(len(part), int)
                    stones, _, seen = self.seen(positions, which[part], plain)
                    values = sum(
                        outputs(self.net, *(each[:, k] for each in seen))[0].float()
                        for k in turned.to(self.device)
                    )
                    values = values / symmetries
                    values += self.start_of(positions, which[part], stones)
                    found[part] = values.cpu().numpy()
        self.net.train()
        return found


def _state_in(path: Path) -> dict[str, Any]:
    """Return the state in a checkpoint. ValueError for another file."""
    import torch

    try:
        state: dict[str, Any] = torch.load(
            BytesIO(path.read_bytes()), "cpu", weights_only=True
        )
        state["recipe"] = json.loads(state["recipe"])
        state["corrected"] = bytes(state["corrected"].tolist())
    except OSError:
        raise
    except Exception as error:  # torch has no common class for them
        raise ValueError(
            f"{path}: not a checkpoint of a teacher, or a damaged one"
        ) from error
    return state


def teacher_in(path: Path) -> Teacher:
    """Return the teacher of a finished run. ValueError for another file."""
    state = _state_in(path)
    if not state["norms"]:
        raise ValueError(f"{path}: step {state['step']} of {state['steps']}: finish it")
    recipe = state["recipe"]
    teacher = Teacher(recipe["blocks"], recipe["channels"], state["corrected"])
    teacher.net.load_state_dict(state["net"])
    teacher.norms = state["norms"]
    return teacher


class TeacherRun:
    """Folder of a run: its positions, the network and the progress."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Start or continue a run. ValueError for a folder of another run."""
        import numpy
        import torch

        self.options, self.folder = options, options.folder
        self.data = data = Positions(options.data)
        names = "blocks channels positions epochs batch rate policy mix decay seed"
        self.recipe = {name: getattr(options, name) for name in names.split()}
        self.recipe["data"] = data.fingerprint()
        self.test = Positions(options.test) if options.test else None
        if self.test is not None and not set(self.test.size) <= set(data.size):
            raise ValueError("--test has boards of sizes that the data lack")
        fitted = numpy.flatnonzero(~data.held_out).astype(numpy.uint32)
        self.target, self.scale = target_of(
            data.score,
            data.result,
            ~data.held_out,
            options.mix,
            partial(data.returns, decay=options.decay),
        )
        if options.positions is not None:  # of the games with the first numbers
            first = numpy.argsort(data.number[fitted], kind="stable")
            fitted = numpy.sort(fitted[first[: options.positions]])
        self.fitted = fitted
        corrected = pack_weights(read_weights(options.correct, Rule[data.rule]))
        self.recipe["corrected"] = hashlib.sha256(corrected).hexdigest()
        torch.manual_seed(options.seed)
        self.teacher = Teacher(options.blocks, options.channels, corrected)
        self.net, self.device = self.teacher.net, self.teacher.device
        rows = [self.net[name].weight for name in ROWS]
        others = [p for p in self.net.parameters() if all(p is not row for row in rows)]
        self.optimizer = torch.optim.AdamW(
            [
                {"params": others, "weight_decay": WEIGHT_DECAY},
                {"params": rows, "weight_decay": ROW_DECAY},
            ],
            options.rate,
        )
        self.step = 0
        self.batches = len(self._order(0))
        self.steps = options.epochs * self.batches
        self.losses: list[dict[str, float]] = []
        self.sum = torch.zeros((), dtype=torch.float64, device=self.device)
        self.summed, self.seconds = 0, 0.0
        path = self.folder / CHECKPOINT
        if path.exists():
            state = _state_in(path)
            if state["recipe"] != self.recipe:
                raise ValueError(f"{path} is of another run, {state['recipe']}")
            self.net.load_state_dict(state["net"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.losses = json.loads(state["losses"])
            for name in ("step", "summed", "seconds"):
                setattr(self, name, state[name])
            self.sum += state["sum"]

    def save(self) -> None:
        """Write a checkpoint."""
        import torch

        names = ("step", "steps", "summed", "seconds")
        state = {name: getattr(self, name) for name in names} | {
            "sum": float(self.sum),
            "recipe": json.dumps(self.recipe),
            "losses": json.dumps(self.losses),
            "net": self.net.state_dict(),
            "norms": self.teacher.norms,
            "optimizer": self.optimizer.state_dict(),
            "corrected": torch.tensor(list(self.teacher.corrected), dtype=torch.uint8),
        }
        data = BytesIO()
        torch.save(state, data)
        write_whole(self.folder / CHECKPOINT, data.getvalue())

    def _order(self, epoch: int) -> list[Array]:
        """Return the batches of an epoch, each of one size of board."""
        import numpy

        dice = numpy.random.default_rng((self.options.seed, epoch))
        found = []
        for size in numpy.unique(self.data.size[self.fitted]):
            same = self.fitted[self.data.size[self.fitted] == size]
            dice.shuffle(same)
            parts = range(0, len(same), self.options.batch)
            found += [same[at : at + self.options.batch] for at in parts]
        return [found[k] for k in dice.permutation(len(found))]

    def train(self) -> Iterator[None]:
        """Do the rest of the run; yield after each step."""
        while self.step < self.steps:
            epoch, done = divmod(self.step, self.batches)
            for batch in self._order(epoch)[done:]:
                rate = 0.5 * (1 + math.cos(math.pi * self.step / self.steps))
                rate = (rate + LAST_RATE) * min(1, (self.step + 1) / WARM_UP)
                for group in self.optimizer.param_groups:
                    group["lr"] = self.options.rate * rate
                self._fit(batch)
                self.step += 1
                yield

    def _fit(self, batch: Array) -> None:
        """Do one step. (A GPU works on it while the next batch is made.)"""
        import numpy
        import torch
        from torch.nn import functional

        dice = numpy.random.default_rng((self.options.seed, 0, self.step))
        image = dice.integers(IMAGES, size=len(batch))
        plain, moves, (stones, kinds) = self.teacher.seen(self.data, batch, image)
        wanted = self.target[batch].astype(numpy.float32)
        move, target = (
            torch.from_numpy(part).to(self.device, non_blocking=True)
            for part in (moves, wanted)
        )
        with _half_precision(self.device):
            value, policy = outputs(self.net, stones, kinds)
        value = value.float() + self.teacher.start_of(self.data, batch, plain)
        loss = functional.binary_cross_entropy_with_logits(value, target)
        legal = policy.float().masked_fill(stones != 0, -1e4)
        both = loss + self.options.policy * functional.cross_entropy(legal, move)
        self.optimizer.zero_grad(set_to_none=True)
        both.backward()
        self.optimizer.step()
        self.sum += loss.detach()
        self.summed += 1

    def settle(self) -> None:
        """Set the statistics of the norms for each size, by any positions of it."""
        import numpy

        dice = numpy.random.default_rng((self.options.seed, self.steps))
        for size in numpy.unique(self.data.size):
            same = numpy.flatnonzero(self.data.size == size)
            chosen, batch = dice.permutation(same)[:SETTLED], self.options.batch
            whole = len(chosen) // batch * batch or len(chosen)  # each counts the same
            batches = [chosen[at : at + batch] for at in range(0, whole, batch)]
            turned = [dice.integers(IMAGES, size=len(part)) for part in batches]
            self.teacher.settle(self.data, zip(batches, turned, strict=True))

    def report(self, found: dict[str, float]) -> None:
        """Print losses, and add them to the file."""
        self.losses.append(found)
        print(json.dumps(found), flush=True)
        text = "".join(json.dumps(line) + "\n" for line in self.losses)
        write_whole(self.folder / LOSSES, text)

    def judge(self) -> dict[str, float]:
        """Return the losses on held-out positions and on those of ``--test``, alone
        and aligned, also of the mean of all symmetric images.
        """
        import numpy

        data, held = self.data, self.data.held_out
        tasks = {
            "results": (data, data.result, numpy.flatnonzero(held & data.played)),
            "evaluated": (data, self.target, numpy.flatnonzero(held & ~data.played)),
        }
        if (test := self.test) is not None:
            opinion = test.returns(self.scale, self.options.decay)
            tasks["test"] = (test, opinion, numpy.flatnonzero(~test.played))
        found: dict[str, float] = {}
        for name, (positions, aim, which) in tasks.items():
            most = self.options.judged or len(which)
            which = which[:: max(1, -(-len(which) // most))]
            if len(which):
                found[f"{name}_positions"] = len(which)
                for symmetries, end in ((1, ""), (IMAGES, "_8")):
                    logits = self.teacher.logits(positions, which, symmetries)
                    found[name + end] = loss_of(logits, aim[which])
                    aligned = aligned_loss_of(logits, aim[which])
                    found[f"{name}{end}_aligned"] = aligned
        return found


def train(run: TeacherRun) -> None:
    """Do the rest of a run and judge it; checkpoints by ``--checkpoint``."""
    started = saved = perf_counter()
    before, first = run.seconds, run.step
    marks = {run.steps * k // REPORTS for k in range(1, REPORTS + 1)}
    for _ in run.train():
        now = perf_counter()
        run.seconds = before + now - started
        if run.step in marks:
            speed = (run.step - first) * run.options.batch / (now - started)
            found = {"step": run.step, "fitted": float(run.sum) / run.summed}
            run.report(found | {"seconds": run.seconds, "positions_a_second": speed})
            run.sum.zero_()
            run.summed = 0
        if run.step == run.steps or now - saved >= run.options.checkpoint:
            run.save()
            saved = now
    if "step" in run.losses[-1]:  # it has not been judged
        run.settle()
        run.report({"positions": len(run.fitted)} | run.judge())
        run.save()


def add_threads(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--threads``."""
    parser.add_argument(
        "--threads", type=at_least(1), default=1, help="of torch, on processors (1)"
    )


def use_threads(count: int) -> None:
    """Set the threads of torch. Call it before torch is imported: then threads that
    wait leave the processor to other work.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    import torch

    torch.set_num_threads(count)


def main(argv: list[str] | None = None) -> int:
    """Run ``python -m gomoku_brain.lab.train.teacher``; see ``--help``."""
    parser = OneLineParser(
        prog="python -m gomoku_brain.lab.train.teacher",
        description="Fit a residual network over kinds of cells to packed positions.",
    )
    count, amount = at_least(1), number_within(0)
    share = number_within(0, 1, "share")
    add = parser.add_argument
    add("folder", type=Path, help="for checkpoint and losses")
    add("data", type=Path, nargs="+", help="folders of packed positions")
    add("--test", type=Path, nargs="*", help="such folders, of evaluated positions")
    add("--blocks", type=count, default=4)
    add("--channels", type=count, default=48)
    add("--correct", type=Path, required=True, help="weights file to correct")
    add("--positions", type=count, help="fit so many, of the first games")
    add("--epochs", type=count, default=2)
    add("--batch", type=count, default=256)
    add("--rate", type=amount, default=2e-3)
    add("--policy", type=amount, default=0.1, help="weight of the loss of the moves")
    add("--mix", type=share, default=0.8, help="share of the search in the target")
    add("--lambda", dest="decay", type=share, default=0.8, help="as in trainer")
    add("--seed", type=at_least(0), default=1)
    add("--judged", type=count, help="most held-out positions of each kind (all)")
    add("--checkpoint", type=amount, default=600, help="seconds between two")
    add_threads(parser)
    options = parser.parse_args(argv)
    return run_reporting("teacher", lambda: _train(options))


def _train(options: argparse.Namespace) -> None:
    use_threads(options.threads)
    make_folder(options.folder)
    train(TeacherRun(options))


if __name__ == "__main__":
    raise SystemExit(main())
