"""Staged move ordering: nothing is generated before the table's move has failed, and
nothing is sorted. Most nodes try few moves, so taking the best of the remaining ones each
time costs far less than ordering them all.
"""

from libc.stdint cimport int32_t, uint32_t

from gomoku_brain.game.bits cimport ctz32
from gomoku_brain.game.board cimport BoardState, last_move, score_at
from gomoku_brain.game.geometry cimport MARGIN, NO_CELL, STRIDE
from gomoku_brain.game.patterns cimport THREE
from gomoku_brain.search.history cimport History
from gomoku_brain.search.params cimport COUNTER_BONUS, HISTORY_WEIGHT, KILLER_BONUS
from gomoku_brain.search.threats cimport FREE_CHOICE, Duty, MoveSet

cdef enum:
    CELL_BITS = 10
    CELL_MASK = 1023
    SCORE_BIAS = 1 << 15    # makes every score positive
    USED = -1               # the key of a move that was taken


cdef inline int32_t key_of(
    const BoardState *board, const History *history, const int *params, int cell,
    int killer, int second, int counter
) noexcept nogil:
    """Order by what the cell makes and prevents, then by what did well before."""
    cdef int side = board.side, score = score_at(board, cell, side)
    if board.cells[cell].rank[side] >= THREE:
        score += history.attack[side][cell] * params[HISTORY_WEIGHT] >> 10
    else:
        score += history.quiet[side][cell] * params[HISTORY_WEIGHT] >> 10
    if cell == killer or cell == second:
        score += params[KILLER_BONUS]
    if cell == counter:
        score += params[COUNTER_BONUS]
    return (score + SCORE_BIAS) << CELL_BITS | cell


cdef void score_moves(
    MovePicker *self, const BoardState *board, const History *history, int ply,
    Duty duty, const MoveSet *answers
) noexcept nogil:
    cdef int k, row, cell, count = 0
    cdef uint32_t bits
    cdef int killer = history.killers[ply][0], second = history.killers[ply][1]
    cdef int counter = history.counter[board.side][last_move(board, 0)]
    if duty != FREE_CHOICE:
        for k in range(answers.count):
            cell = answers.cells[k]
            if cell != self.table_move:
                self.keys[count] = key_of(
                    board, history, self.params, cell, killer, second, counter
                )
                count += 1
    else:
        for row in range(MARGIN, MARGIN + board.height):
            bits = board.plies[board.ply].candidates[row] & board.empty[row]
            while bits:
                cell = row * STRIDE + ctz32(bits)
                bits &= bits - 1
                if cell != self.table_move:
                    self.keys[count] = key_of(
                        board, history, self.params, cell, killer, second, counter
                    )
                    count += 1
    self.count = count


cdef inline int take_best(MovePicker *self) noexcept nogil:
    """The best remaining move, or NO_CELL. A plain reduction: it vectorises."""
    cdef int32_t best = USED
    cdef int32_t *keys = self.keys
    cdef int k, count = self.count
    for k in range(count):
        best = keys[k] if keys[k] > best else best
    if best == USED:
        return NO_CELL
    for k in range(count):
        if keys[k] == best:
            break
    keys[k] = keys[count - 1]
    self.count = count - 1
    self.score = (best >> CELL_BITS) - SCORE_BIAS
    return best & CELL_MASK


cdef int next_move(
    MovePicker *self, BoardState *board, const History *history, int ply,
    Duty duty, const MoveSet *answers
) noexcept nogil:
    """The next move to try, or NO_CELL. Moves are not tested for fouls.

    Assumes that ``table_move`` is NO_CELL or one of the moves that will be generated.
    """
    if self.stage == TABLE_MOVE:
        self.stage = SCORE_MOVES
        if self.table_move != NO_CELL:
            return self.table_move
    if self.stage == SCORE_MOVES:
        score_moves(self, board, history, ply, duty, answers)
        self.stage = BEST_NEXT
    return take_best(self)
