"""Renju's fouls for black: overline, double-four and double-three.

Overlines and fours are exact in the rank tables, because a four is completed by a five,
which is never a foul. Only a three needs more than its own line: it counts if a point
that makes it a straight four is itself no foul, and that question recurs on the board
with one more stone. The recursion ends because every step fills a cell.
"""

from gomoku_brain.game.board cimport (
    BoardState, class_at, is_empty, place, rank_at, stone_at, unplace
)
from gomoku_brain.game.geometry cimport direction_step
from gomoku_brain.game.patterns cimport (
    F3, F3S, F4, FIVE, FOUL, MAYBE_FOUR_THREE_TWO, MAYBE_THREE_TWO
)
from gomoku_brain.game.rules cimport BLACK

cdef enum:
    OVERLINE_RUN = 6    # stones in a row


cdef int run_with(const BoardState *board, int cell, int direction) noexcept nogil:
    """Return the length of black's run through ``cell``, with a black stone on it."""
    cdef int step = direction_step(direction), walker, run = 1
    walker = cell + step
    while stone_at(board, walker) == BLACK:
        run += 1
        walker += step
    walker = cell - step
    while stone_at(board, walker) == BLACK:
        run += 1
        walker -= step
    return run


cdef bint is_true_three(BoardState *board, int cell, int direction) noexcept nogil:
    """Whether the stone just placed on ``cell`` has a three on the line that counts.

    It counts if black can make it a straight four, with no five at the same time, on a
    point that is no foul. The straight four's stones form one run that includes
    ``cell``.
    """
    cdef int step = direction_step(direction), _way, walker, _k
    for _way in range(2):
        walker = cell
        for _k in range(3):     # past black stones to the first other cell, at most 3 away
            walker += step
            if stone_at(board, walker) != BLACK:
                break
        if (
            is_empty(board, walker)
            and class_at(board, walker, direction, BLACK) == F4
            and rank_at(board, walker, BLACK) != FIVE
            and foul_of(board, walker) == NO_FOUL
        ):
            return True
        step = -step
    return False


cdef FoulKind foul_of(BoardState *board, int cell) noexcept nogil:
    """Return the foul of black's stone on the empty cell, under a rule with fouls.

    The label follows the rule text's order: overline, double-four, double-three. The
    board is changed and restored.
    """
    cdef int rank = rank_at(board, cell, BLACK), d, kind, threes = 0, left = 0
    cdef int[4] kinds
    if rank == FOUL:
        for d in range(4):
            if run_with(board, cell, d) >= OVERLINE_RUN:
                return OVERLINE
        return DOUBLE_FOUR
    if rank != MAYBE_THREE_TWO and rank != MAYBE_FOUR_THREE_TWO:
        return NO_FOUL
    for d in range(4):
        kind = class_at(board, cell, d, BLACK)
        kinds[d] = kind == F3 or kind == F3S
        left += kinds[d]
    place(board, cell, BLACK)
    for d in range(4):
        if kinds[d]:
            threes += is_true_three(board, cell, d)
            left -= 1
            if threes >= 2 or threes + left < 2:
                break
    unplace(board)
    return DOUBLE_THREE if threes >= 2 else NO_FOUL
