"""Cells of a board as bits of an integer, the symmetries of its shape, and names.

A position is a pair of integers, the stones of the *attacker*, who is to move and is
claimed to win, and those of the *defender*: bit ``y * (width + 1) + x`` stands for the
cell in column x of row y, both counted from 0. The bit after the last column of a row
stays 0, so that no line of stones continues from one row into the next.

This module imports nothing of this package and little else, since the engine may import
it on the time of a move.
"""

from collections.abc import Iterator

__all__ = ["RULES", "SIDES", "SIZES", "Grid", "Position", "bits_of"]

SIZES = range(3, 23)
RULES = ("freestyle", "standard")
"""Rules that proofs can be about, by their names in files."""
SIDES = ("black", "white")
"""Sides, by their names in files."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"

Position = tuple[int, int]
"""Stones of the attacker and of the defender, as bits."""


class Grid:
    """Cells of a board as bits, and the symmetries of its shape."""

    def __init__(self, width: int, height: int) -> None:
        """Create the grid. Raises ValueError for a size out of range."""
        if width not in SIZES or height not in SIZES:
            raise ValueError(f"no board of {width}x{height}")
        self.width = width
        self.height = height
        self.stride = width + 1
        self.full = 0
        """Set of all cells."""
        for cell in self.cells():
            self.full |= 1 << cell
        self.images: list[list[int]] = []
        """For each symmetry, the image of each bit number."""
        self.inverse: list[int] = []
        """For each symmetry, the one that undoes it."""
        for swap in (False, True) if width == height else (False,):
            for mirror_y in (False, True):
                for mirror_x in (False, True):
                    self.images.append(self._image(mirror_x, mirror_y, swap))
        cells = list(self.cells())
        for image in self.images:
            for k, other in enumerate(self.images):
                if all(other[image[cell]] == cell for cell in cells):
                    self.inverse.append(k)

    def cells(self) -> Iterator[int]:
        """Yield the bit numbers of the cells, row by row."""
        for y in range(self.height):
            for x in range(self.width):
                yield y * self.stride + x

    def _image(self, mirror_x: bool, mirror_y: bool, swap: bool) -> list[int]:
        image = [0] * (self.stride * self.height)
        for cell in self.cells():
            y, x = divmod(cell, self.stride)
            if mirror_x:
                x = self.width - 1 - x
            if mirror_y:
                y = self.height - 1 - y
            image[cell] = x * self.stride + y if swap else y * self.stride + x
        return image

    def turned(self, stones: int, symmetry: int) -> int:
        """Return the stones after a symmetry."""
        image, result = self.images[symmetry], 0
        while stones:
            lowest = stones & -stones
            result |= 1 << image[lowest.bit_length() - 1]
            stones ^= lowest
        return result

    def canonical(self, attacker: int, defender: int) -> tuple[int, int, int]:
        """Return the canonical image of a position, and the symmetry to it."""
        best = (attacker, defender, 0)
        for k in range(1, len(self.images)):
            turned = self.turned(attacker, k)
            if turned > best[0]:
                continue
            image = (turned, self.turned(defender, k), k)
            if image < best:
                best = image
        return best

    def name(self, cell: int) -> str:
        """Return the name of a cell: "h8" is the eighth column, the eighth row."""
        y, x = divmod(cell, self.stride)
        return f"{LETTERS[x]}{y + 1}"

    def cell(self, name: str) -> int:
        """Return the bit number of a cell. Raises ValueError for an unknown name."""
        x, y = LETTERS.find(name[:1] or "?"), name[1:]
        if not (x >= 0 and y.isascii() and y.isdigit() and len(y) <= 2):
            raise ValueError(f"no cell {name!r}")
        if not (x < self.width and 1 <= int(y) <= self.height):
            raise ValueError(f"no cell {name!r} on {self.width}x{self.height}")
        return (int(y) - 1) * self.stride + x

    def names(self, stones: int) -> list[str]:
        """Return the names of a set of cells, row by row."""
        return [self.name(cell) for cell in bits_of(stones)]


def bits_of(stones: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set, in order."""
    while stones:
        lowest = stones & -stones
        yield lowest.bit_length() - 1
        stones ^= lowest
