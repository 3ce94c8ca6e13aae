# Memory for data that a search reads all the time: zeroed, from the start of a cache
# line, and in pages of 2 MB if the system has them. With the usual 4 KB nearly every
# probe of a large table, and many look-ups in a small one, miss the processor's cache
# of page addresses.

cdef extern from * nogil:
    """
    #include <stddef.h>
    #include <stdlib.h>
    #if defined(__linux__)
    #include <sys/mman.h>
    static inline void *gb_take_memory(size_t bytes) {
        const size_t page = (size_t)1 << 21;
        size_t whole = (bytes + page - 1) & ~(page - 1), head;
        char *start;
        void *got = mmap(NULL, whole + page, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (got == MAP_FAILED) return NULL;
        start = (char *)(((size_t)got + page - 1) & ~(page - 1));
        head = (size_t)(start - (char *)got);
        if (head) munmap(got, head);
        munmap(start + whole, page - head);
    #if defined(MADV_HUGEPAGE)
        madvise(start, whole, MADV_HUGEPAGE);
    #endif
        return start;
    }
    static inline void gb_return_memory(void *start, size_t bytes) {
        const size_t page = (size_t)1 << 21;
        if (start) munmap(start, (bytes + page - 1) & ~(page - 1));
    }
    #else
    /* What calloc gave is remembered in front of the line. */
    static inline void *gb_take_memory(size_t bytes) {
        const size_t line = 64;
        char *got = (char *)calloc(bytes + 2 * line, 1);
        void **start;
        if (!got) return NULL;
        start = (void **)(((size_t)got + 2 * line - 1) & ~(line - 1));
        start[-1] = got;
        return start;
    }
    static inline void gb_return_memory(void *start, size_t bytes) {
        (void)bytes;
        if (start) free(((void **)start)[-1]);
    }
    #endif
    """
    void *take_memory "gb_take_memory"(size_t bytes)        # NULL if memory is short
    void return_memory "gb_return_memory"(void *start, size_t bytes)    # start may be NULL
