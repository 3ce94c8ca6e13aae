# Zobrist keys: one random 64-bit number per (stone, cell); a position's key is their xor.

from libc.stdint cimport uint64_t

from gomoku_brain.game.geometry cimport CELLS

cdef uint64_t[3][CELLS] ZOBRIST     # BLACK, WHITE, WALL; filled at import
cdef uint64_t WHITE_TO_MOVE         # added by xor when the table is probed
