"""How long the board searches for its user, beside the players and the analysis."""

from gomoku_brain.control.limits import Limits

HINT = Limits(time=1.0)
WIN = Limits(time=20.0)
"""Of the search for a win that the user requests."""
THREAT = Limits(time=0.5)
"""Of the search for a win of the opponent after a move."""
REVIEW = Limits(nodes=30_000)
"""Of each search of a review."""
ANSWER = Limits(nodes=150_000)
"""Of the check of an answer in a lesson."""
PUZZLE_SECONDS = 2.0
"""Per move of the defence."""
PROOF_SECONDS = 2.0
"""Per move if the winner of a proof must search."""
