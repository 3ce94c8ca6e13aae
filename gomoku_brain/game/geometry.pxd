# The padded board: a 32 x 32 grid whose outer five cells are walls, so that a line may
# run off the board without a test. A cell is y * 32 + x in padded coordinates.

cdef enum:
    STRIDE = 32         # cells of a padded row
    CELLS = 1024        # cells of the padded board
    MARGIN = 5          # border cells on each side: the longest reach of a line class
    DIRECTIONS = 4
    LINES = 64          # lines of one direction (there are up to 63 diagonals)
    NO_CELL = 0         # a border cell: never a move


cdef inline int cell_of(int x, int y) noexcept nogil:
    return (y + MARGIN) * STRIDE + x + MARGIN


cdef inline int cell_x(int cell) noexcept nogil:
    return (cell & (STRIDE - 1)) - MARGIN


cdef inline int cell_y(int cell) noexcept nogil:
    return (cell >> 5) - MARGIN


# A line of direction d is one 64-bit word with two bits a cell. Its cells are numbered
# by the padded x (the vertical one: by the padded y), so that the cell k places further
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
    """Which line of a direction passes through a cell."""
    cdef int x = cell & (STRIDE - 1), y = cell >> 5
    if direction == 0:
        return y
    if direction == 1:
        return x
    if direction == 2:
        return x - y + 31
    return x + y


cdef inline int line_place(int cell, int direction) noexcept nogil:
    """The number of a cell on its line."""
    return cell >> 5 if direction == 1 else cell & (STRIDE - 1)
