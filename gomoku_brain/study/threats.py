"""Threats in words: what stands on the board, what a move makes, blocks and leaves.

A shape is told by the engine's own line classes, so it obeys the rule in force: a four
is a set of stones to which one stone adds a five that counts, an open three one that a
stone turns into an open four (in renju, for black: on a point that is no foul). Which
stones belong to it is found by playing it out to the five.

>>> board = Board.from_moves("h8 a1 i9 a2")
>>> str(describe_move(board, Move(9, 9)))
'makes an open three h8-j10'
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule, Side

__all__ = [
    "Kind",
    "MoveThreats",
    "PositionThreats",
    "Shape",
    "answers",
    "describe_move",
    "describe_position",
    "quick_wins",
    "shapes",
]

Kind = Literal[
    "five", "open four", "four", "open three", "blocked three", "open two", "overline"
]
_STRENGTH: tuple[Kind, ...] = (
    "five",
    "open four",
    "four",
    "open three",
    "blocked three",
    "open two",
    "overline",
)
# As geometry.pxd has them: along the row, the column, the falling, the rising diagonal.
_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
_FOURS = {"B4", "F4"}
_REACH = 5  # cells from a five to the farthest cell that decides whether it counts


class Shape(NamedTuple):
    """Stones of one side on one line that threaten something together."""

    kind: Kind
    """A blocked three becomes a four, but no open four. An overline does not win."""
    side: Side
    stones: tuple[Move, ...]
    """In the order of the line."""
    points: tuple[Move, ...]
    """The empty cells that take it further: a four to the five, an open three to the
    open four, a blocked three to the four, an open two to the open three."""

    @property
    def span(self) -> str:
        """Its first and its last stone: "e5-g7"."""
        return f"{self.stones[0]}-{self.stones[-1]}"

    def __str__(self) -> str:
        """As in "open three e5-g7"."""
        return f"{self.kind} {self.span}"


# What stands on the board


def shapes(board: Board, side: Side) -> list[Shape]:
    """All fours, open threes and blocked threes of a side, the strongest first."""
    scratch = board.copy()
    found = []
    for direction in range(4):
        for line in _all_lines(board, direction):
            found += _line_shapes(scratch, side, direction, line)
    return sorted(found, key=_strength)


def _strength(shape: Shape) -> tuple[int, tuple[Move, ...]]:
    return _STRENGTH.index(shape.kind), shape.stones


def _all_lines(board: Board, direction: int) -> Iterator[list[Move]]:
    """Every line of a direction that has room for a five."""
    dx, dy = _DIRECTIONS[direction]
    for y in range(board.height):
        for x in range(board.width):
            if not _inside(board, x - dx, y - dy):
                line = _line_through(board, Move(x, y), direction)
                if len(line) >= 5:
                    yield line


def _inside(board: Board, x: int, y: int) -> bool:
    return 0 <= x < board.width and 0 <= y < board.height


def _line_through(board: Board, cell: Move, direction: int) -> list[Move]:
    """All cells of the line, from the left (of a column from the top)."""
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
    """The unbroken run through a cell, which counts as the side's own."""
    first = last = line.index(cell)
    while first > 0 and board.stone(line[first - 1]) == side:
        first -= 1
    while last + 1 < len(line) and board.stone(line[last + 1]) == side:
        last += 1
    return tuple(line[first : last + 1])


def _of_class(
    board: Board, side: Side, direction: int, line: list[Move], *classes: str
) -> list[Move]:
    """The empty cells of a line that have one of the classes on it."""
    return [
        cell
        for cell in line
        if board.is_empty(cell) and board.line_classes(cell, side)[direction] in classes
    ]


class _Placed:
    """A stone on the scratch board, for the length of a with block."""

    def __init__(self, board: Board, side: Side, cell: Move) -> None:
        self.board, self.side, self.cell = board, side, cell

    def __enter__(self) -> None:
        self.turn = self.board.turn
        self.board.turn = self.side
        self.board.play(self.cell)

    def __exit__(self, *_: object) -> None:
        self.board.undo()
        self.board.turn = self.turn


_Found = dict[
    tuple[Move, ...], list[Move]
]  # stones -> the cells that take them further


def _fives(board: Board, side: Side, direction: int, line: list[Move]) -> _Found:
    """Fours: for each cell of a five, the stones that it completes."""
    found: _Found = {}
    for cell in _of_class(board, side, direction, line, "F5"):
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
    """Each cell with the stones that it takes further, as `find` tells them."""
    found: _Found = {}
    for cell in cells:
        with _Placed(board, side, cell):
            groups = find(board, side, direction, line)
        made = _merged({stones: groups[stones] for stones in groups if cell in stones})
        stones = {stone for group in made for stone in group} - {cell}
        key = tuple(stone for stone in line if stone in stones)
        found.setdefault(key, []).append(cell)
    return found


def _merged(found: _Found) -> _Found:
    """Groups of stones that contain a smaller group lend it their cells."""
    least: _Found = {}
    for stones in sorted(found, key=len):
        inner = next((known for known in least if set(known) <= set(stones)), stones)
        least.setdefault(inner, []).extend(found[stones])
    return {stones: sorted(cells) for stones, cells in least.items()}


def _open_threes(board: Board, side: Side, direction: int, line: list[Move]) -> _Found:
    cells = _of_class(board, side, direction, line, "F4")
    if board.rule == Rule.RENJU and side == Side.BLACK:
        with _Turn(board, side):
            cells = [c for c in cells if not board.wins_at(c) and not board.foul(c)]
    return _further(board, side, direction, line, cells, _fives)


def _blocked_threes(
    board: Board, side: Side, direction: int, line: list[Move]
) -> _Found:
    cells = _of_class(board, side, direction, line, "B4", "F4")
    return _further(board, side, direction, line, cells, _fives)


def _open_twos(board: Board, side: Side, direction: int, line: list[Move]) -> _Found:
    cells = _of_class(board, side, direction, line, "F3", "F3S")
    return _further(board, side, direction, line, cells, _open_threes)


class _Turn:
    """Another side to move, for the length of a with block."""

    def __init__(self, board: Board, side: Side) -> None:
        self.board, self.side = board, side

    def __enter__(self) -> None:
        self.turn = self.board.turn
        self.board.turn = self.side

    def __exit__(self, *_: object) -> None:
        self.board.turn = self.turn


def _line_shapes(
    board: Board,
    side: Side,
    direction: int,
    line: list[Move],
    stone: Move | None = None,
) -> list[Shape]:
    """The shapes on one line; with a stone, those that hold it, open twos among them.

    A weaker one that shares two stones with a stronger one is part of it and not told.
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
        if not _stops_of(board, side, line, fours[stones]):
            open_fours[stones] = fours.pop(stones)
    add("open four", open_fours)
    add("four", fours)
    add("open three", _open_threes(board, side, direction, line))
    add("blocked three", _blocked_threes(board, side, direction, line))
    if stone is not None:
        add("open two", _open_twos(board, side, direction, line))
    return found


def _stops_of(
    board: Board, side: Side, line: list[Move], fives: list[Move]
) -> list[Move]:
    """Where on the line one opposing stone stops all the fives (fouls set aside)."""
    at = line.index(fives[0])
    near = line[max(0, at - _REACH) : at + _REACH + 1]
    found = []
    for cell in near:
        if board.is_empty(cell):
            with _Placed(board, side.other, cell):
                if not _any_five(board, side, fives):
                    found.append(cell)
    return found


def _any_five(board: Board, side: Side, cells: Iterable[Move]) -> bool:
    """Whether the side completes a line that counts on one of the cells."""
    with _Turn(board, side):
        return any(board.wins_at(cell) for cell in cells)


# What can be forced in three plies


def _five_cells(board: Board, side: Side) -> list[Move]:
    with _Turn(board, side):
        return [cell for cell in _empties(board) if board.wins_at(cell)]


def _empties(board: Board) -> Iterator[Move]:
    for y in range(board.height):
        for x in range(board.width):
            if board.is_empty((x, y)):
                yield Move(x, y)


def quick_wins(board: Board, side: Side | None = None) -> tuple[int, list[Move]]:
    """(plies, cells): where the side, to move, wins by force in one ply, or else three.

    (0, []) without such a win. `side` is the side to move by default. In renju a reply
    that is forbidden to black does not count.
    """
    side = board.turn if side is None else side
    scratch = board.copy()
    fives = _five_cells(scratch, side)
    if fives:
        return 1, fives
    wins = _unstoppable(scratch, side, _four_makers(scratch, side))
    return (3, wins) if wins else (0, [])


def _four_makers(board: Board, side: Side) -> list[Move]:
    with _Turn(board, side):
        return [
            cell
            for cell in _empties(board)
            if not _FOURS.isdisjoint(board.line_classes(cell, side))
            and board.is_legal(cell)
        ]


def _unstoppable(
    board: Board, side: Side, cells: Iterable[Move], most: int | None = None
) -> list[Move]:
    """Those of the cells where a four of the side leaves the other no answer.

    The cells are legal moves; those that make no four any more are left out. Assumes
    that the side has no five cell yet. Stops after `most` cells.
    """
    theirs = _five_cells(board, side.other)
    found: list[Move] = []
    for cell in cells:
        if len(found) == most:
            break
        classes = board.line_classes(cell, side)
        if not _FOURS.isdisjoint(classes):
            with _Placed(board, side, cell):
                if not _any_five(board, side.other, theirs) and not _is_stoppable(
                    board, side, cell, classes
                ):
                    found.append(cell)
    return found


def _is_stoppable(
    board: Board, side: Side, cell: Move, classes: tuple[str, ...]
) -> bool:
    """Whether a legal stone stops the fives that the stone on the cell threatens.

    `classes` are the cell's before the stone was placed.
    """
    fives: list[Move] = []
    stops: set[Move] = set()
    for direction, kind in enumerate(classes):
        if kind not in ("DEAD", "F1", "B1"):  # renju's two fours on a line are OL
            line = _line_through(board, cell, direction)
            on_line = _of_class(board, side, direction, line, "F5")
            if on_line:
                fives += on_line
                stops.update(_stops_of(board, side, line, on_line[:1]))
    for stop in stops:
        with _Turn(board, side.other):
            legal = board.is_legal(stop)
        if legal:
            with _Placed(board, side.other, stop):
                if not _any_five(board, side, fives):
                    return True
    return False


def answers(board: Board) -> tuple[int, list[Move], list[Move]]:
    """(plies, threats, moves): what the opponent would win with, and what prevents it.

    `threats` are the opponent's `quick_wins` if it were to move, `moves` all legal
    moves after which it has none in so many plies, or that win at once; among them are
    fours that only delay. (0, [], []) without such a threat.
    """
    plies, threats = quick_wins(board, board.turn.other)
    if not plies:
        return 0, [], []
    scratch = board.copy()
    moves = []
    for move in scratch.legal_moves():
        wins = scratch.wins_at(move)
        scratch.play(move)
        if wins or not _still_wins(scratch, plies, threats):
            moves.append(move)
        scratch.undo()
    return plies, threats, moves


def _still_wins(board: Board, plies: int, threats: list[Move]) -> bool:
    """Whether the side to move wins in so many plies, as it did by those moves."""
    left = [move for move in threats if board.is_legal(move)]
    if plies == 1:
        return _any_five(board, board.turn, left)
    if _unstoppable(board, board.turn, left, most=1):
        return True
    # Elsewhere a stone gives the other side nothing, but in renju it may end a foul of
    # black's, or make one of the point where black must answer.
    return board.rule == Rule.RENJU and quick_wins(board)[0] != 0


# In words


@dataclass(frozen=True, slots=True)
class MoveThreats:
    """What one move does; all about the board before it, unless it says otherwise."""

    move: Move
    side: Side
    wins_in: int
    """1: completes a five; 3: makes fours that nothing stops; 0: neither."""
    foul: str | None
    """As `Board.foul` tells it."""
    makes: tuple[Shape, ...]
    """What stands after the move with its stone in it, the strongest first."""
    blocks: tuple[Shape, ...]
    """Shapes of the opponent that are less after the move, as they were."""
    denies: tuple[Shape, ...]
    """What the opponent would have made on the cell."""
    duty: int
    """Plies of the win that the opponent threatened (0: none)."""
    stops: bool
    """Whether the threatened win is gone (always true without one)."""
    ways: int
    """Moves that stop it, fours that only delay it included."""
    leaves: tuple[Move, ...]
    """Where the opponent then wins in at most three plies."""
    leaves_five: bool
    """Whether a five is among those wins."""

    def phrases(self) -> list[str]:
        """The words, the most important first; empty for a quiet move."""
        foe = self.side.other.name.lower()
        said = _making_words(self)
        if self.wins_in == 1:
            return said
        for shape in self.blocks:
            if shape.kind == "open four" and self.leaves_five:
                said.append(f"blocks one end of the {shape}")
            elif shape.kind != "blocked three":
                said.append(f"blocks the {shape}")
        name = _combination(self.denies)
        if name and self.duty != 1:
            said.append(f"takes the point of {foe}'s {name} ({_and(self.denies[:2])})")
        if self.duty and self.stops and not self.wins_in:
            what = "five" if self.duty == 1 else "win in 3"
            if self.ways == 1:
                said.append(f"the only move against {foe}'s {what}")
            elif self.duty == 3 and self.ways <= 6:
                said.append(f"one of {self.ways} moves against {foe}'s {what}")
        if self.leaves:
            where = " or ".join(str(cell) for cell in self.leaves[:3])
            how = "by five" if self.leaves_five else "in 3"
            said.append(f"{foe} then wins {how} at {where}")
        elif self.wins_in == 3 and not self.foul:
            said.append("nothing stops the five")
        return said

    def __str__(self) -> str:
        """As in "makes a four f5-i8; blocks the open three e5-g7"."""
        return "; ".join(self.phrases()) or "makes and blocks nothing"


@dataclass(frozen=True, slots=True)
class PositionThreats:
    """What stands on a board."""

    turn: Side
    winner: Side | None
    shapes: tuple[Shape, ...]
    """Of both sides; black's first."""
    wins_in: int
    """Plies (1 or 3) in which the side to move wins by force; 0: not that soon."""
    wins: tuple[Move, ...]
    """The first moves of those wins."""
    threatened_in: int
    """Plies in which the opponent would win if it were to move; 0: not that soon."""
    threats: tuple[Move, ...]
    """The first moves of those."""
    answers: tuple[Move, ...]
    """The legal moves that prevent them, fours that only delay included."""
    forbidden: tuple[Move, ...]
    """Black's forbidden points."""

    def phrases(self) -> list[str]:
        """The words, a sentence each."""
        me, foe = self.turn.name.lower(), self.turn.other.name.lower()
        if self.winner is not None:
            return [f"{self.winner.name.lower()} has won"]
        said = []
        for side in Side:
            own = [shape for shape in self.shapes if shape.side == side]
            if own:
                said.append(f"{side.name.lower()} has {_and(own)}")
        if self.wins_in:
            how = "with a five" if self.wins_in == 1 else "in 3"
            said.append(f"{me}, to move, wins {how} at {_cells(self.wins)}")
        elif self.threatened_in:
            how = "a five" if self.threatened_in == 1 else "a win in 3"
            said.append(f"{foe} threatens {how} at {_cells(self.threats)}")
            if self.answers:
                said.append(f"{me} can answer at {_cells(self.answers)}")
            else:
                said.append(f"{me} cannot stop it")
        if self.forbidden:
            said.append(f"forbidden to black: {_cells(self.forbidden)}")
        return said

    def __str__(self) -> str:
        return "; ".join(self.phrases()) or "no threats"


def describe_move(board: Board, move: Move) -> MoveThreats:
    """What a move of the side to move makes, blocks and leaves.

    Raises ValueError for a cell off the board or occupied.
    """
    side, other = board.turn, board.turn.other
    scratch = board.copy()
    foul = board.foul(move) if side == Side.BLACK else None
    five = scratch.wins_at(move)
    before = _through(scratch, other, move)
    denies = made_by(scratch, move, other)
    plies, wins = quick_wins(scratch)
    duty, _, ways = (0, [], []) if five else answers(scratch)
    made = tuple(made_by(scratch, move, side))
    scratch.play(move)
    after = _through(scratch, other, move)
    leaves = (0, []) if five else quick_wins(scratch)
    return MoveThreats(
        move=move,
        side=side,
        wins_in=plies if move in wins else 0,
        foul=foul,
        makes=made,
        blocks=tuple(shape for shape in before if not _goes_on(shape, after)),
        denies=tuple(denies),
        duty=duty,
        stops=not duty or move in ways,
        ways=len(ways),
        leaves=tuple(leaves[1]),
        leaves_five=leaves[0] == 1,
    )


def _goes_on(shape: Shape, after: Iterable[Shape]) -> bool:
    """Whether one of the shapes has two of its stones and is as strong."""
    return any(
        len({*shape.stones} & {*other.stones}) >= 2
        and _STRENGTH.index(other.kind) <= _STRENGTH.index(shape.kind)
        for other in after
    )


def describe_position(board: Board) -> PositionThreats:
    """What stands on the board for both sides."""
    wins_in, wins = quick_wins(board)
    threatened_in, threats, moves = answers(board)
    return PositionThreats(
        turn=board.turn,
        winner=board.winner,
        shapes=tuple(shapes(board, Side.BLACK) + shapes(board, Side.WHITE)),
        wins_in=wins_in,
        wins=tuple(wins),
        threatened_in=threatened_in,
        threats=tuple(threats),
        answers=tuple(moves),
        forbidden=tuple(board.forbidden_moves()),
    )


def made_by(board: Board, move: Move, side: Side) -> list[Shape]:
    """The shapes that a stone of the side on an empty cell would be part of.

    The strongest first; open twos are told too. A foul is not looked at, except that
    black's threes in renju must have a point that is none.
    """
    scratch = board.copy()
    classes = scratch.line_classes(move, side)
    found = []
    with _Placed(scratch, side, move):
        for direction in range(4):
            line = _line_through(scratch, move, direction)
            if classes[direction] in ("F5", "OL"):
                run = _run(scratch, side, line, move)
                if len(run) >= 5:
                    kind: Kind = "five" if classes[direction] == "F5" else "overline"
                    found.append(Shape(kind, side, run, ()))
                    continue
            found += _line_shapes(scratch, side, direction, line, move)
    return sorted(found, key=_strength)


def _through(board: Board, side: Side, cell: Move) -> list[Shape]:
    """The shapes of a side on the four lines through a cell, the strongest first."""
    found = []
    for direction in range(4):
        line = _line_through(board, cell, direction)
        found += _line_shapes(board, side, direction, line)
    return sorted(found, key=_strength)


def _combination(made: Iterable[Shape]) -> str:
    """The name of what the shapes are together: "four-three" ..; "" for less."""
    kinds = [shape.kind for shape in made]
    fours = kinds.count("four") + kinds.count("open four")
    if fours >= 2:
        return "double four"
    if fours and "open three" in kinds:
        return "four-three"
    return "double three" if kinds.count("open three") >= 2 else ""


def _making_words(threats: MoveThreats) -> list[str]:
    """What a move makes, and whether it is forbidden."""
    made = threats.makes
    if threats.wins_in == 1:
        return [f"wins by {made[0]}"]
    said = []
    name = _combination(made)
    strong = [s for s in made if _STRENGTH.index(s.kind) <= 3]
    if name:
        said.append(f"makes a {name} ({_and(strong)})")
    elif made:
        said.append(f"makes {_and(strong or made[:1])}")
        if made[0].kind == "overline":
            said[0] += ", which does not win"
    if threats.foul:
        said.insert(0, f"forbidden to black ({threats.foul})")
    return said


def _and(made: Iterable[Shape]) -> str:
    """ "a four f5-i8, a four h4-h7 and an open three e5-g7"."""
    words = [f"{'an' if shape.kind[0] == 'o' else 'a'} {shape}" for shape in made]
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def _cells(cells: tuple[Move, ...]) -> str:
    return " ".join(str(cell) for cell in cells)
