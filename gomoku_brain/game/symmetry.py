"""Symmetries of a board: eight of a square, four of a rectangle.

A symmetry is a number k from 0 to 7, a sum of: 1 mirrors left and right, 2 mirrors top
and bottom, 4 then swaps x and y. So 0 changes nothing, 3 is half a turn, and 5 and 6
are the quarter turns. A rectangle has only 0 to 3: the swap would change its shape.
"""

from collections.abc import Iterable
from typing import NamedTuple

from gomoku_brain.game.notation import Move

MIRROR_X = 1
MIRROR_Y = 2
SWAP = 4


class Canonical(NamedTuple):
    """Canonical image of a position, the same for all its images."""

    groups: tuple[tuple[Move, ...], ...]
    """The given sets of stones in the canonical image, each sorted."""
    symmetry: int
    """Symmetry from the given position to the canonical image."""


def symmetries(width: int, height: int) -> range:
    """Return all symmetries of a board of that shape, identity first."""
    return range(8) if width == height else range(4)


def transform_move(move: tuple[int, int], width: int, height: int, k: int) -> Move:
    """Return the image of a cell under symmetry k of a width x height board.

    Raises ValueError if the board has no such symmetry.
    """
    if k not in symmetries(width, height):
        raise ValueError(f"a {width}x{height} board has no symmetry {k}")
    x, y = move
    if k & MIRROR_X:
        x = width - 1 - x
    if k & MIRROR_Y:
        y = height - 1 - y
    return Move(y, x) if k & SWAP else Move(x, y)


def transform_moves(
    moves: Iterable[tuple[int, int]], width: int, height: int, k: int
) -> list[Move]:
    """Return the images of moves under symmetry k, in the given order."""
    return [transform_move(move, width, height, k) for move in moves]


def inverse(k: int) -> int:
    """Return the symmetry that undoes k. Raises ValueError unless k is 0..7."""
    if not 0 <= k < 8:
        raise ValueError(f"there is no symmetry {k}")
    # Mirrors undo themselves. After a swap the mirrors have changed axes.
    return k if not k & SWAP else SWAP | (k & MIRROR_X) << 1 | (k & MIRROR_Y) >> 1


def images(
    stones: Iterable[tuple[int, int]], width: int, height: int
) -> list[list[Move]]:
    """Return the stones under every symmetry of the board, element k for symmetry k."""
    stones = list(stones)
    return [
        transform_moves(stones, width, height, k) for k in symmetries(width, height)
    ]


def canonical(
    groups: Iterable[Iterable[tuple[int, int]]], width: int, height: int
) -> Canonical:
    """Return the canonical image of a position, to recognise earlier positions.

    ``groups`` are sets of stones that must not mix, such as (black, white); the order
    within a group does not matter.
    """
    all_images = [images(group, width, height) for group in groups]
    best = None
    for k in symmetries(width, height):
        form = Canonical(tuple([tuple(sorted(image[k])) for image in all_images]), k)
        if best is None or form < best:
            best = form
    assert best is not None  # symmetries() is never empty
    return best
