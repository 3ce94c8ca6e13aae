PARAMETERS: dict[str, tuple[int, int, int, int]]
"""Name of a tunable constant -> (its index, value, least, most)."""

def fill_defaults() -> None:
    """Write the values of the table into the array that workers start from."""
