"""Late move reduction by depth and by place in the list, in integers.

The reduction grows with the logarithms of both, a form common to today's chess
programs.
"""

from libc.stdint cimport uint64_t


cdef void fill_logarithms() noexcept nogil:
    """Compute log2 by integer arithmetic, so that every machine reduces alike.

    Fractional bits come from repeated squaring of a 2**30 fixed-point mantissa.
    """
    cdef int n, _k, whole
    cdef uint64_t mantissa
    LOG2[0] = 0
    for n in range(1, LOG_SIZE):
        whole = 0
        while n >> (whole + 1):
            whole += 1
        mantissa = (<uint64_t> n << 30) >> whole
        LOG2[n] = whole
        for _k in range(6):
            mantissa = mantissa * mantissa >> 30
            LOG2[n] <<= 1
            if mantissa >> 31:
                mantissa >>= 1
                LOG2[n] |= 1


fill_logarithms()
