"""Games as servers, contests and databases publish them: PGN, contest records, XML.

PGN of servers has tags and then the moves, black's first:

    [Event "x"]
    [Black "A"]
    [White "B"]
    [Result "1-0"]

    1. h8 i9 2. h9 i10 1-0

Whether 1-0 means the side that began or, as in chess, White differs between servers.
Games of the same text that end in a five decide it; else 1-0 is a win of black, which
begins. The Chinese national contest (CCGC) writes

    {[C5][team A B][team C W][先手胜][2017.07.29 14:00 重庆][2017 CCGC];B(J,10);W(L,10)}

RenjuNet (``.rif``) writes tables (players, tournaments, rules, openings ..) as XML and
then its games:

    <game id="7" tournament="3" round="8" rule="25" black="1" white="2" bresult="1"
          opening="19" alt="51" swap="R--R-"><move>h8 h9 i8</move><info>..</info></game>

``bresult`` is black's: 1, 0.5 or 0. Renju Offline writes the same facts as elements:
``<game><id>7</id><black>..</black><board>h8 h9 i8</board><winner>black</winner>``. Both
are collections of renju. Neither has a date of the game itself; that of its tournament
stays an extra fact. They are read with ElementTree, game by game, so that a large file
takes little memory.

All of them count rows from the bottom.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from gomoku_brain.game.notation import Move, parse_moves
from gomoku_brain.game.rules import Rule
from gomoku_brain.records.game_head import rule_named
from gomoku_brain.records.game_record import GameRecord, PlayedMove, bare, one_line
from gomoku_brain.records.read_options import (
    Item,
    ReadNote,
    ReadOptions,
    cell_named,
    finished,
    from_bottom,
    lines_of,
)
from gomoku_brain.records.result_words import result_named

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

__all__ = [
    "is_contest",
    "is_pgn",
    "is_renjunet",
    "read_contest",
    "read_pgn",
    "read_renjunet",
]

_SIZE = 15
_LARGEST = 22

# ----- PGN -----

_TAG = re.compile(r'[ \t]*\[[ \t]*(\w+)[ \t]+"((?:\\.|[^"\\\n])*)"[ \t]*\]')
_FIRST_TAG = re.compile(_TAG.pattern)
_GAME_TOKEN = re.compile(
    r"\s+|\{(?P<comment>[^}]*)\}|;(?P<rest>[^\n]*)|\d+\s*\.+|\$\d+|[!?]+"
    r"|(?P<result>1-0|0-1|1/2-1/2|½-½|\*)(?=\s|$)"
    r"|(?P<pass>--|pass)(?=[\s,]|$)"
    r"|(?P<letter>[A-Za-z])(?P<number>[1-9]\d?)(?![A-Za-z])|[-,()]"
)
_MAX_LINES = 10_000  # of a game
_MAX_TOKENS = 100_000
_DEEPEST = 100  # variations in one another
_CHESS = re.compile(r"[KQRBN][a-h]?[1-8]?x?[a-h][1-8]|O-O|[a-h]x[a-h][1-8]|[a-h][18]=Q")
_SIZE_TAGS = ("BoardSize", "Size")
_RULE_TAGS = ("Variant", "Rule", "Rules", "Ruleset", "GameType", "Game", "Event")
_NAMES = {"Event": "event", "Round": "round", "Termination": "termination"}
_SWAPPED = {"1-0": "0-1", "0-1": "1-0"}


def is_pgn(text: str) -> bool:
    """Whether a text begins with a tag of PGN."""
    return _FIRST_TAG.match(text.lstrip()) is not None


def read_pgn(text: str, options: ReadOptions) -> Iterator[Item]:
    """Yield the games of a PGN text, and the error of each broken one."""
    games: list[tuple[GameRecord, str]] = []  # with the result as it is written
    notes: set[str] = set()
    for line, part in _parts(text):
        try:
            games.append(_pgn_game(part, line, options, notes))
        except ValueError as error:
            yield "", error
    for note in notes:
        yield "", ReadNote(note)
    ends = [(finished(game).result, stated) for game, stated in games]
    agree = sum(end == stated for end, stated in ends if end in _SWAPPED)
    against = sum(
        end == _SWAPPED.get(stated) for end, stated in ends if end in _SWAPPED
    )
    if against > agree:
        yield "", ReadNote("1-0 is read as a win of White, as the games show")
    for game, stated in games:
        if game.result == "*" and stated != "*":
            result = _SWAPPED.get(stated, stated) if against > agree else stated
            game = replace(game, result=result)
        yield "", game


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """Yield the games of a text, each with the number of its first line."""
    begin, has_moves = 1, False
    lines: list[str] = []
    for number, line in lines_of(text):
        is_tag = _TAG.match(line) is not None
        if is_tag and has_moves:
            yield begin, "\n".join(lines)
            begin, has_moves = number, False
            lines = []
        lines.append(line)
        if len(lines) > _MAX_LINES:
            raise ValueError(f"line {begin}: a game of more than {_MAX_LINES} lines")
        has_moves = has_moves or bool(line.strip() and not is_tag)
    yield begin, "\n".join(lines)


def _pgn_game(
    text: str, line: int, options: ReadOptions, notes: set[str]
) -> tuple[GameRecord, str]:
    tags: dict[str, str] = {}
    at = 0
    while found := _TAG.match(text, at):
        tags.setdefault(found[1], re.sub(r"\\(.)", r"\1", found[2]))
        at = found.end()
        while at < len(text) and text[at].isspace():
            at += 1
    size = _size(tags, options, line)
    rule = options.rule
    for name in _RULE_TAGS:
        if rule is None and name in tags:
            rule = rule_named(tags[name])
    moves: list[PlayedMove] = []
    stated = tags.get("Result", "*").strip()
    before: list[str] = []
    depth = 0  # of variations, which are left out
    skipped = has_result = False
    tokens = 0
    while at < len(text):
        found = _GAME_TOKEN.match(text, at)
        tokens += 1
        if tokens > _MAX_TOKENS:
            raise ValueError(f"line {line}: a game without an end")
        if found is None:
            place = line + text.count("\n", 0, at)
            word = text[at:].split(None, 1)[0][:20]
            if _CHESS.search(text, at):
                what = "PGN with moves of chess: c-gomoku-cli writes such, too"
                raise ValueError(f"line {place}: {what}")
            raise ValueError(f"line {place}: {word!r} is no move")
        at = found.end()
        if found[0] in ("(", ")"):
            depth += 1 if found[0] == "(" else -1
            if depth > _DEEPEST:
                raise ValueError(f"line {line}: variations are nested too deeply")
            if depth < 0:
                raise ValueError(
                    f"line {line + text.count(chr(10), 0, at)}: a ) too many"
                )
        elif depth:
            skipped = True
        elif found["letter"]:
            number = int(found["number"])
            rows = options.rows or "bottom"
            if number > size:
                where = f"line {line + text.count(chr(10), 0, at)}"
                raise ValueError(f"{where}: {found[0]} is off the board of {size} rows")
            if has_result:
                place = line + text.count("\n", 0, at)
                raise ValueError(f"line {place}: moves behind the result")
            if len(moves) == size * size:
                raise ValueError(f"line {line}: more moves than the board has cells")
            moves.append(PlayedMove(cell_named(found["letter"], number, size, rows)))
        elif found["pass"]:
            place = line + text.count("\n", 0, at)
            raise ValueError(f"line {place}: a pass within the game")
        elif found["result"]:
            has_result = found["result"] != "*"
            stated = found["result"] if stated in ("*", "") else stated
        elif words := (found["comment"] or found["rest"] or "").strip():
            if moves:
                comment = "\n".join(filter(None, (moves[-1].comment, words)))
                moves[-1] = replace(moves[-1], comment=comment)
            else:
                before.append(words)
    if depth:
        raise ValueError(f"line {line}: a variation has no end )")
    if skipped:
        notes.add("variations of PGN are left out")
    stated = "1/2-1/2" if stated == "½-½" else stated
    result, reason, unread = "*", "", ""
    if stated not in ("1-0", "0-1", "1/2-1/2"):
        read = result_named(stated)
        result, reason = read or ("*", "")
        unread, stated = stated if read is None else "", "*"
    own = {"Black", "White", "Date", "Result"}
    extra = {_NAMES.get(k, k): one_line(v) for k, v in tags.items() if k not in own}
    extra["comment"] = "\n".join(before)
    extra["RE"] = unread
    record = GameRecord(
        options.rule_or() if rule is None else rule,
        size,
        size,
        black=one_line(tags.get("Black", "")),
        white=one_line(tags.get("White", "")),
        result=result,
        reason=reason,
        moves=tuple(moves),
        date=_date(tags.get("Date", "")),
        extra={k: v for k, v in extra.items() if v and v not in ("?", "-")},
    )
    return finished(record, f"line {line}: "), stated


def _size(tags: dict[str, str], options: ReadOptions, line: int) -> int:
    for name in _SIZE_TAGS:
        found = re.match(r"\s*(\d{1,3})", tags.get(name, ""))
        if found:
            if not 5 <= int(found[1]) <= _LARGEST:
                raise ValueError(f"line {line}: no board has {found[1]} rows")
            return int(found[1])
    return options.square


def _date(text: str) -> str:
    """Return "2019.05.05" in the form of ISO 8601; other text unchanged, "" for
    "????".
    """
    found = re.fullmatch(r"\s*(\d{4})[.-](\d\d)[.-](\d\d)\s*", text)
    if found:
        return "-".join(found.groups())
    return "" if "?" in text else one_line(text)


# ----- The contest -----

_CONTEST = re.compile(r"\{?\s*[\[{]\s*#?([A-Z]{1,3}\d?)\s*[\]}]\s*\[", re.IGNORECASE)
_CONTEST_GAME = re.compile(  # at the beginning, or after another one
    r"(?:\A|(?<=[}\n#]))[ \t]*(?:\{\s*)?[\[{]\s*[A-Z]{1,3}\d?\s*[\]}]\s*(?=\[)",
    re.IGNORECASE,
)
_FIELD = re.compile(r"\s*\[([^\[\]]*)\]")
_CONTEST_MOVE = re.compile(
    r"[\s;,'\"\[\]}]*(?:([BW])\s*[(\uff08]\s*([A-Z])\s*[,\uff0c]\s*(\d{1,2})\s*[)\uff09]"
    r"\s*(MARK\s*\[[^\]]*\])?)?",
    re.IGNORECASE,
)
_SIDE_END = re.compile(r"\s+[BW]$")
_WHEN = re.compile(
    r"\s*(\d{4})[.\-/年](\d{1,2})[.\-/月](\d{1,2})日?\s*(\d{1,2}[:\uff1a_]\d\d(?:[:\uff1a_]\d\d)?)?"
)
_OTHER_GAMES = {"C6": "Connect6", "AM": "the Amazons", "WTN": "EinStein"}


def is_contest(text: str) -> bool:
    """Whether a text begins like a record of the contest."""
    return _CONTEST.match(text.lstrip("\ufeff \t\r\n#")) is not None


def read_contest(text: str, options: ReadOptions) -> Iterator[Item]:
    """Yield the records of the contest in a text, and the error of each that is broken
    or of another game.
    """
    starts = [found.start() for found in _CONTEST_GAME.finditer(text)]
    for begin, end in zip(starts, [*starts[1:], len(text)], strict=True):
        line = text.count("\n", 0, begin) + 1
        try:
            yield "", _contest_game(text[begin:end], options)
        except ValueError as error:
            yield "", ValueError(f"line {line}: {error}")


def _contest_game(text: str, options: ReadOptions) -> GameRecord:
    kind = _CONTEST.match(text.lstrip())
    if kind is None:
        raise ValueError("no head of a contest record: {[C5][..][..]")
    name = kind[1].upper()
    if name != "C5":
        game = _OTHER_GAMES.get(name, "another game")
        raise ValueError(f"a contest record of {game} ({name}) is no game of ours")
    text = text.lstrip()
    at = kind.end() - 1
    fields: list[str] = []
    while found := _FIELD.match(text, at):
        fields.append(one_line(found[1]))
        at = found.end()
    moves: list[PlayedMove] = []
    size = options.square
    while at < len(text):
        found = _CONTEST_MOVE.match(text, at)
        if found is None or found.end() == at:
            raise ValueError(f"{text[at:].split(None, 1)[0][:20]!r} is no move")
        at = found.end()
        if not found[1]:
            continue
        if found[1].upper() != "BW"[len(moves) % 2]:
            raise ValueError(
                f"{found[1].upper()} moves out of turn: {found[0].strip()}"
            )
        if not 1 <= int(found[3]) <= size:
            raise ValueError(f"{found[2]}{found[3]} is off the board of {size} rows")
        move = cell_named(found[2], int(found[3]), size, options.rows or "bottom")
        moves.append(PlayedMove(move, comment=(found[4] or "").strip()))
    black, white, stated, when, *others = [*fields, "", "", "", ""]
    result, reason = result_named(stated) or ("*", "")
    date, place = _when(when)
    extra = {"PC": place, "event": " ".join(filter(None, others))}
    if stated and result_named(stated) is None:
        extra["RE"] = stated
    record = GameRecord(
        options.rule_or(),
        size,
        size,
        black=_SIDE_END.sub("", black),
        white=_SIDE_END.sub("", white),
        moves=tuple(moves),
        result=result,
        reason=reason,
        date=date,
        extra={key: value for key, value in extra.items() if value},
    )
    return finished(record)


def _when(text: str) -> tuple[str, str]:
    """Return the date in the form of ISO 8601, and the place that follows it."""
    found = _WHEN.match(text)
    if found is None:
        return "", text
    date = f"{found[1]}-{int(found[2]):02}-{int(found[3]):02}"
    if found[4]:
        date += "T" + re.sub("[:\uff1a_]", ":", found[4]).zfill(5)
    return date, text[found.end() :].strip()


# ----- XML -----

_XML_PIECE = 1 << 16  # characters that the parser takes at once
_MAX_OTHERS = 100_000  # elements beside games: RenjuNet has some 30,000
_PROLOG = re.compile(r"(?:\s++|<\?.*?\?>|<!--.*?-->)*+", re.DOTALL)
"""What may stand before a DOCTYPE."""
_XML_HEAD = 4096  # characters in which a root or a game must occur
_CUT = ("no element found", "unclosed token", "partial character")  # words of expat
Events = Iterator[tuple[str, "Element"]]
_TABLES = {
    "player": "players",
    "tournament": "tournaments",
    "rule": "rules",
    "opening": "openings",
    "publisher": "publishers",
}
_XML_RESULTS = {"1": "1-0", "0.5": "1/2-1/2", "0,5": "1/2-1/2", "0": "0-1"}
_XML_OWN = {"id", "black", "white", "bresult", "tournament", "rule"}


def is_renjunet(text: str) -> bool:
    """Whether a text is XML with the root of such a database, or with a game of one."""
    head = text[:_XML_HEAD]
    if not head.lstrip().startswith("<"):
        return False
    root = re.search(r"<(?![?!])\s*([\w:.-]+)", head)
    return root is not None and (
        root[1].lower() in ("database", "games", "game", "renjunet", "rif")
        or "<game" in head
    )


def read_renjunet(text: str, options: ReadOptions) -> Iterator[Item]:
    """Yield the games of a database, and the error of each broken one.

    Broken XML ends the reading with its error; if it only ends too early, with a note.
    The games before that place are read.
    """
    # Late: other commands read no XML, and the folder of the brain has no parser.
    from xml.etree.ElementTree import ParseError, XMLPullParser

    parser: XMLPullParser[Any] = XMLPullParser(("start", "end"))
    before = _PROLOG.match(text)
    if before and text.startswith("<!DOCTYPE", before.end()):
        raise ValueError("XML with a DOCTYPE is not read")
    tables: dict[str, dict[str, str]] = {name: {} for name in _TABLES}
    depth = 0
    inside: Element | None = None  # the game that is being read
    others = 0  # elements beside games
    try:
        for at in range(0, len(text) + 1, _XML_PIECE):
            parser.feed(text[at : at + _XML_PIECE])
            for event, element in cast(Events, parser.read_events()):
                if event == "start":
                    depth += 1
                    others += inside is None
                    if others > _MAX_OTHERS:
                        raise ValueError("XML with too many elements beside games")
                    if element.tag == "game" and inside is None:
                        inside = element
                    continue
                depth -= 1
                if element is inside:
                    inside = None
                    others -= 1
                    yield "", _game_or_error(element, tables, options)
                    element.clear()
                elif inside is None:
                    _store_row(element, tables)
                    if depth:
                        element.clear()
        parser.close()
    except ParseError as error:
        line, _ = error.position
        words = str(error).partition(":")[0]
        if words not in _CUT:
            yield "", ValueError(f"line {line}: broken XML: {words}")
            return
        if inside is not None and any(each.text for each in inside):
            yield "", _game_or_error(inside, tables, options)
        yield "", ReadNote("the XML ends within a game or a table")


def _store_row(element: "Element", tables: dict[str, dict[str, str]]) -> None:
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


def _game_or_error(
    element: "Element", tables: dict[str, dict[str, str]], options: ReadOptions
) -> GameRecord | ValueError:
    facts = dict(element.attrib)
    for child in element:
        facts.setdefault(child.tag, (child.text or "").strip())
    name = one_line(facts.get("id", ""))
    if not facts:
        return ValueError("a game without any content")
    try:
        return _record(facts, tables, options)
    except ValueError as error:
        place = f"game {name}" if name else "a game"
        return ValueError(f"{place}: {error}")


def _record(
    facts: dict[str, str], tables: dict[str, dict[str, str]], options: ReadOptions
) -> GameRecord:
    def named(table: str, key: str) -> str:
        """Look up a number in a table; a text that is not in it stays unchanged."""
        value = facts.get(key, "")
        return tables[table].get(value, "" if value == "0" else value)

    moves = _xml_moves(facts.get("move") or facts.get("board") or "", options)
    rule_text = named("rule", "rule")
    rule = rule_named(rule_text) if rule_text and not rule_text.isdigit() else None
    if rule is None:
        rule = options.rule_or(Rule.RENJU)
    extra = {
        "event": named("tournament", "tournament"),
        "round": facts.get("round", ""),
        "rules": rule_text,
        "opening": named("opening", "opening"),
        "comment": one_line(facts.get("info", "")),
    }
    known = {*_XML_OWN, "round", "opening", "info", "move", "board", "winner"}
    extra |= {key: one_line(facts[key]) for key in facts if key not in known}
    stated = facts.get("bresult", facts.get("winner", ""))
    result, reason = _XML_RESULTS.get(stated.strip(), ""), ""
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


def _xml_moves(text: str, options: ReadOptions) -> list[Move]:
    moves = parse_moves(text)
    return moves if options.rows == "top" else from_bottom(moves, _SIZE)
