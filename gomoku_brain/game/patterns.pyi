CLASS_NAMES: tuple[str, ...]
"""The line classes from DEAD to OL, as patterns.pxd numbers them."""
