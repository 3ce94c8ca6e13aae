"""Table of a df-pn search: proved and refuted positions, and proof numbers of the
others.

The age of an entry shows which of the searches that share the table stored it. Searches
of one position use two ages, an even and an odd one: the second phase uses only the
wins of the first.
"""

from libc.stdint cimport int16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

cdef enum:
    MAX_MB = 1 << 18


cdef int make_table(ProofTable *table, double megabytes) except -1:
    """Allocate the entries; ValueError for a size out of range, else MemoryError."""
    if not 0 < megabytes <= MAX_MB:
        raise ValueError(f"the table needs a positive size, not {megabytes} MB")
    table.buckets = max(
        <uint64_t> 1, <uint64_t> (megabytes * 1048576 / (ENTRIES * sizeof(ProofEntry)))
    )
    table.buckets = min(table.buckets, <uint64_t> 0xFFFFFFFF)
    table.entries = <ProofEntry *> calloc(table.buckets * ENTRIES, sizeof(ProofEntry))
    if table.entries == NULL:
        raise MemoryError("no memory for the solver's table")
    return 0


cdef void free_table(ProofTable *table) noexcept nogil:
    """Free the entries, if there are any."""
    free(table.entries)


cdef inline ProofEntry *bucket_of(ProofTable *table, uint64_t key) noexcept nogil:
    return &table.entries[((key >> 32) * table.buckets >> 32) * ENTRIES]


cdef ProofEntry *probe(ProofTable *table, uint64_t key) noexcept nogil:
    """Return the entry of a position, or NULL; of the first phase only wins are
    found.
    """
    cdef ProofEntry *bucket = bucket_of(table, key)
    cdef int k
    for k in range(ENTRIES):
        if bucket[k].key == key and bucket[k].work and (
            bucket[k].age == table.age or bucket[k].cost.win == 0
        ):
            return &bucket[k]
    return NULL


cdef void store_proof(
    ProofTable *table, uint64_t key, const ProofCost *cost, uint64_t work, int move
) noexcept nogil:
    """Store a position in place of the entry that cost the least work."""
    cdef ProofEntry *bucket = bucket_of(table, key)
    cdef ProofEntry *slot = NULL
    cdef uint64_t worth, minimum = <uint64_t> -1
    cdef int k
    for k in range(ENTRIES):
        if bucket[k].key == key and bucket[k].work:
            slot = &bucket[k]
            work += slot.work
            break
        worth = 0
        if bucket[k].age == table.age or (
            bucket[k].age ^ 1 == table.age and bucket[k].cost.win == 0
        ):
            worth = bucket[k].work
        if worth < minimum:
            minimum = worth
            slot = &bucket[k]
    slot.key = key
    slot.cost = cost[0]
    slot.work = <uint32_t> min(work + 1, <uint64_t> 0xFFFFFFFF)
    slot.move = <int16_t> move
    slot.age = table.age
