"""A storm: as many puzzles as possible in three minutes.

The clock shows the time that the person has used: it stops while the board checks a
move. A wrong move ends the puzzle and costs time, as does a skipped puzzle; a puzzle
with help does not count as solved. A storm does not change the rating of the solver.
"""

import contextlib
import json
import sqlite3
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Literal

from gomoku_brain.game.rules import Rule
from gomoku_brain.gui.model.archive import Archive
from gomoku_brain.study.puzzles import Exercise

__all__ = [
    "PENALTY",
    "SECONDS",
    "STORM",
    "Storm",
    "StormResult",
    "best_storms",
    "result_from",
]

SECONDS = 180.0
PENALTY = 10.0  # seconds that a mistake or a skipped puzzle costs
FIRST_RATING = 400.0  # of the first puzzle
RATING_STEP = 75.0  # from one puzzle to the next
STORM = "storm:"  # names of the results in the archive begin with it
BEST = 5  # number of results in the list of the best
NEAREST = 6  # number of puzzles near the wanted rating; one is chosen at random

Outcome = Literal["solved", "wrong", "skipped", "helped"]


@dataclass
class StormResult:
    """Counts of one storm."""

    solved: int = 0
    """Puzzles solved without an error and without help."""
    wrong: int = 0
    skipped: int = 0
    helped: int = 0
    """Puzzles with a hint or a shown answer."""
    hardest: int = 0
    """Rating of the hardest solved puzzle; 0 = none."""
    date: str = ""
    """Local time of the end in ISO 8601."""

    def to_text(self) -> str:
        """Serialize the result as JSON."""
        return json.dumps(asdict(self))


def result_from(text: str) -> StormResult:
    """Parse the output of ``StormResult.to_text``.

    Raises:
        ValueError: The text is another one.
    """
    try:
        row = json.loads(text)
        names = ("solved", "wrong", "skipped", "helped", "hardest")
        solved, wrong, skipped, helped, hardest = (int(row[name]) for name in names)
        date = str(row["date"])
        return StormResult(solved, wrong, skipped, helped, hardest, date)
    except (LookupError, TypeError, RecursionError) as error:
        raise ValueError(f"not a result of a storm: {error!r}") from None


def best_storms(archive: Archive) -> list[StormResult]:
    """Return the best stored results, the best one first; of equal ones the earlier."""
    found = []
    with contextlib.suppress(sqlite3.Error):
        for text in archive.noted_all(STORM).values():
            with contextlib.suppress(ValueError):
                found.append(result_from(text))
    found.sort(key=lambda each: (-each.solved, each.wrong, each.date))
    return found[:BEST]


class Storm:
    """Clock, puzzles and counts of one storm."""

    def __init__(
        self,
        exercises: Sequence[Exercise],
        rule: Rule | None = None,
        now: Callable[[], float] = time.monotonic,
        chance: Random | None = None,
    ) -> None:
        """Create a storm whose clock runs.

        Args:
            exercises: The puzzles of the package.
            rule: Rule of the puzzles; None: all rules.
            now: Clock in seconds.
            chance: Source of random numbers.
        """
        self.result = StormResult()
        self.missed: list[Exercise] = []
        """Puzzles that were not solved, or with help."""
        self._current: Exercise | None = None
        self._left = [e for e in exercises if rule is None or e.rule is rule]
        self._left = self._left or list(exercises)
        self._now = now
        self._chance = chance or Random()
        self._shown = 0  # puzzles
        self._used = 0.0  # seconds before the clock was started last
        self._begun: float | None = now()

    @property
    def seconds_left(self) -> float:
        """Seconds left, not below 0."""
        used = self._used
        if self._begun is not None:
            used += self._now() - self._begun
        return max(SECONDS - used, 0.0)

    @property
    def is_over(self) -> bool:
        """Whether the time is used up."""
        return self.seconds_left <= 0

    def stop_clock(self) -> None:
        """Stop the clock, because the board checks a move."""
        if self._begun is not None:
            self._used += self._now() - self._begun
            self._begun = None

    def run_clock(self) -> None:
        """Continue after ``stop_clock``."""
        if self._begun is None:
            self._begun = self._now()

    def draw(self) -> Exercise | None:
        """Return the next puzzle, harder from one to the next. None: all were shown."""
        if not self._left:
            return None
        wanted = FIRST_RATING + RATING_STEP * self._shown
        self._shown += 1
        self._left.sort(key=lambda e: abs(e.rating - wanted))
        place = self._chance.randrange(min(NEAREST, len(self._left)))
        self._current = self._left.pop(place)
        return self._current

    def count(self, outcome: Outcome) -> None:
        """Count the outcome of the puzzle that was drawn last.

        An error and a skipped puzzle cost ``PENALTY`` seconds.
        """
        result, current = self.result, self._current
        assert current is not None
        if outcome != "solved":
            self.missed.append(current)
        if outcome == "solved":
            result.solved += 1
            result.hardest = max(result.hardest, current.rating)
        elif outcome == "helped":
            result.helped += 1
        else:
            self._used += PENALTY
            if outcome == "wrong":
                result.wrong += 1
            else:
                result.skipped += 1
