# Sizes, units, limits and regions of the network over points, and the only place for
# them in compiled code. The evaluation (points.pyx, and the C of lanes.pxd) is compiled
# with these numbers. Python, the training among it, reads them in ``points.NETWORK``.
# docs/WEIGHTS.md describes the arithmetic.

cdef extern from *:
    """
    #define GB_WIDTH 16             /* numbers of a point for a side */
    #define GB_REGIONS 9            /* 3 x 3, row by row */
    #define GB_ZONES 3              /* corner, edge, centre */
    #define GB_FIRST 32             /* outputs of the first layer */
    #define GB_ROW_UNIT 512         /* of a row's numbers, and of an input, in 1 */
    #define GB_MOST_ROW 16383       /* of a number of a row: a sum of two is in 16 bits */
    #define GB_POOL_SHIFT 4         /* from a sum over points to an input */
    #define GB_MOST_INPUT 8191      /* of a layer */
    #define GB_WEIGHT_SHIFT 10      /* a weight is in 1/1024: 1/512 * 1/1024 -> 1/512 */
    #define GB_BIAS_SHIFT 11        /* a bias is in 1/256: 1/256 -> 1/512 * 1/1024 */
    #define GB_OUTPUT_SHIFT 13      /* 1/512 * 1/16 of a score unit -> score units */
    """
    enum:
        WIDTH "GB_WIDTH"
        REGIONS "GB_REGIONS"
        ZONES "GB_ZONES"
        FIRST "GB_FIRST"
        ROW_UNIT "GB_ROW_UNIT"
        MAX_ROW "GB_MOST_ROW"
        POOL_SHIFT "GB_POOL_SHIFT"
        MAX_INPUT "GB_MOST_INPUT"
        WEIGHT_SHIFT "GB_WEIGHT_SHIFT"
        BIAS_SHIFT "GB_BIAS_SHIFT"
        OUTPUT_SHIFT "GB_OUTPUT_SHIFT"


cdef inline int region_of(int x, int y, int width, int height) noexcept nogil:
    """Return the region of a cell, 0..8, row by row: thirds each way, of which the outer
    ones are rounded to the nearest.
    """
    cdef int across = (width + 1) // 3, down = (height + 1) // 3
    return (
        3 * ((y >= down) + (y >= height - down)) + (x >= across) + (x >= width - across)
    )
