"""Settings of a player, and the receiver of what its searches find."""

from typing import Protocol

from gomoku_brain.control.limits import PlayerLimits, SearchInfo, SearchResult
from gomoku_brain.control.strength import FULL_STRENGTH
from gomoku_brain.dataclass import dataclass

__all__ = ["FixedSettings", "NoLog", "PlayerSettings", "SearchLog"]


class PlayerSettings(Protocol):
    """Settings that a player reads before each move. Times are seconds."""

    @property
    def turn(self) -> float | None:
        """Time for a move; None = no limit per move."""

    @property
    def increment(self) -> float:
        """Time that the match clock gains with every move."""

    @property
    def strict_clock(self) -> bool:
        """Whether the time limits may have no tolerance at all."""

    @property
    def nodes(self) -> int | None:
        """Nodes to search; None = no limit."""

    @property
    def depth(self) -> int | None:
        """Plies to search; None = no limit."""

    @property
    def playing_strength(self) -> int:
        """Playing strength, 0..100."""

    @property
    def plays_proofs(self) -> bool:
        """Whether to play from a proof."""

    @property
    def threads(self) -> int:
        """Number of search threads."""

    @property
    def table_mb(self) -> float:
        """Megabytes for the transposition table."""


@dataclass(frozen=True)
class FixedSettings(PlayerLimits):
    """Settings for players outside the protocol."""

    strict_clock: bool = False
    playing_strength: int = FULL_STRENGTH
    threads: int = 1
    table_mb: float = 64.0

    @property
    def plays_proofs(self) -> bool:
        """Whether to play from a proof. Weaker levels do not."""
        return self.playing_strength >= FULL_STRENGTH


class SearchLog(Protocol):
    """Receiver of the lines of play of successive searches."""

    def start(self, multipv: int) -> None:
        """Start a search with ``multipv`` lines of play."""

    def note(self, info: SearchInfo) -> None:
        """Receive the current line of play."""

    def conclude(self, result: SearchResult, *, proved: bool = False) -> None:
        """Receive the result; with ``proved``, its move comes from a proof."""


class NoLog:
    """Receiver that drops the lines of play."""

    def start(self, multipv: int) -> None:
        """Drop the start."""

    def note(self, info: SearchInfo) -> None:
        """Drop a line of play."""

    def conclude(self, result: SearchResult, *, proved: bool = False) -> None:
        """Drop the result."""
