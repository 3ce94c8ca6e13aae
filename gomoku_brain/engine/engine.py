"""``Engine``: the searches for Python and the protocol, and the resources that they
share.

An engine owns the table, the workers and the solvers, and lends them to one search at a
time (``root_search``). The deadline of a search is in its ``SearchControl``. A caller
that sets it there may move it while the search runs; otherwise the engine derives it
from ``Limits``.
"""

import _thread
import os
from collections.abc import Callable, Iterable
from time import perf_counter

from gomoku_brain.control.interrupt import InterruptStop, in_main_thread
from gomoku_brain.control.limits import (
    FULL_STRENGTH,
    InfoCallback,
    Limits,
    SearchInfo,
    SearchResult,
    SolveResult,
    whole,
)
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.control.task import WAIT, Task, end
from gomoku_brain.dataclass import replace
from gomoku_brain.engine.line_replay import LineReplay
from gomoku_brain.engine.root_search import Growth, RootSearch, SearchContext
from gomoku_brain.engine.root_threats import RootThreats
from gomoku_brain.engine.time_manager import INSTANT_NODES, allot, moves_left
from gomoku_brain.eval.evaluate import BoardEvaluator, evaluation_in, evaluation_of
from gomoku_brain.eval.evaluator import Evaluation
from gomoku_brain.game.notation import Move, foul_words
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.search.tt import TranspositionTable
from gomoku_brain.search.worker import Worker

TYPE_CHECKING = False  # typing takes milliseconds of the start to import
if TYPE_CHECKING:
    from os import PathLike
    from typing import Self, overload

    from numpy import float64, int32
    from numpy.typing import NDArray

    from gomoku_brain.control.reports import Reports
    from gomoku_brain.engine.win_search import WinSearch

__all__ = ["MAX_THREADS", "Engine"]

# Most megabytes of the table for wins by fours and threes; set by hand
THREATS_MB = 16.0
MAX_THREADS = 256  # each has tables of its own, a few MB
_SLICE = 0.05  # seconds between two checks of an analysis that waits for the engine
_GRACE = 0.5  # seconds that it still waits after its stop, for a search that ends, too


class Engine:
    """Gomoku player: a transposition table and the workers that search with it.

    >>> engine = Engine(hash_mb=16)
    >>> board = Board.from_moves("h8 a1 i8 a2 j8 a3")
    >>> engine.search(board, Limits(nodes=10_000)).win_in
    3
    """

    def __init__(
        self, threads: int = 1, hash_mb: float = 64, seed: int | None = None
    ) -> None:
        """Create an engine.

        ``hash_mb``: largest size of the table in MB; the table grows as it fills.
        ``threads``: number of searching threads, 1 to 256 (with more than one, results
        may differ from run to run). ``seed`` makes the errors of a strength below 100
        the same every time; by default each game has its own seed. Raises ValueError
        for a value out of range.
        """
        self._threads = whole("threads", threads, 1, MAX_THREADS)
        if seed is not None and not isinstance(seed, int):
            raise TypeError(f"seed is a whole number or None, not {seed!r}")
        self._seed = self._game_seed = seed
        self._table = TranspositionTable(megabytes(hash_mb))
        self._growth = Growth(self._table)
        self._worker = Worker(self._table)
        self._replay = LineReplay(self._table)
        self._win_search: WinSearch | None = None  # created at first use
        self._threats = RootThreats(_threats_mb(hash_mb))
        self._more: list[Worker] = []  # one for each further thread, once used
        # The search in progress, and the threads that requested it or call back.
        self._under_way: tuple[SearchControl, set[int]] | None = None
        self._busy = _thread.allocate_lock()
        # An analysis without a limit, and the thread that can end it.
        self._endless: tuple[SearchControl, int] | None = None
        self._adopted: tuple[int, int, Rule] | None = None  # of the games searched
        self._evaluation: Evaluation | None = None  # in place of the shipped one
        self._static = BoardEvaluator()

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def threads(self) -> int:
        """Number of searching threads."""
        return self._threads

    @threads.setter
    def threads(self, count: int) -> None:
        self._threads = whole("threads", count, 1, MAX_THREADS)

    def set_param(self, name: str, value: int) -> None:
        """Set another value for one of ``params.PARAMETERS``, for tuning.

        It does not apply to helper threads and replays. Raises KeyError for an unknown
        name, and ValueError for a value out of range.
        """
        self._worker.set_param(name, value)

    def set_evaluation(self, evaluation: Evaluation | None) -> None:
        """Use another evaluation than the shipped one of its rule; None = the shipped
        one.

        Results of earlier searches with another evaluation are cleared. Raises
        TypeError for a function or class of Python, which no search can call.
        """
        refuse_python(evaluation)
        with self._locked():
            self._evaluation = evaluation
            for worker in (self._worker, *self._more):
                worker.set_evaluation(evaluation)
            self._replay.set_evaluation(evaluation)
            self._static.set_evaluation(evaluation)
            self._forget()

    def load_weights(self, path: "str | PathLike[str]") -> None:
        """Evaluate positions by a weights file, under the rule that it names.

        Other rules keep the shipped evaluation; ``set_evaluation(None)`` returns to it.
        ``docs/WEIGHTS.md`` describes the file. Raises OSError, and ValueError for other
        content.
        """
        self.set_evaluation(evaluation_in(path))

    @property
    def hash_mb(self) -> float:
        """Size of the table in MB; setting it clears the table."""
        return self._table.size_mb

    @hash_mb.setter
    def hash_mb(self, size: float) -> None:
        with self._locked():
            size = megabytes(size)
            if size != self._table.size_mb:
                self._table.resize(size)
                self._growth.forget()
                self._win_search = None
                self._threats = RootThreats(_threats_mb(size))

    def prepare(self, rule: Rule | int | str) -> None:
        """Load the data for searches under a rule, so that the first search is not
        delayed.
        """
        evaluation_of(Rule(rule))

    def grow_idle(self) -> bool:
        """Prepare the table between two searches, to save time in the second one.

        It does one step, which takes milliseconds, or tenths of a second for a table of
        hundreds of MB. Return whether another step may follow.
        """
        with self._locked():
            return self._growth.grow_idle()

    def new_game(self) -> None:
        """Clear all results of earlier searches."""
        with self._locked():
            self._forget()
            self._game_seed = self._seed

    def release_memory(self) -> None:
        """Free memory that a search does not need: that of helpers and of threat
        solvers.
        """
        with self._locked():
            self._more.clear()
            self._win_search = None

    def _bind_game(self, board: Board) -> None:
        """Clear the results of games on other boards or by other rules, whose keys may
        be equal.
        """
        adopted = (board.width, board.height, board.rule)
        if adopted != self._adopted:
            if self._adopted is not None:
                self._forget()
            self._adopted = adopted

    def _forget(self) -> None:
        self._table.clear()
        self._threats.forget()
        self._growth.forget()
        self._replay.forget()
        for worker in (self._worker, *self._more):
            worker.forget()

    @property
    def _wins(self) -> "WinSearch":
        """The solvers for wins by threats."""
        if self._win_search is None:
            from gomoku_brain.engine.win_search import WinSearch

            self._win_search = WinSearch(
                self._worker, self._replay, self._table.size_mb
            )
        return self._win_search

    def _helpers(self, limits: Limits) -> list[Worker]:
        """Return the workers that search along; none if the result must be repeatable.

        They are fewer than requested if memory is short.
        """
        if limits.nodes is not None or limits.depth is not None:
            return []
        while len(self._more) < self._threads - 1:
            try:
                worker = Worker(self._table)
                worker.set_evaluation(self._evaluation)
            except MemoryError:
                break
            self._more.append(worker)
        return self._more[: self._threads - 1]

    def stop(self) -> None:
        """End the running search, if any; it returns its best move. Call it from any
        thread.
        """
        under_way = self._under_way
        if under_way is not None:
            under_way[0].stop()

    def _locked(self) -> _thread.LockType:
        """Return the engine's lock, which is held during a search or a change.

        Raises RuntimeError where the caller would wait for ever: in a callback of its
        own search, and in the block of an analysis without a limit.
        """
        endless = self._endless
        if endless and endless[1] == _thread.get_ident() and not endless[0].stopped:
            raise RuntimeError(
                "the engine is busy with an analysis without a limit: leave its block,"
                " or call its stop, first"
            )
        under_way = self._under_way
        if under_way and _thread.get_ident() in under_way[1] and self._busy.locked():
            raise RuntimeError(
                "the engine is searching: a callback may call stop, and no other method"
            )
        return self._busy

    def search(
        self,
        board: Board,
        limits: Limits | None = None,
        on_info: InfoCallback | None = None,
        control: SearchControl | None = None,
    ) -> SearchResult:
        """Search for a move of the side to move, until a limit is met or the result is
        proved.

        The board is not changed, and the GIL is released during the search. ``on_info``
        is called in the calling thread after each iteration and line; with several
        threads the result may come from a greater depth than the last call's. It may
        call ``stop``; other methods of the engine raise RuntimeError there. ``control``
        lets the caller stop the search, even before it starts. With one thread and a
        limit of nodes or depth, engines in the same state give the same result.

        Raises ValueError if a side has won (unless ``limits.play_on``), if no cell is
        empty or all of them are excluded, and for several lines of a strength below
        100.
        """
        limits = Limits() if limits is None else limits
        refuse(board, limits)
        limits = at_position(board, limits)
        if on_info is not None and not callable(on_info):
            raise TypeError(f"on_info is called with each line, not {on_info!r}")
        control = SearchControl() if control is None else control
        started = start_clock(control, limits)
        with _Hold(self, control), InterruptStop(control):
            self._bind_game(board)
            if limits.strength < FULL_STRENGTH:
                return self._weakened(board, limits, on_info, control, started)
            helpers = self._helpers(limits)
            if helpers:  # the table cannot grow while they search
                left = control.deadline_in
                self._growth.make_room_for(left, 1 + len(helpers))
            self._table.age()
            context = SearchContext(
                board,
                limits,
                control,
                started,
                self._worker,
                self._replay,
                on_info,
                helpers,
                self._growth,
                self._threats,
            )
            result = RootSearch(context).run()
            self._growth.count(result.nodes)
            return result

    def analysis(
        self, board: Board, limits: Limits | None = None
    ) -> "Reports[SearchInfo, SearchResult]":
        """Return a search in a thread of its own, as an iterator of its lines.

        ``with engine.analysis(board) as analysis: for info in analysis: ..``, or
        ``async with`` and ``async for``. The search starts with the block; leaving the
        block ends it at once. ``analysis.result()`` is the ``SearchResult``. Without
        limits it searches until then. To ponder, analyse the position after the
        expected reply with ``start()``, and ``stop()`` when the reply has come: the
        next search uses what the engine found.

        An engine runs one search at a time, so analyse twelve positions at once with
        twelve engines. A second analysis waits for the first; if it is left before, its
        ``result`` raises RuntimeError. Raises as ``search``.
        """
        from gomoku_brain.control.reports import Reports  # not needed by a brain

        limits = Limits() if limits is None else limits
        refuse(board, limits)
        control, position = SearchControl(), board.copy()
        is_endless = {limits.time, limits.nodes, limits.depth, limits.time_left} == {
            None
        }
        owner = _thread.get_ident()

        def work(report: InfoCallback) -> SearchResult:
            self._wait_for_turn(control)
            if not is_endless:
                return self.search(position, limits, report, control)
            self._endless = control, owner
            try:
                return self.search(position, limits, report, control)
            finally:
                self._endless = None

        return Reports(work, control.stop)

    def _wait_for_turn(self, control: SearchControl) -> None:
        """Wait until no other search runs. Raises RuntimeError soon after a stop."""
        until = float("inf")
        while not self._busy.acquire(timeout=_SLICE):
            if control.stopped:
                until = min(until, perf_counter() + _GRACE)
            if perf_counter() > until:
                raise RuntimeError("stopped while another search used the engine")
        self._busy.release()

    def _weakened(
        self,
        board: Board,
        limits: Limits,
        on_info: InfoCallback | None,
        control: SearchControl,
        started: float,
    ) -> SearchResult:
        """Search at a strength below 100; the caller holds the lock."""
        # Rarely needed, so imported late
        from gomoku_brain.levels.handicap import choose
        from gomoku_brain.levels.ladder import level_at

        def search(position: Board, within: Limits) -> SearchResult:
            return RootSearch(
                SearchContext(
                    position, within, control, started, self._worker, self._replay
                )
            ).run()

        self._table.age()
        if self._game_seed is None:
            self._game_seed = int.from_bytes(os.urandom(8), "little")
        level = level_at(limits.strength)
        limits = replace(limits, started=started)
        result = choose(board, level, limits, self._game_seed, search)
        if on_info:
            for line in result.lines:
                on_info(line)
        return result

    if TYPE_CHECKING:

        @overload
        def evaluate(self, boards: Board) -> int: ...
        @overload
        def evaluate(self, boards: Iterable[Board]) -> "NDArray[int32]": ...

    def evaluate(self, boards: Board | Iterable[Board]) -> "int | NDArray[int32]":
        """Return the static evaluation of a position for its side to move.

        It is an ``int`` in score units, as the search gets it at a leaf, within
        +-6,000: nothing is searched, and a threat counts only as far as the evaluation
        knows it. After the end of the game it is 30,000 (the score of a win) if the
        side to move has won, -30,000 if it has lost, and 0 for a draw.

        Of several boards, with any rules and sizes, return a numpy array (int32) with
        the evaluation of each one, in their order. This is much faster than searches,
        and may run beside a search of this engine. Raises TypeError for anything that
        is not a board.
        """
        if isinstance(boards, Board):
            return self._static.value(boards)
        if isinstance(boards, str) or not isinstance(boards, Iterable):
            raise TypeError(f"a position is a Board, not {boards!r}")
        import numpy  # late: a brain does not need it

        return numpy.asarray(self._static.values(boards), numpy.int32)

    def move_scores(self, board: Board) -> "NDArray[float64]":
        """Return the scores by which a search orders the moves, without a search.

        The array has the board's height and width: ``scores[y, x]`` is that of
        ``Move(x, y)``, for the side to move. A higher score is tried first. It is NaN
        where no move is: on stones and walls, on forbidden cells, and everywhere after
        the end of the game. A search itself tries cells near stones, or the replies to
        a threat, and adds what it has learnt from other nodes.
        """
        import numpy  # late: a brain does not need it

        scores = numpy.asarray(self._static.move_scores(board), numpy.float64)
        return scores.reshape(board.height, board.width)

    def solve(
        self, board: Board, kind: str = "vcf", limits: Limits | None = None
    ) -> tuple[Move, ...] | None:
        """Return a win by force for the side to move as a full line, or None.

        It is the line of ``find_win``, whose result also distinguishes "no win" from
        "not found"; limits and errors are the same.
        """
        return self.find_win(board, kind, limits).line or None

    def win_quickly(
        self, board: Board, nodes: int, control: SearchControl | None = None
    ) -> SolveResult:
        """Return a win by threats of a side that is known to have one, without a
        replay.

        A replay against every defence takes much longer than the search, and a checked
        proof has already shown that the position is won. ``nodes`` limit the search;
        the result is "unknown" if they or the ``control`` end it. Raises ValueError if
        a side has won already.
        """
        refuse(board, Limits())
        control = SearchControl() if control is None else control
        started = start_clock(control, Limits())
        with _Hold(self, control):
            result = self._wins.find_quickly(board, nodes, control)
            return replace(result, time=perf_counter() - started)

    def find_win(
        self,
        board: Board,
        kind: str = "auto",
        limits: Limits | None = None,
        control: SearchControl | None = None,
        *,
        shortest: bool = False,
        on_bound: Callable[[int], None] | None = None,
    ) -> SolveResult:
        """Search for a win by threats of the side to move, and replay it.

        ``kind`` "vcf": by continuous fours; "vct": by fours and moves that threaten to
        win by fours (open threes and the like); "auto": by fours, then by both. The
        line ends with the five; each reply in it is one that delays the five longest.
        Without a time and nodes in the ``limits`` the search is exhaustive. With
        several threads the kinds are searched at the same time.

        ``exclude`` and ``root_moves`` of the limits restrict the first move of the
        winner, and the result is about these wins alone: without the move of a win, "no
        win" proves that it is the only one. A win that is excluded stays a threat after
        any other move; then each of these counts as a threat.

        ``shortest``: continue until the win is proved to be the shortest of its kind,
        or a limit is met (``nodes`` is then for each length). ``least`` and
        ``least_of_all`` of the result hold the proved bounds. With "auto" a win by
        fours is compared with those by fours and threes. ``on_bound`` is called with
        each number of plies within which no win exists, in the thread that searches.

        Raises ValueError for another kind, if a side has won already (unless
        ``limits.play_on``), and for limits that this search does not have (``depth``,
        ``multipv``, ``target``, ``strength``).
        """
        from gomoku_brain.engine.win_search import KINDS  # late, as in ``_wins``

        if kind not in KINDS:
            raise ValueError(f"no solver for {kind!r}; there are: {', '.join(KINDS)}")
        limits = Limits() if limits is None else limits
        refuse(board, limits)
        refuse_unusable(limits)
        limits = at_position(board, limits)
        control = SearchControl() if control is None else control
        started = start_clock(control, limits)
        with _Hold(self, control) as threads:
            self._bind_game(board)

            def work() -> SolveResult:
                threads.add(_thread.get_ident())
                return self._wins.find(
                    board,
                    kind,
                    limits.nodes,
                    control,
                    self._threads,
                    shortest,
                    on_bound,
                    limits.exclude,
                )

            result = _interruptibly(work, control)
            return replace(result, time=perf_counter() - started)


def refuse(board: Board, limits: Limits) -> None:
    """Raise TypeError for a wrong position or limits, ValueError for a finished game
    and for limits that contradict each other.
    """
    if not isinstance(board, Board):
        raise TypeError(f"a position is a Board, not {board!r}")
    if not isinstance(limits, Limits):
        raise TypeError(f"limits are Limits(..), not {limits!r}")
    if board.winner is not None and not limits.play_on:
        raise ValueError(
            f"the game is over: {board.winner.name.lower()} has won"
            " (Limits(play_on=True) searches all the same)"
        )
    if limits.strength < FULL_STRENGTH and limits.multipv > 1:
        raise ValueError("a strength below 100 gives one move: it has no multipv")


def refuse_python(evaluation: object) -> None:
    """Raise TypeError for an evaluation that is a function or class of Python."""
    compiled = isinstance(evaluation, Evaluation) and not hasattr(
        evaluation, "__dict__"
    )
    if evaluation is not None and not compiled:
        raise TypeError(
            "a search calls its evaluation a million times a second, so none can be"
            " written in Python: fit weights and load them by Engine.load_weights"
            " (docs/python.md), or search by PlainSearch, which calls a function"
        )


def refuse_unusable(limits: Limits) -> None:
    """Raise ValueError for limits that a search for wins by threats does not have."""
    for name, default in (
        ("depth", None),
        ("multipv", 1),
        ("target", None),
        ("strength", FULL_STRENGTH),
    ):
        if getattr(limits, name) != default:
            raise ValueError(
                f"a search for a win by threats has no {name}: it takes time, nodes,"
                " a game clock, exclude and root_moves"
            )


def at_position(board: Board, limits: Limits) -> Limits:
    """Return the limits for a position: the game clock as the time of this move, and
    ``root_moves`` as the exclusion of all others.

    Raises ValueError for a root move that cannot be played.
    """
    if limits.time_left is not None:
        to_go = moves_left(board.width * board.height, board.ply)
        if limits.moves_to_go is not None:
            to_go = min(to_go, limits.moves_to_go)
        budget = allot(
            limits.time,
            limits.time_left,
            increment=limits.increment or 0.0,
            moves=max(to_go, 1),
        )
        nodes = limits.nodes
        if budget.instant:
            nodes = min(INSTANT_NODES, nodes or INSTANT_NODES)
        limits = replace(
            limits,
            time=budget.time,
            target=budget.target,
            nodes=nodes,
            time_left=None,
            increment=None,
            moves_to_go=None,
        )
    if limits.root_moves is not None:
        for move in limits.root_moves:
            if not board.is_empty(move):
                raise ValueError(f"the root move {move} is no empty cell")
            if not board.is_legal(move):
                foul = foul_words(board.foul(move))
                raise ValueError(f"the root move {move} is forbidden: {foul}")
        rows, columns = range(board.height), range(board.width)
        cells = [Move(x, y) for y in rows for x in columns if board.is_empty((x, y))]
        others = [cell for cell in cells if cell not in limits.root_moves]
        exclude = (*limits.exclude, *others)
        limits = replace(limits, root_moves=None, exclude=exclude)
    return limits


def megabytes(size: float) -> float:
    """Return a size as ``Engine`` accepts it; TypeError if it is no number."""
    if isinstance(size, str) or not hasattr(size, "__float__"):
        raise TypeError(f"hash_mb is a number of MB, not {size!r}")
    return float(size)


def start_clock(control: SearchControl, limits: Limits) -> float:
    """Start the clock of a search; return the ``time.perf_counter()`` of its start.

    A deadline that the control has already replaces the limits' time.
    """
    started = perf_counter() if limits.started is None else limits.started
    if limits.time is not None and not control.has_deadline:
        target = None if limits.target is None else started + limits.target
        control.set_deadline(started + limits.time, target)
    return started


class _Hold:
    """Hold of an engine for a search, which ``Engine.stop`` ends by its control.

    The value of its block is the set of the threads that request the search or call
    back.
    """

    def __init__(self, engine: Engine, control: SearchControl) -> None:
        self._engine, self._control = engine, control

    def __enter__(self) -> set[int]:
        self._lock = self._engine._locked()
        self._lock.acquire()
        threads = {_thread.get_ident()}
        self._engine._under_way = self._control, threads
        return threads

    def __exit__(self, *_: object) -> None:
        self._engine._under_way = None
        self._lock.release()


def _interruptibly(
    work: Callable[[], SolveResult], control: SearchControl
) -> SolveResult:
    """Do the work so that Ctrl-C ends it at once.

    A solver does not check for Ctrl-C. So in the main thread, which receives it,
    another thread does the work (if the system starts none, Ctrl-C is noticed when the
    work is done). In every case the work has ended on return.
    """
    if not in_main_thread():
        return work()
    task = Task(work)
    try:
        if not (task.start() and task.begins(control)):
            return work()
        while not task.done:
            task.wait(WAIT)
    except BaseException:  # Ctrl-C
        end([task], control)
        raise
    return task.result()


def _threats_mb(hash_mb: float) -> float:
    """Return the megabytes that an engine may add to its table's size for wins by
    threats.
    """
    return min(THREATS_MB, max(0.5, hash_mb / 8))
