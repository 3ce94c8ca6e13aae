# Statistics of moves rather than positions: histories by side and cell, two killers per
# ply, and the reply that refuted a move before.

from libc.stdint cimport int16_t

from gomoku_brain.game.geometry cimport CELLS
from gomoku_brain.control.params cimport MAX_PLY

cdef enum:
    HISTORY_LIMIT = 8192        # a history value stays within +-HISTORY_LIMIT
    BONUS_LIMIT = 1500          # largest change by one update


cdef struct History:
    int16_t[2][CELLS] quiet         # side, cell: moves that make no four or three
    int16_t[2][CELLS] attack        # the others
    int16_t[2][CELLS] counter       # side to reply, last move -> reply
    int16_t[MAX_PLY + 2][2] killers


cdef inline int history_bonus(int plies) noexcept nogil:
    """Return the history bonus of a cutoff at a depth of so many plies."""
    return min(BONUS_LIMIT, 16 * plies * plies + 64 * plies)


cdef inline void update_history(int16_t *value, int bonus) noexcept nogil:
    """Add a bonus (or malus) with gravity, so that the value stays within the limit."""
    cdef int size = bonus if bonus > 0 else -bonus
    value[0] = <int16_t> (value[0] + bonus - value[0] * size / HISTORY_LIMIT)


cdef inline void update_killers(History *history, int ply, int cell) noexcept nogil:
    if history.killers[ply][0] != cell:
        history.killers[ply][1] = history.killers[ply][0]
        history.killers[ply][0] = <int16_t> cell
