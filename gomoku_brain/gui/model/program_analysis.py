"""Analysis of a position by a program that speaks the protocol.

The protocol has no analysis command. The program receives requests for a move with
growing time limits, and its output shows the analysis. Some programs print nothing, but
every program answers with a move.
"""

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

from gomoku_brain.client.brain import Brain, EngineSpec, read_figures
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.match.referee import (
    TimeControl,
    infos,
    question,
    read_moves,
    time_left,
)
from gomoku_brain.records.game_record import ReportedFigures

__all__ = ["ProgramLine", "ProgramWatch", "read_line"]

ROUNDS = (1.0, 3.0, 10.0, 30.0, 60.0)  # seconds for the successive requests
PATIENCE = 10.0  # seconds beyond a limit before the program counts as hung
UPDATE_SECONDS = 0.1  # seconds between two updates

_CELL = re.compile(r"([a-v])(\d{1,2})", re.IGNORECASE)
_LINE = re.compile(
    r"(?:\b(?:pv|bestline|line)\b\s*[:=]?|\|)\s*((?:[a-v]\d{1,2}[ ,]*)+)$",
    re.IGNORECASE,
)


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


def read_line(text: str, height: int) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
    """Parse a line of play at the end of a message, with both row orders.

    Programs count the rows of "h8" from the top or from the bottom. The program's move
    later shows the right order. Return () twice if there is no line.
    """
    found = _LINE.search(text.strip())
    if found is None:
        return (), ()
    down = []
    for column, row in _CELL.findall(found[1]):
        down.append(Move(ord(column.lower()) - ord("a"), int(row) - 1))
    up = tuple(Move(move.x, height - 1 - move.y) for move in down)
    return tuple(down), up


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
        self._log = log or (lambda text: None)
        self._stop = threading.Event()
        self._task: Listener | None = None
        self._lines: list[str] = []
        self._requested = self._reported = 0.0
        self._line: tuple[Move, ...] = ()

    def stop(self) -> None:
        """Stop the analysis. Any thread may call this."""
        self._stop.set()

    def run(self, task: Listener) -> None:
        """Send requests until ``stop`` or a forced result.

        ``task`` receives a ``ProgramLine`` for each update.

        Raises:
            BrainFault, WrongAnswer: The program does not follow the protocol.
            OSError: The program cannot be started.
        """
        self._task = task
        board = self.board
        with Brain(self.spec, self._on_line) as brain:
            brain.start(board.width, board.height, stop=self._stop)
            for count, seconds in enumerate(ROUNDS):
                if count:
                    brain.restart(stop=self._stop)
                for key, value in infos(TimeControl(turn=seconds), board.rule):
                    brain.info(key, value)
                for key, value in self.spec.infos:
                    brain.info(key, value)
                self._lines, self._requested = [], perf_counter()
                answer = brain.query_moves(
                    time_left(None),
                    *question(board, knows_position=False),
                    deadline=seconds + PATIENCE,
                    stop=self._stop,
                )
                self._take_move(read_moves(answer.text, board)[0])
                if answer.win_in is not None or self._stop.is_set():
                    return

    def _on_line(self, line: str) -> None:
        """Process a protocol line, in the thread that reads it."""
        self._log(line)
        if line.startswith("< ") and self._requested and len(self._lines) < 10_000:
            self._lines.append(line[2:].strip())
            now = perf_counter()
            if now - self._reported > UPDATE_SECONDS:
                self._reported = now
                self._report()

    def _take_move(self, move: Move) -> None:
        """Record the program's move, which shows the order of its rows."""
        self._line = (move,)
        for line_text in reversed(self._lines):
            for line in read_line(line_text, self.board.height):
                if line[:1] == (move,):
                    self._line = line
                    self._report()
                    return
        self._report()

    def _report(self) -> None:
        if self._task is not None and not self._stop.is_set():
            figures = read_figures(self._lines)
            seconds = perf_counter() - self._requested
            self._task.report(ProgramLine(self.spec.name, figures, self._line, seconds))
