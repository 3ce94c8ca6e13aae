"""Line classes and ranks, generated from each rule's definition.

A *window* is the 2h + 1 cells of a line around a cell. Its class is the pattern that a
stone of one side in the centre makes. Classes are defined by recursion (a four is a stone
after which a five is threatened, an open three one after which an open four is
threatened, and so on), so there is no list of shapes. Cells beyond the first obstacle
on either side do not matter, which leaves a few thousand different windows. The tables
of a rule take milliseconds and are made when the rule is first used.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memset

from gomoku_brain.game.memory cimport return_memory, take_memory
from gomoku_brain.game.rules cimport (
    BLACK, EMPTY, RULE_CODES, WALL, RuleSpec, is_rule, rule_spec
)

cdef enum:
    SELF = 0            # states of a window's cell, from the view of the classified side
    OPPONENT = 1
    OUTSIDE = 2         # wall: stops a run, but is a stone of neither side
    FREE = 3
    CENTRE = 5          # index of the centre in a window array (the widest reach)
    WINDOW = 11
    HALF_CODES = 1024   # codes of one half-window, two bits a cell
    FIVE_REACH = 4      # greatest distance of two cells of one five
    UNKNOWN = 255

cdef struct Window:
    uint8_t[WINDOW] cells

cdef struct Classifier:
    RuleSpec spec
    # canonical code of the half-windows left and right -> class, or UNKNOWN
    uint8_t[HALF_CODES * HALF_CODES] memo

cdef RuleTables[RULE_CODES] TABLES
cdef bint[RULE_CODES] built


cdef bint is_five(const Window *window, int at, const RuleSpec *spec) noexcept nogil:
    """Whether the run through ``at`` wins (its ends lie inside the window)."""
    cdef int first = at, last = at
    cdef bint capped_left, capped_right
    while first > 0 and window.cells[first - 1] == SELF:
        first -= 1
    while last < WINDOW - 1 and window.cells[last + 1] == SELF:
        last += 1
    if last - first + 1 < 5:
        return False
    if last - first + 1 > 5:
        return not spec.exact
    if not spec.free_end:
        return True
    capped_left = first > 0 and window.cells[first - 1] == OPPONENT
    capped_right = last < WINDOW - 1 and window.cells[last + 1] == OPPONENT
    return not (capped_left and capped_right)


cdef uint32_t five_stoppers(
    Window *window, int five, int first, int last, const RuleSpec *spec
) noexcept nogil:
    """Return the cells (bits) where one opposing stone stops the five threatened at
    ``five``.

    A stone on ``five`` always stops it. If a five needs a free end, a stone at one of
    its ends may stop it as well.
    """
    cdef uint32_t cells = <uint32_t> 1 << five
    cdef int j
    if not spec.free_end:
        return cells
    window.cells[five] = SELF
    for j in range(first, last + 1):
        if window.cells[j] == FREE:
            window.cells[j] = OPPONENT
            if not is_five(window, five, spec):
                cells |= <uint32_t> 1 << j
            window.cells[j] = FREE
    window.cells[five] = FREE
    return cells


cdef int fours_class(Window *window, int first, int last, const RuleSpec *spec,
                     uint32_t *stoppers) noexcept nogil:
    """Return F4, B4 or OL if fives are threatened through the centre, else DEAD.

    ``stoppers`` receives the cells (bits) where one stone stops all those fives.
    """
    cdef int fives = 0, i, leftmost = 0, rightmost = 0
    cdef uint32_t common = <uint32_t> 0xFFFFFFFF
    cdef bint wins
    for i in range(max(first, CENTRE - FIVE_REACH), min(last, CENTRE + FIVE_REACH) + 1):
        if window.cells[i] != FREE:
            continue
        window.cells[i] = SELF
        wins = is_five(window, i, spec)
        window.cells[i] = FREE
        if wins:
            if not fives:
                leftmost = i
            rightmost = i
            fives += 1
            common &= five_stoppers(window, i, first, last, spec)
    stoppers[0] = common
    if not fives:
        return DEAD
    if spec.fouls and fives > 1 and not (fives == 2 and rightmost - leftmost == 5):
        return OL       # two fours on one line; a straight four's fives lie 5 apart
    return B4 if common else F4


cdef int classify(Classifier *self, Window *window) noexcept nogil:
    """Return the class of a window whose centre is SELF: the first match decides."""
    cdef int first = CENTRE, last = CENTRE, run_first, run_last, i, k, line_class
    cdef uint32_t stoppers
    cdef int[CLASSES] count
    cdef Window shifted

    while first > 0 and window.cells[first - 1] in (SELF, FREE):
        first -= 1
    while last < WINDOW - 1 and window.cells[last + 1] in (SELF, FREE):
        last += 1
    run_first = CENTRE
    run_last = CENTRE
    while run_first > first and window.cells[run_first - 1] == SELF:
        run_first -= 1
    while run_last < last and window.cells[run_last + 1] == SELF:
        run_last += 1
    if is_five(window, CENTRE, &self.spec):
        return F5
    if run_last - run_first + 1 > 5:
        return OL
    if last - first + 1 < 5:
        return DEAD
    line_class = fours_class(window, first, last, &self.spec, &stoppers)
    if line_class != DEAD:
        return line_class

    memset(count, 0, sizeof(count))
    for i in range(max(first, CENTRE - FIVE_REACH), min(last, CENTRE + FIVE_REACH) + 1):
        if window.cells[i] != FREE:
            continue
        for k in range(WINDOW):  # set the centre to i; cells that leave the window are OUTSIDE
            shifted.cells[k] = (
                window.cells[k + i - CENTRE] if 0 <= k + i - CENTRE < WINDOW else OUTSIDE
            )
        shifted.cells[CENTRE] = SELF
        count[class_of(self, &shifted)] += 1
    if count[F4] >= 2:
        return F3S
    if count[F4]:
        return F3
    if count[B4]:
        return B3
    if count[F3] + count[F3S] >= 4:
        return F2B
    if count[F3] + count[F3S] == 3:
        return F2A
    if count[F3] + count[F3S]:
        return F2
    if count[B3]:
        return B2
    if count[F2] + count[F2A] + count[F2B]:
        return F1
    if count[B2]:
        return B1
    return DEAD


cdef int class_of(Classifier *self, Window *window) noexcept nogil:
    """Return the result of ``classify`` for the canonical form of the window,
    cached.
    """
    cdef Window canonical
    cdef int k, state
    cdef uint32_t code = 0
    cdef bint cut = False
    for k in range(CENTRE - 1, -1, -1):
        state = OUTSIDE if cut else window.cells[k]
        if state in (OPPONENT, OUTSIDE):
            if not cut and not self.spec.free_end:
                state = OUTSIDE     # the kind of obstacle matters in caro only
            cut = True
        canonical.cells[k] = state
        code = code << 2 | state
    cut = False
    canonical.cells[CENTRE] = SELF
    for k in range(CENTRE + 1, WINDOW):
        state = OUTSIDE if cut else window.cells[k]
        if state in (OPPONENT, OUTSIDE):
            if not cut and not self.spec.free_end:
                state = OUTSIDE
            cut = True
        canonical.cells[k] = state
        code = code << 2 | state
    if self.memo[code] == UNKNOWN:
        self.memo[code] = classify(self, &canonical)
    return self.memo[code]


cdef int key_state(int stone, int side) noexcept nogil:
    """Return a board cell (BLACK, WHITE, WALL, EMPTY) from the view of ``side``."""
    if stone == EMPTY:
        return FREE
    if stone == WALL:
        return OUTSIDE
    return SELF if stone == side else OPPONENT


cdef void half_representatives(
    int reach, bint free_end, int side, uint16_t *out
) noexcept nogil:
    """Find the least equivalent half-window of each half-window of board cells.

    ``out`` has 4 ** reach entries; the cell next to the centre is in the low two bits.
    Half-windows are equivalent if they agree up to and including the first obstacle.
    """
    cdef int half, k, state
    cdef uint32_t code
    cdef bint cut
    for half in range(1 << 2 * reach):
        code = 0
        cut = False
        for k in range(reach):
            state = BLACK if cut else half >> 2 * k & 3
            if not cut and state != EMPTY and state != side:
                if not free_end:
                    state = WALL
                cut = True
            code |= <uint32_t> state << 2 * k
        out[half] = code


cdef void fill_classes(
    Classifier *self, int side, int shift, uint8_t *out
) noexcept nogil:
    """Put the class of every window for ``side`` into ``out``, ``shift`` bits up."""
    cdef int reach = self.spec.reach
    cdef uint32_t half_mask = (1 << 2 * reach) - 1, left, right, mirrored
    cdef uint16_t[HALF_CODES] near        # half-windows by the cell next to the centre
    cdef uint16_t[HALF_CODES] far         # the same for the left half, mirrored
    cdef uint32_t key
    cdef int k, line_class
    cdef Window window
    half_representatives(reach, self.spec.free_end, side, near)
    for left in range(half_mask + 1):
        mirrored = 0
        for k in range(reach):
            mirrored |= (left >> 2 * k & 3) << 2 * (reach - 1 - k)
        mirrored = near[mirrored]
        far[left] = 0
        for k in range(reach):
            far[left] |= (mirrored >> 2 * k & 3) << 2 * (reach - 1 - k)
    # A key's class is that of its representative, which is itself a key.
    for right in range(half_mask + 1):
        for left in range(half_mask + 1):
            key = right << 2 * reach | left
            if near[right] == right and far[left] == left:
                memset(window.cells, OUTSIDE, WINDOW)
                window.cells[CENTRE] = SELF
                for k in range(reach):
                    window.cells[CENTRE - reach + k] = key_state(left >> 2 * k & 3, side)
                    window.cells[CENTRE + 1 + k] = key_state(right >> 2 * k & 3, side)
                line_class = class_of(self, &window)
                out[key] |= <uint8_t> (line_class << shift)
    for right in range(half_mask + 1):
        for left in range(half_mask + 1):
            if near[right] != right or far[left] != left:
                key = right << 2 * reach | left
                out[key] |= out[near[right] << 2 * reach | far[left]] & (15 << shift)


cdef int rank_of(const int *lines, bint fouls) noexcept nogil:
    """Return the rank of a cell with the given four line classes."""
    cdef int[CLASSES] count
    cdef int d, fours, threes, twos
    memset(count, 0, sizeof(count))
    for d in range(4):
        count[lines[d]] += 1
    fours = count[F4] + count[B4]
    threes = count[F3] + count[F3S]
    twos = count[F2] + count[F2A] + count[F2B]
    if count[F5]:
        return FIVE
    if fouls:
        if count[OL] or fours >= 2:
            return FOUL
        if threes >= 2:
            return MAYBE_FOUR_THREE_TWO if fours else MAYBE_THREE_TWO
    if count[F4] or fours >= 2:
        return FOUR_OPEN
    if fours:
        if threes:
            return FOUR_THREE
        return FOUR_PLUS if count[B3] or twos else FOUR
    if threes >= 2:
        return THREE_TWO
    if threes:
        return THREE_PLUS if count[B3] or twos else THREE
    if count[B3] >= 2 or (count[B3] and twos):
        return BLOCKED_THREE_PLUS
    if twos >= 2:
        return TWO_TWO
    if count[B3]:
        return BLOCKED_THREE
    return TWO if twos else NONE


cdef inline int kind_number(int a, int b, int c, int d) noexcept nogil:
    """Return the number of the unordered four classes: their rank in the combinatorial
    system.
    """
    if a < b:
        a, b = b, a
    if c < d:
        c, d = d, c
    if a < c:
        a, c = c, a
    if b < d:
        b, d = d, b
    if b < c:
        b, c = c, b
    return (
        (a + 3) * (a + 2) * (a + 1) * a / 24 + (b + 2) * (b + 1) * b / 6
        + (c + 1) * c / 2 + d
    )


cdef void set_rank(KindValue *value, int rank) noexcept nogil:
    """Give a kind of cell a rank, and count it as such."""
    cdef int lane = lane_of(rank)
    value.rank = rank
    memset(value.counts, 0, sizeof(value.counts))
    if lane >= 0:
        value.counts[lane / LANES] = <int64_t> 1 << LANE_BITS * (lane % LANES)


cdef bint build_tables(int rule) noexcept nogil:
    """Fill ``TABLES[rule]``; return False if memory is short."""
    cdef RuleTables *tables = &TABLES[rule]
    cdef int side, i, j, kind, pair = 0
    cdef int[4] lines
    cdef int[PAIRS][2] members
    cdef int reach = rule_spec(rule, BLACK).reach
    cdef Classifier *classifier = <Classifier *> take_memory(sizeof(Classifier))
    cdef uint8_t *classes = <uint8_t *> take_memory(<size_t> 1 << 4 * reach)
    if classifier == NULL or classes == NULL:
        return_memory(classifier, sizeof(Classifier))
        return_memory(classes, <size_t> 1 << 4 * reach)
        return False
    tables.rule = rule
    tables.reach = reach
    tables.fouls = rule_spec(rule, BLACK).fouls
    tables.free_end = rule_spec(rule, BLACK).free_end
    for side in range(2):
        classifier.spec = rule_spec(rule, side)
        memset(classifier.memo, UNKNOWN, sizeof(classifier.memo))
        fill_classes(classifier, side, 4 * side, classes)
    tables.classes = classes
    return_memory(classifier, sizeof(Classifier))

    memset(tables.pair, 0, sizeof(tables.pair))
    for i in range(CLASSES):
        for j in range(i, CLASSES):
            tables.pair[i | j << 4] = pair
            tables.pair[j | i << 4] = pair
            members[pair][0] = i
            members[pair][1] = j
            pair += 1
    for i in range(256):
        tables.pair_high[i] = tables.pair[i] * PAIRS
    for i in range(PAIRS):
        for j in range(PAIRS):
            lines[0] = members[i][0]
            lines[1] = members[i][1]
            lines[2] = members[j][0]
            lines[3] = members[j][1]
            kind = kind_number(lines[0], lines[1], lines[2], lines[3])
            tables.kind[i * PAIRS + j] = kind
            for side in range(2):
                tables.rank[side][kind] = rank_of(lines, rule_spec(rule, side).fouls)
                set_rank(&tables.plain[side * KINDS + kind], tables.rank[side][kind])
    built[rule] = True
    return True


cdef const RuleTables *rule_tables(int rule) noexcept nogil:
    """Return the tables of a rule, made at its first use; NULL if memory is short.

    The first call for a rule must not race with another one: the Python class of the
    board makes it while it holds the GIL.
    """
    if not built[rule] and not build_tables(rule):
        return NULL
    return &TABLES[rule]


CLASS_NAMES = (
    "DEAD", "B1", "F1", "B2", "F2", "F2A", "F2B", "B3", "F3", "F3S", "B4", "F4", "F5",
    "OL",
)


# For tests -----------------------------------------------------------------------------

cdef int _read_window(Window *window, int rule, str cells) except -1:
    """Read a window from text centred on the cell: X own, O opponent, . empty, #
    outside.
    """
    if not is_rule(rule):
        raise ValueError(f"no rule has the code {rule}")
    if len(cells) % 2 == 0:
        raise ValueError("a window has an odd number of cells")
    cdef int reach = rule_spec(rule, BLACK).reach, k, at
    memset(window.cells, OUTSIDE, WINDOW)
    for k in range(-reach, reach + 1):
        at = len(cells) // 2 + k
        if 0 <= at < len(cells):
            window.cells[CENTRE + k] = "XO#.".index(cells[at])
    window.cells[CENTRE] = SELF
    return 0


def _py_line_class(int rule, int side, str cells):
    """Return the class of the middle of ``cells``, from the table that the board
    uses.
    """
    cdef Window window
    cdef int reach, k, stone
    cdef uint32_t key = 0
    _read_window(&window, rule, cells)
    reach = rule_spec(rule, BLACK).reach
    for k in range(2 * reach):
        stone = window.cells[CENTRE - reach + k + (k >= reach)]
        if stone == SELF or stone == OPPONENT:
            stone ^= side
        key |= <uint32_t> stone << 2 * k
    return CLASS_NAMES[rule_tables(rule).classes[key] >> 4 * side & 15]


def _py_reply_set(int rule, int side, str cells):
    """Return the cells where one stone stops every five that the middle would threaten.

    They are offsets from the middle.
    """
    cdef Window window
    cdef RuleSpec spec = rule_spec(rule, side)
    cdef uint32_t stoppers
    cdef int first = CENTRE, last = CENTRE, k
    _read_window(&window, rule, cells)
    while first > 0 and window.cells[first - 1] in (SELF, FREE):
        first -= 1
    while last < WINDOW - 1 and window.cells[last + 1] in (SELF, FREE):
        last += 1
    if fours_class(&window, first, last, &spec, &stoppers) == DEAD:
        return []
    return [k - CENTRE for k in range(WINDOW) if stoppers >> k & 1]
