"""What a search is asked and what it answers: plain records, no logic.

Scores are integers from the view of the side to move in the searched position, in
evaluation units (about 100 units turn an even game into a clear advantage). A forced
result is told by ``win_in``: the number of plies (single moves) until the five is on
the board, positive when the side to move wins, negative when it loses.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import index
from typing import Literal

from gomoku_brain.control.strength import FULL_STRENGTH
from gomoku_brain.eval.chance import SCALE, chance
from gomoku_brain.game.notation import Move, as_move, format_moves

__all__ = [
    "FULL_STRENGTH",
    "InfoCallback",
    "Limits",
    "SearchInfo",
    "SearchResult",
    "SolveResult",
    "SolveStatus",
    "ThreatTree",
]

_NEVER = {
    "depth": 1 << 30,
    "nodes": 1 << 62,
    "multipv": 1 << 30,
    "strength": FULL_STRENGTH,
}

SolveStatus = Literal["win", "no win", "unknown"]


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search must end; whichever limit comes first ends it.

    ``time`` and ``target`` are seconds (hard; good enough), ``depth`` plies, ``nodes``
    moves made in the search, ``multipv`` the best lines wanted, ``exclude`` root moves
    left out, ``strength`` 0..100, ``started`` the ``time.perf_counter()`` of the start.

    Without any limit a search runs until it is stopped or has proved the result.
    Raises ValueError for a value out of its range and for a ``target`` without a
    ``time``, TypeError for what is no number where one is expected.
    """

    time: float | None = None
    """Hard limit in seconds of wall time (0 or more), counted from ``started``."""

    target: float | None = None
    """Seconds after which a move is good enough; the search may use more when the
    best move is unstable, and less when it is clear, but never more than ``time``."""

    depth: int | None = None
    """Deepest iteration, in plies (at least 1)."""

    nodes: int | None = None
    """Nodes to search, at least 1 (one node is one move made in the search)."""

    multipv: int = 1
    """How many best root moves to search fully (at least 1)."""

    exclude: tuple[Move, ...] = ()
    """Root moves not to be considered; given in any form that ``Board`` takes."""

    strength: int = FULL_STRENGTH
    """0..100: how well to play (see ``levels.ladder``). Below 100 the engine makes
    the mistakes of a player of that level; with several lines it never does."""

    started: float | None = None
    """``time.perf_counter()`` when the clock began to run; ``None`` means now."""

    play_on: bool = False
    """Search although somebody has won already, as a manager may ask; otherwise a
    finished game is refused."""

    def __post_init__(self) -> None:
        """Check the values and bring them into one form."""
        for name in ("time", "target", "started"):
            seconds = getattr(self, name)
            if seconds is None:
                continue
            if isinstance(seconds, bool | str) or not hasattr(seconds, "__float__"):
                raise TypeError(f"{name} is a number of seconds, not {seconds!r}")
            if name != "started" and not 0 <= seconds < float("inf"):
                raise ValueError(f"{name} is 0 seconds or more, not {seconds!r}")
        for name, least, most in (
            ("depth", 1, None),
            ("nodes", 1, None),
            ("multipv", 1, None),
            ("strength", 0, FULL_STRENGTH),
        ):
            number = getattr(self, name)
            if number is not None or name in ("multipv", "strength"):
                # What no search reaches is no limit, and fits into C.
                number = min(whole(name, number, least, most), _NEVER[name])
                object.__setattr__(self, name, number)
        if self.target is not None and self.time is None:
            raise ValueError("a target needs a time that it is part of")
        if isinstance(self.exclude, str) or not isinstance(self.exclude, Iterable):
            raise TypeError(f"exclude is several moves, not {self.exclude!r}")
        moves = tuple([as_move(move) for move in self.exclude])
        object.__setattr__(self, "exclude", moves)


def whole(name: str, value: object, least: int, most: int | None = None) -> int:
    """A whole number within its range, as an ``int``.

    Raises TypeError for anything else and ValueError out of range, saying what ``name``
    takes.
    """
    told = f"of at least {least}" if most is None else f"from {least} to {most}"
    try:
        if isinstance(value, bool):
            raise TypeError
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} is a whole number {told}, not {value!r}") from None
    if number < least or (most is not None and number > most):
        raise ValueError(f"{name} is a whole number {told}, not {value!r}")
    return number


def _told(score: int, win_in: int | None) -> str:
    """A score, or the forced result, in words."""
    if win_in is None:
        return f"score {score:+}"
    return f"win in {win_in}" if win_in > 0 else f"loss in {-win_in}"


@dataclass(frozen=True, slots=True)
class SearchInfo:
    """One line of play, as known when an iteration (or a part of one) ended.

    ``score`` counts evaluation units for the side to move, ``win_in`` plies to a forced
    end (negative: lost; None: not proved), ``depth`` and ``seldepth`` plies, ``time``
    seconds; ``multipv`` is 1 for the best line, ``pv`` its moves.
    """

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

    scale: float = SCALE
    """Score units per logit of the chance in the position searched."""

    @property
    def chance(self) -> float:
        """The result to be expected for the side to move, 0 to 1, a draw being 1/2."""
        return chance(self.score, self.win_in, self.scale)

    def __str__(self) -> str:
        """The line in a row of text, as programs of this kind print it."""
        number = f"{self.multipv}. " if self.multipv > 1 else ""
        return (
            f"{number}{_told(self.score, self.win_in)}, depth {self.depth}-"
            f"{self.seldepth}, {self.nodes} nodes, {self.time:.2f} s:"
            f" {format_moves(self.pv)}"
        )


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer of a finished search.

    ``score`` counts evaluation units for the side to move, ``win_in`` plies to a forced
    end (negative: lost; None: not proved), ``depth`` and ``seldepth`` plies, ``time``
    seconds; ``pv`` is the expected line, ``lines`` are the best ones, best first.
    """

    move: Move
    """The move to play: legal in the searched position, where a legal one is left."""

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
    """The best lines, best first (``multipv`` of them when the search looks at so many
    moves, which it does not far from all stones; at least one, on an empty board that
    of the first move alone)."""

    scale: float = SCALE
    """As in :class:`SearchInfo`."""

    @property
    def chance(self) -> float:
        """As in :class:`SearchInfo`."""
        return chance(self.score, self.win_in, self.scale)

    def __str__(self) -> str:
        """The move and what is known of it, in a row of text."""
        return (
            f"{self.move}, {_told(self.score, self.win_in)}, depth {self.depth}-"
            f"{self.seldepth}, {self.nodes} nodes, {self.time:.2f} s:"
            f" {format_moves(self.pv)}"
        )


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
    """The answer of a search for a win by threats.

    ``status`` is "win", "no win" (proved) or "unknown" (a limit came first), ``line``
    the win up to its five, ``tree`` the same with all defences, ``time`` seconds,
    ``least`` the plies that every win of the kind takes at least, ``least_of_all``
    those that any win does (None: not looked for).
    """

    status: SolveStatus
    """"win": found, and replayed: one by fours along its line, one by fours and threes
    against every defence; "no win": proved that there is none of this kind; "unknown":
    a limit was met first."""

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

    least: int | None = None
    """Plies below which there is proved to be no win of the kind asked for ("auto": by
    fours and threes); None: not looked for. A win that takes as many is the
    shortest."""

    least_of_all: int | None = None
    """Plies below which there is proved to be no win of any kind; None: not looked
    for."""

    @property
    def is_shortest(self) -> bool:
        """Whether the win is proved to be the shortest of the kind asked for."""
        return self.status == "win" and self.least == len(self.line)

    def __str__(self) -> str:
        """The verdict in a row of text."""
        way = {"vcf": "fours", "vct": "fours and threes"}[self.kind]
        found = {
            "win": f"win by {way} in {len(self.line)}: {format_moves(self.line)}",
            "no win": f"no win by {way}: proved",
            "unknown": f"no win by {way} found within the limits",
        }[self.status]
        return f"{found} ({self.nodes} nodes, {self.time:.2f} s)"
