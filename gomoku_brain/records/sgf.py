r"""SGF, the Smart Game Format FF[4], of five-in-a-row games (GM[4]).

    (;FF[4]GM[4]CA[UTF-8]AP[gomoku-brain:1]SZ[15]RU[renju]PB[Rapfi]
    PW[Embryo]DT[2026-11-21]RE[B+T]GC[reason: time]
    ;B[hh]C[opening move];W[hi]V[12]C[0.302 s, score -12, depth 9, 20411 nodes])

What the format has no property for stands in comments as one would say it: about a move
in its first line, about the game in lines "key: value" of GC. V is the value of the
position for black.

Read are collections of any programs' games, of each the main line (the first variation
everywhere), or all its variations. For a record, stones set up before the first move
are an opening if there are as many black as white ones, or one more; `lines_from_sgf`
also tells any other position.

`sgf_tree` has what the format is apart from games.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import DEFAULT_RULE, Rule
from gomoku_brain.records.game_record import (
    GameRecord,
    PlayedMove,
    first_wrong,
    natural_end,
    one_line,
)
from gomoku_brain.records.sgf_tree import (
    LETTERS,
    Node,
    SgfNode,
    all_points,
    one_point,
    plain,
    point,
    read_lines,
    root_of,
    to_text,
    wrong,
)

_DAY = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")

# ----- Writing -----


def to_sgf(record: GameRecord, variations: Iterable[GameRecord] = ()) -> str:
    """The game as SGF text, lines ending in newlines.

    `variations` are other lines of the same game, from its first move; of moves that
    lines share, the first one's facts are written. Seconds are rounded to microseconds;
    runs of blanks in names and the like become one blank. Raises ValueError for a board
    wider or higher than 52 cells.
    """
    root = root_of(record.width, record.height, record.rule)
    root.properties |= head_properties(record)
    add_lines(root, [record, *variations])
    return to_text(root)


def head_properties(record: GameRecord) -> dict[str, str]:
    """What the root says of a game: players, result, date and all other facts."""
    day = record.date[:10] if _DAY.match(record.date) else ""
    head = {
        "PB": record.black,
        "PW": record.white,
        "GN": record.id,
        "DT": day,
        "RE": _result(record),
    }
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
    return {name: one_line(value) for name, value in head.items()} | {
        "GC": "\n".join(lines)
    }


class _Branch(NamedTuple):
    """A node and what followed it, by its moves."""

    node: SgfNode
    following: "dict[Move, _Branch]"


def add_lines(root: SgfNode, records: Iterable[GameRecord]) -> list[list[SgfNode]]:
    """Put the lines of a game below the root; the nodes of each line.

    Lines share the nodes of the moves with which they begin alike.
    """
    tree = _Branch(root, {})
    lines = []
    for record in records:
        here = tree
        nodes = []
        for ply, played in enumerate(record.moves):
            branch = here.following.get(played.move)
            if branch is None:
                node = here.node.add(move_properties(played, black=ply % 2 == 0))
                branch = here.following[played.move] = _Branch(node, {})
            here = branch
            nodes.append(here.node)
        lines.append(nodes)
    return lines


def move_properties(played: PlayedMove, black: bool) -> dict[str, str]:
    """The properties of a move's node: the move, its value for black, the comment."""
    comment = played.comment.replace("\r\n", "\n").replace("\r", "\n")
    known = ", ".join(_facts(played))
    # A comment that looks like our first line gets an empty one before it.
    if known or comment.startswith("\n") or _read_facts(comment.partition("\n")[0]):
        comment = f"{known}\n{comment}" if comment else known
    value = ""
    if played.score is not None:
        value = str(played.score if black else -played.score)
    return {("B" if black else "W"): point(played.move), "V": value, "C": comment}


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


# ----- Reading -----

_SIZE = re.compile(r"\s*(\d{1,9})\s*(?::\s*(\d{1,9})\s*)?")
_KEY_LINE = re.compile(r"([^:\n]+): (.+)")
_FACTS = {
    "by_opening": re.compile(r"(opening move)"),
    # With more digits it is nothing that a program says of a move.
    "seconds": re.compile(r"(\d{1,9}(?:\.\d*)?) ?s"),
    "milliseconds": re.compile(r"(\d{1,12}) ?ms"),  # as c-gomoku-cli writes
    "score": re.compile(r"score ([+-]?\d{1,18})"),
    "win": re.compile(r"win in (\d{1,18})"),
    "loss": re.compile(r"loss in (\d{1,18})"),
    "depth": re.compile(r"depth (\d{1,18})"),
    "nodes": re.compile(r"(\d{1,18}) nodes"),
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


def from_sgf(text: str, rule: Rule = DEFAULT_RULE, size: int = 15) -> list[GameRecord]:
    """Read all games of a collection; `rule` and `size` hold where a game tells none.

    Raises ValueError with the number of the line for text that is not SGF, another game
    than GM[4], a pass, a move out of turn, off the board or on a stone, and stones
    set up or taken off in any but the described way.
    """
    lines = read_lines(text, main_only=True)
    return [_game(text, nodes, rule, size) for (nodes,) in lines]


def variations_from_sgf(
    text: str, rule: Rule = DEFAULT_RULE, size: int = 15
) -> list[list[GameRecord]]:
    """Read all lines of all games of a collection; of each game the main line first.

    Raises as `from_sgf` does.
    """
    return [
        [_game(text, nodes, rule, size) for nodes in lines]
        for lines in read_lines(text, main_only=False)
    ]


class SetUp(NamedTuple):
    """A line of SGF that begins with a position instead of the empty board."""

    rule: Rule | None
    """None where the text does not tell it."""
    size: tuple[int, int] | None
    """(width, height); None where the text does not tell it."""
    black: tuple[Move, ...]
    white: tuple[Move, ...]
    first: str
    """Who makes the first move: "B", "W", or "" where the text does not tell it."""
    moves: tuple[Move, ...]
    name: str
    line: int
    """The number of the line where the game begins."""


def lines_from_sgf(
    text: str, rule: Rule = DEFAULT_RULE, size: int = 15, main_only: bool = False
) -> list[list[GameRecord | SetUp]]:
    """Read all lines of all games, those with stones set up as positions.

    Of each game the main line comes first, with `main_only` alone. Raises as `from_sgf`
    does, but for stones that are set up before the first move, in any number.
    """
    return [
        [
            _set_up(text, nodes)
            if any(p.name in ("AB", "AW") for node in nodes for p in node)
            else _game(text, nodes, rule, size)
            for nodes in lines
        ]
        for lines in read_lines(text, main_only)
    ]


def _set_up(text: str, nodes: list[Node]) -> SetUp:
    """The position that a line sets up, and the moves from there."""
    stones: dict[str, list[Move]] = {"AB": [], "AW": []}
    root: dict[str, str] = {}
    moves: list[Move] = []
    colour = ""
    first = ""
    for node in nodes:
        for name, values, at in node:
            if name in stones:
                if moves:
                    raise wrong(text, at, "stones are set up in the middle of a game")
                stones[name] += all_points(text, values, at)
            elif name in ("B", "W"):
                if name == colour:
                    raise wrong(text, at, "a side moves twice in a row")
                colour = name
                first = name if not moves else first
                moves.append(one_point(text, values[0], at))
            elif name == "PL" and not moves:
                first = plain(values[0]).strip().upper()[:1]
                if first not in ("B", "W"):
                    raise wrong(text, at, f"PL[{values[0]}] is no side")
            else:
                root.setdefault(name, plain(values[0]))
    at = nodes[0][0].at if nodes[0] else 0
    row = _SIZE.fullmatch(root.get("SZ", ""))
    if "SZ" in root and not row:
        raise wrong(text, at, f"SZ[{root['SZ']}] is no board")
    return SetUp(
        _rule(root.get("RU", "")),
        (int(row[1]), int(row[2] or row[1])) if row else None,
        tuple(stones["AB"]),
        tuple(stones["AW"]),
        first,
        tuple(moves),
        root.get("GN", ""),
        text.count("\n", 0, at) + 1,
    )


def _game(text: str, nodes: list[Node], rule: Rule, size: int) -> GameRecord:
    """The record of a line."""
    root = {name: (values[0], at) for name, values, at in nodes[0]}

    def fact(name: str, lines: bool = False) -> str:
        return plain(root.get(name, ("", 0))[0], lines)

    if fact("GM").strip() not in ("4", ""):
        raise wrong(text, root["GM"][1], f"GM[{fact('GM')}] is not our game, GM[4]")
    width = height = size
    if "SZ" in root:
        row = _SIZE.fullmatch(fact("SZ"))
        width, height = (int(row[1]), int(row[2] or row[1])) if row else (0, 0)
        if not (0 < width <= len(LETTERS) and 0 < height <= len(LETTERS)):
            raise wrong(text, root["SZ"][1], f"SZ[{fact('SZ')}] is no board")
    played, places = _moves(text, nodes)
    place, what = first_wrong([p.move for p in played], width, height)
    if what:
        raise wrong(text, places[place], what)

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
                    raise wrong(text, at, f"{name} changes the board within the game")
                cells = all_points(text, values, at)
                stones[name] += [(move, at) for move in cells]
            elif name == "PL" and not chosen:
                turn = values[0].strip().upper()[:1], at
            elif name in ("B", "W"):
                comment = plain(about.pop("C", ""), lines=True)
                move = one_point(text, values[0], at)
                chosen.append((name, move, at, comment, about.pop("V", "")))

    black, white = stones["AB"], stones["AW"]
    if len(black) - len(white) not in (0, 1):
        raise wrong(
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
        raise wrong(text, turn[1], f"PL[{turn[0]}], but it is the other's turn")
    for colour, move, at, comment, value in chosen:
        if colour != "BW"[len(played) % 2]:
            raise wrong(text, at, f"{colour} moves out of turn")
        played.append(_played(move, colour, comment, value))
        places.append(at)
    return played, places


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
