PARAMETERS: dict[str, tuple[int, int, int, int]]
"""Tunable constants by name: (index, value, least, most)."""

def fill_defaults() -> None:
    """Write the values of the table into the array from which workers start."""
