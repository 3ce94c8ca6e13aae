"""Zobrist keys from a fixed seed, so that every machine has the same ones.

Source of the generator: Steele, Lea and Flood, "Fast splittable pseudorandom number
generators" (2014), the finaliser known as SplitMix64.
"""

from libc.stdint cimport uint64_t

from gomoku_brain.game.geometry cimport CELLS


cdef uint64_t splitmix64(uint64_t *seed) noexcept nogil:
    seed[0] += <uint64_t> 0x9E3779B97F4A7C15
    cdef uint64_t z = seed[0]
    z = (z ^ (z >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t> 0x94D049BB133111EB
    return z ^ (z >> 31)


cdef void fill_keys() noexcept nogil:
    cdef uint64_t seed = 20261120
    cdef int stone, cell
    global WHITE_TO_MOVE
    WHITE_TO_MOVE = splitmix64(&seed)
    for stone in range(3):
        for cell in range(CELLS):
            ZOBRIST[stone][cell] = splitmix64(&seed)


fill_keys()
