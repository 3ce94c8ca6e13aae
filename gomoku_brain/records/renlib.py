"""Libraries of RenLib (".lib"): trees of moves with comments, for renju.

Bytes: a head of 20 (FF "RenLib" FF, major and minor version, FF to the end), then
nodes, depth first. A node is a point and its flags, then the parts that the flags
announce, padded to whole pairs of bytes:

    point   16 * row + column, the row from 0 at the top, the column from 1 at the left;
            0 is no point: the root, if it comes first, else a pass
    80      a sibling follows when this branch is done
    40      the branch ends here: go on with the last sibling that was announced
    20      a comment follows as old versions wrote it, its last byte with bit 80
    10      the move is marked
    08      a comment follows, ending in 0; after a backspace its further lines
    04      the position that is shown first
    02      no move: the point only carries a text on the board
    01      two more bytes of flags follow the first; in these 0001 means that a text
            on the board follows the comment, ending in 0

The board has 15x15 cells and the file has no rule: RenLib is a program for renju.
Comments are in the writer's code page, which is guessed from all texts of the library
unless the reader's options name it.

Written from the behaviour of RenLib (gomoku/RenLib@7a51509) and tried with the files of
Emilgardis/board and wuwbobo2021/figrid-board; nothing else is theirs.
"""

import re
from collections.abc import Iterator
from typing import Final

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.records.encodings import SEVERAL, decode
from gomoku_brain.records.game import Game
from gomoku_brain.records.game_node import GameNode
from gomoku_brain.records.game_record import NO_FIGURES
from gomoku_brain.records.read_options import Item, Progress, ReadOptions

HEAD: Final = b"\xffRenLib\xff"
SIZE: Final = 15
LIB_RULE: Final = Rule.RENJU  # the files do not name one
MAX_NODES: Final = 3_000_000  # some hundred bytes of memory each
_HEAD_BYTES = 20
_VERSION = (3, 4)  # the last that there is
_SIBLING, _LEAF, _OLD_COMMENT, _MARK, _COMMENT = 0x80, 0x40, 0x20, 0x10, 0x08
_NO_MOVE, _MORE_FLAGS, _BOARD_TEXT = 0x02, 0x01, 0x0001


def is_lib(data: bytes) -> bool:
    """Whether these bytes begin like a library of RenLib."""
    return data.startswith(HEAD)


def read_lib(data: bytes, options: ReadOptions) -> Iterator[Item]:
    """Yield the game of a library, by renju's rule if the options name none.

    Raises ValueError for other bytes, for a newer version, for a broken library, for
    one without a move, and for more than ``MAX_NODES`` nodes.
    """
    game = game_of_lib(data, options.progress, options.encoding)
    if options.rule is not None:
        game.rule = options.rule
    if not game.variations:
        raise ValueError("the library has no move")
    yield "", game


_MAX_REPEATED = 50_000  # moves that their node has already
_MAX_DEEP = 1000  # nodes of a line, passes among them
_EACH = 4096  # nodes between two calls of ``watch``


def game_of_lib(
    data: bytes, watch: Progress | None = None, encoding: str | None = None
) -> Game:
    """Read a library.

    A mark is a cross (MA) on the move, a text on the board a label of the position
    before it. Strange content is listed in the game's notes, for example the place
    where the file is cut off. ``watch`` is called with the number of bytes read and of
    all bytes. Without an ``encoding`` that of the texts is guessed. Raises ValueError
    as ``read_lib`` does, except for a library without a move.
    """
    if not is_lib(data):
        raise ValueError("no library of RenLib: the head is missing")
    if len(data) < _HEAD_BYTES:
        raise ValueError("the library ends within its head")
    if (data[8], data[9]) > _VERSION:
        raise ValueError(f"a library of the version {data[8]}.{data[9]} is too new")
    tree = Game(SIZE, LIB_RULE)
    texts: list[tuple[GameNode, Move | None, bytes]] = []  # None: a comment
    path: list[GameNode] = [tree]
    sides: list[Side] = [Side.BLACK]  # side that moves after each node of the path
    siblings: list[int] = []  # lengths of the path at which a sibling continues
    at = _HEAD_BYTES
    end = len(data) - 1
    number = repeated = 0
    is_awaited = False  # whether a sibling comes next
    while at < end:
        where, flags = data[at], data[at + 1]
        at += 2
        number += 1
        if number > MAX_NODES:
            raise ValueError(f"the library has more than {MAX_NODES} nodes")
        if number % _EACH == 0:
            if watch is not None:
                watch(at, len(data))
            if repeated > max(_MAX_REPEATED, number // 2):
                raise ValueError("the library repeats the same moves")
        move = None
        if where:
            x = where & 15
            if not x:
                raise ValueError(
                    f"node {number}: {where:#04x} is no point of the board"
                )
            move = _POINTS[where]
        comment = label = b""
        if flags & _SPECIAL:
            has_label = False
            if flags & _MORE_FLAGS:
                has_label = bool(
                    data[at + 1 : at + 2] > b"" and data[at + 1] & _BOARD_TEXT
                )
                at += 2
            if flags & _OLD_COMMENT:
                comment, at = _old_text(data, at)
            elif flags & _COMMENT:
                comment, at = _text(data, at)
            if has_label:
                label, at = _text(data, at)
        if number == 1 and not where:
            if comment:
                texts.append((tree, None, comment))
            continue
        parent = path[-1]
        side = sides[-1]
        if flags & _NO_MOVE:
            # Connected to nothing, and everything after it is dropped with it: only a
            # text.
            node = GameNode(None, side, move)
            if move is not None and (comment or label):
                texts.append((parent, move, label or comment))
        else:
            for node in parent.variations:
                if node.move == move:
                    repeated += 1
                    break
            else:
                node = GameNode(parent, side, move)
                if move is None:
                    node.properties["BW"[side]] = [""]
                parent.variations += (node,)
            if flags & _MARK and move is not None:
                node.set_mark(move, "MA")
            if comment:
                texts.append((node, None, comment))
            if label and move is not None:
                texts.append((parent, move, label))
        if flags & _SIBLING:
            siblings.append(len(path))
        path.append(node)
        sides.append(_OTHER[side])
        if len(path) > _MAX_DEEP:
            raise ValueError(f"node {number}: a line is longer than any game")
        is_awaited = bool(flags & _LEAF and siblings)
        if is_awaited:
            length = siblings.pop()
            del path[length:], sides[length:]
    if siblings or is_awaited or at > len(data) + 1:
        tree.notes.append("the library ends within its tree: a part is lost")
    _place_texts(tree, texts, encoding)
    return tree


_OTHER = (Side.WHITE, Side.BLACK)  # quicker than Side.other
_POINTS = {16 * y + x + 1: Move(x, y) for x in range(SIZE) for y in range(16)}
_LINE_END = re.compile("\r\n|[\r\b]")
_SPECIAL = _MORE_FLAGS | _OLD_COMMENT | _COMMENT


def _text(data: bytes, at: int) -> tuple[bytes, int]:
    """Return a text that ends in 0, or with the file, and the end of its pairs of
    bytes.
    """
    end = data.find(b"\0", at)
    raw = data[at:] if end < 0 else data[at:end]
    return raw, at + len(raw) + 1 + (len(raw) + 1) % 2


def _old_text(data: bytes, at: int) -> tuple[bytes, int]:
    """Return a text whose last byte has its highest bit set, and its end."""
    end = at
    while end < len(data) and data[end] < 0x80:
        end += 1
    raw = bytes(byte & 0x7F for byte in data[at : end + 1])
    return raw, at + len(raw) + len(raw) % 2


def _place_texts(
    tree: Game, texts: list[tuple[GameNode, Move | None, bytes]], encoding: str | None
) -> None:
    """Put the texts of a library into its nodes; one encoding is guessed for all."""
    beyond_ascii = b"\n".join(raw for _, _, raw in texts if not raw.isascii())
    all_of_it = decode(beyond_ascii, encoding)
    if all_of_it.note:
        tree.notes.append(all_of_it.note)
    for node, cell, raw in texts:
        try:
            text = raw.decode(encoding or "utf-8")
        except UnicodeDecodeError:
            named = all_of_it.encoding if all_of_it.encoding != SEVERAL else None
            text = decode(raw, named).text  # else comments name them
        # One line, and after a backspace others.
        text = (
            text.replace("\r\n", "\n").replace("\r", "\n").replace("\b", "\n").strip()
        )
        if cell is None:
            node.set_facts(NO_FIGURES, node.comment or text)
        elif cell not in node.labels:
            node.set_label(cell, " ".join(text.split()))
