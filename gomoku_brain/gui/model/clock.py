"""Game clock: time used by the side to move, and time left."""

import time
from collections.abc import Callable

from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.game.rules import Side

__all__ = ["GameClock"]


class GameClock:
    """Clock of one move at a time. The game tree stores the times of earlier moves."""

    def __init__(
        self, control: PlayerLimits, now: Callable[[], float] = time.perf_counter
    ) -> None:
        """Create a clock that does not run."""
        self.control = control
        self.side: Side | None = None
        """The side whose move is timed; None if the clock does not run."""
        self._now = now
        self._begun = 0.0
        self._kept = 0.0  # seconds of this move before the last pause

    def run(self, side: Side, kept: float = 0.0) -> None:
        """Start the clock for a side, or continue after a pause.

        ``kept``: seconds of this move before the clock was stopped.
        """
        self._kept += kept
        if self.side is None:
            self.side, self._begun = side, self._now()

    def pause(self) -> None:
        """Stop the clock during a move."""
        if self.side is not None:
            self._kept = self.elapsed
            self.side = None

    def stop(self) -> float:
        """End the move and return its seconds."""
        used = self.elapsed
        self.side, self._kept = None, 0.0
        return used

    @property
    def elapsed(self) -> float:
        """Seconds of the current move."""
        if self.side is None:
            return self._kept
        return self._kept + self._now() - self._begun

    def left(self, used: float, moves: int) -> float | None:
        """Return the seconds that a side may use for the current move; None = no limit.

        ``used`` and ``moves`` are the seconds and the number of its earlier moves.
        """
        return self.control.seconds(self.match_left(used, moves))

    def match_left(self, used: float, moves: int) -> float | None:
        """Return the same as ``left`` for the match clock alone."""
        if self.control.match is None:
            return None
        return self.control.match + moves * self.control.increment - used
