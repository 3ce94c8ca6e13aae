r"""Facts about a whole game, as properties of its root: players, result, date, others.

Facts without a property of SGF are lines "key: value" of GC. ``read_head`` reads what
any program wrote.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from gomoku_brain.game.rules import Rule
from gomoku_brain.records.game_node import GameNode, plain
from gomoku_brain.records.game_record import GameRecord, one_line
from gomoku_brain.records.result_words import result_named

__all__ = ["OURS", "Head", "head_properties", "read_head", "rule_named"]

OURS = "gomoku-brain"
"""Beginning of AP in our files, whose result stands as it is written."""
KEPT = (
    *("BR", "WR", "BT", "WT", "PC", "ON", "AN", "SO", "US", "TM", "OT", "CP", "SW"),
    *("KM", "5A", "C"),
)
"""Properties that stand in ``extra`` under their own names."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")
_OWN_FACTS = ("reason", "detail", "date", "event")  # that set_facts changes
_KEY_LINE = re.compile(r"([^:\n]+): (.+)")
_TERMINATIONS = {  # c-gomoku-cli: content of its text
    "time forfeit": "time",
    "illegal move": "illegal move",
    "forbidden": "foul",
    "crash": "crash",
    "adjudication": "adjudicated",
}
# Opening rules of renju: the moves after the opening are renju.
_RENJU_OPENINGS = re.compile(
    r"\brif\b|taraguchi|taraguti|yamagu|soos[oyõö]r|sakata|tarannikov|연주|連珠|连珠|рэндзю"
)


@lru_cache(256)  # many games of a file name the same rule
def rule_named(text: str) -> Rule | None:
    """Return the rule that a text names: by the protocol's code, by words, by its
    opening.
    """
    text = text.strip().lower()
    words = text.replace(" ", "_")
    for rule in reversed(Rule):  # caro_exact before caro
        if words == str(rule.value) or rule.name.lower() in words:
            return rule
    return Rule.RENJU if _RENJU_OPENINGS.search(text) else None


class Head(NamedTuple):
    """Facts about a game, in the terms of ``GameRecord``."""

    black: str
    white: str
    result: str
    reason: str
    detail: str
    date: str
    id: str
    extra: dict[str, str]


def head_properties(record: GameRecord) -> dict[str, str]:
    """Return the facts of a record as properties, without escapes; some are empty."""
    day = record.date[:10] if _DAY.match(record.date) else ""
    head = {
        "PB": record.black,
        "PW": record.white,
        "GN": record.id,
        "DT": day,
        "RE": _result(record),
    }
    kept = {key: record.extra[key] for key in KEPT if key in record.extra}
    others = {k: v for k, v in record.extra.items() if k not in kept and k != "RE"}
    facts = {**others, "reason": record.reason, "detail": record.detail}
    if record.date != day:
        facts["date"] = record.date  # DT has room for days only
    about = {name: one_line(value) for name, value in head.items()}
    about |= {name: _kept(name, value) for name, value in kept.items()}
    return about | {"GC": _key_lines(facts)}


def _key_lines(facts: dict[str, str]) -> str:
    lines = [
        f"{key}: {value}"
        for key, value in (
            (one_line(key.replace(":", " ")), one_line(value))
            for key, value in facts.items()
        )
        if key and value
    ]
    return "\n".join(lines)


def _kept(name: str, value: str) -> str:
    """Return a value of ``KEPT`` as it is written: only comments have line ends."""
    if name == "C":
        return value.replace("\r\n", "\n").replace("\r", "\n")
    return one_line(value)


def _result(record: GameRecord) -> str:
    if record.result == "*":
        return one_line(record.extra.get("RE", "")) or "?"
    if record.result == "1/2-1/2":
        return "Draw"
    how = "F"  # forfeit
    if record.reason in ("", "five", "adjudicated"):
        how = ""
    elif record.reason in ("time", "hang"):
        how = "T"
    elif record.reason == "resigned":
        how = "R"
    return ("B+" if record.result == "1-0" else "W+") + how


def facts_of(root: GameNode) -> dict[str, str]:
    """Return the lines "key: value" of GC; another text is the value of "comment".

    The lines that ``set_facts`` wrote behind such a text are none of it.
    """
    if not root.has("GC"):
        return {}
    lines = root.text("GC", lines=True).split("\n")
    rows = [_KEY_LINE.fullmatch(line) for line in lines]
    if all(rows):
        return {row[1]: row[2] for row in rows if row}
    facts = {}
    while (row := rows.pop()) and row[1] in _OWN_FACTS:
        facts[row[1]] = row[2]
        lines.pop()
    return {"comment": "\n".join(lines)} | facts


def set_result(root: GameNode, result: str, reason: str, detail: str) -> None:
    """Write a result into the properties of a root."""
    set_facts(root, {"reason": reason, "detail": detail})
    ended = GameRecord(Rule.FREESTYLE, 1, 1, result=result, reason=reason)
    root.set_text("RE", _result(ended))


def set_date(root: GameNode, date: str) -> None:
    """Write a date into the properties of a root."""
    day = date[:10] if _DAY.match(date) else ""
    set_facts(root, {"date": "" if date == day else date})
    root.set_text("DT", day)


def set_facts(root: GameNode, facts: dict[str, str]) -> None:
    """Change lines of GC; "" removes a line. A text of another form stays before
    them.
    """
    known = facts_of(root) | facts
    text = known.pop("comment", "")
    if text and not _KEY_LINE.fullmatch(text):
        root.set_text("GC", "\n".join(filter(None, (text, _key_lines(known)))))
    else:
        root.set_text("GC", _key_lines({"comment": text} | known if text else known))


def stated_result(game: GameNode) -> str:
    """Return all values of RE; several different ones are no result."""
    values = game.properties.get("RE", ()) if game.has("RE") else ()
    return " / ".join(dict.fromkeys(map(plain, values)))


def stated_facts(game: GameNode, rule: Rule) -> dict[str, str]:
    """Return what a game states beside names and result: date, event and so on."""
    about = facts_of(game)
    for name, key in (("EV", "event"), ("RO", "round"), ("TE", "termination")):
        if game.has(name):
            about.setdefault(key, game.text(name))
    named = game.text("RU").strip()
    spoken = named.lower().replace(" ", "_")
    if named and rule.name.lower() not in spoken and named != str(rule.value):
        about.setdefault("rules", named)
    for name in KEPT:
        if game.has(name):
            values = [plain(v, lines=name == "C") for v in game.properties[name]]
            about.setdefault(name, " ".join(filter(None, values)))
    stated = stated_result(game)
    if stated.strip() and result_named(stated) is None:
        about.setdefault("RE", stated)
    about.setdefault("date", _iso(game.text("DT")))
    return {key: value for key, value in about.items() if value}


def extra_of(about: dict[str, str]) -> dict[str, str]:
    """Return those of ``stated_facts`` that have no field of their own."""
    own = ("reason", "detail", "date")
    return {key: value for key, value in about.items() if key not in own}


def read_head(
    game: GameNode,
    last: GameNode,
    rule: Rule,
    natural_end: Callable[[], tuple[str, str, str]],
) -> Head:
    """Return the facts of a game, from its ``front`` and the end of its main line.

    The end on the board outweighs the result that another program wrote, if it is a
    foul or if the game states no other result.
    """
    about = stated_facts(game, rule)
    stated, is_ours = stated_result(game), game.text("AP").startswith(OURS)
    result, reason = result_named(stated) or ("*", "")
    if (
        result == "*"
        and not (is_ours and stated)
        and last.resigns
        and last.side is not None
    ):
        result, reason = ("0-1", "1-0")[last.side], "resigned"
    detail = about.get("detail", "")
    if not reason:
        words = game.text("TE")
        reason = next((_TERMINATIONS[w] for w in _TERMINATIONS if w in words), "")
    if not is_ours:
        by_position, how, foul = natural_end()
        if by_position != "*" and (how == "foul" or result in ("*", by_position)):
            result, reason, detail = by_position, how, detail or foul
    return Head(
        game.text("PB"),
        game.text("PW"),
        result,
        about.get("reason", reason),
        detail,
        about.get("date", ""),
        game.text("GN"),
        extra_of(about),
    )


def _iso(date: str) -> str:
    """Return "2026.11.21 00:12:54", as c-gomoku-cli writes, in the form of ISO 8601."""
    row = re.fullmatch(r"(\d{4})\.(\d\d)\.(\d\d)(?: (\d\d:\d\d:\d\d))?", date)
    if not row:
        return date
    return f"{row[1]}-{row[2]}-{row[3]}" + (f"T{row[4]}" if row[4] else "")
