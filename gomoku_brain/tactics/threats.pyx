"""Static threats: proofs by counting, and the replies that are worth a search.

The arguments, for a side A that threatens and a side D that must answer:

* *Four lines through one cell meet only there.* So one stone cannot break two threats
  that A's stone made on two different lines, and D's forced reply on the four's line
  leaves the three's line alone.
* *A five needs a four first.* If D has no five cell, and his forced reply stands on a
  cell that made no four for him, he still has no five cell afterwards.
* *An added stone never creates a threat for the other side*, with one exception: in
  renju white's stone can turn black's double-four into a legal four. Cells marked FOUL
  therefore count as possible fours for black.

Claims made here are sufficient, not necessary. ``tests/game/test_static_wins.py``
checks them against brute force.
"""

from libc.stdint cimport uint32_t

from gomoku_brain.game.bits cimport pop_lsb32
from gomoku_brain.game.board cimport (
    BoardState, cells_of_rank, class_at, class_with, count_of, five_cells, has_fours,
    is_empty, place, unplace
)
from gomoku_brain.game.forbidden cimport is_forbidden
from gomoku_brain.game.geometry cimport (
    MARGIN, NO_CELL, STRIDE, cell_of, cell_x, cell_y, direction_step, padded_x, padded_y
)
from gomoku_brain.game.patterns cimport (
    B4, F3, F3S, FIVE, FOUL, FOUR_OPEN, FOUR_THREE, MAKES_FOUR, THREE_TWO,
    RuleTables, kind_of
)
from gomoku_brain.game.position cimport Board
from gomoku_brain.game.rules cimport BLACK, MAX_STONES

from gomoku_brain.game.notation import Move


cdef void own_fours(BoardState *board, int side, MoveSet *moves) noexcept nogil:
    """Append every cell where ``side`` makes a four or better, in board order."""
    cdef int row
    cdef uint32_t bits
    for row in range(MARGIN, MARGIN + board.height):
        bits = board.fours[side][row]
        while bits:
            moves.cells[moves.count] = row * STRIDE + pop_lsb32(&bits)
            moves.count += 1


cdef int fill_moves(MoveSet *moves, const BoardState *board, object cells) except -1:
    """Fill a set with the empty ones of some cells (x, y), each once."""
    cdef int cell
    moves.count = moves.stops = 0
    for x, y in cells:
        if 0 <= x < board.width and 0 <= y < board.height:
            cell = cell_of(x, y)
            if is_empty(board, cell) and not contains(moves, cell):
                moves.cells[moves.count] = cell
                moves.count += 1
    return 0


cdef bint may_make_four(const BoardState *board, int side) noexcept nogil:
    """Whether a side has a cell that makes a four, or a foul that may become one."""
    return has_fours(board, side) or count_of(board, side, FOUL) != 0


cdef inline int rank_with_class(
    const BoardState *board, int cell, int side, int direction, int line_class
) noexcept nogil:
    """Return the rank of a cell for a side if its class on one line were
    ``line_class``.
    """
    cdef const RuleTables *tables = board.tables
    cdef uint32_t nibbles = board.cells[cell].classes >> 4 * side & 0x0F0F0F0F
    nibbles &= ~(<uint32_t> 15 << 8 * direction)
    nibbles |= <uint32_t> line_class << 8 * direction
    nibbles |= nibbles >> 4
    return tables.rank[side][kind_of(tables, nibbles & 255, nibbles >> 16 & 255)]


cdef bint stops(
    const BoardState *board, int threat, int attacker, int target, int direction,
    int offset
) noexcept nogil:
    """Whether a defender ``offset`` places along a line lowers a cell below
    ``target``.
    """
    cdef int line_class = class_with(board, threat, direction, attacker, offset, attacker ^ 1)
    if line_class == class_at(board, threat, direction, attacker):
        return False
    return rank_with_class(board, threat, attacker, direction, line_class) < target


cdef bint stops_at(
    const BoardState *board, int threat, int attacker, int target, int cell
) noexcept nogil:
    """Whether a defender on an empty cell lowers the threat below ``target``."""
    cdef int dx = padded_x(cell) - padded_x(threat)
    cdef int dy = padded_y(cell) - padded_y(threat), direction, offset
    if dx == 0 and dy == 0:
        return True
    if dy == 0:
        direction = 0
        offset = dx
    elif dx == 0:
        direction = 1
        offset = dy
    elif dx == dy:
        direction = 2
        offset = dx
    elif dx == -dy:
        direction = 3
        offset = dx
    else:
        return False
    if offset > board.tables.reach or -offset > board.tables.reach:
        return False
    return stops(board, threat, attacker, target, direction, offset)


cdef void stopping_cells(
    const BoardState *board, int threat, int attacker, int target, MoveSet *out
) noexcept nogil:
    """Find every cell where one defending stone lowers a threat's rank below
    ``target``.
    """
    cdef int d, offset, cell, reach = board.tables.reach
    out.count = 1
    out.cells[0] = threat
    for d in range(4):
        for offset in range(-reach, reach + 1):
            cell = threat + offset * direction_step(d)
            if (
                offset != 0 and is_empty(board, cell)
                and stops(board, threat, attacker, target, d, offset)
            ):
                out.cells[out.count] = cell
                out.count += 1


cdef void keep_stopping(
    const BoardState *board, int threat, int attacker, int target, MoveSet *out
) noexcept nogil:
    """Keep only those cells of a set that also stop another threat."""
    cdef int k, kept = 0
    for k in range(out.count):
        if stops_at(board, threat, attacker, target, out.cells[k]):
            out.cells[kept] = out.cells[k]
            kept += 1
    out.count = kept


cdef int five_replies(BoardState *board, int attacker, MoveSet *replies) noexcept nogil:
    """Find the cells where one stone stops all fives threatened by ``attacker``.

    Return the number of these fives; 0 means that nothing is threatened (and
    ``replies`` is empty). The cells are not tested for fouls.
    """
    cdef int[MAX_FIVES] fives
    cdef int n = five_cells(board, attacker, fives, MAX_FIVES), k
    replies.count = 0
    if not n:
        return 0
    if board.tables.free_end:
        stopping_cells(board, fives[0], attacker, FIVE, replies)
        for k in range(1, n):
            keep_stopping(board, fives[k], attacker, FIVE, replies)
    elif n == 1:
        replies.count = 1
        replies.cells[0] = fives[0]
    return n


cdef bint four_three_wins(
    BoardState *board, int cell, int attacker, MoveSet *replies, bint *by_foul
) noexcept nogil:
    """Whether a four on ``cell`` that leaves a three behind wins in five plies.

    The attacker must be to move there, the defender must have no five cell, and the
    cell's rank must be FOUR_THREE. True if no reply to the four gives the defender a
    four. ``replies`` receives the replies to the four, and ``by_foul`` whether the
    claim depends on one of them being forbidden to black. The board is changed and
    restored.
    """
    cdef int defender = attacker ^ 1, k, reply
    cdef bint wins = True
    by_foul[0] = False
    place(board, cell, attacker)
    five_replies(board, attacker, replies)
    for k in range(replies.count):
        reply = replies.cells[k]
        if is_forbidden(board, reply, defender):
            by_foul[0] = True
            continue
        if board.cells[reply].rank[defender] & MAKES_FOUR:
            wins = False
            break
        if board.tables.fouls and attacker == BLACK:
            # the open four that follows must itself be legal
            place(board, reply, defender)
            wins = (
                count_of(board, attacker, FOUR_OPEN) != 0
                and not count_of(board, defender, FIVE)
            )
            unplace(board)
            if not wins:
                break
    unplace(board)
    return wins


cdef int static_win(BoardState *board, int *best) noexcept nogil:
    """Return the result that the ranks prove, in plies; 0 if they prove nothing.

    n > 0: the side to move wins in n plies; n < 0: it loses in -n plies. ``best``
    receives the first move of a proved win, or the reply that delays the loss longest,
    or NO_CELL.
    """
    cdef int me = board.side, opponent = board.side ^ 1, n, k
    cdef int[MAX_THREATS] cells
    cdef MoveSet replies
    cdef bint by_foul
    best[0] = NO_CELL
    if count_of(board, me, FIVE):
        five_cells(board, me, best, 1)
        return 1
    if count_of(board, opponent, FIVE):
        five_replies(board, opponent, &replies)
        for k in range(replies.count):
            if not is_forbidden(board, replies.cells[k], me):
                return 0
        five_cells(board, opponent, best, 1)
        if is_forbidden(board, best[0], me):
            best[0] = NO_CELL
        return -2
    if count_of(board, me, FOUR_OPEN):
        cells_of_rank(board, me, FOUR_OPEN, best, 1)
        return 3
    if count_of(board, me, FOUR_THREE):
        n = cells_of_rank(board, me, FOUR_THREE, cells, MAX_THREATS)
        for k in range(n):
            if four_three_wins(board, cells[k], me, &replies, &by_foul):
                best[0] = cells[k]
                return 5
    if (
        count_of(board, me, THREE_TWO) and not (board.tables.fouls and me == BLACK)
        and not may_make_four(board, opponent)
    ):
        best[0] = first_of_rank(board, me, THREE_TWO)
        return 5
    return 0


cdef int first_of_rank(const BoardState *board, int side, int rank) noexcept nogil:
    """Return the first empty cell of a rank that makes no four, in board order."""
    cdef int row, cell
    cdef uint32_t bits
    for row in range(MARGIN, MARGIN + board.height):
        bits = board.empty[row]
        while bits:
            cell = row * STRIDE + pop_lsb32(&bits)
            if board.cells[cell].rank[side] == rank:
                return cell
    return NO_CELL


cdef void add_line(
    const BoardState *board, int cell, int direction, MoveSet *out
) noexcept nogil:
    """Append the empty cells within reach on one line through ``cell``."""
    cdef int offset, reach = board.tables.reach
    for offset in range(-reach, reach + 1):
        if is_empty(board, cell + offset * direction_step(direction)):
            out.cells[out.count] = cell + offset * direction_step(direction)
            out.count += 1


cdef void four_three_defences(
    BoardState *board, int threat, const MoveSet *replies, MoveSet *out
) noexcept nogil:
    """Find every move of the side to move after which ``four_three_wins`` may fail.

    These are moves that weaken the threat itself, and moves that make the forced reply
    to the four a four of our own. In caro a stone at an end of the coming five may also
    allow a second reply. In renju black may be forbidden to play one of the two cells
    that make the three an open four. Then a stone on the other one is enough, although
    the class of the three stays. (The caller adds our own fours.) Cells may be listed
    twice.
    """
    cdef int me = board.side, opponent = board.side ^ 1, k, d, offset, cell, reply, line_class
    cdef int reach = board.tables.reach
    stopping_cells(board, threat, opponent, FOUR_THREE, out)
    for d in range(4):
        line_class = class_at(board, threat, d, opponent)
        if (board.tables.free_end and line_class == B4) or (
            board.tables.fouls and opponent == BLACK
            and (line_class == F3 or line_class == F3S)
        ):
            add_line(board, threat, d, out)
    place(board, threat, opponent)
    for k in range(replies.count):
        reply = replies.cells[k]
        for d in range(4):
            for offset in range(-reach, reach + 1):
                cell = reply + offset * direction_step(d)
                if (
                    offset != 0 and is_empty(board, cell)
                    and class_with(board, reply, d, me, offset, me) >= B4
                    and out.count < MAX_STONES
                ):
                    out.cells[out.count] = cell
                    out.count += 1
    unplace(board)


cdef void merge(MoveSet *moves, const MoveSet *more) noexcept nogil:
    """Append the moves that are not yet in the set."""
    cdef int k
    for k in range(more.count):
        if not contains(moves, more.cells[k]):
            moves.cells[moves.count] = more.cells[k]
            moves.count += 1


cdef Forced find_forced_replies(BoardState *board, MoveSet *moves) noexcept nogil:
    """Find the forced replies: the threat to answer, and the moves that can answer it.

    All other moves lose by force. ``static_win`` must have proved nothing. With
    FREE_CHOICE ``moves`` is empty. STOP_OPEN_FOUR with no moves is a loss in 4 plies,
    STOP_FOUR_THREE in 6. The moves include our own fours; they are not tested for
    fouls.
    """
    cdef int me = board.side, opponent = board.side ^ 1, n, k, j, kept, claims = 0
    cdef int[MAX_THREATS] cells
    cdef MoveSet replies, single
    cdef bint by_foul
    cells[0] = NO_CELL
    moves.count = moves.stops = 0
    if five_replies(board, opponent, moves):
        return STOP_FIVE
    if count_of(board, opponent, FOUR_OPEN):
        n = cells_of_rank(board, opponent, FOUR_OPEN, cells, MAX_THREATS)
        stopping_cells(board, cells[0], opponent, FOUR_OPEN, moves)
        for k in range(1, n):
            keep_stopping(board, cells[k], opponent, FOUR_OPEN, moves)
        moves.stops = moves.count
        single.count = 0
        own_fours(board, me, &single)
        merge(moves, &single)
        return STOP_OPEN_FOUR
    if not count_of(board, opponent, FOUR_THREE):
        return FREE_CHOICE
    n = cells_of_rank(board, opponent, FOUR_THREE, cells, MAX_THREATS)
    for k in range(n):
        if not four_three_wins(board, cells[k], opponent, &replies, &by_foul) or by_foul:
            continue
        single.count = 0
        four_three_defences(board, cells[k], &replies, &single)
        if not claims:
            merge(moves, &single)
        else:       # a move that does not answer every claim loses
            kept = 0
            for j in range(moves.count):
                if contains(&single, moves.cells[j]):
                    moves.cells[kept] = moves.cells[j]
                    kept += 1
            moves.count = kept
        claims += 1
    if not claims:
        return FREE_CHOICE
    moves.stops = moves.count
    single.count = 0
    own_fours(board, me, &single)
    merge(moves, &single)
    return STOP_FOUR_THREE


# For tests -----------------------------------------------------------------------------

def _py_static_win(Board board not None):
    """Return ``static_win`` for the side to move."""
    cdef int best
    return static_win(board.state, &best)


def _py_defences(Board board not None):
    """Return the name of the threat and the moves that can answer it; None if all are
    free.
    """
    cdef MoveSet moves
    cdef Forced forced = find_forced_replies(board.state, &moves)
    if forced == FREE_CHOICE:
        return None
    names = {
        STOP_FIVE: "five", STOP_OPEN_FOUR: "open-four", STOP_FOUR_THREE: "four-three"
    }
    cells = [
        Move(cell_x(moves.cells[k]), cell_y(moves.cells[k])) for k in range(moves.count)
    ]
    return names[forced], cells
