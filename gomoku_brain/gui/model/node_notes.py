"""Comments, labels, marks and foreign properties of a game tree, as SGF has them.

A ``Node`` stores the properties of its record node as they were read. The functions
here read and change them, add the content of a record to a tree, and write a tree.
"""

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Side
from gomoku_brain.gui.model.game_tree import Ending, GameTree, Node, ending_of
from gomoku_brain.records.game_formats import GameRecord, PlayedMove, tree_of
from gomoku_brain.records.record_tree import MARKS, GameNode, RecordTree, point
from gomoku_brain.records.sgf import move_properties

__all__ = [
    "add_record",
    "comment_of",
    "has_notes",
    "labels_of",
    "marks_of",
    "record_tree_of",
    "remove_notes",
    "set_comment",
    "set_label",
    "set_mark",
    "set_up_record",
]

_MOVES = {"B", "W"}
_SET_UP = {"AB", "AW", "AE", "PL"}


def _record_node(node: Node) -> GameNode:
    made = GameNode()
    made.properties.update({name: [*v] for name, v in node.properties.items()})
    return made


def comment_of(node: Node) -> str:
    """Return the comment on a position."""
    if node.played is not None and node.played.comment:
        return node.played.comment
    return _record_node(node).comment if "C" in node.properties else ""


def set_comment(tree: GameTree, node: Node, text: str) -> None:
    """Set the comment on a position; an empty one removes it."""
    if node.played is not None:
        node.set_played_comment(text)
    made = _record_node(node)
    made.comment = text
    node.properties = dict(made.properties)
    if node.parent is None:
        tree.extra.pop("C", None)
    tree.note_change()


def labels_of(node: Node) -> dict[Move, str]:
    """Return the texts on the board in a position, by their cells."""
    return dict(_record_node(node).labels) if "LB" in node.properties else {}


def marks_of(node: Node) -> dict[Move, str]:
    """Return the marks on the board in a position, as ``record_tree.MARKS``."""
    return dict(_record_node(node).marks) if node.properties else {}


def set_label(tree: GameTree, node: Node, cell: Move, text: str) -> None:
    """Put a text on a cell in a position; an empty one removes it."""
    made = _record_node(node)
    made.set_label(cell, text)
    node.properties = dict(made.properties)
    tree.note_change()


def set_mark(tree: GameTree, node: Node, cell: Move, mark: str) -> None:
    """Mark a cell with one of ``record_tree.MARKS``; "" removes its mark."""
    made = _record_node(node)
    made.set_mark(cell, mark)
    node.properties = dict(made.properties)
    tree.note_change()


def remove_notes(tree: GameTree, node: Node) -> None:
    """Remove all labels and marks of a position."""
    for name in ("LB", "L", *MARKS):
        node.properties.pop(name, None)
    tree.note_change()


def has_notes(node: Node) -> bool:
    """Return whether a position has a comment, a label or a mark."""
    return bool(comment_of(node) or labels_of(node) or marks_of(node))


def add_record(tree: GameTree, record: RecordTree, most_lines: int) -> int:
    """Add the variations and notes of a record to the tree of its main line.

    Return the number of lines that are left out: those after ``most_lines``, and those
    with a pass or an illegal move.
    """
    board = tree.start.board()
    _copy_notes(tree.root, record)
    left_out, lines = 0, 0
    waiting: list[tuple[GameNode, Node | None, int]] = [
        (each, tree.root, 0) for each in reversed(record.variations)
    ]
    depth = 0  # moves on ``board``
    while waiting:
        source, parent, ply = waiting.pop()
        assert parent is not None
        while depth > ply:
            board.undo()
            depth -= 1
        node: Node | None = parent
        if source.move is None:
            _copy_notes(parent, source)
        else:
            node = _child(tree, parent, source, board.turn, lines < most_lines)
            if node is None:
                left_out += source.count_lines()
                continue
            if node.ending is None and not node.children:
                node.ending = ending_of(board, source.move)
            _copy_notes(node, source)
            board.play(source.move)
            depth += 1
        if not source.variations:
            lines += 1
        elif node is not None and node.ending is not None and node.ending.is_final:
            left_out += source.count_lines()
        else:
            waiting += [(each, node, depth) for each in reversed(source.variations)]
    tree.note_change()
    return left_out


def _child(
    tree: GameTree, parent: Node, source: GameNode, turn: Side, may_add: bool
) -> Node | None:
    """Return the child for a record's move; None if it is illegal or one too many."""
    move = source.move
    assert move is not None
    found = next((each for each in parent.children if each.move == move), None)
    if found is not None:
        return found
    start, taken = tree.start, {each.move for each in parent.path()}
    fixed = (*start.black, *start.white, *start.walls)
    inside = move.x < start.width and move.y < start.height
    legal = inside and move not in taken and move not in fixed
    if not may_add or not legal or source.side not in (None, turn):
        return None
    made = Node(parent, PlayedMove(move, comment=source.comment))
    parent.children.append(made)
    return made


def _copy_notes(node: Node, source: GameNode) -> None:
    """Copy everything but moves and stones."""
    for name, values in source.properties.items():
        if name not in _MOVES and name not in _SET_UP:
            node.properties.setdefault(name, list(values))


def record_tree_of(tree: GameTree, records: list[GameRecord]) -> RecordTree:
    """Return the lines of a game, its main line first, with all notes of the tree."""
    made = tree_of(records[0], records[1:])
    waiting: list[tuple[GameNode, Node]] = [(made, tree.root)]
    while waiting:
        target, node = waiting.pop()
        for name, values in node.properties.items():
            if not target.has(name):
                target.properties[name] = list(values)
        for each in target.variations:
            for child in node.children:
                if child.move == each.move:
                    waiting.append((each, child))
    return made


def set_up_record(tree: GameTree) -> RecordTree:
    """Return a game that begins with stones on the board, with all lines and notes.

    Raises:
        ValueError: The board has walls, which SGF cannot hold.
    """
    start, line = tree.start, tree.node.line()
    if start.walls:
        raise ValueError("SGF cannot hold walls")
    ending = (line[-1] if line else tree.root).ending or Ending("*", "")
    head = GameRecord(
        start.rule,
        start.width,
        start.height,
        black=tree.names[Side.BLACK],
        white=tree.names[Side.WHITE],
        result=ending.result,
        reason=ending.reason,
        detail=ending.detail,
        date=tree.date,
        extra=dict(tree.extra),
    )
    made = tree_of(head)
    for name, cells in (("AB", start.black), ("AW", start.white)):
        if cells:
            made.properties[name] = [point(cell) for cell in cells]
    made.properties["PL"] = ["BW"[start.first]]
    waiting: list[tuple[GameNode, Node, Side]] = [(made, tree.root, start.first)]
    while waiting:
        target, node, side = waiting.pop()
        for name, values in node.properties.items():
            if not target.has(name):
                target.properties[name] = list(values)
        for child in node.children:
            if child.played is not None:
                added = target.add_variation(child.played.move, side=side)
                facts = move_properties(child.played, side is Side.BLACK)
                for name in ("V", "C"):
                    if facts[name]:
                        added.set_text(name, facts[name])
                waiting.append((added, child, side.other))
    return made
