"""Searches of the source reports, written anew to measure them.

There are four searches to a fixed depth: plain minimax, alpha-beta, alpha-beta with
ordered moves, and the latter with a table. None of them extends, reduces or prunes on a
guess, so all four find the same value. One node is one move made, as everywhere in the
package. ``plain_position`` has the positions and their evaluations; an evaluation may
also be a function of the caller.
"""

cimport cython
from libc.math cimport isnan
from libc.stdint cimport int8_t, int16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from gomoku_brain.eval.evaluate cimport Evaluation, free_evaluator
from gomoku_brain.plain.plain_position cimport (
    CALLED, MAX_RADIUS, RULES, PlainPosition, count_candidates, find_candidates,
    free_position, make, set_up_plain, static_value, take_position, unmake, wins_at
)
from gomoku_brain.plain.shape_counts cimport count_in
from gomoku_brain.game.geometry cimport CELLS, NO_CELL, cell_x, cell_y
from gomoku_brain.game.position cimport Board
from gomoku_brain.game.rules cimport MAX_STONES
from gomoku_brain.game.zobrist cimport WHITE_TO_MOVE

import sys
from collections import namedtuple
from enum import IntEnum
from time import perf_counter, process_time

from gomoku_brain.eval.evaluate import evaluation_of
from gomoku_brain.game.notation import Move

cdef enum:
    MINIMAX = 0             # as SearchMethod
    ALPHABETA = 1
    ORDERED = 2
    TABLE = 3
    MAX_DEPTH = 20
    TABLE_SIZE = 1 << 18
    WON = 10_000_000        # score of a win at the root, 0 plies away
    WON_ZONE = 9_000_000    # a score beyond it is a forced win
    BEYOND = 11_000_000
    MAX_CALLED = 1_000_000  # limit of a value from a function
    FIRST_BATCH = 8         # moves of a position in the first batch

# Processor time, since other programs may run meanwhile. Windows counts it in steps of
# 16 ms, so there it is the time of the clock.
clock = perf_counter if sys.platform == "win32" else process_time


cdef struct Entry:              # of the table: one position of the current search
    uint64_t key
    double score
    int16_t move
    int8_t depth
    int8_t bound                # 0 exact, 1 at least, -1 at most


cdef struct State:              # of a search
    PlainPosition *position
    void *search                # the PlainSearch, for its function
    int method
    bint batched                # the function takes many boards
    bint running
    bint stopped
    uint64_t nodes              # moves made
    uint64_t cutoffs            # positions with moves that were not tried
    uint64_t limit              # of nodes
    uint64_t salt               # makes the table's keys of this search differ from older ones
    int[MAX_DEPTH + 1] killer  # by ply: the cell that caused the last cutoff there
    double[CELLS] batch         # by cell: the value of a move, if batched and at depth 1
    Entry *table


cdef uint64_t tree_nodes(PlainPosition *p, int depth) noexcept nogil:
    """Return the number of moves that plain minimax makes below this position."""
    cdef int16_t[MAX_STONES] cells
    cdef int k, count
    cdef uint64_t nodes
    if depth == 1 and p.stones and not p.fouls:
        return count_candidates(p)
    count = find_candidates(p, cells)
    nodes = count
    if depth > 1:
        for k in range(count):
            if not wins_at(p, cells[k]):
                make(p, cells[k])
                nodes += tree_nodes(p, depth - 1)
                unmake(p)
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


cdef inline double leaf_value(State *s) noexcept nogil:
    """Return the static value of the position for the side to move."""
    return called_value(s) if s.position.evaluation == CALLED else static_value(s.position)


cdef void sort_by_value(State *s, int16_t *cells, int count) noexcept nogil:
    """Sort the moves by the value of the position after each, best first.

    Equal moves keep their order.
    """
    cdef PlainPosition *p = s.position
    cdef double[MAX_STONES] values
    cdef double value
    cdef int k, place, cell
    if s.batched:
        call_batch(s, cells, count)
    for k in range(count):
        cell = cells[k]
        if wins_at(p, cell):
            value = WON
        elif s.batched:
            value = s.batch[cell]
        else:
            make(p, cell)
            value = -leaf_value(s) if p.empties else 0
            unmake(p)
        place = k
        while place and values[place - 1] < value:
            values[place] = values[place - 1]
            cells[place] = cells[place - 1]
            place -= 1
        values[place] = value
        cells[place] = <int16_t> cell


cdef double move_value(
    State *s, int cell, int depth, double alpha, double beta, int ply
) noexcept nogil:
    """Make a move, search the position after it to ``depth - 1``, and undo the move."""
    cdef PlainPosition *p = s.position
    cdef double score
    if s.nodes == s.limit:
        s.stopped = True
    if s.stopped:
        return 0
    s.nodes += 1
    if wins_at(p, cell):
        return WON - ply - 1
    if depth == 1 and s.batched:
        return s.batch[cell]
    make(p, cell)
    if not p.empties:
        score = 0
    elif depth == 1:
        score = -leaf_value(s)
    elif s.method == MINIMAX:
        score = -negamax(s, depth - 1, -BEYOND, BEYOND, ply + 1)
    else:
        score = -negamax(s, depth - 1, -beta, -alpha, ply + 1)
    unmake(p)
    return score


cdef double negamax(
    State *s, int depth, double alpha, double beta, int ply
) noexcept nogil:
    """Return the value for the side to move, fail-soft.

    The game is not over, and ``depth`` is at least 1. Without a legal candidate it is
    the static value.
    """
    cdef int16_t[MAX_STONES] cells
    cdef int k, count, ready = 0, best_cell = NO_CELL
    cdef double score, best = -BEYOND, old_alpha = alpha
    cdef Entry *entry = NULL
    cdef PlainPosition *p = s.position
    cdef uint64_t key = 0
    count = find_candidates(p, cells)
    if not count:
        return leaf_value(s)
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
            sort_by_value(s, cells, count)
        to_front(cells, count, s.killer[ply])
        if entry != NULL and entry.key == key and entry.move != NO_CELL:
            to_front(cells, count, entry.move)
    for k in range(count):
        if s.batched and depth == 1 and k == ready:     # few at first: a cut may come
            ready = count if s.method == MINIMAX else min(count, FIRST_BATCH * (k + 1))
            call_batch(s, &cells[k], ready - k)
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
                s.cutoffs += k + 1 < count
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


class SearchMethod(IntEnum):
    """Search method; each one adds a technique to the one before it."""

    MINIMAX = 0
    ALPHABETA = 1
    ORDERED = 2
    TABLE = 3


DepthResult = namedtuple(
    "DepthResult", "move score nodes evaluations cutoffs seconds finished"
)
DepthResult.__doc__ = """Result of a search to one depth.

``nodes`` are moves made, ``evaluations`` static evaluations (those that order moves
are evaluations, not nodes). ``cutoffs`` are positions in which a move made others
needless. ``seconds`` are processor time. The score of a win is 10,000,000 minus its
plies. If a limit came first, ``finished`` is False and ``move`` and ``score`` have
no meaning.
"""


cdef int checked(int depth) except -1:
    if not 1 <= depth <= MAX_DEPTH:
        raise ValueError(f"the depth is 1 to {MAX_DEPTH}, not {depth}")
    return depth


cdef object move_of(int cell):
    return Move(cell_x(cell), cell_y(cell))


cdef double limited(object value) except? -1:
    """Return the value of a function as a number within +-MAX_CALLED."""
    cdef double number = value
    if isnan(number):
        raise ValueError("the evaluation returned NaN, not a number")
    return max(-MAX_CALLED, min(MAX_CALLED, number))


cdef int search_root(
    State *s, int depth, int16_t *cells, double *values, int count, bint exact
) noexcept nogil:
    """Search the root's moves in search order, and return the index of the best.

    ``values`` receives the value of each move: with ``exact`` the exact value,
    otherwise a bound for each move that is not better than the best so far.
    """
    cdef int k, best = 0
    cdef double alpha = -BEYOND
    if depth == 1 and s.batched:
        call_batch(s, cells, count)
    if s.method >= ORDERED and depth > 1:
        sort_by_value(s, cells, count)
    for k in range(count):
        values[k] = move_value(s, cells[k], depth, -BEYOND if exact else alpha, BEYOND, 0)
        if s.stopped:
            return best
        if values[k] > values[best]:
            best = k
        alpha = values[best]
        if alpha == WON - 1 and s.method != MINIMAX and not exact:
            s.cutoffs += k + 1 < count
            break       # no move is better than a win at once
    return best


@cython.final
cdef class PlainSearch:
    """Fixed-depth searches whose cutoffs never change the value.

    ``evaluation`` is a ``SourceEvaluation``, or a function that receives a ``Board``
    and returns its value for the side to move; values are limited to +-1,000,000. With
    ``batched`` it receives a list of boards, the positions after several moves of one
    position, and returns a value for each (a list or a numpy array). The search uses
    the boards again: copy one that you keep. The function is not called for a position
    whose game is over.

    ``radius`` 1 or 2: the moves tried are the legal cells at most so far from a stone
    (a diagonal step counts as one); 0: every legal cell.

    The methods that search raise ValueError for a finished game, for a position without
    a legal candidate and for a depth outside 1..20. A search that is running refuses
    another one (RuntimeError).
    """
    cdef State *state
    cdef PlainPosition *position
    cdef Evaluation ours        # our evaluation of the rule of the last position
    cdef object function
    cdef Board board            # for the function: the position of the search
    cdef list batch             # boards for a batch, used again and again
    cdef int root               # stones of the position that is searched
    cdef object error           # of the function
    cdef object seconds         # of the last search

    def __cinit__(self):
        self.batch = []
        self.position = take_position()
        self.state = <State *> calloc(1, sizeof(State))
        if self.state != NULL:
            self.state.position = self.position
            self.state.search = <void *> self
            self.state.table = <Entry *> calloc(TABLE_SIZE, sizeof(Entry))
        if self.state == NULL or self.state.table == NULL:
            raise MemoryError("no memory for a plain search")

    def __dealloc__(self):
        free_position(self.position)
        if self.state != NULL:
            free(self.state.table)
        free(self.state)

    def __init__(
        self, evaluation, method=SearchMethod.ORDERED, int radius=2, *, bint batched=False
    ):
        if not 0 <= radius <= MAX_RADIUS:
            raise ValueError(f"the radius is 0 to {MAX_RADIUS}, not {radius}")
        if batched and not callable(evaluation):
            raise ValueError("only a function takes a batch of boards")
        if callable(evaluation):
            self.function = evaluation
            self.position.evaluation = CALLED
        else:
            self.position.evaluation = SourceEvaluation(evaluation)
        self.position.radius = radius
        self.state.method = SearchMethod(method)
        self.state.batched = batched

    cdef int load(self, Board board, nodes, int depth) except -1:
        """Load a position; raises ValueError if it cannot be searched to ``depth``.

        Depth 0 only evaluates the position, in which the game may be over.
        """
        cdef State *s = self.state
        if s.running:
            raise RuntimeError("this search is running: take another PlainSearch")
        if depth and board.is_over:
            raise ValueError("the game is over")
        if self.ours is None or self.ours.rule != board.rule_code:
            self.ours = evaluation_of(board.rule_code)
            free_evaluator(s.position.evaluator)
            s.position.evaluator = NULL
        if s.position.evaluation == CALLED:
            self.board = board.copy()
            self.root = self.board.state.ply
        set_up_plain(s.position, board, self.ours)
        s.stopped = False
        s.nodes = s.cutoffs = 0
        s.limit = (<uint64_t> 1 << 62) if nodes is None else nodes
        s.salt += <uint64_t> 0x9E3779B97F4A7C15     # no older entry matches any more
        memset(s.killer, 0, sizeof(s.killer))
        return 0

    cdef int run(
        self, Board board, int depth, nodes, int16_t *cells, double *values, int *best
    ) except -1:
        """Search a position and return the number of its candidates.

        ``best`` receives the index of the best one; NULL requests exact values of all.
        """
        cdef int count, first
        self.load(board, nodes, checked(depth))
        count = find_candidates(self.position, cells)
        if not count:
            raise ValueError("the side to move has no legal candidate")
        self.state.running = True
        start = clock()
        with nogil:
            first = search_root(self.state, depth, cells, values, count, best == NULL)
        self.seconds = clock() - start
        self.state.running = False
        self.raise_error()
        if best != NULL:
            best[0] = first
        return count

    cdef int raise_error(self) except -1:
        error, self.error = self.error, None
        if error is not None:
            raise error
        return 0

    cdef object number(self, double value):
        """Return a value as it was made: whole unless a function made it."""
        return value if self.position.evaluation == CALLED else int(value)

    cdef int follow(self) except -1:
        """Bring the board of the function to the position of the search."""
        cdef PlainPosition *p = self.position
        cdef int keep = self.root
        if self.board.state.ply < keep:
            raise RuntimeError("the evaluation took back moves of its board")
        while (
            keep < min(p.stones, self.board.state.ply)
            and self.board.state.plies[keep + 1].move == p.saved[keep].cell
        ):
            keep += 1
        while self.board.state.ply > keep:
            self.board.undo()
        while self.board.state.ply < p.stones:
            self.board.play(move_of(p.saved[self.board.state.ply].cell))
        return 0

    def search(self, Board board not None, int depth, nodes=None):
        """Return the best move after exactly ``depth`` plies; ``nodes`` is a limit.

        Of equally good moves it is the first in search order.
        """
        cdef int16_t[MAX_STONES] cells
        cdef double[MAX_STONES] values
        cdef int best
        self.run(board, depth, nodes, cells, values, &best)
        return DepthResult(
            move_of(cells[best]), self.number(values[best]), self.state.nodes,
            self.position.evaluations, self.state.cutoffs, self.seconds,
            not self.state.stopped,
        )

    def values(self, Board board not None, int depth, nodes=None):
        """Return the exact value of every candidate; None if the limit stopped the
        search.
        """
        cdef int16_t[MAX_STONES] cells
        cdef double[MAX_STONES] values
        cdef int count = self.run(board, depth, nodes, cells, values, NULL)
        if self.state.stopped:
            return None
        return {move_of(cells[k]): self.number(values[k]) for k in range(count)}

    def tree_size(self, Board board not None, int depth):
        """Count the nodes of plain minimax, without a search."""
        cdef uint64_t nodes
        self.load(board, None, checked(depth))
        self.state.running = True
        with nogil:
            nodes = tree_nodes(self.position, depth)
        self.state.running = False
        return nodes

    def evaluate(self, Board board not None):
        """Return the static evaluation for the side to move."""
        self.load(board, None, 0)
        value = self.number(leaf_value(self.state))
        self.raise_error()
        return value

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


cdef double called_value(State *s) noexcept with gil:
    """Return the function's value of the position; 0 after an error."""
    cdef PlainSearch search = <PlainSearch> s.search
    if s.stopped:
        return 0
    try:
        search.follow()
        s.position.evaluations += 1
        if not s.batched:
            return limited(search.function(search.board))
        (value,) = search.function([search.board])
        return limited(value)
    except BaseException as error:
        search.error = error
        s.stopped = True
        return 0


cdef void call_batch(State *s, const int16_t *cells, int count) noexcept with gil:
    """Fill in the batch: the function's values of the moves, which end no game."""
    cdef PlainSearch search = <PlainSearch> s.search
    cdef list places = []
    cdef Board board
    cdef int k
    if s.stopped:
        return
    try:
        search.follow()
        for k in range(count):
            s.batch[cells[k]] = 0       # of a move that fills the board
            if s.position.empties > 1 and not wins_at(s.position, cells[k]):
                if len(places) == len(search.batch):
                    search.batch.append(Board())
                board = search.batch[len(places)]
                board.take_over(search.board)
                board.play(move_of(cells[k]))
                places.append(cells[k])
        if not places:
            return
        s.position.evaluations += len(places)
        values = list(search.function(search.batch[:len(places)]))
        if len(values) != len(places):
            raise ValueError(f"{len(values)} values for {len(places)} boards")
        for cell, value in zip(places, values):
            s.batch[<int> cell] = -limited(value)
    except BaseException as error:
        search.error = error
        s.stopped = True


def win_in(double score):
    """Return the plies to the end by a score, negative if lost; None if undecided."""
    if score > WON_ZONE:
        return int(WON - score)
    if score < -WON_ZONE:
        return -int(WON + score)
    return None
