# Proofs by the ranks alone: wins and losses found without search, and the only replies
# that can save the side to move. The module text has the arguments.

from libc.stdint cimport int16_t

from gomoku_brain.game.board cimport BoardState
from gomoku_brain.game.rules cimport MAX_STONES

cdef enum Forced:             # threat of the opponent, which determines the moves that count
    FREE_CHOICE = 0         # nothing proved: all candidates
    STOP_FIVE               # a five at once
    STOP_OPEN_FOUR          # a four that cannot be stopped
    STOP_FOUR_THREE         # a four that leaves an open three behind

cdef enum:
    MAX_FIVES = 8          # most winning cells that are checked (more than two already lose)
    MAX_THREATS = 24       # most threatening cells that are checked; fewer only enlarge a set

cdef struct MoveSet:
    int count
    int stops               # so many first ones end the threat by themselves
    int16_t[MAX_STONES] cells


cdef int static_win(BoardState *board, int *best) noexcept nogil
cdef Forced find_forced_replies(BoardState *board, MoveSet *moves) noexcept nogil
cdef int five_replies(BoardState *board, int attacker, MoveSet *replies) noexcept nogil
cdef void own_fours(BoardState *board, int side, MoveSet *moves) noexcept nogil
cdef int fill_moves(MoveSet *moves, const BoardState *board, object cells) except -1


cdef inline bint is_among(const int16_t *cells, int count, int cell) noexcept nogil:
    cdef int k
    for k in range(count):
        if cells[k] == cell:
            return True
    return False


cdef inline bint contains(const MoveSet *moves, int cell) noexcept nogil:
    return is_among(moves.cells, moves.count, cell)


cdef inline bint only_delays(const MoveSet *moves, int cell) noexcept nogil:
    """Whether a move of ``find_forced_replies`` is one of our fours that does not stop the
    threat.
    """
    return not is_among(moves.cells, moves.stops, cell)
