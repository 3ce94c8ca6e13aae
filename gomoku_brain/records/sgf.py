r"""SGF, the Smart Game Format FF[4], of five-in-a-row games (GM[4]).

    (;FF[4]GM[4]CA[UTF-8]AP[gomoku-brain:1]SZ[15]RU[renju]PB[Rapfi]
    PW[Embryo]DT[2026-11-21]RE[B+T]GC[reason: time]
    ;B[hh]C[opening move];W[hi]V[12]C[0.302 s, score -12, depth 9, 20411 nodes])

Facts without a property of their own are in comments, in plain words: those of a move
in its first line, those of the game in lines "key: value" of GC. V is the value of the
position for black.

The module reads collections of games that any program wrote. It returns the main line
of each game (the first variation everywhere) or all its variations. In a record, stones
set up before the first move are an opening if there are as many black as white ones, or
one more black; ``lines_from_sgf`` also returns any other position. A record has the
moves of one line with their comments, and the root's properties in ``KEPT``.
``records.sgf_trees`` reads and writes games with their whole content.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import NamedTuple, ParamSpec, TypeVar

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import DEFAULT_RULE, Rule, Side
from gomoku_brain.records.game_record import (
    GameRecord,
    PlayedMove,
    bare,
    first_wrong,
    foul_at_end,
    natural_end,
    one_line,
)
from gomoku_brain.records.record_tree import (
    GameNode,
    RecordTree,
    cell_of,
    plain,
    point,
    rule_named,
)
from gomoku_brain.records.result_words import result_named
from gomoku_brain.records.sgf_trees import read_trees, write_tree, wrong
from gomoku_brain.records.sgf_writer import SgfNode, root_of, set_up, to_text

T = TypeVar("T")
P = ParamSpec("P")
KEPT = (
    *("BR", "WR", "BT", "WT", "PC", "ON", "AN", "SO", "US", "TM", "OT", "CP", "SW"),
    *("KM", "5A", "C"),
)
"""Properties of a root that stand in ``extra`` under their own names."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")

# ----- Writing -----


def to_sgf(
    game: GameRecord | GameNode | Board, variations: Iterable[GameRecord] = ()
) -> str:
    """Return a game as SGF text, lines ending in newlines.

    If ``game`` is a node, its whole tree is written. A board is written as its moves,
    or as set-up stones if the moves do not alternate from black.

    ``variations`` are other lines of a record's game, from its first move. If lines
    share a move, the facts of the first line are written. Seconds are rounded to
    microseconds. Several blanks in a name become one blank. Raises
    ValueError for a board wider or higher than 52 cells, and for a board with walls.
    """
    if isinstance(game, GameNode):
        return write_tree(game.root())
    if isinstance(game, Board):
        return write_tree(_tree_of_board(game))
    record = game
    root = root_of(record.width, record.height, record.rule)
    root.properties |= head_properties(record)
    add_lines(root, [record, *variations])
    return to_text(root)


def tree_of(
    game: GameRecord | Board, variations: Iterable[GameRecord] = ()
) -> RecordTree:
    """Return a record or a board as a tree, with everything that ``to_sgf`` writes."""
    (tree,) = read_trees(to_sgf(game, variations))
    return tree


def record_of(node: GameNode) -> GameRecord:
    """Return the line through a node of a tree, and on along the main continuation.

    A record has the moves with their comments, the players and the other facts of the
    root, but no variations, labels and marks. Raises ValueError for a line that is no
    game from the empty board.
    """
    tree = node.root()
    width, height = tree.size
    rule = DEFAULT_RULE if tree.rule is None else tree.rule
    if width != height and "SZ" not in tree.properties:
        raise ValueError("the tree has no size")
    try:
        return _game("", tree, [*node.path(), *node.mainline()], rule)
    except ValueError as error:
        raise ValueError(str(error).removeprefix("line 1: ")) from None


def _tree_of_board(board: Board) -> RecordTree:
    tree = RecordTree(board.width, board.height, board.rule)
    moves = board.moves
    sides = [board.stone(move) for move in moves]
    if sides == [Side(ply % 2) for ply in range(len(moves))]:
        tree.add_line(moves)
        if board.turn is not Side(len(moves) % 2):
            tree.end().properties["PL"] = ["BW"[board.turn]]
        return tree
    for name, values in set_up(board).items():
        if values:
            tree.properties[name] = [*values]
    return tree


def head_properties(record: GameRecord) -> dict[str, str]:
    """Return the facts of a game for its root: players, result, date and others."""
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
    lines = [
        f"{key}: {value}"
        for key, value in (
            (one_line(key.replace(":", " ")), one_line(value))
            for key, value in facts.items()
        )
        if key and value
    ]
    about = {name: one_line(value) for name, value in head.items()}
    about |= {name: _kept(name, value) for name, value in kept.items()}
    return about | {"GC": "\n".join(lines)}


def _kept(name: str, value: str) -> str:
    """Return a value of ``KEPT`` as it is written: only comments have line ends."""
    if name == "C":
        return value.replace("\r\n", "\n").replace("\r", "\n")
    return one_line(value)


class _Branch(NamedTuple):
    """Node with the nodes after it, by their moves."""

    node: SgfNode
    following: "dict[Move, _Branch]"


def add_lines(root: SgfNode, records: Iterable[GameRecord]) -> list[list[SgfNode]]:
    """Add the lines of a game below the root; return the nodes of each line.

    Lines share the nodes of equal first moves.
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
    """Return the properties of a move's node: the move, its value for black, the
    comment.
    """
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
    """Yield the facts of a move, in words that ``_FACTS`` reads."""
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


# ----- Reading -----

_KEY_LINE = re.compile(r"([^:\n]+): (.+)")
_FACTS = {
    "by_opening": re.compile(r"(opening move)"),
    # A longer number is no figure of a program.
    "seconds": re.compile(r"(\d{1,9}(?:\.\d*)?) ?s"),
    "milliseconds": re.compile(r"(\d{1,12}) ?ms"),  # as c-gomoku-cli writes
    "score": re.compile(r"score ([+-]?\d{1,18})"),
    "win": re.compile(r"win in (\d{1,18})"),
    "loss": re.compile(r"loss in (\d{1,18})"),
    "depth": re.compile(r"depth (\d{1,18})"),
    "nodes": re.compile(r"(\d{1,18}) nodes"),
}
_TERMINATIONS = {  # c-gomoku-cli: content of its text
    "time forfeit": "time",
    "illegal move": "illegal move",
    "forbidden": "foul",
    "crash": "crash",
    "adjudication": "adjudicated",
}
_GAMES = ("4", "")  # of GM
Skip = Callable[[ValueError], None]


def from_sgf(
    text: str,
    rule: Rule = DEFAULT_RULE,
    size: int = 15,
    skip: Skip | None = None,
) -> list[GameRecord]:
    """Read all games of a collection; ``rule`` and ``size`` apply if a game names none.

    ``skip`` is called with the error of each game that cannot be read, and the others
    are read. Without ``skip`` such a game raises ValueError with the number of the
    line. Errors are text that is not SGF, a pass within the game, a move out of turn,
    off the board or on a stone, and stones set up or removed in another way than
    described above.
    """
    return [
        record
        for tree in read_trees(text, skip)
        for record in _tried(skip, main_record, text, tree, rule, size)
    ]


def variations_from_sgf(
    text: str,
    rule: Rule = DEFAULT_RULE,
    size: int = 15,
    skip: Skip | None = None,
) -> list[list[GameRecord]]:
    """Read all lines of all games of a collection; of each game the main line first.

    Raises as ``from_sgf``.
    """
    return [
        found
        for tree in read_trees(text, skip)
        for found in _tried(skip, _all_records, text, tree, rule, size)
    ]


def _all_records(
    text: str, tree: RecordTree, rule: Rule, size: int
) -> list[GameRecord]:
    tree.assume(rule, (size, size))
    return [_game(text, tree, nodes, rule) for nodes in tree.lines()]


def _tried(
    skip: Skip | None, make: Callable[P, T], *args: P.args, **kwargs: P.kwargs
) -> list[T]:
    """Return the result of ``make`` in a list; an empty list if ``skip`` gets its
    error.
    """
    try:
        return [make(*args, **kwargs)]
    except ValueError as error:
        if skip is None:
            raise
        skip(error)
        return []


class SetUp(NamedTuple):
    """Line of SGF that begins with a position instead of the empty board."""

    rule: Rule | None
    """Rule; None if the text does not name it."""
    size: tuple[int, int] | None
    """(width, height); None if the text does not state it."""
    black: tuple[Move, ...]
    white: tuple[Move, ...]
    first: str
    """Side of the first move: "B", "W", or "" if the text states none."""
    moves: tuple[Move, ...]
    name: str
    line: int
    """Number of the line where the game begins."""
    head: dict[str, str] | None = None
    """Players, result and others of the root, by the names of SGF."""


def lines_from_sgf(
    text: str,
    rule: Rule = DEFAULT_RULE,
    size: int = 15,
    main_only: bool = False,
    skip: Skip | None = None,
) -> list[list[GameRecord | SetUp]]:
    """Read all lines of all games, those with stones set up as positions.

    A line that white begins is returned as a position as well. So is a line with a
    pass: its position has the stones before the pass, and its moves are those after it.
    The main line of each game comes first; with ``main_only`` it is the only one.
    Raises as ``from_sgf`` for everything else.
    """
    most = 1 if main_only else None
    return [
        found
        for tree in read_trees(text, skip)
        for found in _tried(skip, tree_lines, text, tree, rule, size, most)
    ]


def tree_lines(
    text: str,
    tree: RecordTree,
    rule: Rule,
    size: int = 15,
    most: int | None = None,
    skip: Skip | None = None,
) -> list[GameRecord | SetUp]:
    """Return the first lines of one game of a text, at most ``most``.

    ``skip`` is called with the error of each line that cannot be read.
    """
    tree.assume(rule, (size, size))
    _seen(text, tree)
    lines = islice(tree.lines(), most)
    return [
        line for nodes in lines for line in _tried(skip, _line, text, tree, nodes, rule)
    ]


def _line(
    text: str, tree: RecordTree, nodes: list[GameNode], rule: Rule
) -> GameRecord | SetUp:
    if _is_plain(nodes):
        return _game(text, tree, nodes, rule)
    return _set_up(text, tree, nodes)


def main_record(text: str, tree: RecordTree, rule: Rule, size: int) -> GameRecord:
    """Return the main line of one game of a text. Raises ValueError as ``from_sgf``."""
    tree.assume(rule, (size, size))
    return _game(text, tree, [tree, *tree.mainline()], rule)


def _is_plain(nodes: list[GameNode]) -> bool:
    """Whether a line is a game from the empty board that black begins."""
    last = len(nodes) - 1
    while last and (nodes[last].is_pass or nodes[last].side is None):
        last -= 1
    begins = next((n.side for n in nodes if n.side is not None), Side.BLACK)
    if begins is Side.WHITE and last:
        return False
    for number, node in enumerate(nodes):
        if node.has("AB") or node.has("AW"):
            return False
        if node.is_pass and number < last:
            return False
    return True


def _seen(text: str, tree: RecordTree) -> tuple[int, int]:
    """Return the size of a game that can be five in a row; notes strange content.

    Raises ValueError for a game that cannot.
    """
    kind = tree.text("GM").strip()
    if kind not in _GAMES:
        note = f"GM[{kind}] is read as a game of five in a row"
        if note not in tree.notes:
            tree.notes.append(note)
    stones = tree.text("HA").strip()
    only_black = "AB" in tree.properties and "AW" not in tree.properties
    try:
        width, height = tree.size
    except ValueError as error:
        raise wrong(text, tree.at, str(error)) from None
    handicap = stones.isdigit() and int(stones) > 1
    if handicap or (kind == "1" and only_black and width == height == 19):
        what = f"GM[{kind}] is not our game: Go with a handicap"
        raise wrong(text, tree.at, what)
    return width, height


def _game(text: str, tree: RecordTree, nodes: list[GameNode], rule: Rule) -> GameRecord:
    """Return the record of a line."""
    width, height = _seen(text, tree)
    played, places = _moves(text, nodes)
    place, what = first_wrong([p.move for p in played], width, height)
    if what:
        raise wrong(text, places[place], what)

    stated = tree.text("GC", lines=True)
    lines = stated.split("\n")
    rows = [row for line in lines if (row := _KEY_LINE.fullmatch(line))]
    if len(rows) == len(lines):
        about = {row[1]: row[2] for row in rows}
    else:
        about = {"comment": stated} if "GC" in tree.properties else {}
    for name, key in (("EV", "event"), ("RO", "round"), ("TE", "termination")):
        if name in tree.properties:
            about.setdefault(key, tree.text(name))
    if tree.rule is not None:
        rule = tree.rule
    named = tree.text("RU").strip()
    spoken = named.lower().replace(" ", "_")
    if named and rule.name.lower() not in spoken and named != str(rule.value):
        about.setdefault("rules", named)
        note = f"RU[{named}] is read as {rule.name.lower()}"
        if rule_named(named) is not None and note not in tree.notes:
            tree.notes.append(note)
    if not named and tree.names_rule:
        note = f"GN[{tree.text('GN')}] names {rule.name.lower()}"
        if note not in tree.notes:
            tree.notes.append(note)
    for name in KEPT:
        if name in tree.properties:
            plain_values = [plain(v, lines=name == "C") for v in tree.properties[name]]
            about.setdefault(name, " ".join(filter(None, plain_values)))
    about = {key: value for key, value in about.items() if value}

    game = GameRecord(rule, width, height, moves=tuple(played))
    ended = result_named(tree.text("RE"))
    result, reason = ended or ("*", "")
    if ended is None and tree.text("RE").strip():
        about.setdefault("RE", tree.text("RE"))
    last = nodes[-1]
    if result == "*" and last.resigns and last.side is not None:
        result, reason = ("0-1", "1-0")[last.side], "resigned"
    detail = about.pop("detail", "")
    if not reason:
        words = tree.text("TE")
        reason = next((_TERMINATIONS[w] for w in _TERMINATIONS if w in words), "")
    if not tree.text("AP").startswith("gomoku-brain"):
        by_position = natural_end(game)
        is_foul = by_position[1] == "foul"
        if by_position[0] != "*" and (is_foul or result in ("*", by_position[0])):
            result, reason = by_position
            detail = detail or foul_at_end(game)
    return replace(
        game,
        black=tree.text("PB"),
        white=tree.text("PW"),
        result=result,
        reason=about.pop("reason", reason),
        detail=detail,
        date=about.pop("date", _iso(tree.text("DT"))),
        id=tree.text("GN"),
        extra=about,
    )


def _set_up(text: str, tree: RecordTree, nodes: list[GameNode]) -> SetUp:
    """Return the position that a line sets up, and the moves from there."""
    _seen(text, tree)
    stones: dict[Side, list[Move]] = {Side.BLACK: [], Side.WHITE: []}
    moves: list[Move] = []
    first = ""
    last: Side | None = None
    passes = 0
    while nodes[-1].is_pass:
        nodes = nodes[:-1]
    for node in nodes:
        for name in ("AB", "AW", "AE"):
            if not node.has(name):
                continue
            if moves:
                what = "stones are set up in the middle of a game"
                raise wrong(text, node.at, what)
            if name == "AE":
                raise wrong(text, node.at, "AE takes off stones that are not there")
            cells = _all_points(text, node, name)
            stones[Side("BW".index(name[1]))] += cells
        if not moves and node.has("PL"):
            first = node.text("PL").strip().upper()[:1]
            if first not in ("B", "W"):
                raise wrong(text, node.at, f"PL[{node.text('PL')}] is no side")
        if node.side is None:
            continue
        if node.side is last:
            raise wrong(text, node.at, "a side moves twice in a row")
        last = node.side
        if node.move is None:
            passes += 1
            begins = Side.BLACK if first != "W" else Side.WHITE
            stones[begins] += moves[::2]
            stones[begins.other] += moves[1::2]
            moves, first = [], "BW"[node.side.other]
            continue
        first = "BW"[node.side] if not moves else first
        moves.append(node.move)
    played = len(stones[Side.BLACK]) + len(stones[Side.WHITE]) + len(moves)
    if passes > _MOST_PASSES and 2 * passes > played:
        raise wrong(text, tree.at, "the sides pass all the time: no five in a row")
    return SetUp(
        tree.rule if tree.text("RU") else None,
        tree.size if "SZ" in tree.properties else None,
        tuple(stones[Side.BLACK]),
        tuple(stones[Side.WHITE]),
        first,
        tuple(moves),
        tree.text("GN"),
        text.count("\n", 0, max(tree.at, 0)) + 1,
        {
            name: stated
            for name in ("PB", "PW", "GN", "DT", "RE", "EV", "RO", "GC", *KEPT)
            if (stated := tree.text(name, lines=name in ("C", "GC")))
        },
    )


_MOST_PASSES = 3  # of a game whose sides do not pass all the time


def _all_points(text: str, node: GameNode, name: str) -> list[Move]:
    """Return the cells of a property that takes points and rectangles, "aa:cc".

    Raises ValueError with the number of the line for another value.
    """
    found: list[Move] = []
    for raw in node.properties[name]:
        corners = [cell_of(corner) for corner in raw.split(":")]
        one, other = corners[0], corners[-1]
        if one is None or other is None:
            bad = next(c for c in raw.split(":") if cell_of(c) is None)
            what = "a pass" if not bad.strip() else f"{bad!r} is no point"
            raise wrong(text, node.at, f"{what} (a move is two letters)")
        if len(corners) > 2:
            raise wrong(text, node.at, f"{raw!r} is no rectangle (two corners)")
        left, right = sorted((one.x, other.x))
        top, bottom = sorted((one.y, other.y))
        found += [
            Move(x, y) for y in range(top, bottom + 1) for x in range(left, right + 1)
        ]
    return found


def _iso(date: str) -> str:
    """Return "2026.11.21 00:12:54", as c-gomoku-cli writes, in the form of ISO 8601."""
    row = re.fullmatch(r"(\d{4})\.(\d\d)\.(\d\d)(?: (\d\d:\d\d:\d\d))?", date)
    if not row:
        return date
    return f"{row[1]}-{row[2]}-{row[3]}" + (f"T{row[4]}" if row[4] else "")


def _moves(text: str, nodes: list[GameNode]) -> tuple[list[PlayedMove], list[int]]:
    """Return the moves of a line, set-up stones first, and their places in the text."""
    stones: dict[str, list[tuple[Move, int]]] = {"AB": [], "AW": []}
    chosen: list[GameNode] = []
    comments: dict[int, list[str]] = {}  # of nodes without a move, by the move before
    turn = "", 0
    for node in nodes:
        if node.has("AB") or node.has("AW") or node.has("AE"):
            for name in ("AB", "AW", "AE"):
                if node.has(name):
                    if chosen or name == "AE":
                        what = f"{name} changes the board within the game"
                        raise wrong(text, node.at, what)
                    cells = _all_points(text, node, name)
                    stones[name] += [(move, node.at) for move in cells]
        if node.has("PL") and not chosen:
            turn = node.text("PL").strip().upper()[:1], node.at
        if node.side is not None:
            chosen.append(node)
        elif node.has("C") and node.parent is not None:
            comments.setdefault(len(chosen), []).append(node.comment)
    while chosen and chosen[-1].is_pass:
        chosen.pop()

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
    for number, node in enumerate(chosen, 1):
        if node.side is not Side(len(played) % 2):
            what = f"{'BW'[node.side or 0]} moves out of turn"
            raise wrong(text, node.at, what)
        if node.move is None:
            raise wrong(
                text, node.at, "a pass within the game: that is no game of ours"
            )
        extra = comments.pop(number, None)
        if extra or node.has("C") or node.has("V"):
            comment = "\n".join([*filter(None, [node.comment]), *(extra or ())])
            side = "BW"[node.side]
            played.append(_played(node.move, side, comment, node.text("V")))
        else:
            played.append(bare(node.move))
        places.append(node.at)
    return played, places


def _played(move: Move, colour: str, comment: str, value: str) -> PlayedMove:
    """Return a move with the facts of its comment and its value."""
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
    """Return the fields of a PlayedMove in a comment's first line; {} for other text.

    ``_facts`` writes such lines.
    """
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
