r"""SGF, the Smart Game Format FF[4], as text: nodes in, text out; text in, lines out.

Knows what a node, a property and a point of the board are, but nothing of games: `sgf`
reads and writes those. Everything of the package that writes SGF does it here.

    root = SgfNode({"GM": "4", "SZ": "15"})
    root.add({"B": point(Move(7, 7)), "C": "the middle"})
    to_text(root)               # (;GM[4]SZ[15]
                                # ;B[hh]C[the middle])

A point is column and row, counted from the upper left: a to z, then A to Z.

Written from the specification, https://www.red-bean.com/sgf/.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NODES_A_LINE = 8
_OWN_LINE = ("GC", "AB", "AW", "PL")  # properties of the root that begin a line

# ----- Writing -----


@dataclass(slots=True)
class SgfNode:
    """A node to be written, and the nodes that follow it, the main line first."""

    properties: dict[str, str | Sequence[str]] = field(default_factory=dict)
    """Plain values by their names, in the order of writing; several values of one
    property as a list. An empty text is left out, in a list it is written."""
    following: "list[SgfNode]" = field(default_factory=list)

    def add(self, properties: Mapping[str, str | Sequence[str]]) -> "SgfNode":
        """Append a node that follows this one; returns it."""
        node = SgfNode(dict(properties))
        self.following.append(node)
        return node


def point(move: Move) -> str:
    """The cell in two letters. Raises ValueError beyond 52 columns or rows."""
    if not (0 <= move.x < len(LETTERS) and 0 <= move.y < len(LETTERS)):
        raise ValueError(f"SGF has no letters for {move}")
    return LETTERS[move.x] + LETTERS[move.y]


def root_of(width: int, height: int, rule: Rule) -> SgfNode:
    """A root with what every game of ours begins with: format, game, size, rule.

    Raises ValueError for a board wider or higher than 52 cells.
    """
    if max(width, height) > len(LETTERS):
        raise ValueError(f"SGF has no board of {width}x{height} cells")
    return SgfNode(
        {
            "FF": "4",
            "GM": "4",
            "CA": "UTF-8",
            "AP": "gomoku-brain:1",
            "SZ": f"{width}" if width == height else f"{width}:{height}",
            "RU": rule.name.lower(),
        }
    )


def set_up(board: Board) -> dict[str, str | Sequence[str]]:
    """The properties that put a position's stones on the board and tell who moves.

    Raises ValueError for a board with walls, which SGF does not know.
    """
    stones: dict[Side, list[str]] = {Side.BLACK: [], Side.WHITE: []}
    for y in range(board.height):
        for x in range(board.width):
            move = Move(x, y)
            side = board.stone(move)
            if side is not None:
                stones[side].append(point(move))
            elif board.is_wall(move):
                raise ValueError("SGF knows no walls")
    turn = "B" if board.turn == Side.BLACK else "W"
    return {"AB": stones[Side.BLACK], "AW": stones[Side.WHITE], "PL": turn}


def to_text(root: SgfNode) -> str:
    """The tree as one game of a collection, ending in a newline."""
    parts = ["(", _node_text(root, is_root=True)]
    waiting: list[str | tuple[SgfNode, int]] = [")\n"]
    _queue(waiting, root, 0)
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        node, depth = item
        if depth % _NODES_A_LINE == 0 and not parts[-1].endswith("("):
            parts.append("\n")
        parts.append(_node_text(node))
        _queue(waiting, node, depth + 1)
    return "".join(parts)


def _queue(waiting: list[str | tuple[SgfNode, int]], node: SgfNode, depth: int) -> None:
    """Put what follows a node on a stack; several, each in parentheses."""
    if len(node.following) == 1:
        waiting.append((node.following[0], depth))
        return
    for following in reversed(node.following):
        waiting += [")", (following, depth), "\n("]


def _node_text(node: SgfNode, is_root: bool = False) -> str:
    text = ";"
    for name, values in node.properties.items():
        several = [values] if values and isinstance(values, str) else values
        written = "".join(f"[{_escaped(value)}]" for value in several)
        if written:
            text += "\n" if is_root and name in _OWN_LINE else ""
            text += name + written
    return text


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
# Possessive: without the ] a value is given up at once, not divided in every other way.
_VALUE = re.compile(r"\[((?:\\.|[^\\\]]++)*+)\]\s*", re.DOTALL)


def read_lines(text: str, main_only: bool) -> Iterator[list[list[Node]]]:
    """The nodes of each line, from the root to an end, of each game of a collection.

    The first is the main line, that of the first variation everywhere; with `main_only`
    it is the only one. Raises ValueError with the number of the line for text that is
    not SGF.
    """
    at = text.find("(")
    if at < 0:
        raise wrong(text, 0, "no game: SGF begins with (;")
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
                raise wrong(text, at, "a game tree begins with ;")
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
            raise wrong(text, at, f"{sign!r} was not expected")
        else:
            raise wrong(text, at, "the text ends within a game")


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
            raise wrong(text, end, "the value has no end ]")
        if not values:
            raise wrong(text, at, f"{name[0]} has no value")
        # Only the capitals count: old files write out "GaMe".
        capitals = "".join(letter for letter in name[0] if letter.isupper())
        node.append(Property(capitals, values, at))
        at = end


def _skip(text: str, at: int) -> int:
    """The first place at or after `at` that is not blank."""
    blank = _SPACE.match(text, at)
    return blank.end() if blank else at


def wrong(text: str, at: int, what: str) -> ValueError:
    """The error for a place in the text, with the number of its line."""
    return ValueError(f"line {text.count(chr(10), 0, at) + 1}: {what}")


def plain(raw: str, lines: bool = False) -> str:
    """A value without its escapes; `lines` keeps the line ends that are meant."""
    raw = raw.replace("\r\n", "\n").replace("\r", "\n")
    raw = re.sub(r"\\(.)", lambda found: found[1].strip("\n"), raw, flags=re.DOTALL)
    return re.sub(r"[^\S\n]" if lines else r"\s", " ", raw)


def points(text: str, raw: str, at: int) -> list[Move]:
    """The point "hh", or those of a rectangle by two corners, "aa:cc".

    Raises ValueError with the number of the line of the place `at` for another value.
    """
    corners: list[tuple[int, int]] = []
    for corner in raw.split(":"):
        x, y = (LETTERS.find(letter) for letter in corner.strip().ljust(2)[:2])
        if len(corner.strip()) != 2 or min(x, y) < 0:
            what = "a pass" if not corner.strip() else f"{corner!r} is no point"
            raise wrong(text, at, f"{what} (a move is two letters)")
        corners.append((x, y))
    if len(corners) > 2:
        raise wrong(text, at, f"{raw!r} is no rectangle (two corners)")
    (left, right), (top, bottom) = (
        sorted((one, other)) for one, other in zip(corners[0], corners[-1], strict=True)
    )
    return [Move(x, y) for y in range(top, bottom + 1) for x in range(left, right + 1)]


def one_point(text: str, raw: str, at: int) -> Move:
    """The point "hh". Raises ValueError as ``points``, and for a rectangle."""
    if ":" in raw:
        raise wrong(text, at, f"{raw!r} is no point (a move is two letters)")
    (move,) = points(text, raw, at)
    return move


def all_points(text: str, raws: Iterable[str], at: int) -> list[Move]:
    """The cells of all values of a property that takes a list of points."""
    return [move for raw in raws for move in points(text, raw, at)]
