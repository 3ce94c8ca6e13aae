MARCH: str
"""``GOMOKU_MARCH`` of the build, "" when it was not set."""

def registers() -> tuple[int, int, int, int]:
    """What tells whether a variant can run; all 0 on other processors than x86.

    ECX of CPUID leaf 1, EBX of leaf 7, ECX of leaf 0x80000001, and the low half of
    XCR0, which is 0 where the system does not use it. The names of the bits are in
    variants.py.
    """
