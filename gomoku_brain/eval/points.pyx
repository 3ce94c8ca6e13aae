"""A network over points: what a cell shows, where on the board it lies.

score = linear score + output . layers(sums over the board and over nine regions of what
each empty cell shows to either side)

An empty cell shows a side 16 numbers: a row for the cell's kind for that side and one for
its kind for the other side, added up and cut off below 0. The cut is what no sum of rows
over cells can say, and the regions tell corners, edges and centre apart. How the numbers
are worked out, step by step, is in docs/WEIGHTS.md; a plain form of it in Python is
``train.quantize.network_score``.

A weights file of kind "points" has the parts of the linear evaluation and

    rows         2 x KINDS x 16   own, other; units of 1/512
    zones        3 x 32 x 16      corner, edge, centre; 1/1024
    zone_bias    3 x 16           1/256
    first        80 x 32          the whole board, corners, edges, centre; 1/1024
    first_bias   32               1/256
    second       32 x 16          1/1024
    second_bias  16               1/256
    output       16               1/16 of a score unit

Where the sides differ (renju), black's and white's views may have rows of their own, 2 x 2
x KINDS x 16, and black and white to move layers of their own: each part but the rows has
another dimension of 2 in front.

A number of a row is at most 16,383, so that a sum of two is within 16 bits. The sums of a
region are modulo 65536, a third of which the shipped files reach: with 32 bits the search is
4 % slower. The inputs and outputs of a layer are 0..8191, and a file is refused if the sum
of the products of one output could pass 32 bits.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport abs
from libc.string cimport memcpy, memset

from gomoku_brain.eval.accumulator cimport (
    PathEvaluator, is_known, known_ply, take_path_evaluator
)
from gomoku_brain.eval.evaluator cimport Evaluator
from gomoku_brain.eval.lanes cimport change_point, inputs_of, layer, region_inputs
from gomoku_brain.eval.linear cimport Linear, linear_score, numbers_of
from gomoku_brain.game.bits cimport pop_lsb32
from gomoku_brain.game.board cimport BoardState, Cell
from gomoku_brain.game.geometry cimport CELLS, MARGIN, STRIDE
from gomoku_brain.game.memory cimport return_memory, take_memory
from gomoku_brain.game.patterns cimport KINDS
from gomoku_brain.game.rules cimport BLACK, MAX_STONES, WHITE

cdef enum:
    WIDTH = 16              # numbers that a point shows a side
    REGIONS = 9             # 3 x 3, row by row
    ZONES = 3               # corner, edge, centre
    FIRST = 2 * WIDTH       # outputs of the first layer
    JOINED = (2 + ZONES) * WIDTH    # its inputs: the whole board, then the zones
    MOST_ROW = 16383
    MOST_INPUT = 8191       # of a layer (lanes.pxd)
    BIAS_SHIFT = 11         # 1/256 -> 1/512 * 1/1024
    BIAS_HALF = 1 << 9      # half of what the shift of a layer's sums drops
    OUTPUT_SHIFT = 13       # 1/512 * 1/16 of a score unit -> score units
    OUTPUT_HALF = 1 << 12
    MOST_SUM = 0x7FFFFFFF

# Which layer a region goes through.
cdef int[REGIONS] ZONE_OF = [0, 1, 0, 1, 2, 1, 0, 1, 0]
cdef uint32_t ALL_REGIONS = (1 << REGIONS) - 1


cdef struct KindRow:                # what a kind of cell of one side adds
    int16_t[2 * WIDTH] numbers      # to black's view, then to white's


cdef struct ZoneLayer:
    int16_t[2 * WIDTH * WIDTH] weights      # as ``layer`` wants them
    int32_t[WIDTH] bias


cdef struct Head:                   # what the sums go through
    ZoneLayer[ZONES] zones
    int16_t[2][JOINED * WIDTH] first        # outputs 0..15, 16..31
    int32_t[2][WIDTH] first_bias
    int16_t[FIRST * WIDTH] second
    int32_t[WIDTH] second_bias
    int16_t[WIDTH] output


cdef struct PointsWeights:
    KindRow[2][KINDS + 1] rows      # side; the last row, all 0, is of a taken cell
    Head[2] heads
    int[2] head_of                  # side to move


cdef struct Accumulator:
    uint16_t[REGIONS][2 * WIDTH] sums       # black's view, white's view
    int16_t[2][REGIONS][WIDTH] zones        # side to move -> outputs of a region's layer
    uint32_t[2] known               # side to move -> regions whose outputs are up to date


cdef struct PointsEvaluator:
    PathEvaluator path
    const PointsWeights *weights
    uint8_t[CELLS] region                       # of a cell of the board that is followed
    Accumulator[MAX_STONES + 1] accumulators    # by ply of the board


cdef void divide(PointsEvaluator *self, int width, int height) noexcept nogil:
    """Number the regions: thirds each way, of which the outer ones are never larger."""
    cdef int across = (width + 1) / 3, down = (height + 1) / 3
    cdef int x, y
    for y in range(height):
        for x in range(width):
            self.region[(MARGIN + y) * STRIDE + MARGIN + x] = (
                3 * ((y >= down) + (y >= height - down))
                + (x >= across) + (x >= width - across)
            )


cdef void sum_up(
    PointsEvaluator *self, const BoardState *board, Accumulator *here
) noexcept nogil:
    """The sums of the position from nothing."""
    cdef const KindRow *black = self.weights.rows[BLACK]
    cdef const KindRow *white = self.weights.rows[WHITE]
    cdef const Cell *cell
    cdef int y
    cdef uint32_t bits
    divide(self, board.width, board.height)
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


cdef void follow(
    PointsEvaluator *self, const BoardState *board, int known, Accumulator *here
) noexcept nogil:
    """The sums of the position from those of ``known``, an earlier ply of its path."""
    cdef const KindRow *black = self.weights.rows[BLACK]
    cdef const KindRow *white = self.weights.rows[WHITE]
    cdef const Cell *saved
    cdef const Cell *cell
    cdef uint32_t[STRIDE] seen
    cdef uint32_t entry, bit, changed = 0
    cdef int ply, at, region
    memset(seen, 0, sizeof(seen))
    memcpy(here, &self.accumulators[known], sizeof(Accumulator))
    # 1. Cells that changed: the first time that one was saved tells what it was then.
    for entry in range(board.plies[known].undo_top, board.plies[board.ply].undo_top):
        saved = &board.undo[entry]
        at = saved.at
        bit = <uint32_t> 1 << (at & (STRIDE - 1))
        if seen[at >> 5] & bit:
            continue
        seen[at >> 5] |= bit
        region = self.region[at]
        changed |= <uint32_t> 1 << region
        cell = &board.cells[at]
        if board.empty[at >> 5] & bit:
            change_point(
                here.sums[region],
                black[saved.kind[BLACK]].numbers, white[saved.kind[WHITE]].numbers,
                black[cell.kind[BLACK]].numbers, white[cell.kind[WHITE]].numbers,
            )
        else:
            change_point(
                here.sums[region],
                black[saved.kind[BLACK]].numbers, white[saved.kind[WHITE]].numbers,
                black[KINDS].numbers, white[KINDS].numbers,
            )
    # 2. Cells taken by stones before they had changed.
    for ply in range(known + 1, board.ply + 1):
        at = board.plies[ply].move
        if not seen[at >> 5] >> (at & (STRIDE - 1)) & 1:
            cell = &board.cells[at]
            region = self.region[at]
            changed |= <uint32_t> 1 << region
            change_point(
                here.sums[region],
                black[cell.kind[BLACK]].numbers, white[cell.kind[WHITE]].numbers,
                black[KINDS].numbers, white[KINDS].numbers,
            )
    here.known[BLACK] &= ~changed
    here.known[WHITE] &= ~changed


cdef int points_score(PointsEvaluator *self, const BoardState *board) noexcept nogil:
    """The network's share of the evaluation for the side to move, in score units."""
    cdef Accumulator *here = &self.accumulators[board.ply]
    cdef int me = board.side, known, region, zone, k
    cdef const Head *head = &self.weights.heads[self.weights.head_of[me]]
    cdef int32_t[2 * WIDTH] whole
    cdef int16_t[2 * WIDTH] inputs
    cdef int16_t[JOINED] joined
    cdef int16_t[FIRST] first
    cdef int16_t[WIDTH] second
    cdef int16_t *zones
    cdef int32_t total = OUTPUT_HALF
    cdef uint32_t bits
    # 1. The sums of the position.
    if not is_known(&self.path, board, board.ply):
        known = known_ply(&self.path, board)
        if known >= 0:
            follow(self, board, known, here)
        else:
            sum_up(self, board, here)
        self.path.keys[board.ply] = board.plies[board.ply].key
    # 2. The layers of regions that changed since the side to move was last asked for.
    bits = ALL_REGIONS & ~here.known[me]
    while bits:
        region = pop_lsb32(&bits)
        region_inputs(&here.sums[region][me * WIDTH], inputs)
        region_inputs(&here.sums[region][(me ^ 1) * WIDTH], &inputs[WIDTH])
        zone = ZONE_OF[region]
        layer(
            inputs, WIDTH, head.zones[zone].weights, head.zones[zone].bias,
            here.zones[me][region],
        )
    here.known[me] = ALL_REGIONS
    # 3. What enters the first layer: the whole board, then the zones. Four outputs of
    #    8191 fit into 16 bits.
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
            <int16_t> MOST_INPUT,
        )
        joined[3 * WIDTH + k] = min(
            <int16_t> (
                zones[WIDTH + k] + zones[3 * WIDTH + k] + zones[5 * WIDTH + k]
                + zones[7 * WIDTH + k]
            ),
            <int16_t> MOST_INPUT,
        )
        joined[4 * WIDTH + k] = zones[4 * WIDTH + k]
    # 4. The layers that are left.
    for k in range(2):
        layer(
            joined, JOINED / 2, head.first[k], head.first_bias[k], &first[k * WIDTH]
        )
    layer(first, FIRST / 2, head.second, head.second_bias, second)
    for k in range(WIDTH):
        total += <int32_t> second[k] * head.output[k]
    return total >> OUTPUT_SHIFT


cdef int value(Evaluator *seam, const BoardState *board) noexcept nogil:
    cdef PointsEvaluator *self = <PointsEvaluator *> seam
    return linear_score(self.path.linear, board) + points_score(self, board)


cdef class Points(Linear):
    """The linear evaluation and a network over points, of a file of kind "points"."""

    def __init__(self, weights):
        """Raises ValueError for an unknown rule and for parts that do not fit."""
        cdef const int16_t *numbers
        cdef int view, kind, k, tables, heads
        cdef bint fits = True
        rows = weights.part("rows", (2, KINDS, WIDTH), (2, 2, KINDS, WIDTH))
        shapes = {
            "zones": (ZONES, 2 * WIDTH, WIDTH), "zone_bias": (ZONES, WIDTH),
            "first": (JOINED, FIRST), "first_bias": (FIRST,),
            "second": (FIRST, WIDTH), "second_bias": (WIDTH,),
            "output": (WIDTH,),
        }
        parts = {
            name: weights.part(name, shape, (2, *shape)) for name, shape in shapes.items()
        }
        if "spread" in weights.parts:
            raise ValueError("weights of kind 'points': no evaluation with part 'spread'")
        tables = 2 if len(rows.shape) == 4 else 1
        heads = 2 if len(parts["output"].shape) == 2 else 1
        if any(len(parts[name].shape) != len(shapes[name]) + heads - 1 for name in parts):
            raise ValueError("weights of kind 'points': layers for 1 side and for 2")
        super().__init__(weights)
        self.points = <PointsWeights *> take_memory(sizeof(PointsWeights))
        if self.points == NULL:
            raise MemoryError("no memory for the evaluation weights")
        numbers = numbers_of(rows)
        for k in range(tables * 2 * KINDS * WIDTH):
            if not -MOST_ROW <= numbers[k] <= MOST_ROW:
                raise ValueError(
                    f"weights of kind 'points': a row with a number beyond +-{MOST_ROW}"
                )
        for view in range(2):
            numbers = numbers_of(rows, view * (tables - 1) * 2 * KINDS * WIDTH)
            for kind in range(KINDS):
                memcpy(
                    &self.points.rows[view][kind].numbers[view * WIDTH],
                    &numbers[kind * WIDTH], 2 * WIDTH
                )
                memcpy(
                    &self.points.rows[view ^ 1][kind].numbers[view * WIDTH],
                    &numbers[(KINDS + kind) * WIDTH], 2 * WIDTH
                )
        self.points.head_of[WHITE] = heads - 1
        for k in range(heads):
            fits &= set_head(&self.points.heads[k], parts, k)
        if not fits:
            raise ValueError(
                "weights of kind 'points': numbers so large that 32 bits may overflow"
            )

    def __dealloc__(self):
        return_memory(self.points, sizeof(PointsWeights))

    cdef Evaluator *new_evaluator(self) except NULL:
        cdef PointsEvaluator *made = <PointsEvaluator *> take_path_evaluator(
            self, self.points, sizeof(PointsEvaluator), value
        )
        made.weights = self.points
        return &made.path.seam


cdef bint set_head(Head *head, dict parts, int at) except -1:
    """Fill in the layers from head ``at`` of a file's parts.

    False when a sum could pass 32 bits.
    """
    cdef const int16_t *zones = numbers_of(parts["zones"], at * ZONES * 2 * WIDTH * WIDTH)
    cdef const int16_t *zone_bias = numbers_of(parts["zone_bias"], at * ZONES * WIDTH)
    cdef const int16_t *first = numbers_of(parts["first"], at * JOINED * FIRST)
    cdef const int16_t *first_bias = numbers_of(parts["first_bias"], at * FIRST)
    cdef bint fits = True
    cdef int k
    for k in range(ZONES):
        fits &= set_layer(
            head.zones[k].weights, head.zones[k].bias,
            zones + k * 2 * WIDTH * WIDTH, zone_bias + k * WIDTH, 2 * WIDTH, WIDTH
        )
    for k in range(2):
        fits &= set_layer(
            head.first[k], head.first_bias[k], first + k * WIDTH, first_bias + k * WIDTH,
            JOINED, FIRST
        )
    fits &= set_layer(
        head.second, head.second_bias, numbers_of(parts["second"], at * FIRST * WIDTH),
        numbers_of(parts["second_bias"], at * WIDTH), FIRST, WIDTH
    )
    memcpy(head.output, numbers_of(parts["output"], at * WIDTH), 2 * WIDTH)
    return fits and largest(head.output) <= MOST_SUM


cdef bint set_layer(
    int16_t *weights, int32_t *bias, const int16_t *matrix, const int16_t *vector,
    int inputs, int columns
) noexcept nogil:
    """Put 16 columns of a matrix of a file, one row for each input, as ``layer`` wants them.

    False when the sum of an output could pass 32 bits.
    """
    cdef int64_t most
    cdef int j, k
    for j in range(WIDTH):
        bias[j] = vector[j] * (<int32_t> 1 << BIAS_SHIFT) + BIAS_HALF
        most = abs(bias[j])
        for k in range(inputs):
            weights[(k >> 1) * 2 * WIDTH + 2 * j + (k & 1)] = matrix[k * columns + j]
            most += MOST_INPUT * <int64_t> abs(matrix[k * columns + j])
        if most > MOST_SUM:
            return False
    return True


cdef int64_t largest(const int16_t *output) noexcept nogil:
    """An upper bound for the output's sum, whatever the position."""
    cdef int64_t found = OUTPUT_HALF
    cdef int k
    for k in range(WIDTH):
        found += MOST_INPUT * <int64_t> abs(output[k])
    return found
