# Transposition table: results of earlier searches by position.

cimport cython
from libc.stdint cimport uint32_t, uint64_t

cdef enum Bound:
    NO_BOUND = 0
    UPPER = 1           # the true score is at most the stored one
    LOWER = 2           # at least
    EXACT = 3

cdef enum:
    BUCKET_ENTRIES = 5
    BUCKET_BYTES = 64   # one cache line


cdef struct Entry:              # 12 bytes; threads read and write them word by word
    uint32_t key                # low half of the position's key, xor the other words
    uint32_t scores             # score 16 bits | static evaluation 16, NO_SCORE if unknown
    uint32_t meta   # depth in 1/64 ply 16 | cell 10 | bound 2 | unused 1 | generation 3


cdef struct Bucket:
    Entry[BUCKET_ENTRIES] entries
    uint32_t unused


cdef struct Table:
    Bucket *buckets             # aligned to a cache line
    void *memory                # what was allocated
    uint64_t count              # buckets in use; less than 2**32
    int generation              # 0..7, advanced with every search


cdef struct Probe:              # an entry, unpacked
    bint found
    int score                   # relative to the node's ply
    int static_eval
    int depth
    int cell
    Bound bound


cdef void tt_probe(Table *table, uint64_t key, int ply, Probe *out) noexcept nogil
cdef void tt_store(
    Table *table, uint64_t key, int ply, int score, int static_eval, int depth, int cell,
    Bound bound
) noexcept nogil
cdef void tt_prefetch(const Table *table, uint64_t key) noexcept nogil


@cython.final
cdef class TranspositionTable:
    cdef Table table
    cdef Bucket spare               # used if no memory is available
    cdef size_t bytes               # of the memory
    cdef uint64_t first             # buckets used after a clear
    cdef uint64_t maximum              # first, doubled as often as the size allows
    cdef uint64_t touched           # beyond these all is zero, as from the system
    cdef bint empty                 # nothing stored since the last clear
    cdef readonly double size_mb

    cdef void reset(self) noexcept
