"""Commands that take several lines, up to DONE: BOARD and its like.

What such lines say of a position is read here, too: which of the colours is ours, and
which cells are on the board.
"""

from collections.abc import Iterable

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Side
from gomoku_brain.protocol import commands

TYPE_CHECKING = False  # typing takes milliseconds of the start to import
if TYPE_CHECKING:
    from gomoku_brain.game.position import Board

__all__ = [
    "ARITY",
    "SKIPPED",
    "Block",
    "alternating",
    "are_distinct_cells",
    "empty_cells",
    "placed_stones",
    "read_cell",
]

# What BOARD & co. expect in a row.
ARITY = {"BOARD": 3, "YXBOARD": 3, "SWAP2BOARD": 2, "YXBLOCK": 2, "YXBLOCKUNDO": 2}

SKIPPED = "SKIPPED"
"""Word of a block that swallows what belongs to a command of the Yixin dialect that we
do not have, so that its arguments are not taken for commands."""

_MOST_ROWS = 2000  # that are kept; a full board has 484
_OWN, _OPPONENT, _WALL = 1, 2, 3  # the third number of a BOARD line


class Block:
    """Lines up to DONE, for the command ``word`` that began them."""

    def __init__(self, word: str) -> None:
        """No line has come yet."""
        self.word = word
        self.rows: list[tuple[int, ...]] = []
        self.broken = False
        """Whether a line could not be read."""

    def add(self, text: str) -> bool:
        """Take in a line, or the rest of the first one; whether DONE ended it."""
        text, done = commands.split_done(text)
        if self.word != SKIPPED:
            arity = ARITY[self.word]
            numbers = commands.parse_numbers(text)
            if numbers is None or len(numbers) % arity:
                self.broken = True
            else:
                self.rows.extend(zip(*[iter(numbers)] * arity, strict=True))
            if len(self.rows) > _MOST_ROWS:
                self.broken = True
                self.rows.clear()
        return done


def placed_stones(
    board: "Board", block: Block
) -> tuple[Side, list[tuple[Move, Side | None]]] | None:
    """Our colour and the stones of a BOARD in their order; None when a line is bad.

    A stone of neither side is a wall.
    """
    cells = [Move(x, y) for x, y, _ in block.rows]
    owners = [owner for _, _, owner in block.rows]
    if (
        block.broken
        or not {_OWN, _OPPONENT, _WALL}.issuperset(owners)
        or not are_distinct_cells(board, cells)
    ):
        return None
    own = _own_side(owners)
    sides = {_OWN: own, _OPPONENT: own.other, _WALL: None}
    return own, [(cells[i], sides[owner]) for i, owner in enumerate(owners)]


def _own_side(owners: list[int]) -> Side:
    """Our colour in a position, from whose stones stand there, in their order.

    We are to move, so equal counts make us black, one stone less makes us white. Other
    counts (a handicap, a puzzle) leave the order: whoever's stone comes first is black.
    """
    lead = owners.count(_OPPONENT) - owners.count(_OWN)
    if lead in (0, 1):
        return Side(lead)
    first = next(owner for owner in owners if owner != _WALL)
    return Side.BLACK if first == _OWN else Side.WHITE


def alternating(stones: Iterable[Move]) -> list[tuple[Move, Side | None]]:
    """Stones of both sides in turn, black first."""
    return [(move, Side(i % 2)) for i, move in enumerate(stones)]


def read_cell(board: "Board", text: str) -> Move | None:
    """A cell of the board written as "x,y"; None when it is none."""
    numbers = commands.parse_numbers(text)
    if numbers is None or len(numbers) != 2:
        return None
    cell = Move(numbers[0], numbers[1])
    return cell if _is_inside(board, cell) else None


def are_distinct_cells(board: "Board", cells: list[Move]) -> bool:
    """Whether all are on the board and none is named twice."""
    inside = all(_is_inside(board, cell) for cell in cells)
    return inside and len(set(cells)) == len(cells)


def _is_inside(board: "Board", cell: Move) -> bool:
    return 0 <= cell.x < board.width and 0 <= cell.y < board.height


def empty_cells(board: "Board") -> list[Move]:
    """All of them, row by row."""
    cells = (Move(x, y) for y in range(board.height) for x in range(board.width))
    return [cell for cell in cells if board.is_empty(cell)]
