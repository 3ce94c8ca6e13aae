"""The threat solver's moves for the checker of proofs, and the settings of a proof.

The check of a proof needs only this of the search for proofs.
"""

from typing import NamedTuple

from gomoku_brain.game.rules import Rule, Side
from gomoku_brain.proofs.grid import Grid, bits_of
from gomoku_brain.prove.hints import Hints

__all__ = ["FOREVER", "LEAF_NODES", "Problem", "SolverHints"]

# Nodes of the threat solver.
LEAF_NODES = 2_000  # most nodes to win a position that is left to the solver
FOUR_NODES = 20_000  # to find the fours behind a threat
CHECK_NODES = 2_000_000  # to find any win again
FOREVER = 1 << 62  # nodes

GIVEN = 100_000  # moves of the solver that are stored
HASH_MB = 32.0  # megabytes of the solver's table, and of the search's


class Problem(NamedTuple):
    """Settings of a proof except its position."""

    rule: str
    width: int
    height: int
    winner: str


class SolverHints:
    """Source of the solver's moves for the checker; its numbers of nodes can be
    changed.
    """

    def __init__(self, problem: Problem, nodes: int = CHECK_NODES) -> None:
        """Create the hints; ``nodes`` is the limit of one search for a win by threats.

        ``four_nodes`` is the limit of one search for a win by fours.
        """
        self.solver = Hints(
            problem.width,
            problem.height,
            Rule[problem.rule.upper()],
            Side[problem.winner.upper()],
            HASH_MB,
        )
        self.nodes = nodes
        self.four_nodes = FOUR_NODES
        self.patience = FOREVER
        """Nodes that searches without a win may still use.

        When they are used up, only moves that need no search are returned.
        """
        self._grid = Grid(problem.width, problem.height)
        self._given: dict[int, dict[int, int]] = {}
        self._count = 0

    def threat(self, attacker: int, defender: int) -> int | None:
        """Return a move that begins a win by threats.

        If the solver finds none, it is the move that the solver found in the position
        with the same stones of the attacker and the most similar stones of the
        defender.
        """
        before = self.solver.nodes
        nodes = min(self.nodes, self.patience)
        move = self.solver.threat(attacker, defender, nodes)
        if move is None:
            self.patience = max(0, self.patience - (self.solver.nodes - before))
            if not self.patience:
                return None
            return self._from_another(attacker, defender)
        if self._count >= GIVEN:
            self._given.clear()
            self._count = 0
        self._given.setdefault(attacker, {})[defender] = move
        self._count += 1
        return move

    def clear(self) -> None:
        """Clear all results, so that searches take other ways than before."""
        self.solver.clear()
        self._given.clear()
        self._count = 0

    def _from_another(self, attacker: int, defender: int) -> int | None:
        """Return the move found in a similar position with the same stones of the
        attacker.

        A stone that does not change a win can still mislead the solver.
        """
        free = [
            ((others ^ defender).bit_count(), move)
            for others, move in self._given.get(attacker, {}).items()
            if not defender >> move & 1
        ]
        return min(free, default=(0, None))[1]

    def four(self, attacker: int, defender: int) -> int | None:
        """Return a move that begins a win by fours."""
        return self.solver.four(attacker, defender, self.four_nodes)

    def unsolved(self, attacker: int, defender: int, replies: int, nodes: int) -> int:
        """Return the replies after which the solver finds no win within so many nodes.

        ``replies``: the replies to try, as bits.
        """
        return sum(
            1 << reply
            for reply in bits_of(replies)
            if not self.is_solved(attacker, defender | 1 << reply, nodes)
        )

    def is_solved(self, attacker: int, defender: int, nodes: int) -> bool:
        """Whether the solver finds a win in the same way as for a player in a game.

        It starts with an empty table, and with the canonical image of the position,
        since the images of a position can need very different numbers of nodes.
        """
        first, second, _ = self._grid.canonical(attacker, defender)
        self.solver.clear()
        return self.solver.solve(first, second, nodes) == "win"
