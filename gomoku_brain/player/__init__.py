"""Our brain as a player: moves within a clock, from proofs, in swap2, and pondering."""
