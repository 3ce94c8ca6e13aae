"""Transposition table: buckets of one cache line, five entries each.

Any size works, because the bucket is chosen by multiplying the key's high half with the
number of buckets. An entry's key is stored xor-ed with its data, so that two threads
writing at once leave an entry that fits no position instead of a wrong one (Hyatt and
Mann, "A lock-less transposition table implementation", 2002). A 32-bit key still lies
now and then: the caller checks that a table move is legal.
"""

cimport cython
from libc.stdint cimport int16_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from gomoku_brain.eval.score cimport NO_SCORE, WIN_ZONE
from gomoku_brain.game.bits cimport prefetch

cdef enum:
    CELL_MASK = 1023
    GENERATIONS = 8
    MOST_MB = 1 << 18       # 2**32 buckets of 64 bytes
    AGE_COST = 4 * 64       # an entry one search old counts as 4 plies shallower
    EXTRA_DEPTH = 2 * 64    # an entry may replace one of its own position this much deeper


cdef inline Bucket *bucket_of(const Table *table, uint64_t key) noexcept nogil:
    return &table.buckets[(key >> 32) * table.count >> 32]


cdef inline uint32_t scramble(const Entry *entry) noexcept nogil:
    """The data of an entry folded into 32 bits."""
    return (
        (<uint32_t> <uint16_t> entry.score | <uint32_t> <uint16_t> entry.static_eval << 16)
        ^ (<uint32_t> <uint16_t> entry.depth | <uint32_t> entry.meta << 16)
    )


cdef void tt_prefetch(const Table *table, uint64_t key) noexcept nogil:
    prefetch(bucket_of(table, key))


cdef void tt_probe(Table *table, uint64_t key, int ply, Probe *out) noexcept nogil:
    """Look a position up; proved scores come back as distances from the root.

    An entry is copied first: another thread may write to it after the test of its key.
    """
    cdef Bucket *bucket = bucket_of(table, key)
    cdef Entry entry
    cdef int k
    for k in range(BUCKET_ENTRIES):
        entry = bucket.entries[k]
        if entry.meta >> 10 & 3 and entry.key ^ scramble(&entry) == <uint32_t> key:
            if entry.meta >> 13 != table.generation:        # seen again: keep it young
                entry.meta = <uint16_t> ((entry.meta & 0x1FFF) | table.generation << 13)
                entry.key = <uint32_t> key ^ scramble(&entry)
                bucket.entries[k] = entry
            out.found = True
            out.score = entry.score
            if out.score > WIN_ZONE:
                out.score -= ply
            elif out.score < -WIN_ZONE:
                out.score += ply
            out.static_eval = entry.static_eval
            out.depth = entry.depth
            out.cell = entry.meta & CELL_MASK
            out.bound = <Bound> (entry.meta >> 10 & 3)
            out.was_pv = entry.meta >> 12 & 1
            return
    out.found = False
    out.static_eval = NO_SCORE
    out.cell = 0
    out.depth = -1
    out.bound = NO_BOUND
    out.was_pv = False


cdef void tt_store(
    Table *table, uint64_t key, int ply, int score, int static_eval, int depth, int cell,
    Bound bound, bint was_pv
) noexcept nogil:
    """Store what a search found; a proved score is stored relative to the node.

    Within a bucket the shallowest, oldest entry gives way. ``cell`` 0 keeps the move
    that is known already.
    """
    cdef Bucket *bucket = bucket_of(table, key)
    cdef Entry *entry
    cdef Entry *slot = NULL
    cdef int k, worth, least = 1 << 30
    for k in range(BUCKET_ENTRIES):
        entry = &bucket.entries[k]
        if entry.key ^ scramble(entry) == <uint32_t> key and entry.meta >> 10 & 3:
            if (
                bound != EXACT and depth + EXTRA_DEPTH < entry.depth
                and entry.meta >> 13 == table.generation
            ):
                return
            if cell == 0:
                cell = entry.meta & CELL_MASK
            slot = entry
            break
        worth = entry.depth - AGE_COST * (
            (table.generation - (entry.meta >> 13)) & (GENERATIONS - 1)
        )
        if not entry.meta >> 10 & 3:
            worth = -(1 << 29)
        if worth < least:
            least = worth
            slot = entry
    if score > WIN_ZONE:
        score += ply
    elif score < -WIN_ZONE:
        score -= ply
    slot.score = <int16_t> score
    slot.static_eval = <int16_t> static_eval
    slot.depth = <int16_t> depth
    slot.meta = <uint16_t> (cell | bound << 10 | was_pv << 12 | table.generation << 13)
    slot.key = <uint32_t> key ^ scramble(slot)


@cython.final
cdef class TranspositionTable:

    def __cinit__(self, double size_mb):
        self.table.memory = NULL
        self.resize(size_mb)

    def __dealloc__(self):
        free(self.table.memory)

    def resize(self, double size_mb):
        if not 0 < size_mb <= MOST_MB:
            raise ValueError(
                f"the table needs a positive size of at most {MOST_MB} MB, not {size_mb}"
            )
        cdef uint64_t count = max(
            <uint64_t> 1, <uint64_t> (size_mb * 1048576 / BUCKET_BYTES)
        )
        count = min(count, <uint64_t> 0xFFFFFFFF)
        free(self.table.memory)
        self.table.memory = NULL
        while True:
            # calloc's fresh pages cost nothing until the search touches them
            self.table.memory = calloc(count + 1, BUCKET_BYTES)
            if self.table.memory != NULL:
                break
            if count == 1:      # then the table is the one bucket that is always there
                self.table.count = 1
                self.table.buckets = &self.spare
                memset(&self.spare, 0, sizeof(Bucket))
                self.size_mb = size_mb
                return
            count = count // 2
        self.table.count = count
        self.table.generation = 0
        self.table.buckets = <Bucket *> (
            (<size_t> self.table.memory + BUCKET_BYTES - 1) & ~<size_t> (BUCKET_BYTES - 1)
        )
        self.size_mb = size_mb

    def clear(self):
        self.resize(self.size_mb)

    def age(self):
        self.table.generation = (self.table.generation + 1) % GENERATIONS
