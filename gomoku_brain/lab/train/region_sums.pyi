from typing import Any, Final, TypeAlias, final

from gomoku_brain.lab.train.samples import Samples

KIND_ROWS: Final[int]
REGIONS: Final[int]
SPREAD: Final[int]
KINDS: Final[int]
LINES: Final[int]
BOTH_LINES: Final[int]

_Array: TypeAlias = Any  # numpy.ndarray

@final
class PointWindows:
    """Points of the games' positions. All arrays are as in ``samples.Samples``.

    ``numbers``: row of a window's key, -1 if there is none, for windows of 2 *
    ``reach`` + 1 cells; ``more_numbers``, ``more_reach``: the second windows of
    ``BOTH_LINES``, whose rows follow in the table. Rows of the diagonals follow those
    of rows and columns. ``by_side``: the rows of white's view are not those of black's
    and follow them in the table.
    """

    def __init__(
        self,
        samples: Samples,
        input: int,
        *,
        numbers: _Array = None,
        reach: int = 4,
        more_numbers: _Array = None,
        more_reach: int = 5,
        by_side: bool = False,
    ) -> None: ...
    @property
    def rows(self) -> int:
        """Number of rows of the table."""
    def rows_of(self, at: int) -> list[list[list[int]]]:
        """Return the rows of a position: [view, black's and white's][point][rows]."""
    def forward(
        self,
        positions: _Array,
        table: _Array,
        bias: _Array,
        spread: _Array,
        pools: _Array,
    ) -> None:
        """Fill ``pools``, (positions, REGIONS, 2 * width), the view of the mover first.

        ``table``: (rows, width); ``bias``: (width,); ``spread``: (4, SPREAD), weights
        of the point, of its neighbours in rows and columns, of its diagonal neighbours,
        and a bias, or (0, 0) for none. Releases the GIL.
        """
    def backward(
        self,
        positions: _Array,
        table: _Array,
        bias: _Array,
        spread: _Array,
        slopes: _Array,
        table_slope: _Array,
        bias_slope: _Array,
        spread_slope: _Array,
    ) -> None:
        """Add to the gradients of the parameters, from those of ``pools``."""

def sum_kinds(
    positions: _Array,
    starts: _Array,
    kinds: _Array,
    counts: _Array,
    ply: _Array,
    weights: _Array,
    out: _Array,
) -> None:
    """Set ``out[k]`` to the sum of counts times ``weights`` of the kinds of
    ``positions[k]``.

    ``weights``: (1, KIND_ROWS), or (2, KIND_ROWS) for black and white to move.
    """

def spread_kinds(
    positions: _Array,
    starts: _Array,
    kinds: _Array,
    counts: _Array,
    ply: _Array,
    slopes: _Array,
    weights_slope: _Array,
) -> None:
    """Add the gradient of ``sum_kinds`` to ``weights_slope``."""

def adam(
    parameter: _Array,
    slope: _Array,
    mean: _Array,
    square: _Array,
    rate: float,
    decay: float,
    least: float,
    step: int,
) -> None:
    """Do one step of Adam (Kingma and Ba 2014) with decoupled decay; clears ``slope``.

    ``step`` counts from 1. ``least`` is added to the root of the mean square of the
    slope before it divides, so numbers with smaller slopes move less.
    """
