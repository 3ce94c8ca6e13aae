"""Scripts of a manager as data, and the function that runs them.

Each script has a process of its own and a list of steps. A step has the lines to send,
the check of the answer, and the effect that a wrong answer has in the manager. Lines
are sent unchanged, except for these:

- ``{turn}`` in a line: the milliseconds of a move;
- REPLY: a stone of the other side and its TURN;
- BOARD and moves: the position as BOARD .. DONE, the engine to move;
- TAKEBACK: for the last stone;
- AWAIT: read the answer to the lines so far; AWAIT OK: it must be that word;
- PAUSE: a third of a second in which the engine thinks.
"""

import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from gomoku_brain.client.brain import START_SECONDS, shorten
from gomoku_brain.doctor.manager_session import (
    SKIP_PISKVORK,
    EngineProcess,
    ManagerSession,
    UnexpectedAnswer,
)
from gomoku_brain.game.notation import parse_moves

__all__ = [
    "Script",
    "ScriptStep",
    "any_case",
    "clean_errors",
    "leaves",
    "leaves_at_end_of_input",
    "move",
    "quiet",
    "run_scripts",
    "word",
]

PAUSE_SECONDS = 0.3

Outcome = Callable[[ManagerSession, EngineProcess], None]
"""Function that reads the answer of a step; raises ``UnexpectedAnswer`` if it is
wrong.
"""


@dataclass(frozen=True)
class ScriptStep:
    """Step of a script: lines to send, and the check of the answer."""

    name: str
    lines: tuple[str, ...]
    outcome: Outcome
    effect: str
    """Effect of a wrong answer in the manager."""
    optional: bool = False
    vital: bool = False
    times: int = 1
    """Number of times that the lines are sent, and answered."""
    reported: bool = True
    """Whether the step gives a finding; a repeated step need not."""


@dataclass(frozen=True)
class Script:
    """Process with the steps that it must pass."""

    steps: tuple[ScriptStep, ...]
    foreign: bool = False
    """Whether it runs in a folder that is not its own."""


# ----- Checks of the answer -----


def word(expected: str, seconds: float) -> Outcome:
    """Return a check for exactly this word."""
    return lambda _, engine: engine.expect(expected, seconds, SKIP_PISKVORK)


def any_case(expected: str, seconds: float) -> Outcome:
    """Return a check for this word, in capitals or not."""

    def read(_: ManagerSession, engine: EngineProcess) -> None:
        line = engine.read(seconds, SKIP_PISKVORK)
        if line.upper() != expected:
            raise UnexpectedAnswer(f"it answered {shorten(line)}")

    return read


def move(seconds: float | None = None, at_once: float | None = None) -> Outcome:
    """Return a check for a move, within ``seconds`` or by default the turn's time and 1
    s.

    A move after more than ``at_once`` seconds is wrong.
    """

    def read(session: ManagerSession, engine: EngineProcess) -> None:
        limit = session.turn + 1 if seconds is None else seconds
        engine.read_move(limit, SKIP_PISKVORK)
        if at_once is not None and engine.elapsed > at_once:
            raise UnexpectedAnswer(f"it thought on for {engine.elapsed:.1f} s")

    return read


def quiet(_: ManagerSession, engine: EngineProcess) -> None:
    """Check that nothing comes."""
    engine.silence()


def leaves(seconds: float) -> Outcome:
    """Return a check that the engine leaves within ``seconds`` after END."""
    return lambda _, engine: engine.end(seconds)


def leaves_at_end_of_input(seconds: float) -> Outcome:
    """Return a check that the engine leaves within ``seconds`` after its input has
    ended.
    """

    def wait(_: ManagerSession, engine: EngineProcess) -> None:
        if not engine.brain.leaves_at_end_of_input(seconds):
            raise UnexpectedAnswer(
                f"it was still there {seconds:g} s after the pipe was closed"
            )

    return wait


def clean_errors(_: ManagerSession, engine: EngineProcess) -> None:
    """Check that nothing has come on standard error."""
    if engine.brain.stderr_bytes:
        raise UnexpectedAnswer(shorten(engine.brain.complaints.replace("\n", " | ")))


# ----- Running a script -----


def run_scripts(session: ManagerSession, scripts: Iterable[Script]) -> None:
    """Run scripts with an engine; the findings are added to ``session.checks``."""
    for script in scripts:
        if not script.foreign:
            _run(session, script, None)
            continue
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            _run(session, script, folder)


def _run(session: ManagerSession, script: Script, cwd: str | None) -> None:
    with session.process(cwd=cwd) as engine:
        for step in script.steps:
            place = len(session.checks)
            with session.step(
                step.name, step.effect, optional=step.optional, vital=step.vital
            ):
                for _ in range(step.times):
                    _send(session, engine, step.lines)
                    step.outcome(session, engine)
            if not step.reported:
                del session.checks[place:]


def _send(
    session: ManagerSession, engine: EngineProcess, texts: tuple[str, ...]
) -> None:
    """Send lines in one go; a new group begins after AWAIT and PAUSE."""
    lines: list[str] = []
    for text in texts:
        first, _, rest = text.partition(" ")
        if first in ("AWAIT", "PAUSE"):
            engine.request(*lines)
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
            lines.append(text.replace("{turn}", str(round(session.turn * 1000))))
    if lines:
        engine.request(*lines)
