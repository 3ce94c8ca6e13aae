from typing import Any, Final, TypeAlias, final

from gomoku_brain.train.samples import Samples

KIND_ROWS: Final[int]
REGIONS: Final[int]
SPREAD: Final[int]
KINDS: Final[int]
LINES: Final[int]
BOTH_LINES: Final[int]

_Array: TypeAlias = Any  # numpy.ndarray

@final
class Points:
    def __init__(
        self,
        samples: Samples,
        input: int,
        *,
        numbers: _Array = None,
        reach: int = 4,
        more_numbers: _Array = None,
        more_reach: int = 5,
    ) -> None: ...
    @property
    def rows(self) -> int: ...
    def rows_of(self, at: int) -> list[list[list[int]]]: ...
    def forward(
        self,
        positions: _Array,
        table: _Array,
        bias: _Array,
        spread: _Array,
        pools: _Array,
    ) -> None: ...
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
    ) -> None: ...

def sum_kinds(
    positions: _Array,
    starts: _Array,
    kinds: _Array,
    counts: _Array,
    weights: _Array,
    out: _Array,
) -> None: ...
def spread_kinds(
    positions: _Array,
    starts: _Array,
    kinds: _Array,
    counts: _Array,
    slopes: _Array,
    weights_slope: _Array,
) -> None: ...
def adam(
    parameter: _Array,
    slope: _Array,
    mean: _Array,
    square: _Array,
    rate: float,
    decay: float,
    least: float,
    step: int,
) -> None: ...
