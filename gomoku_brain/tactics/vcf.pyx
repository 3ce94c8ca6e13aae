"""Victory by continuous fours (VCF).

The attacker only makes fours, each of which the defender must answer at once, until a
four cannot be answered. The defender's replies are the exact reply sets of ``threats``
(one cell, except in caro). The attacker must answer a reply that is itself a four with
another four on the five point, and it is searched like every other position. In renju a
reply that is forbidden to black does not exist.
"""

from libc.stdint cimport int16_t, uint32_t, uint64_t

from gomoku_brain.game.atomics cimport count_one
from gomoku_brain.game.bits cimport pop_lsb32
from gomoku_brain.game.board cimport (
    BoardState, cells_of_rank, count_of, make_move, table_key, undo_move
)
from gomoku_brain.game.forbidden cimport is_forbidden
from gomoku_brain.game.geometry cimport MARGIN, NO_CELL, STRIDE, padded_x, padded_y
from gomoku_brain.game.patterns cimport FIVE, FOUR, MAKES_FOUR
from gomoku_brain.game.rules cimport MAX_STONES, WALL
from gomoku_brain.game.zobrist cimport ZOBRIST
from gomoku_brain.control.search_control cimport must_stop
from gomoku_brain.tactics.fours cimport (
    failure_slot, find_fours, has_failed, store_failure, may_win_by_more,
    take_strongest
)
from gomoku_brain.control.params cimport MAX_PLY
from gomoku_brain.tactics.threats cimport MoveSet, contains, five_replies, static_win

cdef enum:
    NEAR = 4            # a local four lies on a ray of this length from the last one,
    NEAR_SQUARE = 2     # or in a square of this radius around it


cdef inline bint is_near(int cell, int last) noexcept nogil:
    cdef int dx = padded_x(cell) - padded_x(last)
    cdef int dy = padded_y(cell) - padded_y(last)
    if dx < 0:
        dx = -dx
    if dy < 0:
        dy = -dy
    if dx <= NEAR_SQUARE and dy <= NEAR_SQUARE:
        return True
    return dx <= NEAR and dy <= NEAR and (dx == 0 or dy == 0 or dx == dy)


cdef int defend_four(VcfSearch *self, int fours, int ply, int last) noexcept nogil:
    """Return the plies to the attacker's five after the four just made; 0 if a reply
    holds.

    The line of the longest defence is stored.
    """
    cdef BoardState *board = self.board
    cdef MoveSet replies
    cdef int k, j, length, longest = 0
    cdef int16_t[MAX_PLY + 2] kept
    five_replies(board, board.side ^ 1, &replies)
    for k in range(replies.count):
        if is_forbidden(board, replies.cells[k], board.side):
            continue
        self.line[ply] = replies.cells[k]
        make_move(board, replies.cells[k])
        count_one(self.nodes)
        length = vcf_attack(self, fours, ply + 1, last)
        undo_move(board)
        if not length:
            return 0
        if length + 1 > longest:
            longest = length + 1
            if replies.count > 1:
                for j in range(ply, min(ply + longest, MAX_PLY)):
                    kept[j] = self.line[j]
    if not longest:         # no reply exists: the five comes next
        self.line[ply] = NO_CELL
        return 2
    if replies.count > 1:
        for j in range(ply, min(ply + longest, MAX_PLY)):
            self.line[j] = kept[j]
    return longest


cdef int vcf_attack(VcfSearch *self, int fours, int ply, int last) noexcept nogil:
    """Return the plies to the five if the side to move wins by at most ``fours`` fours
    more.

    0 means that no such win was found; it proves that there is none only if neither
    ``local`` nor ``gave_up`` is set and ``fours`` was never the obstacle. ``line``
    holds the line from ``ply`` on, up to where ``static_win`` finds the rest.
    """
    cdef BoardState *board = self.board
    cdef MoveSet moves
    cdef int best, length, cell, k, kept
    cdef bint outer_gave_up = self.gave_up
    cdef uint64_t key
    cdef uint64_t *slot = NULL
    length = static_win(board, &best)
    if length > 0 and not (
        self.fours_only and length > 1 and not board.cells[best].rank[board.side] & MAKES_FOUR
    ):
        self.line[ply] = best
        self.line[ply + 1] = NO_CELL
        return length
    if length < 0:
        return 0
    if fours <= 0 or ply >= MAX_PLY - 2 or self.nodes[0] + 2 > self.limit:
        self.gave_up = True     # a four and its answer would be too many
        return 0
    if self.failed != NULL:
        key = table_key(board) ^ self.salt
        if self.local:      # a failure near one stone is not valid for another
            key ^= ZOBRIST[WALL][last]
        slot = failure_slot(self.failed, self.failed_mask, key)
        if has_failed(slot, key, fours):
            self.gave_up |= may_win_by_more(slot)
            return 0

    # 1. Moves: fours; while the opponent threatens a five, only those that stop it.
    if not find_fours(board, &moves) and self.local and last != NO_CELL:
        kept = 0
        for k in range(moves.count):
            if is_near(moves.cells[k], last) and (
                ply < self.simple_plies
                or board.cells[moves.cells[k]].rank[board.side] != FOUR
            ):
                moves.cells[kept] = moves.cells[k]
                kept += 1
        moves.count = kept

    # 2. Each of them, strongest first. A limit met below leaves this node undecided as
    # well.
    self.gave_up = False
    while moves.count:
        cell = take_strongest(board, &moves)
        if is_forbidden(board, cell, board.side):
            continue
        if self.control != NULL and self.nodes[0] & (POLL_NODES - 1) < 2:
            if must_stop(self.control):
                self.limit = 0
                self.gave_up = True
                return 0
        self.line[ply] = cell
        make_move(board, cell)
        count_one(self.nodes)
        length = defend_four(self, fours - 1, ply + 1, cell)
        undo_move(board)
        if length:
            self.line[ply] = cell
            self.gave_up = outer_gave_up
            return length + 1
        if self.nodes[0] + 2 > self.limit:      # undecided, so nothing is stored
            self.gave_up = True
            return 0
    if slot != NULL:
        store_failure(slot, key, fours, self.gave_up)
    self.gave_up |= outer_gave_up
    return 0


cdef int vcf_without(
    VcfSearch *self, int fours, const MoveSet *excluded
) noexcept nogil:
    """Return the result of ``vcf_attack`` if the first move must not be an excluded
    one.

    The search must not be local. A five that is excluded stays a threat after almost
    every other move, so then each of them counts as a four.
    """
    cdef BoardState *board = self.board
    cdef MoveSet moves
    cdef int best, length, cell, row, k, side = board.side
    cdef int[MAX_STONES] fives
    cdef uint32_t bits
    length = static_win(board, &best)
    if length < 0:
        return 0
    if length > 0 and not contains(excluded, best) and not (
        self.fours_only and length > 1 and not board.cells[best].rank[side] & MAKES_FOUR
    ):
        self.line[0] = best
        self.line[1] = NO_CELL
        return length
    for k in range(cells_of_rank(board, side, FIVE, fives, MAX_STONES)):
        if not contains(excluded, fives[k]):
            self.line[0] = fives[k]
            self.line[1] = NO_CELL
            return 1
    if fours <= 0 or self.nodes[0] + 2 > self.limit:
        self.gave_up = True
        return 0
    if not count_of(board, side, FIVE):
        find_fours(board, &moves)
    elif not five_replies(board, side ^ 1, &moves):
        for row in range(MARGIN, MARGIN + board.height):
            bits = board.empty[row]
            while bits:
                moves.cells[moves.count] = row * STRIDE + pop_lsb32(&bits)
                moves.count += 1
    while moves.count:
        cell = take_strongest(board, &moves)
        if contains(excluded, cell) or is_forbidden(board, cell, side):
            continue
        self.line[0] = cell
        make_move(board, cell)
        count_one(self.nodes)
        length = 0
        if count_of(board, side, FIVE):         # the move may spoil the excluded five
            length = defend_four(self, fours - 1, 1, cell)
        undo_move(board)
        if length:
            self.line[0] = cell
            return length + 1
        if self.nodes[0] + 2 > self.limit:      # undecided
            self.gave_up = True
            return 0
    return 0


cdef int shortest_vcf(VcfSearch *self, int fours, const MoveSet *excluded) noexcept nogil:
    """Return the plies to the five by the fewest fours, at most ``fours``; 0 without
    such a win.

    ``gave_up`` then shows whether a limit was met first. The search starts with one
    four and allows one more at a time. The first move is none of the excluded ones.
    """
    cdef int length = 0, depth = 1
    while depth <= fours:
        self.gave_up = False
        if excluded.count:
            length = vcf_without(self, depth, excluded)
        else:
            length = vcf_attack(self, depth, 0, NO_CELL)
        if length or not self.gave_up or self.nodes[0] >= self.limit:
            break
        depth += 1
    return length
