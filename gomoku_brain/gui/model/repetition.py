"""Spaced repetition of a person's own mistakes: when a lesson is shown again.

A lesson that was solved without help returns after a longer interval each time, and is
finished after the last one. One that was solved with help or after an error begins
again. The numbers are stored in the text of the lesson.
"""

import json
from typing import NamedTuple

__all__ = ["INTERVALS", "Repetition", "repetition_of", "with_repetition"]

INTERVALS = (1, 3, 7, 21, 60)
"""Days after the first, second .. solution until the lesson is shown again."""


class Repetition(NamedTuple):
    """State of one lesson."""

    step: int = 0
    """Number of successive solutions without help."""
    due: int = 0
    """First day on which it is shown, as an ordinal of ``datetime.date``."""

    def after(self, clean: bool, today: int) -> "Repetition | None":
        """Return the state after a solution; None if the lesson is finished.

        Args:
            clean: Whether it was solved at the first attempt and without help.
            today: The day of the solution.
        """
        if not clean:
            return Repetition(0, today + INTERVALS[0])
        if self.step >= len(INTERVALS):
            return None
        return Repetition(self.step + 1, today + INTERVALS[self.step])


def repetition_of(text: str) -> Repetition:
    """Return the state in the text of a lesson; a new lesson is due at once."""
    try:
        row = json.loads(text)
        return Repetition(int(row.get("step", 0)), int(row.get("due", 0)))
    except (ValueError, TypeError, AttributeError):
        return Repetition()


def with_repetition(text: str, state: Repetition) -> str:
    """Return the text of a lesson with another state."""
    return json.dumps({**json.loads(text), "step": state.step, "due": state.due})
