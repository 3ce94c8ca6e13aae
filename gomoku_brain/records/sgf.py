r"""SGF, the Smart Game Format FF[1] to FF[4], of five-in-a-row games.

    (;FF[4]GM[4]CA[UTF-8]AP[gomoku-brain:1]SZ[15]RU[renju]PB[Rapfi]
    PW[Embryo]DT[2026-11-21]RE[B+T]GC[reason: time]
    ;B[hh]C[opening move];W[hi]V[12]C[0.302 s, score -12, depth 9, 20411 nodes])

A point is column and row, counted from the upper left: a to z, then A to Z. Facts
without a property of their own are in comments, in plain words: those of a move in its
first line, those of the game in lines "key: value" of GC. V is the value of the
position for black.

The module reads games in capitals or not, whatever game ``GM`` names: Sabaki and others
write GM[1] for all games. It writes what it read: every property at its node, in its
order, with its escapes; only blanks between properties change. Three things are
interpreted at once: a move in the root and several moves in one node become nodes of
their own, a shaped opening (``QPR``, ``QSLW``) becomes moves, and property names
without a capital are taken as capitals.

Written from the specification, https://www.red-bean.com/sgf/.
"""

import re
from collections.abc import Iterator

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_head import rule_named
from gomoku_brain.records.game_node import CELLS, MARKS, GameNode, cell_of, point
from gomoku_brain.records.game_record import GameRecord
from gomoku_brain.records.read_options import Item, Progress, ReadOptions

__all__ = ["is_sgf", "line_of", "parse", "read_sgf", "to_sgf", "write"]

OWN_LINE = ("GC", "AB", "AW", "PL")
"""Properties of the root that begin a line."""
_NODES_A_LINE = 8
_MAX_MENDED = 100  # values of a game with brackets that are not escaped
_MAX_VALUES = 10_000  # of a property, nodes in a line, variations of a node
_EACH = 2000  # tokens of one game between two calls of ``watch``
_PIECE = 1 << 15  # characters of small games between two calls of ``watch``

# A sign of the tree, or a property with its values. Possessive: a value without the ]
# is given up at once, not divided in every other way.
_TOKEN = re.compile(
    r"\s*(?:([;()])|([A-Za-z0-9]+)\s*(\[(?:\\.|[^\\\]]++)*+\])"
    r"((?:\s*\[(?:\\.|[^\\\]]++)*+\])*+))",
    re.DOTALL,
)
# A node that begins with a move of one value: by far the most frequent text.
_MOVE = re.compile(r"\s*;\s*([BW])\[([a-zA-Z]{2})\](?!\s*\[)")
_VALUE = re.compile(r"\[((?:\\.|[^\\\]]++)*+)\]", re.DOTALL)
_BLANK = re.compile(r"\s*")
_WORD = re.compile(r"[A-Za-z0-9]+\s*")
_VALUE_END = re.compile(r"(?<!\\)\](?=\s*(?:[;()\[]|[A-Za-z0-9]+\s*\[))")
_BRACKET = re.compile(r"\\.|\]", re.DOTALL)  # that is escaped, or is not
# A place where a game certainly begins: after a broken one, or behind another text.
_NEXT_GAME = re.compile(
    r"\(\s*;\s*(?:FF|GM|SZ|CA|AP|GN|EV|PB|PW|US|RU|DT|RE|ff|gm|sz)\s*\["
)
_BEGIN = re.compile(r"\((?=\s*(?:;|\(|[A-Za-z]{1,9}\s*\[))")  # of a game
_NEW_GAME = re.compile(r"\(\s*;\s*(?:FF|GM|SZ|CA|AP)\s*\[")  # inside another one
_SWALLOWED = re.compile(r";\s*[BW]\[[a-zA-Z]{2}(?:\Z|\s*;)")
_LINE = re.compile(r"\s*(?:-{3,}|={3,}|_{3,}|\*{3,}|~{3,}|#{3,}|\.{3,})")
"""Line drawn between two nodes."""
_CUT = re.compile(  # the rest of a text that ends within a game
    r"\s*(?:([A-Za-z0-9]*)\s*(\[(?:(?:\\.|[^\\\]]++)*+\]\s*\[)*+(?:\\.|[^\\\]]++)*+\\?)?)?\Z",
    re.DOTALL,
)
_FOREWORD = 1 << 16  # characters in which a game begins
_PARENTHESIS = re.compile(r"\[(?:\\.|[^\\\]]++)*+\]|[()]", re.DOTALL)  # or a value
_SIDES = {"B": Side.BLACK, "W": Side.WHITE}
_SHAPED = ("QPR", "QSLW")
_OF_MOVE = (
    *("B", "W", "C", "N", "V", "LB", "L", *MARKS, "AR", "LN", "DD", "BL", "WL", "OB"),
    *("OW", "BM", "DO", "IT", "TE", "DM", "GB", "GW", "UC", "HO", "KO", "MN"),
)
"""Properties of a root that follow its move into a node of its own."""
_STONES = ("AB", "AW", "AE", "PL")  # errors about a node are most often about these
_OLD_PASS = Move(19, 19)
_GAMES = ("4", "")  # of GM


def wrong(text: str, at: int, what: str) -> ValueError:
    """Return the error for a place in the text, with the number of its line."""
    return ValueError(f"line {line_of(text, at)}: {what}")


def is_sgf(text: str) -> bool:
    """Whether a text begins like SGF, or has a game behind a few words."""
    start = text[:_FOREWORD].lstrip("\ufeff \t\r\n")
    if start.startswith("("):
        return True
    return not start.startswith("<") and _NEXT_GAME.search(start) is not None


def line_of(text: str, at: int) -> int:
    """Return the number of the line of a place in a text."""
    return text.count("\n", 0, max(at, 0)) + 1


def read_sgf(text: str, options: ReadOptions) -> Iterator[Item]:
    """Yield the games of a collection, and the error of each broken one.

    Raises ValueError for a text without a game.
    """
    for game in parse(text, options.progress):
        if isinstance(game, ValueError):
            yield "", game
            continue
        game.assume(options.rule, (options.square, options.square))
        try:
            _check_kind(text, game)
        except ValueError as error:
            yield "", error
        else:
            is_position = game.has("AB") or game.has("AW")
            yield (f":{line_of(text, game.at)}" if is_position else ""), game


def _check_kind(text: str, game: Game) -> None:
    """Note strange content. Raises ValueError for a game that is not five in a row."""
    kind = game.text("GM").strip()
    if kind not in _GAMES:
        game.notes.append(f"GM[{kind}] is read as a game of five in a row")
    stones = game.text("HA").strip()
    only_black = game.has("AB") and not game.has("AW")
    try:
        width, height = game.size
    except ValueError as error:
        raise wrong(text, game.at, str(error)) from None
    handicap = stones.isdigit() and int(stones) > 1
    if handicap or (kind == "1" and only_black and width == height == 19):
        what = f"GM[{kind}] is not our game: Go with a handicap"
        raise wrong(text, game.at, what)
    front = game.front()
    named = front.text("RU").strip()
    spoken = named.lower().replace(" ", "_")
    if not named:
        if (name := front.text("GN")) and game.stated_rule is not None:
            game.notes.append(f"GN[{name}] names {game.rule.name.lower()}")
    elif (rule := rule_named(named)) is not None and (
        rule.name.lower() not in spoken and named != str(rule.value)
    ):
        game.notes.append(f"RU[{named}] is read as {rule.name.lower()}")


def parse(text: str, watch: Progress | None = None) -> Iterator[Game | ValueError]:
    """Yield the games of a collection as they are written, whatever game they are.

    The error of a broken game, with the number of its line, takes its place. Raises
    ValueError for a text without a game.
    """
    begin = _BEGIN.search(text)
    reported = 0
    if begin is None:
        raise wrong(text, 0, "no game: SGF begins with (;")
    while begin is not None:
        at = begin.start()
        try:
            tree, at = _read_tree(text, at, watch)
        except ValueError as error:
            yield error
            found = _NEXT_GAME.search(text, at + 1)
            limit = found.start() if found else len(text)
            begin = _BEGIN.search(text, _end_of(text, at, limit))
            continue
        if watch is not None and at >= reported + _PIECE:
            watch(at, len(text))
            reported = at
        begin = _BEGIN.search(text, at)
        if _MOVE.search(text, at, begin.start() if begin else len(text)):
            tree.notes.append("moves behind the end of the game are left out")
        yield tree


def _end_of(text: str, at: int, limit: int) -> int:
    """Return the end of a broken game by its parentheses, at most ``limit``."""
    depth = 0
    for found in _PARENTHESIS.finditer(text, at, limit):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if not depth:
            return found.end()
    return limit


def _read_tree(text: str, at: int, watch: Progress | None) -> tuple[Game, int]:
    """Return the game that begins at a place, and its end."""
    tree = Game(None)
    node: GameNode | None = None  # the last one; None before the root
    starts: list[GameNode | None] = []  # the last node at the start of each open tree
    shaped = False
    passes: list[GameNode] = []  # nodes that have no move, or one that may be a pass
    last = ""  # the name of the last property
    begins = False  # whether a tree was opened and has no node yet
    match = _TOKEN.match
    move_at = _MOVE.match
    count = mended = 0
    while True:
        if node is not None and (found := move_at(text, at)) is not None:
            last, cell = found.groups()
            new = GameNode(node, _SIDES[last], CELLS[cell])
            new.at = at = found.end()
            node.variations += (new,)  # append() would take room for four
            if cell == "tt":
                passes.append(new)
            node = new
            begins = False
            count += 1
            if not count % _EACH:
                _check_growth(text, at, node, watch)
            continue
        found = match(text, at)
        if found is None:
            if line := _LINE.match(text, at):
                at = line.end()
                continue
            if node is not None and (cut := _CUT.match(text, at)):
                _keep_comment(node, *cut.groups(""))
                tree.notes.append("the text ends within the game")
                at = len(text)
                break
            mended += 1
            if mended > _MAX_MENDED:
                raise _broken(text, at)
            at = _mended(text, at, node, last)
            tree.notes.append(f"{last} has [ and ] that are not escaped")
            continue
        sign, name, first, more = found.groups()
        count += 1
        if not count % _EACH:
            _check_growth(text, at, node, watch)
        if begins and sign != ";":
            if sign is not None:
                raise wrong(text, _skip(text, at), "a game tree begins with ;")
            tree.notes.append("a ; is missing before the first node of a tree")
            node = tree if node is None else _node_after(node, at)
            begins = False
        at = found.end()
        if sign is None:
            if node is None:
                raise wrong(text, found.start(2), f"{name!r} was not expected")
            values = [first[1:-1]]
            if more:
                if len(more) > _MAX_VALUES and more.count("[") > _MAX_VALUES:
                    raise wrong(text, at, f"{name} has too many values")
                values += _VALUE.findall(more)
            # Only capitals count: old files write out "GaMe".
            if not name.isupper():
                name = _capitals(name)
            last = name
            if name in _STONES:
                values = [value for value in values if value.strip()]
                if not values:
                    continue  # "AB[]", as Sabaki writes
            elif node is not tree and name in ("SZ", "GM"):
                tree.notes.append(f"{name} behind the first node is not read")
            if any(_SWALLOWED.search(value) for value in values):
                tree.notes.append(f"the text of {name} contains moves: a ] is missing")
            if name in _SIDES:
                node = _add_move(node, name, values, found.start(2), passes)
            elif name in (properties := node.properties):
                properties[name] += values
            else:
                properties[name] = values
                shaped = shaped or name in _SHAPED
                if name in _STONES:
                    node.at = found.start(2)
        elif sign == ";":
            begins = False
            node = tree if node is None else _node_after(node, at)
            node.at = at
        elif sign == "(":
            if node is not None and _NEW_GAME.match(text, found.start(1)):
                tree.notes.append("a ) is missing at the end of the game")
                at = found.start(1)
                break
            starts.append(node)
            begins = True
        else:
            if not starts:
                raise wrong(text, found.start(1), "')' was not expected")
            node = starts.pop()
            if not starts:
                break
    if passes:
        _check_passes(text, tree, passes)
    if tree.side is not None:
        _divide_root(tree)
    if shaped:
        _play_shaped(tree)
    return tree, at


def _check_growth(
    text: str, at: int, node: GameNode | None, watch: Progress | None
) -> None:
    """Report the progress. Raises ValueError for a tree that no game has."""
    if watch is not None:
        watch(at, len(text))
    if node is None:
        return
    values = max(map(len, node.properties.values()), default=0)
    path = node.path()
    siblings = max(len(each.variations) for each in path)
    if max(values, len(path), siblings) > _MAX_VALUES:
        what = "more nodes in a line, variations or values than a game has"
        raise wrong(text, at, what)


def _node_after(node: GameNode, at: int) -> GameNode:
    """Add a node without a move behind another one."""
    new = GameNode(node)
    new.at = at
    node.variations.append(new)
    return new


def _keep_comment(node: GameNode, name: str, values: str) -> None:
    """Store the beginning of a comment whose end is missing."""
    if name == "C" and values:
        kept = node.properties.setdefault("C", [])
        at = 0
        while found := _VALUE.match(values, at):
            kept.append(found[1])
            at = _skip(values, found.end())
        kept.append(values[at + 1 :].removesuffix("\\"))


def _mended(text: str, at: int, node: GameNode | None, name: str) -> int:
    """Continue a value that seemed to end at a bracket in its own text.

    An example is ``PW[[team] player]``. Return the end of the value. Raises ValueError
    if the value is not of this form.
    """
    values = node.properties.get(name) if node is not None else None
    end = _VALUE_END.search(text, at)
    opened = [k for k, value in enumerate(values or ()) if "[" in value]
    if not values or not opened or end is None:
        raise _broken(text, at)
    rest = _BRACKET.sub(
        lambda found: found[0] if len(found[0]) > 1 else "\\]",
        text[at : end.start()],
    )
    values[opened[0] :] = ["\\][".join(values[opened[0] :]) + "\\]" + rest]
    return end.end()


def _capitals(name: str) -> str:
    """Return the name that counts: its capitals and digits, or all if it has none."""
    kept = "".join(sign for sign in name if not sign.islower())
    return kept if any(sign.isalpha() for sign in kept) else name.upper()


def _add_move(
    node: GameNode, name: str, values: list[str], at: int, passes: list[GameNode]
) -> GameNode:
    """Add a move to a node; if the node has a move, add another node for it."""
    for value in values:
        if node.side is not None:
            new = GameNode(node)
            node.variations.append(new)
            node = new
        node.at = at
        node.side = _SIDES[name]
        node.move = cell_of(value)
        if node.move is None:
            node.properties[name] = [value]  # a pass, or no move at all: see there
        if node.move is None or node.move == _OLD_PASS:
            passes.append(node)
    return node


def _divide_root(tree: Game) -> None:
    """Give the move of a root a node of its own: the root has only the head."""
    node = GameNode(tree, tree.side, tree.move)
    node.at = tree.at
    node.variations, tree.variations = tree.variations, [node]
    for below in node.variations:
        below.parent = node
    tree.side = tree.move = None
    for name in _OF_MOVE:
        if tree.has(name):
            node.properties[name] = tree.properties.pop(name)


def _check_passes(text: str, tree: Game, passes: list[GameNode]) -> None:
    """Check that a move without a cell is a pass. Raises ValueError for no move.

    The cell "tt" is a pass on boards that do not have it, as in FF[3] and before.
    """
    try:
        small = max(tree.size) <= _OLD_PASS.x
    except ValueError:
        small = False
    for node in passes:
        if node.side is None:
            continue
        if node.move is None:
            stated = node.text("BW"[node.side]).strip()
            if stated and stated.lower() not in ("pass", "resign", "resigns"):
                what = f"{stated[:20]!r} is no point (a move is two letters)"
                if node.is_main_line:
                    raise wrong(text, node.at, what)
                node.side = None  # the property stays
                tree.notes.append(f"a variation ends where {what}")
        elif node.move == _OLD_PASS and small:
            node.move = None
            node.properties["BW"[node.side]] = ["tt"]


def _play_shaped(tree: Game) -> None:
    """Play the shaped openings of a game that were not played: 3 stones, and 1."""
    for node in list(tree.nodes()):
        stated = [
            raw
            for name in _SHAPED
            if node.has(name)
            for value in node.properties[name]
            for raw in value.split(",")
        ]
        cells = [cell for raw in stated if (cell := cell_of(raw)) is not None]
        if len(cells) != len(stated) or not cells:
            continue
        following = (
            [node, *node.mainline()] if node.side is not None else node.mainline()
        )
        played = [n.move for n in following if n.move is not None]
        if played[: len(cells)] == cells:
            continue
        side = Side.BLACK if "QPR" in node.properties else Side.WHITE
        after = node.variations
        node.variations = []
        last = node
        if node.side is not None:  # "QPR[..];": the move of the node follows
            after = [moved := GameNode(node, node.side, node.move)]
            moved.variations, node.variations = node.variations, []
            node.side = node.move = None
        for cell in cells:
            new = GameNode(last, side, cell)
            last.variations.append(new)
            last, side = new, side.other
        last.variations = after
        for below in after:
            below.parent = last


def _skip(text: str, at: int) -> int:
    """Return the first place at or after ``at`` that is not blank."""
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def _broken(text: str, at: int) -> ValueError:
    """Return the error of a text at a place that is no SGF."""
    at = _skip(text, at)
    name = _WORD.match(text, at)
    if name is None:
        return wrong(text, at, f"{text[at : at + 1]!r} was not expected")
    return wrong(text, at, f"{name[0].strip()[:20]} has no value")


# ----- Writing -----


def to_sgf(source: Game | GameNode | GameRecord | Board) -> str:
    """Return a game as SGF text with its variations, lines ending in newlines.

    Of a node the whole game is written. A board is written as its moves, or as stones
    of a start position if the moves do not alternate from black. Seconds are rounded to
    microseconds. Raises ValueError for a board wider or higher than 52 cells, and for
    one with walls.
    """
    if isinstance(source, GameNode):
        return write(source.root())
    return write(Game.of(source))


def write(*games: Game) -> str:
    """Return games as one collection; content that was read is unchanged.

    Raises ValueError for a game with walls.
    """
    return "".join(map(_game_text, games))


def _game_text(game: Game) -> str:
    if game.walls:
        raise ValueError("SGF knows no walls")
    parts = ["(", _root_text(game)]
    waiting: list[str | tuple[GameNode, int]] = [")\n"]  # a stack: it may be deep

    def push(nodes: list[GameNode], depth: int) -> None:
        if len(nodes) == 1:
            waiting.append((nodes[0], depth))
            return
        for node in reversed(nodes):
            waiting.extend((")", (node, depth), "\n("))

    push(game.variations, 0)
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        node, depth = item
        if depth % _NODES_A_LINE == 0 and not parts[-1].endswith("("):
            parts.append("\n")
        parts.append(_node_text(node))
        push(node.variations, depth + 1)
    return "".join(parts)


def _root_text(game: Game) -> str:
    """Return the text of a root; some of its properties begin a line."""
    text = _node_text(game, {})
    for name, values in game.written().items():
        text += "\n" if name in OWN_LINE else ""
        text += name + "".join([f"[{value}]" for value in values])
    return text


def _node_text(node: GameNode, properties: dict[str, list[str]] | None = None) -> str:
    text = ";"
    if node.side is not None and node.move is not None:
        text += f"{'BW'[node.side]}[{point(node.move)}]"
    for name, values in (node.written() if properties is None else properties).items():
        text += name + "".join([f"[{value}]" for value in values])
    return text
