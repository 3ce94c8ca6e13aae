"""The clock of a game: what the side to move is using, and what it has left."""

import time
from collections.abc import Callable

from gomoku_brain.game.rules import Side
from gomoku_brain.match.referee import TimeControl

__all__ = ["Clock"]


class Clock:
    """Runs for one side at a time; what earlier moves used is the game's to know."""

    def __init__(
        self, control: TimeControl, now: Callable[[], float] = time.perf_counter
    ) -> None:
        """Stand still."""
        self.control = control
        self.side: Side | None = None
        """Whose move it counts; None while it stands still."""
        self._now = now
        self._begun = 0.0
        self._kept = 0.0  # of this move, before the last pause

    def run(self, side: Side) -> None:
        """Count for the side: a new move, or the one that was interrupted."""
        if self.side is None:
            self.side, self._begun = side, self._now()

    def pause(self) -> None:
        """Stand still in the middle of a move."""
        if self.side is not None:
            self._kept = self.elapsed
            self.side = None

    def stop(self) -> float:
        """End the move; the seconds that it took."""
        used = self.elapsed
        self.side, self._kept = None, 0.0
        return used

    @property
    def elapsed(self) -> float:
        """Seconds of the present move."""
        if self.side is None:
            return self._kept
        return self._kept + self._now() - self._begun

    def left(self, used: float, moves: int) -> float | None:
        """What a side may still use for this move, before this move's own seconds.

        `used` and `moves` are its seconds and moves so far; None without a limit.
        """
        limits = []
        if self.control.turn is not None:
            limits.append(self.control.turn)
        total = self.match_left(used, moves)
        if total is not None:
            limits.append(total)
        return min(limits, default=None)

    def match_left(self, used: float, moves: int) -> float | None:
        """The same of the match clock alone."""
        if self.control.match is None:
            return None
        return self.control.match + moves * self.control.increment - used
