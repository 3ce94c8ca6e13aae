"""Scale of playing strength, 0 (beginner) to ``FULL_STRENGTH``, and its names.

It is a module of its own, so that the protocol can use it before a search is imported.
"""

TYPE_CHECKING = False  # importing typing takes milliseconds of the start
if TYPE_CHECKING:
    from typing import Final

__all__ = ["FULL_STRENGTH", "STRENGTHS", "strength_named"]

FULL_STRENGTH: "Final" = 100
"""Strength at which the engine makes no deliberate mistakes."""

STRENGTHS: "Final" = {
    "beginner": 0,
    "novice": 11,
    "easy": 22,
    "casual": 33,
    "medium": 44,
    "skilled": 55,
    "hard": 66,
    "expert": 77,
    "master": 88,
    "full": FULL_STRENGTH,
}
"""Strengths by the names of the levels, weakest first (``levels.ladder``)."""


def strength_named(name: str) -> int:
    """Return the strength of a level by its name, in any case.

    Raises ValueError for another name, with the most similar one.
    """
    strength = STRENGTHS.get(name.strip().lower())
    if strength is None:
        from gomoku_brain.spelling import did_you_mean  # late: only errors need it

        tip = did_you_mean(name.strip(), STRENGTHS)
        raise ValueError(f"no level {name!r}; there are: {', '.join(STRENGTHS)}{tip}")
    return strength
