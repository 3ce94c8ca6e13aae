"""Pictures of the board with the values of its candidates, and of the course of a game.

They need matplotlib (the extra ``lab``), but no display. The same data give the same
file. The colours are those of ``viridis``, which colour-blind readers can distinguish,
and every colour has its number beside it.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from textwrap import shorten
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Side
from gomoku_brain.study.annotate import JudgedMove, Review, Value

__all__ = ["FORMATS", "board_picture", "score_curve"]

FORMATS = (".png", ".svg")

_CELL = 0.42  # inches
_DPI = 100
_WOOD = "#e8c58c"
_LINE = "#6b4a21"
_INK = "#1a1a1a"
_PALE = "#d9b57a"  # of moves that are proved to lose
_COLOURS = "viridis"
_LEAST_WIDTH = 5.0  # inches, for the texts above and below
_LEAST_SPAN = 0.10  # of winning chance; least range of the colours
_MAX_NAMED = 8  # most blunders written below a curve
_CENTRED: dict[str, Any] = {"ha": "center", "va": "center", "color": _INK}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def board_picture(
    path: str | Path,
    board: Board,
    values: Mapping[Move, Value] | None = None,
    *,
    numbers: Mapping[Move, int] | None = None,
    title: str = "",
    note: str = "",
) -> None:
    """Draw a board; candidates show the winning chance of the side to move in percent.

    The colour of a candidate's square shows that chance. "W4" is a proved win, and
    "L3", pale, a proved loss in so many moves of the winner; a frame marks the first of
    the best. The scale of colours is left out if every result is proved. ``numbers``
    are written on stones, the greatest marked as the last move. ``title`` stands above,
    ``note`` below.

    Raises ValueError unless the path ends in ``.png`` or ``.svg``, and OSError if it
    cannot be written.
    """
    path = _checked(path)
    width, height = board.width, board.height
    wide, high = (width + 2) * _CELL, (height + 2) * _CELL  # inches, with coordinates
    left = 0.1 + max(0.0, (_LEAST_WIDTH - wide) / 2)
    values = values or {}
    has_scale = any(value.win_in is None for value in values.values())
    across = wide + 2 * left + (1.15 if has_scale else 0.0)
    up = high + 1.0
    figure = Figure(figsize=(across, up), dpi=_DPI)
    axes = figure.add_axes((left / across, 0.45 / up, wide / across, high / up))
    axes.set_xlim(-1.5, width + 0.5)
    axes.set_ylim(height + 0.5, -1.5)
    axes.set_axis_off()
    _draw_grid(axes, width, height)
    _draw_stones(axes, board, numbers or {})
    colours = _draw_values(axes, values) if values else None
    if colours is not None and has_scale:
        legend = figure.add_axes(
            (
                (left + wide + 0.1) / across,
                (0.45 + 1.5 * _CELL) / up,
                0.18 / across,
                (height - 1) * _CELL / up,
            )
        )
        scale = figure.colorbar(colours, cax=legend)
        who = board.turn.name.lower()
        scale.set_label(f"winning chance of {who}, to move (%)", fontsize=9)
        scale.ax.tick_params(labelsize=8)
    middle = (left + wide / 2) / across
    for text, y, size in ((title, up - 0.2, 11), (note, 0.22, 8.5)):
        room = int((wide + 2 * left) * 140 / size)  # letters, by their mean width
        short = shorten(text, room, placeholder=" ..")
        figure.text(middle, y / up, short, size=size, **_CENTRED)
    _save(figure, path)


def _checked(path: str | Path) -> Path:
    path = Path(path)
    if path.suffix.lower() not in FORMATS:
        raise ValueError(f"a picture is a file .png or .svg, not {path.name}")
    return path


def _save(figure: Figure, path: Path) -> None:
    """Write the file, without the date and the version of the program."""
    kind = path.suffix.lower().removeprefix(".")
    more: dict[str, Any] = {"metadata": {"Date": None}}
    if kind == "png":
        more = {"metadata": {"Software": None}, "pil_kwargs": {"optimize": True}}
    with matplotlib.rc_context({"svg.hashsalt": "gomoku-brain"}):
        figure.savefig(path, format=kind, **more)


def _draw_grid(axes: Axes, width: int, height: int) -> None:
    """Draw wood, lines, star points and coordinates."""
    axes.add_patch(
        Rectangle(
            (-0.75, -0.75), width + 0.5, height + 0.5, fc=_WOOD, ec=_LINE, zorder=0
        )
    )
    for k in range(1, 3 * height):  # the grain of the wood
        level = -0.75 + (height + 0.5) * ((k * 0.618034) % 1)
        axes.plot(
            (-0.75, width - 0.25),
            (level, level + 0.1 * math.sin(5.0 * k)),
            color=_LINE,
            alpha=0.05 + 0.03 * math.sin(3.0 * k),
            lw=1.5 + math.sin(2.0 * k),
            zorder=0,
        )
    axes.vlines(range(width), 0, height - 1, colors=_LINE, linewidths=0.7, zorder=1)
    axes.hlines(range(height), 0, width - 1, colors=_LINE, linewidths=0.7, zorder=1)
    if width == height and width % 2 and width >= 13:
        middle = width // 2
        for x in (3, middle, width - 4):
            for y in (3, middle, height - 4):
                if (x == middle) == (y == middle):
                    axes.add_patch(Circle((x, y), 0.1, fc=_LINE, ec="none", zorder=2))
    for x in range(width):
        for outside in (-1.1, height + 0.1):
            axes.text(x, outside, _LETTERS[x], size=9, **_CENTRED)
    for y in range(height):
        for outside in (-1.1, width + 0.1):
            axes.text(outside, y, str(y + 1), size=9, **_CENTRED)


def _draw_stones(axes: Axes, board: Board, numbers: Mapping[Move, int]) -> None:
    last = max(numbers, key=lambda move: numbers[move], default=None)
    for y in range(board.height):
        for x in range(board.width):
            move = Move(x, y)
            if board.is_empty(move):
                continue
            if board.is_wall(move):
                corner = (x - 0.38, y - 0.38)
                axes.add_patch(Rectangle(corner, 0.76, 0.76, fc="#7d7d7d", ec=_INK))
                continue
            black = board.stone(move) == Side.BLACK
            axes.add_patch(
                Circle(
                    (x, y),
                    0.46,
                    fc="#1c1c1c" if black else "#fafafa",
                    ec="#000000" if black else "#555555",
                    lw=0.8,
                    zorder=3,
                )
            )
            if move == last:
                ring = "#ff9d2e" if black else "#c94f00"
                axes.add_patch(
                    Circle((x, y), 0.38, fc="none", ec=ring, lw=1.6, zorder=4)
                )
            if move in numbers:
                text = str(numbers[move])
                axes.text(
                    x,
                    y + 0.02,
                    text,
                    size=9 if len(text) < 3 else 7,
                    weight="bold" if move == last else "normal",
                    **(_CENTRED | {"color": "white" if black else _INK}),
                    zorder=5,
                )


def _draw_values(axes: Axes, values: Mapping[Move, Value]) -> ScalarMappable:
    """Draw the candidates; return the scale of the colours, in percent."""
    low, high = _span(values.values())
    colours = ScalarMappable(Normalize(low, high), matplotlib.colormaps[_COLOURS])
    best = max(values, key=lambda move: values[move].score)
    for move, value in values.items():
        proved = value.win_in is not None
        text = value.short or f"{100 * value.chance:.0f}"
        red, green, blue, _ = colours.cmap((100 * value.chance - low) / (high - low))
        light = 0.299 * red + 0.587 * green + 0.114 * blue > 0.5
        face: Any = (red, green, blue)
        if proved and value.score < 0:
            face, light = _PALE, True
        _square(axes, move, 0.41, fc=face, ec=_INK, lw=0.4, zorder=3)
        if move == best:
            for edge, weight in ((_INK, 4.6), ("white", 2.0)):
                _square(axes, move, 0.45, fc="none", ec=edge, lw=weight, zorder=4)
        axes.text(
            move.x,
            move.y + 0.02,
            text,
            size=8.5 if len(text) < 3 else 7,
            weight="bold" if move == best else "normal",
            **(_CENTRED | {"color": _INK if light else "white"}),
            zorder=5,
        )
    return colours


def _square(axes: Axes, centre: Move, half: float, **style: Any) -> None:  # noqa: ANN401
    x, y = centre
    axes.add_patch(Rectangle((x - half, y - half), 2 * half, 2 * half, **style))


def _span(values: Iterable[Value]) -> tuple[float, float]:
    """Return the range of the colours, in percent.

    It spans the chances that are not proved and is at least ``_LEAST_SPAN`` wide.
    """
    chances = [value.chance for value in values if value.win_in is None]
    low, high = min(chances, default=0.0), max(chances, default=1.0)
    if high - low < _LEAST_SPAN:
        low = max(0.0, min((low + high - _LEAST_SPAN) / 2, 1.0 - _LEAST_SPAN))
        high = low + _LEAST_SPAN
    return 100 * low, 100 * high


def score_curve(path: str | Path, review: Review, *, title: str = "") -> None:
    """Draw black's winning chance over a game, with its mistakes and blunders.

    The blunders have names at the curve and explanations below it. Raises ValueError
    for a review without moves and unless the path ends in ``.png`` or ``.svg``, and
    OSError if it cannot be written.
    """
    path = _checked(path)
    if not review.moves:
        raise ValueError("the review has no move to draw")
    blunders = [move for move in review.moves if move.label == "blunder"]
    lines = _named(blunders)
    below = 0.62 + 0.2 * len(lines)
    figure = Figure(figsize=(9.0, 3.9 + below), dpi=_DPI)
    across, up = figure.get_size_inches()
    axes = figure.add_axes((0.75 / across, below / up, 8.1 / across, 3.45 / up))
    plies = [review.first + k for k in range(len(review.curve))]
    percents = [100 * value for value in review.curve]
    last = max(plies[-1], review.first + 1)
    axes.set_xlim(review.first, last)
    axes.set_ylim(-12, 112)  # room for the names
    axes.set_yticks(range(0, 101, 25))
    axes.fill_between(plies, percents, 100, color="#f4f1ea", zorder=0, lw=0)
    axes.fill_between(plies, 0, percents, color="#8d99a6", zorder=0, lw=0)
    axes.axhline(50, color="#555555", lw=0.8, ls=(0, (4, 3)), zorder=1)
    axes.plot(plies, percents, color=_INK, lw=1.6, zorder=2)
    axes.set_xlabel("moves played")
    axes.set_ylabel("winning chance of black (%)")
    if title:
        axes.set_title(title, size=11)
    for label, sign, colour in (
        ("mistake", "o", "#e69f00"),
        ("blunder", "D", "#c1121f"),
    ):
        points = [
            (move.number, percents[move.number - review.first])
            for move in review.moves
            if move.label == label
        ]
        if points:
            axes.plot(
                *zip(*points, strict=True),
                sign,
                color=colour,
                mec=_INK,
                mew=0.8,
                ms=7,
                zorder=4,
                label=label,
                clip_on=False,
            )
            axes.legend(loc="lower left", fontsize=8, framealpha=0.9, ncols=2)
    _name_points(figure, axes, blunders, review, percents)
    for k, line in enumerate(lines):
        y = (below - 0.55 - 0.2 * k - 0.1) / up
        figure.text(0.75 / across, y, line, size=8.5, va="center", color=_INK)
    _save(figure, path)


def _named(blunders: Sequence[JudgedMove]) -> list[str]:
    """Return a line for each blunder, only for the worst if there are too many."""
    worst = sorted(blunders, key=lambda move: -move.loss)[:_MAX_NAMED]
    lines = [
        f"{move.number}. {move.side.name.lower()} {move.move}: {move.why}"
        for move in sorted(worst, key=lambda move: move.number)
    ]
    if len(blunders) > _MAX_NAMED:
        lines.append(f"and {len(blunders) - _MAX_NAMED} more")
    return lines


def _name_points(
    figure: Figure,
    axes: Axes,
    blunders: Sequence[JudgedMove],
    review: Review,
    percents: Sequence[float],
) -> None:
    """Write the blunders' moves beside their points, without overlaps."""
    renderer = FigureCanvasAgg(figure).get_renderer()  # type: ignore[no-untyped-call]
    frame = axes.get_window_extent(renderer)
    taken = []
    for move in blunders:  # the marks
        x, y = axes.transData.transform(
            (move.number, percents[move.number - review.first])
        )
        taken.append(Bbox.from_bounds(x - 6, y - 6, 12, 12))
    legend = axes.get_legend()
    if legend is not None:
        taken.append(legend.get_window_extent(renderer))
    knots = [
        axes.transData.transform((review.first + k, percent))
        for k, percent in enumerate(percents)
    ]
    curve = [  # points too close for a name between them
        (x + (u - x) * k / 16, y + (v - y) * k / 16)
        for (x, y), (u, v) in pairwise(knots)
        for k in range(17)
    ]
    for move in sorted(blunders, key=lambda move: -move.loss):
        at = (move.number, percents[move.number - review.first])
        for angle, far in [
            (a, d) for d in (16, 30, 46, 64) for a in range(90, 450, 45)
        ]:
            shift = (
                far * math.cos(math.radians(angle)),
                far * math.sin(math.radians(angle)),
            )
            text = axes.annotate(
                f"{move.number}. {move.move}",
                at,
                xytext=shift,
                textcoords="offset points",
                size=8,
                weight="bold",
                ha="center",
                va="center",
                color="#8c0d17",
                path_effects=[withStroke(linewidth=2.5, foreground="white")],
                zorder=5,
                arrowprops={"arrowstyle": "-", "lw": 0.6, "color": "#8c0d17"},
            )
            text.update_positions(renderer)
            box = Text.get_window_extent(text, renderer).padded(4)  # without the arrow
            clear = (
                frame.x0 <= box.x0
                and box.x1 <= frame.x1
                and frame.y0 <= box.y0
                and box.y1 <= frame.y1
                and not any(box.overlaps(other) for other in taken)
                and not any(box.contains(*point) for point in curve)
            )
            if clear:
                taken.append(box)
                break
            text.remove()
