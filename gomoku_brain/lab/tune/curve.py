"""Elo against the limit of a match: against time or against nodes.

It reads files of ``gomoku-brain match`` in which one player met others at several times
a move, or numbers of nodes. Games with the same opponent, rule, size and ratio of
limits belong to one line; a game that equals another one of these does not count. A
table lists the games at each limit. A picture draws them on a logarithmic axis with the
95 % intervals of the pairs. If the opponent's limit differs, as for a player with twice
the nodes, the ratio is printed.
"""

import argparse
import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from gomoku_brain.lab.train.program_options import make_parser, run
from gomoku_brain.match.tournament import Encounter, header_of, records_of
from gomoku_brain.runs.output_files import check_output

__all__ = ["Line", "lines_of", "main", "table"]

Axes = Any  # matplotlib.axes.Axes; matplotlib is imported late

UNITS = {"nodes": "nodes a move", "turn": "seconds a move"}
"""Limits along which a line may run, by their names in a match's file."""


class _Meeting(NamedTuple):
    """Settings that all games of a line share."""

    opponent: str
    rule: str
    size: int
    unit: str
    """One of ``UNITS``."""
    share: Fraction
    """The opponent's limit, divided by the player's."""


@dataclass(slots=True)
class Line:
    """Games of one kind, by limit."""

    meeting: _Meeting
    points: dict[float, Encounter] = field(default_factory=dict)
    """Games by the player's limit, in the unit of the line."""

    @property
    def title(self) -> str:
        """Opponent, rule and size of the games."""
        opponent, rule, size, unit, share = self.meeting
        words = f"against {opponent}, {rule} {size}x{size}"
        what = "nodes" if unit == "nodes" else "time"
        return words if share == 1 else f"{words}, with {share} times the {what}"


def lines_of(player: str, paths: Iterable[Path]) -> list[Line]:
    """Return the lines of the games of ``player`` in files of matches, sorted.

    Raises OSError, and ValueError for a damaged file and for one without games between
    ``player`` and one opponent that have a time, or both a number of nodes, as their
    only limit.
    """
    lines: dict[_Meeting, Line] = {}
    for path in paths:
        try:
            meeting, limit = _meeting_of(player, path)
        except (LookupError, TypeError, AttributeError):
            raise ValueError(f"{path}: damaged settings") from None
        line = lines.setdefault(meeting, Line(meeting))
        fresh = Encounter(player, meeting.opponent)
        encounter = line.points.setdefault(limit, fresh)
        games = [game for game in records_of(path) if game.result != "*"]
        if not games:
            raise ValueError(f"{path}: no finished game")
        for game in games:
            if {game.black, game.white} != {player, meeting.opponent}:
                raise ValueError(f"{path}: game {game.id} is not a game of this match")
            # Games of two files are no pair, even if their ids match.
            encounter.add(replace(game, id=f"{path} {game.id}"))
    return [lines[meeting] for meeting in sorted(lines)]


def _meeting_of(player: str, path: Path) -> tuple[_Meeting, float]:
    """Return the settings that the games of a file share, and the player's limit."""
    settings: Any = header_of(path)["settings"]
    limits = {engine["name"]: engine["time"] for engine in settings["engines"]}
    if player not in limits or len(limits) != 2:
        raise ValueError(f"{path}: not a match of {player} and one other")
    mine = limits.pop(player)
    [(opponent, other)] = limits.items()
    for unit in UNITS:
        if mine[unit] is not None and other[unit] is not None:
            break
    else:
        raise ValueError(f"{path}: without a time or nodes a move for both")
    # Nodes may have a time that is never reached beside them; any other limit counts.
    if any(limit[name] for limit in (mine, other) for name in ("match", "depth")) or (
        unit == "turn" and (mine["nodes"] is not None or other["nodes"] is not None)
    ):
        raise ValueError(f"{path}: limits of more than one kind")
    share = Fraction(str(other[unit])) / Fraction(str(mine[unit]))
    rule, size = str(settings["rule"]), int(settings["size"])
    return _Meeting(opponent, rule, size, unit, share), float(mine[unit])


def table(lines: Iterable[Line]) -> str:
    """Return the points of all lines as a table in Markdown, one row each."""
    rows = [
        "| games | limit | number | won, drawn, lost | score | Elo, 95 % |"
        " pairs of 2, 1.5, 1, 0.5, 0 points |",
        "|---|---|---|---|---|---|---|",
    ]
    for line in lines:
        for limit, encounter in sorted(line.points.items()):
            score, elo = encounter.score, encounter.tally.elo
            what = [
                line.title,
                f"{_number(limit)} {UNITS[line.meeting.unit]}",
                f"{score.games}",
                f"{score.wins}, {score.draws}, {score.losses}",
                f"{100 * score.score:.1f} %",
                elo.text_with_interval(),
                ", ".join(map(str, reversed(encounter.pairs.counts))),
            ]
            rows.append(f"| {' | '.join(what)} |")
    return "\n".join(rows)


def _number(limit: float) -> str:
    return f"{limit:,.12g}"


def draw(path: Path, lines: list[Line]) -> None:
    """Draw the lines as a picture, a pane for each unit that occurs."""
    from matplotlib.figure import Figure

    units = [unit for unit in UNITS if any(x.meeting.unit == unit for x in lines)]
    figure = Figure(figsize=(6.5 * len(units), 4.2), layout="constrained")
    panes = figure.subplots(1, len(units), squeeze=False)[0]
    for unit, axes in zip(units, panes, strict=True):
        here = [line for line in lines if line.meeting.unit == unit]
        for number, line in enumerate(here):
            _draw_line(axes, line, number)
        axes.axhline(0, color="#888888", lw=0.8, ls=(0, (4, 3)))
        axes.set_xscale("log")
        limits = sorted({limit for line in here for limit in line.points})
        axes.set_xticks(limits, [_number(limit) for limit in limits])
        axes.minorticks_off()
        axes.set_xlabel(UNITS[unit])
        axes.set_ylabel("Elo")
        axes.grid(alpha=0.3)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(fontsize=9)
    figure.savefig(path, dpi=100)


def _draw_line(axes: Axes, line: Line, number: int) -> None:
    """Draw a line with error bars; an infinite end of a bar is left out.

    A point at which every game was won, or every game lost, has no place on the axis.
    """
    rows = []
    for limit, encounter in sorted(line.points.items()):
        elo = encounter.tally.elo
        if math.isfinite(elo.value):
            ends = elo.value - elo.low, elo.high - elo.value
            rows.append((limit, elo.value, *(x if x < math.inf else 0.0 for x in ends)))
    if rows:
        x, y, below, above = zip(*rows, strict=True)
        axes.errorbar(
            x,
            y,
            (below, above),
            marker="osD^v"[number % 5],
            color=f"C{number}",
            lw=1.2,
            capsize=3,
            label=line.title,
        )


def main(argv: list[str] | None = None) -> int:
    """Run ``python -m gomoku_brain.lab.tune.curve``; see ``--help``."""
    parser = make_parser("tune.curve", "Show the Elo of matches against time or nodes.")
    parser.add_argument("player", help="name of the player that is looked at")
    parser.add_argument("games", type=Path, nargs="+", help="files of matches")
    parser.add_argument("--picture", type=Path, help="picture to draw")
    return run(parser, argv, _show)


def _show(options: argparse.Namespace) -> None:
    if options.picture is not None:
        check_output(options.picture, options.games)
    lines = lines_of(options.player, options.games)
    print(table(lines))
    if options.picture is not None:
        draw(options.picture, lines)


if __name__ == "__main__":
    raise SystemExit(main())
