"""Keys of positions that are equal for all symmetric images.

The key is the smallest of eight Zobrist sums, one for each symmetry of the board. So
the archive finds a position in any orientation. The random numbers have a fixed seed,
because files store the keys.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from gomoku_brain.game.notation import Move
from gomoku_brain.game.rules import Rule
from gomoku_brain.game.symmetry import inverse, symmetries, transform_move

__all__ = ["PositionKey", "keys_of_line"]

_LARGEST = 22  # cells along a side
_random = Random(20_260_722)
_NUMBERS = [
    [_random.getrandbits(62) for _ in range(_LARGEST * _LARGEST)] for _ in range(2)
]


class PositionKey(NamedTuple):
    """Key of a position, and its orientation relative to the canonical image."""

    key: int
    """The key, 63 bits."""
    width: int
    height: int
    turns: tuple[int, ...]
    """The symmetries that lead to the canonical image; a symmetric position has
    several."""

    def cell(self, move: Move) -> int:
        """Return the number of a move in the canonical image.

        The number is y * 22 + x, the smallest one of symmetric moves.
        """
        return min(
            y * _LARGEST + x
            for x, y in (
                transform_move(move, self.width, self.height, turn)
                for turn in self.turns
            )
        )

    def moves(self, cell: int) -> list[Move]:
        """Return the moves on this board that have the number ``cell``."""
        there = Move(cell % _LARGEST, cell // _LARGEST)
        found = {
            transform_move(there, self.width, self.height, inverse(turn))
            for turn in self.turns
        }
        return sorted(found)


def keys_of_line(
    rule: Rule, width: int, height: int, moves: Sequence[Move]
) -> Iterator[PositionKey]:
    """Yield the keys of the positions before each move and after the last one.

    Black moves first.
    """
    images = symmetries(width, height)
    salt = (int(rule) << 10) + (width << 5) + height
    sums = [0] * len(images)
    for ply in range(len(moves) + 1):
        minimum = min(sums)
        turns = tuple(k for k in images if sums[k] == minimum)
        yield PositionKey(minimum ^ salt, width, height, turns)
        if ply < len(moves):
            numbers = _NUMBERS[ply % 2]
            for k in images:
                x, y = transform_move(moves[ply], width, height, k)
                sums[k] ^= numbers[y * _LARGEST + x]
