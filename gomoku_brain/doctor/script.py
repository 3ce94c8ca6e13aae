"""What a manager says as data: a script of steps, and who performs it at a visit.

A script is a list of talks, each with a process of its own, and a talk a list of steps:
lines to be said, what must come of them, and what the manager makes of anything else.
Lines are sent as they stand, but for

- ``{turn}`` in a line: the milliseconds of a move;
- REPLY: a stone of the other side and its TURN;
- BOARD and moves: the position as BOARD .. DONE, the engine to move;
- TAKEBACK: for the last stone;
- AWAIT: read the answer to what was said so far, AWAIT OK: which must be that word;
- PAUSE: a third of a second in which the engine thinks.
"""

import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from gomoku_brain.client.brain import START_SECONDS, shorten
from gomoku_brain.doctor.visit import SKIP_PISKVORK, Visit, VisitedEngine, Wrong
from gomoku_brain.game.notation import parse_moves

__all__ = [
    "Step",
    "Talk",
    "any_case",
    "clean_errors",
    "leaves",
    "leaves_at_end_of_input",
    "move",
    "perform",
    "quiet",
    "word",
]

PAUSE_SECONDS = 0.3

Outcome = Callable[[Visit, VisitedEngine], None]
"""Reads what comes of a step; raises ``Wrong`` when it is not what is due."""


@dataclass(frozen=True)
class Step:
    """Something that must work."""

    name: str
    says: tuple[str, ...]
    outcome: Outcome
    effect: str
    """What the manager makes of it when it does not work."""
    optional: bool = False
    vital: bool = False
    times: int = 1
    """How often it is said, and answered."""
    told: bool = True
    """Whether it is a finding of its own; one that was told before need not be."""


@dataclass(frozen=True)
class Talk:
    """A process, and what is said to it."""

    steps: tuple[Step, ...]
    foreign: bool = False
    """Whether it runs in a folder that is not its own."""


# ----- What must come of it -----


def word(expected: str, seconds: float) -> Outcome:
    """Exactly this word."""
    return lambda _, engine: engine.expect(expected, seconds, SKIP_PISKVORK)


def any_case(expected: str, seconds: float) -> Outcome:
    """This word, in capitals or not."""

    def read(_: Visit, engine: VisitedEngine) -> None:
        line = engine.read(seconds, SKIP_PISKVORK)
        if line.upper() != expected:
            raise Wrong(f"it said {shorten(line)}")

    return read


def move(seconds: float | None = None, at_once: float | None = None) -> Outcome:
    """A move, a second after the turn's end at the latest, or within ``seconds``.

    Later than ``at_once`` it is wrong, though it comes.
    """

    def read(visit: Visit, engine: VisitedEngine) -> None:
        limit = visit.turn + 1 if seconds is None else seconds
        engine.read_move(limit, SKIP_PISKVORK)
        if at_once is not None and engine.elapsed > at_once:
            raise Wrong(f"it thought on for {engine.elapsed:.1f} s")

    return read


def quiet(_: Visit, engine: VisitedEngine) -> None:
    """Nothing."""
    engine.silence()


def leaves(seconds: float) -> Outcome:
    """It is gone so soon after END."""
    return lambda _, engine: engine.farewell(seconds)


def leaves_at_end_of_input(seconds: float) -> Outcome:
    """It is gone so soon after its input has ended."""

    def wait(_: Visit, engine: VisitedEngine) -> None:
        if not engine.brain.leaves_at_end_of_input(seconds):
            raise Wrong(f"it was still there {seconds:g} s after the pipe was closed")

    return wait


def clean_errors(_: Visit, engine: VisitedEngine) -> None:
    """Nothing has come on standard error."""
    if engine.brain.stderr_bytes:
        raise Wrong(shorten(engine.brain.complaints.replace("\n", " | ")))


# ----- Who performs it -----


def perform(visit: Visit, talks: Iterable[Talk]) -> None:
    """Have all talks with an engine; findings are the visit's."""
    for talk in talks:
        if not talk.foreign:
            _hold(visit, talk, None)
            continue
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            _hold(visit, talk, folder)


def _hold(visit: Visit, talk: Talk, cwd: str | None) -> None:
    with visit.process(cwd=cwd) as engine:
        for step in talk.steps:
            place = len(visit.checks)
            with visit.step(
                step.name, step.effect, optional=step.optional, vital=step.vital
            ):
                for _ in range(step.times):
                    _say(visit, engine, step.says)
                    step.outcome(visit, engine)
            if not step.told:
                del visit.checks[place:]


def _say(visit: Visit, engine: VisitedEngine, says: tuple[str, ...]) -> None:
    """Send lines in one go; after AWAIT and PAUSE begins another."""
    lines: list[str] = []
    for text in says:
        first, _, rest = text.partition(" ")
        if first in ("AWAIT", "PAUSE"):
            engine.ask(*lines)
            lines = []
            if first == "PAUSE":
                time.sleep(PAUSE_SECONDS)
            elif rest:
                engine.expect(rest, START_SECONDS, SKIP_PISKVORK)
            else:
                engine.read(START_SECONDS, SKIP_PISKVORK)
        elif first == "REPLY":
            lines.append(engine.reply())
        elif first == "TAKEBACK":
            x, y = engine.stones.pop()
            lines.append(f"TAKEBACK {x},{y}")
        elif first == "BOARD":
            engine.stones = parse_moves(rest)
            lines += engine.board()
        else:
            if first == "START":
                engine.size, engine.stones = int(rest), []
            lines.append(text.replace("{turn}", str(round(visit.turn * 1000))))
    if lines:
        engine.ask(*lines)
