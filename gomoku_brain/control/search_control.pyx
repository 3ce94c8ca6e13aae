"""``SearchControl``: the handle to stop a running search or to give it more time.

The search polls it about every thousand nodes, without the GIL. The words are atomic; a
stop that is noticed one poll later does no harm.
"""

cimport cython
from libc.stdint cimport int64_t

from gomoku_brain.game.atomics cimport load_int, load_int64, store_int, store_int64

from time import perf_counter

cdef extern from * nogil:
    """
    #include <stdint.h>
    #if defined(_WIN32)
    #ifndef WIN32_LEAN_AND_MEAN
    #define WIN32_LEAN_AND_MEAN
    #endif
    #include <windows.h>
    static int64_t gb_now_ns(void) {
        LARGE_INTEGER count, frequency;
        QueryPerformanceCounter(&count);
        QueryPerformanceFrequency(&frequency);
        return (int64_t)((double)count.QuadPart * 1e9 / (double)frequency.QuadPart);
    }
    #else
    #include <time.h>
    static int64_t gb_now_ns(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    }
    #endif
    """
    int64_t gb_now_ns()


cdef int64_t now_ns() noexcept nogil:
    """Return the nanoseconds on a monotonic clock."""
    return gb_now_ns()


cdef bint must_stop(ControlState *control) noexcept nogil:
    """Whether the flag is set or the deadline has passed (which sets the flag)."""
    cdef int64_t deadline
    if load_int(&control.stop):
        return True
    deadline = load_int64(&control.deadline)
    if deadline and gb_now_ns() >= deadline:
        store_int(&control.stop, 1)
        return True
    return False


cdef int64_t clock_value(seconds) except? -1:
    """Return an absolute ``perf_counter`` time on ``now_ns``'s clock; 0 for None."""
    cdef double ahead
    if seconds is None:
        return 0
    ahead = min(max(seconds - perf_counter(), -1e6), 1e9)   # seconds; keeps int64 safe
    return max(1, now_ns() + <int64_t> (ahead * 1e9))


@cython.final
cdef class SearchControl:
    """Handle to stop a running search, or to move its deadline, from any thread.

    Create it before the search, so that an early stop is not lost.
    """

    def __cinit__(self):
        self.state.stop = 0
        self.state.deadline = 0
        self.state.target = 0

    def stop(self):
        """End the search at the next poll, about a millisecond later."""
        store_int(&self.state.stop, 1)

    @property
    def stopped(self):
        """Whether the search was stopped or has reached its deadline."""
        return load_int(&self.state.stop) != 0

    def set_deadline(self, time, target=None):
        """Set the hard limit and the soft one, in ``time.perf_counter()`` seconds."""
        store_int64(&self.state.target, clock_value(target))
        store_int64(&self.state.deadline, clock_value(time))

    @property
    def has_deadline(self):
        """Whether a hard limit is set."""
        return load_int64(&self.state.deadline) != 0

    @property
    def deadline_in(self):
        """Seconds until the hard limit (negative if it has passed); None without
        one.
        """
        cdef int64_t at = load_int64(&self.state.deadline)
        return None if at == 0 else (at - now_ns()) * 1e-9

    @property
    def target_in(self):
        """Seconds until the soft limit (negative if it has passed); None without
        one.
        """
        cdef int64_t at = load_int64(&self.state.target)
        return None if at == 0 else (at - now_ns()) * 1e-9
