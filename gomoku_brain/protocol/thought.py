"""The thinking about one move, from the arrival of its command to the answer.

A ``Thought`` is what ``Thinker.think`` hands out, and its ``with`` block is the time of
the move: when the block ends, however it does, that time is off the match clock. In it
one ``search`` may be made. After that, or instead of it, positions may be scored by the
``Comparison`` that ``compare`` hands out, as the offers of swap2 are.

While the block runs another thread may say ``stop``, ``hurry`` and ``take_info``.
"""

import threading
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

from gomoku_brain.control.limits import Limits, SearchInfo, SearchResult
from gomoku_brain.engine.time_manager import (
    INSTANT_NODES,
    MatchClock,
    allot,
    unawaited,
)
from gomoku_brain.game.notation import Move
from gomoku_brain.protocol.lines_of_play import LinesOfPlay
from gomoku_brain.protocol.options import Options
from gomoku_brain.protocol.states import Reaction

if TYPE_CHECKING:
    from gomoku_brain.control.search_control import SearchControl
    from gomoku_brain.engine.engine import Engine
    from gomoku_brain.game.position import Board

__all__ = ["Comparison", "Means", "Pondering", "Thought"]


class Means(NamedTuple):
    """What a thought works with; all of it belongs to the thinker."""

    engine: "Engine"
    new_control: "Callable[[], SearchControl]"
    options: Options
    match: MatchClock
    lines: LinesOfPlay
    clock: Callable[[], float]
    """Seconds."""
    report: Callable[[Exception], None]
    """Told of a search that failed, which is no reason to give up the move; after a
    lack of memory the engine has little of it, and may be asked once more."""


class Thought:
    """One move's thinking, in a ``with`` block that is the time of the move."""

    def __init__(
        self, means: Means, arrival: float, *, share: float, moves: int, spent: float
    ) -> None:
        """The command came at ``arrival``; ``spent`` milliseconds were used before.

        ``share`` is the part of the move's time and nodes that ``search`` may use,
        ``moves`` how many moves we make at most until the board is full.
        """
        self.arrival = arrival
        self.best: Move | None = None
        """The best move found, also by a search that failed."""
        self._depth = 0  # plies that the search which found it had told of
        self._counted = 0  # nodes of the search under way, when it last told
        self._means = means
        self._share = share
        self._moves = moves
        self._spent = spent
        self._nodes = means.options.nodes  # left, None = no limit
        self._told = Reaction.NONE  # the most urgent of what another thread said
        self._comparison: Comparison | None = None
        self._lock = threading.RLock()  # of what another thread may change
        self._control = means.new_control()
        self._renew()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        used = (self._means.clock() - self.arrival) * 1000 + self._spent
        self._means.match.charge(used, self._means.options.time_increment)

    def search(
        self, board: "Board", multipv: int, blocked: tuple[Move, ...]
    ) -> SearchResult | None:
        """Search a position, without ``blocked`` root moves as far as possible.

        None when the search failed, where memory was short a second time. ``best`` is
        what had been found until then, or by a first try that came further.
        """
        means, options = self._means, self._means.options
        means.lines.begin(multipv)
        if multipv == 1 and not blocked:
            proved = self._proved(board)
            if proved is not None:
                self.best = proved.move
                means.lines.conclude(proved, proved=True)
                return proved
        nodes = self._nodes
        if nodes is not None:
            nodes = max(int(nodes * self._share), 1)
        if self._budget.instant:
            nodes = min(nodes or INSTANT_NODES, INSTANT_NODES)
        limits = Limits(
            play_on=True,  # a manager that asks gets a move
            depth=options.depth,
            nodes=nodes,
            multipv=multipv,
            exclude=blocked,
            strength=options.playing_strength,
            started=self.arrival,
        )
        result = self._searched(board, limits)
        if result is not None and (multipv > 1 or self.best == result.move):
            means.lines.conclude(result)
        return result

    def _searched(self, board: "Board", limits: Limits) -> SearchResult | None:
        """What the engine finds, if need be in the little memory that there is."""
        result, is_short = self._tried(board, limits)
        if not is_short:
            return result
        first, depth = self.best, self._depth
        self._depth = 0
        if limits.nodes is not None:
            limits = replace(limits, nodes=max(limits.nodes - self._counted, 1))
        result, _ = self._tried(board, limits)
        if self._depth < depth and (result is None or result.win_in is None):
            self.best = first  # the time was too short to come as far again
        return result

    def _tried(
        self, board: "Board", limits: Limits
    ) -> tuple[SearchResult | None, bool]:
        """What the engine finds; else None, and whether it lacked memory.

        The error must not be kept: memory that the search had hangs on it.
        """
        self._counted = 0
        try:
            search = self._means.engine.search
            result = search(board, limits, self._on_info, self._control)
        except Exception as error:
            self._charge_nodes(self._counted)
            self._means.report(error)
            return None, isinstance(error, MemoryError)
        self._charge_nodes(result.nodes)
        self.best = result.move
        return result, False

    def _on_info(self, info: SearchInfo) -> None:
        """Remember the best move so far; say it when that was asked for."""
        if info.pv:
            self._counted = info.nodes
            if info.multipv == 1:
                self.best, self._depth = info.pv[0], info.depth
            self._means.lines.note(info)

    def _proved(self, board: "Board") -> SearchResult | None:
        """The move of a proof that the package holds, or what is left of its win."""
        if not self._means.options.plays_proofs:
            return None
        from gomoku_brain.proofs.proved import find, follow

        try:
            return find(board) or follow(self._means.engine, board, self._control)
        except Exception as error:
            self._means.report(error)
            return None

    def _charge_nodes(self, nodes: int) -> None:
        if self._nodes is not None:
            self._nodes = max(self._nodes - nodes, 0)

    def compare(self) -> "Comparison":
        """Turn to positions that are to be scored in what is left of time and nodes.

        What ``stop`` and ``hurry`` said before still holds.
        """
        with self._lock:
            # A new one: that of the search may have been ended by its share of time.
            self._control = self._means.new_control()
            self._share = 1.0
            self._comparison = Comparison(self)
            self._renew()
            if self._told is Reaction.STOP:
                self.stop()
            elif self._told is Reaction.HURRY:
                self.hurry()
            return self._comparison

    # From another thread, too

    def stop(self) -> None:
        """End the search now."""
        with self._lock:
            self._told = Reaction.STOP
            self._control.stop()

    def hurry(self) -> None:
        """End a search that would not end by itself soon."""
        options = self._means.options
        bounded = bool(options.nodes or options.depth)
        with self._lock:
            if self._told is Reaction.NONE:
                self._told = Reaction.HURRY
            seconds = unawaited(self._budget.limit, bounded=bounded)
            if seconds:
                self._control.set_deadline(self._means.clock() + seconds, None)
            elif seconds is not None:
                self.stop()

    def take_info(self) -> None:
        """Go on under the limits and clocks that have just been told."""
        with self._lock:
            self._renew()
            if self._budget.instant:
                self.stop()

    def _renew(self) -> None:
        """Work out when the move is due, and let the search know."""
        means, options = self._means, self._means.options
        self._budget = allot(
            options.turn_limit,
            means.match.left,
            increment=options.time_increment,
            strict=options.strict_clock,
            spent=self._spent,
            moves=self._moves,
        )
        time, target = self._budget.deadlines(self.arrival, means.clock(), self._share)
        if self._comparison:  # each of many searches is to be whole, or not to count
            time, target = target, None
        self._control.set_deadline(time, target)


class Comparison:
    """Scores positions in what is left of a move's time and nodes."""

    def __init__(self, thought: Thought) -> None:
        """Made by ``Thought.compare``."""
        self._thought = thought

    def score(self, board: "Board", nodes: int) -> int | None:
        """The score of a position for the side to move; None: no time for so many."""
        thought = self._thought
        left, control, means = thought._nodes, thought._control, thought._means
        if thought._budget.instant or (left is not None and left < nodes):
            return None
        limits = Limits(depth=means.options.depth, nodes=nodes, play_on=True)
        try:
            result = means.engine.search(board, limits, None, control)
        except Exception as error:
            thought._charge_nodes(nodes)  # as it may have used them all
            means.report(error)
            return None
        thought._charge_nodes(result.nodes)
        return None if control.stopped else result.score


class Pondering:
    """Thinking without a word and without limits, until ``stop``."""

    def __init__(self, means: Means) -> None:
        """From here on ``stop`` ends it, even before it has begun."""
        self._means = means
        self._control = means.new_control()

    def search(self, board: "Board") -> None:
        """Search a position for what the engine learns by it."""
        try:
            limits = Limits(play_on=True)
            self._means.engine.search(board, limits, None, self._control)
        except Exception as error:
            self._means.report(error)

    def stop(self) -> None:
        """End the search now; any thread."""
        self._control.stop()
