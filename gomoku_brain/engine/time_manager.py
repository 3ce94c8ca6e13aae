"""Time of a move: its limits, and the point at which a search has used enough of it.

All policy about time is in this module: the margins of a move, the point at which a
search starts no further iteration, and the time for a search after its move is no
longer awaited. Every function is pure: it works on its arguments and reads no clock.
All times are seconds. The search's ``SearchControl`` holds the deadline that follows.
"""

from gomoku_brain.dataclass import dataclass

# Reserve between the hard stop and the limit: for the way of the answer to the manager,
# and for a late check of the clock. Measured on Linux with two games at once on two
# processors: 5 ms in 99 of 100 moves, 14 ms at most. Pela, Carbon and Rapfi reserve
# 30 ms.
_RESERVE = 0.020
_RESERVE_SHARE = 0.02
# A manager that sends neither time_left nor game_type (liskvork) grants no tolerance.
_STRICT_RESERVE = 0.060
# The soft target is this far below the hard stop.
_TARGET_GAP = 0.005
_TARGET_GAP_SHARE = 0.01
# Fixed margins would use up a short limit: this share of it is used in any case.
_SHORT_SHARE = 0.5
# A match clock: no move takes more than a seventh, and 10 more moves are expected, but
# never more than fit on the board. Games are decided early: with 20 expected moves 0.4
# of the clock was left at their end. Rows 195 and 196 of docs/data/tries.csv.
_MATCH_MOST = 7.0
_MATCH_MOVES = 10.0
# A game may last until the board is full: so much is reserved for each of our future
# moves, but never more than nine tenths of the clock. Without it a clock of 12 s was
# used up after some 90 moves, and three of 16 games on a loaded machine were lost on
# time.
_MOVE_RESERVE = 0.015
_MAX_RESERVED = 0.9
# With less for a move, or for the rest of the match: a static move, at once.
_INSTANT_TURN = 0.020
_INSTANT_LEFT = 0.100
_INSTANT = 0.010
_MIN_TIME = 0.002
INSTANT_NODES = 1000  # one ply of every candidate, and the answers to a threat

# Between two iterations; all set by hand.
_AMPLE = 0.8  # target / hard limit above which no time is saved
_NEXT_ITERATION = 0.55  # of the target: after it, no new iteration starts
_STABLE_ITERATIONS = 4  # the same best move so often saves time
_STABLE_SHARE = 0.7  # of the target, which is then enough
_UNSTABLE_SHARE = 1.6  # of the target, if the best move has just changed
_UNSTABLE_DEPTH = 5  # plies; in shallower iterations a change means nothing

# A limit of this many seconds or more means "none" (Yixin-Board sends 2000 s).
_ENDLESS = 1000.0
# After its move is no longer awaited (end of input, a next command), a search that only
# nodes or depth limit may continue for so many seconds, so that short ones are
# completed.
_GRACE = 5.0


@dataclass(frozen=True, slots=True)
class Budget:
    """Time that one move may use, in seconds from the command's arrival."""

    time: float | None
    """Hard stop; None = no limit."""
    target: float | None
    """Time after which a move is good enough, at most ``time``."""
    instant: bool
    """Whether to answer at once: to search ``INSTANT_NODES`` at most."""
    limit: float | None
    """Time that the manager grants for this move, without margins."""

    def deadlines(
        self, arrival: float, now: float, share: float = 1.0
    ) -> tuple[float | None, float | None]:
        """Return hard stop and target on the clock of ``arrival`` and ``now``.

        ``share`` is the part of the move's time that the search may use. An instant
        answer gets its few milliseconds however late its command is read.
        """
        if self.time is None or self.target is None:
            return None, None
        if self.instant:
            return now + self.time, now + self.target
        return arrival + self.time * share, arrival + self.target * share


class MatchClock:
    """Time left for the match: the manager's figure, minus our use since then.

    All values are seconds; None = no limit.
    """

    __slots__ = ("_fresh", "_known", "_left", "_total", "_used")

    def __init__(self) -> None:
        """Start without a limit."""
        self._total: float | None = None
        self._left: float | None = None
        self._known = False
        self._fresh = False
        self._used = 0.0

    @property
    def left(self) -> float | None:
        """Time left now; negative when overdrawn."""
        total = self._left if self._known else self._total
        return None if total is None else total - self._used

    @property
    def is_known(self) -> bool:
        """Whether the manager sent the time left, in this match or just before it."""
        return self._known

    def set_total(self, seconds: float | None) -> None:
        """Set the limit for a whole match (``INFO timeout_match``)."""
        self._total = seconds

    def set_left(self, seconds: float | None, elapsed: float = 0.0) -> None:
        """Set the time left (``INFO time_left``), received ``elapsed`` seconds into a
        move.
        """
        self._left = None if seconds is None else seconds + elapsed
        self._known = self._fresh = True
        self._used = 0.0

    def charge(self, used: float, increment: float = 0.0) -> None:
        """Charge the time of a finished move of ours."""
        self._used += used - increment
        self._fresh = False

    def new_match(self) -> None:
        """Start a match, with the full time unless its time left has just been set."""
        if not self._fresh:
            self._known = False
            self._used = 0.0


def allot(
    turn: float | None,
    left: float | None,
    *,
    increment: float = 0.0,
    strict: bool = False,
    spent: float = 0.0,
    moves: int | None = None,
) -> Budget:
    """Return the budget of a move.

    ``turn`` is the limit for this move and ``left`` the time left for the match, in
    seconds, None = no limit; ``increment`` is the gain of the match clock with
    every move. ``strict`` takes the larger margin, for a manager of unknown tolerance.
    ``spent`` seconds were used before the move arrived and count as part of it.
    ``moves`` is the largest number of moves that we make until the board is full, this
    one included; None = the largest for a match clock.
    """
    limits = [value for value in (turn, left) if value is not None]
    if not limits:
        return Budget(None, None, False, None)
    limit = min(limits)
    if limit < _INSTANT_TURN or (left is not None and left < _INSTANT_LEFT):
        return _instant(limit)

    reserve = max(_RESERVE, limit * _RESERVE_SHARE)
    if strict:
        reserve += _STRICT_RESERVE
    hard = max(limit - reserve, limit * _SHORT_SHARE)
    free = left  # of the match clock, for this move and the expected ones
    maximum, expected = _MATCH_MOST, _MATCH_MOVES
    if free is not None:
        if moves is not None:
            each = max(_MOVE_RESERVE - increment, 0.0)
            free -= min(free * _MAX_RESERVED, (moves - 1) * each)
            maximum, expected = min(maximum, moves), min(expected, moves)
        hard = min(hard, free / maximum + max(increment, 0.0))
    hard -= spent
    if hard < _MIN_TIME:
        return _instant(limit)

    # Very short limits leave no room for the gap: then half of them.
    gap = max(_TARGET_GAP, limit * _TARGET_GAP_SHARE)
    target = max(hard - gap, hard / 2)
    if free is not None:
        share = free / expected + max(increment, 0.0) - spent
        target = max(min(target, share), min(_MIN_TIME, hard))
    return Budget(hard, target, False, limit)


def moves_left(cells: int, stones: int) -> int:
    """Return the moves of the side to move until a board of so many cells is full."""
    return (cells - stones + 1) // 2


def _instant(limit: float) -> Budget:
    """Return the budget of an instant answer."""
    time = _INSTANT if limit <= 0 else min(_INSTANT, max(limit / 2, _MIN_TIME))
    return Budget(time, time, True, limit)


def is_time_used(
    elapsed: float,
    target_in: float | None,
    hard_in: float | None,
    *,
    unchanged: int,
    depth: int,
) -> bool:
    """Whether a search has used so much time that no further iteration may start.

    ``elapsed`` seconds are used, ``target_in`` and ``hard_in`` are left until the soft
    and the hard limit; None = there is no such limit. The best move is the same for
    ``unchanged`` iterations, the last of which was ``depth`` plies deep.
    """
    if target_in is None or hard_in is None:
        return False
    share = elapsed + target_in  # seconds that the target allows in all
    if share > _AMPLE * (elapsed + hard_in):
        return target_in <= 0  # an early stop saves nothing for later
    if unchanged >= _STABLE_ITERATIONS:
        share *= _STABLE_SHARE
    elif unchanged == 0 and depth >= _UNSTABLE_DEPTH:
        share *= _UNSTABLE_SHARE
    return elapsed >= share * _NEXT_ITERATION


def unawaited(limit: float | None, *, bounded: bool) -> float | None:
    """Return the seconds of a search after its move is no longer awaited.

    ``limit`` is the time that the manager granted for the move in seconds. ``bounded``:
    whether nodes or depth limit the search. 0 = it ends at once; None = it ends soon by
    itself.
    """
    if limit is not None and limit < _ENDLESS:
        return None
    return _GRACE if bounded else 0.0
