r"""SGF, the Smart Game Format FF[4], of five-in-a-row games (GM[4]).

    (;FF[4]GM[4]CA[UTF-8]AP[gomoku-brain:1]SZ[15]RU[renju]PB[Rapfi]
    PW[Embryo]DT[2026-11-21]RE[B+T]GC[reason: time]
    ;B[hh]C[opening move];W[hi]V[12]C[0.302 s, score -12, depth 9, 20411 nodes])

A point is column and row, counted from the upper left: a to z, then A to Z. What the
format has no property for stands in comments as one would say it: about a move in its
first line, about the game in lines "key: value" of GC. V is the value of the position
for black.

Read are collections of any programs' games, of each the main line (the first variation
everywhere), or all its variations. Stones set up before the first move are taken for an
opening if there are as many black as white ones, or one more.

Written from the specification, https://www.red-bean.com/sgf/.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule
from gomoku_brain.match.game_record import (
    GameRecord,
    PlayedMove,
    first_wrong,
    natural_end,
    one_line,
)

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOVES_A_LINE = 8
_DAY = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")

# ----- Writing -----


def to_sgf(record: GameRecord, variations: Iterable[GameRecord] = ()) -> str:
    """The game as SGF text, lines ending in newlines.

    `variations` are other lines of the same game, from its first move; of moves that
    lines share, the first one's facts are written. Seconds are rounded to microseconds;
    runs of blanks in names and the like become one blank. Raises ValueError for a board
    wider or higher than 52 cells.
    """
    width, height = record.width, record.height
    if max(width, height) > len(_LETTERS):
        raise ValueError(f"SGF has no board of {width}x{height} cells")
    size = f"{width}" if width == height else f"{width}:{height}"
    day = record.date[:10] if _DAY.match(record.date) else ""
    head = f"(;FF[4]GM[4]CA[UTF-8]AP[gomoku-brain:1]SZ[{size}]"
    for name, value in (
        ("RU", record.rule.name.lower()),
        ("PB", record.black),
        ("PW", record.white),
        ("GN", record.id),
        ("DT", day),
        ("RE", _result(record)),
    ):
        if value := one_line(value):
            head += f"{name}[{_escaped(value)}]"
    facts = {**record.extra, "reason": record.reason, "detail": record.detail}
    if record.date != day:
        facts["date"] = record.date  # DT has room for days only
    lines = [
        f"{key}: {value}"
        for key, value in (
            (one_line(key.replace(":", " ")), one_line(value))
            for key, value in facts.items()
        )
        if key and value
    ]
    if lines:
        head += "\nGC[" + _escaped("\n".join(lines)) + "]"
    return head + "".join(_branches(_merged([record, *variations]), 0)) + ")\n"


class _Branch(NamedTuple):
    """A move and what followed it, by its moves, the main line first."""

    played: PlayedMove
    following: "dict[Move, _Branch]"


def _merged(records: Iterable[GameRecord]) -> dict[Move, _Branch]:
    """The lines of a game as a tree."""
    root: dict[Move, _Branch] = {}
    for record in records:
        here = root
        for played in record.moves:
            here = here.setdefault(played.move, _Branch(played, {})).following
    return root


def _branches(tree: dict[Move, _Branch], ply: int) -> Iterator[str]:
    """The nodes of a tree; where it divides, each branch in parentheses."""
    while len(tree) == 1:
        ((played, tree),) = tree.values()
        yield "" if ply % _MOVES_A_LINE else "\n"
        yield _node(played, black=ply % 2 == 0)
        ply += 1
    for move, branch in tree.items():
        yield "\n("
        yield from _branches({move: branch}, ply)
        yield ")"


def _node(played: PlayedMove, black: bool) -> str:
    x, y = played.move
    text = f";{'B' if black else 'W'}[{_LETTERS[x]}{_LETTERS[y]}]"
    if played.score is not None:
        text += f"V[{played.score if black else -played.score}]"
    comment = played.comment.replace("\r\n", "\n").replace("\r", "\n")
    known = ", ".join(_facts(played))
    # A comment that looks like our first line gets an empty one before it.
    if known or comment.startswith("\n") or _read_facts(comment.partition("\n")[0]):
        comment = f"{known}\n{comment}" if comment else known
    return text + (f"C[{_escaped(comment)}]" if comment else "")


def _facts(played: PlayedMove) -> Iterator[str]:
    """What is known of a move, in words that _FACTS reads."""
    if played.by_opening:
        yield "opening move"
    if played.seconds is not None:
        seconds = f"{played.seconds:.6f}".rstrip("0").rstrip(".")
        yield f"{seconds} s"
    if played.score is not None:
        yield f"score {played.score}"
    if played.win_in is not None:
        word = "loss" if played.win_in < 0 else "win"
        yield f"{word} in {abs(played.win_in)}"
    if played.depth is not None:
        yield f"depth {played.depth}"
    if played.nodes is not None:
        yield f"{played.nodes} nodes"


def _result(record: GameRecord) -> str:
    if record.result == "*":
        return "?"
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


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


# ----- Reading -----


class Property(NamedTuple):
    """One property of a node; the values are raw."""

    name: str
    values: list[str]
    at: int
    """Its place in the text."""


Node = list[Property]

_SPACE = re.compile(r"\s*")
_NAME = re.compile(r"[A-Za-z]+")
_VALUE = re.compile(r"\[((?:\\.|[^\\\]]+)*)\]\s*", re.DOTALL)
_SIZE = re.compile(r"\s*(\d+)\s*(?::\s*(\d+)\s*)?")
_KEY_LINE = re.compile(r"([^:\n]+): (.+)")
_FACTS = {
    "by_opening": re.compile(r"(opening move)"),
    "seconds": re.compile(r"(\d+(?:\.\d*)?) ?s"),
    "milliseconds": re.compile(r"(\d+) ?ms"),  # as c-gomoku-cli writes
    "score": re.compile(r"score ([+-]?\d+)"),
    "win": re.compile(r"win in (\d+)"),
    "loss": re.compile(r"loss in (\d+)"),
    "depth": re.compile(r"depth (\d+)"),
    "nodes": re.compile(r"(\d+) nodes"),
}
_DRAWS = ("0", "DRAW", "D", "1/2-1/2")
_TERMINATIONS = {  # c-gomoku-cli: what its text holds
    "time forfeit": "time",
    "illegal move": "illegal move",
    "forbidden": "foul",
    "crash": "crash",
    "adjudication": "adjudicated",
}
_REASONS = {"T": "time", "R": "resigned"}


def from_sgf(
    text: str, rule: Rule = Rule.FREESTYLE, size: int = 15
) -> list[GameRecord]:
    """Read all games of a collection; `rule` and `size` hold where a game tells none.

    Raises ValueError with the number of the line for text that is not SGF, another game
    than GM[4], a pass, a move out of turn, off the board or on a stone, and stones
    set up or taken off in any but the described way.
    """
    lines = _lines(text, main_only=True)
    return [_game(text, nodes, rule, size) for (nodes,) in lines]


def variations_from_sgf(
    text: str, rule: Rule = Rule.FREESTYLE, size: int = 15
) -> list[list[GameRecord]]:
    """Read all lines of all games of a collection; of each game the main line first.

    Raises as `from_sgf` does.
    """
    return [
        [_game(text, nodes, rule, size) for nodes in lines]
        for lines in _lines(text, main_only=False)
    ]


def _lines(text: str, main_only: bool) -> Iterator[list[list[Node]]]:
    """The nodes of each line, from the root to an end, of each game of a collection.

    The first is the main line, that of the first variation everywhere; with `main_only`
    it is the only one.
    """
    at = text.find("(")
    if at < 0:
        raise _wrong(text, 0, "no game: SGF begins with (;")
    path: list[Node] = []
    starts: list[int] = []  # how long the path was where each open tree begins
    lines: list[list[Node]] = []
    grown = False  # whether the path has an end of its own
    while True:
        at = _skip(text, at)
        sign = text[at : at + 1]
        if sign == "(":
            starts.append(len(path))
            at = _skip(text, at + 1)
            if text[at : at + 1] != ";":
                raise _wrong(text, at, "a game tree begins with ;")
        elif sign == ")":
            if grown and not (main_only and lines):
                lines.append(path.copy())
            grown = False
            del path[starts.pop() :]
            at += 1
            if not starts:
                yield lines
                lines = []
                at = text.find("(", at)
                if at < 0:
                    return
        elif sign == ";":
            node, at = _node_at(text, at + 1)
            path.append(node)
            grown = True
        elif sign:
            raise _wrong(text, at, f"{sign!r} was not expected")
        else:
            raise _wrong(text, at, "the text ends within a game")


def _node_at(text: str, at: int) -> tuple[Node, int]:
    """The node whose properties begin at `at`, and where it ends."""
    node: Node = []
    while True:
        at = _skip(text, at)
        name = _NAME.match(text, at)
        if not name:
            return node, at
        values = []
        end = _skip(text, name.end())
        while value := _VALUE.match(text, end):
            values.append(value[1])
            end = value.end()
        if text[end : end + 1] == "[":
            raise _wrong(text, end, "the value has no end ]")
        if not values:
            raise _wrong(text, at, f"{name[0]} has no value")
        # Only the capitals count: old files write out "GaMe".
        capitals = "".join(letter for letter in name[0] if letter.isupper())
        node.append(Property(capitals, values, at))
        at = end


def _skip(text: str, at: int) -> int:
    """The first place at or after `at` that is not blank."""
    blank = _SPACE.match(text, at)
    return blank.end() if blank else at


def _wrong(text: str, at: int, what: str) -> ValueError:
    return ValueError(f"line {text.count(chr(10), 0, at) + 1}: {what}")


def _plain(raw: str, lines: bool = False) -> str:
    """A value without its escapes; `lines` keeps the line ends that are meant."""
    raw = raw.replace("\r\n", "\n").replace("\r", "\n")
    raw = re.sub(r"\\(.)", lambda found: found[1].strip("\n"), raw, flags=re.DOTALL)
    return re.sub(r"[^\S\n]" if lines else r"\s", " ", raw)


def _game(text: str, nodes: list[Node], rule: Rule, size: int) -> GameRecord:
    """The record of a line."""
    root = {name: (values[0], at) for name, values, at in nodes[0]}

    def fact(name: str, lines: bool = False) -> str:
        return _plain(root.get(name, ("", 0))[0], lines)

    if fact("GM").strip() not in ("4", ""):
        raise _wrong(text, root["GM"][1], f"GM[{fact('GM')}] is not our game, GM[4]")
    width = height = size
    if "SZ" in root:
        row = _SIZE.fullmatch(fact("SZ"))
        width, height = (int(row[1]), int(row[2] or row[1])) if row else (0, 0)
        if not (0 < width <= len(_LETTERS) and 0 < height <= len(_LETTERS)):
            raise _wrong(text, root["SZ"][1], f"SZ[{fact('SZ')}] is no board")
    played, places = _moves(text, nodes)
    place, what = first_wrong([p.move for p in played], width, height)
    if what:
        raise _wrong(text, places[place], what)

    lines = fact("GC", lines=True).split("\n")
    rows = [row for line in lines if (row := _KEY_LINE.fullmatch(line))]
    if len(rows) == len(lines):
        about = {row[1]: row[2] for row in rows}
    else:
        about = {"comment": fact("GC", lines=True)} if "GC" in root else {}
    for name, key in (("EV", "event"), ("RO", "round"), ("TE", "termination")):
        if name in root:
            about.setdefault(key, fact(name))
    named = _rule(fact("RU"))
    if named is not None:
        rule = named
    elif "RU" in root:
        about.setdefault("rules", fact("RU"))

    game = GameRecord(rule, width, height, moves=tuple(played))
    result, reason = _end(fact("RE"))
    if not reason:
        words = fact("TE")
        reason = next((_TERMINATIONS[w] for w in _TERMINATIONS if w in words), "")
    if not fact("AP").startswith("gomoku-brain"):
        by_position = natural_end(game)
        if result in ("*", by_position[0]):
            result, reason = by_position
    return replace(
        game,
        black=fact("PB"),
        white=fact("PW"),
        result=result,
        reason=about.pop("reason", reason),
        detail=about.pop("detail", ""),
        date=about.pop("date", _iso(fact("DT"))),
        id=fact("GN"),
        extra=about,
    )


def _rule(text: str) -> Rule | None:
    """The rule that RU names, by the protocol's code or by words."""
    text = text.strip().lower().replace(" ", "_")
    for rule in reversed(Rule):  # caro_exact before caro
        if text == str(rule.value) or rule.name.lower() in text:
            return rule
    return None


def _iso(date: str) -> str:
    """ "2026.11.21 00:12:54", as c-gomoku-cli writes, in the form of ISO 8601."""
    row = re.fullmatch(r"(\d{4})\.(\d\d)\.(\d\d)(?: (\d\d:\d\d:\d\d))?", date)
    if not row:
        return date
    return f"{row[1]}-{row[2]}-{row[3]}" + (f"T{row[4]}" if row[4] else "")


def _end(text: str) -> tuple[str, str]:
    """The (result, reason) that RE tells."""
    text = text.strip().upper()
    if text in _DRAWS:
        return "1/2-1/2", ""
    if text[:2] in ("B+", "W+"):
        return ("1-0" if text[0] == "B" else "0-1"), _REASONS.get(text[2:3], "")
    return "*", ""


def _moves(text: str, nodes: list[Node]) -> tuple[list[PlayedMove], list[int]]:
    """The moves of a line, set-up stones first, and their places in the text."""
    stones: dict[str, list[tuple[Move, int]]] = {"AB": [], "AW": []}
    chosen: list[tuple[str, Move, int, str, str]] = []
    turn = "", 0
    for node in nodes:
        about = {p.name: p.values[0] for p in node if p.name in ("C", "V")}
        for name, values, at in node:
            if name in ("AB", "AW", "AE"):
                if chosen or name == "AE":
                    raise _wrong(text, at, f"{name} changes the board within the game")
                for raw in values:
                    stones[name] += [(move, at) for move in _points(text, raw, at)]
            elif name == "PL" and not chosen:
                turn = values[0].strip().upper()[:1], at
            elif name in ("B", "W"):
                comment = _plain(about.pop("C", ""), lines=True)
                (move,) = _points(text, values[0], at)[:1]
                chosen.append((name, move, at, comment, about.pop("V", "")))

    black, white = stones["AB"], stones["AW"]
    if len(black) - len(white) not in (0, 1):
        raise _wrong(
            text,
            (black or white)[0][1],
            f"{len(black)} black and {len(white)} white stones are no opening",
        )
    played = []
    places = []
    for ply in range(len(black) + len(white)):
        move, at = (black, white)[ply % 2][ply // 2]
        played.append(PlayedMove(move, by_opening=True))
        places.append(at)
    if turn[0] and turn[0] != "BW"[len(played) % 2]:
        raise _wrong(text, turn[1], f"PL[{turn[0]}], but it is the other's turn")
    for colour, move, at, comment, value in chosen:
        if colour != "BW"[len(played) % 2]:
            raise _wrong(text, at, f"{colour} moves out of turn")
        played.append(_played(move, colour, comment, value))
        places.append(at)
    return played, places


def _points(text: str, raw: str, at: int) -> list[Move]:
    """The point "hh", or those of the rectangle "aa:cc"."""
    corners = []
    for point in raw.split(":"):
        x, y = (_LETTERS.find(letter) for letter in point.strip().ljust(2)[:2])
        if len(point.strip()) != 2 or min(x, y) < 0:
            what = "a pass" if not point.strip() else f"{point!r} is no point"
            raise _wrong(text, at, f"{what} (a move is two letters)")
        corners.append((x, y))
    (left, top), (right, bottom) = corners[0], corners[-1]
    return [Move(x, y) for y in range(top, bottom + 1) for x in range(left, right + 1)]


def _played(move: Move, colour: str, comment: str, value: str) -> PlayedMove:
    """A move with what its comment and its value tell."""
    first, _, rest = comment.partition("\n")
    facts = _read_facts(first)
    if facts or not first:
        comment = rest
    if "score" not in facts:
        try:
            for_black = round(float(value))
        except (ValueError, OverflowError):
            pass
        else:
            facts["score"] = for_black if colour == "B" else -for_black
    return PlayedMove(move, comment=comment, **facts)  # type: ignore[arg-type]


def _read_facts(line: str) -> dict[str, float]:
    """The fields of a PlayedMove that a comment's first line tells, if it tells only
    such; what _facts wrote."""
    facts: dict[str, float] = {}
    for item in line.split(", "):
        matches = ((name, form.fullmatch(item)) for name, form in _FACTS.items())
        name, row = next((pair for pair in matches if pair[1]), ("", None))
        if not row:
            return {}
        if name == "by_opening":
            facts[name] = True
        elif name == "seconds":
            facts[name] = float(row[1])
        elif name == "milliseconds":
            facts["seconds"] = int(row[1]) / 1000
        elif name in ("win", "loss"):
            facts["win_in"] = int(row[1]) if name == "win" else -int(row[1])
        else:
            facts[name] = int(row[1])
    return facts
