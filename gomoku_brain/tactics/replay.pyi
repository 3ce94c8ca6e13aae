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
    """None when the tree wins for the side to move against every legal defence.

    With ``moves`` it must win within so many moves of its own. Otherwise what is wrong
    with the tree, or "stopped" when ``control`` or the limit of ``nodes`` (moves made)
    ended the replay first.
    """

def unbeaten_replies(board: Board, line: Sequence[Move]) -> list[Move]:
    """The legal moves of the side to move after which a line does not win as it stands.

    ``line`` is a win of the other side by fours, its first four to its five. It stands
    when it can be played to its end, and when its fours, in their order, also win
    against every other reply that could stop a five of theirs. Raises ValueError for an
    empty line, one of more than 60 fours, and a move off the board.
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
    """The win that a solver has just found on a board, replayed before it is told.

    ``solver.tree(tree_nodes)`` is the win that it claims. None when that does not stand
    against every defence, or when ``control`` or one of the limits (moves made) ended
    the making of the tree or its replay.
    """
