"""Position of a plain search: the changes that a stone makes, and static evaluations.

Two evaluations come from the sources: the rule score of shape counts (S1 to S3) and the
best shape of every stone (S4). Ours can take their place, alone or after the static
tests for wins that our search makes first. The sources' shapes are those of freestyle;
under the other rules a five that does not win counts nothing.
"""

from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from gomoku_brain.eval.evaluate cimport (
    Evaluation, evaluate, free_evaluator, set_up
)
from gomoku_brain.plain.shape_counts cimport (
    FIVE_SHAPE, SHAPE_BITS, centre_bonus, count_line, entry_at, rule_score
)
from gomoku_brain.game.bits cimport pop_lsb32
from gomoku_brain.game.board cimport BoardState, stone_at
from gomoku_brain.game.forbidden cimport is_forbidden
from gomoku_brain.game.geometry cimport (
    MARGIN, cell_of, column_bit, direction_step, line_place, padded_x, padded_y
)
from gomoku_brain.game.position cimport Board
from gomoku_brain.game.rules cimport EMPTY, FREESTYLE, WHITE
from gomoku_brain.game.zobrist cimport ZOBRIST
from gomoku_brain.tactics.threats cimport static_win

# Value of a stone's best shape (S4), by shape.
cdef int[8] STONE = [0, 10, 100, 100, 1_000, 1_000, 10_000, 100_000]


cdef inline int stone_value(const PlainPosition *s, int cell) noexcept nogil:
    cdef int d, best = 0
    for d in range(4):
        best = max(best, s.shape_of[cell][d])
    return STONE[best] if best < FIVE_SHAPE or s.is_won else 0


cdef void renew_stones(PlainPosition *s, int cell) noexcept nogil:
    """Update the shapes of the stones on the four lines through a changed cell."""
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
            old = stone_value(s, at)
            s.shape_of[at][d] = <uint8_t> (entry_at(line, place, stone) & 15)
            s.worth[stone] += stone_value(s, at) - old


cdef void put(PlainPosition *s, int cell, int stone) noexcept nogil:
    """Place a stone of either side, or a wall; the side to move stays the same."""
    cdef int d, k, row, index
    cdef uint32_t reach
    cdef Saved *saved = &s.saved[s.stones]
    s.stones += 1
    saved.cell = cell
    s.key ^= ZOBRIST[stone][cell]
    s.empty[padded_y(cell)] &= ~column_bit(cell)
    s.empties -= 1
    reach = (<uint32_t> (1 << 2 * s.radius + 1) - 1) << (padded_x(cell) - s.radius)
    for k in range(-s.radius, s.radius + 1):
        row = padded_y(cell) + k
        saved.near[k + MAX_RADIUS] = s.near[row]
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


cdef void take(PlainPosition *s) noexcept nogil:
    """Undo the last ``put`` of a stone."""
    cdef int d, k, index
    cdef Saved *saved = &s.saved[s.stones - 1]
    cdef int cell = saved.cell
    cdef int stone = <int> (s.lines[line_of(cell, 0)] >> 2 * line_place(cell, 0) & 3)
    s.stones -= 1
    s.key ^= ZOBRIST[stone][cell]
    s.empty[padded_y(cell)] |= column_bit(cell)
    s.empties += 1
    for k in range(-s.radius, s.radius + 1):
        s.near[padded_y(cell) + k] = saved.near[k + MAX_RADIUS]
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
        s.worth[stone] -= stone_value(s, cell)
        memset(s.shape_of[cell], 0, 4)
        renew_stones(s, cell)


cdef int static_value(PlainPosition *s) noexcept nogil:
    """Return the value of the chosen evaluation, for the side to move."""
    cdef int proved, cell
    cdef uint64_t mask = (<uint64_t> 1 << SHAPE_BITS * (FIVE_SHAPE - 1 + s.is_won)) - 1
    s.evaluations += 1
    if s.evaluation == RULES:
        return rule_score(
            s.totals[s.side] & mask, s.totals[s.side ^ 1] & mask,
            s.centre[s.side] - s.centre[s.side ^ 1],
        )
    if s.evaluation == STONES:
        return max(-1_000_000, min(1_000_000, s.worth[s.side] - s.worth[s.side ^ 1]))
    if s.evaluation == PROVED:
        proved = static_win(s.board, &cell)
        if proved:
            return SEEN - proved if proved > 0 else -SEEN - proved
    return evaluate(s.evaluator, s.board)


cdef int find_candidates(const PlainPosition *s, int16_t *cells) noexcept nogil:
    """Find the cells to try, row by row, and return their number.

    They are the empty cells near a stone that are not forbidden; on an empty board, the
    middle. Radius 0 means every empty cell.
    """
    cdef int row, cell, count = 0
    cdef uint32_t bits
    for row in range(MARGIN, MARGIN + s.height):
        bits = s.near[row] & s.empty[row]
        while bits:
            cell = row << 5 | pop_lsb32(&bits)
            if not s.fouls or not is_forbidden(s.board, cell, s.side):
                cells[count] = <int16_t> cell
                count += 1
    if not count and s.empties == s.width * s.height:
        cells[0] = <int16_t> cell_of(s.width / 2, s.height / 2)
        count = 1
    return count


cdef inline int bits_in(uint32_t word) noexcept nogil:
    word -= word >> 1 & 0x55555555
    word = (word & 0x33333333) + (word >> 2 & 0x33333333)
    return <int> (((word + (word >> 4)) & 0x0F0F0F0F) * 0x01010101 >> 24)


cdef int count_candidates(const PlainPosition *s) noexcept nogil:
    """Return the number of cells that ``find_candidates`` finds on a board with stones.
    """
    cdef int row, count = 0
    for row in range(MARGIN, MARGIN + s.height):
        count += bits_in(s.near[row] & s.empty[row])
    return count


cdef PlainPosition *take_position() except NULL:
    """Allocate a position with the rule score and radius 0; raises MemoryError."""
    cdef PlainPosition *s = <PlainPosition *> calloc(1, sizeof(PlainPosition))
    if s != NULL:
        s.board = <BoardState *> calloc(1, sizeof(BoardState))
    if s == NULL or s.board == NULL:
        free_position(s)
        raise MemoryError("no memory for a plain search")
    return s


cdef void free_position(PlainPosition *s) noexcept nogil:
    """Free the memory of a position; NULL is allowed."""
    if s != NULL:
        free_evaluator(s.evaluator)
        free(s.board)
        free(s)


cdef int set_up_plain(PlainPosition *s, Board board, Evaluation ours) except -1:
    """Copy the position of a board; ``ours`` is our evaluation for its rule.

    Raises MemoryError.
    """
    cdef int x, y, d, cell, stone
    s.follows = s.evaluation >= OURS or board.rule_code != FREESTYLE
    s.fouls = board.state.tables.fouls
    s.is_won = board.winning_side >= 0
    s.width = board.state.width
    s.height = board.state.height
    s.side = board.state.side
    s.empties = s.width * s.height
    s.stones = 0
    s.key = 0
    s.evaluations = 0
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
            s.empty[padded_y(cell)] |= column_bit(cell)
            for d in range(4):      # WALL to EMPTY
                s.lines[line_of(cell, d)] ^= <uint64_t> 1 << 2 * line_place(cell, d)
    for x in range(s.width):
        for y in range(s.height):
            stone = stone_at(board.state, cell_of(x, y))
            if stone != EMPTY:
                put(s, cell_of(x, y), stone)
    if s.follows:
        if s.evaluator == NULL:
            s.evaluator = ours.new_evaluator()
        set_up(s.evaluator, s.board, board.state)
    return 0
