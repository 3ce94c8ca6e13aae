"""Game: a tree of moves with its head, from a start position that may be set up.

    game = Game(15, rule=Rule.RENJU, black="Rapfi")
    end = game.add_line("h8 i9 j8")
    end.comment = "calm"
    game.variation("h8").add_variation("h9", comment="better")
    print(game.moves, game.board().turn, game.result)
    game.undo()

Everything is stored under the names of SGF: the head as properties of the root, for
example PB for black's name, the rest in the nodes. ``read`` reads games of all formats,
``sgf`` writes them without loss. ``game_record.GameRecord`` is a flat line of moves, as
``match`` stores it.
"""

import re
from dataclasses import replace
from functools import lru_cache
from typing import Any, Self, cast

from gomoku_brain.game.notation import Move, as_move, as_moves
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import DEFAULT_RULE, Rule, Side
from gomoku_brain.records.game_head import (
    OURS,
    Head,
    extra_of,
    head_properties,
    read_head,
    rule_named,
    set_date,
    set_facts,
    set_result,
    stated_facts,
)
from gomoku_brain.records.game_history import History, change
from gomoku_brain.records.game_node import (
    LETTERS,
    STONES,
    GameNode,
    cell_of,
    escaped,
    point,
)
from gomoku_brain.records.game_record import (
    NO_FIGURES,
    RESULTS,
    GameRecord,
    PlayedMove,
    bare,
    first_wrong,
    foul_at_end,
    natural_end,
)

__all__ = ["DEFAULT_SIZE", "Game", "NodeError", "as_record"]

DEFAULT_SIZE = 15
_RULE_IN_NAME = re.compile(r"[:(]\s*([\w-]+(?: [\w-]+)?) rules?\b", re.IGNORECASE)
_SIZE = re.compile(r"\s*(\d{1,9})\s*(?:[:xX*]\s*(\d{1,9})\s*)?")


_STONES_OF_SGF = frozenset({"AB", "AW", "AE"})
_FACTS = frozenset(
    "AN BR BT CP DT EV GC GN ON OT PB PC PW RE RO RU SO TM US WR WT".split()
)
"""Properties about the whole game, which SGF allows in any node, once a line."""
_MAX_PASSES = 3  # of a game whose sides do not pass all the time


@lru_cache(256)  # many games of a file state the same size
def _size_named(text: str) -> tuple[int, int]:
    """Return the size of SZ. Raises ValueError for a text that is no size."""
    row = _SIZE.fullmatch(text)
    width, height = (int(row[1]), int(row[2] or row[1])) if row else (0, 0)
    if not (0 < width <= len(LETTERS) and 0 < height <= len(LETTERS)):
        raise ValueError(f"SZ[{text}] is no board")
    return width, height


def _merge(node: GameNode, source: GameNode) -> None:
    """Give a node the comment and the properties of another one that it lacks, but no
    stones.
    """
    comments = node.comment, source.comment
    # A node with figures has no comment, but its C has their line. A comment that looks
    # like figures is none at a node without a move.
    stated = node.has("C") or source.move is None
    if comments[1] and comments[0] != comments[1] and stated:
        node.comment = "\n".join(filter(None, comments))
    for name, values in source.written().items():
        if name not in ("B", "W", *STONES):
            node.properties.setdefault(name, values)


def _all_points(node: GameNode, name: str) -> list[Move]:
    """Return the cells of a property that takes points and rectangles, "aa:cc".

    Raises NodeError for another value.
    """
    for raw in node.properties[name]:
        corners = raw.split(":")
        bad = next((corner for corner in corners if cell_of(corner) is None), None)
        if bad is not None:
            what = "a pass" if not bad.strip() else f"{bad!r} is no point"
            raise NodeError(f"{what} (a move is two letters)", node)
        if len(corners) > 2:
            raise NodeError(f"{raw!r} is no rectangle (two corners)", node)
    return list(node.cells(name))


class NodeError(ValueError):
    """Error of a node that cannot be part of a game, with the node."""

    def __init__(self, message: str, node: GameNode) -> None:
        """Store the node beside the message."""
        super().__init__(message)
        self.node = node


class Game(GameNode):
    """Game: its head, its start position, and the tree of its moves."""

    __slots__ = (
        "_default_rule",
        "_default_size",
        "_history",
        "facts",
        "left_out",
        "line",
        "name",
        "notes",
        "walls",
    )

    is_game = True

    def __init__(
        self,
        size: int | tuple[int, int] | None = DEFAULT_SIZE,
        rule: Rule | str | None = None,
        *,
        black: str = "",
        white: str = "",
        black_stones: object = (),
        white_stones: object = (),
        walls: object = (),
        first: Side | str | None = None,
        moves: object = (),
    ) -> None:
        """Create a game.

        Args:
            size: Cells along a side, or (width, height). None: as the properties will
                state it, else 15.
            rule: Rule; None: as the properties will state it, else freestyle.
            black: Name of the player with the black stones.
            white: Name of the other player.
            black_stones: Stones of the start position ("h8 i9", or a list of moves).
            white_stones: The same of white.
            walls: Cells that belong to neither side.
            first: Side that moves first; None: black, or white if black has more
                stones.
            moves: Moves of the main line.

        Raises:
            ValueError: The board has no cell, or more than 52 columns or rows; or a
                cell of the start position is named twice.
        """
        super().__init__()
        self.notes: list[str] = []
        """Notes of a reader: parts that it interpreted in its own way or could not
        read.
        """
        self._default_size = (DEFAULT_SIZE, DEFAULT_SIZE)
        self._default_rule: Rule | None = None
        self.walls: tuple[Move, ...] = ()
        """Cells of the start position that belong to neither side."""
        self.name = ""
        """Name in the source, else the place: "puzzles.txt:3"."""
        self.line = 1
        """Number of the line in its source, if every variation was read as a game."""
        self.left_out = 0
        """Number of the lines that ``make_regular`` left out."""
        self.facts: dict[str, object] = {}
        """Further facts of a position in JSON: "expected", "note" ..."""
        self._history: History | None = None
        if size is not None:
            self.properties.update(FF=["4"], GM=["4"], CA=["UTF-8"])
            self._set_size(size)
        if rule is not None:
            self.properties["RU"] = [Rule(rule).name.lower()]
        for name, text in (("PB", black), ("PW", white)):
            if text:
                self.properties[name] = [escaped(text)]
        if black_stones or white_stones or walls or first is not None:
            self._set_stones(black_stones, white_stones, walls, first)
        if not moves:
            return
        node: GameNode = self
        side = self.first
        for move in map(as_move, as_moves(moves)):
            node.variations += (new := GameNode(node, side, move),)
            node, side = new, side.other

    # Start position

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in cells. Raises ValueError for a text that is no size."""
        stated = self.text("SZ")
        return _size_named(stated) if stated.strip() else self._default_size

    @size.setter
    @change("size")
    def size(self, size: int | tuple[int, int]) -> None:
        self._set_size(size)

    def _set_size(self, size: int | tuple[int, int]) -> None:
        if isinstance(size, str):
            raise TypeError(f"a size is cells or (width, height), not {size!r}")
        width, height = (size, size) if isinstance(size, int) else size
        if max(width, height) > len(LETTERS) or min(width, height) < 1:
            raise ValueError(f"board size {width}x{height} is not within 1..52")
        stated = f"{width}" if width == height else f"{width}:{height}"
        self.properties["SZ"] = [stated]

    @property
    def width(self) -> int:
        """Number of columns."""
        return self.size[0]

    @property
    def height(self) -> int:
        """Number of rows."""
        return self.size[1]

    @property
    def rule(self) -> Rule:
        """Rule; freestyle if nothing names one."""
        for rule in (self.stated_rule, self._default_rule):  # FREESTYLE is 0
            if rule is not None:
                return rule
        return DEFAULT_RULE

    @rule.setter
    @change("rule")
    def rule(self, rule: Rule) -> None:
        self._gather()
        self.set_text("RU", Rule(rule).name.lower())

    @property
    def stated_rule(self) -> Rule | None:
        """Rule that the game names; None if it names no known one."""
        front = self if self.has("RU") else self.front()
        named = rule_named(front.text("RU"))
        if named is None and not front.has("RU"):
            found = _RULE_IN_NAME.search(front.text("GN"))  # "A-B(B) : RIF rule"
            return rule_named(found[1]) if found else None
        return named

    def assume(self, rule: Rule | None, size: tuple[int, int] | None) -> None:
        """Set the rule and the size that apply if the game itself names none."""
        self._default_rule = rule
        self._default_size = size or self._default_size

    def state_assumed(self) -> None:
        """Write format, size and rule into the head where it leaves them to a reader.

        So another reader gets the board and the rule that apply here.
        """
        if self.stated_rule is None and self.rule is not DEFAULT_RULE:
            self.rule = self.rule
        for name, values in Game(self.size, self.rule).properties.items():
            if not self.has(name):
                self.set_values(name, values)

    @property
    def black_stones(self) -> tuple[Move, ...]:
        """Black stones of the start position."""
        return tuple(self.cells("AB"))

    @property
    def white_stones(self) -> tuple[Move, ...]:
        """White stones of the start position."""
        return tuple(self.cells("AW"))

    @property
    def first(self) -> Side:
        """Side that moves first."""
        side = next((n.side for n in self.mainline() if n.side is not None), None)
        return self.turn if side is None else side

    @property
    def is_set_up(self) -> bool:
        """Whether the game begins with stones on the board, or with white."""
        if self.has("AB") or self.has("AW") or self.walls:
            return True
        return self.first is Side.WHITE

    @change("position")
    def set_up(
        self,
        black: object = (),
        white: object = (),
        walls: object = (),
        first: Side | str | None = None,
    ) -> None:
        """Set the stones of the start position, and the side that moves first.

        The moves stay; if the other side moves first now, all of them change sides.
        Without ``first``, that stays too, or without moves black begins unless it has
        more stones. Raises ValueError for a cell that is named twice.
        """
        begins = None if first is None else Side(first)
        sides = {node.side for node in self.mainline()} - {None}
        if sides and begins is None:
            begins = self.first
        elif sides and begins is not self.first:
            for node in self.nodes():
                if (side := node.side) is not None:
                    self.history.touch(node)
                    node.side = side.other
                    if node.has("BW"[side]):  # a pass
                        passed = node.properties.pop("BW"[side])
                        node.properties["WB"[side]] = passed
        self._set_stones(black, white, walls, begins)

    def _set_stones(
        self, black: object, white: object, walls: object, first: Side | str | None
    ) -> None:
        stones = {
            "AB": [*map(as_move, as_moves(black))],
            "AW": [*map(as_move, as_moves(white))],
        }
        blocked = tuple(map(as_move, as_moves(walls)))
        taken = [*stones["AB"], *stones["AW"], *blocked]
        if len(taken) > len({*taken}):
            twice = next(cell for cell in taken if taken.count(cell) > 1)
            raise ValueError(f"{twice} is named twice in the start position")
        self.walls = blocked
        usual = Side(len(stones["AB"]) > len(stones["AW"]))
        for name, cells in stones.items():
            if cells:
                self.properties[name] = [*map(self._point, cells)]
            elif self._properties is not None:
                self._properties.pop(name, None)
        first = usual if first is None else Side(first)
        if any(stones.values()) or first is Side.WHITE:
            self.properties["PL"] = ["BW"[first]]
        elif self._properties is not None:
            self._properties.pop("PL", None)

    def _point(self, cell: Move) -> str:
        """Return a cell as SGF has it. Raises ValueError if no board has it."""
        try:
            return point(cell)
        except ValueError:
            what = f"{cell} is off the {self.width}x{self.height} board"
            raise ValueError(what) from None

    # Moves

    @property
    def moves(self) -> tuple[Move, ...]:
        """Moves of the main line, without passes."""
        return tuple(n.move for n in self.mainline() if n.move is not None)

    def node_at(self, ply: int | None = None) -> GameNode:
        """Return the node of the main line after ``ply`` moves; None: its end."""
        if ply is None:
            return self.end()
        node: GameNode = self
        while ply > 0 and node.variations:
            node = node.variations[0]
            ply -= node.move is not None
        return node

    def _repr_svg_(self) -> str:
        """Return the final position for a notebook, with the numbers of the moves."""
        return self.board().svg(numbers=True)

    def board(self, ply: int | None = None) -> Board:
        """Return the position after ``ply`` moves of the main line, or after the last.

        Raises ValueError for a size that the board does not support, and for a cell off
        the board or occupied.
        """
        return self.node_at(ply)._position()

    def cut(self, ply: int | None, node: GameNode | None = None) -> "Game":
        """Return a new game of one line: that through ``node``, or the main line.

        It has the first ``ply`` moves (None: all) with everything in their nodes.
        """
        made = Game(None)
        made.restore((*self.state()[:5], [], *self.state()[6:]))
        made.name, made.line, made.facts = self.name, self.line, {**self.facts}
        made.notes = [*self.notes]
        last: GameNode = made
        played = 0
        for each in self.nodes_of_line(node):
            played += each.move is not None
            if ply is not None and played > ply:
                break
            new = GameNode()
            new.restore((last, *each.state()[1:5], []))
            new.at = each.at
            last.variations.append(new)
            last = new
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        # A list of all nodes: one inside another would be too deep.
        nodes = list(self.nodes())
        places = {node: place for place, node in enumerate(nodes)}
        rows = [
            (places.get(cast(GameNode, node.parent)), node.at, *node.state()[1:5])
            for node in nodes
        ]
        about = self.name, self.line, {**self.facts}, [*self.notes], self.left_out
        return _game_of_rows, (type(self), rows, self.state()[6:], about)

    def copy(self) -> "Game":
        """Return a new game with everything of this one, and without its history."""
        return _game_of_rows(*self.__reduce__()[1])

    def check_main_line(self) -> None:
        """Raise NodeError for a stone or move of the main line that the file has in a
        wrong form, off the board or on another stone.
        """
        width, height = self.size
        line = [self, *self.mainline()]
        stated = [node._properties for node in line if node._properties]
        if not self.walls and all(map(_STONES_OF_SGF.isdisjoint, stated)):
            moves = [node.move for node in line if node.move is not None]
            place, wrong = first_wrong(moves, width, height)
            if wrong:
                raise NodeError(wrong, self.node_at(place + 1))
            return
        taken = {*self.walls}
        number = 0
        for node in line:
            for name in ("AB", "AW", "AE"):
                if node.has(name):
                    cells = _all_points(node, name)
                    taken = taken.difference(cells)
                    taken.update(cells if name != "AE" else ())
            if node.move is None:
                continue
            number += 1
            if node.move in taken:
                what = f"move {number}, {node.move}: the cell is occupied"
                raise NodeError(what, node)
            if not (0 <= node.move.x < width and 0 <= node.move.y < height):
                what = f"move {number}, {node.move}: off the {width}x{height} board"
                raise NodeError(what, node)
            taken.add(node.move)

    # Regular form

    def make_regular(self, max_lines: int | None = None) -> int:
        """Give the game the form that a board can show, and return how many lines that
        leaves out.

        Stones that are set up before the first move become the start position, and so
        do all stones before a pass of the main line. A node without a move gives its
        properties to the one before it. Left out are variations with a pass, with a
        move off the board, out of turn or on a stone, and those after ``max_lines``.
        Lines with the same moves become one, so the main line may get longer.
        This, and what was changed before it, cannot be undone.

        Raises:
            NodeError: The main line has stones that are set up or removed within the
                game, a side that moves twice, a move off the board or on a stone, or
                more passes than moves.
        """
        line = self.nodes_of_line()
        if line and line[-1].resigns:  # that node goes, its result stays
            head = self.head
            self.set_result(head.result, head.reason, head.detail)
        while line and line[-1].is_pass:
            line.pop()
        stones, first, begin = self._start_of(line)
        left_out = 0
        if begin:  # the nodes up to here become the start position
            left_out = self.count_lines()
            for node in line[:begin]:
                if node.move is None:
                    _merge(self, node)
            self.variations = line[begin - 1].variations
            for node in self.variations:
                node.parent = self
            left_out -= self.count_lines()
        played = [node for node in line[begin:] if node.move is not None]
        moves = [node.move for node in played if node.move is not None]
        place, wrong = first_wrong(moves, *self.size)
        if wrong:
            raise NodeError(wrong, played[place])
        if (
            stones[0]
            or stones[1]
            or self.walls
            or self.has("PL")
            or first is Side.WHITE
        ):
            self._set_stones(*stones, self.walls, first)
        taken = {*stones[0], *stones[1], *self.walls}
        self.left_out = left_out + self._tidy(first, taken, max_lines)
        self.history.clear()
        return self.left_out

    def _start_of(
        self, line: list[GameNode]
    ) -> tuple[tuple[list[Move], list[Move]], Side, int]:
        """Return the stones of the start position, the side that moves first, and how
        many nodes of the line lead to that position.
        """
        stones: tuple[list[Move], list[Move]] = ([], [])
        moves: list[tuple[Move, Side]] = []
        first: Side | None = None
        last: Side | None = None
        passes = begin = 0
        for place, node in enumerate([self, *line]):
            for name in ("AB", "AW", "AE"):
                if not node.has(name):
                    continue
                if moves:
                    raise NodeError("stones are set up in the middle of a game", node)
                if name == "AE":
                    raise NodeError("AE takes off stones that are not there", node)
                stones["BW".index(name[1])].extend(_all_points(node, name))
                begin = place
            if not moves and node.has("PL"):
                text = node.text("PL").strip().upper()[:1]
                if text not in ("B", "W"):
                    raise NodeError(f"PL[{node.text('PL')}] is no side", node)
                first = Side("BW".index(text))
                begin = place
            if node.side is None:
                continue
            if node.side is last:
                raise NodeError("a side moves twice in a row", node)
            last = node.side
            if node.move is None:
                passes += 1
                for move, side in moves:
                    stones[side].append(move)
                moves, first, begin = [], node.side.other, place
                continue
            if not moves:
                first = node.side
            moves.append((node.move, node.side))
        count = len(stones[0]) + len(stones[1]) + len(moves)
        if passes > _MAX_PASSES and 2 * passes > count:
            what = "the sides pass all the time: no five in a row"
            raise NodeError(what, self)
        if first is None:
            first = Side(len(stones[0]) > len(stones[1]))
        return stones, first, begin

    def _tidy(self, first: Side, taken: set[Move], max_lines: int | None) -> int:
        """Merge and remove nodes below the root for ``make_regular``; ``taken`` are the
        cells of the start position.
        """
        width, height = self.size
        left_out = lines = 0
        # A node with the side to move after it; None: all below the node is done.
        waiting: list[tuple[GameNode, Side | None]] = [(self, first)]
        while waiting:
            node, side = waiting.pop()
            move, parent = node.move, node.parent
            if side is None:
                taken.discard(cast(Move, move))
                continue
            if parent is not None:
                is_first = node is parent.variations[0]
                if max_lines is not None and lines >= max_lines and not is_first:
                    left_out += node.count_lines()
                    parent.variations.remove(node)
                    node.dissolve()
                    continue
                taken.add(cast(Move, move))
                waiting.append((node, None))
            known: dict[Move, GameNode] = {}
            below = node.variations[::-1]
            node.variations = []
            while below:
                each = below.pop()
                move = each.move
                if each.has("B") or each.has("W"):
                    is_end = each.is_pass and each.is_end
                    left_out += 0 if is_end else each.count_lines()
                elif each.side is None:
                    _merge(node, each)
                    below += each.variations[::-1]
                elif move in known:
                    _merge(known[move], each)
                    known[move].variations += each.variations
                elif (
                    move is None
                    or each.side is not side
                    or move in taken
                    or not (0 <= move.x < width and 0 <= move.y < height)
                ):
                    left_out += each.count_lines()
                else:
                    known[move] = each
                    each.parent = node
                    node.variations.append(each)
                    for name in STONES:
                        if each.has(name):
                            del each.properties[name]
            lines += not node.variations
            waiting += [(each, side.other) for each in reversed(node.variations)]
        return left_out

    # Head

    def front(self) -> GameNode:
        """Return a node with all facts about the game: mostly the root.

        If other nodes of the main line state some, it is a copy with those, too.
        """
        late: dict[str, list[str]] = {}
        node: GameNode = self
        while below := node.variations:  # mainline(), but for every game that is read
            node = below[0]
            if (stated := node._properties) and not _FACTS.isdisjoint(stated):
                late = {k: v for k, v in stated.items() if k in _FACTS} | late
        if not late:
            return self
        front = GameNode()
        front._properties = late | (self._properties or {})
        return front

    def _gather(self) -> None:
        """Give the root all facts about the game: one of them is about to change."""
        front = self.front()
        if front is self:
            return
        for name, values in front.properties.items():
            self.set_values(name, values)
        for node in self.mainline():
            for name in _FACTS.intersection(node._properties or ()):
                node.set_values(name, [])

    @property
    def head(self) -> Head:
        """Names, result, date and all other facts about the game."""
        return read_head(self.front(), self.end(), self.rule, self.natural_end)

    @property
    def black(self) -> str:
        """Name of the player with the black stones."""
        return self.front().text("PB")

    @black.setter
    @change("name")
    def black(self, name: str) -> None:
        self._gather()
        self.set_text("PB", name)

    @property
    def white(self) -> str:
        """Name of the player with the white stones."""
        return self.front().text("PW")

    @white.setter
    @change("name")
    def white(self, name: str) -> None:
        self._gather()
        self.set_text("PW", name)

    @property
    def result(self) -> str:
        """Result: "1-0" black won, "0-1" white won, "1/2-1/2" a draw, "*" unknown."""
        return self.head.result

    @property
    def reason(self) -> str:
        """End of the game, as ``GameRecord.reason``; "" if unknown."""
        return self.head.reason

    @property
    def detail(self) -> str:
        """Further details of the reason."""
        return self.head.detail

    @change("result")
    def set_result(self, result: str, reason: str = "", detail: str = "") -> None:
        """Set the result; it outweighs the end on the board from now on.

        Raises ValueError for an unknown one.
        """
        if result not in RESULTS:
            raise ValueError(f"not a result: {result!r} (one of {RESULTS})")
        self._gather()
        set_result(self, result, reason, detail)
        if self.result != result or (reason and self.reason != reason):
            self.set_text("AP", f"{OURS}:1")

    @property
    def date(self) -> str:
        """Date in ISO 8601, a day or a moment."""
        return stated_facts(self.front(), self.rule).get("date", "")

    @date.setter
    @change("date")
    def date(self, date: str) -> None:
        self._gather()
        set_date(self, date)

    @property
    def event(self) -> str:
        """Name of the event; "" if unknown."""
        return stated_facts(self.front(), self.rule).get("event", "")

    @event.setter
    @change("event")
    def event(self, event: str) -> None:
        self._gather()
        set_facts(self, {"event": ""})  # it would outweigh EV
        self.set_text("EV", event)

    @property
    def id(self) -> str:
        """Name of the game."""
        return self.front().text("GN")

    @property
    def extra(self) -> dict[str, str]:
        """Any other known facts: the opening's name, the time control, the round."""
        return extra_of(stated_facts(self.front(), self.rule))

    def natural_end(self) -> tuple[str, str, str]:
        """Return (result, reason, detail) by the last move of the main line.

        ("*", "", "") if it does not end the game, and for games that begin with stones
        on the board or in which a side passes.
        """
        try:
            record = self._flat()
        except ValueError:
            return "*", "", ""
        result, reason = natural_end(record)
        return result, reason, foul_at_end(record) if reason == "foul" else ""

    # History

    @property
    def history(self) -> History:
        """Changes that ``undo`` takes back."""
        if self._history is None:
            self._history = History()
        return self._history

    def undo(self) -> bool:
        """Take the last change back; return whether there was one."""
        return self.history.undo()

    def redo(self) -> bool:
        """Make the change again that was undone last; return whether there was one."""
        return self.history.redo()

    def state(self) -> tuple[Any, ...]:
        """Return everything that a change may change, for ``restore``."""
        return (*super().state(), self.walls, self._default_rule, self._default_size)

    def restore(self, state: tuple[Any, ...]) -> None:
        """Take a state of ``state`` back."""
        super().restore(state)
        self.walls, self._default_rule, self._default_size = state[6:]

    # Other forms

    @classmethod
    def of(cls, source: "Game | GameRecord | Board") -> "Game":
        """Return a game, a record or a board as a game.

        Raises TypeError for anything else.
        """
        if isinstance(source, Game):
            return source
        if isinstance(source, GameRecord):
            return cls.from_record(source)
        if isinstance(source, Board):
            return cls.from_board(source)
        hint = ": its root() is the game" if isinstance(source, GameNode) else ""
        kind = type(source).__name__
        raise TypeError(f"a Game, a GameRecord or a Board is needed, not {kind}{hint}")

    @classmethod
    def from_board(cls, board: Board, *, black: str = "", white: str = "") -> Self:
        """Return the moves of a board as a game.

        If its moves do not alternate from black, they become the start position.

        Args:
            board: Position with its moves.
            black: Name of the player with the black stones.
            white: Name of the other player.
        """
        size = board.width, board.height
        moves = board.moves
        sides = [board.stone(move) for move in moves]
        if sides == [Side(ply % 2) for ply in range(len(moves))]:
            game = cls(size, board.rule, black=black, white=white, moves=moves)
            if board.turn is not Side(len(moves) % 2):
                game.end().properties["PL"] = ["BW"[board.turn]]
            return game
        cells = [Move(x, y) for y in range(board.height) for x in range(board.width)]
        return cls(
            size,
            board.rule,
            black=black,
            white=white,
            black_stones=[c for c in cells if board.stone(c) is Side.BLACK],
            white_stones=[c for c in cells if board.stone(c) is Side.WHITE],
            walls=[c for c in cells if board.is_wall(c)],
            first=board.turn,
        )

    @classmethod
    def from_record(cls, record: GameRecord) -> Self:
        """Return a record as a game, with everything that it states."""
        game = cls(None)
        properties = game.properties
        properties |= {"FF": ["4"], "GM": ["4"], "CA": ["UTF-8"], "AP": [f"{OURS}:1"]}
        game._set_size((record.width, record.height))
        properties["RU"] = [record.rule.name.lower()]
        for name, value in head_properties(record).items():
            if value:
                properties[name] = [escaped(value)]
        game.name = record.id
        node: GameNode = game
        side, other = Side.BLACK, Side.WHITE
        for played in record.moves:
            new = GameNode(node, side, played.move)
            if played.comment:
                new.set_facts(played, played.comment)
            elif played is not bare(played.move):
                new._figures = played
            node.variations += (new,)  # append() would take room for four
            node, side, other = new, other, side
        return game

    def record(self, node: GameNode | None = None) -> GameRecord:
        """Return one line as a record: that through ``node``, else the main line.

        A record has the moves with their figures and comments, and the head.

        Raises ValueError for a line that is no game from the empty board.
        """
        flat = self._flat(node)
        place, wrong = first_wrong([p.move for p in flat.moves], *self.size)
        if wrong:
            line = [n for n in self.nodes_of_line(node) if n.move is not None]
            raise NodeError(wrong, line[place])
        return replace(flat, **self.head._asdict())

    def _flat(self, node: GameNode | None = None) -> GameRecord:
        """Return the moves of a line as a record without a head.

        Raises NodeError for a set-up, a pass and another order of the sides.
        """
        if self.has("AB") or self.has("AW") or self.walls:
            what = "the game begins with stones on the board: a record has moves only"
            raise NodeError(what, self)
        line = self.nodes_of_line(node)
        while line and line[-1].is_pass:
            line.pop()
        played: list[PlayedMove] = []
        sides = Side.BLACK, Side.WHITE
        for each in line:
            if (
                each.move is not None
                and each._properties is None
                and each._figures is None
                and each.side is sides[len(played) & 1]
            ):
                played.append(bare(each.move))
                continue
            figures, comment = each.figures, each.comment
            if each.has("AB") or each.has("AW") or each.has("AE"):
                what = "stones are set up within the game: a record has moves only"
                raise NodeError(what, each)
            if each.side is None:  # its comment belongs to the move before
                if comment and played:
                    both = "\n".join(filter(None, (played[-1].comment, comment)))
                    played[-1] = replace(played[-1], comment=both)
                continue
            if each.move is None:
                raise NodeError("a side passes: a record has no passes", each)
            if each.side is not sides[len(played) & 1]:
                what = f"{each.side} moves out of turn: in a record black begins"
                raise NodeError(what, each)
            if figures is NO_FIGURES and not comment:
                played.append(bare(each.move))
            else:
                known = figures.values()
                played.append(PlayedMove(each.move, comment=comment, **known))
        width, height = self.size
        return GameRecord(self.rule, width, height, moves=tuple(played))

    def nodes_of_line(self, node: GameNode | None = None) -> list[GameNode]:
        """Return the nodes of a line, without the root: that through ``node``, else the
        main line.

        Raises ValueError for a node of another game.
        """
        path = (node or self).path()
        if path[0] is not self:
            raise ValueError("the node belongs to another game, or to none")
        return [*path[1:], *path[-1].mainline()]


def _game_of_rows(
    kind: type[Game],
    rows: list[tuple[Any, ...]],
    state: tuple[Any, ...],
    about: tuple[Any, ...],
) -> Game:
    """Return the game that ``Game.__reduce__`` took apart."""
    game = kind(None)
    game.name, game.line, game.facts, game.notes, game.left_out = about
    nodes: list[GameNode] = []
    for parent, at, *own in rows:
        node = GameNode() if nodes else game
        above = nodes[parent] if nodes else None
        node.restore((above, *own, [], *(() if nodes else state)))
        node.at = at
        if above is not None:
            above.variations += (node,)
        nodes.append(node)
    return game


def as_record(source: Game | GameNode | GameRecord | Board) -> GameRecord:
    """Return a line of moves as a record; of a node it is the line through the node.

    Raises TypeError for anything else, and ValueError as ``Game.record``.
    """
    if isinstance(source, GameRecord):
        return source
    if isinstance(source, GameNode) and not isinstance(source, Game):
        return source.root().record(source)
    return Game.of(source).record()
