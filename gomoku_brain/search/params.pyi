PARAMETERS: dict[str, tuple[int, int, int, int]]
"""Name of a tunable constant -> (its index, value, least, most)."""

def fill_defaults() -> None: ...
