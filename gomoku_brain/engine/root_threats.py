"""Search for wins by fours and threes at the root, while the alpha-beta search deepens.

Such wins may lie far beyond the depths that alpha-beta reaches, and in most positions
it becomes clear soon that there are none. So the VCT solver gets a share of the nodes,
in slices between the iterations. A win that it finds is replayed against every defence
before it is used, and then followed: as long as the opponent replies within the tree,
the next moves need no search.
"""

from gomoku_brain.control.limits import ThreatTree
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.game.position import Board

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gomoku_brain.tactics.vct import VctSolver

__all__ = ["RootThreats"]

SHARE = 1 / 8  # of the nodes of the other search; set by hand
# The same under rules whose fouls give threats more weight; set by hand
FOULS_SHARE = 1 / 4
LEAST = 1_000  # nodes of a slice; set by hand
TREE_NODES = 200_000  # most nodes for the tree of a win that was found
REPLAY_NODES = 500_000  # most nodes, uncounted, to replay a win
KNOWN = 3  # stored wins: of the last move, of pondering after it, of the next move


class RootThreats:
    """Search for a win by threats in the position that an engine searches."""

    def __init__(self, hash_mb: float) -> None:
        """Create the search; ``hash_mb`` is the size of the solver's table, taken at
        first use.
        """
        self._hash_mb = hash_mb
        self._solver: VctSolver | None = None
        self._board: Board | None = None
        self._control = SearchControl()
        self._begun = self._over = False
        self._known: list[tuple[Board, ThreatTree]] = []  # the last wins
        self.nodes = 0
        """Moves made for the current position, without replays."""

    def forget(self) -> None:
        """Clear the last wins and all results."""
        self._known.clear()
        self._solver = None

    def set_position(self, board: Board, control: SearchControl) -> ThreatTree | None:
        """Set the position; return its win if one of the last trees has it."""
        self._board = board.copy()
        self._control = control
        self._begun = self._over = False
        self.nodes = 0
        for known, tree in reversed(self._known):
            answer = tree if known == board else _answer(tree, known, board)
            if answer:
                self._keep(answer)
                return answer
        return None

    def search(self, searched: int, left: int | None = None) -> ThreatTree | None:
        """Continue the search; return the win if it is found.

        ``searched``: nodes of the other search so far. ``left``: nodes that may still
        be made in all.
        """
        if self._over or self._board is None:
            return None
        share = FOULS_SHARE if self._board.rule.has_fouls else SHARE
        budget = int(searched * share) - self.nodes
        if left is not None:
            budget = min(budget, left)
        if budget < LEAST:
            return None
        status = self._solve(self._board, budget)
        self._over = status != "unknown"
        if status != "win" or self._solver is None:
            return None
        from gomoku_brain.tactics.replay import proved_tree  # late, as the solver

        before = self._solver.nodes
        maximum = TREE_NODES if left is None else min(TREE_NODES, left - budget)
        tree = proved_tree(
            self._solver, self._board, self._control, max(0, maximum), REPLAY_NODES
        )
        self.nodes += self._solver.nodes - before
        if tree:
            self._keep(tree)
        return tree

    def _solve(self, board: Board, budget: int) -> str:
        """Continue the search for so many nodes."""
        if self._begun and self._solver:
            status = self._solver.resume(budget)
        else:
            from gomoku_brain.tactics.vct import VctSolver  # late: not before the OK

            try:
                self._solver = self._solver or VctSolver(self._hash_mb)
            except MemoryError:  # the other search continues alone
                return "no win"
            status = self._solver.solve(board, self._control, budget)
            self._begun = True
        self.nodes = self._solver.nodes
        return status

    def _keep(self, tree: ThreatTree) -> None:
        """Store the win of the current position."""
        self._over = True
        if self._board is not None:
            others = [known for known in self._known if known[0] != self._board]
            self._known = [*others[-(KNOWN - 1) :], (self._board, tree)]


def _answer(tree: ThreatTree, last: Board, board: Board) -> ThreatTree | None:
    """Return the rest of a tree for ``last`` after one move of either side."""
    after = last.copy()
    after.play(tree.move)
    for reply, answer in tree.replies:
        after.play(reply)
        if after == board:
            return answer
        after.undo()
    return None
