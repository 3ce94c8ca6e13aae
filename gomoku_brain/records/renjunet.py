"""Databases of games as XML: RenjuNet (``.rif``) and Renju Offline.

RenjuNet writes tables (players, tournaments, rules, openings ..) and then its games:

    <game id="7" tournament="3" round="8" rule="25" black="1" white="2" bresult="1"
          opening="19" alt="51" swap="R--R-"><move>h8 h9 i8</move><info>..</info></game>

``bresult`` is black's: 1, 0.5 or 0. Renju Offline writes the same facts as elements:
``<game><id>7</id><black>..</black><board>h8 h9 i8</board><winner>black</winner>``. Both
are collections of renju, with rows counted from the bottom. Neither has a date of the
game itself; that of its tournament stays an extra fact.

Read with ElementTree, game by game, so that a large file takes little memory.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.rules import Rule
from gomoku_brain.records.form_reading import Reading, finished, from_bottom
from gomoku_brain.records.game_record import GameRecord, bare, one_line
from gomoku_brain.records.record_tree import rule_named
from gomoku_brain.records.result_words import result_named

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

__all__ = ["is_renjunet", "read_renjunet"]

_SIZE = 15
_PIECE = 1 << 16  # characters that the parser takes at once
_HEAD = 4096  # characters in which a root or a game must occur
Events = Iterator[tuple[str, "Element"]]
_TABLES = {
    "player": "players",
    "tournament": "tournaments",
    "rule": "rules",
    "opening": "openings",
    "publisher": "publishers",
}
_RESULTS = {"1": "1-0", "0.5": "1/2-1/2", "0,5": "1/2-1/2", "0": "0-1"}
_OWN = {"id", "black", "white", "bresult", "tournament", "rule"}


def is_renjunet(text: str) -> bool:
    """Whether a text is XML with the root of such a database, or with a game of one."""
    head = text[:_HEAD]
    if not head.lstrip().startswith("<"):
        return False
    root = re.search(r"<(?![?!])\s*([\w:.-]+)", head)
    return root is not None and (
        root[1].lower() in ("database", "games", "game", "renjunet", "rif")
        or "<game" in head
    )


def read_renjunet(text: str, reading: Reading) -> Iterator[GameRecord]:
    """Read the games of a database.

    Raises ValueError, or reports it to the reading, for each game that cannot be read
    and for broken XML: the games before that place are read.
    """
    if re.search(r"<!(?:DOCTYPE|ENTITY)", text[:_HEAD]):
        raise ValueError("XML with a DOCTYPE is not read")
    # Late: other commands read no XML, and the folder of the brain has no parser.
    from xml.etree.ElementTree import ParseError, XMLPullParser

    parser: XMLPullParser[Any] = XMLPullParser(("start", "end"))
    tables: dict[str, dict[str, str]] = {name: {} for name in _TABLES}
    depth = 0
    inside: Element | None = None  # the game that is being read
    try:
        for at in range(0, len(text) + 1, _PIECE):
            parser.feed(text[at : at + _PIECE])
            for event, element in cast(Events, parser.read_events()):
                if event == "start":
                    depth += 1
                    if element.tag == "game" and inside is None:
                        inside = element
                    continue
                depth -= 1
                if element is inside:
                    inside = None
                    yield from _tried(element, tables, reading)
                    element.clear()
                elif inside is None:
                    _note(element, tables)
                    if depth:
                        element.clear()
        parser.close()
    except ParseError as error:
        line, _ = error.position
        words = str(error).partition(":")[0]
        reading.refuse(ValueError(f"line {line}: broken XML: {words}"))


def _note(element: "Element", tables: dict[str, dict[str, str]]) -> None:
    """Store a row of a table by its id."""
    key = element.get("id")
    if key is None or element.tag not in tables:
        return
    words = [element.get(name, "") for name in ("name", "surname")]
    name = one_line(" ".join(words))
    year = element.get("year", "")
    if element.tag == "tournament" and year and year not in name:
        name = f"{name} {year}".strip()
    tables[element.tag][key] = name


def _tried(
    element: "Element", tables: dict[str, dict[str, str]], reading: Reading
) -> Iterator[GameRecord]:
    facts = dict(element.attrib)
    for child in element:
        facts.setdefault(child.tag, (child.text or "").strip())
    name = one_line(facts.get("id", ""))
    try:
        record = _record(facts, tables, reading)
    except ValueError as error:
        place = f"game {name}" if name else "a game"
        reading.refuse(ValueError(f"{place}: {error}"))
    else:
        yield record


def _record(
    facts: dict[str, str], tables: dict[str, dict[str, str]], reading: Reading
) -> GameRecord:
    def named(table: str, key: str) -> str:
        """Look up a number in a table; a text that is not in it stays unchanged."""
        value = facts.get(key, "")
        return tables[table].get(value, "" if value == "0" else value)

    moves = _moves(facts.get("move") or facts.get("board") or "", reading)
    rule_text = named("rule", "rule")
    rule = rule_named(rule_text) if rule_text and not rule_text.isdigit() else None
    if rule is None:
        rule = reading.rule_or(Rule.RENJU)
    extra = {
        "event": named("tournament", "tournament"),
        "round": facts.get("round", ""),
        "rules": rule_text,
        "opening": named("opening", "opening"),
        "comment": one_line(facts.get("info", "")),
    }
    known = {*_OWN, "round", "opening", "info", "move", "board", "winner"}
    extra |= {key: one_line(facts[key]) for key in facts if key not in known}
    stated = facts.get("bresult", facts.get("winner", ""))
    result, reason = _RESULTS.get(stated.strip(), ""), ""
    if not result:
        result, reason = result_named(stated) or ("*", "")
    record = GameRecord(
        rule,
        _SIZE,
        _SIZE,
        black=named("player", "black"),
        white=named("player", "white"),
        moves=tuple(map(bare, moves)),
        result=result,
        reason=reason,
        id=one_line(facts.get("id", "")),
        extra={key: value for key, value in extra.items() if value},
    )
    return finished(record)


def _moves(text: str, reading: Reading) -> list[Move]:
    moves = parse_moves(text)
    return moves if reading.rows == "top" else from_bottom(moves, _SIZE)
