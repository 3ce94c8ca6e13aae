"""Wins by fours and threes at the root: looked for while the alpha-beta search deepens.

Such wins may lie far beyond the depths that alpha-beta reaches, and most positions show
soon that they hold none. So the VCT solver gets a share of the nodes, in slices between
the iterations. A win that it finds is replayed against every defence before it is
believed, and then followed: as long as the opponent replies within the tree, the next
moves need no search.
"""

from gomoku_brain.game.position import Board
from gomoku_brain.search.control import SearchControl
from gomoku_brain.search.limits import ThreatTree
from gomoku_brain.search.proof import replay
from gomoku_brain.search.vct import VctSolver

__all__ = ["RootThreats"]

SHARE = 1 / 8  # of the nodes of the other search
LEAST = 1_000  # nodes of a slice
TREE_NODES = 200_000  # at most, to search again what the solver's table has lost
REPLAY_NODES = 500_000  # at most, to replay a win


class RootThreats:
    """The search for a win by threats in the position that an engine searches."""

    def __init__(self, hash_mb: float) -> None:
        """``hash_mb``: size of the solver's table, taken when it is first needed."""
        self.share = SHARE
        """Of the nodes of the other search that this one may use."""
        self._hash_mb = hash_mb
        self._solver: VctSolver | None = None
        self._board: Board | None = None
        self._control = SearchControl()
        self._begun = self._over = False
        self._tree: ThreatTree | None = None  # of the last position
        self.nodes = 0
        """Moves made for the current position."""

    def forget(self) -> None:
        """Forget the win that the game was following."""
        self._tree = None

    def begin(self, board: Board, control: SearchControl) -> ThreatTree | None:
        """Turn to a position; its win, if the tree found for the last one holds it."""
        tree, last = self._tree, self._board
        self._board = board.copy()
        self._control = control
        self._begun = self._over = False
        self._tree = None
        self.nodes = 0
        if tree is not None and last is not None:
            self._tree = _answer(tree, last, board)
            self._over = self._tree is not None
        return self._tree

    def look(self, searched: int) -> ThreatTree | None:
        """Look on, the other search having made so many nodes; the win, if any."""
        budget = int(searched * self.share) - self.nodes
        if self._over or self._board is None or budget < LEAST:
            return self._tree
        if self._solver is None:
            self._solver = VctSolver(self._hash_mb)
        solver = self._solver
        if self._begun:
            status = solver.resume(budget)
        else:
            status = solver.solve(self._board, self._control, budget)
            self._begun = True
        self.nodes = solver.nodes
        if status == "win":
            tree = solver.tree(TREE_NODES)
            if tree and not replay(self._board, tree, self._control, REPLAY_NODES):
                self._tree = tree
            self.nodes = solver.nodes
        self._over = status != "unknown"
        return self._tree


def _answer(tree: ThreatTree, last: Board, board: Board) -> ThreatTree | None:
    """What is left of a tree for ``last``, one move of either side later."""
    after = last.copy()
    after.play(tree.move)
    for reply, answer in tree.replies:
        after.play(reply)
        if after == board:
            return answer
        after.undo()
    return None
