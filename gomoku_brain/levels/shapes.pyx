"""Threes and fours as people see them, line by line, and moves rated by these shapes.

A player of a low level does not search: it looks at the shapes on the board, may
overlook some of them, and plays the move that looks best. This module finds these
shapes. It uses the line classes alone, not the weights of the evaluation or the search,
so the weak levels do not change when the engine gets stronger.

The weights for each class follow the shape counts that beginners are taught (five, open
four, four, open three, ..). They, and the square of two cells around the stones, were
chosen by hand.
"""

from gomoku_brain.game.board cimport BoardState, class_at, is_empty, stone_at
from gomoku_brain.game.forbidden cimport is_forbidden
from gomoku_brain.game.geometry cimport (
    DIRECTIONS, LINES, STRIDE, cell_of, cell_x, cell_y, direction_step, line_index
)
from gomoku_brain.game.patterns cimport (
    CLASSES, F4, F5, FIVE, FOUR_OPEN, FOUR_THREE, MAKES_FOUR, MAYBE_FOUR_THREE_TWO,
    THREE_TWO, RuleTables, kind_of
)
from gomoku_brain.game.position cimport Board
from gomoku_brain.game.rules cimport BLACK, WHITE

from typing import NamedTuple

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Side

cdef enum:
    NEARBY = 2          # cells, along rows and columns: how far from a stone people play
    FORK_THREES = 25    # added to the value of a cell that makes two open threes
    FORK_FOUR = 60      # added where it makes a four and an open three, or two fours

# Value of a cell by its class on one line, DEAD to OL; set by hand.
cdef int[CLASSES] OWN = [0, 1, 3, 4, 9, 11, 12, 10, 22, 26, 18, 60, 100, 0]
cdef int[CLASSES] THEIRS = [0, 1, 2, 3, 7, 9, 10, 8, 18, 21, 16, 60, 90, 0]

# Best shape of a cell; the numbers of ``Weighed.own`` and ``Weighed.theirs``.
cdef enum Makes:
    LITTLE = 0
    FORK                # wins by two threats at once, at least one of them a four
    OPEN_FOUR           # a four that one stone cannot stop
    A_FIVE


MAKES_FORK, MAKES_OPEN_FOUR, MAKES_FIVE = FORK, OPEN_FOUR, A_FIVE


class Threat(NamedTuple):
    """Line on which a side has a four, or an open three."""

    side: Side
    direction: int
    line: int
    is_four: bool
    is_solid: bool

    @property
    def is_diagonal(self):
        """Whether the line is a diagonal."""
        return self.direction >= 2


class Weighed(NamedTuple):
    """Candidate move with its heuristic score."""

    move: Move
    own: int
    theirs: int
    value: int


cdef bint is_run(
    const BoardState *board, int cell, int direction, int side, int length
) noexcept nogil:
    """Whether so many stones of a side stand in a row right beside a cell."""
    cdef int _way, k, step = direction_step(direction)
    for _way in range(2):
        k = 1
        while k <= length and stone_at(board, cell + k * step) == side:
            k += 1
        if k > length:
            return True
        step = -step
    return False


def threats(Board board not None):
    """Return the fours and open threes of both sides, one for each line."""
    cdef BoardState *state = board.state
    cdef int x, y, cell, side, direction, line_class
    cdef bint four, solid
    found = {}
    for y in range(state.height):
        for x in range(state.width):
            cell = cell_of(x, y)
            if not is_empty(state, cell):
                continue
            for side in range(2):
                # A four-making rank: a cell forbidden to black in renju is no threat.
                if not state.cells[cell].rank[side] & MAKES_FOUR:
                    continue
                for direction in range(DIRECTIONS):
                    line_class = class_at(state, cell, direction, side)
                    if line_class != F4 and line_class != F5:
                        continue
                    four = line_class == F5
                    solid = is_run(state, cell, direction, side, 4 if four else 3)
                    key = (side, direction, line_index(cell, direction))
                    # Of a line only the most visible shape counts.
                    found[key] = max(found.get(key, (False, False)), (four, solid))
    return [
        Threat(Side(side), direction, line, four, solid)
        for (side, direction, line), (four, solid) in found.items()
    ]


cdef bint is_nearby(const BoardState *board, int cell) noexcept nogil:
    """Whether a stone stands in the square around a cell; walls do not count."""
    cdef int dx, dy, stone
    for dy in range(-NEARBY, NEARBY + 1):
        for dx in range(-NEARBY, NEARBY + 1):
            stone = stone_at(board, cell + dy * STRIDE + dx)
            if stone == BLACK or stone == WHITE:
                return True
    return False


def weigh(Board board not None, unseen=(), bint forks=True):
    """Return the legal moves within two cells of a stone, row by row, with their
    values.

    ``unseen`` lists (side, direction, line): shapes of the side on that line do not
    count. Without ``forks`` each line is rated by itself, so a move with two threats at
    once has no extra value.
    """
    cdef BoardState *state = board.state
    cdef const RuleTables *tables = state.tables
    cdef unsigned char[2][DIRECTIONS][LINES] hidden
    cdef int x, y, cell, side, direction, line_class, rank, value, line
    cdef int[DIRECTIONS] kinds
    cdef int[2] makes
    for side in range(2):
        for direction in range(DIRECTIONS):
            for line in range(LINES):
                hidden[side][direction][line] = False
    for side, direction, line in unseen:
        hidden[side][direction][line] = True
    found = []
    for y in range(state.height):
        for x in range(state.width):
            cell = cell_of(x, y)
            if (
                not is_empty(state, cell) or not is_nearby(state, cell)
                or is_forbidden(state, cell, state.side)
            ):
                continue
            value = 0
            for side in range(2):
                makes[side] = LITTLE
                for direction in range(DIRECTIONS):
                    line_class = class_at(state, cell, direction, side)
                    if hidden[side][direction][line_index(cell, direction)]:
                        line_class = 0
                    kinds[direction] = line_class
                    value += OWN[line_class] if side == state.side else THEIRS[line_class]
                rank = tables.rank[side][
                    kind_of(tables, kinds[0] | kinds[1] << 4, kinds[2] | kinds[3] << 4)
                ]
                if rank == FIVE:
                    makes[side] = A_FIVE
                elif rank == FOUR_OPEN and (
                    kinds[0] == F4 or kinds[1] == F4 or kinds[2] == F4 or kinds[3] == F4
                ):
                    makes[side] = OPEN_FOUR
                elif forks and rank in (FOUR_OPEN, FOUR_THREE, MAYBE_FOUR_THREE_TWO):
                    makes[side] = FORK
                    value += FORK_FOUR
                elif forks and rank == THREE_TWO:
                    value += FORK_THREES
            found.append(
                Weighed(
                    Move(cell_x(cell), cell_y(cell)),
                    makes[state.side], makes[state.side ^ 1], value,
                )
            )
    return found
