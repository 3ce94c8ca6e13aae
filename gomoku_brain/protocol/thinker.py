"""Chooses moves for a session: the engine under the limits and clocks that INFO told.

A move goes ``prepare``, ``search``, ``book``. In between and while the search runs,
another thread may call ``stop``, ``hurry`` and ``take_info``; who calls them sees to it
that they do not run at the same time as each other. An offer in swap2 comes with
``prepare`` or after a ``search`` with a share: ``compare``, ``judge`` many times,
``book``. Between moves: ``prepare_pondering``, ``ponder``.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from gomoku_brain.game.notation import Move
from gomoku_brain.protocol import commands
from gomoku_brain.protocol.options import MEMORY_KEYS, Options
from gomoku_brain.search.limits import FULL_STRENGTH, Limits, SearchInfo, SearchResult
from gomoku_brain.search.time_manager import (
    INSTANT_NODES,
    Budget,
    MatchClock,
    allot,
    unawaited,
)

if TYPE_CHECKING:
    from gomoku_brain.game.position import Board
    from gomoku_brain.game.rules import Rule
    from gomoku_brain.search.control import SearchControl
    from gomoku_brain.search.engine import Engine

Emit = Callable[[str], None]

_LINE_INTERVAL = 0.1  # seconds between lines of play, on the average


class Thinker:
    """One conversation's engine, options and match clock.

    ``emit`` receives the lines of play, ``log`` text about errors; ``clock`` tells
    seconds; ``startup`` the processor seconds of this process so far, which are charged
    to the first move. Engine and control are the real ones unless given; ``seed``
    is for the real engine.
    """

    def __init__(
        self,
        options: Options,
        engine: "Engine | None",
        control: "Callable[[], SearchControl] | None",
        *,
        emit: Emit,
        log: Emit,
        clock: Callable[[], float],
        startup: Callable[[], float] | None,
        seed: int | None = None,
    ) -> None:
        """Wait for the first move; nothing heavy is loaded yet."""
        self.options = options
        self._engine = engine
        self._new_control = control
        self._emit = emit
        self._log = log
        self._clock = clock
        self._startup = startup
        self._seed = seed
        self._match = MatchClock()
        self._table_mb = 0.0  # last asked of the engine
        self._used = False  # whether the engine holds anything of a game

        # Of the move being thought about.
        self.best: Move | None = None
        """The best move found, also by a search that failed."""
        self._control: SearchControl | None = None
        self._budget = Budget(None, None, False, None)
        self._arrival = 0.0
        self._share = 1.0  # of its time and nodes that the search may use
        self._moves: int | None = None  # ours until the board is full
        self._comparing = False  # whether offers are being judged
        self._nodes: int | None = None  # left, None = no limit
        self._stopped = self._hurried = False
        self._spent = 0.0  # milliseconds charged from before the arrival
        self._multipv = 1
        self._telling = False  # whether the present lines of play are being said
        self._next_line = 0.0  # when the next may be

    # The engine

    def load(self) -> None:
        """Import and set up what a search needs (done late otherwise)."""
        if self._new_control is None:
            from gomoku_brain.search.control import SearchControl

            self._new_control = SearchControl
        if self._engine is None:
            from gomoku_brain.search.engine import Engine

            self._engine = Engine(
                threads=self.options.threads, hash_mb=1, seed=self._seed
            )
            self._set_table()
        if self.options.playing_strength < FULL_STRENGTH:
            import gomoku_brain.search.handicap  # noqa: F401  not on a move's time

    def learn(self, rule: "Rule") -> None:
        """Make ready for games of a rule."""
        assert self._engine is not None
        self._engine.prepare(rule)

    def new_game(self) -> None:
        """Begin a match; what was learned is kept until ``forget``."""
        self._match.new_game()

    def forget(self) -> None:
        """Forget what was learned in another game."""
        if self._used and self._engine is not None:
            self._engine.new_game()
        self._used = False

    def _set_table(self) -> None:
        """Give the engine's table the size that the memory allows."""
        engine, size = self._engine, self.options.table_mb
        if engine is None or size == self._table_mb:
            return  # a resize forgets everything
        self._table_mb = size
        while True:
            try:
                engine.hash_mb = size
                return
            except MemoryError:
                if size <= 1:
                    return
                size = max(size / 2, 1)

    # A move

    def prepare(
        self, arrival: float, share: float = 1.0, moves: int | None = None
    ) -> None:
        """Make ready for a move whose command came at ``arrival``.

        ``share`` is the part of its time and nodes that ``search`` may use, ``moves``
        how many moves we make at most until the board is full.
        """
        self.load()
        assert self._new_control is not None
        self.best = None
        self._used = True
        self._arrival = arrival
        self._share, self._comparing = share, False
        self._moves = moves
        self._nodes = self.options.nodes
        self._stopped = self._hurried = False
        self._spent = self._charge_startup()
        self._control = self._new_control()
        self._set_budget()

    def search(
        self, board: "Board", multipv: int, blocked: tuple[Move, ...]
    ) -> SearchResult | None:
        """Search a position, without ``blocked`` root moves as far as possible.

        None when the search failed, which is logged and no reason to give up: ``best``
        is what had been found until then, if anything.
        """
        assert self._engine is not None
        self._multipv = multipv
        self._telling, self._next_line = False, float("-inf")
        options, budget = self.options, self._budget
        if multipv == 1 and not blocked:
            proved = self._proved(board)
            if proved is not None:
                self.best = proved.move
                if options.show_detail >= 0:
                    self._emit(commands.proved_message(proved))
                self._tell_result(proved)
                return proved
        nodes = self._nodes
        if nodes is not None:
            nodes = max(int(nodes * self._share), 1)
        if budget.instant:
            nodes = min(nodes or INSTANT_NODES, INSTANT_NODES)
        limits = Limits(
            play_on=True,  # a manager that asks gets a move
            depth=options.depth,
            nodes=nodes,
            multipv=multipv,
            exclude=blocked,
            strength=options.playing_strength,
            started=self._arrival,
        )
        try:
            result = self._engine.search(board, limits, self._on_info, self._control)
        except Exception as error:
            self.log_error(error)
            if isinstance(error, MemoryError):
                options.hash_size = 1
                self._set_table()
            return None
        self._charge_nodes(result)
        self.best = result.move
        self._tell_result(result)
        return result

    def _proved(self, board: "Board") -> SearchResult | None:
        """The move of a proof that the package holds, or what is left of its win."""
        options = self.options
        if not options.proof or options.playing_strength < FULL_STRENGTH:
            return None
        from gomoku_brain.protocol.proved import find, follow

        result = find(board)
        if result is None:
            assert self._engine is not None
            try:
                result = follow(self._engine, board, self._control)
            except Exception as error:
                self.log_error(error)
        return result

    def compare(self) -> None:
        """Make ready to ``judge`` in what is left of the move's time and nodes.

        What ``stop`` and ``hurry`` said since ``prepare`` still holds.
        """
        assert self._new_control is not None
        self._share, self._comparing = 1.0, True
        # A new one: that of the search may have been ended by its share of the time.
        self._control = self._new_control()
        self._set_budget()
        if self._stopped:
            self.stop()
        elif self._hurried:
            self.hurry()

    def judge(self, board: "Board", nodes: int) -> int | None:
        """The score of a position for the side to move; None: no time for so many."""
        assert self._engine is not None
        assert self._control is not None
        if self._budget.instant or (self._nodes is not None and self._nodes < nodes):
            return None
        limits = Limits(depth=self.options.depth, nodes=nodes, play_on=True)
        try:
            result = self._engine.search(board, limits, None, self._control)
        except Exception as error:
            self.log_error(error)
            return None
        self._charge_nodes(result)
        return None if self._control.stopped else result.score

    def skip(self, arrival: float) -> None:
        """Book a move that needed no search."""
        self._arrival = arrival
        self._spent = self._charge_startup()
        self.book()

    def book(self) -> None:
        """Take the finished move off the match clock."""
        used = (self._clock() - self._arrival) * 1000 + self._spent
        self._match.charge(used, self.options.time_increment)

    def settle(self) -> bool:
        """Do a little of what is better done while nobody waits; whether it goes on."""
        if not self._used or self._engine is None:
            return False
        try:
            return self._engine.settle()
        except Exception as error:
            self.log_error(error)
            return False

    def _charge_nodes(self, result: SearchResult) -> None:
        if self._nodes is not None:
            self._nodes = max(self._nodes - result.nodes, 0)

    # Between moves

    def prepare_pondering(self) -> None:
        """Make ready to ``ponder``; from here on ``stop`` ends that."""
        self.load()
        assert self._new_control is not None
        self._used = True
        self._control = self._new_control()

    def ponder(self, board: "Board") -> None:
        """Search a position without a word and without limits until ``stop``.

        It is for what the engine learns by it; a failure is logged.
        """
        assert self._engine is not None
        try:
            self._engine.search(board, Limits(play_on=True), None, self._control)
        except Exception as error:
            self.log_error(error)

    def log_error(self, error: BaseException) -> None:
        """Write a traceback to the log."""
        import traceback

        self._log("".join(traceback.format_exception(error)))

    # From another thread, too

    def stop(self) -> None:
        """End the search now."""
        self._stopped = True
        assert self._control is not None
        self._control.stop()

    def hurry(self) -> None:
        """End a search that would not end by itself soon."""
        self._hurried = True
        bounded = bool(self.options.nodes or self.options.depth)
        seconds = unawaited(self._budget.limit, bounded=bounded)
        if seconds:
            assert self._control is not None
            self._control.set_deadline(self._clock() + seconds, None)
        elif seconds is not None:
            self.stop()

    def take_info(self, text: str, *, thinking: bool = False) -> None:
        """Note what an INFO told; a time key counts for the running move as well."""
        options = self.options
        key = options.set(text)
        if key == "timeout_match":
            self._match.set_total(options.timeout_match or 0)
        elif key == "time_left":
            elapsed = self._clock() - self._arrival if thinking else 0.0
            self._match.set_left(options.time_left or 0, elapsed * 1000)
        elif key == "thread_num" and self._engine is not None:
            self._engine.threads = options.threads
        elif key in MEMORY_KEYS:
            self._set_table()
        elif key == "strength":
            self.load()
        if thinking:
            self._set_budget()
            if self._budget.instant:
                self.stop()

    # Time

    def _set_budget(self) -> None:
        """Work out when the move is due, and let the search know."""
        options = self.options
        self._budget = allot(
            options.turn_limit,
            self._match.left,
            increment=options.time_increment,
            strict=options.strict_clock,
            spent=self._spent,
            moves=self._moves,
        )
        time, target = self._budget.deadlines(self._arrival, self._clock(), self._share)
        if self._comparing:  # each of many searches is to be whole, or not to count
            time, target = target, None
        assert self._control is not None
        self._control.set_deadline(time, target)

    def _charge_startup(self) -> float:
        """Milliseconds of processor time before the first move arrived; once."""
        if self._startup is None:
            return 0.0
        # What was used since the arrival is on the clock already.
        before = self._startup() - (self._clock() - self._arrival)
        self._startup = None
        return max(before, 0.0) * 1000

    # Lines of play

    def _on_info(self, info: SearchInfo) -> None:
        """Remember the best move so far; say it when that was asked for."""
        if not info.pv:
            return
        if info.multipv == 1:
            self.best = info.pv[0]
            # A set of lines is said whole or not at all, and the next one waits.
            now = self._clock()
            self._telling = self.options.show_detail > 0 and now >= self._next_line
            if self._telling:
                self._next_line = now
        if self._telling:
            self._next_line += self._tell(info, self._multipv) * _LINE_INTERVAL

    def _tell_result(self, result: SearchResult) -> None:
        """The line of play behind the move, or the lines of several."""
        if self.options.show_detail < 0:
            return
        infos = result.lines if self._multipv > 1 else ()
        infos = infos or (
            SearchInfo(
                depth=result.depth,
                seldepth=result.seldepth,
                multipv=1,
                score=result.score,
                win_in=result.win_in,
                nodes=result.nodes,
                time=result.time,
                pv=result.pv or (result.move,),
            ),
        )
        for info in infos:
            self._tell(info, len(infos))

    def _tell(self, info: SearchInfo, total: int) -> int:
        """Say what ``show_detail`` asks for about one of ``total`` lines of play."""
        lines = [commands.search_message(info, numbered=self._multipv > 1)]
        detail = max(self.options.show_detail, 0)
        if detail & 1 and info.multipv == 1:
            lines += commands.realtime_messages(info)
        if detail & 2:
            lines += commands.detail_lines(info, total)
        for line in lines:
            self._emit(line)
        return len(lines)
