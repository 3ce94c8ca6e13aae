# Shapes of stones on their lines, and the number of each on a line.

from libc.stdint cimport uint16_t, uint64_t

from gomoku_brain.game.geometry cimport cell_x, cell_y

cdef enum:
    NO_SHAPE = 0            # in rising order
    BLOCKED_TWO = 1
    OPEN_TWO = 2
    BLOCKED_THREE = 3
    OPEN_THREE = 4
    FOUR_SHAPE = 5
    OPEN_FOUR = 6
    FIVE_SHAPE = 7
    SHAPE_BITS = 9          # bits of a count in a packed word: 22 x 22 cells hold < 512


cdef uint16_t[2][1 << 16] SHAPES    # side, the eight neighbours -> shape, stones << 4


cdef inline int entry_at(uint64_t line, int place, int side) noexcept nogil:
    """Return the entry of ``SHAPES`` for a stone of the side at a place of a line."""
    return SHAPES[side][
        (line >> 2 * (place - 4) & 0xFF) | (line >> 2 * (place + 1) & 0xFF) << 8
    ]


cdef inline int count_in(uint64_t packed, int shape) noexcept nogil:
    return <int> (packed >> SHAPE_BITS * (shape - 1) & ((1 << SHAPE_BITS) - 1))


cdef inline int centre_bonus(int width, int height, int cell) noexcept nogil:
    """Return the number of cells between a cell and the nearest edge."""
    cdef int x = cell_x(cell), y = cell_y(cell)
    return min(min(x, width - 1 - x), min(y, height - 1 - y))


cdef void count_line(uint64_t line, uint64_t *counts) noexcept nogil
cdef int rule_score(uint64_t mine, uint64_t theirs, int centre) noexcept nogil
