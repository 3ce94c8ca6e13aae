"""What a proof says about like positions: of another rule, or on another board.

Most moves that win freestyle on 15x15 win standard, too, or freestyle on 16x16. A
search for such a proof tries them first, and looks for others where they do not win.
"""

from gomoku_brain.prove.certificate import Certificate
from gomoku_brain.prove.grid import Grid, Position, bits_of

__all__ = ["moves_for"]


def moves_for(certificate: Certificate, grid: Grid) -> dict[Position, int]:
    """The moves of a certificate, for the canonical positions of a board of ``grid``.

    The boards are laid on one another by their centres. A position is left out where
    one of its stones, or the move, is not on the other board.
    """
    own = Grid(certificate.width, certificate.height)
    right = (grid.width - own.width) // 2
    down = (grid.height - own.height) // 2
    place: dict[int, int] = {}
    for cell in own.cells():
        y, x = divmod(cell, own.stride)
        if 0 <= x + right < grid.width and 0 <= y + down < grid.height:
            place[cell] = (y + down) * grid.stride + x + right
    found: dict[Position, int] = {}
    for entry in certificate.entries:
        taken = entry.attacker | entry.defender | 1 << entry.move
        if any(cell not in place for cell in bits_of(taken)):
            continue
        attacker, defender, symmetry = grid.canonical(
            *(
                sum(1 << place[cell] for cell in bits_of(stones))
                for stones in (entry.attacker, entry.defender)
            )
        )
        found[attacker, defender] = grid.images[symmetry][place[entry.move]]
    return found
