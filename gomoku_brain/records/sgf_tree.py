r"""Writer of SGF, the Smart Game Format FF[4]: nodes in, text out.

It uses nodes, properties and points of the board, but nothing of games: ``sgf`` writes
those. ``records.sgf_trees`` writes trees that were read.

    root = SgfNode({"GM": "4", "SZ": "15"})
    root.add({"B": point(Move(7, 7)), "C": "the middle"})
    to_text(root)               # (;GM[4]SZ[15]
                                # ;B[hh]C[the middle])

A point is column and row, counted from the upper left: a to z, then A to Z.

Written from the specification, https://www.red-bean.com/sgf/.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.record_tree import LETTERS, point

__all__ = ["SgfNode", "point", "root_of", "set_up", "to_text"]

_NODES_A_LINE = 8
_OWN_LINE = ("GC", "AB", "AW", "PL")  # properties of the root that begin a line


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
    """Push the nodes after a node on a stack; several, each in parentheses."""
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
