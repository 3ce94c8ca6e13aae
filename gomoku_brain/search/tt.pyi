from typing import final

@final
class TranspositionTable:
    """What searches remember of positions; shared by the workers of an engine."""

    size_mb: float
    def __new__(cls, size_mb: float) -> TranspositionTable: ...
    def resize(self, size_mb: float) -> None:
        """Forget everything and take another size, in MB.

        With too little memory the table gets smaller. ValueError out of range.
        """
    def clear(self) -> None:
        """Forget everything."""
    def age(self) -> None:
        """Begin a new search: older entries give way first."""
