"""Node of a game: a move with its comment, figures, labels, marks and continuations.

Users of python-chess know such nodes: ``variations``, ``mainline``, ``add_variation``,
``promote`` and others work in the same way here. A node stores everything that a file
has at its place, also properties that this package does not know, under their names in
SGF. ``game.Game`` is the root.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from gomoku_brain.game.notation import Move, as_move, as_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.records.game_history import History, change
from gomoku_brain.records.game_record import (
    NO_FIGURES,
    Figures,
    PlayedMove,
    figures_in_words,
    figures_named,
)

if TYPE_CHECKING:
    from gomoku_brain.records.game import Game

__all__ = [
    "CELLS",
    "LETTERS",
    "MARKS",
    "GameNode",
    "cell_of",
    "escaped",
    "plain",
    "point",
]

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
MARKS = ("TR", "CR", "SQ", "MA", "SL")
"""Properties of SGF that mark cells: triangle, circle, square, cross, selected."""
STONES = ("AB", "AW", "AE", "PL")
"""Properties of SGF that set up stones and the side to move."""
CELLS = {
    LETTERS[x] + LETTERS[y]: Move(x, y)
    for x in range(len(LETTERS))
    for y in range(len(LETTERS))
}
"""Cells by their two letters."""


def point(move: Move) -> str:
    """Return the cell in two letters. Raises ValueError beyond 52 columns or rows."""
    if not (0 <= move.x < len(LETTERS) and 0 <= move.y < len(LETTERS)):
        raise ValueError(f"SGF has no letters for {move}")
    return LETTERS[move.x] + LETTERS[move.y]


def cell_of(raw: str) -> Move | None:
    """Return the cell of two letters; None for another text."""
    return CELLS.get(raw) or CELLS.get(raw.strip())


def plain(raw: str, lines: bool = False) -> str:
    """Return a value without its escapes; ``lines`` keeps intended line ends."""
    if raw.isalnum():
        return raw
    raw = raw.replace("\r\n", "\n").replace("\r", "\n")
    if "\\" in raw:
        raw = re.sub(r"\\(.)", lambda found: found[1].strip("\n"), raw, flags=re.DOTALL)
    return re.sub(r"[^\S\n]" if lines else r"\s", " ", raw, flags=re.ASCII)


def escaped(text: str) -> str:
    """Return a text with the escapes of an SGF value.

    Raises TypeError for a value that is no text.
    """
    if not isinstance(text, str):
        raise TypeError(f"a text is needed, not {text!r}")
    return text.replace("\\", "\\\\").replace("]", "\\]")


class GameNode:
    """Node of a game: mostly a move, with its comment and marks and the nodes after
    it.
    """

    __slots__ = (
        "_figures",
        "_properties",
        "at",
        "move",
        "parent",
        "side",
        "variations",
    )

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
        # None: as V and C state them. A PlayedMove of a reader is not copied.
        self._figures: Figures | None = None
        self.variations: list[GameNode] = []
        """Nodes that follow; the first is the main line."""
        self.at = -1
        """Place in the text that was read; -1 for none."""

    # Content

    @property
    def properties(self) -> dict[str, list[str]]:
        """Everything but the move by the names of SGF, in their order.

        Values have their escapes: see ``text``, ``set_text``. A change that is made
        here is no step of its own: ``Game.undo`` takes it back together with the last
        step on this node before it.
        """
        if self._properties is None:
            self._properties = {}
        return self._properties

    @property
    def has_properties(self) -> bool:
        """Whether ``properties`` has an entry."""
        return bool(self._properties)

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
        self.set_values(name, [escaped(value)] if value else [])

    @change("properties")
    def set_values(self, name: str, values: list[str]) -> None:
        """Set the values of a property, with their escapes; none removes it."""
        if values:
            self.properties[name] = values
        elif self._properties is not None:
            self._properties.pop(name, None)

    @property
    def comment(self) -> str:
        """Comment on the node, without figures; lines end in newlines.

        Several values of C are one comment of several lines.
        """
        stated = self._properties.get("C", ()) if self._properties else ()
        words = "\n".join([plain(value, lines=True) for value in stated])
        if not words or self._figures is not None or self.move is None:
            return words
        first, _, rest = words.partition("\n")
        return rest if not first or figures_named(first) else words

    @comment.setter
    @change("comment")
    def comment(self, value: str) -> None:
        escaped(value)  # an error for what is no text
        value = value.replace("\r\n", "\n").replace("\r", "\n")
        if self.move is not None and self._figures is None:
            first = self.text("C", lines=True).partition("\n")[0]
            if figures_named(first):
                value = f"{first}\n{value}" if value else first
            elif value and figures_named(value.partition("\n")[0] or "1 s"):
                value = f"\n{value}"  # it would be read as figures, or lose a line
        self.set_text("C", value)

    def set_facts(self, figures: Figures, comment: str) -> None:
        """Set figures and comment of a node that a reader makes: ``undo`` does not
        restore them.
        """
        self._figures = figures
        if comment:
            lines = comment.replace("\r\n", "\n").replace("\r", "\n")
            self.properties["C"] = [escaped(lines)]

    def add_comment(self, words: str) -> None:
        """Append words to the comment, behind an empty line if it has others.

        What C has stays as it is written, also further values.
        """
        if not self.has("C"):
            self.comment = words
            return
        *others, last = self.properties["C"]
        gap = "\n\n" if self.comment else "\n" if last else ""
        self.set_values("C", [*others, f"{last}{gap}{escaped(words)}"])

    @property
    def figures(self) -> Figures:
        """Time, score and other figures of the move.

        In SGF they are the first line of the comment, and V is the score for black.
        """
        if (known := self._figures) is not None:
            return known.figures if isinstance(known, PlayedMove) else known
        if self._properties is None or self.move is None:
            return NO_FIGURES
        first = self.text("C", lines=True).partition("\n")[0]
        found = figures_named(first) if first else {}
        if "score" not in found and "V" in self._properties:
            try:
                for_black = round(float(self.text("V")))
            except (ValueError, OverflowError):
                pass
            else:
                found["score"] = -for_black if self.side is Side.WHITE else for_black
        return Figures(**found) if found else NO_FIGURES  # type: ignore[arg-type]

    @figures.setter
    @change("figures")
    def figures(self, figures: Figures) -> None:
        if not isinstance(figures, Figures):
            raise TypeError(f"Figures are needed, not {figures!r}")
        comment = self.comment
        if figures.score is not None or self.figures.score is not None:
            self.set_values("V", [])
        self._figures = Figures(**figures.values())
        self.set_text("C", comment)

    def written(self) -> dict[str, list[str]]:
        """Return the properties of the node as SGF has them, the figures among them."""
        found = self._properties or {}
        if self._figures is None:
            return found
        comment = self.comment
        words = figures_in_words(self._figures)
        first = comment.partition("\n")[0]
        # A comment that looks like our first line gets an empty one before it.
        if words or (comment and not first) or (first and figures_named(first)):
            comment = f"{words}\n{comment}" if comment else words
        made = {}
        if self._figures.score is not None:
            black = self.side is not Side.WHITE
            made["V"] = [str(self._figures.score if black else -self._figures.score)]
        if comment:
            made["C"] = [escaped(comment)]
        return made | {name: v for name, v in found.items() if name != "C"}

    @property
    def labels(self) -> dict[Move, str]:
        """Texts on the board, by their cells. ``set_label`` changes them."""
        found = {}
        for raw in (self._properties or {}).get("LB", ()):
            where, _, words = raw.partition(":")
            cell = cell_of(where)
            if cell is not None:
                found[cell] = plain(words)
        for number, cell in enumerate(self.cells("L")):  # of old files: a, b, c
            found.setdefault(cell, LETTERS[number % len(LETTERS)])
        return found

    @change("label")
    def set_label(self, cell: object, label: str) -> None:
        """Put a text on a cell; an empty one removes it."""
        move = as_move(cell)
        values = [
            raw
            for raw in self.properties.get("LB", ())
            if cell_of(raw.partition(":")[0]) != move
        ]
        if move in self.cells("L"):  # of old files: without texts
            known = self.labels
            values += [f"{point(c)}:{known[c]}" for c in self.cells("L") if c != move]
            self.set_values("L", [])
        if label:
            values.append(f"{point(move)}:{escaped(label)}")
        self.set_values("LB", values)

    @property
    def marks(self) -> dict[Move, str]:
        """Marks on the board by their cells, "TR" and so on: see ``MARKS``."""
        return {cell: name for name in MARKS for cell in self.cells(name)}

    @change("mark")
    def set_mark(self, cell: object, mark: str) -> None:
        """Mark a cell with one of ``MARKS``; an empty text removes the mark.

        Raises ValueError for another mark.
        """
        if mark and mark not in MARKS:
            raise ValueError(f"{mark!r} is no mark (one of {', '.join(MARKS)})")
        move = as_move(cell)
        for name in MARKS:
            if move in (cells := list(self.cells(name))):
                self.set_values(name, [point(c) for c in cells if c != move])
        if mark:
            self.set_values(mark, [*self.properties.get(mark, ()), point(move)])

    @change("marks")
    def remove_marks(self) -> None:
        """Remove all labels and marks."""
        for name in ("LB", "L", *MARKS):
            self.set_values(name, [])

    def cells(self, name: str) -> Iterator[Move]:
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
                black = len(list(node.cells("AB")))
                return Side(black > len(list(node.cells("AW"))))
            node = node.parent
        return Side.BLACK

    def path_moves(self) -> tuple[Move, ...]:
        """Return the moves from the root up to here, without passes."""
        return tuple(node.move for node in self.path() if node.move is not None)

    def root(self) -> "Game":
        """Return the game of the node. Raises ValueError if it was removed from it."""
        node = self
        while node.parent is not None:
            node = node.parent
        if not node.is_game:
            raise ValueError("the node was taken out of its game")
        return cast("Game", node)

    is_game = False
    """Whether the node is the root of a game, a ``Game``."""

    def history_of_game(self) -> History | None:
        """Return the history of the node's game; None if it belongs to none."""
        node = self
        while node.parent is not None:
            node = node.parent
        return cast("Game", node).history if node.is_game else None

    def state(self) -> tuple[Any, ...]:
        """Return everything that a change may change, for ``restore``."""
        properties = self._properties
        if properties is not None:
            properties = {name: [*values] for name, values in properties.items()}
        return (
            self.parent,
            self.side,
            self.move,
            self._figures,
            properties,
            [*self.variations],
        )

    def restore(self, state: tuple[Any, ...]) -> None:
        """Take a state of ``state`` back."""
        self.parent, self.side, self.move, self._figures = state[:4]
        properties, variations = state[4:6]
        if properties is not None:
            properties = {name: [*values] for name, values in properties.items()}
        self._properties = properties
        self.variations = [*variations]

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
        """Return the position after this node, under the game's rule and size.

        Raises ValueError for an unsupported size, and for a stone on another one.
        """
        return self._position()

    def _position(self) -> Board:
        game = self.root()
        stones: dict[Move, Side] = {}
        moves: list[tuple[Move, Side]] = []
        for node in self.path():
            set_up = [name for name in ("AB", "AW", "AE") if node.has(name)]
            if set_up or node.is_pass:
                stones.update(moves)
                moves = []
                for name in set_up:
                    for cell in node.cells(name):
                        stones.pop(cell, None)
                        if name != "AE":
                            stones[cell] = Side("BW".index(name[1]))
            if node.move is not None and node.side is not None:
                moves.append((node.move, node.side))
        board = Board.from_stones(
            [move for move, side in stones.items() if side is Side.BLACK],
            [move for move, side in stones.items() if side is Side.WHITE],
            game.walls,
            turn=moves[0][1] if moves else self.turn,
            size=game.size,
            rule=game.rule,
        )
        for number, (move, side) in enumerate(moves, start=1):
            try:
                if board.turn is not side:
                    board.turn = side
                board.play(move)
            except ValueError as error:
                raise ValueError(f"move {number}: {error}") from None
        if board.turn is not (turn := self.turn):
            board.turn = turn
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

    @change("variation")
    def add_variation(
        self, move: object, *, comment: str = "", side: Side | str | None = None
    ) -> "GameNode":
        """Append a move as the last variation; return its node.

        A move that follows already gets no second node. ``None`` is a pass. ``board``,
        not this method, checks whether the cell is free.
        """
        cell = None if move is None else as_move(move)
        side = self.turn if side is None else Side(side)
        for node in self.variations:
            if (node.move, node.side) == (cell, side):
                break
        else:
            node = GameNode(None, side, cell)
            if (history := self.history_of_game()) is not None:
                history.touch(node)
            node.parent = self
            if cell is None:
                node.properties["BW"[side]] = [""]
            self.variations.append(node)
        if comment:
            node.comment = comment
        return node

    @change("main line")
    def add_main_variation(
        self, move: object, *, comment: str = "", side: Side | str | None = None
    ) -> "GameNode":
        """Add a move as the main line; return its node."""
        node = self.add_variation(move, comment=comment, side=side)
        self.promote_to_main(node)
        return node

    @change("line")
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

    @change("deletion")
    def remove_variation(self, choice: object) -> None:
        """Remove a variation with all nodes below it."""
        node = self._own(choice)
        if (history := self.history_of_game()) is not None:
            history.touch(node)
        self.variations.remove(node)
        node.parent = None

    @change("order")
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

    def __reduce__(self) -> tuple[Any, ...]:
        # With its whole game: the nodes above and below belong to it.
        game = self.root()
        return _node_at, (
            game,
            next(k for k, n in enumerate(game.nodes()) if n is self),
        )

    def __repr__(self) -> str:
        """Return the node in a few characters."""
        what = "pass" if self.is_pass else str(self.move) if self.move else "no move"
        return f"<{type(self).__name__} {what}, {len(self.variations)} variations>"


def _node_at(game: "Game", place: int) -> GameNode:
    """Return a node of a game by its place among all nodes."""
    return next(islice(game.nodes(), place, None))
