"""Sums of table rows over the points of a board, pooled over regions: both passes.

A point is an empty cell. It has two rows of a table of numbers, one for its kind for
the colour whose view it is and one for its kind for the other colour. They are added
up, negative sums are replaced by 0, and the result is summed over the nine regions of
the board, for either colour's view:

    pools[region, view] = sum over the points of the region of relu(bias + both rows)

Weights are floats; this module serves training only.
"""

cimport cython
from libc.math cimport sqrtf
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from gomoku_brain.eval.network cimport REGIONS as REGION_COUNT, WIDTH, region_of
from gomoku_brain.game.patterns cimport KINDS as ALL_KINDS
from gomoku_brain.game.rules cimport MAX_STONES
from gomoku_brain.lab.train.vectors cimport gb_add, gb_add_cut, gb_add_rows, gb_cut_slope

cdef enum:
    NO_KIND = ALL_KINDS  # of a cell that is not empty

KIND_ROWS = 2 * NO_KIND
REGIONS = REGION_COUNT


cdef struct Scratch:        # of one thread
    int count                               # points
    int32_t[2][MAX_STONES][2] index         # view (black's, white's), point -> its rows
    uint8_t[MAX_STONES] region


@cython.final
cdef class PointSums:
    """Points of the games' positions. All arrays are as in ``samples.Samples``.

    ``by_side``: the rows of white's view are not those of black's and follow them in
    the table.
    """

    cdef const uint8_t[::1] game_size
    cdef const int32_t[::1] game
    cdef const uint16_t[::1] ply
    cdef const int64_t[::1] cell_start
    cdef const uint16_t[::1] cells
    cdef bint by_side

    def __init__(self, samples, *, bint by_side=False):
        self.game_size, self.game, self.ply = samples.game_size, samples.game, samples.ply
        self.cell_start, self.cells = samples.cell_start, samples.cells
        self.by_side = by_side

    @property
    def rows(self):
        """Number of rows of the table."""
        return KIND_ROWS * (2 if self.by_side else 1)

    cdef void find(self, int64_t at, Scratch *points) noexcept nogil:
        """Find the rows of every point of position ``at``."""
        cdef int size = self.game_size[self.game[at]], x, y, n = 0
        cdef int white = 2 * NO_KIND if self.by_side else 0
        cdef int64_t start = 2 * self.cell_start[at]
        for y in range(size):
            for x in range(size):
                if self.cells[start] != NO_KIND:
                    points.index[0][n][0] = self.cells[start]
                    points.index[0][n][1] = self.cells[start + 1] + NO_KIND
                    points.index[1][n][0] = self.cells[start + 1] + white
                    points.index[1][n][1] = self.cells[start] + NO_KIND + white
                    points.region[n] = region_of(x, y, size, size)
                    n += 1
                start += 2
        points.count = n

    def rows_of(self, int64_t at):
        """Return the rows of a position: [view, black's and white's][point][rows]."""
        cdef Scratch *points = new_scratch()
        cdef int view, p
        try:
            self.find(at, points)
            return [
                [
                    [points.index[view][p][0], points.index[view][p][1]]
                    for p in range(points.count)
                ]
                for view in range(2)
            ]
        finally:
            free(points)

    def forward(
        self,
        const int64_t[::1] positions,
        const float[:, ::1] table,
        const float[::1] bias,
        float[:, :, ::1] pools,
    ):
        """Fill ``pools``, (positions, REGIONS, 2 * WIDTH), the view of the mover first.

        ``table``: (rows, WIDTH); ``bias``: (WIDTH,). Releases the GIL.
        """
        cdef Scratch *points = new_scratch()
        cdef int64_t k
        try:
            check_shapes(self, table, bias, pools, positions.shape[0])
            with nogil:
                for k in range(positions.shape[0]):
                    self.find(positions[k], points)
                    forward_one(
                        points, &table[0, 0], &bias[0], self.ply[positions[k]] & 1,
                        &pools[k, 0, 0],
                    )
        finally:
            free(points)

    def backward(
        self,
        const int64_t[::1] positions,
        const float[:, ::1] table,
        const float[::1] bias,
        const float[:, :, ::1] slopes,
        float[:, ::1] table_slope,
        float[::1] bias_slope,
    ):
        """Add to the gradients of the parameters, from those of ``pools``."""
        cdef Scratch *points = new_scratch()
        cdef int64_t k
        try:
            check_shapes(self, table, bias, slopes, positions.shape[0])
            check_shapes(self, table_slope, bias_slope, slopes, positions.shape[0])
            with nogil:
                for k in range(positions.shape[0]):
                    self.find(positions[k], points)
                    backward_one(
                        points, &table[0, 0], &bias[0], self.ply[positions[k]] & 1,
                        &slopes[k, 0, 0], &table_slope[0, 0], &bias_slope[0],
                    )
        finally:
            free(points)


cdef int check_shapes(
    PointSums points, const float[:, ::1] table, const float[::1] bias,
    const float[:, :, ::1] pools, int64_t count
) except -1:
    if table.shape[0] != points.rows or table.shape[1] != WIDTH:
        raise ValueError(f"table: not ({points.rows}, {WIDTH})")
    if bias.shape[0] != WIDTH:
        raise ValueError(f"bias: not ({WIDTH},)")
    if (
        pools.shape[0] != count or pools.shape[1] != REGION_COUNT
        or pools.shape[2] != 2 * WIDTH
    ):
        raise ValueError(f"pools: not ({count}, {REGION_COUNT}, {2 * WIDTH})")
    return 0


cdef Scratch *new_scratch() except NULL:
    cdef Scratch *points = <Scratch *> calloc(1, sizeof(Scratch))
    if points == NULL:
        raise MemoryError("no memory for the points of a position")
    return points


cdef inline void add_rows(
    const int32_t *rows, const float *table, const float *bias, float *sums
) noexcept nogil:
    """Compute the numbers of a point before negative ones become 0."""
    gb_add_rows(&table[rows[0] * WIDTH], &table[rows[1] * WIDTH], bias, sums)


cdef void forward_one(
    const Scratch *points, const float *table, const float *bias, int side, float *pools
) noexcept nogil:
    cdef float[WIDTH] sums
    cdef int view, p
    memset(pools, 0, REGION_COUNT * 2 * WIDTH * sizeof(float))
    for view in range(2):
        for p in range(points.count):
            add_rows(points.index[view][p], table, bias, sums)
            gb_add_cut(sums, &pools[(2 * points.region[p] + (view ^ side)) * WIDTH])


cdef void backward_one(
    const Scratch *points, const float *table, const float *bias, int side,
    const float *slopes, float *table_slope, float *bias_slope
) noexcept nogil:
    cdef float[WIDTH] sums, slope
    cdef const float *pool
    cdef int view, p, j
    for view in range(2):
        for p in range(points.count):
            add_rows(points.index[view][p], table, bias, sums)
            pool = &slopes[(2 * points.region[p] + (view ^ side)) * WIDTH]
            gb_cut_slope(sums, pool, slope)
            gb_add(slope, bias_slope)
            for j in range(2):
                gb_add(slope, &table_slope[points.index[view][p][j] * WIDTH])


def sum_kinds(
    const int64_t[::1] positions,
    const int64_t[::1] starts,
    const uint16_t[::1] kinds,
    const uint16_t[::1] counts,
    const uint16_t[::1] ply,
    const float[:, ::1] weights,
    float[::1] out,
):
    """Set ``out[k]`` to the sum of counts times ``weights`` of the kinds of
    ``positions[k]``.

    ``weights``: (1, KIND_ROWS), or (2, KIND_ROWS) for black and white to move.
    """
    cdef int64_t k, j
    cdef int sides = check_sides(weights)
    cdef const float *mine
    cdef float total
    with nogil:
        for k in range(positions.shape[0]):
            mine = &weights[ply[positions[k]] & (sides - 1), 0]
            total = 0
            for j in range(starts[positions[k]], starts[positions[k] + 1]):
                total += counts[j] * mine[kinds[j]]
            out[k] = total


def spread_kinds(
    const int64_t[::1] positions,
    const int64_t[::1] starts,
    const uint16_t[::1] kinds,
    const uint16_t[::1] counts,
    const uint16_t[::1] ply,
    const float[::1] slopes,
    float[:, ::1] weights_slope,
):
    """Add the gradient of ``sum_kinds`` to ``weights_slope``."""
    cdef int64_t k, j
    cdef int sides = check_sides(weights_slope)
    cdef float *mine
    with nogil:
        for k in range(positions.shape[0]):
            mine = &weights_slope[ply[positions[k]] & (sides - 1), 0]
            for j in range(starts[positions[k]], starts[positions[k] + 1]):
                mine[kinds[j]] += counts[j] * slopes[k]


cdef int check_sides(const float[:, ::1] weights) except -1:
    """Return the number of sides to move that have weights of kinds; raises ValueError.
    """
    if weights.shape[1] != KIND_ROWS or not 1 <= weights.shape[0] <= 2:
        raise ValueError(f"weights: not (1, {KIND_ROWS}) or (2, {KIND_ROWS})")
    return weights.shape[0]


def adam(
    float[::1] parameter,
    float[::1] slope,
    float[::1] mean,
    float[::1] square,
    float rate,
    float decay,
    float least,
    int step,
):
    """Do one step of Adam (Kingma and Ba 2014) with decoupled decay; clears ``slope``.

    ``step`` counts from 1. ``least`` is added to the root of the mean square of the
    slope before it divides, so numbers with smaller slopes move less.
    """
    cdef float one = 1 - 0.9 ** step, two = 1 - 0.999 ** step
    cdef float kept = 1 - rate * decay, g
    cdef float *p = &parameter[0]
    cdef float *s = &slope[0]
    cdef float *m = &mean[0]
    cdef float *v = &square[0]
    cdef int64_t k, n = parameter.shape[0]
    if not slope.shape[0] == mean.shape[0] == square.shape[0] == n:
        raise ValueError("adam: the arrays have different lengths")
    one = rate / one
    two = 1 / two
    with nogil:
        for k in range(n):
            g = s[k]
            s[k] = 0
            m[k] += <float> 0.1 * (g - m[k])
            v[k] += <float> 0.001 * (g * g - v[k])
            p[k] = kept * p[k] - one * m[k] / (sqrtf(v[k] * two) + least)
