r"""Writer of SGF, the Smart Game Format FF[4]: nodes in, text out.

The module knows nodes, properties and cells, but no games: ``records.sgf`` makes the
nodes of a game. ``records.sgf_trees`` reads trees, and writes them with ``game_text``.

    root = SgfNode({"GM": "4", "SZ": "15"})
    root.add({"B": point(Move(7, 7)), "C": "the middle"})
    to_text(root)               # (;GM[4]SZ[15]
                                # ;B[hh]C[the middle])

A point is column and row, counted from the upper left: a to z, then A to Z.

Written from the specification, https://www.red-bean.com/sgf/.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.record_tree import LETTERS, escaped, point

__all__ = ["OWN_LINE", "SgfNode", "game_text", "point", "root_of", "set_up", "to_text"]

N = TypeVar("N")

OWN_LINE = ("GC", "AB", "AW", "PL")
"""Properties of the root that begin a line."""
_NODES_A_LINE = 8


@dataclass(slots=True)
class SgfNode:
    """Node to write, and the nodes that follow it, the main line first."""

    properties: dict[str, str | Sequence[str]] = field(default_factory=dict)
    """Plain values by their names, in the order of writing; several values as a list.

    An empty text is left out, in a list it is written.
    """
    following: "list[SgfNode]" = field(default_factory=list)

    def add(self, properties: Mapping[str, str | Sequence[str]]) -> "SgfNode":
        """Append a node that follows this one; return it."""
        node = SgfNode(dict(properties))
        self.following.append(node)
        return node


def root_of(width: int, height: int, rule: Rule) -> SgfNode:
    """Return a root with the properties of every game of ours: format, game, size,
    rule.

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
    """Return the properties that set up a position's stones and the side to move.

    Raises ValueError for a board with walls, which SGF does not have.
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
    """Return the tree as one game of a collection, ending in a newline."""
    return game_text(
        root, lambda node: _node_text(node, node is root), lambda node: node.following
    )


def game_text(
    root: N, text_of: Callable[[N], str], nodes_after: Callable[[N], Sequence[N]]
) -> str:
    """Return a tree of any nodes as one game of a collection, ending in a newline.

    ``text_of`` returns the text of a node. ``nodes_after`` returns the nodes that
    follow a node; several ones are written as variations, each in parentheses.
    """
    parts = ["(", text_of(root)]
    waiting: list[str | tuple[N, int]] = [")\n"]  # a stack: a tree may be deep

    def push(nodes: Sequence[N], depth: int) -> None:
        if len(nodes) == 1:
            waiting.append((nodes[0], depth))
            return
        for node in reversed(nodes):
            waiting.extend((")", (node, depth), "\n("))

    push(nodes_after(root), 0)
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        node, depth = item
        if depth % _NODES_A_LINE == 0 and not parts[-1].endswith("("):
            parts.append("\n")
        parts.append(text_of(node))
        push(nodes_after(node), depth + 1)
    return "".join(parts)


def _node_text(node: SgfNode, is_root: bool) -> str:
    text = ";"
    for name, values in node.properties.items():
        several = [values] if values and isinstance(values, str) else values
        written = "".join(f"[{escaped(value)}]" for value in several)
        if written:
            text += "\n" if is_root and name in OWN_LINE else ""
            text += name + written
    return text
