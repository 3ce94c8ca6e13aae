# Words that one thread writes while others read them: relaxed atomics, which cost nothing
# on x86-64. MSVC has none in C; there aligned words are atomic as they are.

from libc.stdint cimport int64_t, uint32_t, uint64_t

cdef extern from * nogil:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define gb_load(word) __atomic_load_n(word, __ATOMIC_RELAXED)
    #define gb_store(word, value) __atomic_store_n(word, value, __ATOMIC_RELAXED)
    #else
    #define gb_load(word) (*(word))
    #define gb_store(word, value) (*(word) = (value))
    #endif
    /* A counter with one writer, which reads it as usual. */
    #define gb_count(word) gb_store(word, *(word) + 1)
    """
    int load_int "gb_load"(const volatile int *word)
    int64_t load_int64 "gb_load"(const volatile int64_t *word)
    uint32_t load_uint32 "gb_load"(const uint32_t *word)
    uint64_t load_uint64 "gb_load"(const uint64_t *word)
    void store_int "gb_store"(volatile int *word, int value)
    void store_int64 "gb_store"(volatile int64_t *word, int64_t value)
    void store_uint32 "gb_store"(uint32_t *word, uint32_t value)
    void store_uint64 "gb_store"(uint64_t *word, uint64_t value)
    void count_one "gb_count"(uint64_t *word)
