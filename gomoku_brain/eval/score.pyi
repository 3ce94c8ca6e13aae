from typing import Final

DRAW: Final[int]
EVAL_LIMIT: Final[int]
WIN: Final[int]
WIN_ZONE: Final[int]
INFINITY: Final[int]
NO_SCORE: Final[int]

def plies_to_end(score: int) -> int | None:
    """Return the plies to the end by a score (negative = lost), None if it is not
    proved.
    """
