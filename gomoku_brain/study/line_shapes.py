"""Fours and threes on a board, with the stones and the cells of each.

Shapes follow from the engine's line classes, so they obey the rule in force. A four is
a set of stones that one more stone makes a five that wins. An open three is a set of
stones that one more stone makes an open four (in renju, for black: on a point that is
no foul). The module finds the stones of a shape by playing it out to the five.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, NamedTuple, get_args

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.study.row_types import names, side_name

__all__ = ["Kind", "Shape", "both_have_fives", "made_by", "shapes", "shapes_through"]

Kind = Literal[
    "five",
    "open four",
    "four",
    "open three",
    "two threes in line",
    "blocked three",
    "open two",
    "overline",
]
# Strongest first, in the order of the type.
STRENGTH: tuple[Kind, ...] = get_args(Kind)
# In the order of geometry.pxd: row, column, falling diagonal, rising diagonal.
_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
_REACH = 5  # cells from a five to the farthest cell that decides whether it counts


class Shape(NamedTuple):
    """Stones of one side on one line that threaten something together."""

    kind: Kind
    """Kind of the shape.

    A blocked three becomes a four, but no open four. Two threes in line are four stones
    or more, which one stone turns into two fours. An overline does not win.
    """
    side: Side
    stones: tuple[Move, ...]
    """Stones in the order of the line."""
    points: tuple[Move, ...]
    """Empty cells that extend the shape.

    A four is extended to the five, an open three to the open four, a blocked three to
    the four, and an open two to the open three.
    """

    @property
    def span(self) -> str:
        """First and last stone: "e5-g7"."""
        return f"{self.stones[0]}-{self.stones[-1]}"

    def to_dict(self) -> dict[str, Any]:
        """Return the shape as values of JSON."""
        return {
            "kind": self.kind.replace(" ", "_"),
            "side": side_name(self.side),
            "stones": names(self.stones),
            "points": names(self.points),
        }

    def __str__(self) -> str:
        """Format the shape: "open three e5-g7"."""
        return f"{self.kind} {self.span}"


def shapes(board: Board, side: Side) -> list[Shape]:
    """Return all fours, open threes and blocked threes of a side, the strongest
    first.
    """
    scratch = board.copy()
    found = []
    for direction in range(4):
        for line in _all_lines(board, direction):
            found += _line_shapes(scratch, side, direction, line)
    return sorted(found, key=strength)


def strength(shape: Shape) -> tuple[int, tuple[Move, ...]]:
    """Return the sort key of shapes: the strongest first, equal ones along the
    board.
    """
    return STRENGTH.index(shape.kind), shape.stones


def _all_lines(board: Board, direction: int) -> Iterator[list[Move]]:
    """Yield every line of a direction that has room for a five."""
    dx, dy = _DIRECTIONS[direction]
    for y in range(board.height):
        for x in range(board.width):
            if not _inside(board, x - dx, y - dy):
                line = line_through(board, Move(x, y), direction)
                if len(line) >= 5:
                    yield line


def _inside(board: Board, x: int, y: int) -> bool:
    return 0 <= x < board.width and 0 <= y < board.height


def line_through(board: Board, cell: Move, direction: int) -> list[Move]:
    """Return all cells of the line, from the left (of a column from the top)."""
    dx, dy = _DIRECTIONS[direction]
    x, y = cell
    while _inside(board, x - dx, y - dy):
        x, y = x - dx, y - dy
    cells = []
    while _inside(board, x, y):
        cells.append(Move(x, y))
        x, y = x + dx, y + dy
    return cells


def _run(board: Board, side: Side, line: list[Move], cell: Move) -> tuple[Move, ...]:
    """Return the unbroken run through a cell, which counts as the side's own."""
    first = last = line.index(cell)
    while first > 0 and board.stone(line[first - 1]) == side:
        first -= 1
    while last + 1 < len(line) and board.stone(line[last + 1]) == side:
        last += 1
    return tuple(line[first : last + 1])


def of_class(
    board: Board, side: Side, direction: int, line: list[Move], *classes: str
) -> list[Move]:
    """Return the empty cells of a line that have one of the classes on it."""
    return [
        cell
        for cell in line
        if board.is_empty(cell) and board.line_classes(cell, side)[direction] in classes
    ]


class Placed:
    """Context manager that places a stone on the scratch board."""

    def __init__(self, board: Board, side: Side, cell: Move) -> None:
        self.board, self.side, self.cell = board, side, cell

    def __enter__(self) -> None:
        self.turn = self.board.turn
        self.board.turn = self.side
        self.board.play(self.cell)

    def __exit__(self, *_: object) -> None:
        self.board.undo()
        self.board.turn = self.turn


class Turn:
    """Context manager that sets another side to move."""

    def __init__(self, board: Board, side: Side) -> None:
        self.board, self.side = board, side

    def __enter__(self) -> None:
        self.turn = self.board.turn
        self.board.turn = self.side

    def __exit__(self, *_: object) -> None:
        self.board.turn = self.turn


# stones -> the cells that extend them
_Found = dict[tuple[Move, ...], list[Move]]


def _fives(board: Board, side: Side, direction: int, line: list[Move]) -> _Found:
    """Return fours: for each cell of a five, the stones that it completes."""
    found: _Found = {}
    for cell in of_class(board, side, direction, line, "F5"):
        stones = tuple(s for s in _run(board, side, line, cell) if s != cell)
        found.setdefault(stones, []).append(cell)
    return found


def _further(
    board: Board,
    side: Side,
    direction: int,
    line: list[Move],
    cells: Iterable[Move],
    find: Callable[[Board, Side, int, list[Move]], _Found],
) -> _Found:
    """Return each cell with the stones that it extends, found by ``find``."""
    found: _Found = {}
    for cell in cells:
        with Placed(board, side, cell):
            groups = find(board, side, direction, line)
        made = _merged({stones: groups[stones] for stones in groups if cell in stones})
        stones = {stone for group in made for stone in group} - {cell}
        key = tuple(stone for stone in line if stone in stones)
        found.setdefault(key, []).append(cell)
    return found


def _merged(found: _Found) -> _Found:
    """Add the cells of each group of stones to the smaller groups that it contains."""
    minimum: _Found = {}
    for stones in sorted(found, key=len):
        inner = next((known for known in minimum if set(known) <= set(stones)), stones)
        minimum.setdefault(inner, []).extend(found[stones])
    return {stones: sorted(cells) for stones, cells in minimum.items()}


def _open_threes(board: Board, side: Side, direction: int, line: list[Move]) -> _Found:
    cells = of_class(board, side, direction, line, "F4")
    if board.rule.has_fouls and side == Side.BLACK:
        with Turn(board, side):
            cells = [c for c in cells if not board.wins_at(c) and not board.foul(c)]
    return _further(board, side, direction, line, cells, _fives)


def _blocked_threes(
    board: Board, side: Side, direction: int, line: list[Move]
) -> _Found:
    cells = of_class(board, side, direction, line, "B4", "F4")
    return _further(board, side, direction, line, cells, _fives)


def _open_twos(board: Board, side: Side, direction: int, line: list[Move]) -> _Found:
    cells = of_class(board, side, direction, line, "F3", "F3S")
    return _further(board, side, direction, line, cells, _open_threes)


def _line_shapes(
    board: Board,
    side: Side,
    direction: int,
    line: list[Move],
    stone: Move | None = None,
) -> list[Shape]:
    """Return the shapes on one line; with a stone, those with it, open twos included.

    A weaker shape that shares two stones with a stronger one is part of it and left
    out.
    """
    if sum(board.stone(cell) == side for cell in line) < (3 if stone is None else 2):
        return []
    found: list[Shape] = []

    def add(kind: Kind, groups: _Found) -> None:
        stronger = [set(shape.stones) for shape in found]
        for stones, points in _merged(groups).items():
            if all(len(known & set(stones)) < 2 for known in stronger) and (
                stone is None or stone in stones
            ):
                found.append(Shape(kind, side, stones, tuple(points)))

    fours, open_fours = _merged(_fives(board, side, direction, line)), {}
    for stones in list(fours):
        if not stops_of(board, side, line, fours[stones]):
            open_fours[stones] = fours.pop(stones)
    add("open four", open_fours)
    add("four", fours)
    threes = _open_threes(board, side, direction, line)
    add("open three", {key: threes[key] for key in threes if len(key) <= 3})
    add("two threes in line", {key: threes[key] for key in threes if len(key) > 3})
    add("blocked three", _blocked_threes(board, side, direction, line))
    if stone is not None:
        add("open two", _open_twos(board, side, direction, line))
    return found


def stops_of(
    board: Board, side: Side, line: list[Move], fives: list[Move]
) -> list[Move]:
    """Return the cells of the line on which one opposing stone stops all the fives.

    Fouls are not considered.
    """
    at = line.index(fives[0])
    near = line[max(0, at - _REACH) : at + _REACH + 1]
    found = []
    for cell in near:
        if board.is_empty(cell):
            with Placed(board, side.other, cell):
                if not any_five(board, side, fives):
                    found.append(cell)
    return found


def any_five(board: Board, side: Side, cells: Iterable[Move]) -> bool:
    """Whether the side completes a line that counts on one of the cells."""
    with Turn(board, side):
        return any(board.wins_at(cell) for cell in cells)


def both_have_fives(board: Board) -> bool:
    """Whether black and white both have a five that counts, so the winner is
    unknown.
    """
    if board.winner is None:
        return False
    cells = [Move(x, y) for y in range(board.height) for x in range(board.width)]
    walls = [cell for cell in cells if board.is_wall(cell)]
    stones = [[c for c in cells if board.stone(c) == side] for side in Side]
    for own, others in ((0, 1), (1, 0)):
        seen = Board.from_stones(
            stones[0] if own == Side.BLACK else [],
            stones[1] if own == Side.WHITE else [],
            [*walls, *stones[others]],
            turn=Side.BLACK,
            size=(board.width, board.height),
            rule=board.rule,
        )
        if seen.winner is None:
            return False
    return True


def made_by(board: Board, move: Move, side: Side) -> list[Shape]:
    """Return the shapes that a stone of the side on an empty cell would be part of.

    The strongest come first; open twos are included. Whether the stone is a foul is not
    checked, but black's threes in renju must have a point that is no foul.
    """
    scratch = board.copy()
    classes = scratch.line_classes(move, side)
    found = []
    with Placed(scratch, side, move):
        for direction in range(4):
            line = line_through(scratch, move, direction)
            if classes[direction] in ("F5", "OL"):
                run = _run(scratch, side, line, move)
                if len(run) >= 5:
                    kind: Kind = "five" if classes[direction] == "F5" else "overline"
                    found.append(Shape(kind, side, run, ()))
                    continue
            found += _line_shapes(scratch, side, direction, line, move)
    return sorted(found, key=strength)


def shapes_through(board: Board, side: Side, cell: Move) -> list[Shape]:
    """Return the shapes of a side on the four lines through a cell, the strongest
    first.
    """
    found = []
    for direction in range(4):
        line = line_through(board, cell, direction)
        found += _line_shapes(board, side, direction, line)
    return sorted(found, key=strength)
