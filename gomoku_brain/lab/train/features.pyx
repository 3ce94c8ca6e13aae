"""What the linear evaluation sees of a position, as arrays to fit its weights on.

The kinds of cells are those of ``game.patterns``: the unordered four classes of a cell,
2,380 of them.
"""

from libc.stdint cimport uint16_t

from gomoku_brain.eval.linear cimport tempo_index
from gomoku_brain.game.bits cimport pop_lsb32
from gomoku_brain.game.board cimport BoardState, is_empty
from gomoku_brain.game.forbidden cimport is_forbidden
from gomoku_brain.game.geometry cimport (
    MARGIN, STRIDE, cell_of, cell_x, cell_y
)
from gomoku_brain.game.notation import Move
from gomoku_brain.game.patterns cimport KINDS, RuleTables, rule_tables
from gomoku_brain.game.position cimport Board
from gomoku_brain.game.rules cimport MAX_STONES, is_rule
from gomoku_brain.tactics.threats cimport (
    FREE_CHOICE, STOP_FIVE, Duty, MoveSet, find_duty, static_win
)

COUNT_OF_KINDS = KINDS


def line_classes(int rule):
    """(reach, table) of a rule: the line classes that an empty cell has in a window.

    The table is bytes by key: two bits for each cell but the middle one, lowest first,
    coded as in ``game.board``; black's class | white's class << 4.
    """
    if not is_rule(rule):
        raise ValueError(f"no rule has the code {rule}")
    cdef const RuleTables *tables = rule_tables(rule)
    return tables.reach, (<const char *> tables.classes)[:1 << 4 * tables.reach]


cdef bytes bytes_of(const uint16_t *values, int count):
    return (<const char *> values)[:2 * count]


def position_features(Board board not None):
    """(kinds, counts, tempo) as a static evaluation sees the position, else None.

    ``kinds`` and ``counts`` are uint16 arrays as bytes: which kinds of empty cells
    there are and how many of each, those of the side to move first, the other side's
    kinds raised by 2,380. None when the position is won or lost by static tests or has
    only one move against a five, for it is then never evaluated.
    """
    cdef BoardState *state = board.state
    cdef uint16_t[2 * KINDS] counts
    cdef uint16_t[2 * MAX_STONES] kinds, found
    cdef MoveSet answers
    cdef int best, row, cell, k, n = 0
    cdef unsigned int bits
    if static_win(state, &best) or find_duty(state, &answers) == STOP_FIVE:
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
    """Two uint16 a cell, rows from the top, as bytes: black's kind and white's.

    2,380 (``COUNT_OF_KINDS``) stands for a cell that is not empty.
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


cdef bint find_choices(BoardState *state, MoveSet *moves) noexcept nogil:
    """The legal moves that the search would try; False when there is no choice."""
    cdef MoveSet answers
    cdef Duty duty
    cdef int best, row, cell, k
    cdef unsigned int bits
    moves.count = 0
    if static_win(state, &best):
        return False
    duty = find_duty(state, &answers)
    if duty == STOP_FIVE:
        return False
    if duty == FREE_CHOICE:
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


def move_choices(Board board not None):
    """The moves to choose from, as ``move_features`` has them; [] where it has none."""
    cdef MoveSet moves
    cdef int k
    if not find_choices(board.state, &moves):
        return []
    return [
        Move(cell_x(moves.cells[k]), cell_y(moves.cells[k]))
        for k in range(moves.count)
    ]


def move_features(Board board not None, move):
    """(own kinds, other's kinds, index of ``move``) over the moves to choose from.

    The moves are those that the search would try: the candidates, or the only replies
    to a threat. None when there is nothing to choose, ``move`` is not among them, or
    static tests end the game.
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
