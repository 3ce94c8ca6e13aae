"""Staged move ordering without a sort.

Moves are generated only after the table's move has failed. Most nodes try few moves, so
it costs far less to take the best remaining move each time than to sort all of them.
The best of every sixteen moves is stored, so few keys must be compared.
"""

from libc.stdint cimport int16_t, int32_t, uint32_t

from gomoku_brain.game.bits cimport pop_lsb32
from gomoku_brain.game.board cimport BoardState, last_move, score_at
from gomoku_brain.game.geometry cimport MARGIN, NO_CELL, STRIDE
from gomoku_brain.game.patterns cimport THREE
from gomoku_brain.search.history cimport History
from gomoku_brain.control.params cimport COUNTER_BONUS, HISTORY_WEIGHT, KILLER_BONUS
from gomoku_brain.tactics.threats cimport FREE_CHOICE, Forced, MoveSet

cdef enum:
    INDEX_BITS = 10
    INDEX_MASK = 1023
    SCORE_BIAS = 1 << 15    # makes every score positive
    USED = -1               # the sort key of a move that was taken


cdef inline int32_t sort_key(
    const BoardState *board, const History *history, const int *params, int cell,
    int killer, int second, int counter, int index
) noexcept nogil:
    """Return the sort key: shapes that the cell makes and prevents, then past
    success.
    """
    cdef int side = board.side, score = score_at(board, cell, side)
    if board.cells[cell].rank[side] >= THREE:
        score += history.attack[side][cell] * params[HISTORY_WEIGHT] >> 10
    else:
        score += history.quiet[side][cell] * params[HISTORY_WEIGHT] >> 10
    if cell == killer or cell == second:
        score += params[KILLER_BONUS]
    if cell == counter:
        score += params[COUNTER_BONUS]
    return (score + SCORE_BIAS) << INDEX_BITS | index


cdef inline int32_t maximum(const int32_t *keys, int count) noexcept nogil:
    """Return the largest sort key; USED without keys. Compilers vectorise the loop."""
    cdef int32_t best = USED
    cdef int k
    for k in range(count):
        best = keys[k] if keys[k] > best else best
    return best


cdef void score_moves(
    MovePicker *self, const BoardState *board, const History *history, int ply,
    Forced forced, const MoveSet *answers
) noexcept nogil:
    cdef int k, row, cell, count = 0
    cdef uint32_t bits
    cdef int killer = history.killers[ply][0], second = history.killers[ply][1]
    cdef int counter = history.counter[board.side][last_move(board, 0)]
    if forced != FREE_CHOICE:
        for k in range(answers.count):
            cell = answers.cells[k]
            if cell != self.table_move:
                self.cells[count] = <int16_t> cell
                self.keys[count] = sort_key(
                    board, history, self.params, cell, killer, second, counter, count
                )
                count += 1
    else:
        for row in range(MARGIN, MARGIN + board.height):
            bits = board.plies[board.ply].candidates[row] & board.empty[row]
            while bits:
                cell = row * STRIDE + pop_lsb32(&bits)
                if cell != self.table_move:
                    self.cells[count] = <int16_t> cell
                    self.keys[count] = sort_key(
                        board, history, self.params, cell, killer, second, counter, count
                    )
                    count += 1
    # The best of each block; the last block is filled up.
    self.blocks = (count + BLOCK - 1) / BLOCK
    for k in range(count, self.blocks * BLOCK):
        self.keys[k] = USED
    for k in range(self.blocks):
        self.best[k] = maximum(&self.keys[k * BLOCK], BLOCK)


cdef inline int take_best(MovePicker *self) noexcept nogil:
    """Return the best remaining move, or NO_CELL; only its block is compared again."""
    cdef int32_t best = maximum(self.best, self.blocks)
    cdef int at
    if best == USED:
        return NO_CELL
    at = best & INDEX_MASK
    self.keys[at] = USED
    self.best[at / BLOCK] = maximum(&self.keys[at / BLOCK * BLOCK], BLOCK)
    self.score = (best >> INDEX_BITS) - SCORE_BIAS
    return self.cells[at]


cdef int next_move(
    MovePicker *self, BoardState *board, const History *history, int ply,
    Forced forced, const MoveSet *answers
) noexcept nogil:
    """Return the next move to try, or NO_CELL. Moves are not tested for fouls.

    ``table_move`` must be NO_CELL or one of the moves that will be generated.
    """
    if self.stage == TABLE_MOVE:
        self.stage = SCORE_MOVES
        if self.table_move != NO_CELL:
            return self.table_move
    if self.stage == SCORE_MOVES:
        score_moves(self, board, history, ply, forced, answers)
        self.stage = BEST_NEXT
    return take_best(self)
