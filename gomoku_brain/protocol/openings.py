"""Swap2: which three stones to put on an empty board, and which colour to take.

The first player puts black, white, black; the second takes black, or stays white and
moves, or adds two stones and lets the first choose (RULES.md 4). Opening stones come
from a small table; the choice of a colour comes from a search.
"""

from gomoku_brain.game.notation import Move
from gomoku_brain.search.limits import SearchResult

# Black, white, black, as cells from the corner nearest to them. All but the last, which
# fits the smallest board, are openings that the Gomocup gave to its leagues because the
# colours did about equally well. Far from the centre: black has no quick win there.
_OPENINGS = (
    ((5, 1), (5, 3), (4, 3)),
    ((3, 2), (4, 1), (7, 1)),
    ((2, 0), (3, 2), (5, 4)),
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
