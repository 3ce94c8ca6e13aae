from typing import Any, Final, TypeAlias, final

from gomoku_brain.lab.train.samples import Samples

KIND_ROWS: Final[int]
REGIONS: Final[int]

_Array: TypeAlias = Any  # numpy.ndarray

@final
class PointSums:
    """Points of the games' positions. All arrays are as in ``samples.Samples``.

    ``by_side``: the rows of white's view are not those of black's and follow them in
    the table.
    """

    def __init__(self, samples: Samples, *, by_side: bool = False) -> None: ...
    @property
    def rows(self) -> int:
        """Number of rows of the table."""
    def rows_of(self, at: int) -> list[list[list[int]]]:
        """Return the rows of a position: [view, black's and white's][point][rows]."""
    def forward(
        self, positions: _Array, table: _Array, bias: _Array, pools: _Array
    ) -> None:
        """Fill ``pools``, (positions, REGIONS, 2 * WIDTH), the view of the mover first.

        ``table``: (rows, WIDTH); ``bias``: (WIDTH,). Releases the GIL.
        """
    def backward(
        self,
        positions: _Array,
        table: _Array,
        bias: _Array,
        slopes: _Array,
        table_slope: _Array,
        bias_slope: _Array,
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
