r"""SGF as trees: text becomes ``RecordTree`` and a tree becomes text.

    for tree in read_trees(text):
        print(tree.text("PB"), [node.move for node in tree.mainline()])
    text = write_tree(tree)

It reads FF[1] to FF[4], in capitals or not, whatever game ``GM`` names: Sabaki and
others write GM[1] for all games. It writes the same content: every property at its
node, in its order, with its escapes; only blanks between properties change. Three
things are interpreted at once: several moves in one node
become nodes of their own, a shaped opening (``QPR``, ``QSLW``) becomes moves, and
property names without a capital are taken as capitals.

Written from the specification, https://www.red-bean.com/sgf/.
"""

import re
from collections.abc import Callable, Iterator

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Side
from gomoku_brain.records.record_tree import GameNode, RecordTree, cell_of, point
from gomoku_brain.records.sgf_writer import OWN_LINE, game_text

__all__ = ["Watch", "read_trees", "write_tree", "write_trees", "wrong"]

Watch = Callable[[int, int], None]
"""Callback now and then with the amount read and the whole amount.

An exception that it raises ends the reading.
"""
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
# A place where a game certainly begins, after a broken one.
_NEXT_GAME = re.compile(
    r"\(\s*;\s*(?:FF|GM|SZ|CA|AP|GN|EV|PB|PW|US|RU|DT|RE|ff|gm|sz)\s*\["
)
_PARENTHESIS = re.compile(r"\[(?:\\.|[^\\\]]++)*+\]|[()]", re.DOTALL)  # or a value
_SIDES = {"B": Side.BLACK, "W": Side.WHITE}
_SHAPED = ("QPR", "QSLW")
_STONES = ("AB", "AW", "AE", "PL")  # errors about a node are most often about these
_OLD_PASS = Move(19, 19)


def wrong(text: str, at: int, what: str) -> ValueError:
    """Return the error for a place in the text, with the number of its line."""
    return ValueError(f"line {text.count(chr(10), 0, max(at, 0)) + 1}: {what}")


def read_trees(
    text: str,
    skip: Callable[[ValueError], None] | None = None,
    watch: Watch | None = None,
) -> Iterator[RecordTree]:
    """Read the games of a collection, one after the other.

    ``skip`` is called with the error of each game that cannot be read, and the others
    follow. Without it such a game raises ValueError with the number of the line, as
    does a text without a game.
    """
    at = text.find("(")
    reported = 0
    if at < 0:
        raise wrong(text, 0, "no game: SGF begins with (;")
    while at >= 0:
        try:
            tree, at = _read_tree(text, at, watch)
        except ValueError as error:
            if skip is None:
                raise
            skip(error)
            found = _NEXT_GAME.search(text, at + 1)
            limit = found.start() if found else len(text)
            at = text.find("(", _end_of(text, at, limit))
            continue
        if watch is not None and at >= reported + _PIECE:
            watch(at, len(text))
            reported = at
        yield tree
        at = text.find("(", at)


def _end_of(text: str, at: int, limit: int) -> int:
    """Return the end of a broken game by its parentheses, at most ``limit``."""
    depth = 0
    for found in _PARENTHESIS.finditer(text, at, limit):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if not depth:
            return found.end()
    return limit


def _read_tree(text: str, at: int, watch: Watch | None) -> tuple[RecordTree, int]:
    """Return the game that begins at a place, and its end."""
    tree = RecordTree()
    node: GameNode | None = None  # the last one; None before the root
    starts: list[GameNode | None] = []  # the last node at the start of each open tree
    shaped = False
    last = ""  # the name of the last property
    begins = False  # whether a tree was opened and has no node yet
    match = _TOKEN.match
    move_at = _MOVE.match
    count = 0
    while True:
        if node is not None and (found := move_at(text, at)) is not None:
            last, cell = found.groups()
            new = GameNode(node, _SIDES[last], cell_of(cell))
            if new.move is not None:
                new.at = found.start(1)
                node.variations.append(new)
                node = new
                begins = False
                at = found.end()
                count += 1
                if watch is not None and count % _EACH == 0:
                    watch(at, len(text))
                continue
        found = match(text, at)
        if found is None:
            at = _mended(text, at, node, last)
            tree.notes.append(f"{last} has [ and ] that are not escaped")
            continue
        sign, name, first, more = found.groups()
        count += 1
        if watch is not None and count % _EACH == 0:
            watch(at, len(text))
        if begins and sign != ";":
            raise wrong(text, _skip(text, at), "a game tree begins with ;")
        at = found.end()
        if sign is None:
            if node is None:
                raise wrong(text, found.start(2), f"{name!r} was not expected")
            values = [first[1:-1]]
            if more:
                values += _VALUE.findall(more)
            # Only capitals count: old files write out "GaMe".
            if not name.isupper():
                name = _capitals(name)
            last = name
            if name in _SIDES:
                node = _add_move(node, name, values, found.start(2))
            elif name in node.properties:
                node.properties[name] += values
            else:
                node.properties[name] = values
                shaped = shaped or name in _SHAPED
                if name in _STONES:
                    node.at = found.start(2)
        elif sign == ";":
            begins = False
            if node is None:
                node = tree
            else:
                new = GameNode(node)
                node.variations.append(new)
                node = new
            node.at = at
        elif sign == "(":
            starts.append(node)
            begins = True
        else:
            if not starts:
                raise wrong(text, found.start(1), "')' was not expected")
            node = starts.pop()
            if not starts:
                break
    if shaped:
        _play_shaped(tree)
    _check_passes(text, tree)
    return tree, at


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


def _add_move(node: GameNode, name: str, values: list[str], at: int) -> GameNode:
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
    return node


def _check_passes(text: str, tree: RecordTree) -> None:
    """Check that a move without a cell is a pass. Raises ValueError for no move.

    The cell "tt" is a pass on boards that do not have it, as in FF[3] and before.
    """
    try:
        small = max(tree.size) <= _OLD_PASS.x
    except ValueError:
        small = False
    for node in tree.nodes():
        if node.side is None:
            continue
        if node.move is None:
            stated = node.text("BW"[node.side]).strip()
            if stated and stated.lower() not in ("pass", "resign", "resigns"):
                what = f"{stated[:20]!r} is no point (a move is two letters)"
                raise wrong(text, node.at, what)
        elif node.move == _OLD_PASS and small:
            node.move = None
            node.properties["BW"[node.side]] = ["tt"]


def _play_shaped(tree: RecordTree) -> None:
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
    if at >= len(text):
        return wrong(text, at, "the text ends within a game")
    if name is None:
        if text[at] == "[":
            return wrong(text, at, "the value has no end ]")
        return wrong(text, at, f"{text[at]!r} was not expected")
    if text[name.end() : name.end() + 1] == "[":
        return wrong(text, name.end(), "the value has no end ]")
    return wrong(text, at, f"{name[0].strip()[:20]} has no value")


# ----- Writing -----


def write_tree(tree: RecordTree) -> str:
    """Return the game as SGF, ending in a newline; content that was read is
    unchanged.
    """
    root: GameNode = tree
    return game_text(
        root, lambda node: _node_text(node, node is root), lambda node: node.variations
    )


def write_trees(trees: "list[RecordTree]") -> str:
    """Return several games as one collection."""
    return "".join(map(write_tree, trees))


def _node_text(node: GameNode, is_root: bool) -> str:
    parts = [";"]
    if node.side is not None and node.move is not None:
        parts.append(f"{'BW'[node.side]}[{point(node.move)}]")
    for name, values in (node._properties or {}).items():
        if is_root and name in OWN_LINE:
            parts.append("\n")
        parts += [name, *(f"[{value}]" for value in values)]
    return "".join(parts)
