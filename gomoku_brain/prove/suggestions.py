"""Moves of a proof for similar positions: of another rule, or on another board.

Most moves that win freestyle on 15x15 also win standard, or freestyle on 16x16. A
search for such a proof tries them first, and searches for others if they do not win.
"""

from gomoku_brain.proofs.certificate import Certificate
from gomoku_brain.proofs.grid import Grid, Position, bits_of

__all__ = ["moves_for"]


def moves_for(certificate: Certificate, grid: Grid) -> dict[Position, int]:
    """Return the moves of a certificate, for the canonical positions of a board of
    ``grid``.

    The boards are laid on one another by their centres, or as nearly as cells allow. If
    the centres do not meet, as on 15x15 and 16x16, or if the other board is no square,
    two images of one position on the certificate's board may be different positions on
    the other one; then every image is used. A position is left out if one of its
    stones, or the move, is not on the other board.
    """
    own = Grid(certificate.width, certificate.height)
    right, odd_right = divmod(grid.width - own.width, 2)
    down, odd_down = divmod(grid.height - own.height, 2)
    place: dict[int, int] = {}
    for cell in own.cells():
        y, x = divmod(cell, own.stride)
        if 0 <= x + right < grid.width and 0 <= y + down < grid.height:
            place[cell] = (y + down) * grid.stride + x + right
    differ = odd_right or odd_down or len(own.images) > len(grid.images)
    images = own.images if differ else own.images[:1]
    found: dict[Position, int] = {}
    for entry in certificate.entries:
        for image in images:
            try:
                attacker, defender = (
                    sum(1 << place[image[cell]] for cell in bits_of(stones))
                    for stones in (entry.attacker, entry.defender)
                )
                move = place[image[entry.move]]
            except KeyError:
                continue
            attacker, defender, symmetry = grid.canonical(attacker, defender)
            found.setdefault((attacker, defender), grid.images[symmetry][move])
    return found
