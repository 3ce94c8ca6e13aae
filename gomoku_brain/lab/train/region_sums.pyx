"""Sums of table rows over the points of a board, pooled over regions: both passes.

Every point has a few rows of a table of numbers. They are added up, negative sums are
replaced by 0, and the result is summed over the nine regions of the board, for either
colour's view:

    pools[region, view] = sum over the points of the region of relu(bias + sum of rows)

The *input* determines the rows: ``KINDS`` (the kinds of an empty cell for the two
sides), ``LINES`` (the four windows of raw cells through a point, rows and columns in
one table, diagonals in another), or ``BOTH_LINES`` (windows of two lengths). Optionally
the first ``SPREAD`` numbers of a point are replaced by a weighted sum over the 3 x 3
points around it, with negative sums replaced by 0 again. Weights are floats; this
module serves training only.
"""

cimport cython
from libc.math cimport sqrtf
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from gomoku_brain.eval.network cimport REGIONS as REGION_COUNT
from gomoku_brain.game.patterns cimport KINDS as ALL_KINDS
from gomoku_brain.game.rules cimport EMPTY, MAX_SIZE, MAX_STONES, WALL
from gomoku_brain.lab.train.vectors cimport (
    gb_add, gb_add_cut, gb_add_rows, gb_cut_eight, gb_cut_slope, gb_near, gb_near_slope,
)

cdef enum:
    COLUMNS = 32        # a move is y * COLUMNS + x
    PAD = 5             # border of the grid: the longest reach of a window
    GRID = MAX_SIZE + 2 * PAD
    MAP = MAX_SIZE + 2      # columns of a map of points with a border of one
    BELOW = 8 * MAP
    MOST_ROWS = 8       # rows a point
    LANES = 16          # numbers that are processed together
    MOST_LANES = 64     # most numbers of a point and view
    SPREAD_LANES = 8
    NO_KIND = ALL_KINDS  # of a cell that is not empty

KIND_ROWS = 2 * NO_KIND
REGIONS = REGION_COUNT
SPREAD = SPREAD_LANES

cdef enum:              # inputs
    OF_KINDS = 0
    OF_LINES = 1
    OF_BOTH_LINES = 2

KINDS, LINES, BOTH_LINES = OF_KINDS, OF_LINES, OF_BOTH_LINES

cdef struct Scratch:        # of one thread
    int count                                           # points
    int rows                                            # a point
    int32_t[2][MAX_STONES][MOST_ROWS] index             # view (black's, white's), point
    uint8_t[MAX_STONES] region
    int16_t[MAX_STONES] place                           # on a map
    float[MAP * MAP * SPREAD_LANES] raw                 # the points' own first numbers
    float[MAP * MAP * SPREAD_LANES] slope


cdef int region_edge(int size) noexcept nogil:
    """Return the width of the outer regions along a side: a third of it, rounded to the
    nearest.
    """
    return (size + 1) // 3


cdef inline uint32_t other_view(uint32_t key) noexcept nogil:
    """Return the key of the same window with the colours swapped."""
    return key ^ (~(key >> 1) & 0x55555555)


cdef inline uint32_t all_walls(int high) noexcept nogil:
    """Return the key of a window off the board.

    Its last cell has its two bits at ``high``.
    """
    return <uint32_t> 0xAAAAAAAA >> (30 - high)


@cython.final
cdef class PointWindows:
    """Points of the games' positions. All arrays are as in ``samples.Samples``.

    ``numbers``: row of a window's key, -1 if there is none, for windows of 2 *
    ``reach`` + 1 cells; ``more_numbers``, ``more_reach``: the second windows of
    ``BOTH_LINES``, whose rows follow in the table. Rows of the diagonals follow those
    of rows and columns. ``by_side``: the rows of white's view are not those of black's
    and follow them in the table.
    """

    cdef const uint16_t[::1] moves
    cdef const int64_t[::1] game_start
    cdef const uint8_t[::1] game_size
    cdef const int32_t[::1] game
    cdef const uint16_t[::1] ply
    cdef const int64_t[::1] cell_start
    cdef const uint16_t[::1] cells
    cdef const int32_t[::1] numbers
    cdef const int32_t[::1] more_numbers
    cdef int input
    cdef int reach
    cdef int more_reach
    cdef bint by_side
    cdef int32_t line_rows
    cdef int32_t more_rows

    def __init__(
        self, samples, int input, *, numbers=None, int reach=4, more_numbers=None,
        int more_reach=5, bint by_side=False
    ):
        import numpy

        none = numpy.zeros(0, numpy.int32)
        self.moves, self.game_start = samples.moves, samples.game_start
        self.game_size, self.game = samples.game_size, samples.game
        self.ply = samples.ply
        self.cell_start, self.cells = samples.cell_start, samples.cells
        self.input, self.reach, self.more_reach = input, reach, more_reach
        self.by_side = by_side
        self.numbers = none if numbers is None else numbers
        self.more_numbers = none if more_numbers is None else more_numbers
        if input == OF_KINDS and len(samples.cell_start) != len(samples.game):
            raise ValueError("the samples were made without the kinds of their cells")
        if not (1 <= reach <= PAD and 1 <= more_reach <= PAD):
            raise ValueError(f"reach {reach} or {more_reach} is not in 1..{PAD}")
        if input != OF_KINDS and len(self.numbers) != 4 ** (2 * reach + 1):
            raise ValueError("numbers: not one for each key")
        if input == OF_BOTH_LINES and len(self.more_numbers) != 4 ** (2 * more_reach + 1):
            raise ValueError("more_numbers: not one for each key")
        self.line_rows = numpy.max(numbers) + 1 if numbers is not None else 0
        self.more_rows = numpy.max(more_numbers) + 1 if more_numbers is not None else 0

    @property
    def rows(self):
        """Number of rows of the table."""
        return self.view_rows() * (2 if self.by_side else 1)

    cdef int32_t view_rows(self) noexcept nogil:
        """Return the number of rows that one view uses."""
        if self.input == OF_KINDS:
            return 2 * NO_KIND
        return 2 * (self.line_rows + self.more_rows)

    cdef void find(self, int64_t at, Scratch *points) noexcept nogil:
        """Find the rows of every point of position ``at``."""
        cdef int32_t first = self.view_rows()
        cdef int p, j
        self.find_in_one_table(at, points)
        if self.by_side:
            for p in range(points.count):
                for j in range(points.rows):
                    points.index[1][p][j] += first

    cdef void find_in_one_table(self, int64_t at, Scratch *points) noexcept nogil:
        """Find the rows if both views use the same ones."""
        cdef int32_t game = self.game[at]
        cdef int size = self.game_size[game], edge = region_edge(size)
        cdef int x, y, n = 0
        cdef int64_t start
        if self.input == OF_KINDS:
            start = 2 * self.cell_start[at]
            for y in range(size):
                for x in range(size):
                    if self.cells[start] != NO_KIND:
                        points.index[0][n][0] = self.cells[start]
                        points.index[0][n][1] = self.cells[start + 1] + NO_KIND
                        points.index[1][n][0] = self.cells[start + 1]
                        points.index[1][n][1] = self.cells[start] + NO_KIND
                        points.region[n] = region_of(x, y, size, edge)
                        points.place[n] = (y + 1) * MAP + x + 1
                        n += 1
                    start += 2
            points.rows = 2
            points.count = n
            return
        for y in range(size):
            for x in range(size):
                points.region[n] = region_of(x, y, size, edge)
                points.place[n] = (y + 1) * MAP + x + 1
                n += 1
        points.count = n
        points.rows = 4
        self.find_windows(at, points, &self.numbers[0], self.reach, 0, 0, self.line_rows)
        if self.input == OF_BOTH_LINES:
            points.rows = 8
            self.find_windows(
                at, points, &self.more_numbers[0], self.more_reach, 4, 2 * self.line_rows,
                self.more_rows,
            )

    cdef void find_windows(
        self, int64_t at, Scratch *points, const int32_t *numbers, int reach, int slot,
        int32_t first, int32_t diagonal
    ) noexcept nogil:
        """Read windows as keys of two bits a cell, line by line."""
        cdef int32_t game = self.game[at]
        cdef int size = self.game_size[game], x, y, k, n = 0, place
        cdef int64_t start = self.game_start[game]
        cdef uint8_t[GRID][GRID] grid
        cdef uint32_t[GRID] down, falling, rising
        cdef uint32_t across, entering
        cdef int high = 4 * reach       # where a cell enters a key
        memset(grid, WALL, sizeof(grid))
        for y in range(PAD, PAD + size):
            for x in range(PAD, PAD + size):
                grid[y][x] = EMPTY
        for k in range(self.ply[at]):
            place = self.moves[start + k]
            grid[PAD + place // COLUMNS][PAD + place % COLUMNS] = k & 1
        for x in range(GRID):
            down[x] = falling[x] = rising[x] = all_walls(high)
        for y in range(PAD - reach, PAD + size + reach):
            for x in range(GRID - 1, -1, -1):
                entering = <uint32_t> grid[y][x] << high
                down[x] = down[x] >> 2 | entering
                if x:
                    falling[x] = falling[x - 1] >> 2 | entering
            for x in range(GRID - 1):
                rising[x] = rising[x + 1] >> 2 | <uint32_t> grid[y][x] << high
            if y < PAD + reach:
                continue
            across = all_walls(high)
            for x in range(PAD - reach, PAD + reach):
                across = across >> 2 | <uint32_t> grid[y - reach][x] << high
            for x in range(PAD, PAD + size):
                across = across >> 2 | <uint32_t> grid[y - reach][x + reach] << high
                set_row(points, n, slot, numbers, first, across, high)
                set_row(points, n, slot + 1, numbers, first, down[x], high)
                set_row(
                    points, n, slot + 2, numbers, first + diagonal, falling[x + reach], high
                )
                set_row(
                    points, n, slot + 3, numbers, first + diagonal, rising[x - reach], high
                )
                n += 1

    def rows_of(self, int64_t at):
        """Return the rows of a position: [view, black's and white's][point][rows]."""
        cdef Scratch *points = new_scratch()
        cdef int view, p, k
        try:
            self.find(at, points)
            return [
                [
                    [points.index[view][p][k] for k in range(points.rows)]
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
        const float[:, ::1] spread,
        float[:, :, ::1] pools,
    ):
        """Fill ``pools``, (positions, REGIONS, 2 * width), the view of the mover first.

        ``table``: (rows, width); ``bias``: (width,); ``spread``: (4, SPREAD), weights
        of the point, of its neighbours in rows and columns, of its diagonal neighbours,
        and a bias, or (0, 0) for none. Releases the GIL.
        """
        cdef int width = table.shape[1]
        cdef Scratch *points = new_scratch()
        cdef int64_t k
        check_shapes(self, table, bias, spread, pools, positions.shape[0])
        try:
            with nogil:
                for k in range(positions.shape[0]):
                    self.find(positions[k], points)
                    forward_one(
                        points, &table[0, 0], &bias[0], width,
                        &spread[0, 0] if spread.shape[0] else NULL,
                        self.ply[positions[k]] & 1, &pools[k, 0, 0],
                    )
        finally:
            free(points)

    def backward(
        self,
        const int64_t[::1] positions,
        const float[:, ::1] table,
        const float[::1] bias,
        const float[:, ::1] spread,
        const float[:, :, ::1] slopes,
        float[:, ::1] table_slope,
        float[::1] bias_slope,
        float[:, ::1] spread_slope,
    ):
        """Add to the gradients of the parameters, from those of ``pools``."""
        cdef int width = table.shape[1]
        cdef Scratch *points = new_scratch()
        cdef int64_t k
        check_shapes(self, table, bias, spread, slopes, positions.shape[0])
        check_shapes(
            self, table_slope, bias_slope, spread_slope, slopes, positions.shape[0]
        )
        try:
            with nogil:
                for k in range(positions.shape[0]):
                    self.find(positions[k], points)
                    backward_one(
                        points, &table[0, 0], &bias[0], width,
                        &spread[0, 0] if spread.shape[0] else NULL,
                        self.ply[positions[k]] & 1, &slopes[k, 0, 0],
                        &table_slope[0, 0], &bias_slope[0],
                        &spread_slope[0, 0] if spread.shape[0] else NULL,
                    )
        finally:
            free(points)


cdef int check_shapes(
    PointWindows points, const float[:, ::1] table, const float[::1] bias,
    const float[:, ::1] spread, const float[:, :, ::1] pools, int64_t count
) except -1:
    cdef int width = table.shape[1]
    if width % LANES or not 0 < width <= MOST_LANES or bias.shape[0] != width:
        raise ValueError(f"width {width}: not a multiple of {LANES} up to {MOST_LANES}")
    if table.shape[0] != points.rows:
        raise ValueError(f"table: {table.shape[0]} rows instead of {points.rows}")
    if spread.shape[0] and (spread.shape[0] != 4 or spread.shape[1] != SPREAD_LANES):
        raise ValueError(f"spread: not (4, {SPREAD_LANES})")
    if (
        pools.shape[0] != count or pools.shape[1] != REGION_COUNT
        or pools.shape[2] != 2 * width
    ):
        raise ValueError(f"pools: not ({count}, {REGION_COUNT}, {2 * width})")
    return 0


cdef Scratch *new_scratch() except NULL:
    cdef Scratch *points = <Scratch *> calloc(1, sizeof(Scratch))
    if points == NULL:
        raise MemoryError("no memory for the points of a position")
    return points


cdef inline int region_of(int x, int y, int size, int edge) noexcept nogil:
    """Return the region of a point: 0..8, rows of three from the top."""
    return (
        3 * ((y >= edge) + (y >= size - edge)) + (x >= edge) + (x >= size - edge)
    )


cdef inline void set_row(
    Scratch *points, int point, int slot, const int32_t *numbers, int32_t first,
    uint32_t key, int high
) noexcept nogil:
    points.index[0][point][slot] = first + numbers[key]
    points.index[1][point][slot] = first + numbers[
        other_view(key) & (all_walls(high) | all_walls(high) >> 1)
    ]


cdef inline void add_rows(
    const int32_t *index, int rows, const float *table, const float *bias, int width,
    int lane, float *out
) noexcept nogil:
    """Sum LANES numbers of a point, from ``lane`` on, before negative ones become 0."""
    gb_add_rows(index, rows, table + lane, bias + lane, width, out)


cdef void make_map(
    Scratch *points, int view, const float *table, const float *bias, int width
) noexcept nogil:
    """Fill a map with the first SPREAD numbers of every point, not below 0, with a
    border of 0.
    """
    cdef float[LANES] sums
    cdef int p
    memset(points.raw, 0, sizeof(points.raw))
    for p in range(points.count):
        add_rows(points.index[view][p], points.rows, table, bias, width, 0, sums)
        gb_cut_eight(sums, sums, &points.raw[points.place[p] * SPREAD_LANES])


cdef inline void spread_one(
    const float *at, const float *spread, float *sides, float *corners,
    float *out
) noexcept nogil:
    """Compute the 3 x 3 sum at a point, before negative numbers become 0, and its two
    parts.
    """
    gb_near(at, spread, BELOW, sides, corners, out)


cdef void forward_one(
    Scratch *points, const float *table, const float *bias, int width,
    const float *spread, int side, float *pools
) noexcept nogil:
    cdef float[LANES] sums
    cdef float[SPREAD_LANES] sides, corners, smooth
    cdef float *pool
    cdef int view, p, k, block, lane
    memset(pools, 0, REGION_COUNT * 2 * width * sizeof(float))
    for view in range(2):
        if spread != NULL:
            make_map(points, view, table, bias, width)
        for p in range(points.count):
            for block in range(width // LANES):
                lane = block * LANES
                add_rows(
                    points.index[view][p], points.rows, table, bias, width, lane, sums
                )
                if lane == 0 and spread != NULL:
                    spread_one(
                        &points.raw[points.place[p] * SPREAD_LANES], spread, sides, corners,
                        smooth,
                    )
                    for k in range(SPREAD_LANES):
                        sums[k] = smooth[k]
                pool = &pools[(2 * points.region[p] + (view ^ side)) * width + lane]
                gb_add_cut(sums, pool)


cdef void backward_one(
    Scratch *points, const float *table, const float *bias, int width,
    const float *spread, int side, const float *slopes,
    float *table_slope, float *bias_slope, float *spread_slope
) noexcept nogil:
    cdef float[LANES] sums, slope
    cdef float[SPREAD_LANES] sides, corners, smooth
    cdef const float *pool
    cdef const float *near
    cdef float *down
    cdef int view, p, j, k, block, lane
    for view in range(2):
        if spread != NULL:
            make_map(points, view, table, bias, width)
            memset(points.slope, 0, sizeof(points.slope))
            for p in range(points.count):
                near = &points.raw[points.place[p] * SPREAD_LANES]
                spread_one(near, spread, sides, corners, smooth)
                pool = &slopes[(2 * points.region[p] + (view ^ side)) * width]
                down = &points.slope[points.place[p] * SPREAD_LANES]
                gb_cut_eight(smooth, pool, down)
                gb_near_slope(down, near, sides, corners, spread_slope)
        for p in range(points.count):
            for block in range(width // LANES):
                lane = block * LANES
                add_rows(
                    points.index[view][p], points.rows, table, bias, width, lane, sums
                )
                pool = &slopes[(2 * points.region[p] + (view ^ side)) * width + lane]
                gb_cut_slope(sums, pool, slope)
                if lane == 0 and spread != NULL:
                    # The kernel is its own mirror image, so its transpose is itself.
                    spread_one(
                        &points.slope[points.place[p] * SPREAD_LANES], spread, sides,
                        corners, smooth,
                    )
                    for k in range(SPREAD_LANES):
                        slope[k] = (
                            smooth[k] - spread[3 * SPREAD_LANES + k] if sums[k] > 0 else 0
                        )
                gb_add(slope, bias_slope + lane)
                for j in range(points.rows):
                    gb_add(
                        slope,
                        &table_slope[<int64_t> points.index[view][p][j] * width + lane],
                    )


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
