"""Our brain as a player of one game after the other.

A ``Player`` owns an engine, a match clock and the moves of proofs. The protocol's
session, the GUI and tests use it in the same way::

    with player.think(board, arrival) as thought:
        choice = player.choose_move(board, thought)

``think`` starts the time of a move; another thread may end the thought. Inside its
block, ``choose_move`` or ``swap2`` searches.
``ponder`` returns a ``Pondering``, for the opponent's time.
"""

from collections.abc import Callable

from gomoku_brain.control.strength import FULL_STRENGTH
from gomoku_brain.engine.time_manager import MatchClock, moves_left
from gomoku_brain.game.notation import Move

TYPE_CHECKING = False  # typing takes milliseconds of the start to import
if TYPE_CHECKING:
    from gomoku_brain.control.limits import SearchResult
    from gomoku_brain.control.search_control import SearchControl
    from gomoku_brain.engine.engine import Engine
    from gomoku_brain.engine.swap2 import Offer
    from gomoku_brain.game.position import Board
    from gomoku_brain.game.rules import Rule
    from gomoku_brain.player.play_settings import PlayerSettings, SearchLog
    from gomoku_brain.player.thought import Pondering, Thought, ThoughtContext
    from gomoku_brain.proofs.proved import BookFor, ProvedMoves

__all__ = ["Choice", "Player", "legal_or_nearest"]


class Choice:
    """A chosen move."""

    def __init__(
        self,
        move: Move,
        expected: tuple[Move, ...] | None = (),
        result: "SearchResult | None" = None,
    ) -> None:
        """Store the move and what is known about it."""
        self.move = move
        """The move, always legal if any move is."""
        self.expected = expected
        """The expected reply; () = unknown, None = there is nothing to ponder."""
        self.result = result
        """The result of the search; None for a first stone or a failed search."""


class Player:
    """Player with an engine, a match clock and proofs.

    ``settings`` are read before each move. ``new_log`` creates the receiver of the
    lines of play, when the engine is loaded; None drops them. ``log`` receives texts
    about errors. ``clock`` returns seconds. ``startup`` returns the processor seconds
    of this process so far; with None, no move is charged for them. ``on_load`` is
    called once, after the engine is loaded. ``books`` returns the book of a proof for a
    rule, a width and a height; the default returns those of the package. ``seed`` makes
    the errors of a strength below 100 and the openings of swap2 reproducible.
    ``engine`` and ``control`` replace the real ones in tests.
    """

    plays_swap2 = True
    """Whether it answers the commands of swap2."""

    def __init__(
        self,
        settings: "PlayerSettings",
        engine: "Engine | None" = None,
        control: "Callable[[], SearchControl] | None" = None,
        *,
        clock: Callable[[], float],
        new_log: "Callable[[], SearchLog] | None" = None,
        log: Callable[[str], None] | None = None,
        startup: Callable[[], float] | None = None,
        on_load: Callable[[], None] | None = None,
        books: "BookFor | None" = None,
        seed: int | None = None,
    ) -> None:
        """Create a player without loading the engine."""
        self.settings = settings
        self.match = MatchClock()
        """The match clock."""
        self._engine = engine
        self._new_control = control
        self._new_search_log = new_log
        self._log = log
        self._clock = clock
        self._startup = startup
        self._on_load = on_load
        self._books = books
        self._ready_at: float | None = None  # time of the first answer
        self._seed = seed
        self._search_log: SearchLog | None = None
        self._proofs: ProvedMoves | None = None
        self._table_mb = 0.0  # size last requested from the engine
        self._used = False  # whether the engine's tables contain data of a game
        self._is_short = False  # whether memory was short in this game

    # The engine

    @property
    def is_loaded(self) -> bool:
        """Whether the engine exists, so that it can search."""
        return self._engine is not None

    def load(self) -> None:
        """Import and create the engine, once."""
        if self._engine is None:
            from gomoku_brain.engine.engine import Engine

            self._engine = Engine(
                threads=self.settings.threads, hash_mb=1, seed=self._seed
            )
            self.apply_memory()
        if self.settings.playing_strength < FULL_STRENGTH:
            import gomoku_brain.levels.handicap  # noqa: F401  not during a move's time

    def prepare(self, rule: "Rule") -> None:
        """Load the engine and its data for a rule, once.

        Raises ``ImportError`` if the compiled modules are missing, because then no
        search is possible. Other errors are logged; the search raises them again.
        """
        try:
            self.load()
            assert self._engine is not None
            self._engine.prepare(rule)
        except ImportError:
            raise
        except Exception as error:
            self.log_error(error)
        if self._on_load is not None:
            self._on_load()
            self._on_load = None

    def note_answer(self) -> None:
        """Record the time of the first answer, which ends the start of the process."""
        if self._ready_at is None:
            self._ready_at = self._clock()

    def forget(self) -> None:
        """Clear the engine's tables. End the reduction of memory after a shortage."""
        if self._is_short and self._engine is not None:
            self._is_short = False
            self._engine.threads = self.settings.threads
            self.apply_memory()
        if self._used and self._engine is not None:
            self._engine.new_game()
        self._used = False

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

    def apply_threads(self) -> None:
        """Use the number of threads that the settings now have."""
        if self._engine is not None:
            self._engine.threads = 1 if self._is_short else self.settings.threads

    def apply_memory(self) -> None:
        """Set the engine's table to the size that the settings now have."""
        engine, size = self._engine, self.settings.table_mb
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

    # Thoughts

    def think(self, board: "Board", arrival: float, *, share: float = 1.0) -> "Thought":
        """Return the thought about a move that was requested at ``arrival`` (seconds).

        ``share`` is the part of the time and nodes that its search may use.
        """
        from gomoku_brain.player.thought import Thought

        context, spent = self._context(), self._charge_startup(arrival)
        moves = moves_left(board.width * board.height, board.ply)
        return Thought(context, arrival, share=share, moves=moves, spent=spent)

    def think_of_swap2(self, board: "Board", arrival: float) -> "Thought":
        """Return the thought about an answer in swap2, after 0, 3 or 5 stones.

        After three stones, the search leaves a part of the time for the search for two
        stones to offer.
        """
        from gomoku_brain.engine.swap2 import CHOICE_SHARE

        return self.think(board, arrival, share=CHOICE_SHARE if board.ply == 3 else 1.0)

    def skip(self, arrival: float) -> None:
        """Charge the match clock for a move that needed no search."""
        used = self._clock() - arrival + self._charge_startup(arrival)
        self.match.charge(used, self.settings.increment)

    def ponder(self) -> "Pondering":
        """Return a search for the opponent's time."""
        from gomoku_brain.player.thought import Pondering

        return Pondering(self._context())

    def _context(self) -> "ThoughtContext":
        """Return the context of a thought. The engine counts as used from now on."""
        from gomoku_brain.player.thought import ThoughtContext

        self.load()
        assert self._engine is not None
        if self._search_log is None:
            if self._new_search_log is None:
                from gomoku_brain.player.play_settings import NoLog

                self._new_search_log = NoLog
            self._search_log = self._new_search_log()
        if self._new_control is None:
            from gomoku_brain.control.search_control import SearchControl

            self._new_control = SearchControl
        self._used = True
        return ThoughtContext(
            self._engine,
            self._new_control,
            self.settings,
            self.match,
            self._proved_moves(),
            self._search_log,
            self._clock,
            self._search_failed,
        )

    def _proved_moves(self) -> "ProvedMoves":
        if self._proofs is None:
            from gomoku_brain.proofs.proved import ProvedMoves

            self._proofs = ProvedMoves(self._books)
        return self._proofs

    def _search_failed(self, error: Exception) -> None:
        """Log the error of a search. After a shortage of memory, reduce its use."""
        if isinstance(error, MemoryError) and self._engine is not None:
            self._is_short = True
            self._engine.threads = 1
            self._engine.release_memory()
            self.apply_memory()
        self.log_error(error)

    def _charge_startup(self, arrival: float) -> float:
        """Return the seconds of the process start that count as a move's time.

        Piskvork waits for an answer (OK) before it requests the first move. Such a
        manager does not charge the start. The judge of Gomocup does not wait, and lets
        the process run only when the move is due. Then the clock includes all processor
        time up to the arrival. A script that is piped whole looks the same.
        """
        startup, self._startup = self._startup, None
        if startup is None or (self._ready_at is not None and arrival > self._ready_at):
            return 0.0
        # The clock already includes the time since the arrival.
        return max(startup() - (self._clock() - arrival), 0.0)

    def log_error(self, error: BaseException) -> None:
        """Write a traceback to the log, or a short text if memory is short."""
        if self._log is None:
            return
        try:
            try:
                import traceback

                text = "".join(traceback.format_exception(error))
            except Exception:
                text = repr(error)
            self._log(text)
        except Exception:
            return  # a brain without its log still plays

    # Moves

    def first_stone(
        self, board: "Board", excluded: "tuple[Move, ...]" = ()
    ) -> Move | None:
        """Return the centre of an empty board. Return None if a search is necessary."""
        centre = Move(board.width // 2, board.height // 2)
        return None if board.ply or centre in excluded else centre

    def choose_move(
        self,
        board: "Board",
        thought: "Thought",
        *,
        multipv: int = 1,
        excluded: tuple[Move, ...] = (),
    ) -> Choice:
        """Search a position that is not full, and return a legal move.

        ``multipv`` is the number of lines of play. The moves in ``excluded`` are not
        played if others are left.
        """
        result = thought.search(board, multipv, _some_left(board, excluded))
        move = legal_or_nearest(board, thought.best)
        is_best = result is not None and result.pv[0] == move
        return Choice(move, result.pv[1:2] if result and is_best else (), result)

    # Swap2

    def swap2(
        self, board: "Board", thought: "Thought", excluded: tuple[Move, ...] = ()
    ) -> "Offer":
        """Return the stones to add to 0, 3 or 5 stones.

        Three are black, white and black. Later, with white to move, no stone means to
        take black, one to stay white, two to let the opponent choose.
        """
        from gomoku_brain.engine import swap2

        if not board.ply:
            offers = swap2.three_stones(
                board.width, board.height, board.rule, self._seed
            )
            best = self._most_even(thought, board, offers)
            return best[0] if best else offers[0]
        result = thought.search(board, 1, _some_left(board, excluded))
        best = None
        if board.ply == 3 and result is not None and swap2.is_even(result):
            seed = None if self._seed is None else f"{self._seed} {board.moves}"
            pairs = swap2.two_stones(board.width, board.height, board.moves, seed)
            best = self._most_even(thought, board, pairs)
        if best and swap2.is_small(best[1]):
            return best[0]
        if result is not None and swap2.takes_black(result):
            return ()
        return (legal_or_nearest(board, thought.best),)

    def balance(
        self, board: "Board", thought: "Thought", count: int, bias: int
    ) -> "Offer":
        """Return one or two stones that make a position even.

        After them the score of the side that placed the last stone is near ``bias``.
        Return () if no such stones can be placed.
        """
        from gomoku_brain.engine import swap2

        offers = swap2.balancing_stones(board, count, self._seed)
        best = self._most_even(thought, board, offers, bias)
        return best[0] if best else offers[0] if offers else ()

    def _most_even(
        self,
        thought: "Thought",
        board: "Board",
        offers: "list[Offer]",
        bias: int = 0,
    ) -> "tuple[Offer, int] | None":
        """Return the offer whose score is nearest to even, with its distance.

        With ``bias`` the score of the side that placed the last stone is nearest to it.

        The searches use the rest of the move's time. Return None if there was no time
        for any.
        """
        from gomoku_brain.engine import swap2

        comparison = thought.compare()

        def score(offer: "Offer", nodes: int) -> int | None:
            position = board.copy()
            for move in offer:
                position.play(move)
            value = comparison.score(position, nodes)
            return None if value is None else value + bias

        return swap2.most_even(offers, score)


def legal_or_nearest(board: "Board", move: Move | None) -> Move:
    """Return the move if it is legal, else the nearest legal move.

    Without a move, as after a failed search, prefer a move that makes or stops a five.
    """
    if move is not None and board.is_legal(move):
        return move
    # In renju black may have only forbidden cells left. The manager needs a move even
    # then.
    moves = board.legal_moves() or _empty_cells(board)
    if move is None:
        moves = _fives(board, moves) or moves
    around = move or Move(board.width // 2, board.height // 2)
    return min(moves, key=lambda m: max(abs(m.x - around.x), abs(m.y - around.y)))


def _some_left(board: "Board", excluded: tuple[Move, ...]) -> tuple[Move, ...]:
    """Return the empty cells of ``excluded``, or none if these are all empty cells."""
    if not excluded:
        return ()
    excluded = tuple(move for move in excluded if board.is_empty(move))
    return () if len(excluded) == len(_empty_cells(board)) else excluded


def _empty_cells(board: "Board") -> list[Move]:
    """Return all empty cells, row by row."""
    cells = (Move(x, y) for y in range(board.height) for x in range(board.width))
    return [cell for cell in cells if board.is_empty(cell)]


def _fives(board: "Board", moves: list[Move]) -> list[Move]:
    """Return the moves that win at once, else those that stop an immediate win."""
    turn, found = board.turn, list[Move]()
    try:
        for side in (turn, turn.other):
            board.turn = side
            found = found or [move for move in moves if board.wins_at(move)]
    finally:
        board.turn = turn
    return found
