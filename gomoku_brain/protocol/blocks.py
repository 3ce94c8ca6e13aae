"""Commands of several lines up to DONE, such as BOARD.

The module also reads the position in such lines: the colour of the brain and the cells.
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
    "placed_stones",
    "read_cell",
]

# Number of integers in each row of the command.
ARITY = {"BOARD": 3, "YXBOARD": 3, "SWAP2BOARD": 2, "YXBLOCK": 2, "YXBLOCKUNDO": 2}

SKIPPED = "SKIPPED"
"""Word of a block for an unsupported command of the Yixin dialect. The block ignores
its lines, so that they are not executed as commands."""

_MAX_ROWS = 2000  # rows that are stored; a full board has 484
_OWN, _OPPONENT, _WALL = 1, 2, 3  # the third number of a BOARD line


class Block:
    """Lines up to DONE that belong to the command ``word``."""

    def __init__(self, word: str) -> None:
        """Create a block without lines."""
        self.word = word
        self.rows: list[tuple[int, ...]] = []
        self.broken = False
        """Whether a line was invalid."""

    def add(self, text: str) -> bool:
        """Add a line, or the rest of the first line. Return whether DONE ended it."""
        text, done = commands.split_done(text)
        if self.word != SKIPPED:
            arity = ARITY[self.word]
            numbers = commands.parse_numbers(text)
            if numbers is None or len(numbers) % arity:
                self.broken = True
            else:
                self.rows.extend(zip(*[iter(numbers)] * arity, strict=True))
            if len(self.rows) > _MAX_ROWS:
                self.broken = True
                self.rows.clear()
        return done


def placed_stones(
    board: "Board", block: Block
) -> tuple[Side, list[tuple[Move, Side | None]]] | None:
    """Return the brain's colour and the stones of BOARD in their order.

    A stone of neither side (None) is a wall. Return None if a line is invalid.
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
    """Return the brain's colour in a position, from the owners of its stones in order.

    The brain is to move, so equal counts make it black and one stone less makes it
    white. Other counts (a handicap, a puzzle) leave the order: the owner of the first
    stone is black.
    """
    lead = owners.count(_OPPONENT) - owners.count(_OWN)
    if lead in (0, 1):
        return Side(lead)
    first = next(owner for owner in owners if owner != _WALL)
    return Side.BLACK if first == _OWN else Side.WHITE


def alternating(stones: Iterable[Move]) -> list[tuple[Move, Side | None]]:
    """Return stones of both sides in turn, black first."""
    return [(move, Side(i % 2)) for i, move in enumerate(stones)]


def read_cell(board: "Board", text: str) -> Move | None:
    """Parse a cell written as "x,y". Return None if it is not a cell of the board."""
    numbers = commands.parse_numbers(text)
    if numbers is None or len(numbers) != 2:
        return None
    cell = Move(numbers[0], numbers[1])
    return cell if _is_inside(board, cell) else None


def are_distinct_cells(board: "Board", cells: list[Move]) -> bool:
    """Return whether all cells are on the board and none occurs twice."""
    inside = all(_is_inside(board, cell) for cell in cells)
    return inside and len(set(cells)) == len(cells)


def _is_inside(board: "Board", cell: Move) -> bool:
    return 0 <= cell.x < board.width and 0 <= cell.y < board.height
