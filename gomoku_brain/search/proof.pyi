from gomoku_brain.game.position import Board
from gomoku_brain.search.control import SearchControl
from gomoku_brain.search.limits import ThreatTree

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
