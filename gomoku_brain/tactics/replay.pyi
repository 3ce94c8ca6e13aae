from collections.abc import Sequence
from typing import Protocol

from gomoku_brain.control.limits import ThreatTree
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board

def replay(
    board: Board,
    tree: ThreatTree,
    control: SearchControl,
    nodes: int | None = None,
    *,
    moves: int | None = None,
) -> str | None:
    """Return None if the tree wins for the side to move against every legal defence.

    Otherwise return the fault of the tree, or "stopped" if ``control`` or the limit of
    ``nodes`` (moves made) ended the replay first. With ``moves`` the tree must win
    within so many moves of the attacker.
    """

def unbeaten_replies(board: Board, line: Sequence[Move]) -> list[Move]:
    """Return the legal moves of the side to move after which a line does not win.

    ``line`` is a win of the other side by fours, from its first four to its five. It
    wins against a move if it can be played to its end, and if its fours, in their
    order, also win against every other reply that could stop one of their fives. Raises
    ValueError for an empty line, one of more than 60 fours, and a move off the board.
    """

class _Solver(Protocol):
    def tree(self, nodes: int = ...) -> ThreatTree | None: ...

def proved_tree(
    solver: _Solver,
    board: Board,
    control: SearchControl,
    tree_nodes: int,
    replay_nodes: int | None = None,
) -> ThreatTree | None:
    """Return the win that a solver has just found on a board, after a replay.

    ``solver.tree(tree_nodes)`` is the win that it claims. None if it fails against a
    defence, or if ``control`` or one of the limits (moves made) ended the making of the
    tree or its replay.
    """
