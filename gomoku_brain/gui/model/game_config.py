"""Settings of a game (players, clock, swap2), and reasons for a refused move."""

from dataclasses import dataclass, field
from typing import Literal

from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.gui.model.game_players import PlayerConfig

__all__ = ["GameConfig", "Refusal"]

Refusal = Literal[
    "", "over", "occupied", "not your turn", "paused", "forbidden", "choose first"
]


@dataclass(frozen=True)
class GameConfig:
    """Settings of a game that do not change while it is played."""

    black: PlayerConfig = field(default_factory=PlayerConfig)
    """The player of black; with swap2, the player who proposes the opening."""
    white: PlayerConfig = field(default_factory=PlayerConfig)
    control: PlayerLimits = field(
        default_factory=lambda: PlayerLimits(turn=2.0, margin=1.0)
    )
    people_too: bool = False
    """Whether a person can lose on time."""
    swap2: bool = False
    foul_loses: bool = False
    """Whether a person may play a forbidden point of renju, and then loses."""
    threads: int = 1
    """Search threads of our brain."""
    hash_mb: float = 64
