"""Session of a manager with an engine: its requests, and its complaints.

A ``ManagerSession`` collects the findings as ``Check`` records. Its processes are
``EngineProcess`` objects, which return lines as they come and so show faults that
``Brain.query`` tolerates.
"""

import importlib
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from gomoku_brain.client.brain import Brain, BrainFault, EngineSpec, shorten
from gomoku_brain.doctor.program import Check, Status
from gomoku_brain.game.notation import Move

GRACE = 10.0
"""Further seconds to wait for a move, to distinguish a late engine from a silent
one.
"""
_QUIET = 0.15  # seconds to wait for an answer to INFO

STRICT_MOVE = re.compile(r"(\d{1,9}),(\d{1,9})$")
"""Form of a move for liskvork: nothing else may be on the line."""
LOOSE_MOVE = re.compile(r"\s*([+-]?\d{1,9})\s*,\s*([+-]?\d{1,9})")
"""Form of a move for Piskvork: sscanf with "%d,%d"."""

# Lines that a manager skips while it waits for an answer.
SKIP_NOTHING = re.compile(r"(?!)")
SKIP_PISKVORK = re.compile(r"(?:message|debug) ", re.IGNORECASE)


class UnexpectedAnswer(Exception):
    """Error for a wrong answer in a step, with its description."""


class EndOfScript(Exception):
    """Signal that ends a script, whose remaining steps make no sense."""


class Unusable(Exception):
    """Signal that ends the session: the manager would not use the engine at all."""


@dataclass
class ManagerSession:
    """Session of one manager with an engine."""

    manager: str
    spec: EngineSpec
    turn: float
    """Seconds for a move."""
    rules: tuple[int, ...] = (0, 1, 4, 8)
    """Codes of the rules that the engine must play."""
    log: Callable[[str], None] | None = None
    about: str = ""
    """Answer to ABOUT with name and version; empty before it."""
    checks: list[Check] = field(default_factory=list)

    def add(self, name: str, status: Status, seen: str = "", effect: str = "") -> None:
        """Add a finding."""
        self.checks.append(Check(self.manager, name, status, seen, effect))

    def add_detail(self, seen: str) -> None:
        """Add an observation to the last finding, unless it has one."""
        last = self.checks[-1]
        self.checks[-1] = last._replace(seen=last.seen or seen)

    @contextmanager
    def step(
        self, name: str, effect: str, *, optional: bool = False, vital: bool = False
    ) -> Iterator[None]:
        """Run a block as one step, and add its finding; ``effect`` belongs to a
        failure.

        A failure ends the script, or the session if the step is ``vital``. An
        ``optional`` step that fails gives a note and ends nothing.
        """
        try:
            yield
        except UnexpectedAnswer as wrong:
            self.add(name, "note" if optional else "fail", str(wrong), effect)
            if optional:
                return
        except BrainFault as fault:
            words = " | ".join([str(fault), *fault.last_words.splitlines()])
            self.add(name, "fail", words, "without the engine the game is lost")
        else:
            self.add(name, "pass")
            return
        raise Unusable if vital else EndOfScript

    @contextmanager
    def process(
        self, eol: str = "\r\n", cwd: str | None = None
    ) -> "Iterator[EngineProcess]":
        """Yield a new process; faults in it end the script and nothing else.

        If the system refuses to start it, ``Unusable`` ends the session.
        """
        spec = self.spec if cwd is None else replace(self.spec, cwd=cwd)
        effect = "without the engine there is no game"
        try:
            brain = Brain(spec, self.log, eol)
        except BrainFault as fault:
            self.add("it starts", "fail", str(fault), effect)
            raise Unusable from None
        try:
            with brain:
                yield EngineProcess(brain)
        except BrainFault as fault:
            self.add("it starts", "fail", str(fault), effect)
        except EndOfScript:
            pass


class EngineProcess:
    """Process of an engine, with the stones on its board."""

    def __init__(self, brain: Brain) -> None:
        """Wrap a process that was just started."""
        self.brain = brain
        self.send = brain.send
        self.stones: list[Move] = []
        self.size = 15
        self._sent_at = time.perf_counter()

    def request(self, *lines: str) -> None:
        """Send lines that must be answered."""
        self._sent_at = time.perf_counter()
        self.send(*lines)

    @property
    def elapsed(self) -> float:
        """Seconds since the last request."""
        return time.perf_counter() - self._sent_at

    def read(self, seconds: float, skip: "re.Pattern[str]" = SKIP_NOTHING) -> str:
        """Return the first line that the manager does not skip."""
        until = self._sent_at + seconds
        while (line := self.brain.line(until - time.perf_counter())) is not None:
            if not skip.match(line):
                return line
        raise UnexpectedAnswer(f"no answer within {seconds:g} s")

    def expect(self, word: str, seconds: float, skip: "re.Pattern[str]") -> None:
        """Read exactly this word."""
        line = self.read(seconds, skip)
        if line != word:
            raise UnexpectedAnswer(f"it answered {shorten(line)} instead of {word}")

    def silence(self, skip: "re.Pattern[str]" = SKIP_PISKVORK) -> None:
        """Check that for a while only lines come that the manager skips."""
        until = time.perf_counter() + _QUIET
        while (line := self.brain.line(until - time.perf_counter())) is not None:
            if not skip.match(line):
                raise UnexpectedAnswer(f"it answered {shorten(line)}")

    def start(self, size: int, word: str = "START") -> None:
        """Request a new game."""
        self.size, self.stones = size, []
        self.request(f"{word} {size}")

    def infos(self, **values: object) -> None:
        """Send INFO lines."""
        self.send(*[f"INFO {key} {value}" for key, value in values.items()])

    def board(self, word: str = "BOARD", done: str = "DONE") -> list[str]:
        """Return the lines of BOARD for the stones so far, the engine to move."""
        own = len(self.stones) % 2
        rows = [
            f"{x},{y},{1 if i % 2 == own else 2}"
            for i, (x, y) in enumerate(self.stones)
        ]
        return [word, *rows, done]

    def read_move(
        self,
        seconds: float,
        skip: "re.Pattern[str]",
        form: "re.Pattern[str]" = LOOSE_MOVE,
    ) -> Move:
        """Read the engine's move, which must be legal except for fouls."""
        try:
            line = self.read(seconds, skip)
        except UnexpectedAnswer:
            self.read(seconds + GRACE, skip)
            text = f"it took {self.elapsed:.1f} s where {seconds:g} s are the end"
            raise UnexpectedAnswer(text) from None
        found = form.match(line)
        if found is None:
            raise UnexpectedAnswer(
                f'it answered {shorten(line)} where a move "x,y" was due'
            )
        move = Move(int(found[1]), int(found[2]))
        if not (0 <= move.x < self.size and 0 <= move.y < self.size):
            raise UnexpectedAnswer(f"its move {line.strip()} is outside of the board")
        if move in self.stones:
            raise UnexpectedAnswer(f"its move {line.strip()} is on a stone")
        self.stones.append(move)
        return move

    def reply(self) -> str:
        """Place a stone for the other side, far from the fight, and return its TURN
        line.
        """
        cells = ((x, y) for y in (0, 2, 4) for x in range(0, self.size, 2))
        move = next(Move(*cell) for cell in cells if Move(*cell) not in self.stones)
        self.stones.append(move)
        return f"TURN {move.x},{move.y}"

    def end(self, seconds: float) -> None:
        """Send END; the engine must leave within ``seconds``."""
        if complaint := self.brain.close(seconds):
            raise UnexpectedAnswer(f"it {complaint}")


def own_memory(pid: int) -> int | None:
    """Return the bytes that a process and its children do not share; None = unknown.

    The judge sums these ("unique set size") after every move.
    """
    try:
        if sys.platform == "linux":
            return _linux_memory(pid)
        psutil = importlib.import_module("psutil")
        process = psutil.Process(pid)
        family = [process, *process.children(recursive=True)]
        return sum(int(member.memory_full_info().uss) for member in family)
    except Exception:  # psutil is missing, or the process has gone
        return None


def _linux_memory(pid: int) -> int:
    folder = Path(f"/proc/{pid}")
    rollup = (folder / "smaps_rollup").read_text("ascii")
    private = re.findall(r"^Private_(?:Clean|Dirty):\s+(\d+) kB$", rollup, re.MULTILINE)
    children = (folder / f"task/{pid}/children").read_text("ascii").split()
    own = sum(map(int, private)) * 1024
    return own + sum(_linux_memory(int(child)) for child in children)
