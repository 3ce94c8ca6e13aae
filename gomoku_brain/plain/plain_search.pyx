"""Searches of the source reports, written anew to measure them.

There are four searches to a fixed depth: plain minimax, alpha-beta, alpha-beta with
ordered moves, and the latter with a table. None of them extends, reduces or prunes on a
guess, so all four find the same value. One node is one move made, as everywhere in the
package. ``plain_position`` has the positions and their evaluations.
"""

cimport cython
from libc.stdint cimport int8_t, int16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from gomoku_brain.eval.evaluate cimport Evaluation
from gomoku_brain.plain.plain_position cimport (
    MAX_RADIUS, RULES, PlainPosition, count_candidates, find_candidates, free_position,
    is_five, make, put, set_up_plain, static_value, take, take_position, unmake
)
from gomoku_brain.plain.shape_counts cimport count_in
from gomoku_brain.game.geometry cimport NO_CELL, cell_x, cell_y
from gomoku_brain.game.position cimport Board
from gomoku_brain.game.rules cimport FREESTYLE, MAX_STONES
from gomoku_brain.game.zobrist cimport WHITE_TO_MOVE

from collections import namedtuple
from enum import IntEnum

from gomoku_brain.eval.evaluate import evaluation_of
from gomoku_brain.game.notation import Move

cdef enum:
    MINIMAX = 0             # as Method
    ALPHABETA = 1
    ORDERED = 2
    TABLE = 3
    MAX_DEPTH = 20
    TABLE_SIZE = 1 << 18
    WON = 10_000_000        # score of a win at the root, 0 plies away
    WON_ZONE = 9_000_000    # a score beyond it is a forced win
    BEYOND = 11_000_000


cdef struct Entry:              # of the table: one position of the current search
    uint64_t key
    int score
    int16_t move
    int8_t depth
    int8_t bound                # 0 exact, 1 at least, -1 at most


cdef struct State:              # of a search
    PlainPosition *position
    int method
    bint stopped
    uint64_t nodes              # moves made
    uint64_t limit              # of nodes
    uint64_t salt               # makes the table's keys of this search differ from older ones
    int[MAX_DEPTH + 1] killer  # by ply: the cell that caused the last cutoff there
    Entry *table


cdef uint64_t tree_nodes(PlainPosition *p, int depth) noexcept nogil:
    """Return the number of moves that plain minimax makes below this position."""
    cdef int16_t[MAX_STONES] cells
    cdef int k, count
    cdef uint64_t nodes
    if depth == 1 and p.stones:
        return count_candidates(p)
    count = find_candidates(p, cells)
    nodes = count
    if depth > 1:
        for k in range(count):
            put(p, cells[k], p.side)
            if not is_five(p, cells[k], p.side):
                p.side ^= 1
                nodes += tree_nodes(p, depth - 1)
                p.side ^= 1
            take(p)
    return nodes


cdef inline void to_front(int16_t *cells, int count, int cell) noexcept nogil:
    """Move a cell to the front of a list, if it is there; the others keep their order.
    """
    cdef int k
    for k in range(count):
        if cells[k] == cell:
            while k:
                cells[k] = cells[k - 1]
                k -= 1
            cells[0] = <int16_t> cell
            return


cdef void sort_by_value(PlainPosition *p, int16_t *cells, int count) noexcept nogil:
    """Sort the moves by the value of the position after each, best first.

    Equal moves keep their order.
    """
    cdef int[MAX_STONES] values
    cdef int k, place, value, cell
    for k in range(count):
        cell = cells[k]
        make(p, cell)
        value = WON if is_five(p, cell, p.side ^ 1) else -static_value(p)
        unmake(p)
        place = k
        while place and values[place - 1] < value:
            values[place] = values[place - 1]
            cells[place] = cells[place - 1]
            place -= 1
        values[place] = value
        cells[place] = <int16_t> cell


cdef int move_value(
    State *s, int cell, int depth, int alpha, int beta, int ply
) noexcept nogil:
    """Make a move, search the position after it to ``depth - 1``, and undo the move."""
    cdef PlainPosition *p = s.position
    cdef int score
    s.nodes += 1
    if s.nodes > s.limit:
        s.stopped = True
        return 0
    make(p, cell)
    if is_five(p, cell, p.side ^ 1):
        score = WON - ply - 1
    elif not p.empties:
        score = 0
    elif depth == 1:
        score = -static_value(p)
    elif s.method == MINIMAX:
        score = -negamax(s, depth - 1, -BEYOND, BEYOND, ply + 1)
    else:
        score = -negamax(s, depth - 1, -beta, -alpha, ply + 1)
    unmake(p)
    return score


cdef int negamax(State *s, int depth, int alpha, int beta, int ply) noexcept nogil:
    """Return the value for the side to move, fail-soft.

    The game is not over, and ``depth`` is at least 1.
    """
    cdef int16_t[MAX_STONES] cells
    cdef int k, count, score, best = -BEYOND, best_cell = NO_CELL, old_alpha = alpha
    cdef Entry *entry = NULL
    cdef PlainPosition *p = s.position
    cdef uint64_t key = 0
    count = find_candidates(p, cells)
    if s.method == TABLE:
        key = p.key ^ (WHITE_TO_MOVE if p.side else 0) ^ s.salt
        entry = &s.table[key & (TABLE_SIZE - 1)]
        if entry.key == key and entry.depth == depth and (
            entry.bound == 0
            or (entry.bound > 0 and entry.score >= beta)
            or (entry.bound < 0 and entry.score <= alpha)
        ):
            return entry.score
    if s.method >= ORDERED:
        if depth > 1:
            sort_by_value(p, cells, count)
        to_front(cells, count, s.killer[ply])
        if entry != NULL and entry.key == key and entry.move != NO_CELL:
            to_front(cells, count, entry.move)
    for k in range(count):
        score = move_value(s, cells[k], depth, alpha, beta, ply)
        if s.stopped:
            return 0
        if score > best:
            best = score
            best_cell = cells[k]
        if s.method != MINIMAX:
            alpha = max(alpha, score)
            if alpha >= beta or best >= WON - ply - 1:
                s.killer[ply] = cells[k]
                break
    if entry != NULL:
        entry.key = key
        entry.score = best
        entry.move = <int16_t> best_cell
        entry.depth = <int8_t> depth
        entry.bound = 1 if best >= beta else -1 if best <= old_alpha else 0
    return best


class SourceEvaluation(IntEnum):
    """Static evaluation at the leaves of a search.

    The rule score of S1 to S3, the best shape of every stone of S4, our evaluation, and
    ours after the static tests for wins (a win found by them is 100,000 minus its
    plies).
    """

    RULES = 0
    STONES = 1
    OURS = 2
    PROVED = 3


class Method(IntEnum):
    """Search method; each one adds a technique to the one before it."""

    MINIMAX = 0
    ALPHABETA = 1
    ORDERED = 2
    TABLE = 3


DepthResult = namedtuple("DepthResult", "move score nodes evaluations finished")
DepthResult.__doc__ = """Result of a search to one depth.

``nodes`` are moves made, ``evaluations`` static evaluations (those that order moves
are evaluations, not nodes). If a limit came first, ``finished`` is False and
``move`` and ``score`` have no meaning.
"""


cdef int checked(int depth) except -1:
    if not 1 <= depth <= MAX_DEPTH:
        raise ValueError(f"the depth is 1 to {MAX_DEPTH}, not {depth}")
    return depth


cdef int search_root(
    State *s, int depth, int16_t *cells, int *values, int count, bint exact
) noexcept nogil:
    """Search the root's moves in search order, and return the index of the best.

    ``values`` receives the value of each move: with ``exact`` the exact value,
    otherwise a bound for each move that is not better than the best so far.
    """
    cdef int k, alpha = -BEYOND, best = 0
    if s.method >= ORDERED and depth > 1:
        sort_by_value(s.position, cells, count)
    for k in range(count):
        values[k] = move_value(s, cells[k], depth, -BEYOND if exact else alpha, BEYOND, 0)
        if s.stopped:
            return best
        if values[k] > values[best]:
            best = k
        alpha = values[best]
        if alpha == WON - 1 and s.method != MINIMAX and not exact:
            break       # no move is better than a win at once
    return best


@cython.final
cdef class PlainSearch:
    """Fixed-depth searches whose cutoffs never change the value.

    ``radius`` 1 or 2: the moves tried are the empty cells at most so far from a stone
    (a diagonal step counts as one); 0: every empty cell.

    All methods raise ValueError for another rule than freestyle. Those that search also
    raise it for a finished game and for a depth outside 1..20.
    """
    cdef State *state
    cdef PlainPosition *position
    cdef Evaluation ours

    def __cinit__(self):
        self.ours = evaluation_of(FREESTYLE)
        self.position = take_position()
        self.state = <State *> calloc(1, sizeof(State))
        if self.state != NULL:
            self.state.position = self.position
            self.state.table = <Entry *> calloc(TABLE_SIZE, sizeof(Entry))
        if self.state == NULL or self.state.table == NULL:
            raise MemoryError("no memory for a plain search")

    def __dealloc__(self):
        free_position(self.position)
        if self.state != NULL:
            free(self.state.table)
        free(self.state)

    def __init__(self, evaluation, method=Method.ORDERED, int radius=2):
        if not 0 <= radius <= MAX_RADIUS:
            raise ValueError(f"the radius is 0 to {MAX_RADIUS}, not {radius}")
        self.position.evaluation = SourceEvaluation(evaluation)
        self.position.radius = radius
        self.state.method = Method(method)

    cdef int load(self, Board board, nodes, int depth) except -1:
        """Load a position; raises ValueError if it cannot be searched to ``depth``.

        Depth 0 only evaluates the position, in which the game may be over.
        """
        cdef State *s = self.state
        if depth and (board.winner is not None or board.is_full):
            raise ValueError("the game is over")
        set_up_plain(s.position, board, self.ours)
        s.stopped = False
        s.nodes = 0
        s.limit = (<uint64_t> 1 << 62) if nodes is None else nodes
        s.salt += <uint64_t> 0x9E3779B97F4A7C15     # no older entry matches any more
        memset(s.killer, 0, sizeof(s.killer))
        return 0

    def search(self, Board board not None, int depth, nodes=None):
        """Return the best move after exactly ``depth`` plies; ``nodes`` is a limit.

        Of equally good moves it is the first in search order.
        """
        cdef int16_t[MAX_STONES] cells
        cdef int[MAX_STONES] values
        cdef int count, best
        self.load(board, nodes, checked(depth))
        with nogil:
            count = find_candidates(self.position, cells)
            best = search_root(self.state, depth, cells, values, count, False)
        return DepthResult(
            Move(cell_x(cells[best]), cell_y(cells[best])), values[best],
            self.state.nodes, self.position.evaluations, not self.state.stopped
        )

    def values(self, Board board not None, int depth, nodes=None):
        """Return the exact value of every candidate; None if the limit stopped the
        search.
        """
        cdef int16_t[MAX_STONES] cells
        cdef int[MAX_STONES] values
        cdef int count, k
        self.load(board, nodes, checked(depth))
        with nogil:
            count = find_candidates(self.position, cells)
            search_root(self.state, depth, cells, values, count, True)
        if self.state.stopped:
            return None
        return {Move(cell_x(cells[k]), cell_y(cells[k])): values[k] for k in range(count)}

    def tree_size(self, Board board not None, int depth):
        """Count the nodes of plain minimax, without a search."""
        cdef uint64_t nodes
        self.load(board, None, checked(depth))
        with nogil:
            nodes = tree_nodes(self.position, depth)
        return nodes

    def evaluate(self, Board board not None):
        """Return the static evaluation for the side to move."""
        self.load(board, None, 0)
        return static_value(self.position)

    def shape_counts(self, Board board not None):
        """Return the shape counts of black and of white.

        Each is a tuple: blocked twos, open twos, blocked threes, open threes, fours,
        open fours, fives. Raises ValueError unless the evaluation is ``RULES``.
        """
        cdef int side, shape
        if self.position.evaluation != RULES:
            raise ValueError("only the rule score counts shapes")
        self.load(board, None, 0)
        return tuple([
            tuple([count_in(self.position.totals[side], shape) for shape in range(1, 8)])
            for side in range(2)
        ])

    @property
    def nodes(self):
        """Nodes of the last call of ``search`` or ``values``."""
        return self.state.nodes


def win_in(int score):
    """Return the plies to the end by a score, negative if lost; None if undecided."""
    if score > WON_ZONE:
        return WON - score
    if score < -WON_ZONE:
        return -(WON + score)
    return None
