"""The evaluations and searches of the source reports, written afresh to be measured.

Two evaluations: the rule score of shape counts (S1 to S3) and the best shape of every
stone (S4). Ours may take their place in the same searches, alone or with the static tests
for wins, which our search makes before it trusts it. Four searches of a fixed
depth: plain minimax, alpha-beta, alpha-beta with ordered moves, and that with a table.
None of them extends, reduces or prunes on a guess, so all four find the same value, and
one node is one move made, as everywhere in the package. Freestyle only: five or more win.
"""

cimport cython
from libc.stdint cimport int8_t, int16_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from gomoku_brain.eval.evaluate cimport (
    Evaluation as EvaluationUsed, Evaluator, evaluate, free_evaluator, set_up
)
from gomoku_brain.game.bits cimport ctz32
from gomoku_brain.game.board cimport (
    BoardState, make_move, stone_at, undo_move
)
from gomoku_brain.game.geometry cimport (
    CELLS, LINES, MARGIN, NO_CELL, STRIDE, cell_of, cell_x, cell_y, direction_step,
    line_index, line_place
)
from gomoku_brain.game.position cimport Board
from gomoku_brain.game.rules cimport EMPTY, FREESTYLE, MAX_STONES, WHITE
from gomoku_brain.game.zobrist cimport WHITE_TO_MOVE, ZOBRIST
from gomoku_brain.search.threats cimport static_win
from gomoku_brain.study.shape_counts cimport (
    FIVE_SHAPE, centre_bonus, count_in, count_line, entry_at, rule_score
)

from collections import namedtuple
from enum import IntEnum

from gomoku_brain.eval.evaluate import evaluation_of
from gomoku_brain.game.notation import Move

cdef enum:
    RULES = 0               # as Evaluation
    STONES = 1
    OURS = 2
    PROVED = 3
    MINIMAX = 0             # as Method
    ALPHABETA = 1
    ORDERED = 2
    TABLE = 3
    MOST_DEPTH = 20
    MOST_RADIUS = 2
    TABLE_SIZE = 1 << 18
    SEEN = 100_000          # PROVED: a win that the static tests see
    WON = 10_000_000        # a win at the root, 0 plies away
    WON_ZONE = 9_000_000    # beyond it somebody wins by force
    BEYOND = 11_000_000

# What a stone's best shape is worth (S4), by shape.
cdef int[8] STONE = [0, 10, 100, 100, 1_000, 1_000, 10_000, 100_000]


cdef struct Entry:              # of the table: one position of the present search
    uint64_t key
    int score
    int16_t move
    int8_t depth
    int8_t bound                # 0 exact, 1 at least, -1 at most


cdef struct Saved:              # what taking a move back restores
    uint64_t[4][2] counts
    uint32_t[2 * MOST_RADIUS + 1] near
    int cell


cdef struct State:
    int width
    int height
    int side
    int ply
    int empties
    int evaluation
    int method
    int radius
    bint stopped
    uint64_t key
    uint64_t nodes              # moves made
    uint64_t evaluations        # static evaluations taken, those for ordering included
    uint64_t limit              # of nodes
    uint64_t salt               # tells the entries of this search from older ones
    uint64_t[4 * LINES] lines   # as BoardState's
    uint32_t[STRIDE] empty      # padded rows of empty cells
    uint32_t[STRIDE] near       # padded rows of cells near a stone (radius 0: all)
    uint64_t[4 * LINES][2] counts   # line, side -> its shapes, SHAPE_BITS each, packed
    uint64_t[2] totals          # their sums
    uint8_t[CELLS][4] shape_of  # STONES: the shape of each stone on its four lines
    int[2] worth                # STONES: the sum over the stones of a side
    int[2] centre               # RULES: how near to the centre the stones stand
    int[MOST_DEPTH + 1] killer  # by ply: the cell that last cut there
    Saved[MAX_STONES + 1] saved
    Evaluator *evaluator
    BoardState *board           # OURS and PROVED: the same position for our evaluation
    Entry *table


cdef inline int line_of(int cell, int direction) noexcept nogil:
    return direction * LINES + line_index(cell, direction)


cdef inline int best_shape(const State *s, int cell) noexcept nogil:
    cdef int d, best = 0
    for d in range(4):
        best = max(best, s.shape_of[cell][d])
    return best


cdef void renew_stones(State *s, int cell) noexcept nogil:
    """The shapes of the stones on the four lines through a cell that has changed."""
    cdef int d, k, place, at, stone, step, old
    cdef uint64_t line
    for d in range(4):
        line = s.lines[line_of(cell, d)]
        step = direction_step(d)
        for k in range(-4, 5):
            place = line_place(cell, d) + k
            stone = <int> (line >> 2 * place & 3)
            if stone > WHITE:
                continue
            at = cell + k * step
            old = STONE[best_shape(s, at)]
            s.shape_of[at][d] = <uint8_t> (entry_at(line, place, stone) & 15)
            s.worth[stone] += STONE[best_shape(s, at)] - old


cdef void put(State *s, int cell, int stone) noexcept nogil:
    """Place a stone of either side, or a wall, and pass no turn."""
    cdef int d, k, row, index
    cdef uint32_t reach
    cdef Saved *saved = &s.saved[s.ply]
    s.ply += 1
    saved.cell = cell
    s.key ^= ZOBRIST[stone][cell]
    s.empty[cell >> 5] &= ~(<uint32_t> 1 << (cell & 31))
    s.empties -= 1
    reach = (<uint32_t> (1 << 2 * s.radius + 1) - 1) << ((cell & 31) - s.radius)
    for k in range(-s.radius, s.radius + 1):
        row = (cell >> 5) + k
        saved.near[k + MOST_RADIUS] = s.near[row]
        s.near[row] |= reach
    for d in range(4):
        index = line_of(cell, d)
        s.lines[index] ^= <uint64_t> (EMPTY ^ stone) << 2 * line_place(cell, d)
        if s.evaluation == RULES:
            for k in range(2):
                saved.counts[d][k] = s.counts[index][k]
                s.totals[k] -= s.counts[index][k]
            count_line(s.lines[index], s.counts[index])
            for k in range(2):
                s.totals[k] += s.counts[index][k]
    if s.evaluation == RULES and stone <= WHITE:
        s.centre[stone] += centre_bonus(s.width, s.height, cell)
    if s.evaluation == STONES:
        renew_stones(s, cell)


cdef void take(State *s) noexcept nogil:
    """Undo the last ``put`` of a stone."""
    cdef int d, k, index
    cdef Saved *saved = &s.saved[s.ply - 1]
    cdef int cell = saved.cell
    cdef int stone = <int> (s.lines[line_of(cell, 0)] >> 2 * line_place(cell, 0) & 3)
    s.ply -= 1
    s.key ^= ZOBRIST[stone][cell]
    s.empty[cell >> 5] |= <uint32_t> 1 << (cell & 31)
    s.empties += 1
    for k in range(-s.radius, s.radius + 1):
        s.near[(cell >> 5) + k] = saved.near[k + MOST_RADIUS]
    for d in range(4):
        index = line_of(cell, d)
        s.lines[index] ^= <uint64_t> (EMPTY ^ stone) << 2 * line_place(cell, d)
        if s.evaluation == RULES:
            for k in range(2):
                s.totals[k] += saved.counts[d][k] - s.counts[index][k]
                s.counts[index][k] = saved.counts[d][k]
    if s.evaluation == RULES:
        s.centre[stone] -= centre_bonus(s.width, s.height, cell)
    if s.evaluation == STONES:
        s.worth[stone] -= STONE[best_shape(s, cell)]
        memset(s.shape_of[cell], 0, 4)
        renew_stones(s, cell)


cdef inline void make(State *s, int cell) noexcept nogil:
    put(s, cell, s.side)
    s.side ^= 1
    if s.evaluation >= OURS:
        make_move(s.board, cell)


cdef inline void unmake(State *s) noexcept nogil:
    if s.evaluation >= OURS:
        undo_move(s.board)
    s.side ^= 1
    take(s)


cdef inline bint is_five(const State *s, int cell, int side) noexcept nogil:
    """Whether the side's stone on the cell stands in a five."""
    cdef int d
    for d in range(4):
        if (
            entry_at(s.lines[line_of(cell, d)], line_place(cell, d), side) & 15
        ) == FIVE_SHAPE:
            return True
    return False


cdef inline int static_value(State *s) noexcept nogil:
    """The chosen evaluation, for the side to move."""
    cdef int proved, cell
    s.evaluations += 1
    if s.evaluation == RULES:
        return rule_score(
            s.totals[s.side], s.totals[s.side ^ 1], s.centre[s.side] - s.centre[s.side ^ 1]
        )
    if s.evaluation == STONES:
        return max(-1_000_000, min(1_000_000, s.worth[s.side] - s.worth[s.side ^ 1]))
    if s.evaluation == PROVED:
        proved = static_win(s.board, &cell)
        if proved:
            return SEEN - proved if proved > 0 else -SEEN - proved
    return evaluate(s.evaluator, s.board)


cdef int find_candidates(const State *s, int16_t *cells) noexcept nogil:
    """The cells to try, row by row: empty and near a stone; of an empty board the middle.

    Radius 0 means every empty cell.
    """
    cdef int row, count = 0
    cdef uint32_t bits
    for row in range(MARGIN, MARGIN + s.height):
        bits = s.near[row] & s.empty[row]
        while bits:
            cells[count] = <int16_t> (row << 5 | ctz32(bits))
            count += 1
            bits &= bits - 1
    if not count and s.empties == s.width * s.height:
        cells[0] = <int16_t> cell_of(s.width / 2, s.height / 2)
        count = 1
    return count


cdef inline int bits_in(uint32_t word) noexcept nogil:
    word -= word >> 1 & 0x55555555
    word = (word & 0x33333333) + (word >> 2 & 0x33333333)
    return <int> (((word + (word >> 4)) & 0x0F0F0F0F) * 0x01010101 >> 24)


cdef uint64_t tree_nodes(State *s, int depth) noexcept nogil:
    """How many moves plain minimax makes below this position."""
    cdef int16_t[MAX_STONES] cells
    cdef int k, count, row
    cdef uint64_t nodes
    if depth == 1 and s.ply:
        count = 0
        for row in range(MARGIN, MARGIN + s.height):
            count += bits_in(s.near[row] & s.empty[row])
        return count
    count = find_candidates(s, cells)
    nodes = count
    if depth > 1:
        for k in range(count):
            put(s, cells[k], s.side)
            if not is_five(s, cells[k], s.side):
                s.side ^= 1
                nodes += tree_nodes(s, depth - 1)
                s.side ^= 1
            take(s)
    return nodes


cdef inline void to_front(int16_t *cells, int count, int cell) noexcept nogil:
    """Move a cell to the front of a list, if it is there; the rest keep their order."""
    cdef int k
    for k in range(count):
        if cells[k] == cell:
            while k:
                cells[k] = cells[k - 1]
                k -= 1
            cells[0] = <int16_t> cell
            return


cdef void sort_by_value(State *s, int16_t *cells, int count) noexcept nogil:
    """The moves after which the position is best first; equal ones stay in order."""
    cdef int[MAX_STONES] values
    cdef int k, place, value, cell
    for k in range(count):
        cell = cells[k]
        make(s, cell)
        value = WON if is_five(s, cell, s.side ^ 1) else -static_value(s)
        unmake(s)
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
    """Make a move, search what follows to ``depth`` - 1, and take it back."""
    cdef int score
    s.nodes += 1
    if s.nodes > s.limit:
        s.stopped = True
        return 0
    make(s, cell)
    if is_five(s, cell, s.side ^ 1):
        score = WON - ply - 1
    elif not s.empties:
        score = 0
    elif depth == 1:
        score = -static_value(s)
    elif s.method == MINIMAX:
        score = -negamax(s, depth - 1, -BEYOND, BEYOND, ply + 1)
    else:
        score = -negamax(s, depth - 1, -beta, -alpha, ply + 1)
    unmake(s)
    return score


cdef int negamax(State *s, int depth, int alpha, int beta, int ply) noexcept nogil:
    """The value for the side to move, fail-soft; the game is not over and depth > 0."""
    cdef int16_t[MAX_STONES] cells
    cdef int k, count, score, best = -BEYOND, best_cell = NO_CELL, old_alpha = alpha
    cdef Entry *entry = NULL
    cdef uint64_t key = 0
    count = find_candidates(s, cells)
    if s.method == TABLE:
        key = s.key ^ (WHITE_TO_MOVE if s.side else 0) ^ s.salt
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


class Evaluation(IntEnum):
    """Which static evaluation ends the lines.

    The rule score of S1 to S3, the best shape of every stone of S4, ours, and ours
    after the static tests for wins (a win seen is 100,000 less its plies).
    """

    RULES = 0
    STONES = 1
    OURS = 2
    PROVED = 3


class Method(IntEnum):
    """How the tree is searched; each has what the one before it has, and more."""

    MINIMAX = 0
    ALPHABETA = 1
    ORDERED = 2
    TABLE = 3


Found = namedtuple("Found", "move score nodes evaluations finished")
Found.__doc__ = """What a search of one depth found.

``nodes`` are moves made, ``evaluations`` static evaluations (those that order moves
are evaluations, not nodes). When a limit came first, ``finished`` is False and
``move`` and ``score`` mean nothing.
"""


cdef int checked(int depth) except -1:
    if not 1 <= depth <= MOST_DEPTH:
        raise ValueError(f"the depth is 1 to {MOST_DEPTH}, not {depth}")
    return depth


cdef int search_root(
    State *s, int depth, int16_t *cells, int *values, int count, bint exact
) noexcept nogil:
    """Search the root's moves, put into search order; the index of the best.

    ``values`` gets what was found of each move: the exact value with ``exact``, otherwise
    at or below the best one a bound.
    """
    cdef int k, alpha = -BEYOND, best = 0
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
            break       # nothing is better than to win now
    return best


@cython.final
cdef class PlainSearch:
    """Fixed-depth searches that cut only what cannot change the value.

    ``radius`` 1 or 2: the moves tried are the empty cells so near to a stone (diagonal
    steps count as one); 0: every empty cell. All calls raise ValueError for another
    rule than freestyle, and those that search for a game that is over and for a depth
    that is not 1..20.
    """
    cdef State *state
    cdef EvaluationUsed ours

    def __cinit__(self):
        self.state = <State *> calloc(1, sizeof(State))
        if self.state != NULL:
            self.state.board = <BoardState *> calloc(1, sizeof(BoardState))
            self.state.table = <Entry *> calloc(TABLE_SIZE, sizeof(Entry))
        if self.state == NULL or self.state.board == NULL or self.state.table == NULL:
            raise MemoryError("no memory for a plain search")
        self.ours = evaluation_of(FREESTYLE)

    def __dealloc__(self):
        if self.state != NULL:
            free_evaluator(self.state.evaluator)
            free(self.state.board)
            free(self.state.table)
        free(self.state)

    def __init__(self, evaluation, method=Method.ORDERED, int radius=2):
        if not 0 <= radius <= MOST_RADIUS:
            raise ValueError(f"the radius is 0 to {MOST_RADIUS}, not {radius}")
        self.state.evaluation = Evaluation(evaluation)
        self.state.method = Method(method)
        self.state.radius = radius

    cdef int load(self, Board board, nodes, int depth) except -1:
        """Take a position over; raises ValueError for what cannot be searched so deep.

        Depth 0 is for a look at the position, which may be one where the game is over.
        """
        cdef State *s = self.state
        cdef int x, y, d, cell, stone
        if board.rule_code != FREESTYLE:
            raise ValueError("the sources' searches know only the freestyle rule")
        if depth and (board.winner is not None or board.is_full):
            raise ValueError("the game is over")
        s.width = board.state.width
        s.height = board.state.height
        s.side = board.state.side
        s.empties = s.width * s.height
        s.ply = 0
        s.key = 0
        memset(s.lines, 0xAA, sizeof(s.lines))      # walls everywhere
        memset(s.counts, 0, sizeof(s.counts))
        memset(s.totals, 0, sizeof(s.totals))
        memset(s.shape_of, 0, sizeof(s.shape_of))
        memset(s.worth, 0, sizeof(s.worth))
        memset(s.centre, 0, sizeof(s.centre))
        memset(s.empty, 0, sizeof(s.empty))
        memset(s.near, 0 if s.radius else 0xFF, sizeof(s.near))
        for x in range(s.width):
            for y in range(s.height):
                cell = cell_of(x, y)
                s.empty[cell >> 5] |= <uint32_t> 1 << (cell & 31)
                for d in range(4):      # WALL to EMPTY
                    s.lines[line_of(cell, d)] ^= <uint64_t> 1 << 2 * line_place(cell, d)
        for x in range(s.width):
            for y in range(s.height):
                stone = stone_at(board.state, cell_of(x, y))
                if stone != EMPTY:
                    put(s, cell_of(x, y), stone)
        if s.evaluation >= OURS:
            if s.evaluator == NULL:
                s.evaluator = self.ours.new_evaluator()
            set_up(s.evaluator, s.board, board.state)
        s.stopped = False
        s.nodes = 0
        s.evaluations = 0
        s.limit = (<uint64_t> 1 << 62) if nodes is None else nodes
        s.salt += <uint64_t> 0x9E3779B97F4A7C15     # old entries fit no position now
        memset(s.killer, 0, sizeof(s.killer))
        return 0

    def search(self, Board board not None, int depth, nodes=None):
        """The best move after exactly ``depth`` plies; ``nodes`` is a limit.

        Of equally good moves the first in search order.
        """
        cdef int16_t[MAX_STONES] cells
        cdef int[MAX_STONES] values
        cdef int count, best
        self.load(board, nodes, checked(depth))
        with nogil:
            count = find_candidates(self.state, cells)
            best = search_root(self.state, depth, cells, values, count, False)
        return Found(
            Move(cell_x(cells[best]), cell_y(cells[best])), values[best],
            self.state.nodes, self.state.evaluations, not self.state.stopped
        )

    def values(self, Board board not None, int depth, nodes=None):
        """The exact value of every candidate; None when the limit came first."""
        cdef int16_t[MAX_STONES] cells
        cdef int[MAX_STONES] values
        cdef int count, k
        self.load(board, nodes, checked(depth))
        with nogil:
            count = find_candidates(self.state, cells)
            search_root(self.state, depth, cells, values, count, True)
        if self.state.stopped:
            return None
        return {Move(cell_x(cells[k]), cell_y(cells[k])): values[k] for k in range(count)}

    def tree_size(self, Board board not None, int depth):
        """How many nodes plain minimax takes: counted, not searched."""
        cdef uint64_t nodes
        self.load(board, None, checked(depth))
        with nogil:
            nodes = tree_nodes(self.state, depth)
        return nodes

    def evaluate(self, Board board not None):
        """The static evaluation for the side to move."""
        self.load(board, None, 0)
        return static_value(self.state)

    def shape_counts(self, Board board not None):
        """For black and for white: blocked twos, open twos, blocked threes, open
        threes, fours, open fours, fives. ValueError unless the evaluation is RULES."""
        cdef int side, shape
        if self.state.evaluation != RULES:
            raise ValueError("only the rule score counts shapes")
        self.load(board, None, 0)
        return tuple([
            tuple([count_in(self.state.totals[side], shape) for shape in range(1, 8)])
            for side in range(2)
        ])

    @property
    def nodes(self):
        """Nodes of the last search or ``values``."""
        return self.state.nodes


def win_in(int score):
    """Plies to the end that a score tells (negative = lost); None when undecided."""
    if score > WON_ZONE:
        return WON - score
    if score < -WON_ZONE:
        return -(WON + score)
    return None
