CLASS_NAMES: tuple[str, ...]
"""Names of the line classes from DEAD to OL, in the order of ``patterns.pxd``."""
