# Proof and disproof numbers, and the table in which a df-pn search stores them.

from libc.stdint cimport int16_t, uint16_t, uint32_t, uint64_t

cdef enum:
    NEVER = 1 << 28             # a proof number: cannot be proved
    ENTRIES = 4                 # entries of a bucket


cdef struct ProofCost:          # least work left: to prove the win, to refute it
    uint32_t win
    uint32_t refute


cdef struct ProofEntry:         # 24 bytes
    uint64_t key
    ProofCost cost
    uint32_t work               # nodes spent on it; 0 = the entry is free
    int16_t move                # the attacker's winning move, if the win is proved
    uint16_t age


cdef struct ProofTable:
    ProofEntry *entries
    uint64_t buckets
    uint16_t age                # age of new entries; an odd one also finds older wins


cdef inline bint is_done(const ProofCost *cost) noexcept nogil:
    return cost.win == 0 or cost.refute == 0


cdef inline ProofCost proved() noexcept nogil:
    cdef ProofCost cost
    cost.win = 0
    cost.refute = NEVER
    return cost


cdef inline ProofCost refuted() noexcept nogil:
    cdef ProofCost cost
    cost.win = NEVER
    cost.refute = 0
    return cost


cdef int make_table(ProofTable *table, double megabytes) except -1
cdef void free_table(ProofTable *table) noexcept nogil
cdef ProofEntry *probe(ProofTable *table, uint64_t key) noexcept nogil
cdef void store_proof(
    ProofTable *table, uint64_t key, const ProofCost *cost, uint64_t work, int move
) noexcept nogil
