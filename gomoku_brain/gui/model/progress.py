"""Results of a person with the puzzles: rating, streak and solved puzzles.

The rating is an Elo rating. A puzzle is an opponent whose rating is its difficulty, and
the first attempt is the game.
"""

from dataclasses import dataclass, field, replace

__all__ = ["SolverRecord"]

START = 900.0
FACTOR = 32.0  # Elo's K
FIRST_FACTOR = 80.0  # for the first FIRST puzzles; the start matters little then
FIRST = 10


@dataclass(frozen=True)
class SolverRecord:
    """Results of one person."""

    rating: float = START
    tried: int = 0
    """Number of rated puzzles."""
    streak: int = 0
    """Number of successive puzzles solved at the first attempt without a hint."""
    longest: int = 0
    solved: list[int] = field(default_factory=list)
    """Numbers of the solved puzzles of the package."""
    days: list[int] = field(default_factory=list)
    """Days whose puzzle was solved, as ordinals of ``datetime.date``."""
    rated_day: int = 0
    """The last day whose puzzle has changed the rating; 0 = none."""
    open: int = 0
    """Number of the puzzle that was shown but not tried; 0 = none. It is shown again,
    so leaving is no way to choose an easier one."""

    def after(self, rating: int, solved: bool) -> "SolverRecord":
        """Return the record after the first attempt at a puzzle with this rating."""
        expected = 1 / (1 + 10 ** ((rating - self.rating) / 400))
        factor = FIRST_FACTOR if self.tried < FIRST else FACTOR
        streak = self.streak + 1 if solved else 0
        return replace(
            self,
            rating=max(100.0, self.rating + factor * (solved - expected)),
            tried=self.tried + 1,
            streak=streak,
            longest=max(self.longest, streak),
        )

    def with_solved(self, number: int) -> "SolverRecord":
        """Return the record after a puzzle was solved, at any attempt."""
        return replace(self, solved=sorted({*self.solved, number}))

    def with_day(self, day: int) -> "SolverRecord":
        """Return the record after the puzzle of a day was solved."""
        return replace(self, days=sorted({*self.days, day}))

    def with_rated_day(self, day: int) -> "SolverRecord":
        """Return the record after the puzzle of a day has changed the rating."""
        return replace(self, rated_day=max(self.rated_day, day))

    def day_streak(self, today: int) -> int:
        """Return the number of successive days with a solved puzzle of the day.

        The last one is today, or yesterday as long as today's puzzle is open.
        """
        days = set(self.days)
        day = today if today in days else today - 1
        count = 0
        while day - count in days:
            count += 1
        return count

    def with_open(self, number: int) -> "SolverRecord":
        """Return the record after a puzzle was shown; 0: it has been tried."""
        return replace(self, open=number)

    def is_day_rated(self, day: int) -> bool:
        """Return whether the puzzle of a day has changed the rating."""
        return day <= self.rated_day or day in self.days
