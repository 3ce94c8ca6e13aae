MARCH: str
"""``GOMOKU_MARCH`` of the build, "" if it was not set."""
SET: tuple[str, ...]
"""Names of the compiled modules of a set, "game.board" and the like (variants.py)."""

def registers() -> tuple[int, int, int, int]:
    """Return the registers that show whether a variant can run; all 0 except on x86.

    They are ECX of CPUID leaf 1, EBX of leaf 7, ECX of leaf 0x80000001, and the low
    half of XCR0, which is 0 if the system does not use it. ``variants.py`` has the
    names of the bits.
    """
