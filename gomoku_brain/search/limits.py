"""What a search is asked and what it answers: plain records, no logic.

Scores are integers from the view of the side to move in the searched position, in
evaluation units (about 100 units turn an even game into a clear advantage). A forced
result is told by ``win_in``: the number of plies (single moves) until the five is on
the board, positive when the side to move wins, negative when it loses.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from gomoku_brain.game.notation import Move

__all__ = [
    "FULL_STRENGTH",
    "Bound",
    "InfoCallback",
    "Limits",
    "SearchInfo",
    "SearchResult",
    "SolveResult",
    "SolveStatus",
    "ThreatTree",
]

FULL_STRENGTH: Final = 100

Bound = Literal["exact", "lower", "upper"]
SolveStatus = Literal["win", "no win", "unknown"]


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search must end; whichever limit comes first ends it.

    Without any limit a search runs until it is stopped or has proved the result.
    """

    time: float | None = None
    """Hard limit in seconds of wall time, counted from ``started``."""

    target: float | None = None
    """Seconds after which a move is good enough; the search may use more when the
    best move is unstable, and less when it is clear, but never more than ``time``."""

    depth: int | None = None
    """Deepest iteration, in plies (at least 1)."""

    nodes: int | None = None
    """Nodes to search (one node is one move made in the search)."""

    multipv: int = 1
    """How many best root moves to search fully (at least 1)."""

    exclude: tuple[Move, ...] = ()
    """Root moves not to be considered."""

    strength: int = FULL_STRENGTH
    """0..100: how well to play (see ``search.levels``). Below 100 the engine errs like
    a player of that level; one that searches several lines always tells the truth."""

    started: float | None = None
    """``time.perf_counter()`` when the clock began to run; ``None`` means now."""


@dataclass(frozen=True, slots=True)
class SearchInfo:
    """One line of play, as known when an iteration (or a part of one) ended."""

    depth: int
    """Nominal depth of the iteration, in plies."""

    seldepth: int
    """Deepest ply reached."""

    multipv: int
    """1 for the best line, 2 for the second best ..."""

    score: int
    """Score for the side to move at the root, in evaluation units."""

    win_in: int | None
    """Plies to the end of a forced result: positive = the side to move wins,
    negative = it loses, ``None`` = nothing is proved."""

    nodes: int
    """Nodes searched so far."""

    time: float
    """Seconds since the clock began to run."""

    pv: tuple[Move, ...]
    """The line; its first move is the root move."""

    bound: Bound = "exact"
    """Whether ``score`` is exact or only a bound."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer of a finished search."""

    move: Move
    """The move to play: always legal in the searched position."""

    score: int
    """Score for the side to move, in evaluation units."""

    win_in: int | None
    """As in :class:`SearchInfo`."""

    depth: int
    """Last finished iteration (0 = no iteration was finished)."""

    seldepth: int
    """Deepest ply reached."""

    nodes: int
    """Nodes searched."""

    time: float
    """Seconds used."""

    pv: tuple[Move, ...]
    """The expected line; its first move is ``move``."""

    lines: tuple[SearchInfo, ...] = ()
    """The best lines, best first (``multipv`` of them when so many moves exist)."""


InfoCallback = Callable[[SearchInfo], None]


@dataclass(frozen=True, slots=True, eq=False)
class ThreatTree:
    """A win by force: the winner's move and what follows each defence to it.

    Positions that are reached in several ways share one tree.
    """

    move: Move
    """The winner's move."""

    plies: int
    """Plies to the five, this move included, against the longest of the replies."""

    replies: tuple[tuple[Move, "ThreatTree"], ...] = ()
    """The defences that were searched (every other move loses at least as plainly)
    and the tree after each; empty when ``move`` wins."""

    def line(self) -> tuple[Move, ...]:
        """The winner's moves against the replies that hold out longest."""
        moves: list[Move] = [self.move]
        tree = self
        while tree.replies:
            reply, tree = max(tree.replies, key=lambda pair: pair[1].plies)
            moves += [reply, tree.move]
        return tuple(moves)


@dataclass(frozen=True, slots=True)
class SolveResult:
    """The answer of a search for a win by threats."""

    status: SolveStatus
    """"win": found, and replayed against every defence; "no win": proved that there is
    none of this kind; "unknown": a limit was met first."""

    kind: Literal["vcf", "vct"]
    """What was found or last looked for: a win by fours, or by fours and threes."""

    line: tuple[Move, ...] = ()
    """The winning line, up to the five."""

    tree: ThreatTree | None = None
    """The win with all defences that were searched."""

    nodes: int = 0
    """Moves made in the search."""

    time: float = 0.0
    """Seconds used."""
