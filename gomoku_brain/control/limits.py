"""Records of a search: its limits, its reports and its results, without logic.

Scores are integers from the view of the side to move in the searched position, in
evaluation units (about 100 units turn an even game into a clear advantage). A forced
result has ``win_in``: the number of plies (single moves) to the five, positive if the
side to move wins, negative if it loses.
"""

from collections.abc import Callable, Iterable, Iterator
from operator import index

from gomoku_brain.control.strength import FULL_STRENGTH, strength_named
from gomoku_brain.dataclass import dataclass
from gomoku_brain.eval.chance import SCALE, chance
from gomoku_brain.game.notation import Move, as_move, format_moves

TYPE_CHECKING = False  # typing takes milliseconds of the start to import
if TYPE_CHECKING:
    from typing import Any, Literal

    SolveStatus = Literal["win", "no win", "unknown"]
    SolveKind = Literal["vcf", "vct"]
else:
    SolveStatus = SolveKind = str

__all__ = [
    "FULL_STRENGTH",
    "InfoCallback",
    "Limits",
    "MoveLine",
    "PlayerLimits",
    "SearchFigures",
    "SearchInfo",
    "SearchResult",
    "SolveResult",
    "SolveStatus",
    "ThreatTree",
    "best_first",
    "end_words",
    "moves_words",
    "own_moves",
]

_NEVER = {
    "depth": 1 << 30,
    "nodes": 1 << 62,
    "multipv": 1 << 30,
    "strength": FULL_STRENGTH,
    "moves_to_go": 1 << 30,
}


class MoveLine(tuple[Move, ...]):
    """A tuple of moves that prints as "h8 h9 j10"."""

    __slots__ = ()

    def __str__(self) -> str:
        """Return the moves in notation."""
        return format_moves(self)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a search; the first one that is met ends it.

    ``time`` and ``target`` are seconds (hard limit; good enough), ``depth`` plies,
    ``nodes`` moves made in the search, ``multipv`` the number of best lines,
    ``exclude`` root moves to leave out, ``strength`` 0 to 100 or the name of a level,
    ``started`` the ``time.perf_counter()`` of the start.

    ``time_left``, ``increment`` and ``moves_to_go`` describe a game clock, from which
    the engine takes the time of the move; ``root_moves`` are the only moves considered.

    Without any limit a search runs until it is stopped or has proved the result.
    Raises ValueError for a value out of its range and for limits that contradict each
    other (a ``target`` without ``time`` or with a game clock, a ``time`` longer than
    ``time_left``, an ``increment`` or ``moves_to_go`` without ``time_left``, a move
    both in ``root_moves`` and ``exclude``); TypeError for a value of a wrong type.
    """

    time: float | None = None
    """Hard limit in seconds of wall time (0 or more), counted from ``started``."""

    target: float | None = None
    """Seconds after which a move is good enough.

    The search may use more if the best move is unstable, and less if it is clear, but
    never more than ``time``.
    """

    depth: int | None = None
    """Deepest iteration, in plies (at least 1)."""

    nodes: int | None = None
    """Nodes to search, at least 1 (one node is one move made in the search)."""

    multipv: int = 1
    """Number of best root moves to search completely (at least 1)."""

    exclude: tuple[Move, ...] = ()
    """Root moves to leave out, given in any form that ``Board`` accepts."""

    strength: int = FULL_STRENGTH
    """Playing strength from 0 to 100, or the name of a level, as "easy".

    ``levels.ladder`` lists the levels; the name is stored as its number. Below 100 the
    engine makes the mistakes of a player of that level. Several lines (``multipv``)
    need 100.
    """

    started: float | None = None
    """``time.perf_counter()`` at which the clock started; ``None`` means now."""

    play_on: bool = False
    """Whether to search although a side has won, as a manager may request.

    Otherwise a finished game is refused.
    """

    time_left: float | None = None
    """Seconds left on the game clock; the engine allots the time of this move."""

    increment: float | None = None
    """Seconds that the game clock gains with each move."""

    moves_to_go: int | None = None
    """Moves, this one included, for which ``time_left`` must last (at least 1); None:
    for the rest of the game."""

    root_moves: tuple[Move, ...] | None = None
    """The only root moves to consider, in any form that ``Board`` takes; None: all.

    As without them, moves far from all stones are not searched: if all are, the first
    one is returned, at depth 0.
    """

    if TYPE_CHECKING:  # the types that are accepted; they are stored as those above

        def __init__(
            self,
            time: float | None = None,
            target: float | None = None,
            depth: int | None = None,
            nodes: int | None = None,
            multipv: int = 1,
            exclude: Iterable[tuple[int, int] | str] = (),
            strength: int | str = FULL_STRENGTH,
            started: float | None = None,
            play_on: bool = False,
            time_left: float | None = None,
            increment: float | None = None,
            moves_to_go: int | None = None,
            root_moves: Iterable[tuple[int, int] | str] | None = None,
        ) -> None:
            """Check the values, as ``__post_init__`` does."""

    def __post_init__(self) -> None:
        """Check the values and convert them to one form."""
        if isinstance(self.strength, str):
            object.__setattr__(self, "strength", strength_named(self.strength))
        for name in ("time", "target", "started", "time_left", "increment"):
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
            ("moves_to_go", 1, None),
        ):
            number = getattr(self, name)
            if number is not None or name in ("multipv", "strength"):
                # A value that no search reaches is no limit, and must fit into C.
                number = min(whole(name, number, least, most), _NEVER[name])
                object.__setattr__(self, name, number)
        if self.target is not None and self.time is None:
            raise ValueError("a target needs a time that it is part of")
        for name in ("exclude", "root_moves"):
            given = getattr(self, name)
            if given is None and name == "root_moves":
                continue
            if isinstance(given, str) or not isinstance(given, Iterable):
                raise TypeError(f"{name} is several moves, not {given!r}")
            object.__setattr__(self, name, tuple([as_move(move) for move in given]))
        self._check_contradictions()

    def _check_contradictions(self) -> None:
        if self.time_left is None:
            for name in ("increment", "moves_to_go"):
                if getattr(self, name) is not None:
                    raise ValueError(f"{name} needs time_left, the game clock")
        elif self.target is not None:
            raise ValueError("a target contradicts time_left, which sets one")
        elif self.time is not None and self.time > self.time_left:
            raise ValueError(
                f"a time of {self.time:g} s contradicts time_left of"
                f" {self.time_left:g} s"
            )
        if self.root_moves is not None:
            if not self.root_moves:
                raise ValueError("root_moves is empty: no move is left to search")
            both = [move for move in self.root_moves if move in self.exclude]
            if both:
                raise ValueError(f"{both[0]} is in root_moves and in exclude")


@dataclass(frozen=True)
class PlayerLimits:
    """Limits of one player in its games; None = no limit. Times are seconds.

    ``Limits`` are those of one search.
    """

    turn: float | None = None
    """Time for one move."""
    match: float | None = None
    """Time for the whole game, without the start of the process."""
    increment: float = 0.0
    """Time that the match clock gains with every move."""
    nodes: int | None = None
    """Nodes for one move, sent as ``INFO max_node``."""
    depth: int | None = None
    """Depth for one move, sent as ``INFO max_depth``."""
    memory: int | None = None
    """Bytes, sent as ``INFO max_memory``; they are not measured."""
    margin: float = 0.1
    """Tolerated lateness, as in real managers (Piskvork and Gomocup 1 s)."""

    def seconds(self, left: float | None) -> float | None:
        """Return the time for a move with ``left`` on the match clock."""
        limits = [limit for limit in (self.turn, left) if limit is not None]
        return min(limits, default=None)


def whole(name: str, value: object, least: int, most: int | None = None) -> int:
    """Return a whole number within its range, as an ``int``.

    Raises TypeError for another type and ValueError out of range, with ``name`` and the
    range in the message.
    """
    range_text = f"of at least {least}" if most is None else f"from {least} to {most}"
    try:
        if isinstance(value, bool):
            raise TypeError
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(
            f"{name} is a whole number {range_text}, not {value!r}"
        ) from None
    if number < least or (most is not None and number > most):
        raise ValueError(f"{name} is a whole number {range_text}, not {value!r}")
    return number


def own_moves(plies: int) -> int:
    """Return the winner's own moves in a forced result of so many plies.

    Texts for people count wins in this way, JSON has the plies. The plies are those
    from the winner's first move, or from the loser's move before it; their sign does
    not matter.
    """
    return (abs(plies) + 1) // 2


def moves_words(plies: int) -> str:
    """Return the length of a forced result: "1 move", "4 moves", of the winner."""
    count = own_moves(plies)
    return "1 move" if count == 1 else f"{count} moves"


def end_words(win_in: int) -> str:
    """Return a forced result: "win in 4 moves", "loss in 1 move", of the winner."""
    return f"{'win' if win_in > 0 else 'loss'} in {moves_words(win_in)}"


def _score_text(score: int | None, win_in: int | None) -> str:
    """Return a score, or the forced result, in words."""
    if win_in is not None:
        return end_words(win_in)
    return "no score" if score is None else f"score {score:+}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFigures:
    """Figures of a search, which its reports and its result have."""

    score: int | None
    """Score for the side to move, in evaluation units.

    In a result that finished no iteration (``depth`` is 0) and found no win, it is the
    static evaluation of the position, the number that ``Engine.evaluate`` returns,
    whichever root moves are allowed. None if no allowed move is legal.
    """

    win_in: int | None
    """Plies to the end of a forced result; None: nothing is proved.

    Positive = the side to move wins, negative = it loses.
    """

    depth: int
    """Nominal depth of the last finished iteration, in plies (0 = none)."""

    seldepth: int
    """Deepest ply reached."""

    nodes: int
    """Nodes searched so far."""

    time: float
    """Seconds since the clock started."""

    pv: tuple[Move, ...]
    """Moves of the line, from the root move on."""

    scale: float = SCALE
    """Score units per logit of the chance in the position searched."""

    def __post_init__(self) -> None:
        """Let the line print as notation."""
        object.__setattr__(self, "pv", MoveLine(self.pv))

    @property
    def move(self) -> Move:
        """The root move of the line."""
        return self.pv[0]

    @property
    def chance(self) -> float:
        """Expected result for the side to move, 0 to 1, with 1/2 for a draw.

        NaN without a score.
        """
        if self.score is None:
            return float("nan")
        return chance(self.score, self.win_in, self.scale)

    def _repr_pretty_(self, printer: "Any", cycle: bool) -> None:  # noqa: ANN401
        """Print the text in a notebook, instead of all fields."""
        printer.text(str(self))

    def figures(self) -> "dict[str, Any]":
        """Return the figures by their names, as another report or result takes them."""
        return {name: getattr(self, name) for name in SearchFigures.__slots__}

    def __str__(self) -> str:
        """Return the figures as a row of text, in the usual form of such programs."""
        return (
            f"{_score_text(self.score, self.win_in)}, depth {self.depth}-"
            f"{self.seldepth}, {self.nodes} nodes, {self.time:.2f} s:"
            f" {format_moves(self.pv)}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchInfo(SearchFigures):
    """Report of one line of play when an iteration (or a part of one) has ended.

    ``score`` counts evaluation units for the side to move, ``win_in`` plies to a forced
    end (negative: lost; None: not proved), ``depth`` and ``seldepth`` plies, ``time``
    seconds; ``multipv`` is 1 for the best line, ``pv`` its moves.
    """

    score: int
    """Score for the side to move at the root, in evaluation units."""

    multipv: int
    """Rank of the line: 1 for the best one, 2 for the second best .."""

    total: int = 1
    """Number of best lines that the search reports."""

    def to_dict(self) -> "dict[str, Any]":
        """Return the line as values of JSON, as ``analyze --json`` prints it."""
        return {
            "move": str(self.pv[0]),
            "score": self.score,
            "win_in": self.win_in,
            "chance": round(self.chance, 4),
            "depth": self.depth,
            "seldepth": self.seldepth,
            "nodes": self.nodes,
            "line": list(map(str, self.pv)),
        }

    def __str__(self) -> str:
        """Return the line as a row of text, with its rank among several."""
        number = f"{self.multipv}. " if self.total > 1 or self.multipv > 1 else ""
        return number + SearchFigures.__str__(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult(SearchFigures):
    """Result of a finished search.

    ``move`` is the move to play, legal if a legal one is left. ``score`` counts
    evaluation units for the side to move (None: not known), ``win_in`` plies to a
    forced end (negative: lost; None: not proved), ``depth`` and ``seldepth`` plies,
    ``time`` seconds; ``pv`` is the expected line, ``lines`` are the best ones, best
    first.
    """

    lines: tuple[SearchInfo, ...] = ()
    """Best lines, best first.

    There are ``multipv`` of them if the search tries so many moves, which it does not
    do far from all stones. There is at least one if there is a ``score``; on an empty
    board it is that of the first move alone.
    """

    def to_dict(self) -> "dict[str, Any]":
        """Return the result as values of JSON, as ``analyze --json`` prints it.

        Its lines are ordered by their scores; without a score there is none.
        """
        return {
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": round(self.time, 3),
            "lines": [line.to_dict() for line in best_first(self.lines)],
        }

    def __str__(self) -> str:
        """Return the move and its figures as a row of text."""
        return f"{self.move}, {SearchFigures.__str__(self)}"


def best_first(lines: Iterable[SearchInfo]) -> list[SearchInfo]:
    """Return lines by their scores: quick wins first, quick losses last.

    A search that was stopped has lines of two depths, the deeper ones first.
    """
    return sorted(lines, key=lambda line: -line.score)


InfoCallback = Callable[[SearchInfo], None]


@dataclass(frozen=True, slots=True, eq=False)
class ThreatTree:
    """Win by force: the winner's move and the tree after each defence to it.

    Positions that are reached in several ways share one tree.
    """

    move: Move
    """The winner's move."""

    plies: int
    """Plies to the five, this move included, against the longest of the replies."""

    replies: tuple[tuple[Move, "ThreatTree"], ...] = ()
    """Defences that were searched, with the tree after each; empty if ``move`` wins.

    Every other move of the defender loses at least as plainly.
    """

    def __init__(
        self,
        move: Move,
        plies: int,
        replies: "tuple[tuple[Move, ThreatTree], ...]" = (),
    ) -> None:
        """Store the values; a win may have a million trees."""
        object.__setattr__(self, "move", move)
        object.__setattr__(self, "plies", plies)
        object.__setattr__(self, "replies", replies)

    def line(self) -> tuple[Move, ...]:
        """Return the winner's moves against the replies that delay the five longest."""
        moves: list[Move] = [self.move]
        tree = self
        while tree.replies:
            reply, tree = max(tree.replies, key=lambda pair: pair[1].plies)
            moves += [reply, tree.move]
        return tuple(moves)

    def lines(self, depth: int = 10, indent: str = "") -> Iterator[str]:
        """Yield the tree as text: single answers in a row, several ones on a line each.

        Below ``depth`` plies only the length of the win is given. ``indent`` begins
        each line.
        """
        row = [str(self.move)]
        tree = self
        while len(tree.replies) == 1 and depth > 2:
            reply, tree = tree.replies[0]
            row += [str(reply), str(tree.move)]
            depth -= 2
        if tree.replies and depth <= 2:
            row.append(f".. then wins in {moves_words(tree.plies - 1)}")
        yield indent + " ".join(row)
        if depth > 2:
            for reply, answer in tree.replies:
                lines = answer.lines(depth - 2, indent + "   ")
                first = next(lines)
                yield f"{indent}   {reply}: {first.lstrip()}"
                yield from lines

    def to_dict(self, depth: int = 10) -> "dict[str, Any]":
        """Return the tree as values of JSON; ``replies`` is missing below ``depth``
        plies.
        """
        row: dict[str, Any] = {"move": str(self.move), "plies": self.plies}
        if depth > 2:
            row["replies"] = {
                str(reply): answer.to_dict(depth - 2) for reply, answer in self.replies
            }
        return row

    def __str__(self) -> str:
        """Return the lines of the tree to a depth of ten plies."""
        return "\n".join(self.lines())


@dataclass(frozen=True, slots=True)
class SolveResult:
    """Result of a search for a win by threats.

    ``status`` is "win", "no win" (proved) or "unknown" (a limit came first), ``line``
    the win up to its five, ``tree`` the same with all defences, ``time`` seconds,
    ``least`` the least plies of every win of the kind, ``least_of_all`` those of any
    win (None: not searched).
    """

    status: SolveStatus
    """Status of the search.

    "win": found, and replayed: a win by fours along its line, one by fours and threes
    against every defence; "no win": proved that there is none of this kind; "unknown":
    a limit was met first.
    """

    kind: SolveKind
    """Kind of the win, or of the last search: by fours, or by fours and threes."""

    line: tuple[Move, ...] = ()
    """Winning line, up to the five."""

    tree: ThreatTree | None = None
    """Win with all defences that were searched."""

    nodes: int = 0
    """Moves made in the search."""

    time: float = 0.0
    """Seconds used."""

    least: int | None = None
    """Plies below which there is proved to be no win of the requested kind.

    With "auto" the kind is by fours and threes. None: not searched. A win that takes as
    many plies is the shortest.
    """

    least_of_all: int | None = None
    """Plies below which there is proved to be no win of any kind; None: not
    searched.
    """

    def __post_init__(self) -> None:
        """Let the line print as notation."""
        object.__setattr__(self, "line", MoveLine(self.line))

    @property
    def is_shortest(self) -> bool:
        """Whether the win is proved to be the shortest of the requested kind."""
        return self.status == "win" and self.least == len(self.line)

    def to_dict(self, tree_depth: int | None = None) -> "dict[str, Any]":
        """Return the result as values of JSON, as ``solve --json`` prints it.

        ``tree_depth``: plies of the tree in it; None: no tree.
        """
        row: dict[str, Any] = {
            "status": "no_win" if self.status == "no win" else self.status,
            "kind": self.kind,
            "plies": len(self.line) or None,
            "line": list(map(str, self.line)),
            "nodes": self.nodes,
            "seconds": round(self.time, 6),
        }
        if self.least is not None:
            row["least"] = self.least
            row["least_of_all"] = self.least_of_all
            row["shortest"] = self.is_shortest
        if tree_depth is not None and self.tree is not None:
            row["tree"] = self.tree.to_dict(tree_depth)
        return row

    def _repr_pretty_(self, printer: "Any", cycle: bool) -> None:  # noqa: ANN401
        """Print the text in a notebook, instead of all fields."""
        printer.text(str(self))

    def __str__(self) -> str:
        """Return the verdict as a row of text."""
        way = {"vcf": "fours", "vct": "fours and threes"}[self.kind]
        found = {
            "win": f"win by {way} in {moves_words(len(self.line))}:"
            f" {format_moves(self.line)}",
            "no win": f"no win by {way}: proved",
            "unknown": f"no win by {way} found within the limits",
        }[self.status]
        return f"{found} ({self.nodes} nodes, {self.time:.2f} s)"
