"""Ladder of strengths: a table of levels, and functions to find one.

A level is set by its number, ``INFO strength`` or ``Limits(strength=)``, which also
takes its name; a number between two levels means the lower one. ``docs/levels.md``
lists their mistakes and the score of each against the one below; ``gomoku-brain levels
calibrate`` measures it again.
"""

from dataclasses import asdict, dataclass
from typing import Any, Final

from gomoku_brain.control.strength import STRENGTHS, strength_named

__all__ = ["LEVELS", "Level", "level_at", "level_named"]

# People see straight rows better than diagonals and solid ones better than broken ones,
# and their own chances better than the opponent's. Factors of a level's rates.
DIAGONAL: Final = 1.5
BROKEN: Final = 1.5
OWN: Final = 0.5
MAX_OVERLOOKED: Final = 0.9  # for every shape, at every level


@dataclass(frozen=True, slots=True)
class Level:
    """Weaknesses of a player; rates are probabilities, applied to each move
    independently.
    """

    strength: int
    """Number of the level, 0 (beginner) to 100 (full)."""
    name: str
    """Name, in one word."""
    nodes: int | None = None
    """Mean nodes of a search: 0 = it never searches, None = no limit."""
    reads: float = 1.0
    """Share of the moves that it searches; it plays the others by their shapes."""
    overlooks_threes: float = 0.0
    """Rate at which it overlooks an opponent's solid open three on a row or column."""
    overlooks_fours: float = 0.0
    """Rate at which it overlooks an opponent's solid four on a row or column."""
    overlooks_forks: float = 0.0
    """Rate at which it overlooks all moves with two threats at once, of both sides."""
    breadth: int = 1
    """Number of the best-looking moves from which it chooses."""
    temperature: float = 0.0
    """Randomness of that choice, in values of ``shapes.weigh``.

    A move that looks worse by this value is chosen e times less often (an open three is
    worth about 20).
    """

    def to_dict(self) -> dict[str, Any]:
        """Return the level as values of JSON, as ``levels --json`` prints it."""
        return asdict(self)

    def overlooks(self, four: bool, solid: bool, diagonal: bool, own: bool) -> float:
        """Return the rate at which it overlooks a four or an open three."""
        rate = self.overlooks_fours if four else self.overlooks_threes
        if diagonal:
            rate *= DIAGONAL
        if not solid:
            rate *= BROKEN
        if own:
            rate *= OWN
        return min(rate, MAX_OVERLOOKED)


LEVELS: Final = (
    Level(
        strength=STRENGTHS["beginner"],
        name="beginner",
        nodes=0,
        overlooks_threes=0.75,
        overlooks_fours=0.1,
        overlooks_forks=1.0,
        breadth=14,
        temperature=16.0,
    ),
    Level(
        strength=STRENGTHS["novice"],
        name="novice",
        nodes=0,
        overlooks_threes=0.5,
        overlooks_fours=0.03,
        overlooks_forks=1.0,
        breadth=10,
        temperature=9.5,
    ),
    Level(
        strength=STRENGTHS["easy"],
        name="easy",
        nodes=0,
        overlooks_threes=0.3,
        overlooks_fours=0.01,
        overlooks_forks=0.95,
        breadth=8,
        temperature=7.0,
    ),
    Level(
        strength=STRENGTHS["casual"],
        name="casual",
        nodes=0,
        overlooks_threes=0.15,
        overlooks_forks=0.7,
        breadth=6,
        temperature=5.0,
    ),
    Level(
        strength=STRENGTHS["medium"],
        name="medium",
        nodes=0,
        overlooks_threes=0.05,
        overlooks_forks=0.25,
        breadth=4,
        temperature=2.5,
    ),
    Level(
        strength=STRENGTHS["skilled"],
        name="skilled",
        nodes=1000,
        reads=0.55,
        overlooks_threes=0.02,
        overlooks_forks=0.05,
        breadth=3,
        temperature=1.5,
    ),
    Level(
        strength=STRENGTHS["hard"],
        name="hard",
        nodes=680,
        overlooks_threes=0.01,
        breadth=3,
        temperature=1.5,
    ),
    Level(
        strength=STRENGTHS["expert"],
        name="expert",
        nodes=2200,
        overlooks_threes=0.005,
        breadth=3,
        temperature=1.0,
    ),
    Level(
        strength=STRENGTHS["master"],
        name="master",
        nodes=6500,
        overlooks_threes=0.002,
        breadth=3,
        temperature=1.0,
    ),
    Level(strength=STRENGTHS["full"], name="full"),
)


def level_at(strength: int) -> Level:
    """Return the highest level whose number is not above ``strength``."""
    return max(
        (level for level in LEVELS if level.strength <= max(strength, 0)),
        key=lambda level: level.strength,
    )


def level_named(name: str) -> Level:
    """Return the level of a name, in any case. Raises ValueError for another one."""
    return level_at(strength_named(name))
