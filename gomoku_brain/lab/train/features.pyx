"""Inputs of the linear evaluation in a position, as arrays to fit its weights.

The kinds (patterns) of cells are those of ``game.patterns``: four line classes in any
order, which gives 2,380 kinds.
"""

from libc.stdint cimport uint8_t, uint16_t

from gomoku_brain.eval.linear cimport tempo_index
from gomoku_brain.game.bits cimport pop_lsb32
from gomoku_brain.game.board cimport BoardState, is_empty, place, unplace
from gomoku_brain.game.forbidden cimport is_forbidden
from gomoku_brain.game.geometry cimport (
    MARGIN, STRIDE, cell_of
)
from gomoku_brain.game.patterns cimport KINDS
from gomoku_brain.game.position cimport Board
from gomoku_brain.game.rules cimport MAX_STONES
from gomoku_brain.tactics.threats cimport (
    FREE_CHOICE, STOP_FIVE, Forced, MoveSet, find_forced_replies, static_win
)

COUNT_OF_KINDS = KINDS


cdef bytes bytes_of(const uint16_t *values, int count):
    return (<const char *> values)[:2 * count]


def position_features(Board board not None):
    """Return (kinds, counts, tempo) of a position as the static evaluation reads it.

    ``kinds`` and ``counts`` are uint16 arrays as bytes: the kinds of the empty cells
    and the number of cells of each. The kinds of the side to move come first; those of
    the other side are raised by 2,380. None if static tests decide the position or if
    only one move defends against a five, since such a position is never evaluated.
    """
    cdef BoardState *state = board.state
    cdef uint16_t[2 * KINDS] counts
    cdef uint16_t[2 * MAX_STONES] kinds, found
    cdef MoveSet answers
    cdef int best, row, cell, k, n = 0
    cdef unsigned int bits
    if static_win(state, &best) or find_forced_replies(state, &answers) == STOP_FIVE:
        return None
    for k in range(2 * KINDS):
        counts[k] = 0
    for row in range(MARGIN, MARGIN + state.height):
        bits = state.empty[row]
        while bits:
            cell = row * STRIDE + pop_lsb32(&bits)
            counts[state.cells[cell].kind[state.side]] += 1
            counts[KINDS + state.cells[cell].kind[state.side ^ 1]] += 1
    for k in range(2 * KINDS):
        if counts[k]:
            kinds[n] = k
            found[n] = counts[k]
            n += 1
    return bytes_of(kinds, n), bytes_of(found, n), tempo_index(state)


def kinds_of_cells(Board board not None):
    """Return two uint16 for each cell, as bytes: black's kind and white's.

    Cells are in rows from the top. The value of a cell with a stone is 2,380
    (``COUNT_OF_KINDS``).
    """
    cdef BoardState *state = board.state
    cdef uint16_t[2 * MAX_STONES] out
    cdef int x, y, cell, side, n = 0
    for y in range(state.height):
        for x in range(state.width):
            cell = cell_of(x, y)
            for side in range(2):
                out[n] = state.cells[cell].kind[side] if is_empty(state, cell) else KINDS
                n += 1
    return bytes_of(out, n)


cdef int place_all(BoardState *state, const uint8_t *stones, int size, int mover):
    """Place the stones of a position on an empty board; return their number."""
    cdef int k, count = 0
    for k in range(size * size):
        if stones[k]:
            place(state, cell_of(k % size, k // size), mover ^ (stones[k] == 2))
            count += 1
    return count


def kinds_of_stones(bytes stones not None, bytes white_moves not None, int size, rule):
    """Return two uint16 for each cell of each position, as a bytearray: the mover's
    kind and the other side's.

    ``stones``: a byte for each cell, in rows from the top: 0 empty, 1 the mover's, 2
    the other's. ``white_moves``: a byte for each position, 1 if white is to move. The
    value of a cell with a stone is 2,380 (``COUNT_OF_KINDS``).
    """
    cdef Board board = Board(size, rule)
    cdef BoardState *state = board.state
    cdef int cells = size * size, cell, k, side, count, n = 0
    if len(stones) != cells * len(white_moves):
        raise ValueError("stones and movers of different numbers of positions")
    found = bytearray(4 * len(stones))
    cdef uint16_t *out = <uint16_t *> <char *> found
    cdef const uint8_t *at = <const uint8_t *> <const char *> stones
    for mover in white_moves:
        side = mover
        count = place_all(state, at, size, side)
        for k in range(cells):
            cell = cell_of(k % size, k // size)
            out[n] = KINDS if at[k] else state.cells[cell].kind[side]
            out[n + 1] = KINDS if at[k] else state.cells[cell].kind[side ^ 1]
            n += 2
        for _ in range(count):
            unplace(state)
        at += cells
    return found


def values_of_stones(
    bytes stones not None, bytes white_moves not None, int size, rule, evaluator
):
    """Return the values of positions for the side to move, in score units, as a list.

    Positions as in ``kinds_of_stones``; ``evaluator``: a ``BoardEvaluator``.
    """
    cdef Board board = Board(size, rule)
    cdef int cells = size * size, count
    if len(stones) != cells * len(white_moves):
        raise ValueError("stones and movers of different numbers of positions")
    cdef const uint8_t *at = <const uint8_t *> <const char *> stones
    found = []
    for mover in white_moves:
        count = place_all(board.state, at, size, mover)
        board.state.side = mover
        found.append(evaluator.value(board))
        for _ in range(count):
            unplace(board.state)
        at += cells
    return found


cdef bint find_choices(BoardState *state, MoveSet *moves) noexcept nogil:
    """Find the legal moves that the search would try; False if there is no choice."""
    cdef MoveSet answers
    cdef Forced forced
    cdef int best, row, cell, k
    cdef unsigned int bits
    moves.count = 0
    if static_win(state, &best):
        return False
    forced = find_forced_replies(state, &answers)
    if forced == STOP_FIVE:
        return False
    if forced == FREE_CHOICE:
        answers.count = 0
        for row in range(MARGIN, MARGIN + state.height):
            bits = state.plies[state.ply].candidates[row] & state.empty[row]
            while bits:
                answers.cells[answers.count] = row * STRIDE + pop_lsb32(&bits)
                answers.count += 1
    for k in range(answers.count):
        cell = answers.cells[k]
        if not is_forbidden(state, cell, state.side):
            moves.cells[moves.count] = cell
            moves.count += 1
    return moves.count > 1


def move_features(Board board not None, move):
    """Return (own kinds, other side's kinds, index of ``move``) over the moves to
    choose from.

    These are the moves that the search would try: the candidates, or the only replies
    to a threat. None if there is no choice, if ``move`` is not among them, or if static
    tests decide the position.
    """
    cdef BoardState *state = board.state
    cdef uint16_t[MAX_STONES] mine, theirs
    cdef MoveSet moves
    cdef int cell, k, chosen = cell_of(move[0], move[1]), at = -1
    if not find_choices(state, &moves):
        return None
    for k in range(moves.count):
        cell = moves.cells[k]
        if cell == chosen:
            at = k
        mine[k] = state.cells[cell].kind[state.side]
        theirs[k] = state.cells[cell].kind[state.side ^ 1]
    if at < 0:
        return None
    return bytes_of(mine, moves.count), bytes_of(theirs, moves.count), at
