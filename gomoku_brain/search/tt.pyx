"""Transposition table: buckets of one cache line, five entries each.

Any size works, because the bucket is chosen by multiplying the key's high half with the
number of buckets. An entry's key is stored xor-ed with its data, so two threads that
write at once leave an entry that matches no position instead of a wrong one (Hyatt and
Mann, "A lock-less transposition table implementation", 2002). Rarely, two positions
share a 32-bit key: the caller checks that a table move is legal.
"""

cimport cython
from libc.stdint cimport int16_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from gomoku_brain.eval.score cimport NO_SCORE, WIN_ZONE
from gomoku_brain.game.atomics cimport load_uint32, store_uint32
from gomoku_brain.game.bits cimport prefetch
from gomoku_brain.game.memory cimport return_memory, take_memory

cdef enum:
    CELL_MASK = 1023
    GENERATIONS = 8
    MAX_MB = 1 << 18       # 2**32 buckets of 64 bytes
    FIRST_BUCKETS = 1 << 17     # most that is used at first: 8 MB, the size of caches
    STEP = 1 << 15              # buckets in 2 MB: milliseconds at most
    AGE_COST = 4 * 64       # an entry one search old counts as 4 plies shallower
    EXTRA_DEPTH = 2 * 64    # an entry may replace one of its own position this much deeper


cdef inline Bucket *bucket_of(const Table *table, uint64_t key) noexcept nogil:
    return &table.buckets[(key >> 32) * table.count >> 32]


cdef inline Entry load(const Entry *slot) noexcept nogil:
    """Return a copy of an entry, to which another thread may write at any time."""
    cdef Entry entry
    entry.key = load_uint32(&slot.key)
    entry.scores = load_uint32(&slot.scores)
    entry.meta = load_uint32(&slot.meta)
    return entry


cdef inline void store(
    Entry *slot, uint32_t key, uint32_t scores, uint32_t meta
) noexcept nogil:
    store_uint32(&slot.scores, scores)
    store_uint32(&slot.meta, meta)
    store_uint32(&slot.key, key ^ scores ^ meta)


cdef inline uint32_t key_of(Entry entry) noexcept nogil:
    return entry.key ^ entry.scores ^ entry.meta


cdef inline int depth_of(Entry entry) noexcept nogil:
    return <int16_t> entry.meta


cdef inline int cell_of(Entry entry) noexcept nogil:
    return entry.meta >> 16 & CELL_MASK


cdef inline int bound_of(Entry entry) noexcept nogil:
    """Return the bound of an entry; NO_BOUND if it is empty."""
    return entry.meta >> 26 & 3


cdef inline int generation_of(Entry entry) noexcept nogil:
    return entry.meta >> 29


cdef inline void set_age(Entry *slot, Entry entry, int generation) noexcept nogil:
    store(
        slot, key_of(entry), entry.scores,
        (entry.meta & 0x1FFFFFFF) | <uint32_t> generation << 29
    )


cdef void tt_prefetch(const Table *table, uint64_t key) noexcept nogil:
    prefetch(bucket_of(table, key))


cdef void tt_probe(Table *table, uint64_t key, int ply, Probe *out) noexcept nogil:
    """Look a position up; proved scores are returned as distances from the root."""
    cdef Bucket *bucket = bucket_of(table, key)
    cdef Entry entry
    cdef int k
    for k in range(BUCKET_ENTRIES):
        entry = load(&bucket.entries[k])
        if bound_of(entry) and key_of(entry) == <uint32_t> key:
            if generation_of(entry) != table.generation:    # found again: keep it young
                set_age(&bucket.entries[k], entry, table.generation)
            out.found = True
            out.score = <int16_t> entry.scores
            if out.score > WIN_ZONE:
                out.score -= ply
            elif out.score < -WIN_ZONE:
                out.score += ply
            out.static_eval = <int16_t> (entry.scores >> 16)
            out.depth = depth_of(entry)
            out.cell = cell_of(entry)
            out.bound = <Bound> bound_of(entry)
            return
    out.found = False
    out.static_eval = NO_SCORE
    out.cell = 0
    out.depth = -1
    out.bound = NO_BOUND


cdef void tt_store(
    Table *table, uint64_t key, int ply, int score, int static_eval, int depth, int cell,
    Bound bound
) noexcept nogil:
    """Store the result of a search; a proved score is stored relative to the node.

    Within a bucket the shallowest, oldest entry is replaced. With ``cell`` 0 the stored
    move stays.
    """
    cdef Bucket *bucket = bucket_of(table, key)
    cdef Entry entry
    cdef Entry *slot = NULL
    cdef int k, worth, minimum = 1 << 30
    for k in range(BUCKET_ENTRIES):
        entry = load(&bucket.entries[k])
        if key_of(entry) == <uint32_t> key and bound_of(entry):
            if (
                bound != EXACT and depth + EXTRA_DEPTH < depth_of(entry)
                and generation_of(entry) == table.generation
            ):
                return
            if cell == 0:
                cell = cell_of(entry)
            slot = &bucket.entries[k]
            break
        worth = depth_of(entry) - AGE_COST * (
            (table.generation - generation_of(entry)) & (GENERATIONS - 1)
        )
        if not bound_of(entry):
            worth = -(1 << 29)
        if worth < minimum:
            minimum = worth
            slot = &bucket.entries[k]
    if score > WIN_ZONE:
        score += ply
    elif score < -WIN_ZONE:
        score -= ply
    store(
        slot, <uint32_t> key,
        <uint32_t> <uint16_t> score | <uint32_t> static_eval << 16,
        <uint32_t> <uint16_t> depth
        | <uint32_t> (cell | bound << 10 | table.generation << 13) << 16
    )


cdef void double_table(Table *table) noexcept nogil:
    """Double the buckets: entries of one bucket are copied to both in which its
    positions may be.

    The copy in the wrong one is never found; a hit makes the other young again, so the
    wrong ones are replaced first.
    """
    cdef uint64_t k = table.count
    cdef int j
    cdef Bucket bucket
    cdef Entry entry
    cdef int before = (table.generation + GENERATIONS - 1) & (GENERATIONS - 1)
    while k:
        k -= 1
        bucket = table.buckets[k]
        for j in range(BUCKET_ENTRIES):
            entry = bucket.entries[j]
            if bound_of(entry):
                set_age(&bucket.entries[j], entry, before)
        table.buckets[2 * k + 1] = bucket
        table.buckets[2 * k] = bucket
    table.count *= 2


@cython.final
cdef class TranspositionTable:
    """Table of search results by position; shared by the workers of an engine."""

    def __cinit__(self, double size_mb):
        self.table.memory = NULL
        self.resize(size_mb)

    def __dealloc__(self):
        return_memory(self.table.memory, self.bytes)

    def resize(self, double size_mb):
        """Clear the table and set its size, in MB.

        With too little memory the table gets smaller. ValueError out of range.
        """
        if not 0 < size_mb <= MAX_MB:
            raise ValueError(
                f"the table needs a positive size of at most {MAX_MB} MB, not {size_mb}"
            )
        cdef uint64_t count = max(
            <uint64_t> 1, <uint64_t> (size_mb * 1048576 / BUCKET_BYTES)
        )
        count = min(count, <uint64_t> 0xFFFFFFFF)
        count = min(count, <uint64_t> (<size_t> -1) // (2 * BUCKET_BYTES))     # 32 bits
        return_memory(self.table.memory, self.bytes)
        self.table.memory = NULL
        self.size_mb = size_mb
        while True:
            self.bytes = (count + 1) * BUCKET_BYTES
            self.table.memory = take_memory(self.bytes)
            if self.table.memory != NULL:
                break
            if count == 1:      # then the table is the one bucket that always exists
                self.table.buckets = &self.spare
                self.first = self.maximum = 1
                self.clear()
                return
            count = count // 2
        self.table.buckets = <Bucket *> (
            (<size_t> self.table.memory + BUCKET_BYTES - 1) & ~<size_t> (BUCKET_BYTES - 1)
        )
        self.first = count
        while self.first > FIRST_BUCKETS:
            self.first //= 2
        self.maximum = self.first
        while self.maximum * 2 <= count:
            self.maximum *= 2
        self.touched = self.first       # the system gives zeroed pages at their first use
        self.reset()

    cdef void reset(self) noexcept:
        """Begin with an empty table."""
        self.table.count = self.first
        self.table.generation = 0
        self.empty = True

    def clear(self):
        """Clear all entries."""
        with nogil:
            memset(self.table.buckets, 0, self.first * BUCKET_BYTES)
        self.reset()

    def age(self):
        """Start a new search: older entries are replaced first."""
        self.empty = False
        self.table.generation = (self.table.generation + 1) % GENERATIONS

    def grow_idle(self, double nodes):
        """Do one step of growth towards room for so many nodes; False: nothing to do.

        Most steps allocate 2 MB that the system has not given yet; once there is
        enough, one step doubles the part in use. No search may run meanwhile.
        """
        cdef uint64_t step
        if self.table.count >= self.maximum or self.table.count * BUCKET_ENTRIES >= nodes:
            return False
        if self.touched < 2 * self.table.count:
            step = min(<uint64_t> STEP, 2 * self.table.count - self.touched)
            with nogil:
                memset(self.table.buckets + self.touched, 0, step * BUCKET_BYTES)
            self.touched += step
        else:
            with nogil:
                double_table(&self.table)
        return True

    def make_room(self, double nodes):
        """Make the part in use large enough for so many nodes since the last clear.

        A cleared table uses 4 to 8 MB at first, because memory beyond the processor's
        caches slows every node; this doubles it until the size is reached. No search
        may run meanwhile.
        """
        cdef uint64_t stale, before = self.table.count
        while self.table.count < self.maximum and self.table.count * BUCKET_ENTRIES < nodes:
            if self.empty:
                self.table.count *= 2
            else:
                with nogil:
                    double_table(&self.table)
        if self.empty and min(self.touched, self.table.count) > before:
            stale = min(self.touched, self.table.count) - before
            with nogil:
                memset(self.table.buckets + before, 0, stale * BUCKET_BYTES)
        self.touched = max(self.touched, self.table.count)
