# The padded board: a 32 x 32 grid whose outer five cells are walls, so a line may run
# off the board without a test. A cell is y * STRIDE + x in padded coordinates.

from libc.stdint cimport uint32_t

cdef enum:
    STRIDE_BITS = 5
    STRIDE = 32         # cells of a padded row: 2 to the power of STRIDE_BITS
    CELLS = 1024        # cells of the padded board
    MARGIN = 5          # border cells on each side: the longest reach of a line class
    DIRECTIONS = 4
    LINES = 64          # lines of one direction (there are up to 63 diagonals)
    NO_CELL = 0         # a border cell, which is never a move


cdef inline int cell_of(int x, int y) noexcept nogil:
    return (y + MARGIN) * STRIDE + x + MARGIN


cdef inline int padded_x(int cell) noexcept nogil:
    return cell & (STRIDE - 1)


cdef inline int padded_y(int cell) noexcept nogil:
    return cell >> STRIDE_BITS


cdef inline uint32_t column_bit(int cell) noexcept nogil:
    """Return a cell's bit in the word of its padded row, for sets with one word a
    row.
    """
    return <uint32_t> 1 << padded_x(cell)


cdef inline int cell_x(int cell) noexcept nogil:
    return padded_x(cell) - MARGIN


cdef inline int cell_y(int cell) noexcept nogil:
    return padded_y(cell) - MARGIN


# A line of direction d is one 64-bit word with two bits a cell. Its cells are numbered
# by the padded x (the vertical one: by the padded y), so the cell k places further
# along the word lies k * direction_step(d) away on the board.

cdef inline int direction_step(int direction) noexcept nogil:
    if direction == 0:
        return 1                # horizontal
    if direction == 1:
        return STRIDE           # vertical
    if direction == 2:
        return STRIDE + 1       # falling diagonal
    return 1 - STRIDE           # rising diagonal


cdef inline int line_index(int cell, int direction) noexcept nogil:
    """Return the number of the line of a direction that passes through a cell."""
    cdef int x = padded_x(cell), y = padded_y(cell)
    if direction == 0:
        return y
    if direction == 1:
        return x
    if direction == 2:
        return x - y + 31
    return x + y


cdef inline int line_place(int cell, int direction) noexcept nogil:
    """Return the number of a cell on its line."""
    return padded_y(cell) if direction == 1 else padded_x(cell)
