# Renju's fouls, exact and recursive, by the RIF rules of 1996.

from gomoku_brain.game.board cimport BoardState
from gomoku_brain.game.patterns cimport (
    FOUL, MAYBE_FOUR_THREE_TWO, MAYBE_THREE_TWO
)
from gomoku_brain.game.rules cimport BLACK

cdef enum FoulKind:
    NO_FOUL = 0
    OVERLINE
    DOUBLE_FOUR
    DOUBLE_THREE


cdef FoulKind foul_of(BoardState *board, int cell) noexcept nogil


cdef inline bint is_forbidden(BoardState *board, int cell, int side) noexcept nogil:
    """Whether the empty cell is forbidden to ``side``. Cheap unless a double-three is
    possible.

    The board is changed and restored.
    """
    cdef int rank
    if side != BLACK:
        return False
    rank = board.cells[cell].rank[BLACK]
    if rank == FOUL:
        return True
    if rank != MAYBE_THREE_TWO and rank != MAYBE_FOUR_THREE_TWO:
        return False
    return foul_of(board, cell) != NO_FOUL
