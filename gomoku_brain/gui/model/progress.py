"""How far somebody has come with the puzzles: a rating, a streak, what was solved.

The rating is Elo's: a puzzle is an opponent of its difficulty, and the first attempt
at it is the game.
"""

from dataclasses import dataclass, field, replace

__all__ = ["SolverRecord"]

START = 900.0
FACTOR = 32.0  # Elo's K
FIRST_FACTOR = 80.0  # for the first FIRST puzzles, so that the start does not matter
FIRST = 10


@dataclass(frozen=True)
class SolverRecord:
    """What is remembered of a solver."""

    rating: float = START
    tried: int = 0
    """Puzzles that were rated."""
    streak: int = 0
    """Solved at the first attempt, without a hint, one after the other."""
    longest: int = 0
    solved: list[int] = field(default_factory=list)
    """Numbers of the shipped puzzles."""

    def after(self, rating: int, solved: bool) -> "SolverRecord":
        """After the first attempt at a puzzle of that difficulty."""
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
        """After a puzzle was solved, at whatever attempt."""
        return replace(self, solved=sorted({*self.solved, number}))
