"""What a session thinks with: the engine, the options and the match clock.

A ``Thinker`` hands out the thinking itself: ``think`` a ``Thought`` about a move that
the manager waits for, ``ponder`` a ``Pondering`` for the time of the opponent.
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
    from gomoku_brain.protocol.thought import Means, Pondering, Thought

__all__ = ["Thinker"]


class Thinker:
    """One conversation's engine, options and match clock.

    ``emit`` receives the lines of play, ``log`` text about errors. ``clock`` returns
    seconds, ``startup`` the processor seconds of this process so far (None: never
    charge them). ``on_load`` is called once, when all that a search needs is in memory.
    Engine and control are the real ones unless given; ``seed`` is for the real engine.
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
        """Wait for the first move; nothing heavy is loaded yet."""
        self.options = options
        self._engine = engine
        self._new_control = control
        self._log = log
        self._clock = clock
        self._startup = startup
        self._on_load = on_load
        self._ready_at: float | None = None  # when the first line was answered
        self._seed = seed
        self._emit = emit
        self._lines: LinesOfPlay | None = None
        self._match = MatchClock()
        self._table_mb = 0.0  # last asked of the engine
        self._used = False  # whether the engine holds anything of a game
        self._is_short = False  # whether memory has been short in this game

    # The engine

    def load(self) -> None:
        """Import and set up all that a search needs, unless it is there already."""
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
            import gomoku_brain.levels.handicap  # noqa: F401  not on a move's time
        if self._on_load is not None:
            self._on_load()
            self._on_load = None

    def prepare(self, rule: "Rule") -> None:
        """Load the engine and what it knows of a rule, unless it is there already."""
        self.load()
        assert self._engine is not None
        self._engine.prepare(rule)

    def note_answer(self) -> None:
        """Note that a line was answered: the start of the process is over."""
        if self._ready_at is None:
            self._ready_at = self._clock()

    def new_match(self) -> None:
        """Begin to count a match's time; what the engine learned is kept."""
        self._match.new_match()
        if not self._match.is_told:
            self.options.time_left = None  # what was told was of a match before

    def forget(self) -> None:
        """Forget what was learned in another game, a lack of memory included."""
        if self._is_short and self._engine is not None:
            self._is_short = False
            self._engine.threads = self.options.threads
            self._set_table()
        if self._used and self._engine is not None:
            self._engine.new_game()
        self._used = False

    def open_proof(self, rule: "Rule", width: int, height: int) -> None:
        """Open the proof for such games, if there is one and the brain plays by it.

        It takes some milliseconds, which a move then does not.
        """
        if not self.options.plays_proofs:
            return
        try:
            from gomoku_brain.proofs.proved import book_for

            book_for(rule, width, height)
        except Exception as error:
            self.log_error(error)

    def settle(self) -> bool:
        """Do a little of what is better done while nobody waits; whether it goes on."""
        if not self._used or self._engine is None:
            return False
        try:
            return self._engine.settle()
        except Exception as error:
            self.log_error(error)
            return False

    def _set_table(self) -> None:
        """Give the engine's table the size that the memory allows."""
        engine, size = self._engine, self.options.table_mb
        if self._is_short:
            size = 1
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

    # Thinking

    def think(self, arrival: float, share: float, moves: int) -> "Thought":
        """The thinking about a move whose command came at ``arrival``.

        ``share`` is the part of its time and nodes that its search may use, ``moves``
        how many moves we make at most until the board is full.
        """
        from gomoku_brain.protocol.thought import Thought

        means, spent = self._means(), self._charge_startup(arrival)
        return Thought(means, arrival, share=share, moves=moves, spent=spent)

    def skip(self, arrival: float) -> None:
        """Take the time of a move that needed no search off the match clock."""
        used = (self._clock() - arrival) * 1000 + self._charge_startup(arrival)
        self._match.charge(used, self.options.time_increment)

    def ponder(self) -> "Pondering":
        """The thinking in the time of the opponent."""
        from gomoku_brain.protocol.thought import Pondering

        return Pondering(self._means())

    def _means(self) -> "Means":
        """What a thought works with; from now on the engine is used."""
        from gomoku_brain.protocol.thought import Means

        self.load()
        assert self._lines is not None
        assert self._engine is not None
        assert self._new_control is not None
        self._used = True
        return Means(
            self._engine,
            self._new_control,
            self.options,
            self._match,
            self._lines,
            self._clock,
            self._search_failed,
        )

    def _search_failed(self, error: Exception) -> None:
        """Log it; after a lack of memory the game goes on with as little as can be."""
        if isinstance(error, MemoryError) and self._engine is not None:
            self._is_short = True
            self._engine.threads = 1
            self._engine.release_memory()
            self._set_table()
        self.log_error(error)

    def _charge_startup(self, arrival: float) -> float:
        """Return the milliseconds of the start that the manager charges to a move.

        A manager that waits for an answer before it wants the first move, as Piskvork
        waits for OK, charges nothing of the start. The judge of Gomocup does not wait,
        and lets the process run only when the move is due: then all of its processor
        time up to the arrival counts. A script that is piped whole looks the same.
        """
        startup, self._startup = self._startup, None
        if startup is None or (self._ready_at is not None and arrival > self._ready_at):
            return 0.0
        # The time since the arrival is on the clock already.
        return max(startup() - (self._clock() - arrival), 0.0) * 1000

    def log_error(self, error: BaseException) -> None:
        """Write a traceback to the log, or what there is memory for."""
        with suppress(Exception):
            try:
                import traceback

                text = "".join(traceback.format_exception(error))
            except Exception:
                text = repr(error)
            self._log(text)

    def take_info(self, text: str, thought: "Thought | None" = None) -> None:
        """Note what an INFO told; a time key counts for a running thought as well."""
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
