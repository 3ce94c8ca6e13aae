"""The libraries of RenLib (".lib"): trees of moves with comments, for renju.

Bytes: a head of 20 (FF "RenLib" FF, major and minor version, FF to the end), then
nodes, depth first. A node is a point and its flags, then what the flags announce,
padded to whole pairs of bytes:

    point   16 * row + column, the row from 0 at the top, the column from 1 at the left;
            0 is no point: the root, if it comes first, else a pass
    80      a sibling follows when this branch is done
    40      the branch ends here: go on with the last sibling that was announced
    20      a comment follows as old versions wrote it, its last byte with bit 80
    10      the move is marked
    08      a comment follows, ending in 0; after a backspace its further lines
    04      the position that is shown first
    02      no move: the point only carries a text on the board
    01      two more bytes of flags follow the first; of these 0001 says that a text on
            the board follows the comment, ending in 0

The board has 15x15 cells and no rule is told: RenLib is a program for renju. Comments
are in the writer's code page; what is not UTF-8 is read as Western.

Written from the behaviour of RenLib (gomoku/RenLib@7a51509) and tried with the files of
Emilgardis/board and wuwbobo2021/figrid-board; nothing else is theirs.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule
from gomoku_brain.records.game_record import (
    GameRecord,
    PlayedMove,
    first_wrong,
    natural_end,
)
from gomoku_brain.records.sgf import SetUp

HEAD: Final = b"\xffRenLib\xff"
SIZE: Final = 15
LIB_RULE: Final = Rule.RENJU  # the files do not name one
MOST_NODES: Final = 2_000_000  # some hundred bytes of memory each
_HEAD_BYTES = 20
_VERSION = (3, 4)  # the last that there is
_SIBLING, _LEAF, _OLD_COMMENT, _MARK, _COMMENT = 0x80, 0x40, 0x20, 0x10, 0x08
_NO_MOVE, _MORE_FLAGS, _BOARD_TEXT = 0x02, 0x01, 0x0001


def is_lib(data: bytes) -> bool:
    """Whether these bytes begin as a library of RenLib does."""
    return data.startswith(HEAD)


def lines_from_lib(
    data: bytes, rule: Rule = LIB_RULE, main_only: bool = False
) -> list[GameRecord | SetUp]:
    """Read the lines of a library, that of the first moves everywhere first.

    With `main_only` it is the only one. A line with a pass in it becomes a position:
    the stones before the pass, and the moves after it. Raises ValueError for what is no
    library or a newer one, for a broken one, and for more than MOST_NODES nodes.
    """
    root = _tree(data)
    lines = _lines(root)
    first = next(lines, None)
    if first is None:
        raise ValueError("the library has no move")
    wanted = [first] if main_only else [first, *lines]
    return [_record(line, root.comment, rule) for line in wanted]


@dataclass(slots=True)
class _Node:
    """A move of the tree; None is a pass, or the root."""

    move: Move | None = None
    comment: str = ""
    following: "list[_Node]" = field(default_factory=list)

    def child(self, move: Move | None) -> "_Node":
        """The node that follows with this move; a new one where there is none."""
        for node in self.following:
            if node.move == move:
                return node
        node = _Node(move)
        self.following.append(node)
        return node


class _Bytes:
    """The bytes behind the head, read pair by pair."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = _HEAD_BYTES

    def pair(self) -> tuple[int, int] | None:
        """The next two bytes; None at the end, where a single one is left over."""
        if self.at + 1 >= len(self.data):
            return None
        self.at += 2
        return self.data[self.at - 2], self.data[self.at - 1]

    def text(self) -> str:
        """A text that ends in 0, or with the file."""
        end = self.data.find(b"\0", self.at)
        end = len(self.data) if end < 0 else end
        raw = self.data[self.at : end]
        self._skip(len(raw) + 1)
        return _words(raw)

    def old_text(self) -> str:
        """A text whose last byte has its highest bit set."""
        end = self.at
        while end < len(self.data) and self.data[end] < 0x80:
            end += 1
        raw = bytes(byte & 0x7F for byte in self.data[self.at : end + 1])
        self._skip(len(raw))
        return _words(raw)

    def _skip(self, count: int) -> None:
        self.at += count + count % 2


def _words(raw: bytes) -> str:
    """A comment: one line, and after a backspace others."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\b", "\n").strip()


def _tree(data: bytes) -> _Node:
    """All of a library."""
    if not is_lib(data):
        raise ValueError("no library of RenLib: the head is missing")
    if len(data) < _HEAD_BYTES:
        raise ValueError("the library ends within its head")
    if (data[8], data[9]) > _VERSION:
        raise ValueError(f"a library of the version {data[8]}.{data[9]} is too new")
    source = _Bytes(data)
    root = _Node()
    path = [root]
    siblings: list[int] = []  # how long the path is where a sibling goes on
    number = 0
    while (pair := source.pair()) is not None:
        where, flags = pair
        number += 1
        if number > MOST_NODES:
            raise ValueError(f"the library has more than {MOST_NODES} nodes")
        more = (0, 0)
        if flags & _MORE_FLAGS:
            more = source.pair() or more
        comment = ""
        if flags & _OLD_COMMENT:
            comment = source.old_text()
        elif flags & _COMMENT:
            comment = source.text()
        if (more[0] << 8 | more[1]) & _BOARD_TEXT:
            comment = "\n".join(filter(None, (comment, f"[{source.text()}]")))
        if number == 1 and where == 0:
            root.comment = comment
            continue
        x, y = where % 16, where // 16
        if where and not 1 <= x <= SIZE:
            raise ValueError(f"node {number}: {where:#04x} is no point of the board")
        if flags & _NO_MOVE:
            node = _Node()  # hangs nowhere: only what follows it is forgotten with it
        else:
            node = path[-1].child(Move(x - 1, y) if where else None)
            if flags & _MARK:
                comment = "\n".join(filter(None, ("marked", comment)))
            node.comment = node.comment or comment
        if flags & _SIBLING:
            siblings.append(len(path))
        path.append(node)
        if flags & _LEAF and siblings:
            del path[siblings.pop() :]
    return root


def _lines(root: _Node) -> Iterator[list[_Node]]:
    """The nodes of each line, without the root, in the order of the library."""
    path: list[_Node] = []
    waiting = [(node, 0) for node in reversed(root.following)]
    while waiting:
        node, depth = waiting.pop()
        del path[depth:]
        path.append(node)
        if node.following:
            waiting += [
                (following, depth + 1) for following in reversed(node.following)
            ]
        else:
            yield path.copy()


def _record(line: list[_Node], comment: str, rule: Rule) -> GameRecord | SetUp:
    """A line as a game, or as a position where a side has passed."""
    moves = [node.move for node in line]
    while moves and moves[-1] is None:
        del moves[-1], line[-1]  # the pass itself is nothing to be seen
    _, what = first_wrong([move for move in moves if move], SIZE, SIZE)
    if what:
        raise ValueError(what)
    if None not in moves:
        game = GameRecord(
            rule,
            SIZE,
            SIZE,
            moves=tuple(
                PlayedMove(node.move, comment=node.comment)
                for node in line
                if node.move is not None
            ),
            extra={"comment": comment} if comment else {},
        )
        result, reason = natural_end(game)
        return replace(game, result=result, reason=reason)
    after = len(moves) - moves[::-1].index(None)
    return SetUp(
        rule,
        (SIZE, SIZE),
        tuple(move for move in moves[:after:2] if move),
        tuple(move for move in moves[1:after:2] if move),
        "BW"[after % 2],
        tuple(move for move in moves[after:] if move),
        "",
        0,
    )
