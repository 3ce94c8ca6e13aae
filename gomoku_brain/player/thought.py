"""Thinking about one move, from the arrival of its command to the answer.

``Player.think`` returns a ``Thought``. Its ``with`` block is the time of the move: at
the end of the block, the match clock loses that time. Inside the block there may be one
``search``. After it, or instead of it, the ``Comparison`` that ``compare`` returns can
score positions, for example the offers of swap2.

During the block, another thread may call ``stop``, ``stop_soon`` and ``take_info``.
"""

import _thread
from collections.abc import Callable

from gomoku_brain.control.limits import FULL_STRENGTH, Limits, SearchInfo, SearchResult
from gomoku_brain.dataclass import dataclass, replace
from gomoku_brain.engine.time_manager import (
    INSTANT_NODES,
    MatchClock,
    allot,
    unawaited,
)
from gomoku_brain.game.notation import Move

TYPE_CHECKING = False  # typing takes milliseconds of the start to import
if TYPE_CHECKING:
    from typing import Self

    from gomoku_brain.control.search_control import SearchControl
    from gomoku_brain.engine.engine import Engine
    from gomoku_brain.game.position import Board
    from gomoku_brain.player.play_settings import PlayerSettings, SearchLog
    from gomoku_brain.proofs.proved import ProvedMoves

__all__ = ["Comparison", "Pondering", "Thought", "ThoughtContext"]


_NONE, _SOON, _NOW = range(3)  # most urgent request of another thread to end a search


@dataclass(frozen=True, slots=True)
class ThoughtContext:
    """Objects that a thought needs. All of them belong to the player."""

    engine: "Engine"
    new_control: "Callable[[], SearchControl]"
    settings: "PlayerSettings"
    match: MatchClock
    proofs: "ProvedMoves"
    log: "SearchLog"
    clock: Callable[[], float]
    """Function that returns seconds."""
    report: Callable[[Exception], None]
    """Function that receives the error of a failed search. The move is still due, so
    the caller continues. After a ``MemoryError`` the function reduces the engine's
    memory, and the caller may search once more."""


class Thought:
    """Thinking about one move, in a ``with`` block that is the time of the move."""

    def __init__(
        self,
        context: ThoughtContext,
        arrival: float,
        *,
        share: float,
        moves: int,
        spent: float,
    ) -> None:
        """Create the thought for a command that came at ``arrival``.

        ``share`` is the part of the move's time and nodes that ``search`` may use,
        ``moves`` the largest number of own moves until the board is full. ``spent`` is
        the time used before ``arrival``, in seconds.
        """
        self.arrival = arrival
        self.best: Move | None = None
        """The best move found, also by a failed search."""
        self._depth = 0  # depth of the search that found it, in plies
        self._counted = 0  # nodes of the current search at its last report
        self._context = context
        self._share = share
        self._moves = moves
        self._spent = spent
        self._nodes = context.settings.nodes  # nodes left, None = no limit
        self._request = _NONE  # the most urgent request of another thread
        self._comparison: Comparison | None = None
        self._lock = _thread.RLock()  # protects data that another thread may change
        self._control = context.new_control()
        self._renew()

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, *_: object) -> None:
        used = self.elapsed + self._spent
        self._context.match.charge(used, self._context.settings.increment)

    def search(
        self, board: "Board", multipv: int, blocked: tuple[Move, ...]
    ) -> SearchResult | None:
        """Search a position, without the root moves in ``blocked`` if others are left.

        Return None if the search failed. After a lack of memory it is tried a second
        time. ``best`` is the best move of the try that reached the greater depth.
        """
        context, settings = self._context, self._context.settings
        context.log.start(multipv)
        if multipv == 1 and not blocked:
            proved = self._find_proved(board)
            if proved is not None:
                self.best = proved.move
                context.log.conclude(proved, proved=True)
                return proved
        nodes = self._nodes
        if nodes is not None:
            nodes = max(int(nodes * self._share), 1)
        if self._budget.instant:
            nodes = min(nodes or INSTANT_NODES, INSTANT_NODES)
        limits = Limits(
            play_on=True,  # a manager that requests a move gets one
            depth=settings.depth,
            nodes=nodes,
            multipv=multipv,
            exclude=blocked,
            strength=settings.playing_strength if multipv == 1 else FULL_STRENGTH,
            started=self.arrival,
        )
        result = self._search_with_retry(board, limits)
        if result is not None and (multipv > 1 or self.best == result.move):
            context.log.conclude(result)
        return result

    def _search_with_retry(self, board: "Board", limits: Limits) -> SearchResult | None:
        """Search, and search again with less memory if memory was short."""
        result, is_short = self._try_search(board, limits)
        if not is_short:
            return result
        first, depth = self.best, self._depth
        self._depth = 0
        if limits.nodes is not None:
            limits = replace(limits, nodes=max(limits.nodes - self._counted, 1))
        result, _ = self._try_search(board, limits)
        if self._depth < depth and (result is None or result.win_in is None):
            self.best = first  # the second try had no time to reach the same depth
        return result

    def _try_search(
        self, board: "Board", limits: Limits
    ) -> tuple[SearchResult | None, bool]:
        """Search once. Return the result or None, and whether memory was short.

        The error must not be stored, because it holds references to the memory of the
        search.
        """
        self._counted = 0
        try:
            search = self._context.engine.search
            result = search(board, limits, self._on_info, self._control)
        except Exception as error:
            self._charge_nodes(self._counted)
            self._context.report(error)
            return None, isinstance(error, MemoryError)
        self._charge_nodes(result.nodes)
        self.best = result.move
        return result, False

    def _on_info(self, info: SearchInfo) -> None:
        """Remember the best move so far, and write the line of play."""
        if info.pv:
            self._counted = info.nodes
            if info.multipv == 1:
                self.best, self._depth = info.pv[0], info.depth
            self._context.log.note(info)

    def _find_proved(self, board: "Board") -> SearchResult | None:
        """Return the move of a proof, or of the rest of its win, if there is one."""
        if not self._context.settings.plays_proofs:
            return None
        proofs = self._context.proofs
        try:
            found = proofs.find(board)
            return found or proofs.follow(self._context.engine, board, self._control)
        except Exception as error:
            self._context.report(error)
            return None

    def _charge_nodes(self, nodes: int) -> None:
        if self._nodes is not None:
            self._nodes = max(self._nodes - nodes, 0)

    def compare(self) -> "Comparison":
        """Return a scorer of positions that uses the rest of the time and nodes.

        Earlier calls of ``stop`` and ``stop_soon`` stay in effect.
        """
        with self._lock:
            # A new control: the share of time may have ended that of the search.
            self._control = self._context.new_control()
            self._share = 1.0
            self._comparison = Comparison(self)
            self._renew()
            if self._request is _NOW:
                self.stop()
            elif self._request is _SOON:
                self.stop_soon()
            return self._comparison

    # Calls from any thread

    @property
    def elapsed(self) -> float:
        """Seconds since the arrival of the command."""
        return self._context.clock() - self.arrival

    def stop(self) -> None:
        """End the search now."""
        with self._lock:
            self._request = _NOW
            self._control.stop()

    def stop_soon(self) -> None:
        """End the search soon, even if its own limits allow more time."""
        settings = self._context.settings
        bounded = bool(settings.nodes or settings.depth)
        with self._lock:
            if self._request is _NONE:
                self._request = _SOON
            seconds = unawaited(self._budget.limit, bounded=bounded)
            if seconds:
                self._control.set_deadline(self._context.clock() + seconds, None)
            elif seconds is not None:
                self.stop()

    def renew(self) -> None:
        """Apply the limits and clocks that have just been set."""
        with self._lock:
            self._renew()
            if self._budget.instant:
                self.stop()

    def _renew(self) -> None:
        """Compute the deadline of the move and pass it to the search."""
        context, settings = self._context, self._context.settings
        self._budget = allot(
            settings.turn,
            context.match.left,
            increment=settings.increment,
            strict=settings.strict_clock,
            spent=self._spent,
            moves=self._moves,
        )
        time, target = self._budget.deadlines(
            self.arrival, context.clock(), self._share
        )
        if self._comparison:  # each of many searches must be complete to count
            time, target = target, None
        self._control.set_deadline(time, target)


class Comparison:
    """Scorer of positions in the rest of a move's time and nodes."""

    def __init__(self, thought: Thought) -> None:
        """Create a scorer; only ``Thought.compare`` does this."""
        self._thought = thought

    def score(self, board: "Board", nodes: int) -> int | None:
        """Return the score of a position for the side to move.

        Return None if the time or the limit does not allow ``nodes`` nodes, or if the
        search failed.
        """
        thought = self._thought
        left, control, context = thought._nodes, thought._control, thought._context
        if thought._budget.instant or (left is not None and left < nodes):
            return None
        limits = Limits(depth=context.settings.depth, nodes=nodes, play_on=True)
        try:
            result = context.engine.search(board, limits, None, control)
        except Exception as error:
            thought._charge_nodes(nodes)  # it may have used all of them
            context.report(error)
            return None
        thought._charge_nodes(result.nodes)
        return None if control.stopped else result.score


class Pondering:
    """Search in the opponent's time, without output and limits, until ``stop``."""

    def __init__(self, context: ThoughtContext) -> None:
        """Create a pondering search that ``stop`` can end, even before its start."""
        self._context = context
        self._control = context.new_control()

    def search(self, board: "Board") -> None:
        """Search a position to fill the engine's tables."""
        try:
            limits = Limits(play_on=True)
            self._context.engine.search(board, limits, None, self._control)
        except Exception as error:
            self._context.report(error)

    def stop(self) -> None:
        """End the search now. Any thread may call this."""
        self._control.stop()
