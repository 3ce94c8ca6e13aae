from typing import Literal, final

from gomoku_brain.game.rules import Rule, Side

@final
class Hints:
    """Winning moves of one side, from the threat solver, for whoever checks a win.

    Positions are given as two integers: bit ``y * (width + 1) + x`` of ``attacker`` or
    ``defender`` is set where that side has a stone, and the attacker is to move. Moves
    are the numbers of such bits. What was found for one position serves the next.
    Raises ValueError for a table of no size, and for stones that are off the board or
    on one another; MemoryError when memory is short.
    """

    def __new__(
        cls, width: int, height: int, rule: Rule, attacker: Side, hash_mb: float = 16
    ) -> Hints: ...
    def solve(
        self, attacker: int, defender: int, nodes: int
    ) -> Literal["win", "no win", "unknown"]:
        """Whether the attacker wins by fours and threes, within so many moves made.

        "no win" is a proof within what counts as a threat.
        """
    def threat(self, attacker: int, defender: int, nodes: int) -> int | None:
        """The attacker's first move of a win by fours and threes.

        None when none is found within so many moves made.
        """
    def four(self, attacker: int, defender: int, nodes: int) -> int | None:
        """The first four of a win with as few fours as possible, or the five itself.

        None when none is found within so many moves made.
        """
    def turn_to_another(self) -> None:
        """Keep what was proved; let the rest of the table give way to new positions."""
    def forget(self) -> None:
        """Forget everything, as if no position had been looked at."""
    @property
    def nodes(self) -> int:
        """Moves made since the object was made."""
