"""Game as a tree: moves, variations, comments, labels, marks and foreign properties.

Users of python-chess know such nodes: ``variations``, ``mainline``, ``add_variation``,
``promote`` and others work in the same way here. All content of a file stays in its
node, also unknown properties.

    tree = RecordTree(15, rule=Rule.RENJU)
    node = tree.add_line("h8 i9 j8")
    node.comment = "calm"
    node.set_label("k9", "A")
    node.set_mark("h8", "TR")
    tree.variation("h8").add_variation("h9", comment="better")
    for node in tree.mainline():
        print(node.ply, node.move, node.comment)
    print(node.board())

``sgf_trees`` reads and writes trees as SGF, ``renlib`` reads libraries of RenLib, and
``game_trees`` reads files of any format.
"""

import re
from collections.abc import Iterator

from gomoku_brain.game.notation import Move, as_move, as_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import DEFAULT_RULE, Rule, Side

__all__ = [
    "LETTERS",
    "MARKS",
    "GameNode",
    "RecordTree",
    "cell_of",
    "escaped",
    "plain",
    "point",
    "rule_named",
]

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
MARKS = ("TR", "CR", "SQ", "MA", "SL")
"""Properties of SGF that mark cells: triangle, circle, square, cross, selected."""
_CELLS = {
    LETTERS[x] + LETTERS[y]: Move(x, y)
    for x in range(len(LETTERS))
    for y in range(len(LETTERS))
}
# Opening rules of renju: the moves after the opening are renju.
_RENJU_OPENINGS = re.compile(
    r"\brif\b|taraguchi|taraguti|yamagu|soos[oyõö]r|sakata|tarannikov|연주|連珠|连珠|рэндзю"
)
_RULE_IN_NAME = re.compile(r"[:(]\s*([\w-]+(?: [\w-]+)?) rules?\b", re.IGNORECASE)
_SIZE = re.compile(r"\s*(\d{1,9})\s*(?:[:xX*]\s*(\d{1,9})\s*)?")


def point(move: Move) -> str:
    """Return the cell in two letters. Raises ValueError beyond 52 columns or rows."""
    if not (0 <= move.x < len(LETTERS) and 0 <= move.y < len(LETTERS)):
        raise ValueError(f"SGF has no letters for {move}")
    return LETTERS[move.x] + LETTERS[move.y]


def cell_of(raw: str) -> Move | None:
    """Return the cell of two letters; None for another text."""
    return _CELLS.get(raw) or _CELLS.get(raw.strip())


def plain(raw: str, lines: bool = False) -> str:
    """Return a value without its escapes; ``lines`` keeps intended line ends."""
    if raw.isalnum():
        return raw
    raw = raw.replace("\r\n", "\n").replace("\r", "\n")
    if "\\" in raw:
        raw = re.sub(r"\\(.)", lambda found: found[1].strip("\n"), raw, flags=re.DOTALL)
    return re.sub(r"[^\S\n]" if lines else r"\s", " ", raw, flags=re.ASCII)


def escaped(text: str) -> str:
    """Return a text with the escapes of an SGF value."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


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


class GameNode:
    """Node of a game: mostly a move, with its comment and marks and the nodes after
    it.
    """

    __slots__ = ("_properties", "at", "move", "parent", "side", "variations")

    def __init__(
        self,
        parent: "GameNode | None" = None,
        side: Side | None = None,
        move: Move | None = None,
    ) -> None:
        """Create a node; ``add_variation`` also puts it into its tree."""
        self.parent = parent
        self.side = side
        """Side that moves or passes; None if there is none."""
        self.move = move
        """Move of the node; None at the root, for a pass, and for a node with only
        comments.
        """
        self._properties: dict[str, list[str]] | None = None
        self.variations: list[GameNode] = []
        """Nodes that follow; the first is the main line."""
        self.at = -1
        """Place in the text that was read; -1 for none."""

    # Content

    @property
    def properties(self) -> dict[str, list[str]]:
        """Everything but the move by the names of SGF, in their order.

        Values have their escapes: see ``text``, ``set_text``.
        """
        if self._properties is None:
            self._properties = {}
        return self._properties

    def has(self, name: str) -> bool:
        """Whether the node has a property."""
        return self._properties is not None and name in self._properties

    def text(self, name: str, lines: bool = False) -> str:
        """Return the first value of a property without its escapes, or an empty text.

        ``lines`` keeps line ends, which SGF intends in comments only.
        """
        values = self._properties.get(name) if self._properties else None
        return plain(values[0], lines) if values else ""

    def set_text(self, name: str, value: str) -> None:
        """Set a property to one value; an empty one removes the property."""
        if value:
            self.properties[name] = [escaped(value)]
        else:
            self.properties.pop(name, None)

    @property
    def comment(self) -> str:
        """Comment on the node; lines end in newlines."""
        return self.text("C", lines=True)

    @comment.setter
    def comment(self, value: str) -> None:
        self.set_text("C", value)

    @property
    def labels(self) -> dict[Move, str]:
        """Texts on the board, by their cells. ``set_label`` changes them."""
        found = {}
        for raw in (self._properties or {}).get("LB", ()):
            where, _, words = raw.partition(":")
            cell = cell_of(where)
            if cell is not None:
                found[cell] = plain(words)
        for number, cell in enumerate(self._cells("L")):  # of old files: a, b, c
            found.setdefault(cell, LETTERS[number % len(LETTERS)])
        return found

    def set_label(self, cell: object, label: str) -> None:
        """Put a text on a cell; an empty one removes it."""
        name = point(as_move(cell))
        values = [
            raw
            for raw in self.properties.get("LB", ())
            if raw.partition(":")[0].strip() != name
        ]
        if label:
            values.append(f"{name}:{escaped(label)}")
        self._set_values("LB", values)

    @property
    def marks(self) -> dict[Move, str]:
        """Marks on the board by their cells, "TR" and so on: see ``MARKS``."""
        return {cell: name for name in MARKS for cell in self._cells(name)}

    def set_mark(self, cell: object, mark: str) -> None:
        """Mark a cell with one of ``MARKS``; an empty text removes the mark.

        Raises ValueError for another mark.
        """
        if mark and mark not in MARKS:
            raise ValueError(f"{mark!r} is no mark (one of {', '.join(MARKS)})")
        move = as_move(cell)
        for name in MARKS:
            if move in (cells := list(self._cells(name))):
                self._set_values(name, [point(c) for c in cells if c != move])
        if mark:
            self.properties.setdefault(mark, []).append(point(move))

    def _set_values(self, name: str, values: list[str]) -> None:
        if values:
            self.properties[name] = values
        else:
            self.properties.pop(name, None)

    def _cells(self, name: str) -> Iterator[Move]:
        """Yield the cells of a property, also those of rectangles; others are left
        out.
        """
        for raw in (self._properties or {}).get(name, ()):
            corners = [cell_of(corner) for corner in raw.split(":")]
            first, last = corners[0], corners[-1]
            if first is None or last is None or len(corners) > 2:
                continue
            for y in range(min(first.y, last.y), max(first.y, last.y) + 1):
                for x in range(min(first.x, last.x), max(first.x, last.x) + 1):
                    yield Move(x, y)

    # Place in the tree

    @property
    def is_pass(self) -> bool:
        """Whether a side gives up its move, or the game."""
        return self.side is not None and self.move is None

    @property
    def resigns(self) -> bool:
        """Whether a side gives up the game here."""
        if not self.is_pass or self.side is None:
            return False
        return self.text("BW"[self.side]).strip().lower() in ("resign", "resigns")

    @property
    def is_end(self) -> bool:
        """Whether no node follows."""
        return not self.variations

    @property
    def is_main_line(self) -> bool:
        """Whether the node is on the main line of its tree."""
        return all(
            node.parent is None or node.parent.variations[0] is node
            for node in self.path()
        )

    @property
    def ply(self) -> int:
        """Number of stones that were played up to here, without those that were set
        up.
        """
        return sum(node.move is not None for node in self.path())

    @property
    def turn(self) -> Side:
        """Side to move after this node."""
        node: GameNode | None = self
        while node is not None:
            named = node.text("PL").strip().upper()[:1]
            if named in ("B", "W"):
                return Side.BLACK if named == "B" else Side.WHITE
            if node.side is not None:
                return node.side.other
            if node.has("AB") or node.has("AW"):
                black = len(list(node._cells("AB")))
                return Side(black > len(list(node._cells("AW"))))
            node = node.parent
        return Side.BLACK

    def root(self) -> "RecordTree":
        """Return the tree of the node. Raises ValueError if it was removed from its
        tree.
        """
        node = self
        while node.parent is not None:
            node = node.parent
        if not isinstance(node, RecordTree):
            raise ValueError("the node was taken out of its tree")
        return node

    def path(self) -> "list[GameNode]":
        """Return the nodes from the root to this one."""
        found = [self]
        while (parent := found[-1].parent) is not None:
            found.append(parent)
        return found[::-1]

    def end(self) -> "GameNode":
        """Return the last node of the main continuation."""
        node = self
        while node.variations:
            node = node.variations[0]
        return node

    def mainline(self) -> "Iterator[GameNode]":
        """Yield the nodes that follow, the first variation everywhere."""
        node = self
        while node.variations:
            node = node.variations[0]
            yield node

    def moves(self) -> list[Move]:
        """Return the moves from the root up to here, without passes."""
        return [node.move for node in self.path() if node.move is not None]

    def nodes(self) -> "Iterator[GameNode]":
        """Yield this node and all below it, a parent before its variations."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.variations)

    def lines(self) -> "Iterator[list[GameNode]]":
        """Yield the nodes from this one to each end below it, the main line first."""
        path: list[GameNode] = []
        waiting = [(self, 0)]
        while waiting:
            node, depth = waiting.pop()
            del path[depth:]
            path.append(node)
            if node.variations:
                waiting += [(below, depth + 1) for below in reversed(node.variations)]
            else:
                yield path.copy()

    def dissolve(self) -> None:
        """Cut all nodes below from each other, when the tree is no longer used.

        This frees a large tree at once, without the collector of cycles, which would
        stop all threads for its time.
        """
        for node in list(self.nodes()):
            node.parent = None
            node.variations = []

    def count_lines(self) -> int:
        """Count the ends below this node."""
        return sum(not node.variations for node in self.nodes())

    def board(self) -> Board:
        """Return the position here, under the tree's rule and size.

        Raises ValueError for an unsupported size, and for a stone on another one.
        """
        tree = self.root()
        width, height = tree.size
        stones: dict[Move, Side] = {}
        moves: list[Move] = []
        path = self.path()
        first = 0
        for number, node in enumerate(path):
            set_up = [name for name in ("AB", "AW", "AE") if node.has(name)]
            if set_up or node.is_pass:
                for move, side in zip(moves, _sides(path[first:number]), strict=True):
                    stones[move] = side
                moves = []
                first = number
                for name in set_up:
                    for cell in node._cells(name):
                        stones.pop(cell, None)
                        if name != "AE":
                            stones[cell] = Side("BW".index(name[1]))
            if node.move is not None:
                moves.append(node.move)
        starting = next((n.side for n in path[first:] if n.move is not None), None)
        board = Board.from_stones(
            [move for move, side in stones.items() if side is Side.BLACK],
            [move for move, side in stones.items() if side is Side.WHITE],
            turn=self.turn if starting is None else starting,
            size=(width, height),
            rule=DEFAULT_RULE if tree.rule is None else tree.rule,
        )
        for move in moves:
            board.play(move)
        board.turn = self.turn
        return board

    # Changes

    def variation(self, choice: object) -> "GameNode":
        """Return the node that follows, by its number (an int) or its move.

        Raises KeyError if no such node follows.
        """
        if isinstance(choice, int):
            if 0 <= choice < len(self.variations):
                return self.variations[choice]
        else:
            move = as_move(choice)
            for node in self.variations:
                if node.move == move:
                    return node
        raise KeyError(choice)

    def add_variation(
        self, move: object, *, comment: str = "", side: Side | None = None
    ) -> "GameNode":
        """Append a move as the last variation; return its node.

        A move that follows already gets no second node. ``None`` is a pass. ``board``,
        not this method, checks whether the cell is free.
        """
        cell = None if move is None else as_move(move)
        side = self.turn if side is None else side
        for node in self.variations:
            if (node.move, node.side) == (cell, side):
                break
        else:
            node = GameNode(self, side, cell)
            if cell is None:
                node.properties["BW"[side]] = [""]
            self.variations.append(node)
        if comment:
            node.comment = comment
        return node

    def add_main_variation(
        self, move: object, *, comment: str = "", side: Side | None = None
    ) -> "GameNode":
        """Do the same and make it the main line."""
        node = self.add_variation(move, comment=comment, side=side)
        self.promote_to_main(node)
        return node

    def add_line(self, moves: object) -> "GameNode":
        """Append moves one after the other ("h8 i9 j8"); return the last node."""
        node = self
        for move in as_moves(moves):
            node = node.add_variation(move)
        return node

    def promote(self, choice: object) -> None:
        """Move a variation one place towards the main line."""
        self._move_to(choice, -1)

    def demote(self, choice: object) -> None:
        """Move a variation one place away from the main line."""
        self._move_to(choice, 1)

    def promote_to_main(self, choice: object) -> None:
        """Make a variation the main line."""
        self._move_to(choice, -len(self.variations))

    def remove_variation(self, choice: object) -> None:
        """Remove a variation with all nodes below it."""
        node = self._own(choice)
        self.variations.remove(node)
        node.parent = None

    def _move_to(self, choice: object, step: int) -> None:
        node = self._own(choice)
        place = max(self.variations.index(node) + step, 0)
        self.variations.remove(node)
        self.variations.insert(place, node)

    def _own(self, choice: object) -> "GameNode":
        if isinstance(choice, GameNode):
            if choice.parent is not self:
                raise KeyError(choice)
            return choice
        return self.variation(choice)

    def __repr__(self) -> str:
        """Return the node in a few characters."""
        what = "pass" if self.is_pass else str(self.move) if self.move else "no move"
        return f"<{type(self).__name__} {what}, {len(self.variations)} variations>"


def _sides(nodes: list[GameNode]) -> list[Side]:
    return [
        node.side for node in nodes if node.move is not None and node.side is not None
    ]


class RecordTree(GameNode):
    """Root of a game: the facts about all of it, and its first moves.

    Names and the like are properties of the root, by the names of SGF: "PB" and "PW"
    are the players, "RE" the result, "EV" the event, "DT" the date.
    """

    __slots__ = ("_default_rule", "_default_size", "notes")

    def __init__(
        self,
        width: int | None = None,
        height: int | None = None,
        rule: Rule | None = None,
    ) -> None:
        """Create a game without moves; without sizes its board has 15x15 cells.

        With a size it also gets the properties of a file: format, game, encoding.
        """
        super().__init__()
        self.notes: list[str] = []
        """Notes of a reader: parts that it interpreted in its own way or could not
        read.
        """
        self._default_size = (15, 15)
        self._default_rule: Rule | None = None
        if width is not None:
            self.properties.update(FF=["4"], GM=["4"], CA=["UTF-8"])
            self.size = (width, height or width)
        if rule is not None:
            self.rule = rule

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in cells. Raises ValueError for a text that is no size."""
        stated = self.text("SZ")
        if not stated.strip():
            return self._default_size
        row = _SIZE.fullmatch(stated)
        width, height = (int(row[1]), int(row[2] or row[1])) if row else (0, 0)
        if not (0 < width <= len(LETTERS) and 0 < height <= len(LETTERS)):
            raise ValueError(f"SZ[{stated}] is no board")
        return width, height

    @size.setter
    def size(self, size: tuple[int, int]) -> None:
        width, height = size
        if max(width, height) > len(LETTERS) or min(width, height) < 1:
            raise ValueError(f"SGF has no board of {width}x{height} cells")
        stated = f"{width}" if width == height else f"{width}:{height}"
        self.properties["SZ"] = [stated]

    @property
    def rule(self) -> Rule | None:
        """Rule that the game names; None if it names no known one."""
        named = rule_named(self.text("RU"))
        if named is None and not self.has("RU"):
            named = self._rule_of_name()
        return self._default_rule if named is None else named

    @rule.setter
    def rule(self, rule: Rule | None) -> None:
        self.set_text("RU", "" if rule is None else rule.name.lower())

    def _rule_of_name(self) -> Rule | None:
        """Return the rule in the name of the game: "A-B(B) : RIF rule"."""
        found = _RULE_IN_NAME.search(self.text("GN"))
        return rule_named(found[1]) if found else None

    @property
    def names_rule(self) -> bool:
        """Whether only the name of the game names the rule."""
        return not self.has("RU") and self._rule_of_name() is not None

    def assume(self, rule: Rule | None, size: tuple[int, int] | None) -> None:
        """Set the rule and the size that apply if the game itself names none."""
        self._default_rule = rule
        self._default_size = size or self._default_size
