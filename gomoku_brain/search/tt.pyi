class TranspositionTable:
    """What searches remember of positions; shared by the workers of an engine."""

    size_mb: float
    def __init__(self, size_mb: float) -> None: ...
    def resize(self, size_mb: float) -> None:
        """Forget everything and take another size, in MB.

        With too little memory the table gets smaller; MemoryError if nothing is left.
        """
    def clear(self) -> None:
        """Forget everything."""
    def age(self) -> None:
        """Begin a new search: older entries give way first."""
