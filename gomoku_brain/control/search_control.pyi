from __future__ import annotations  # pdoc runs the stub

from typing import final

@final
class SearchControl:
    """Handle to stop a running search, or to move its deadline, from any thread.

    Create it before the search, so that an early stop is not lost.
    """

    def stop(self) -> None:
        """End the search at the next poll, about a millisecond later."""
    @property
    def stopped(self) -> bool:
        """Whether the search was stopped or has reached its deadline."""
    def set_deadline(self, time: float | None, target: float | None = None) -> None:
        """Set the hard limit and the soft one, in ``time.perf_counter()`` seconds."""
    @property
    def has_deadline(self) -> bool:
        """Whether a hard limit is set."""
    @property
    def deadline_in(self) -> float | None:
        """Seconds until the hard limit (negative if it has passed); None without
        one.
        """
    @property
    def target_in(self) -> float | None:
        """Seconds until the soft limit (negative if it has passed); None without
        one.
        """
