"""The engine, options and match clock of a session.

``Thinker.think`` returns a ``Thought``, for a move that the manager waits for.
``Thinker.ponder`` returns a ``Pondering``, for the opponent's time.
"""

from collections.abc import Callable
from contextlib import suppress

from gomoku_brain.control.strength import FULL_STRENGTH
from gomoku_brain.engine.time_manager import MatchClock
from gomoku_brain.protocol.commands import Emit
from gomoku_brain.protocol.options import MEMORY_KEYS, Options

TYPE_CHECKING = False  # typing takes milliseconds of the start to import
if TYPE_CHECKING:
    from gomoku_brain.control.search_control import SearchControl
    from gomoku_brain.engine.engine import Engine
    from gomoku_brain.game.rules import Rule
    from gomoku_brain.protocol.lines_of_play import LinesOfPlay
    from gomoku_brain.protocol.thought import Pondering, SearchContext, Thought

__all__ = ["Thinker"]


class Thinker:
    """Engine, options and match clock of one conversation.

    ``emit`` receives the lines of play, ``log`` texts about errors. ``clock`` returns
    seconds. ``startup`` returns the processor seconds of this process so far; with
    None, no move is charged for them. ``on_load`` is called once, after the engine is
    loaded. ``engine`` and ``control`` replace the real ones in tests; ``seed`` is for
    the real engine.
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
        on_load: Callable[[], None] | None = None,
        seed: int | None = None,
    ) -> None:
        """Create a thinker without loading the engine."""
        self.options = options
        self._engine = engine
        self._new_control = control
        self._log = log
        self._clock = clock
        self._startup = startup
        self._on_load = on_load
        self._ready_at: float | None = None  # time of the first answer
        self._seed = seed
        self._emit = emit
        self._lines: LinesOfPlay | None = None
        self._match = MatchClock()
        self._table_mb = 0.0  # size last requested from the engine
        self._used = False  # whether the engine's tables contain data of a game
        self._is_short = False  # whether memory was short in this game

    # The engine

    def load(self) -> None:
        """Import and create everything that a search needs, once."""
        if self._lines is None:
            from gomoku_brain.protocol.lines_of_play import LinesOfPlay

            self._lines = LinesOfPlay(self.options, self._emit, self._clock)
        if self._new_control is None:
            from gomoku_brain.control.search_control import SearchControl

            self._new_control = SearchControl
        if self._engine is None:
            from gomoku_brain.engine.engine import Engine

            self._engine = Engine(
                threads=self.options.threads, hash_mb=1, seed=self._seed
            )
            self._set_table()
        if self.options.playing_strength < FULL_STRENGTH:
            import gomoku_brain.levels.handicap  # noqa: F401  not during a move's time
        if self._on_load is not None:
            self._on_load()
            self._on_load = None

    def prepare(self, rule: "Rule") -> None:
        """Load the engine and its data for a rule, once."""
        self.load()
        assert self._engine is not None
        self._engine.prepare(rule)

    def note_answer(self) -> None:
        """Record the time of the first answer, which ends the start of the process."""
        if self._ready_at is None:
            self._ready_at = self._clock()

    def new_match(self) -> None:
        """Reset the match clock. The engine keeps what it learned."""
        self._match.new_match()
        if not self._match.is_known:
            self.options.time_left = None  # the value belonged to the previous match

    def forget(self) -> None:
        """Clear the engine's tables. End the reduction of memory after a shortage."""
        if self._is_short and self._engine is not None:
            self._is_short = False
            self._engine.threads = self.options.threads
            self._set_table()
        if self._used and self._engine is not None:
            self._engine.new_game()
        self._used = False

    def open_proof(self, rule: "Rule", width: int, height: int) -> None:
        """Open the proof for these games in advance, if the brain plays from proofs.

        It takes some milliseconds, which the next move then saves.
        """
        if not self.options.plays_proofs:
            return
        try:
            from gomoku_brain.proofs.proved import book_for

            book_for(rule, width, height)
        except Exception as error:
            self.log_error(error)

    def use_idle_time(self) -> bool:
        """Do one short step of the engine's work for idle times.

        Return whether more of such work is left.
        """
        if not self._used or self._engine is None:
            return False
        try:
            return self._engine.grow_idle()
        except Exception as error:
            self.log_error(error)
            return False

    def _set_table(self) -> None:
        """Set the engine's table to the size that the memory options allow."""
        engine, size = self._engine, self.options.table_mb
        if self._is_short:
            size = 1
        if engine is None or size == self._table_mb:
            return  # a resize would clear the table
        self._table_mb = size
        while True:
            try:
                engine.hash_mb = size
                return
            except MemoryError:
                if size <= 1:
                    return
                size = max(size / 2, 1)

    # Thinking

    def think(self, arrival: float, share: float, moves: int) -> "Thought":
        """Return the thought about a move whose command came at ``arrival``.

        ``share`` is the part of the time and nodes that its search may use, ``moves``
        the largest number of own moves until the board is full.
        """
        from gomoku_brain.protocol.thought import Thought

        context, spent = self._context(), self._charge_startup(arrival)
        return Thought(context, arrival, share=share, moves=moves, spent=spent)

    def skip(self, arrival: float) -> None:
        """Charge the match clock for a move that needed no search."""
        used = (self._clock() - arrival) * 1000 + self._charge_startup(arrival)
        self._match.charge(used, self.options.time_increment)

    def ponder(self) -> "Pondering":
        """Return a search for the opponent's time."""
        from gomoku_brain.protocol.thought import Pondering

        return Pondering(self._context())

    def _context(self) -> "SearchContext":
        """Return the context of a thought. The engine counts as used from now on."""
        from gomoku_brain.protocol.thought import SearchContext

        self.load()
        assert self._lines is not None
        assert self._engine is not None
        assert self._new_control is not None
        self._used = True
        return SearchContext(
            self._engine,
            self._new_control,
            self.options,
            self._match,
            self._lines,
            self._clock,
            self._search_failed,
        )

    def _search_failed(self, error: Exception) -> None:
        """Log the error of a search. After a shortage of memory, reduce its use."""
        if isinstance(error, MemoryError) and self._engine is not None:
            self._is_short = True
            self._engine.threads = 1
            self._engine.release_memory()
            self._set_table()
        self.log_error(error)

    def _charge_startup(self, arrival: float) -> float:
        """Return the milliseconds of the process start that count as a move's time.

        Piskvork waits for an answer (OK) before it requests the first move. Such a
        manager does not charge the start. The judge of Gomocup does not wait, and lets
        the process run only when the move is due. Then the clock includes all processor
        time up to the arrival. A script that is piped whole looks the same.
        """
        startup, self._startup = self._startup, None
        if startup is None or (self._ready_at is not None and arrival > self._ready_at):
            return 0.0
        # The clock already includes the time since the arrival.
        return max(startup() - (self._clock() - arrival), 0.0) * 1000

    def log_error(self, error: BaseException) -> None:
        """Write a traceback to the log, or a short text if memory is short."""
        with suppress(Exception):
            try:
                import traceback

                text = "".join(traceback.format_exception(error))
            except Exception:
                text = repr(error)
            self._log(text)

    def take_info(self, text: str, thought: "Thought | None" = None) -> None:
        """Apply an INFO. A time key also changes the limits of a running thought."""
        options = self.options
        key = options.set(text)
        if key == "timeout_match":
            self._match.set_total(options.timeout_match or 0)
        elif key == "time_left":
            elapsed = self._clock() - thought.arrival if thought else 0.0
            self._match.set_left(options.time_left or 0, elapsed * 1000)
        elif key == "thread_num" and self._engine is not None:
            self._engine.threads = 1 if self._is_short else options.threads
        elif key in MEMORY_KEYS:
            self._set_table()
        if thought:
            thought.take_info()
