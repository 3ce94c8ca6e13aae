# Late move reduction: by how much less deep a move is searched far down the list.

cdef enum:
    LOG_SIZE = 512      # larger numbers count as the largest

cdef int[LOG_SIZE] LOG2     # in 1/64


cdef inline int late_move_reduction(int scale, int plies, int tried) noexcept nogil:
    """Return ``scale`` / 64 ply for each unit of log2(plies) * log2(tried), in 1/64
    ply.
    """
    return (
        LOG2[min(plies, LOG_SIZE - 1)] * LOG2[min(tried, LOG_SIZE - 1)] * scale / (64 * 64)
    )
