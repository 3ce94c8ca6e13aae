"""Report of a match: its table as text, its result as JSON."""

import textwrap
from typing import Annotated, Any, NotRequired, TypedDict

from gomoku_brain.foreign_text import shown
from gomoku_brain.match.stats import FiguresRow, Model, Verdict
from gomoku_brain.match.tournament import Encounter, Match, PairingRow, Standings
from gomoku_brain.records.game_record import GameRecord
from gomoku_brain.runs.json_rows import Count, Number, Schema

__all__ = [
    "MatchLine",
    "RateLine",
    "encounter_lines",
    "game_line",
    "report",
    "result",
    "sprt_verdict",
    "standings_lines",
    "standings_row",
    "text_of",
]


class RankingRow(FiguresRow):
    """A player of the ranking, with the rating among all players."""

    name: str
    rating: Number
    rating_error: Number


class SprtRow(TypedDict):
    """The state of an SPRT."""

    elo0: float
    elo1: float
    alpha: float
    beta: float
    model: Model
    llr: Number
    bounds: Annotated[list[float], Schema(minItems=2, maxItems=2)]
    verdict: Verdict


class StandingsRow(TypedDict):
    """The result of each pairing, and the ranking."""

    games: Count
    copies: Count
    pairings: list[PairingRow]
    ranking: list[RankingRow]


class RateLine(StandingsRow):
    """rate --json."""

    skipped: Annotated[Count, Schema(description="games without a result or a name")]


class MatchLine(StandingsRow):
    """match --json: with the state of the SPRT if there is one."""

    file: str
    of: Count
    finished: bool
    sprt: NotRequired[SprtRow]


def encounter_lines(encounter: Encounter) -> list[str]:
    """Return the results between two players as text."""
    e, tally, pairs = encounter, encounter.tally, encounter.pairs
    first, second = e.first, e.second
    if not e.score.games:
        return [f"{first} - {second}: no game yet"]
    lines = [
        f"{first} - {second}: {e.score.games} games, {e.score},"
        f" {100 * e.score.score:.1f} %",
        f"  Elo {tally.elo} (95 %), LOS {100 * tally.los:.1f} %",
    ]
    if pairs.pairs:
        lines.append(
            f"  pairs {pairs.pairs}, pentanomial {pairs}: 2-0 {pairs.ww},"
            f" 0-2 {pairs.ll}, split {pairs.split}"
        )
    if e.late or e.faults:
        lines.append(
            f"  lost on time {e.late[first]} - {e.late[second]},"
            f" by other faults {e.faults[first]} - {e.faults[second]}"
        )
    if e.copies:
        lines.append(f"  {e.copies} games were copies of others and do not count")
    return lines


def report(match: Match, width: int | None = None) -> str:
    """Return all results so far, as a text of some lines.

    ``width``: most characters of a line, for a terminal; longer lines are wrapped.
    """
    lines = standings_lines(match.standings, width)
    if match.sprt is not None and match.llr is not None:
        low, high = match.sprt.bounds
        lines.append(f"{match.sprt}: LLR {match.llr:.2f} ({low:.2f}, {high:.2f})")
        lines.append(f"  {sprt_verdict(match)}")
    return text_of(lines, width)


def standings_lines(standings: Standings, width: int | None = None) -> list[str]:
    """Return the ranking of several players, and the results of each pairing."""
    lines = []
    if len(standings.encounters) > 1:
        rows = standings.ratings()
        names = max(len(row.name) for row in rows)
        lines = [
            f"{place:2} {row.name:{names}} {row.score.points:6g} of"
            f" {row.score.games:4}  Elo {row.elo}"
            for place, row in enumerate(rows, 1)
        ]
        lines += [
            f"   {row.name}: {row.note}" for row in rows if row.note and row.score.games
        ]
        if standings.anchor is not None:
            name, elo = standings.anchor
            lines.append(f"   (from {name} = {elo:g})")
        lines += standings.crosstable(width)
    for encounter in standings.encounters:
        lines += encounter_lines(encounter)
    return lines


def text_of(lines: list[str], width: int | None = None) -> str:
    """Return lines as a text for a terminal, wrapped to its width."""
    if width is not None:
        lines = [part for line in lines for part in _wrapped(line, width)]
    return "\n".join(map(shown, lines))


def _wrapped(line: str, width: int) -> list[str]:
    """Split a line that is longer than ``width``; the rest of it is indented."""
    if len(line) <= width:
        return [line]
    return textwrap.wrap(line, max(width, 20), subsequent_indent="    ")


def sprt_verdict(match: Match) -> str:
    """Return the verdict of a match's SPRT as text."""
    assert match.sprt is not None
    encounter, sprt = match.standings.encounters[0], match.sprt
    return {
        "H1": f"H1: {encounter.first} is stronger, rather by {sprt.elo1:g} than"
        f" {sprt.elo0:g}",
        "H0": f"H0: {encounter.first} is not stronger, rather {sprt.elo0:g} than"
        f" {sprt.elo1:g}",
        "continue": "no verdict yet",
    }[match.verdict or "continue"]


def game_line(match: Match, record: GameRecord) -> str:
    """Return a line about a game that has just ended."""
    done = len(match.games.records)
    detail = f": {record.detail}" if record.detail else ""
    return shown(
        f"[{done}/{match.total}] {record.id} {record.black} - {record.white}"
        f" {record.result} ({record.reason}, {len(record.moves)} stones){detail}"
    )


def standings_row(standings: Standings) -> dict[str, Any]:
    """Return the ranking and the pairings as values of JSON."""
    return {
        "copies": standings.copies,
        "pairings": [e.to_dict() for e in standings.encounters],
        "ranking": [
            {**row.to_dict(), **standings.tally(row.name).to_dict()}
            for row in standings.ratings()
        ],
    }


def result(match: Match) -> dict[str, Any]:
    """Return the result as a JSON object."""
    row: dict[str, Any] = {
        "file": str(match.games.path),
        "games": len(match.games.records),
        "of": match.total,
        "finished": match.is_over,
        **standings_row(match.standings),
    }
    if match.sprt is not None:
        row["sprt"] = {
            **match.sprt.to_dict(),
            "llr": match.llr,
            "verdict": match.verdict or "continue",
        }
    return row
