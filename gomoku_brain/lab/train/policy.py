"""Comparison of a policy network with today's move scores.

A policy should predict the best move of a search of many nodes. Today's move score of a
cell depends on the shapes on the four lines through it and on nothing else
(``eval.linear``). A policy could also use the numbers that a network over points
updates with each move: those of the cell and of the cells around it, and their sums
over regions and the whole board. The fits here are corrections to today's move scores
on the same positions, and are judged by held-out games. The engine uses none of this.

The folder stores the searched positions, one on a line, so the same command continues
an interrupted run:

    number size moves best score

``number`` is that of the game, ``moves`` lead to the position (joined by commas),
``best`` is the move that a search found there, ``score`` as in ``selfplay``.
"""

import argparse
import random
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gomoku_brain.control.limits import Limits
from gomoku_brain.engine.engine import Engine
from gomoku_brain.eval.weights import Weights, shipped_weights
from gomoku_brain.game.notation import format_moves, parse_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.lab.train.features import COUNT_OF_KINDS, kinds_of_cells, move_choices
from gomoku_brain.lab.train.numbered import LineTask, make_lines, numbered_lines
from gomoku_brain.lab.train.parts import array_of, choices_of
from gomoku_brain.lab.train.program_options import (
    add_rule,
    add_seed,
    count,
    make_parser,
    run,
)
from gomoku_brain.lab.train.quantize import ROW_UNIT
from gomoku_brain.lab.train.samples import game_of
from gomoku_brain.lab.train.selfplay import score_word
from gomoku_brain.runs.output_files import make_folder
from gomoku_brain.runs.run_options import add_workers

__all__ = ["main"]

Array = Any  # numpy.ndarray; numpy is imported late

POSITIONS = "moves.txt"
HELD = 5  # one position in so many is held out
BATCH = 64  # positions
RATE = 1e-3
LEAST = {"kinds": 1e-4}  # numbers with smaller slopes (rare kinds) move less
DECAY = 0.02  # pull of the fitted numbers towards 0, in shares of the rate


# Positions and their best moves


def position_of(line: str, rule: Rule, seed: int) -> Board | None:
    """Return a position of a game with a choice of moves, drawn by the game's number.

    None for a game without one.
    """
    game = game_of(line)
    plies = list(range(len(game.moves) - len(game.scores), len(game.moves)))
    random.Random(f"{seed} {game.number}").shuffle(plies)
    for ply in plies:
        board = Board.from_moves(game.moves[:ply], game.size, rule)
        if move_choices(board):
            return board
    return None


@dataclass(frozen=True, slots=True)
class PolicyRecipe:
    """Recipe that, with a game's line, determines its position and the best move
    there.
    """

    rule: Rule
    seed: int
    nodes: int
    """Nodes of the search."""

    def line(self, number: int, source: str, engine: Engine) -> str:
        """Return the line made from the game ``source``, without its end.

        It is the number alone if no position of the game has a choice of moves.
        """
        board = position_of(source, self.rule, self.seed)
        if board is None:
            return str(number)
        engine.new_game()
        found = engine.search(board, Limits(nodes=self.nodes))
        moves = format_moves(board.moves, ",")
        return f"{number} {board.width} {moves} {found.move} {score_word(found)}"


# Inputs of the moves


@dataclass(slots=True)
class Choices:
    """Moves of all positions: those of position k are ``starts[k]`` to ``starts[k +
    1]``.

    The numbers of a point are 2 x width numbers, those of the view of the side to move
    first, with negative ones replaced by 0 as in the network.
    """

    starts: Array
    mine: Array
    """Kinds of the cells for the side to move."""
    theirs: Array
    """Kinds of the cells for the other side."""
    score: Array
    """Today's move scores, in logits."""
    shown: dict[str, Array]
    """Numbers of a cell, and their means over "near" (3 x 3), its "region" and the
    "board".

    The means count empty cells only. Rows of numbers, scaled to a spread of 1.
    """
    best: Array
    """Index of each position's best move, counted over all moves."""
    proved: Array
    """Whether the search had proved the result."""

    def __len__(self) -> int:
        return len(self.best)


def weights_for(rule: Rule) -> Weights:
    """Return the rule's shipped weights.

    Raises ValueError unless they are a network over points with one table for both
    sides.
    """
    name = rule.name.lower()
    weights = shipped_weights(int(rule))
    if weights is None or weights.kind != "points":
        raise ValueError(f"{name} has no network over points")
    if rule.sides_differ:
        raise ValueError(f"{name} has rows for each side; a policy needs one table")
    return weights


def read_choices(lines: Iterable[str], weights: Weights) -> Choices:
    """Replay searched positions; one whose best move is none of the choices is left
    out.

    ``weights``: those of ``weights_for``. Raises ValueError if no position is left.
    """
    import numpy

    rule = Rule(weights.rule)
    table = array_of(weights.parts["rows"]) / ROW_UNIT
    starts, best, proved = [0], [], []
    cells: list[tuple[Array, Array]] = []
    shown: dict[str, list[Array]] = {name: [] for name in SHOWN}
    for line in lines:
        words = line.split()
        if len(words) == 1:
            continue
        _, size_text, moves, move, score = words
        size = int(size_text)
        board = Board.from_moves(moves.replace(",", " "), size, rule)
        choices = [tuple(choice) for choice in move_choices(board)]
        chosen = tuple(parse_moves(move)[0])
        if chosen not in choices:
            continue
        kinds = numpy.frombuffer(kinds_of_cells(board), numpy.uint16)
        own_first = 1 if board.turn is Side.BLACK else -1
        kinds = kinds.reshape(size, size, 2)[..., ::own_first]
        x, y = numpy.array(choices).T
        for name, numbers in around(table, kinds.astype(int)).items():
            shown[name].append(numbers[y, x].astype(numpy.float32))
        cells.append((kinds[y, x, 0], kinds[y, x, 1]))
        best.append(starts[-1] + choices.index(chosen))
        starts.append(starts[-1] + len(choices))
        proved.append(score[0] in "WL")
    if not best:
        raise ValueError("no position has its best move among the choices")
    mine, theirs = (
        numpy.concatenate([pair[k] for pair in cells]).astype(int) for k in range(2)
    )
    attack, defend = choices_of(weights)[0]
    whole = {}
    for name, parts in shown.items():
        numbers = numpy.concatenate(parts)
        spread = numpy.maximum(numbers.std(0), 1e-6)
        whole[name] = (numbers / spread).astype(numpy.float32)
    return Choices(
        numpy.array(starts),
        mine,
        theirs,
        (attack[mine] + defend[theirs]).astype(numpy.float32),
        whole,
        numpy.array(best),
        numpy.array(proved),
    )


def around(table: Array, kinds: Array) -> dict[str, Array]:
    """Return the numbers of every cell, (size, size, 2 x width), and the means around
    it.

    ``table``: rows of own and other kinds; ``kinds``: (size, size, 2), those of the
    side to move first.
    """
    import numpy

    size = len(kinds)
    empty = (kinds[..., 0] < COUNT_OF_KINDS)[..., None]
    one, two = numpy.minimum(kinds, COUNT_OF_KINDS - 1).transpose(2, 0, 1)
    views = [table[0][one] + table[1][two], table[0][two] + table[1][one]]
    cell = numpy.maximum(numpy.concatenate(views, 2), 0) * empty
    wide = numpy.pad(cell, ((1, 1), (1, 1), (0, 0)))
    near = sum(wide[i : i + size, j : j + size] for i in range(3) for j in range(3))
    edge = (size + 1) // 3
    thirds = numpy.arange(size)
    thirds = (thirds >= edge).astype(int) + (thirds >= size - edge)
    regions = numpy.zeros_like(cell)
    for i in range(3):
        for j in range(3):
            here = numpy.ix_(thirds == i, thirds == j)
            regions[here] = cell[here].mean((0, 1))
    whole = numpy.broadcast_to(cell.mean((0, 1)), cell.shape)
    return {"cell": cell, "near": near, "region": regions, "board": whole}


# Policies that are compared


@dataclass(frozen=True, slots=True)
class Policy:
    """Policy: terms that are added to a multiple of today's move score."""

    title: str
    shown: tuple[str, ...] = ()
    """Inputs, of those in ``SHOWN``."""
    hidden: int = 0
    """Hidden numbers between the inputs and the move's score; 0: none."""
    kinds: bool = False
    """Whether each kind of cell has a number of its own as well."""


SHOWN = ("cell", "near", "region", "board")
POLICIES = {
    "scale": Policy("today's, another temperature"),
    "kinds": Policy("kinds refitted", kinds=True),
    "cell": Policy("what the cell shows, linear", ("cell",)),
    "cell32": Policy("what the cell shows, 32 hidden", ("cell",), 32),
    "near32": Policy("cell and 3x3, 32 hidden", ("cell", "near"), 32),
    "all32": Policy("cell, 3x3, region, board, 32 hidden", SHOWN, 32),
    "all32k": Policy("the same, and kinds refitted", SHOWN, 32, kinds=True),
    "all64": Policy("cell, 3x3, region, board, 64 hidden", SHOWN, 64),
}


class Head:
    """Parameters of a policy, its move scores in logits, and its fit."""

    def __init__(self, policy: Policy, choices: Choices, seed: int) -> None:
        """Start with today's move scores."""
        import numpy

        self.policy, self.choices = policy, choices
        dice = numpy.random.default_rng(seed)
        inputs = sum(choices.shown[name].shape[1] for name in policy.shown)
        width = policy.hidden or inputs
        self.parameters: dict[str, Array] = {"scale": numpy.ones(1, numpy.float32)}
        if policy.kinds:
            self.parameters["kinds"] = numpy.zeros((2, COUNT_OF_KINDS), numpy.float32)
        if inputs:
            self.parameters["output"] = numpy.zeros(width, numpy.float32)
        if policy.hidden:
            first = dice.standard_normal((inputs, width)) * inputs**-0.5
            self.parameters["first"] = first.astype(numpy.float32)
            self.parameters["bias"] = numpy.zeros(width, numpy.float32)
        self._means = {n: numpy.zeros_like(p) for n, p in self.parameters.items()}
        self._squares = {n: numpy.zeros_like(p) for n, p in self.parameters.items()}
        self._steps = 0

    @property
    def count(self) -> int:
        """Number of parameters."""
        return sum(p.size for p in self.parameters.values())

    def forward(self, rows: Array) -> tuple[Array, Array | None, Array | None]:
        """Return (logits, inputs, hidden numbers) of some moves."""
        import numpy

        p, choices = self.parameters, self.choices
        z = p["scale"] * choices.score[rows]
        seen = hidden = None
        if "kinds" in p:
            z = z + p["kinds"][0][choices.mine[rows]]
            z += p["kinds"][1][choices.theirs[rows]]
        if "output" in p:
            parts = [choices.shown[name][rows] for name in self.policy.shown]
            seen = hidden = numpy.concatenate(parts, 1)
            if "first" in p:
                hidden = numpy.maximum(seen @ p["first"] + p["bias"], 0)
            z = z + hidden @ p["output"]
        return z, seen, hidden

    def scores(self) -> Array:
        """Return the move scores of all moves, in logits."""
        import numpy

        positions = numpy.arange(len(self.choices))
        parts = numpy.array_split(positions, max(1, len(positions) // 500))
        return numpy.concatenate(
            [self.forward(rows_of(self.choices, part)[0])[0] for part in parts]
        )

    def slopes(self, positions: Array) -> dict[str, Array]:
        """Return the gradient of the mean log-loss of some positions."""
        import numpy

        choices, p = self.choices, self.parameters
        rows, starts = rows_of(choices, positions)
        z, seen, hidden = self.forward(rows)
        slope = probabilities(z, starts)
        slope[starts + choices.best[positions] - choices.starts[positions]] -= 1
        slope /= len(positions)
        slopes = {"scale": (slope @ choices.score[rows])[None]}
        if "kinds" in p:
            kinds = (choices.mine[rows], choices.theirs[rows])
            slopes["kinds"] = numpy.stack(
                [numpy.bincount(kind, slope, COUNT_OF_KINDS) for kind in kinds]
            ).astype(numpy.float32)
        if hidden is not None and seen is not None:
            slopes["output"] = hidden.T @ slope
            if "first" in p:
                back = numpy.outer(slope, p["output"]) * (hidden > 0)
                slopes |= {"first": seen.T @ back, "bias": back.sum(0)}
        return slopes

    def step(self, positions: Array, rate: float) -> None:
        """Do one step of Adam (Kingma and Ba 2014) on some positions."""
        import numpy

        p = self.parameters
        self._steps += 1
        for name, found in self.slopes(positions).items():
            mean, square = self._means[name], self._squares[name]
            mean += 0.1 * (found - mean)
            square += 0.001 * (found * found - square)
            size = (1 - 0.9**self._steps) / (1 - 0.999**self._steps) ** 0.5
            decay = DECAY if name != "scale" else 0
            move = mean / (numpy.sqrt(square) * size + LEAST.get(name, 1e-7))
            p[name] -= rate * (move + decay * p[name])


def rows_of(choices: Choices, positions: Array) -> tuple[Array, Array]:
    """Return (rows of the moves of some positions, start of each position's rows)."""
    import numpy

    sizes = numpy.diff(choices.starts)[positions]
    starts = numpy.concatenate([[0], numpy.cumsum(sizes)[:-1]])
    rows = numpy.arange(sizes.sum()) + numpy.repeat(
        choices.starts[positions] - starts, sizes
    )
    return rows, starts


def probabilities(z: Array, starts: Array) -> Array:
    """Return the softmax over each position's moves."""
    import numpy

    sizes = numpy.diff(numpy.append(starts, len(z)))
    z = z.astype(numpy.float32)
    e = numpy.exp(z - numpy.repeat(numpy.maximum.reduceat(z, starts), sizes))
    return e / numpy.repeat(numpy.add.reduceat(e, starts), sizes)


def fit(
    policy: Policy, choices: Choices, fitted: Array, *, epochs: int, seed: int
) -> Head:
    """Fit a policy to some positions; the rate falls to 0 at the end."""
    import numpy

    head = Head(policy, choices, seed)
    dice = numpy.random.default_rng(seed)
    batches = -(-len(fitted) // BATCH)
    steps = epochs * batches
    for step in range(steps):
        k = step % batches
        if k == 0:
            order = dice.permutation(fitted)
        head.step(order[k * BATCH : (k + 1) * BATCH], RATE * (1 - step / steps))
    return head


# Judgement of the policies


def judge(choices: Choices, z: Array) -> dict[str, Array]:
    """Return figures of each position: best move first, best move among three,
    log-loss.
    """
    import numpy

    starts = choices.starts[:-1]
    sizes = numpy.diff(choices.starts)
    better = (z > numpy.repeat(z[choices.best], sizes)).astype(int)
    rank = numpy.add.reduceat(better, starts)
    p = probabilities(z, starts)[choices.best]
    return {"top-1": rank < 1, "top-3": rank < 3, "log-loss": -numpy.log(p)}


def table(
    choices: Choices, held: Array, found: dict[str, tuple[int, dict[str, Array]]]
) -> str:
    """Return the policies as Markdown, with differences to the first, on positions
    ``held``.
    """
    lines = [
        "| policy | numbers | top-1 | against today's | top-3 | log-loss"
        " | against today's | top-1, nothing proved |",
        "|---|---|---|---|---|---|---|---|",
    ]
    (_, first), *_ = found.values()
    base = {what: values[held] for what, values in first.items()}
    unproved = ~choices.proved[held]
    for name, (size, all_figures) in found.items():
        figures = {what: values[held] for what, values in all_figures.items()}
        gaps = []
        for what, factor, form in (("top-1", 100, "+.1f"), ("log-loss", 1, "+.3f")):
            gap = factor * (figures[what].astype(float) - base[what])
            error = gap.std() / len(gap) ** 0.5
            text = f"{gap.mean():{form}} ± {error:{form[1:]}}"
            gaps.append(text if gap.any() else "")
        lines.append(
            f"| {name} | {size:,} | {100 * figures['top-1'].mean():.1f} % | {gaps[0]} "
            f"| {100 * figures['top-3'].mean():.1f} % "
            f"| {figures['log-loss'].mean():.3f} | {gaps[1]} "
            f"| {100 * figures['top-1'][unproved].mean():.1f} % |"
        )
    return "\n".join(lines)


def main(argv: list[str] | None = None) -> int:
    """Run ``python -m gomoku_brain.lab.train.policy``; see ``--help``."""
    parser = make_parser(
        "train.policy", "Compare policies by the best moves of long searches."
    )
    parser.add_argument("folder", type=Path, help="for the positions")
    parser.add_argument("games", type=Path, help="a file of self-play")
    add_rule(parser)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument(
        "--count", type=count, default=20_000, help="games, a position each"
    )
    parser.add_argument("--nodes", type=count, default=20_000, help="a position")
    parser.add_argument("--fitted", type=count, help="positions to fit to, at most")
    parser.add_argument("--epochs", type=count, default=30)
    parser.add_argument(
        "--policies", type=_policies, default=list(POLICIES), help=",".join(POLICIES)
    )
    add_seed(parser)
    add_workers(parser, "processes here that search (1)")
    return run(parser, argv, _compare)


def _policies(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in POLICIES:
            raise argparse.ArgumentTypeError(f"there is no policy {name}")
    return names


def _compare(options: argparse.Namespace) -> None:
    """Search the positions that the folder lacks, fit the policies, and print their
    table.
    """
    import numpy

    # Before the search, since positions that cannot be fitted are not searched.
    weights = weights_for(options.rule)
    last = options.first + options.count
    games = numbered_lines(options.games, last)[options.first :]
    make_folder(options.folder)
    path = options.folder / POSITIONS
    recipe = PolicyRecipe(options.rule, options.seed, options.nodes)
    tasks = [LineTask(recipe, n, line) for n, line in enumerate(games, options.first)]
    lines = make_lines(path, tasks, options.workers)
    choices = read_choices(lines, weights)
    held = numpy.arange(len(choices)) % HELD == 0
    fitted = numpy.flatnonzero(~held)[: options.fitted]
    print(
        f"{len(fitted)} positions fitted, {held.sum()} judged,"
        f" {choices.proved[held].sum()} of these with a proved result"
    )
    found = {"today's move score": (0, judge(choices, choices.score))}
    for name in options.policies:
        policy = POLICIES[name]
        head = fit(policy, choices, fitted, epochs=options.epochs, seed=options.seed)
        found[policy.title] = (head.count, judge(choices, head.scores()))
        print(f"{name} is done", file=sys.stderr)
    print(table(choices, held, found))


if __name__ == "__main__":
    # Other processes find a class by its module, which must not be __main__.
    from gomoku_brain.lab.train import policy

    raise SystemExit(policy.main())
