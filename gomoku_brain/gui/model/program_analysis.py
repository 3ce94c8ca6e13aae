"""A position studied by a program that speaks the protocol, instead of by our brain.

The protocol has no word for analysis: the program is asked for its move with a growing
limit, and what it says while it thinks is what is shown. Not every program says
anything; its move always tells something.
"""

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

from gomoku_brain.client.brain import Brain, EngineSpec, Figures, read_figures
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.match.referee import (
    TimeControl,
    infos,
    question,
    read_moves,
    time_left,
)

__all__ = ["ProgramLine", "ProgramWatch", "read_line"]

ROUNDS = (1.0, 3.0, 10.0, 30.0, 60.0)  # seconds that it is given, one after the other
PATIENCE = 10.0  # seconds beyond them, until it counts as hung
TELL_SECONDS = 0.1  # between two news

_CELL = re.compile(r"([a-v])(\d{1,2})", re.IGNORECASE)
_LINE = re.compile(
    r"(?:\b(?:pv|bestline|line)\b\s*[:=]?|\|)\s*((?:[a-v]\d{1,2}[ ,]*)+)$",
    re.IGNORECASE,
)


class Listener(Protocol):
    """Who is told news; a `BackgroundTask` is one."""

    def tell(self, news: object) -> None:
        """Take news, from the thread of the work."""


@dataclass(frozen=True)
class ProgramLine:
    """What a program has said of a position so far."""

    program: str
    """Its name."""
    figures: Figures
    """In its own units, for the side to move."""
    line: tuple[Move, ...]
    """The moves that it expects; () before its first move."""
    seconds: float
    """Since the present question."""


def read_line(text: str, height: int) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
    """The line of play at the end of a remark, as it is written and upside down.

    Programs write "h8" with rows counted from the top or from the bottom; which one it
    is shows when the move is known. () twice where there is no such line.
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
    """One position under study by a program in a process of its own."""

    def __init__(
        self,
        spec: EngineSpec,
        board: Board,
        log: Callable[[str], None] | None = None,
    ) -> None:
        """Do not begin yet. `log` is told each line of the conversation."""
        self.spec, self.board = spec, board
        self._log = log or (lambda text: None)
        self._stop = threading.Event()
        self._task: Listener | None = None
        self._said: list[str] = []
        self._asked = self._told = 0.0
        self._line: tuple[Move, ...] = ()

    def stop(self) -> None:
        """End it; from any thread."""
        self._stop.set()

    def run(self, task: Listener) -> None:
        """Ask again and again until told to stop, or the result is sure.

        Tells a `ProgramLine` each time that there is something new. Raises BrainFault
        and WrongAnswer for what the program does wrong, OSError when it cannot be run.
        """
        self._task = task
        board = self.board
        with Brain(self.spec, self._hear) as brain:
            brain.start(board.width, board.height, stop=self._stop)
            for count, seconds in enumerate(ROUNDS):
                if count:
                    brain.restart(stop=self._stop)
                for key, value in infos(TimeControl(turn=seconds), board.rule):
                    brain.info(key, value)
                for key, value in self.spec.infos:
                    brain.info(key, value)
                self._said, self._asked = [], perf_counter()
                answer = brain.query(
                    time_left(None),
                    *question(board, knows_position=False),
                    deadline=seconds + PATIENCE,
                    stop=self._stop,
                )
                self._take_move(read_moves(answer.text, board)[0])
                if answer.win_in is not None or self._stop.is_set():
                    return

    def _hear(self, line: str) -> None:
        """A line of the conversation; in the thread that reads it."""
        self._log(line)
        if line.startswith("< ") and self._asked and len(self._said) < 10_000:
            self._said.append(line[2:].strip())
            now = perf_counter()
            if now - self._told > TELL_SECONDS:
                self._told = now
                self._tell()

    def _take_move(self, move: Move) -> None:
        """Its move: now the way in which it writes rows is known."""
        self._line = (move,)
        for said in reversed(self._said):
            for line in read_line(said, self.board.height):
                if line[:1] == (move,):
                    self._line = line
                    self._tell()
                    return
        self._tell()

    def _tell(self) -> None:
        if self._task is not None and not self._stop.is_set():
            figures = read_figures(self._said)
            seconds = perf_counter() - self._asked
            self._task.tell(ProgramLine(self.spec.name, figures, self._line, seconds))
