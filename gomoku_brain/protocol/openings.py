"""Swap2: which three stones to put on an empty board, and which colour to take.

The first player puts black, white, black; the second takes black, or stays white and
moves, or adds two stones and lets the first choose. Opening stones come
from a small table; the choice of a colour comes from a search.
"""

from gomoku_brain.game.notation import Move
from gomoku_brain.search.limits import SearchResult

# Black, white, black, as cells from the top left corner; the first that fits is put.
# Chosen for balance: our own search calls the first one within 12 units of even, the
# others within 30 (700k nodes, standard and freestyle, 15x15 and 20x20). Near a corner:
# black has no quick win there. The first is of a Gomocup opening list.
_OPENINGS = (
    ((2, 0), (3, 2), (5, 4)),
    ((2, 1), (2, 3), (4, 2)),
    ((0, 0), (2, 1), (3, 3)),
)


def first_stones(width: int, height: int) -> tuple[Move, Move, Move]:
    """Three balanced stones (black, white, black) for an empty board of that size."""
    for opening in _OPENINGS:
        # Not beyond the middle: the table counts on open space on one side only.
        if all(x <= width // 2 and y <= height // 2 for x, y in opening):
            break
    first, second, third = [Move(x, y) for x, y in opening]
    return first, second, third


def takes_black(white_to_move: SearchResult) -> bool:
    """Whether black is the better colour, by a search with white to move."""
    if white_to_move.win_in is not None:
        return white_to_move.win_in <= 0
    return white_to_move.score < 0
