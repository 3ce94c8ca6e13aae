"""The terms of a game: players, clocks and rules of the board; and refused moves."""

from dataclasses import dataclass, field
from typing import Literal

from gomoku_brain.gui.model.seats import Seat
from gomoku_brain.match.referee import TimeControl

__all__ = ["Refusal", "Terms"]

Refusal = Literal[
    "", "over", "occupied", "not your turn", "paused", "forbidden", "choose first"
]


@dataclass(frozen=True)
class Terms:
    """What is agreed upon before a game."""

    black: Seat = field(default_factory=Seat)
    """With swap2, who proposes."""
    white: Seat = field(default_factory=Seat)
    control: TimeControl = field(
        default_factory=lambda: TimeControl(turn=2.0, margin=1.0)
    )
    people_too: bool = False
    """Whether a person loses by the clock."""
    swap2: bool = False
    threads: int = 1
    """Of our brain's search."""
    hash_mb: float = 64
