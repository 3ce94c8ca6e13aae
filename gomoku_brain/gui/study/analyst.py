"""Analyst: searches of positions in the background, with results by signals.

It uses two engines. One watches the current position until it changes. The other does
single jobs: a hint, a forced win, or a review.
"""

from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QObject, Signal, SignalInstance

from gomoku_brain.client.brain import EngineSpec
from gomoku_brain.control.limits import Limits, SearchInfo
from gomoku_brain.control.search_control import SearchControl
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.position import Board
from gomoku_brain.gui.base.background import BackgroundTask
from gomoku_brain.gui.model import search_limits
from gomoku_brain.gui.model.program_analysis import ProgramWatch
from gomoku_brain.records.game import Game
from gomoku_brain.study.annotate import review, values
from gomoku_brain.study.threat_words import describe_position

__all__ = ["Analyst", "can_search"]

UPDATE_SECONDS = 0.1  # seconds between two updates of the lines
# Seconds for the values of all cells, then for the best lines. The last round is
# endless.
ROUNDS = ((0.5, 2.0), (2.0, 6.0), (6.0, 20.0), (20.0, None))


def can_search(board: Board) -> bool:
    """Return whether a search of the position makes sense."""
    return board.winner is None and not board.is_full


class _Watch:
    """Running analysis of one position, which can be stopped."""

    def __init__(self, engine: Engine, board: Board, lines: int, heat: bool) -> None:
        self.engine, self.board, self.lines, self.heat = engine, board, lines, heat
        self._control = SearchControl()
        self._stopped = False
        self._reported = 0.0
        self._depth = 0
        self._best: dict[int, SearchInfo] = {}

    def stop(self) -> None:
        """Stop the analysis. Any thread may call this."""
        self._stopped = True
        self._control.stop()
        self.engine.stop()

    def run(self, task: BackgroundTask) -> None:
        """Search until ``stop`` or until the result is proved."""
        for heat_seconds, seconds in ROUNDS:
            if self.heat and not self._stopped:
                limits = Limits(time=heat_seconds)
                found = values(
                    self.engine, self.board, limits, stop=lambda: self._stopped
                )
                task.report(found)
            if self._stopped:
                return
            self._control = SearchControl()
            limits = Limits(time=seconds if self.heat else None, multipv=self.lines)
            self._best = {}
            result = self.engine.search(
                self.board,
                limits,
                lambda info: self._on_info(task, info),
                self._control,
            )
            if not self._stopped:
                self._depth = max(self._depth, result.depth)
                task.report(result.lines or tuple(self._best.values()))
            if not self.heat or result.win_in is not None:
                return

    def _on_info(self, task: BackgroundTask, info: SearchInfo) -> None:
        if self._stopped:  # ``stop`` came before this search had its control
            self._control.stop()
            return
        if info.multipv == 1:
            self._best = {k: v for k, v in self._best.items() if k > 1}
        self._best[info.multipv] = info
        now = perf_counter()
        complete = info.multipv == self.lines or self.lines == 1
        if (
            complete
            and info.depth >= self._depth
            and now - self._reported > UPDATE_SECONDS
        ):
            self._reported, self._depth = now, info.depth
            task.report(tuple(self._best[k] for k in sorted(self._best)))


class Analyst(QObject):
    """Background analysis. The signals report only current results."""

    program = Signal(object)
    """The analysis of a program changed. The argument is a ``ProgramLine``."""
    lines = Signal(object)
    """The best lines of the watched position changed: a tuple of ``SearchInfo``."""
    heat = Signal(object)
    """The ``ValueTable`` of the watched position changed."""
    threats = Signal(object)
    """The threats of the last requested position were found: ``PositionThreats``."""
    hinted = Signal(object)
    """A hint was found: a ``SearchResult``."""
    solved = Signal(object)
    """The search for a forced win ended: a ``SolveResult``."""
    progress = Signal(int, int)
    """The review made progress: finished and total work, as in ``review``."""
    reviewed = Signal(object)
    """The review ended: a ``Review``."""
    failed = Signal(str)
    """A job failed. The argument is the error in one line."""

    def __init__(
        self, threads: int = 1, hash_mb: float = 64, parent: QObject | None = None
    ) -> None:
        """Create an analyst. The engines are created when they are needed."""
        super().__init__(parent)
        self._threads, self._hash_mb = threads, hash_mb
        self._watcher: Engine | None = None
        self._worker: Engine | None = None
        self._watch: _Watch | None = None
        self._program: ProgramWatch | None = None
        self._job: object = None  # identifies the running job
        self._stop_job: Callable[[], None] = lambda: None
        self._job_is_of_position = False
        self._threats_request: object = None

    def configure(self, threads: int, hash_mb: float) -> None:
        """Set threads and table size. The engines are created again if these change."""
        if (threads, hash_mb) != (self._threads, self._hash_mb):
            self.rest()
            self._threads, self._hash_mb = threads, hash_mb
            self._watcher = self._worker = None

    def _engine(self) -> Engine:
        return Engine(threads=self._threads, hash_mb=self._hash_mb)

    # The position on the board

    def watch(self, board: Board, lines: int = 3, heat: bool = False) -> None:
        """Start the analysis of a position."""
        self.unwatch()
        if not can_search(board):
            return
        self._watcher = self._watcher or self._engine()
        watch = self._watch = _Watch(self._watcher, board, lines, heat)
        task = BackgroundTask(watch.run)
        task.reported.connect(lambda news: self._take_news(watch, news))
        task.failed.connect(lambda error: self._take_failure(watch, error))
        task.start()

    def watch_by(
        self, spec: EngineSpec, board: Board, log: Callable[[str], None] | None = None
    ) -> None:
        """Start the analysis of a position by a program, in addition to ``watch``."""
        if not can_search(board):
            return
        watch = self._program = ProgramWatch(spec, board, log)
        task = BackgroundTask(watch.run)

        def take(news: object) -> None:
            if watch is self._program:
                self.program.emit(news)

        def fail(error: object) -> None:
            if watch is self._program:
                self.failed.emit(f"{spec.name}: {error}")

        task.reported.connect(take)
        task.failed.connect(fail)
        task.start()

    @property
    def watching(self) -> bool:
        """Whether a position is being analysed."""
        return self._watch is not None or self._program is not None

    def unwatch(self) -> None:
        """Stop the analysis of the position."""
        program, self._program = self._program, None
        if program is not None:
            program.stop()
        watch, self._watch = self._watch, None
        if watch is not None:
            watch.stop()

    def _take_news(self, watch: _Watch, news: object) -> None:
        if watch is self._watch:
            (self.lines if isinstance(news, tuple) else self.heat).emit(news)

    def _take_failure(self, watch: _Watch, error: object) -> None:
        if watch is self._watch:
            self.failed.emit(str(error))

    def look_for_threats(self, board: Board) -> None:
        """Find the threats of a position in a thread."""
        mark = self._threats_request = object()

        def take(found: object) -> None:
            if mark is self._threats_request:
                self.threats.emit(found)

        task = BackgroundTask(lambda task: describe_position(board))
        task.done.connect(take)
        task.start()

    # Single jobs

    @property
    def busy(self) -> bool:
        """Whether a job is running."""
        return self._job is not None

    def hint(self, board: Board) -> None:
        """Search for a good move."""
        if can_search(board):
            self._start_job(
                lambda task, engine, control: engine.search(
                    board, search_limits.HINT, None, control
                ),
                self.hinted,
                of_position=True,
            )

    def solve(self, board: Board) -> None:
        """Search for a forced win of the side to move."""
        if can_search(board):
            self._start_job(
                lambda task, engine, control: engine.find_win(
                    board, "auto", search_limits.WIN, control
                ),
                self.solved,
                of_position=True,
            )

    def review(self, game: Game) -> None:
        """Review every move of a game, which must not change meanwhile."""
        if not game.moves:
            return

        def work(
            task: BackgroundTask, engine: Engine, control: SearchControl
        ) -> object:
            return review(
                engine,
                game,
                search_limits.REVIEW,
                on_progress=lambda done, count: task.report((done, count)),
                stop=lambda: control.stopped,
            )

        self._start_job(work, self.reviewed)

    def _start_job(
        self,
        work: Callable[[BackgroundTask, Engine, SearchControl], object],
        answer: SignalInstance,
        of_position: bool = False,
    ) -> None:
        self.stop_job()
        self._job_is_of_position = of_position
        mark = self._job = object()
        control = SearchControl()
        engine = self._worker = self._worker or self._engine()

        def stop() -> None:
            control.stop()
            engine.stop()

        def finish(signal: SignalInstance, news: object) -> None:
            if mark is self._job:
                self._job = None
                signal.emit(news)

        def show_progress(news: tuple[int, int]) -> None:
            if mark is self._job:
                self.progress.emit(*news)

        self._stop_job = stop
        task = BackgroundTask(lambda task: work(task, engine, control))
        task.done.connect(lambda news: finish(answer, news))
        task.failed.connect(lambda error: finish(self.failed, str(error)))
        task.reported.connect(show_progress)
        task.start()

    def stop_job(self) -> None:
        """Stop the running job."""
        self._job = None
        self._stop_job()

    def leave_position(self) -> None:
        """Stop all work on the current position."""
        self.unwatch()
        self._threats_request = None
        if self._job_is_of_position:
            self.stop_job()

    def rest(self) -> None:
        """Stop all work."""
        self.unwatch()
        self.stop_job()
        self._threats_request = None
