from typing import Literal, final

from gomoku_brain.game.rules import Rule, Side

@final
class Hints:
    """Winning moves of one side from the threat solver, to search or check a proof.

    Positions are given as two integers: bit ``y * (width + 1) + x`` of ``attacker`` or
    ``defender`` is set if that side has a stone there, and the attacker is to move.
    Moves are the numbers of such bits. The results of one position help in the next.

    Raises ValueError for a table of no size, and for stones that are off the board or
    on one another; MemoryError if memory is short.
    """

    def __new__(
        cls, width: int, height: int, rule: Rule, attacker: Side, hash_mb: float = 16
    ) -> Hints: ...
    def solve(
        self, attacker: int, defender: int, nodes: int
    ) -> Literal["win", "no win", "unknown"]:
        """Whether the attacker wins by fours and threes, within so many moves made.

        "no win" is a proof as far as the solver's threats go.
        """
    def threat(self, attacker: int, defender: int, nodes: int) -> int | None:
        """Return the attacker's first move of a win by fours and threes.

        None if none is found within so many moves made.
        """
    def four(self, attacker: int, defender: int, nodes: int) -> int | None:
        """Return the first four of a win with as few fours as possible, or the five
        itself.

        None if none is found within so many moves made.
        """
    def age(self) -> None:
        """Age the table: proofs stay, other entries give way to those of new
        positions.
        """
    def clear(self) -> None:
        """Clear all results, as if no position had been solved."""
    @property
    def nodes(self) -> int:
        """Moves made since the object was created."""
