"""Network over points: numbers of each empty cell, summed over regions of the board.

score = linear score + output . layers(sums over the board and over nine regions of the
numbers that each empty cell has for either side)

An empty cell has 16 numbers for a side: a row for the cell's kind for that side and one
for its kind for the other side, added up, with negative sums replaced by 0. This step
makes the network more than a sum of rows over cells, and the regions distinguish
corners, edges and centre. ``docs/WEIGHTS.md`` describes the arithmetic step by step;
``train.quantize.network_score`` is a plain form of it in Python.

A weights file of kind "points" has the parts of the linear evaluation and

    rows         2 x KINDS x 16   own, other; units of 1/512
    zones        3 x 32 x 16      corner, edge, centre; 1/1024
    zone_bias    3 x 16           1/256
    first        80 x 32          the whole board, corners, edges, centre; 1/1024
    first_bias   32               1/256
    second       32 x 16          1/1024
    second_bias  16               1/256
    output       16               1/16 of a score unit

If the rule treats the sides differently (renju), a file may have rows for black's view
and for white's (2 x 2 x KINDS x 16).

A number of a row is at most 16,383, so that a sum of two is within 16 bits. The sums of
a region are modulo 65536, and those of the shipped files reach a third of that: with 32
bits the search is 4 % slower. The inputs and outputs of a layer are 0..8191, and a file
is refused if the sum of the products of one output could exceed 32 bits.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport abs
from libc.string cimport memcpy, memset

from gomoku_brain.eval.accumulator cimport (
    PathEvaluator, reset_path, is_known, known_ply, take_path_evaluator
)
from gomoku_brain.eval.evaluator cimport Evaluator
from gomoku_brain.eval.lanes cimport change_point, inputs_of, layer, region_inputs
from gomoku_brain.eval.linear cimport Linear, linear_score, numbers_of
from gomoku_brain.eval.network cimport (
    BIAS_SHIFT, FIRST, MAX_INPUT, MAX_ROW, OUTPUT_SHIFT, POOL_SHIFT, REGIONS,
    ROW_UNIT, WEIGHT_SHIFT, WIDTH, ZONES, region_of
)
from gomoku_brain.game.bits cimport pop_lsb32
from gomoku_brain.game.board cimport BoardState, Cell, Ply
from gomoku_brain.game.geometry cimport (
    CELLS, MARGIN, STRIDE, cell_of, column_bit, padded_x, padded_y
)
from gomoku_brain.game.memory cimport return_memory, take_memory
from gomoku_brain.game.patterns cimport KINDS
from gomoku_brain.game.rules cimport BLACK, MAX_STONES, WHITE

cdef enum:
    JOINED = (2 + ZONES) * WIDTH    # inputs of the first layer: the board, then the zones
    BIAS_HALF = 1 << WEIGHT_SHIFT - 1   # half of the unit that a layer's shift drops
    OUTPUT_HALF = 1 << OUTPUT_SHIFT - 1
    MAX_SUM = 0x7FFFFFFF

# Index of the layer for each region.
cdef int[REGIONS] ZONE_OF = [0, 1, 0, 1, 2, 1, 0, 1, 0]

NETWORK = {
    "width": WIDTH, "zones": ZONES, "first": FIRST,
    "row_unit": ROW_UNIT, "max_row": MAX_ROW, "pool_shift": POOL_SHIFT,
    "max_input": MAX_INPUT, "weight_shift": WEIGHT_SHIFT, "bias_shift": BIAS_SHIFT,
    "output_shift": OUTPUT_SHIFT, "max_sum": MAX_SUM,
}
REGION_ZONES = tuple(ZONE_OF)
cdef uint32_t ALL_REGIONS = (1 << REGIONS) - 1


cdef struct KindRow:                # numbers that a kind of cell of one side adds
    int16_t[2 * WIDTH] numbers      # to that side's view, then to the other's


cdef struct ZoneLayer:
    int16_t[2 * WIDTH * WIDTH] weights      # in the order that ``layer`` needs
    int32_t[WIDTH] bias


cdef struct Head:                   # the layers after the sums
    ZoneLayer[ZONES] zones
    int16_t[JOINED * FIRST] first
    int32_t[FIRST] first_bias
    int16_t[FIRST * WIDTH] second
    int32_t[WIDTH] second_bias
    int16_t[WIDTH] output


cdef struct PointsWeights:
    # The last row, all 0, is that of an occupied cell. Unless the sides differ, both
    # use the first table: with one for each the search is 6 % slower, because two fill
    # more of the caches.
    KindRow[2][KINDS + 1] rows
    Head head
    int[2] table_of                 # side -> its table of rows


cdef struct Accumulator:
    uint16_t[REGIONS][2 * WIDTH] sums       # black's view, white's view
    int16_t[2][REGIONS][WIDTH] zones        # side to move -> outputs of a region's layer
    uint32_t[2] known               # side to move -> regions whose outputs are up to date


cdef struct PointsEvaluator:
    PathEvaluator path
    const PointsWeights *weights
    uint8_t[CELLS] region                       # of a cell of the followed board
    Accumulator[MAX_STONES + 1] accumulators    # by ply of the board


cdef void divide(PointsEvaluator *self, int width, int height) noexcept nogil:
    """Store the region of every cell of the board."""
    cdef int x, y
    for y in range(height):
        for x in range(width):
            self.region[cell_of(x, y)] = region_of(x, y, width, height)


cdef inline const KindRow *rows_of(const PointsEvaluator *self, int side) noexcept nogil:
    """Return the rows that the kinds of cells add for a side."""
    return self.weights.rows[self.weights.table_of[side]]


cdef void sum_up(PointsEvaluator *self, const BoardState *board) noexcept nogil:
    """Compute the sums of the position from scratch."""
    cdef const KindRow *black = rows_of(self, BLACK)
    cdef const KindRow *white = rows_of(self, WHITE)
    cdef Accumulator *here = &self.accumulators[board.ply]
    cdef const Cell *cell
    cdef int y
    cdef uint32_t bits
    memset(here.sums, 0, sizeof(here.sums))
    for y in range(MARGIN, MARGIN + board.height):
        bits = board.empty[y]
        while bits:
            cell = &board.cells[y * STRIDE + pop_lsb32(&bits)]
            change_point(
                here.sums[self.region[cell.at]],
                black[KINDS].numbers, white[KINDS].numbers,
                black[cell.kind[BLACK]].numbers, white[cell.kind[WHITE]].numbers,
            )
    here.known[BLACK] = here.known[WHITE] = 0


cdef inline void change_cell(
    const PointsEvaluator *self, int at, const Cell *old, const Cell *now,
    Accumulator *here
) noexcept nogil:
    """Update the sums for an empty cell with other kinds, or for a new stone (``now``
    NULL).
    """
    cdef const KindRow *black = rows_of(self, BLACK)
    cdef const KindRow *white = rows_of(self, WHITE)
    change_point(
        here.sums[self.region[at]],
        black[old.kind[BLACK]].numbers, white[old.kind[WHITE]].numbers,
        black[now.kind[BLACK] if now else KINDS].numbers,
        white[now.kind[WHITE] if now else KINDS].numbers,
    )


cdef void step(PointsEvaluator *self, const BoardState *board) noexcept nogil:
    """Compute the sums of the position from the known ones before the last move."""
    cdef const Ply *ply = &board.plies[board.ply]
    cdef Accumulator *here = &self.accumulators[board.ply]
    cdef uint32_t entry, changed = <uint32_t> 1 << self.region[ply.move]
    cdef int at
    memcpy(here, &self.accumulators[board.ply - 1], sizeof(Accumulator))
    change_cell(self, ply.move, &board.cells[ply.move], NULL, here)
    for entry in range(board.plies[board.ply - 1].undo_top, ply.undo_top):
        at = board.undo[entry].at
        changed |= <uint32_t> 1 << self.region[at]
        change_cell(self, at, &board.undo[entry], &board.cells[at], here)
    here.known[BLACK] &= ~changed
    here.known[WHITE] &= ~changed
    self.path.keys[board.ply] = ply.key


cdef void catch_up(
    PointsEvaluator *self, const BoardState *board, int known, int ply
) noexcept nogil:
    """Compute the sums of an earlier ply of the board's path from those of ``known``,
    before it.

    If a later move changed a cell, its state at that ply is in the data saved to undo
    that move.
    """
    cdef Accumulator *here = &self.accumulators[ply]
    cdef const Cell *saved
    cdef const Cell *cell
    cdef uint32_t[STRIDE] empty, later, seen    # padded rows of cells
    cdef uint16_t[CELLS] entry_of               # of a later change, from ``top`` on
    cdef uint32_t bit, changed = 0
    cdef uint32_t top = board.plies[ply].undo_top, entry = board.plies[board.ply].undo_top
    cdef int at, row, k
    memcpy(here, &self.accumulators[known], sizeof(Accumulator))
    # 1. The board at that ply: cells that were empty, and the first later change of
    # each.
    memcpy(empty, board.empty, sizeof(empty))
    for k in range(ply + 1, board.ply + 1):
        at = board.plies[k].move
        empty[padded_y(at)] |= column_bit(at)
    memset(later, 0, sizeof(later))
    while entry > top:
        entry -= 1
        at = board.undo[entry].at
        later[padded_y(at)] |= column_bit(at)
        entry_of[at] = <uint16_t> (entry - top)
    # 2. Cells that changed: their first saved state is that of the ply.
    memset(seen, 0, sizeof(seen))
    for entry in range(board.plies[known].undo_top, top):
        saved = &board.undo[entry]
        at = saved.at
        row = padded_y(at)
        bit = column_bit(at)
        if seen[row] & bit:
            continue
        seen[row] |= bit
        changed |= <uint32_t> 1 << self.region[at]
        if not empty[row] & bit:
            change_cell(self, at, saved, NULL, here)
            continue
        cell = &board.undo[top + entry_of[at]] if later[row] & bit else &board.cells[at]
        change_cell(self, at, saved, cell, here)
    # 3. Cells occupied by stones before they had changed.
    for k in range(known + 1, ply + 1):
        at = board.plies[k].move
        if not seen[padded_y(at)] >> padded_x(at) & 1:
            changed |= <uint32_t> 1 << self.region[at]
            change_cell(self, at, &board.cells[at], NULL, here)
    here.known[BLACK] &= ~changed
    here.known[WHITE] &= ~changed
    self.path.keys[ply] = board.plies[ply].key


cdef void find_sums(PointsEvaluator *self, const BoardState *board) noexcept nogil:
    """Compute the sums of the position, unless they are known.

    Many positions of a path are never evaluated, since the table has their value. So
    the sums are first computed at the ply halfway from the last known one, then halfway
    through the rest, and so on, and the position's siblings and cousins start from a
    near ply. Without these stops the search is a tenth slower.
    """
    cdef int known, middle
    if is_known(&self.path, board, board.ply):
        return
    known = known_ply(&self.path, board)
    while known < board.ply - 1:
        middle = (known + board.ply) / 2
        catch_up(self, board, known, middle)
        known = middle
    step(self, board)


cdef void find_zones(const Head *head, int me, Accumulator *here) noexcept nogil:
    """Compute the outputs of regions that changed since the last request for this
    side.
    """
    cdef uint32_t bits = ALL_REGIONS & ~here.known[me]
    cdef int16_t[2 * WIDTH] inputs
    cdef int region, zone
    while bits:
        region = pop_lsb32(&bits)
        region_inputs(&here.sums[region][me * WIDTH], inputs)
        region_inputs(&here.sums[region][(me ^ 1) * WIDTH], &inputs[WIDTH])
        zone = ZONE_OF[region]
        layer(
            inputs, WIDTH, head.zones[zone].weights, head.zones[zone].bias,
            here.zones[me][region], WIDTH
        )
    here.known[me] = ALL_REGIONS


cdef int points_score(PointsEvaluator *self, const BoardState *board) noexcept nogil:
    """Return the network's part of the evaluation for the side to move, in score
    units.
    """
    cdef Accumulator *here = &self.accumulators[board.ply]
    cdef int me = board.side, region, k
    cdef const Head *head = &self.weights.head
    cdef int32_t[2 * WIDTH] whole
    cdef int16_t[JOINED] joined
    cdef int16_t[FIRST] first
    cdef int16_t[WIDTH] second
    cdef int16_t *zones
    cdef int32_t total = OUTPUT_HALF
    # 1. The sums of the position, and the outputs of the regions' layers.
    find_sums(self, board)
    find_zones(head, me, here)
    # 2. The inputs of the first layer: the whole board, then the zones. Four outputs of
    # 8191 fit into 16 bits.
    memset(whole, 0, sizeof(whole))
    for region in range(REGIONS):
        for k in range(2 * WIDTH):
            whole[k] += here.sums[region][k]
    inputs_of(&whole[me * WIDTH], joined)
    inputs_of(&whole[(me ^ 1) * WIDTH], &joined[WIDTH])
    zones = here.zones[me][0]
    for k in range(WIDTH):
        joined[2 * WIDTH + k] = min(
            <int16_t> (
                zones[k] + zones[2 * WIDTH + k] + zones[6 * WIDTH + k]
                + zones[8 * WIDTH + k]
            ),
            <int16_t> MAX_INPUT,
        )
        joined[3 * WIDTH + k] = min(
            <int16_t> (
                zones[WIDTH + k] + zones[3 * WIDTH + k] + zones[5 * WIDTH + k]
                + zones[7 * WIDTH + k]
            ),
            <int16_t> MAX_INPUT,
        )
        joined[4 * WIDTH + k] = zones[4 * WIDTH + k]
    # 3. The other layers.
    layer(joined, JOINED / 2, head.first, head.first_bias, first, FIRST)
    layer(first, FIRST / 2, head.second, head.second_bias, second, WIDTH)
    for k in range(WIDTH):
        total += <int32_t> second[k] * head.output[k]
    return total >> OUTPUT_SHIFT


cdef int value(Evaluator *evaluator, const BoardState *board) noexcept nogil:
    cdef PointsEvaluator *self = <PointsEvaluator *> evaluator
    return linear_score(self.path.linear, board) + points_score(self, board)


cdef void reset(Evaluator *evaluator, const BoardState *board) noexcept nogil:
    """Compute the sums and the regions' outputs of a position from scratch."""
    cdef PointsEvaluator *self = <PointsEvaluator *> evaluator
    cdef int side
    divide(self, board.width, board.height)
    sum_up(self, board)
    for side in range(2):
        find_zones(&self.weights.head, side, &self.accumulators[board.ply])
    reset_path(&self.path, board)


cdef class Points(Linear):
    """Linear evaluation and network over points, of a file of kind "points"."""

    def __init__(self, weights):
        """Load the weights. Raises ValueError for an unknown rule and for parts that do
        not fit.
        """
        cdef const int16_t *numbers
        cdef int view, kind, k, tables
        rows = weights.part("rows", (2, KINDS, WIDTH), (2, 2, KINDS, WIDTH))
        shapes = {
            "zones": (ZONES, 2 * WIDTH, WIDTH), "zone_bias": (ZONES, WIDTH),
            "first": (JOINED, FIRST), "first_bias": (FIRST,),
            "second": (FIRST, WIDTH), "second_bias": (WIDTH,),
            "output": (WIDTH,),
        }
        parts = {name: weights.part(name, shape) for name, shape in shapes.items()}
        weights.refuse_others(("cells", "tempo", "rows", *shapes))
        tables = 2 if len(rows.shape) == 4 else 1
        super().__init__(weights)
        self.points = <PointsWeights *> take_memory(sizeof(PointsWeights))
        if self.points == NULL:
            raise MemoryError("no memory for the evaluation weights")
        numbers = numbers_of(rows)
        for k in range(tables * 2 * KINDS * WIDTH):
            if not -MAX_ROW <= numbers[k] <= MAX_ROW:
                raise ValueError(
                    f"weights of kind 'points': a row with a number beyond +-{MAX_ROW}"
                )
        for view in range(2):
            numbers = numbers_of(rows, view * (tables - 1) * 2 * KINDS * WIDTH)
            for kind in range(KINDS):
                memcpy(
                    self.points.rows[view][kind].numbers, &numbers[kind * WIDTH], 2 * WIDTH
                )
                memcpy(
                    &self.points.rows[view ^ 1][kind].numbers[WIDTH],
                    &numbers[(KINDS + kind) * WIDTH], 2 * WIDTH
                )
        self.points.table_of[WHITE] = tables - 1
        if not set_head(&self.points.head, parts):
            raise ValueError(
                "weights of kind 'points': numbers so large that 32 bits may overflow"
            )

    def __dealloc__(self):
        return_memory(self.points, sizeof(PointsWeights))

    cdef Evaluator *new_evaluator(self) except NULL:
        cdef PointsEvaluator *made = <PointsEvaluator *> take_path_evaluator(
            self, self.points, sizeof(PointsEvaluator), value, reset
        )
        made.weights = self.points
        return &made.path.evaluator


cdef bint set_head(Head *head, dict parts) except -1:
    """Fill in the layers from a file's parts.

    Return False if a sum could exceed 32 bits.
    """
    cdef const int16_t *zones = numbers_of(parts["zones"])
    cdef const int16_t *zone_bias = numbers_of(parts["zone_bias"])
    cdef bint fits = True
    cdef int k
    for k in range(ZONES):
        fits &= set_layer(
            head.zones[k].weights, head.zones[k].bias,
            zones + k * 2 * WIDTH * WIDTH, zone_bias + k * WIDTH, 2 * WIDTH, WIDTH
        )
    fits &= set_layer(
        head.first, head.first_bias, numbers_of(parts["first"]),
        numbers_of(parts["first_bias"]), JOINED, FIRST
    )
    fits &= set_layer(
        head.second, head.second_bias, numbers_of(parts["second"]),
        numbers_of(parts["second_bias"]), FIRST, WIDTH
    )
    memcpy(head.output, numbers_of(parts["output"]), 2 * WIDTH)
    return fits and largest(head.output) <= MAX_SUM


cdef bint set_layer(
    int16_t *weights, int32_t *bias, const int16_t *matrix, const int16_t *vector,
    int inputs, int outputs
) noexcept nogil:
    """Copy a matrix of a file, one row for each input, into the order that ``layer``
    needs.

    Return False if the sum of an output could exceed 32 bits.
    """
    cdef int64_t maximum
    cdef int j, k
    for j in range(outputs):
        bias[j] = vector[j] * (<int32_t> 1 << BIAS_SHIFT) + BIAS_HALF
        maximum = abs(bias[j])
        for k in range(inputs):
            weights[(k >> 1) * 2 * outputs + 2 * j + (k & 1)] = matrix[k * outputs + j]
            maximum += MAX_INPUT * <int64_t> abs(matrix[k * outputs + j])
        if maximum > MAX_SUM:
            return False
    return True


cdef int64_t largest(const int16_t *output) noexcept nogil:
    """Return an upper bound for the output's sum, whatever the position."""
    cdef int64_t found = OUTPUT_HALF
    cdef int k
    for k in range(WIDTH):
        found += MAX_INPUT * <int64_t> abs(output[k])
    return found
