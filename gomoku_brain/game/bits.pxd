# Bit operations that compilers name differently, each with a portable fallback.

from libc.stdint cimport uint32_t, uint64_t

cdef extern from * nogil:
    """
    #include <stdint.h>
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    static inline int gb_ctz32(uint32_t word) {
        unsigned long index;
        _BitScanForward(&index, word);
        return (int)index;
    }
    static inline void gb_prefetch(const void *address) {
    #if defined(_M_X64) || defined(_M_IX86)
        _mm_prefetch((const char *)address, _MM_HINT_T0);
    #else
        (void)address;
    #endif
    }
    #elif defined(__GNUC__)
    static inline int gb_ctz32(uint32_t word) { return __builtin_ctz(word); }
    static inline void gb_prefetch(const void *address) { __builtin_prefetch(address); }
    #else
    static inline int gb_ctz32(uint32_t word) {
        int index = 0;
        while (!(word & 1u)) { word >>= 1; index++; }
        return index;
    }
    static inline void gb_prefetch(const void *address) { (void)address; }
    #endif
    static inline int gb_ctz64(uint64_t word) {
        uint32_t low = (uint32_t)word;
        return low ? gb_ctz32(low) : 32 + gb_ctz32((uint32_t)(word >> 32));
    }
    static inline int gb_pop_lsb32(uint32_t *word) {
        int index = gb_ctz32(*word);
        *word &= *word - 1;
        return index;
    }
    static inline int gb_pop_lsb64(uint64_t *word) {
        int index = gb_ctz64(*word);
        *word &= *word - 1;
        return index;
    }
    static inline uint64_t gb_rotr64(uint64_t word, int count) {
        return (word >> (count & 63)) | (word << (-count & 63));
    }
    """
    # Return the index of the lowest bit, and clear it. The word must not be 0.
    int pop_lsb32 "gb_pop_lsb32"(uint32_t *word)
    int pop_lsb64 "gb_pop_lsb64"(uint64_t *word)
    void prefetch "gb_prefetch"(const void *address)
    uint64_t rotr64 "gb_rotr64"(uint64_t word, int count)   # any count, modulo 64
