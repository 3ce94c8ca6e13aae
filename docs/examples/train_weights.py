"""Weights of the shipped form, trained by PyTorch from samples of this package.

    pip install torch                                            # this example's need
    python docs/examples/self_play.py samples --games 20000 --workers 2
    python docs/examples/train_weights.py samples mine.bin --hand hand.bin
    gomoku-brain match --engine mine=ours weights=mine.bin \\
        --engine hand=ours weights=hand.bin --nodes 2000 --games 100

Run it in a copy of the repository: it takes the kinds of cells and the conversion to
integers from ``gomoku_brain.lab``, which no wheel has. docs/WEIGHTS.md describes the
network and the file.
"""

import argparse
from pathlib import Path

import numpy
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

from gomoku_brain import Board, Rule, load_samples
from gomoku_brain.eval.hand_weights import TEMPO_BITS, hand_weights
from gomoku_brain.eval.linear import kind_ranks
from gomoku_brain.eval.weights import Weights, pack_weights
from gomoku_brain.lab.train.features import (
    COUNT_OF_KINDS,
    kinds_of_cells,
    position_features,
)
from gomoku_brain.lab.train.parts import UNIT, choices_of, linear_parts
from gomoku_brain.lab.train.pooled import FIRST, POOL_UNIT, SECOND, WIDTH, ZONES
from gomoku_brain.lab.train.quantize import linear_values, pooled_parts

SEARCH = 0.8  # share of the search's opinion in the target; the rest is the result


class Net(nn.Module):
    """The network of docs/WEIGHTS.md, for a rule that treats both sides alike."""

    def __init__(self) -> None:
        """Start from small random numbers."""
        super().__init__()
        self.linear = nn.Embedding(2 * (COUNT_OF_KINDS + 1), 1)
        self.table = nn.Embedding(2 * (COUNT_OF_KINDS + 1), WIDTH)
        nn.init.zeros_(self.linear.weight)
        nn.init.normal_(self.table.weight, std=0.05)
        self.tempo = nn.Parameter(torch.zeros(1 << TEMPO_BITS))
        self.bias = nn.Parameter(torch.zeros(WIDTH))
        self.zones = nn.ModuleList(nn.Linear(2 * WIDTH, WIDTH) for _ in ZONES)
        self.first = nn.Linear(2 * WIDTH + len(ZONES) * WIDTH, FIRST)
        self.second = nn.Linear(FIRST, SECOND)
        self.output = nn.Linear(SECOND, 1, bias=False)

    def forward(self, kinds: torch.Tensor, tempo: torch.Tensor) -> torch.Tensor:
        """Return the logits of positions for the side to move.

        ``kinds``: (n, height, width, 2), the mover's kind of each cell and the other's.
        """
        own, other = kinds[..., 0], kinds[..., 1]
        empty = (own != COUNT_OF_KINDS)[..., None]
        second = COUNT_OF_KINDS + 1  # the rows of the other side follow
        linear = in_units(self.linear(own)) + in_units(self.linear(other + second))
        views = []
        for mine, theirs in ((own, other), (other, own)):
            point = self.table(mine) + self.table(theirs + second) + self.bias
            views.append(torch.relu(point) * empty)
        pools = regions_of(torch.cat(views, -1)) * POOL_UNIT
        parts = [pools.sum(1)]
        for zone, regions in zip(self.zones, ZONES, strict=True):
            parts.append(torch.relu(zone(pools[:, list(regions)])).sum(1))
        hidden = torch.relu(self.second(torch.relu(self.first(torch.cat(parts, 1)))))
        total: torch.Tensor = (linear * empty).sum((1, 2, 3)) + self.tempo[tempo]
        return total + self.output(hidden)[:, 0]

    def floats(self) -> dict[str, numpy.ndarray]:
        """Return the parameters by the names of the file's parts, with its layout."""
        state = {name: value.numpy() for name, value in self.state_dict().items()}
        kept = numpy.r_[:COUNT_OF_KINDS, COUNT_OF_KINDS + 1 : 2 * COUNT_OF_KINDS + 1]
        zones = range(len(ZONES))
        return {
            "linear": state["linear.weight"][kept],
            "table": state["table.weight"][kept],
            "tempo": state["tempo"],
            "bias": state["bias"],
            "zones": numpy.stack([state[f"zones.{k}.weight"].T for k in zones]),
            "zone_bias": numpy.stack([state[f"zones.{k}.bias"] for k in zones]),
            "first": state["first.weight"].T,
            "first_bias": state["first.bias"],
            "second": state["second.weight"].T,
            "second_bias": state["second.bias"],
            "output": state["output.weight"][0],
        }


def in_units(logits: torch.Tensor) -> torch.Tensor:
    """Round to whole score units, as the file does: many cells share one kind."""
    return logits + (torch.round(logits * UNIT) / UNIT - logits).detach()


def regions_of(points: torch.Tensor) -> torch.Tensor:
    """Return the sums of points (n, height, width, k) over nine regions, in rows."""
    edge = (points.shape[1] + 1) // 3
    size = points.shape[1]
    cuts = (slice(0, edge), slice(edge, size - edge), slice(size - edge, size))
    sums = [points[:, rows, columns].sum((1, 2)) for rows in cuts for columns in cuts]
    return torch.stack(sums, 1)


def positions_in(
    folder: Path, most: int
) -> tuple[Rule, numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Return (rule, kinds, tempo, target) of the positions that an engine evaluates."""
    kinds, tempos, targets = [], [], []
    for part in load_samples(folder):
        black_to_move = part.planes[:, 4, 0, 0]
        thought = 0.5 + numpy.tanh(part.score / UNIT / 2) / 2
        thought = numpy.where(part.win_in == 0, thought, part.win_in > 0)
        target = SEARCH * thought + (1 - SEARCH) * part.result
        for k in numpy.flatnonzero(~numpy.isnan(target)):
            board = Board.from_planes(part.planes[k, :5], rule=part.rule)
            seen = position_features(board)
            if seen is None:  # threats decide it, without an evaluation
                continue
            cells = numpy.frombuffer(kinds_of_cells(board), numpy.uint16)
            cells = cells.reshape(board.height, board.width, 2)
            kinds.append(cells if black_to_move[k] else cells[..., ::-1])
            tempos.append(seen[2])
            targets.append(target[k])
            if len(kinds) == most:
                break
        if len(kinds) == most:
            break
    aim = numpy.array(targets, numpy.float32)
    return part.rule, numpy.stack(kinds), numpy.array(tempos, numpy.int64), aim


def train(
    net: Net, data: tuple[numpy.ndarray, ...], epochs: int, batch: int, rate: float
) -> None:
    """Fit the network, and print the loss of the last twentieth, which is held out."""
    kinds, tempo, target = (torch.from_numpy(part) for part in data)
    fitted = len(target) * 19 // 20
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-4)
    steps = max(fitted // batch, 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, epochs * steps)

    def loss_of(which: torch.Tensor) -> torch.Tensor:
        logits = net(kinds[which].long(), tempo[which])
        return cross_entropy(logits, target[which])

    for epoch in range(epochs):
        order = torch.randperm(fitted)
        total = 0.0
        for step in range(steps):
            optimizer.zero_grad()
            loss = loss_of(order[step * batch : (step + 1) * batch])
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item()
        with torch.no_grad():
            rest = torch.arange(fitted, len(target)).split(batch)
            held = sum(loss_of(part).item() * len(part) for part in rest)
        held /= max(len(target) - fitted, 1)
        print(f"epoch {epoch + 1}: loss {total / steps:.4f}, held out {held:.4f}")


def weights_of(net: Net, hand: Weights) -> Weights:
    """Return the network as integers, with the move scores of other weights."""
    floats = net.floats()
    parts = linear_parts(linear_values(floats), choices_of(hand)) | pooled_parts(floats)
    return Weights("points", hand.rule, parts)


def main(argv: list[str] | None = None) -> None:
    """Train, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("samples", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--hand", type=Path, help="also the hand-set weights")
    parser.add_argument("--most", type=int, default=1_000_000, help="positions")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--rate", type=float, default=3e-3)
    options = parser.parse_args(argv)
    torch.manual_seed(1)
    rule, *data = positions_in(options.samples, options.most)
    if rule.sides_differ:
        parser.error(f"{rule.name.lower()} needs a table for each side: see docs")
    print(f"{len(data[0]):,} positions")
    net = Net()
    train(net, tuple(data), options.epochs, options.batch, options.rate)
    hand = hand_weights(rule, [kind_ranks(rule, side) for side in range(2)])
    options.out.write_bytes(pack_weights(weights_of(net, hand)))
    if options.hand is not None:
        options.hand.write_bytes(pack_weights(hand))


if __name__ == "__main__":
    main()
