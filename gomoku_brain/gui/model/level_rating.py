"""Rating of a person by games against the levels, with its history in the archive.

It is an Elo rating: after each game it changes by K times the difference of score and
expected score. The ratings of the levels are the sums of the measured distances in
docs/levels.md; the lowest level has 400.
"""

import contextlib
import json
import sqlite3
from itertools import accumulate
from typing import Final, NamedTuple

from gomoku_brain.gui.model.archive import Archive
from gomoku_brain.levels.ladder import LEVELS

__all__ = [
    "FACTOR",
    "FIRST",
    "FIRST_FACTOR",
    "START",
    "OpenGame",
    "RatedResult",
    "after",
    "expected_score",
    "forget_open",
    "history",
    "level_rating",
    "note_open",
    "open_game",
    "rating_of",
    "store",
]

START: Final = 1000.0
FACTOR: Final = 32.0  # Elo's K
FIRST_FACTOR: Final = 64.0  # for the first FIRST games; the start matters little then
FIRST: Final = 10
_LOWEST = 400
_DISTANCES = (177, 186, 210, 205, 260, 266, 266, 203, 228)  # Elo, docs/levels.md
_RATINGS = dict(
    zip(
        (level.strength for level in LEVELS),
        accumulate(_DISTANCES, initial=_LOWEST),
        strict=True,
    )
)
_RESULT = "rated:"  # names of the results in the archive begin with it
_OPEN = "rated-open"  # name of the note with the game that is not finished


class RatedResult(NamedTuple):
    """Rated game with the rating after it."""

    date: str
    """Local time of the end in ISO 8601."""
    strength: int
    """Strength of the level, as in ``Limits``."""
    score: float
    """1 = won, 0.5 = drawn, 0 = lost."""
    rating: float
    """The rating after the game."""
    game: int
    """Number of the game in the archive; 0 = unknown."""


class OpenGame(NamedTuple):
    """Rated game that is not finished."""

    game: int
    """Number of the game in the archive."""
    strength: int


def level_rating(strength: int) -> int:
    """Return the rating of a level. Raises ``KeyError`` if there is none."""
    return _RATINGS[strength]


def expected_score(rating: float, strength: int) -> float:
    """Return the expected score of a person against a level, 0 to 1."""
    return 1 / (1 + 10 ** ((level_rating(strength) - rating) / 400))


def after(rating: float, games: int, strength: int, score: float) -> float:
    """Return the rating after a game.

    Args:
        rating: The rating before it.
        games: The number of rated games before it.
        strength: The level.
        score: 1 = won, 0.5 = drawn, 0 = lost.
    """
    factor = FIRST_FACTOR if games < FIRST else FACTOR
    return max(100.0, rating + factor * (score - expected_score(rating, strength)))


def history(archive: Archive) -> list[RatedResult]:
    """Return all rated games in the order in which they were stored.

    That is not always the order of their local times: a clock may be set back.
    """
    found = []
    with contextlib.suppress(sqlite3.Error):
        for text in archive.noted_all(_RESULT).values():
            with contextlib.suppress(ValueError, TypeError, LookupError):
                date, strength, score, rating, game = json.loads(text)
                level_rating(int(strength))
                found.append(
                    RatedResult(
                        str(date), int(strength), float(score), float(rating), int(game)
                    )
                )
    return found


def rating_of(results: list[RatedResult]) -> float:
    """Return the rating after the last of the results."""
    return results[-1].rating if results else START


def store(
    archive: Archive, date: str, strength: int, score: float, game: int
) -> RatedResult:
    """Store the result of a rated game, after which none is open.

    Return it with the new rating.

    Raises:
        sqlite3.Error: The archive cannot be written.
    """
    results = history(archive)
    rating = after(rating_of(results), len(results), strength, score)
    made = RatedResult(date, strength, score, rating, game)
    text = json.dumps(list(made))
    archive.change_notes({f"{_RESULT}{len(results)}:{date}": text}, [_OPEN])
    return made


def open_game(archive: Archive) -> OpenGame | None:
    """Return the rated game that is not finished, if any."""
    try:
        game, strength = json.loads(archive.noted(_OPEN) or "null")
        level_rating(strength)
        return OpenGame(int(game), int(strength))
    except (sqlite3.Error, ValueError, TypeError, LookupError):
        return None


def note_open(archive: Archive, game: OpenGame) -> None:
    """Store which rated game is not finished. Raises ``sqlite3.Error``."""
    archive.note(_OPEN, json.dumps(list(game)))


def forget_open(archive: Archive) -> None:
    """Store that no rated game is open. Raises ``sqlite3.Error``."""
    archive.forget(_OPEN)
