# Stopping a search: a flag and a deadline that any thread may set while it runs.

cimport cython
from libc.stdint cimport int64_t

cdef struct ControlState:
    volatile int stop           # not 0: stop now
    volatile int64_t deadline   # nanoseconds on now_ns's clock; 0 = none
    volatile int64_t target     # the same, for the soft limit


cdef int64_t now_ns() noexcept nogil
cdef bint must_stop(ControlState *control) noexcept nogil


@cython.final
cdef class SearchControl:
    cdef ControlState state
