"""Picture of a board as SVG, for notebooks and web pages, without further packages.

It has lines, star points, stones and coordinates, like a printed diagram.
``gui.board.board_painter`` and ``study.pictures`` draw the desktop board and the heat
maps.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from gomoku_brain.game.notation import Move

__all__ = ["board_svg"]

WOOD: Final = "#ebc88c"
LINE: Final = "#4a3a20"
BLACK: Final = 0
WHITE: Final = 1
VALUE: Final = "#14507a"
FILL: Final = {BLACK: "#111", WHITE: "#fff"}
STAR_FROM: Final = 13  # cells along both sides; smaller boards have the centre only
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


def board_svg(
    width: int,
    height: int,
    stones: Sequence[tuple[Move, int]],
    *,
    numbers: bool = False,
    cell: int = 28,
    values: Mapping[Move, float] | None = None,
) -> str:
    """Draw stones, each (move, 0 black, 1 white or 2 wall), in the order of placing.

    ``cell`` is the distance of two lines in pixels. A ring marks the last stone; with
    ``numbers`` each stone has its place in the order instead. ``values`` are drawn on
    their cells, darker from the least to the greatest, which has a frame. Raises
    ValueError for a cell of less than 8 pixels.
    """
    if cell < 8:
        raise ValueError(f"a cell of {cell} pixels is too small to be seen")
    margin = cell * 1.2
    font = round(cell * 0.4, 1)

    def at(place: int) -> str:
        return f"{margin + place * cell:g}"

    def box(x: int, y: int, side: float) -> str:
        corner = margin - side / 2
        place = f'x="{corner + x * cell:g}" y="{corner + y * cell:g}"'
        return f'<rect {place} width="{side:g}" height="{side:g}"'

    full_width = 2 * margin + (width - 1) * cell
    full_height = 2 * margin + (height - 1) * cell
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{full_width:g}"'
        f' height="{full_height:g}" viewBox="0 0 {full_width:g} {full_height:g}"'
        f' font-family="sans-serif" font-size="{font:g}" text-anchor="middle">',
        f"<title>{width}x{height}, {len(stones)} stones</title>",
        f'<rect width="{full_width:g}" height="{full_height:g}" fill="{WOOD}"/>',
        f'<path stroke="{LINE}" fill="none" d="'
        + "".join(f"M{at(x)} {at(0)}V{at(height - 1)}" for x in range(width))
        + "".join(f"M{at(0)} {at(y)}H{at(width - 1)}" for y in range(height))
        + '"/>',
    ]
    parts += [
        f'<circle cx="{at(x)}" cy="{at(y)}" r="{cell / 9:.3g}" fill="{LINE}"/>'
        for x, y in _stars(width, height)
    ]
    parts += [
        f'<text x="{at(x)}" y="{margin * 0.42 + font * 0.35:g}" fill="{LINE}">'
        f"{LETTERS[x]}</text>"
        for x in range(width)
    ]
    parts += [
        f'<text x="{margin * 0.4:g}" y="{margin + y * cell + font * 0.35:g}"'
        f' fill="{LINE}">{y + 1}</text>'
        for y in range(height)
    ]
    order = sorted(set((values or {}).values()))
    for (x, y), value in (values or {}).items():
        rank = order.index(value) / max(1, len(order) - 1)
        parts.append(
            f'{box(x, y, cell * 0.94)} fill="{VALUE}"'
            f' fill-opacity="{0.1 + 0.8 * rank:.2f}"'
            f' stroke="{"#d22" if value == order[-1] else "none"}" stroke-width="2"/>'
            f'<text x="{at(x)}" y="{margin + y * cell + font * 0.3:g}"'
            f' font-size="{font * 0.8:g}" fill="{"#fff" if rank > 0.5 else "#111"}">'
            f"{_short(value)}</text>"
        )
    for number, ((x, y), stone) in enumerate(stones, start=1):
        if stone not in FILL:
            parts.append(f'{box(x, y, cell * 0.8)} fill="#888" stroke="{LINE}"/>')
            continue
        parts.append(
            f'<circle cx="{at(x)}" cy="{at(y)}" r="{cell * 0.45:g}"'
            f' fill="{FILL[stone]}" stroke="#111"/>'
        )
        if numbers:
            parts.append(
                f'<text x="{at(x)}" y="{margin + y * cell + font * 0.35:g}"'
                f' fill="{FILL[1 - stone]}">{number}</text>'
            )
        elif number == len(stones):
            parts.append(
                f'<circle cx="{at(x)}" cy="{at(y)}" r="{cell * 0.16:g}"'
                ' fill="none" stroke="#d22" stroke-width="2"/>'
            )
    return "\n".join([*parts, "</svg>"])


def _short(value: float) -> str:
    """Return a number in a few letters: "0.03", "-12", "80k", "10M"."""
    for unit, letter in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= 0.9995 * unit:
            return f"{value / unit:.0f}{letter}"
    return f"{round(value, 0 if abs(value) >= 10 else 2) + 0.0:g}"


def _stars(width: int, height: int) -> list[Move]:
    """Return the star points: the centre, and four more on a large board."""
    stars = []
    if width % 2 and height % 2:
        stars.append(Move(width // 2, height // 2))
    if min(width, height) >= STAR_FROM:
        stars += [Move(x, y) for x in (3, width - 4) for y in (3, height - 4)]
    return stars
