"""Large libraries of RenLib, also for ``.ci/measure_board.py``."""

import random


def library(nodes: int, depth: int = 12) -> bytes:
    """Make a library with lines of ``depth`` moves and many siblings.

    Args:
        nodes: Number of its nodes, nearly; each has two bytes.
        depth: Number of moves of a line.
    """
    chance = random.Random(3)
    found = bytearray(b"\xffRenLib\xff\x03\x04" + b"\xff" * 10 + b"\0\0")
    cells = [(y << 4) + x for y in range(15) for x in range(1, 16)]
    count = 0

    def add_line(taken: set[int], ply: int) -> None:
        """Add the moves of a position: eight at each second one, else one."""
        nonlocal count
        width = 8 if ply % 2 == 0 and ply else 1
        free = [cell for cell in chance.sample(cells, 40) if cell not in taken]
        for k, cell in enumerate(free[:width]):
            count += 1
            leaf = ply == depth or count > nodes
            last = k == width - 1
            found.extend((cell, (0x40 if leaf else 0) | (0 if last else 0x80)))
            if not leaf:
                add_line({*taken, cell}, ply + 1)

    add_line(set(), 0)
    return bytes(found)
