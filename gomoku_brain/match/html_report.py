"""Match report as one HTML file: settings, tables, the curve of the SPRT, every game.

The file needs no other file and no network; it is ``data/match_report.html`` with the
figures inserted. Its games can be stepped through with the mouse or the arrow keys.
Pictures are SVG, in the colours of the reader's light or dark screen.
"""

import json
import math
from html import escape
from string import Template

from gomoku_brain.control.limits import moves_words
from gomoku_brain.foreign_text import shown
from gomoku_brain.game.package_data import read_data
from gomoku_brain.match.report import sprt_verdict
from gomoku_brain.match.stats import Estimate, Score
from gomoku_brain.match.tournament import (
    Encounter,
    Match,
    MatchPlayer,
    MatchSettings,
    Standings,
)
from gomoku_brain.records.game_record import GameRecord, PlayedMove

__all__ = ["html_report", "llr_curve"]

CURVE_POINTS = 400  # most computed points of the SPRT
_WIDTH, _HEIGHT = 640, 200  # of the curve, in pixels
_LABELS = ("0", "1/2", "1", "1 1/2", "2")


def html_report(match: Match) -> str:
    """Return the whole page."""
    settings, records = match.settings, match.games.records
    names = " - ".join(player.name for player in settings.players[:4])
    if len(settings.players) > 4:
        names += f" and {len(settings.players) - 4} more"
    dates = [record.date for record in records if record.date]
    days = sorted({date[:10] for date in dates})
    when = f", {' to '.join([days[0], *days[1:][-1:]])}" if days else ""
    sections = [_ranking(match), _pairings(match), _sprt(match), _settings(match)]
    page = Template(read_data("match_report.html").decode("utf-8"))
    version = match.games.header.get("version", "")
    return page.substitute(
        title=_text(names),
        subtitle=_text(
            f"{len(records)} of {match.total} games, {settings.rule.name.lower()},"
            f" {settings.size}x{settings.size}{when}"
        ),
        sections="\n".join(filter(None, sections)),
        games="\n".join(map(_row, records)),
        data=_data(settings, records),
        footer=_text(f"gomoku-brain {version} match; {match.games.path.name}"),
    )


def _text(text: str) -> str:
    """Return a text that others may have written as HTML."""
    return escape(shown(text))


# ----- Tables -----


def _card(title: str, body: str) -> str:
    return f'<section class="card">\n<h2>{_text(title)}</h2>\n{body}\n</section>'


def _ranking(match: Match) -> str:
    """Return the rating of each player with its error bar, and the crosstable."""
    rows = match.standings.ratings()
    scores = {(e.first, e.second): e.score for e in match.standings.encounters}
    scores |= {(second, first): s.swapped() for (first, second), s in scores.items()}
    base = match.standings.anchor[1] if match.standings.anchor else 0.0
    finite = [
        abs(end - base)
        for row in rows
        for end in (row.elo.low, row.elo.high)
        if math.isfinite(end)
    ]
    reach = max([50.0, *finite])
    head = "".join(f'<th class="number">{k}</th>' for k in range(1, len(rows) + 1))
    lines = []
    for place, row in enumerate(rows, 1):
        cells = "".join(
            _points(scores.get((row.name, other.name)), other.name == row.name)
            for other in rows
        )
        lines.append(
            f'<tr><td class="number">{place}</td><td><b>{_text(row.name)}</b></td>'
            f'<td class="number">{row.score.points:g} of {row.score.games}</td>'
            f'<td class="number">{_elo(row.elo)}</td>'
            f"<td>{_bar(row.elo, base, reach)}</td>{cells}</tr>"
        )
    against = "the mean of all"
    if match.standings.anchor is not None:
        name, elo = match.standings.anchor
        against = f"{name}, who has {elo:g}"
    table = (
        '<div class="scroll"><table><thead><tr><th></th><th></th>'
        '<th class="number">points</th><th class="number">Elo, 95 %</th>'
        f"<th></th>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
        f'<p class="soft">Elo as compared with {_text(against)}. On the right the'
        " points against each, by their places.</p>"
    )
    return _card("Table", table)


def _points(score: Score | None, is_own: bool) -> str:
    """Return a cell of the crosstable; that of a player against itself has a dot."""
    if is_own:
        return '<td class="self">&#x2022;</td>'
    text = f"{score.points:g}/{score.games}" if score and score.games else "-"
    return f'<td class="number">{text}</td>'


def _elo(elo: Estimate) -> str:
    text = _text(str(elo)).replace("+/-", "&plusmn;")
    return text.replace("-", "&minus;")


def _bar(elo: Estimate, base: float, reach: float) -> str:
    """Return the estimate as a dot, its interval as a line; the middle is ``base``."""
    width, height = 180, 16
    if not math.isfinite(elo.value):
        return ""

    def at(value: float) -> float:
        share = min(max((value - base) / reach, -1.0), 1.0)
        return round(width / 2 + share * (width / 2 - 6), 1)

    middle = height / 2
    return (
        f'<svg class="bar" width="{width}" height="{height}">'
        f'<path d="M{width / 2} 0V{height}" stroke="var(--rule)"/>'
        f'<path d="M{at(elo.low)} {middle}H{at(elo.high)}" stroke="var(--mark)"'
        ' stroke-width="2"/>'
        f'<circle cx="{at(elo.value)}" cy="{middle}" r="4" fill="var(--mark)"/></svg>'
    )


def _pairings(match: Match) -> str:
    parts = [_pairing(encounter) for encounter in match.standings.encounters]
    legend = (
        '<p class="legend"><span><i class="dot" style="background:var(--win)"></i>won'
        '</span><span><i class="dot" style="background:var(--draw)"></i>drawn</span>'
        '<span><i class="dot" style="background:var(--loss)"></i>lost'
        " by the first named</span></p>"
    )
    return _card("Pairings", legend + "\n".join(parts))


def _pairing(e: Encounter) -> str:
    title = f"<b>{_text(e.first)}</b> against <b>{_text(e.second)}</b>"
    if not e.score.games:
        return f'<div class="pairing"><p>{title}: no game yet</p></div>'
    tally, pairs = e.tally, e.pairs
    facts = [
        f"{e.score.games} games: {_text(str(e.score)).replace('-', '&minus;')},"
        f" {100 * e.score.score:.1f} %",
        f"Elo {_elo(tally.elo)} (95 %), likelihood of being the stronger"
        f" {100 * tally.los:.1f} %",
    ]
    if pairs.pairs:
        facts.append(
            f"{pairs.pairs} pairs: 2-0 {pairs.ww}, 0-2 {pairs.ll}, split {pairs.split}"
        )
    if e.late or e.faults:
        facts.append(
            f"lost on time {e.late[e.first]} - {e.late[e.second]}, by other faults"
            f" {e.faults[e.first]} - {e.faults[e.second]}"
        )
    if e.copies:
        facts.append(f"{e.copies} games are copies of others and do not count")
    share = _shares((e.score.wins, e.score.draws, e.score.losses))
    points = _pentanomial(pairs.counts) if pairs.pairs else ""
    return (
        f'<div class="pairing"><div><p>{title}</p>{share}'
        f'<p class="soft">{"<br>".join(facts)}</p></div>{points}</div>'
    )


def _shares(counts: tuple[int, int, int]) -> str:
    """Return wins, draws and losses as one bar."""
    width, total, at, parts = 420.0, sum(counts), 0.0, []
    for count, colour in zip(counts, ("win", "draw", "loss"), strict=True):
        length = width * count / total
        parts.append(
            f'<rect x="{at:.1f}" width="{length:.1f}" height="14"'
            f' fill="var(--{colour})"/>'
        )
        at += length
    return f'<svg class="bar" width="{width:g}" height="14">{"".join(parts)}</svg>'


def _pentanomial(counts: tuple[int, ...]) -> str:
    """Return the number of pairs by their points, as columns."""
    maximum, parts = max(counts), []
    for k, count in enumerate(counts):
        height = 50 * count / maximum
        x = 42 * k + 4
        parts.append(
            f'<rect x="{x}" y="{66 - height:.1f}" width="32" height="{height:.1f}"'
            ' fill="var(--mark)" opacity="0.8"/>'
            f'<text x="{x + 16}" y="{62 - height:.1f}">{count}</text>'
            f'<text x="{x + 16}" y="80">{_LABELS[k]}</text>'
        )
    return (
        '<div><svg class="bar" width="214" height="84" font-size="11"'
        f' fill="var(--soft)" text-anchor="middle">{"".join(parts)}</svg>'
        '<p class="soft">pairs by their points</p></div>'
    )


# ----- The SPRT -----


def llr_curve(match: Match, maximum: int = CURVE_POINTS) -> list[tuple[int, float]]:
    """Return (pairs, log-likelihood ratio) along a match with an SPRT, at most
    ``maximum``.
    """
    assert match.sprt is not None
    standings = Standings(match.settings.names_of_pairings)
    encounter = standings.encounters[0]
    tallies = [encounter.pairs]
    for record in match.games.records:
        standings.add(record)
        if encounter.pairs.pairs > tallies[-1].pairs:
            tallies.append(encounter.pairs)
    step = max(1, -(-len(tallies) // maximum))
    chosen = tallies[::step]
    if chosen[-1] is not tallies[-1]:
        chosen.append(tallies[-1])
    return [(tally.pairs, match.sprt.llr(tally)) for tally in chosen]


def _sprt(match: Match) -> str:
    """Return the curve between its bounds; an empty text without a test."""
    if match.sprt is None or match.llr is None:
        return ""
    curve, (low, high) = llr_curve(match), match.sprt.bounds
    last = max(curve[-1][0], 1)
    bottom = min(low, *(y for _, y in curve)) - 0.4
    top = max(high, *(y for _, y in curve)) + 0.4

    def at(pairs: int, llr: float) -> str:
        x = 62 + (_WIDTH - 76) * pairs / last
        return f"{x:.1f} {_y(llr):.1f}"

    def _y(llr: float) -> float:
        return 10 + (_HEIGHT - 34) * (top - llr) / (top - bottom)

    lines = []
    for value, name, colour in ((high, "H1", "win"), (low, "H0", "loss"), (0, "", "")):
        stroke = f"var(--{colour})" if colour else "var(--rule)"
        dash = ' stroke-dasharray="5 4"' if colour else ""
        label = f"{name} {value:+.2f}".replace("-", "\u2212") if colour else "0"
        lines.append(
            f'<path d="M62 {_y(value):.1f}H{_WIDTH - 14}" stroke="{stroke}"{dash}/>'
            f'<text x="56" y="{_y(value) + 4:.1f}" text-anchor="end">{label}</text>'
        )
    path = "M" + "L".join(at(*point) for point in curve)
    picture = (
        f'<svg class="bar" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}"'
        f' height="{_HEIGHT}" font-size="10" fill="var(--soft)" style="max-width:100%">'
        f'{"".join(lines)}<path d="{path}" stroke="var(--mark)" stroke-width="2"'
        f' fill="none"/><text x="{_WIDTH - 14}" y="{_HEIGHT - 6}" text-anchor="end">'
        f"{last} pairs</text></svg>"
    )
    words = f"{match.sprt}: LLR {match.llr:.2f}. {sprt_verdict(match)}."
    return _card("SPRT", f"<p>{_text(words)}</p>{picture}")


# ----- Settings and games -----


def _settings(match: Match) -> str:
    settings = match.settings
    rows = [
        ("rule", settings.rule.name.lower()),
        ("board", f"{settings.size}x{settings.size}"),
        ("openings", _openings(settings)),
    ]
    if settings.draw_after is not None:
        rows.append(("draw", f"with {settings.draw_after} stones on the board"))
    agreed = settings.adjudication
    if agreed is not None and agreed.win_score is not None:
        text = f"won at {agreed.win_score}, {agreed.win_moves} moves of both in a row"
        rows.append(("adjudication", text))
    if agreed is not None and agreed.draw_score is not None:
        text = (
            f"drawn within {agreed.draw_score}, {agreed.draw_moves} moves of both in a"
            f" row, from {agreed.draw_from} stones on"
        )
        rows.append(("adjudication", text))
    rows += [(player.name, _engine(player)) for player in settings.players]
    body = "".join(
        f"<tr><th>{_text(name)}</th><td>{_text(text)}</td></tr>" for name, text in rows
    )
    return _card("Settings", f'<table class="settings">{body}</table>')


def _openings(settings: MatchSettings) -> str:
    if settings.swap2:
        return "by swap2"
    if not settings.openings:
        return "none: games begin on the empty board"
    return f"{len(settings.openings)}, each with both colours"


def _engine(player: MatchPlayer) -> str:
    limits = player.limits
    words = [
        f"{value:g} {unit}"
        for value, unit in (
            (limits.turn, "s a move"),
            (limits.match, "s a game"),
            (limits.increment or None, "s gained with each move"),
            (limits.nodes, "nodes"),
            (limits.depth, "plies deep"),
            (limits.memory and limits.memory >> 20, "MB"),
        )
        if value is not None
    ]
    words += [f"INFO {key} {value}" for key, value in player.spec.infos]
    return f"{' '.join(player.spec.command)}; {', '.join(words)}"


def _row(record: GameRecord) -> str:
    cells = (
        (record.id, ""),
        (record.black, ""),
        (record.white, ""),
        (record.result, ""),
        (record.reason, ""),
        (str(len(record.moves)), ' class="number"'),
        (record.extra.get("opening", record.extra.get("swap2", "")), ""),
    )
    return (
        "<tr>"
        + "".join(f"<td{kind}>{_text(text)}</td>" for text, kind in cells)
        + "</tr>"
    )


def _data(settings: MatchSettings, records: list[GameRecord]) -> str:
    """Return the games as JSON for the page's script."""
    games = [
        {
            "b": shown(record.black),
            "w": shown(record.white),
            "r": record.result,
            "e": record.reason,
            "d": shown(record.detail),
            "o": sum(played.by_opening for played in record.moves),
            "m": [tuple(played.move) for played in record.moves],
            "t": [_figures_text(played) for played in record.moves],
        }
        for record in records
    ]
    text = json.dumps({"size": settings.size, "games": games}, separators=(",", ":"))
    return text.replace("<", "\\u003c")  # no name of an engine ends the script


def _figures_text(played: PlayedMove) -> str:
    """Return the mover's figures for a move, in a few words."""
    words = []
    if played.win_in is not None:
        verb = "wins" if played.win_in > 0 else "loses"
        words.append(f"{verb} in {moves_words(played.win_in)}")
    elif played.score is not None:
        words.append(f"score {played.score:+}")
    if played.depth is not None:
        words.append(f"depth {played.depth}")
    if played.seconds is not None:
        words.append(f"{played.seconds:.2f} s")
    if played.comment:
        words.append(shown(played.comment))
    return ", ".join(words)
