"""Analysis of a position by a program that speaks the protocol.

The protocol has no analysis command. The program receives requests for a move with
growing time limits, and its output shows the analysis. Some programs print nothing, but
every program answers with a move.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

from gomoku_brain.client.brain import EngineSpec
from gomoku_brain.client.external_engine import ExternalEngine, ExternalInfo
from gomoku_brain.control.limits import Limits
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.records.game_record import ReportedFigures

__all__ = ["ProgramLine", "ProgramWatch"]

ROUNDS = (1.0, 3.0, 10.0, 30.0, 60.0)  # seconds for the successive requests
PATIENCE = 10.0  # seconds beyond a limit before the program counts as hung
UPDATE_SECONDS = 0.1  # seconds between two updates


class Listener(Protocol):
    """Receiver of updates, for example a ``BackgroundTask``."""

    def report(self, news: object) -> None:
        """Receive an update from the thread of the work."""


@dataclass(frozen=True)
class ProgramLine:
    """Analysis of a program so far."""

    program: str
    """Name of the program."""
    figures: ReportedFigures
    """Search figures for the side to move, in the program's own units."""
    line: tuple[Move, ...]
    """Expected line of play; () before the program's first move."""
    seconds: float
    """Seconds since the current request."""


class ProgramWatch:
    """Analysis of one position by a program in its own process."""

    def __init__(
        self,
        spec: EngineSpec,
        board: Board,
        log: Callable[[str], None] | None = None,
    ) -> None:
        """Create an analysis without starting it. ``log`` receives protocol lines."""
        self.spec, self.board = spec, board
        self._log = log
        self._stop = threading.Event()

    def stop(self) -> None:
        """Stop the analysis. Any thread may call this."""
        self._stop.set()

    def run(self, task: Listener) -> None:
        """Send requests until ``stop`` or a forced result.

        ``task`` receives a ``ProgramLine`` for each update. Its line of play is from
        the end of a request: the move then shows the order of the program's rows.

        Raises:
            BrainFault: The program does not follow the protocol or cannot be started.
        """
        line: tuple[Move, ...] = ()
        figures = ReportedFigures()
        reported = 0.0

        def report(seconds: float) -> None:
            if not self._stop.is_set():
                task.report(ProgramLine(self.spec.name, figures, line, seconds))

        def on_info(info: ExternalInfo) -> None:
            nonlocal figures, reported
            figures = info.figures
            if perf_counter() - reported > UPDATE_SECONDS:
                reported = perf_counter()
                report(info.time)

        with ExternalEngine(
            self.spec.command,
            cwd=self.spec.cwd,
            options=dict(self.spec.infos),
            log=self._log,
            margin=PATIENCE,
        ) as engine:
            for seconds in ROUNDS:
                limits = Limits(time=seconds)
                result = engine.play(self.board, limits, on_info, stop=self._stop)
                line = result.pv or (result.move,)
                figures = result.info or figures
                report(result.time)
                if self._stop.is_set() or figures.win_in is not None:
                    return
