"""Test whether a move threatens to win by fours, and the cells where the defender may
stop that.

*A threat* is a move after which the attacker would win by fours if the defender passed.
A search that skips the defender's move finds such a win T. The attacker makes no move
without one.

*The defences.* After a four, and if an open four or a four-three is threatened, they
are the replies that ``threats`` proves to be the only ones. For every other threat they
follow from T: the defender need not try a stone on z if T can be played against it move
by move. Let the *region* of T hold

1. the attacker's moves of T, and all cells where his fours threaten five;
2. at each of the attacker's turns in T, the cells where the defender then makes a four
   or better;
3. in caro, the empty cells within reach of those fives, on their lines;
4. in renju, where black attacks, the cells within reach that would change what his moves
   of T are on a line; where black defends, his foul-ranked cells at each turn, and the
   cells within reach of a forced reply that T takes to be foul; and all empty cells when
   T rests on whether a double-three is one.

A stone on z outside the region leaves T in force, by induction along T. The attacker's
move is free (1) and legal (4: its rank depends on cells within reach only). His four
still threatens the same five: a five is prevented by a stone on its cell only (1), in
caro also by one at its ends (3). So the forced reply is the same or there is none. The
defender never has a five that he did not have in T: such a five contains z, so at the
attacker's last turn before it z was a cell where the defender made a four or better (2;
or a double-four on one line, which has a foul's rank: 4). Then T runs to its five.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from gomoku_brain.game.bits cimport pop_lsb32
from gomoku_brain.game.board cimport (
    BoardState, class_at, class_with, count_of, five_cells, is_empty, make_move,
    table_key, undo_move
)
from gomoku_brain.game.forbidden cimport is_forbidden
from gomoku_brain.game.geometry cimport (
    DIRECTIONS, MARGIN, STRIDE, column_bit, direction_step, padded_y
)
from gomoku_brain.game.patterns cimport (
    F5, FIVE, FOUL, MAYBE_FOUR_THREE_TWO, MAYBE_THREE_TWO
)
from gomoku_brain.game.rules cimport BLACK
from gomoku_brain.tactics.fours cimport (
    failure_slot, find_fours, has_failed, store_failure, may_win_by_more,
    take_strongest
)
from gomoku_brain.control.params cimport LAST_PLY
from gomoku_brain.tactics.threats cimport MoveSet, five_replies

cdef enum:
    MAX_FIVES = 8


# The region ----------------------------------------------------------------------------

cdef inline void add_cell(Region *region, int cell) noexcept nogil:
    region.rows[padded_y(cell)] |= column_bit(cell)


cdef void add_all(Region *region, const BoardState *board) noexcept nogil:
    cdef int row
    for row in range(MARGIN, MARGIN + board.height):
        region.rows[row] |= board.empty[row]


cdef void add_line(
    Region *region, const BoardState *board, int cell, int direction
) noexcept nogil:
    """Add the empty cells within reach of a cell on one line."""
    cdef int offset, reach = board.tables.reach, step = direction_step(direction)
    for offset in range(-reach, reach + 1):
        if is_empty(board, cell + offset * step):
            add_cell(region, cell + offset * step)


cdef void add_rank_changers(Region *region, const BoardState *board, int cell) noexcept nogil:
    """Add the cells where white's stone would change a line class of black's stone on
    ``cell``.
    """
    cdef int d, offset, kind, reach = board.tables.reach
    for d in range(DIRECTIONS):
        kind = class_at(board, cell, d, BLACK)
        for offset in range(-reach, reach + 1):
            if (
                offset != 0 and is_empty(board, cell + offset * direction_step(d))
                and class_with(board, cell, d, BLACK, offset, BLACK ^ 1) != kind
            ):
                add_cell(region, cell + offset * direction_step(d))


cdef inline bint is_maybe(const BoardState *board, int cell) noexcept nogil:
    """Whether only a look-ahead decides if the cell is a double-three of black's."""
    cdef int rank = board.cells[cell].rank[BLACK]
    return rank == MAYBE_THREE_TWO or rank == MAYBE_FOUR_THREE_TWO


cdef void add_fours(Region *region, const BoardState *board, int side) noexcept nogil:
    """Add the cells where a side makes a four or better, or could by a legal
    double-four.
    """
    cdef int row, cell
    cdef uint32_t bits
    for row in range(MARGIN, MARGIN + board.height):
        region.rows[row] |= board.fours[side][row]
    if not count_of(board, side, FOUL):
        return
    for row in range(MARGIN, MARGIN + board.height):
        bits = board.empty[row]
        while bits:
            cell = row * STRIDE + pop_lsb32(&bits)
            if board.cells[cell].rank[side] == FOUL:
                add_cell(region, cell)


cdef void add_fives(Region *region, const BoardState *board, int side) noexcept nogil:
    """Add the cells where a side wins at once, and in caro those that may prevent
    it.
    """
    cdef int[MAX_FIVES] fives
    cdef int n = five_cells(board, side, fives, MAX_FIVES), k, d
    for k in range(n):
        add_cell(region, fives[k])
        if board.tables.free_end:
            for d in range(DIRECTIONS):
                if class_at(board, fives[k], d, side) == F5:
                    add_line(region, board, fives[k], d)


# The win -------------------------------------------------------------------------------

cdef bint four_holds(
    ThreatSearch *self, int cell, int fours, Region *region
) noexcept nogil:
    """Whether the four on ``cell`` of the side to move wins; its region is added.

    The cell is empty and makes a four; the other side can make no five elsewhere.
    """
    cdef BoardState *board = self.board
    cdef int side = board.side, k, d, reply
    cdef bint wins = True
    cdef MoveSet replies
    if is_forbidden(board, cell, side):
        return False
    make_move(board, cell)
    self.nodes[0] += 1
    if count_of(board, side ^ 1, FIVE):
        undo_move(board)
        return False
    five_replies(board, side, &replies)
    for k in range(replies.count):
        reply = replies.cells[k]
        if is_forbidden(board, reply, side ^ 1):
            if is_maybe(board, reply):
                add_all(region, board)
            else:
                for d in range(DIRECTIONS):
                    add_line(region, board, reply, d)
            continue
        make_move(board, reply)
        wins = fours_win(self, fours, region)
        undo_move(board)
        if not wins:
            break
    if wins:
        add_fives(region, board, side)
    undo_move(board)
    if wins:
        add_cell(region, cell)
        if board.tables.fouls and side == BLACK:
            add_rank_changers(region, board, cell)
            if is_maybe(board, cell):
                add_all(region, board)
    return wins


cdef bint fours_win(ThreatSearch *self, int fours, Region *region) noexcept nogil:
    """Whether the side to move wins by at most ``fours`` fours; its region is added.

    A region may also contain cells of attempts that failed; they do no harm.
    """
    cdef BoardState *board = self.board
    cdef int side = board.side, cell
    cdef uint64_t key
    cdef uint64_t *slot
    cdef MoveSet moves
    cdef bint outer_cut = self.cut
    if count_of(board, side, FIVE):
        # The defender could have won first only by a five: his fours come too late.
        add_fives(region, board, side)
        add_fives(region, board, side ^ 1)
        return True
    if fours <= 0 or board.ply >= LAST_PLY:
        self.cut = True
        self.gave_up |= fours > 0
        return False
    key = table_key(board) ^ self.salt
    slot = failure_slot(self.failed, THREAT_FAILURES - 1, key)
    if has_failed(slot, key, fours):
        self.cut |= may_win_by_more(slot)
        return False

    find_fours(board, &moves)
    self.cut = False
    while moves.count:
        cell = take_strongest(board, &moves)
        if four_holds(self, cell, fours - 1, region):
            add_fours(region, board, side ^ 1)
            self.cut = outer_cut
            return True
        if self.nodes[0] >= self.limit:
            self.cut = True
            self.gave_up = True
            return False
    store_failure(slot, key, fours, self.cut)
    self.cut |= outer_cut
    return False


cdef bint threatens(
    ThreatSearch *self, int fours, uint64_t nodes, Region *region
) noexcept nogil:
    """Whether the side that has just moved would win by fours if it moved again.

    It may use at most so many fours and so many nodes; after False, ``cut`` and
    ``gave_up`` show whether that is a proof. The region of the win is put into
    ``region``.
    """
    cdef bint wins
    memset(region, 0, sizeof(Region))
    self.limit = self.nodes[0] + nodes
    self.cut = False
    self.gave_up = False
    self.board.side ^= 1
    wins = fours_win(self, fours, region)
    self.board.side ^= 1
    return wins
