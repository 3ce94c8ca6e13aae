"""Calibration of the winning chance: fits it to the results of played games.

A chance is the expected result, with 1/2 for a draw (``eval.chance``). Games are read
from files of any format that stores the scores of the moves, such as those of
``gomoku-brain match``. A position counts if the mover reported the score of its search.
A position with a proved result is left out, since its chance is 0 or 1 already.

The positions of a game share its result, and the games of an opening resemble each
other. So games are divided into folds by openings. The positions of a fold are judged
by a fit to the other folds, and standard errors are those of sums over openings. The
scale printed at the end, for ``eval.chance``, is fitted to all games.
"""

import argparse
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from gomoku_brain.game.rules import Rule
from gomoku_brain.lab.train.losses import logistic_scale, sigmoid
from gomoku_brain.lab.train.program_options import make_parser, run
from gomoku_brain.records.game_record import GameRecord
from gomoku_brain.records.read import read_games

__all__ = ["FORMS", "GamePositions", "judged", "main", "positions_of"]

Array = Any  # numpy.ndarray; numpy is imported late

RESULTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
PLAYED = ("five", "foul", "full board", "max moves")  # ends that are no faults
BINS = 10
RESAMPLES = 200  # of the openings
MIN_IN_BIN = 30  # positions; a bin with fewer is not drawn


@dataclass(slots=True)
class GamePositions:
    """Positions of games; arrays with one row for each position."""

    rule: Array
    """Code of the rule."""
    opening: Array
    """Number of the opening, counted from 0 over all files."""
    game: Array
    """Number of the game, counted from 0."""
    filled: Array
    """Share of the cells that hold a stone."""
    score: Array
    """Score of the side to move, in score units."""
    result: Array
    """1, 0.5 or 0 for the side to move."""
    proved: int
    """Number of positions left out because the mover had proved the result."""
    right: int
    """Number of those positions in which the proved result came true."""

    def __len__(self) -> int:
        return len(self.score)


def positions_of(
    games: Iterable[tuple[str, GameRecord]], players: Iterable[str] = ()
) -> GamePositions:
    """Return the positions of games, given as pairs of file name and game.

    Only the moves of ``players`` count, or those of all players if it is empty. Games
    that ended by a fault are left out. Raises ValueError if no position is left.
    """
    import numpy

    wanted = set(players)
    openings: dict[tuple[str, str], int] = {}
    rows: list[tuple[float, ...]] = []
    proved = right = count = 0
    for number, (name, game) in enumerate(games):
        if game.result not in RESULTS or game.reason not in PLAYED:
            continue
        pair = game.extra.get("pair", f"game {number}")
        opening = openings.setdefault((name, pair), len(openings))
        for ply, played in enumerate(game.moves):
            if wanted and (game.white if ply % 2 else game.black) not in wanted:
                continue
            result = RESULTS[game.result]
            result = 1 - result if ply % 2 else result
            if played.win_in is not None:
                proved += 1
                right += result == (played.win_in > 0)
            elif played.score is not None:
                filled = ply / (game.width * game.height)
                rows.append((game.rule, opening, count, filled, played.score, result))
        count += 1
    if not rows:
        raise ValueError("no game with scores")
    columns = numpy.array(rows, float).T
    rules, groups, numbers = columns[:3].astype(int)
    filled, score, results = columns[3:]
    return GamePositions(rules, groups, numbers, filled, score, results, proved, right)


# Forms of the curve


def _plain(positions: GamePositions) -> Array:
    return positions.score


def _emptier(positions: GamePositions) -> Array:
    """Return the scores in the units that they would have on an empty board."""
    return positions.score * (1 - positions.filled)


@dataclass(frozen=True, slots=True)
class Form:
    """Form of the logistic curve to fit."""

    title: str
    units: Callable[[GamePositions], Array]
    by_rule: bool


FORMS = {
    "plain": Form("one scale", _plain, by_rule=False),
    "filled": Form("one scale, by the filling of the board", _emptier, by_rule=False),
    "rules": Form("a scale a rule, by the filling", _emptier, by_rule=True),
}


def scales(form: Form, positions: GamePositions, fitted: Array) -> dict[int, float]:
    """Return the score units per logit for each rule, from the ``fitted`` positions."""
    units, rules = form.units(positions), positions.rule
    found = {}
    for rule in sorted(set(rules.tolist())):
        here = fitted & (rules == rule) if form.by_rule else fitted
        found[rule] = logistic_scale(units[here], positions.result[here])
    return found


def scales_text(form: Form, positions: GamePositions) -> str:
    """Return the scales by all positions, and the intervals that hold 95 % of the
    resamples.
    """
    units, parts = form.units(positions), []
    for rule in sorted(set(positions.rule.tolist())) if form.by_rule else [None]:
        here = positions.rule >= 0 if rule is None else positions.rule == rule
        some = units[here], positions.result[here]
        low, high = interval(*some, positions.opening[here])
        name = "" if rule is None else f"{Rule(rule).name.lower()} "
        parts.append(f"{name}{logistic_scale(*some):.0f} ({low:.0f} to {high:.0f})")
    return ", ".join(parts)


def interval(units: Array, result: Array, opening: Array) -> tuple[float, float]:
    """Return the interval that holds 95 % of the scales, over resamples of the
    openings.

    Openings are drawn with replacement.
    """
    import numpy

    dice = numpy.random.default_rng(1)
    rows = [numpy.flatnonzero(opening == name) for name in numpy.unique(opening)]
    found = []
    for _ in range(RESAMPLES):
        drawn = dice.integers(len(rows), size=len(rows))
        some = numpy.concatenate([rows[k] for k in drawn])
        found.append(logistic_scale(units[some], result[some]))
    low, high = numpy.percentile(found, [2.5, 97.5])
    return float(low), float(high)


def judged(form: Form, positions: GamePositions, folds: int) -> Array:
    """Return the logits of all positions, each by a fit to the other folds of openings.

    Raises ValueError if a rule of a form by rules is in one fold only.
    """
    import numpy

    logits = numpy.zeros(len(positions))
    fold = positions.opening % folds
    for k in range(folds):
        here, others = fold == k, fold != k
        missing = set(positions.rule[here]) - set(positions.rule[others])
        if not others.any() or (form.by_rule and missing):
            raise ValueError(f"too few openings for {folds} folds")
        known = scales(form, positions, others)
        scale = numpy.array([known[rule] for rule in positions.rule[here].tolist()])
        logits[here] = form.units(positions)[here] / scale
    return logits


# Figures of a fit


def mean_and_error(values: Array, opening: Array) -> tuple[float, float]:
    """Return the mean over positions, and its standard error over openings."""
    import numpy

    _, group = numpy.unique(opening, return_inverse=True)
    sums, sizes = numpy.bincount(group, values), numpy.bincount(group)
    mean = float(values.mean())
    groups = len(sizes)
    if groups < 2:
        return mean, float("nan")
    spread = float(((sums - mean * sizes) ** 2).sum() * groups / (groups - 1))
    return mean, spread**0.5 / len(values)


def brier(logits: Array, result: Array) -> Array:
    """Return the squared errors of the chances, one for each position."""
    return (sigmoid(logits) - result) ** 2


def table(positions: GamePositions, before: Array, forms: dict[str, Array]) -> str:
    """Return the Brier scores and log losses by rule and form, as Markdown."""
    head = (
        "| rule | openings | games | positions | drawn games | curve | Brier score"
        " | against before | log loss | against before |"
    )
    lines = [head, "|" + "---|" * (head.count("|") - 1)]
    rules = sorted(set(positions.rule.tolist()))
    for rule in [*rules, None]:
        here = positions.rule == rule if rule is not None else positions.rule >= 0
        if rule is None and len(rules) == 1:
            break
        lines += _rows(positions, here, before, forms)
    return "\n".join(lines)


def _rows(
    positions: GamePositions, here: Array, before: Array, forms: dict[str, Array]
) -> list[str]:
    """Return the rows of one rule, or of all rules."""
    import numpy

    rules = set(positions.rule[here].tolist())
    name = Rule(rules.pop()).name.lower() if len(rules) == 1 else "all"
    opening, result = positions.opening[here], positions.result[here]
    games, first = numpy.unique(positions.game[here], return_index=True)
    counts = (
        f"| {name} | {len(set(opening.tolist()))} | {len(games)} | {here.sum():,} "
        f"| {100 * (result[first] == 0.5).mean():.0f} % "
    )
    out = []
    for title, logits in {"before": before, **forms}.items():
        cells = [title]
        for loss in (brier, _log_losses):
            mine, old = (loss(z[here], result) for z in (logits, before))
            cells.append(f"{mine.mean():.4f}")
            mean, error = mean_and_error(mine - old, opening)
            cells.append("" if title == "before" else f"{mean:+.4f} ± {error:.4f}")
        out.append(f"{counts}| {' | '.join(cells)} |")
        counts = "| | | | | "
    return out


def _log_losses(logits: Array, result: Array) -> Array:
    import numpy

    return numpy.logaddexp(0, logits) - result * logits


def bins(
    logits: Array, result: Array, opening: Array
) -> list[tuple[float, float, float, int]]:
    """Return (mean chance, mean result, its error, positions) for each tenth of the
    chances.
    """
    import numpy

    chance = sigmoid(logits)
    place = numpy.minimum((chance * BINS).astype(int), BINS - 1)
    found = []
    for k in range(BINS):
        here = place == k
        if here.sum() >= MIN_IN_BIN:
            mean, error = mean_and_error(result[here], opening[here])
            found.append((float(chance[here].mean()), mean, error, int(here.sum())))
    return found


def draw(path: Path, positions: GamePositions, before: Array, after: Array) -> None:
    """Draw a reliability diagram for all positions, and for each third of the board."""
    from matplotlib.figure import Figure

    filled = positions.filled
    parts = [("all positions", filled >= 0)]
    edges = (0.0, 0.1, 0.2, 0.4, 1.01)
    for low, high in pairwise(edges):
        most = f"{100 * min(high, 1):.0f} %"
        words = f"board filled {100 * low:.0f} to {most}"
        parts.append((words, (filled >= low) & (filled < high)))
    figure = Figure(figsize=(15, 3.3), layout="constrained")
    panes = figure.subplots(1, len(parts), sharey=True)
    for axes, (title, here) in zip(panes, parts, strict=True):
        axes.plot([0, 100], [0, 100], color="#888888", lw=0.8, ls=(0, (4, 3)))
        for logits, label, style in (
            (before, "before", {"color": "#c1621d", "marker": "o", "mfc": "white"}),
            (after, "after", {"color": "#1f4e79", "marker": "o"}),
        ):
            points = bins(logits[here], positions.result[here], positions.opening[here])
            if points:
                x, y, error, _ = zip(*points, strict=True)
                axes.errorbar(
                    [100 * v for v in x],
                    [100 * v for v in y],
                    [100 * v for v in error],
                    lw=1.2,
                    ms=5,
                    capsize=2,
                    label=label,
                    **style,
                )
        axes.set_title(f"{title} ({here.sum():,})", size=10)
        axes.set_xlim(0, 100)
        axes.set_ylim(0, 100)
        axes.set_aspect("equal")
        axes.set_xlabel("predicted chance (%)")
    panes[0].set_ylabel("points won (%)")
    panes[0].legend(loc="upper left", fontsize=9)
    figure.savefig(path, dpi=100)


def main(argv: list[str] | None = None) -> int:
    """Run ``python -m gomoku_brain.lab.train.calibration``; see ``--help``."""
    parser = make_parser(
        "train.calibration", "Fit what a score is worth to the results of games."
    )
    parser.add_argument("games", type=Path, nargs="+", help="files of finished games")
    parser.add_argument(
        "--player", action="append", default=[], help="only the moves of this one"
    )
    parser.add_argument("--folds", type=int, default=5, help="of openings (5)")
    parser.add_argument(
        "--before", type=float, default=200, help="scale of the curve to compare with"
    )
    parser.add_argument("--picture", type=Path, help="reliability diagram to draw")
    return run(parser, argv, _calibrate)


def _calibrate(options: argparse.Namespace) -> None:
    """Judge the forms by the games, and print the scales."""
    games = []
    for path in options.games:
        games += [(str(path), game.record()) for game in read_games(path)]
        print(f"{path}: {len(games)} games so far", file=sys.stderr)
    positions = positions_of(games, options.player)
    if options.folds < 2:
        raise ValueError("at least two folds are needed")
    before = positions.score / options.before
    logits = {n: judged(form, positions, options.folds) for n, form in FORMS.items()}
    print(table(positions, before, {FORMS[n].title: z for n, z in logits.items()}))
    print(f"proved: {positions.proved} positions, {positions.right} ended so")
    for form in FORMS.values():
        print(f"{form.title}: {scales_text(form, positions)}")
    if options.picture is not None:
        draw(options.picture, positions, before, logits["filled"])


if __name__ == "__main__":
    raise SystemExit(main())
