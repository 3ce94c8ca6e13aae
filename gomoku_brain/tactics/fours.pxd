# Continuous fours: parts of every search for a win by fours, with or without a region.

from libc.stdint cimport uint64_t

from gomoku_brain.game.board cimport BoardState, score_at
from gomoku_brain.game.patterns cimport MAKES_FOUR
from gomoku_brain.tactics.threats cimport MoveSet, five_replies, own_fours

cdef enum:
    NO_WIN = 255        # in the table of failures: no win with any number of fours


cdef inline bint find_fours(BoardState *board, MoveSet *moves) noexcept nogil:
    """Find the fours of the side to move; return whether it must answer a threatened
    five.

    If the opponent threatens a five, they are only those that stop it.
    """
    cdef int k, side = board.side, kept = 0
    moves.count = 0
    if not five_replies(board, side ^ 1, moves):
        own_fours(board, side, moves)
        return False
    for k in range(moves.count):
        if board.cells[moves.cells[k]].rank[side] & MAKES_FOUR:
            moves.cells[kept] = moves.cells[k]
            kept += 1
    moves.count = kept
    return True


cdef inline int take_strongest(const BoardState *board, MoveSet *moves) noexcept nogil:
    """Take the strongest move out of a set that is not empty: by rank, then by
    score.
    """
    cdef int k, cell, value, best = -1, index = 0, side = board.side
    for k in range(moves.count):
        cell = moves.cells[k]
        value = (
            board.cells[cell].rank[side] << 16 | (score_at(board, cell, side) + 32768) >> 1
        )
        if value > best:
            best = value
            index = k
    cell = moves.cells[index]
    moves.count -= 1
    moves.cells[index] = moves.cells[moves.count]
    return cell


# Positions without a win by so many fours: the key, with the number in its low byte.

cdef inline uint64_t *failure_slot(
    uint64_t *failed, uint64_t mask, uint64_t key
) noexcept nogil:
    """Return the slot of a position in a table of ``mask + 1`` entries."""
    return &failed[(key >> 8) & mask]


cdef inline bint has_failed(const uint64_t *slot, uint64_t key, int fours) noexcept nogil:
    """Whether the position is known to have no win by so many fours."""
    return (slot[0] ^ key) >> 8 == 0 and <int> (slot[0] & 255) >= fours


cdef inline bint may_win_by_more(const uint64_t *slot) noexcept nogil:
    """Whether the stored failure does not exclude a win by more fours."""
    return (slot[0] & 255) != NO_WIN


cdef inline void store_failure(
    uint64_t *slot, uint64_t key, int fours, bint cut
) noexcept nogil:
    """Store a failure; ``cut`` means that more fours might have won."""
    slot[0] = (key & ~<uint64_t> 255) | <uint64_t> (fours if cut else NO_WIN)
