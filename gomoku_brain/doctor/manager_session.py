"""A manager's visit to an engine: its questions, and what it would complain about.

A ``Visit`` collects what was found as ``Check`` records. Its processes are
``VisitedEngine`` objects, which hand out lines as they come: what ``Brain.query``
forgives is seen here.
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
"""Seconds more that a move is waited for, to tell who is late from who is silent."""
_QUIET = 0.15  # seconds in which an answer to INFO would come

STRICT_MOVE = re.compile(r"(\d{1,9}),(\d{1,9})$")
"""liskvork's: nothing else may be on the line."""
LOOSE_MOVE = re.compile(r"\s*([+-]?\d{1,9})\s*,\s*([+-]?\d{1,9})")
"""Piskvork's: sscanf with "%d,%d"."""

# What a manager skips while it waits for an answer.
SKIP_NOTHING = re.compile(r"(?!)")
SKIP_PISKVORK = re.compile(r"(?:message|debug) ", re.IGNORECASE)


class Wrong(Exception):
    """A step found something wrong: ``str`` says what."""


class Stop(Exception):
    """The rest of a dialogue makes no sense."""


class Hopeless(Exception):
    """This manager would not play with the engine at all."""


@dataclass
class Visit:
    """One manager calling at an engine."""

    manager: str
    spec: EngineSpec
    turn: float
    """Seconds for a move."""
    rules: tuple[int, ...] = (0, 1, 4, 8)
    """Codes of the rules that the engine is to play."""
    log: Callable[[str], None] | None = None
    about: str = ""
    """Name and version, once told."""
    checks: list[Check] = field(default_factory=list)

    def add(self, name: str, status: Status, seen: str = "", effect: str = "") -> None:
        """Note a finding."""
        self.checks.append(Check(self.manager, name, status, seen, effect))

    def tell(self, seen: str) -> None:
        """Add what was seen to the last finding, if it tells nothing yet."""
        last = self.checks[-1]
        self.checks[-1] = last._replace(seen=last.seen or seen)

    @contextmanager
    def step(
        self, name: str, effect: str, *, optional: bool = False, vital: bool = False
    ) -> Iterator[None]:
        """Something that must work, for else ``effect`` comes of it.

        What goes wrong ends the dialogue, or the visit when it is ``vital``; what is
        ``optional`` makes a note and ends nothing.
        """
        try:
            yield
        except Wrong as wrong:
            self.add(name, "note" if optional else "fail", str(wrong), effect)
            if optional:
                return
        except BrainFault as fault:
            words = " | ".join([str(fault), *fault.last_words.splitlines()])
            self.add(name, "fail", words, "without the engine the game is lost")
        else:
            self.add(name, "pass")
            return
        raise Hopeless if vital else Stop

    @contextmanager
    def process(
        self, eol: str = "\r\n", cwd: str | None = None
    ) -> "Iterator[VisitedEngine]":
        """A new process; problems in it end the dialogue and nothing else.

        One that the system refuses to start ends the visit, with ``Hopeless``.
        """
        spec = self.spec if cwd is None else replace(self.spec, cwd=cwd)
        effect = "without the engine there is no game"
        try:
            brain = Brain(spec, self.log, eol)
        except BrainFault as fault:
            self.add("it starts", "fail", str(fault), effect)
            raise Hopeless from None
        try:
            with brain:
                yield VisitedEngine(brain)
        except BrainFault as fault:
            self.add("it starts", "fail", str(fault), effect)
        except Stop:
            pass


class VisitedEngine:
    """A process, and the stones on its board."""

    def __init__(self, brain: Brain) -> None:
        """Wrap a process that was just started."""
        self.brain = brain
        self.send = brain.send
        self.stones: list[Move] = []
        self.size = 15
        self._asked = time.perf_counter()

    def ask(self, *lines: str) -> None:
        """Send what wants an answer."""
        self._asked = time.perf_counter()
        self.send(*lines)

    @property
    def elapsed(self) -> float:
        """Seconds since the question."""
        return time.perf_counter() - self._asked

    def read(self, seconds: float, skip: "re.Pattern[str]" = SKIP_NOTHING) -> str:
        """The first line that the manager does not skip."""
        until = self._asked + seconds
        while (line := self.brain.line(until - time.perf_counter())) is not None:
            if not skip.match(line):
                return line
        raise Wrong(f"no answer within {seconds:g} s")

    def expect(self, word: str, seconds: float, skip: "re.Pattern[str]") -> None:
        """Read exactly this word."""
        line = self.read(seconds, skip)
        if line != word:
            raise Wrong(f"it said {shorten(line)} instead of {word}")

    def silence(self, skip: "re.Pattern[str]" = SKIP_PISKVORK) -> None:
        """Nothing may come for a while but what is skipped."""
        until = time.perf_counter() + _QUIET
        while (line := self.brain.line(until - time.perf_counter())) is not None:
            if not skip.match(line):
                raise Wrong(f"it said {shorten(line)}")

    def start(self, size: int, word: str = "START") -> None:
        """Ask for a new game."""
        self.size, self.stones = size, []
        self.ask(f"{word} {size}")

    def infos(self, **values: object) -> None:
        """Send INFO lines."""
        self.send(*[f"INFO {key} {value}" for key, value in values.items()])

    def board(self, word: str = "BOARD", done: str = "DONE") -> list[str]:
        """The lines of BOARD for the stones so far, the engine to move."""
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
        """Read the engine's move, which must be legal but for fouls."""
        try:
            line = self.read(seconds, skip)
        except Wrong:
            self.read(seconds + GRACE, skip)
            text = f"it took {self.elapsed:.1f} s where {seconds:g} s are the end"
            raise Wrong(text) from None
        found = form.match(line)
        if found is None:
            raise Wrong(f'it said {shorten(line)} where a move "x,y" was due')
        move = Move(int(found[1]), int(found[2]))
        if not (0 <= move.x < self.size and 0 <= move.y < self.size):
            raise Wrong(f"its move {line.strip()} is outside of the board")
        if move in self.stones:
            raise Wrong(f"its move {line.strip()} is on a stone")
        self.stones.append(move)
        return move

    def reply(self) -> str:
        """Place a stone for the other side, far from the fight; the TURN line."""
        cells = ((x, y) for y in (0, 2, 4) for x in range(0, self.size, 2))
        move = next(Move(*cell) for cell in cells if Move(*cell) not in self.stones)
        self.stones.append(move)
        return f"TURN {move.x},{move.y}"

    def farewell(self, seconds: float) -> None:
        """Say END; it must leave in time."""
        if complaint := self.brain.close(seconds):
            raise Wrong(f"it {complaint}")


def own_memory(pid: int) -> int | None:
    """Bytes that a process and its children have for themselves; None = not known.

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
