"""Who plays a soak's games: a copy of the brain, in a process that a manager uses."""

import compileall
import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from soak.machine import usage
from tests.protocol.brain import Brain

UNLIMITED_MS = 2147483647
MB = 1 << 20


def fingerprint(root):
    """Eight digits that tell builds of the brain apart."""
    digest = hashlib.sha256()
    for path in sorted(root.glob("gomoku_brain/**/*")):
        if path.suffix in (".py", ".so", ".pyd", ".bin"):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


@contextlib.contextmanager
def frozen(program):
    """A copy of the brain, so that a rebuild does not change it under its games."""
    with tempfile.TemporaryDirectory(prefix="selfplay-") as folder:
        package = Path(folder, "gomoku_brain")
        # Time stamps are kept, and with them the worth of the compiled Python files.
        shutil.copytree(program.parent / "gomoku_brain", package)
        copy = shutil.copy2(program, folder)
        compileall.compile_dir(package, quiet=2)
        yield Path(copy)


@dataclass
class Timed:
    """An answer and what it cost, in milliseconds."""

    line: str
    ms: float
    cold: bool  # the start of the process is in it
    ran: float
    waited: float
    said: str | None  # the last MESSAGE


class Lost(Exception):
    """The brain has left or can no longer be talked to."""


class Contestant:
    """A brain's process, with what a manager remembers of it."""

    def __init__(self, plan, program, variant=""):
        self.log = None
        self.variant = variant  # of the build; "" as the brain chooses
        self.served = 0  # games
        env = {"PYTHONPATH": str(program.parent)}
        if variant:
            env["GOMOKU_CPU"] = variant
        self.watched = plan.watched
        if plan.watched:
            handle, self.log = tempfile.mkstemp(prefix="selfplay-", suffix=".log")
            os.close(handle)
            env |= {"GOMOKU_LOG": self.log, "GOMOKU_DEBUG_STDERR": "1"}
        command = [sys.executable, "-W", "error", str(program)]
        self.brain = Brain(command=command, env=env, stderr=True)
        self.size = None  # of the game before
        self.sent = []  # all that was written, as (time, line)
        self.end_ms = 0.0  # from END to the exit
        self.stderr_seen = 0

    def begin(self, plan, trouble):
        """Announce a game; a manager in a hurry does so with its first position."""
        size = (plan.width, plan.height)
        if plan.restart and not plan.burst and size == self.size:
            start = "RESTART"
        elif plan.width == plan.height:
            start = f"START {plan.width}"
        else:
            start = f"RECTSTART {plan.width},{plan.height}"
        self.size, self.eol = size, plan.eol
        self.used = 0.0  # ms of the match
        self.announced = False
        self.head = [
            f"INFO max_memory {plan.memory}",
            f"INFO timeout_match {plan.match}",
            f"INFO timeout_turn {plan.limit}",
            f"INFO rule {plan.rule}",
        ]
        if plan.tells_left:
            self.head.insert(3, "INFO game_type 1")
        if plan.burst:
            self.head.insert(0, start)
            return
        self.send(start)
        answer = self.brain.next()
        if answer != "OK":
            trouble.append(f"{start} answered by {answer!r}")
            raise Lost
        self.send(*self.head)
        self.head = []

    def send(self, *lines):
        """Write lines at once; the time before it."""
        now = self.brain.send(*lines, eol=self.eol)
        self.sent += [(now, line) for line in lines]
        return now

    def ask(self, plan, stones, trouble):
        """Have a move made after these stones; a Timed."""
        lines = []
        if plan.tells_left:
            left = round(plan.match - self.used) if plan.match else UNLIMITED_MS
            lines.append(f"INFO time_left {left}")
        lines += self._position(plan, stones)
        self.announced = True

        while (early := self._waiting()) is not None:
            trouble.append(f"line without a command: {early!r}")
        cold, wants_ok = not self.sent, bool(self.head)
        lines[:0], self.head = self.head, []
        before = usage(self.brain.process.pid)
        sent = self.send(*lines)
        said = None
        while True:
            line = self.brain.next()  # raises AssertionError when it hangs
            if line is None:
                raise Lost
            if wants_ok:
                wants_ok = False
                if line == "OK":
                    continue
            if not line.startswith(("MESSAGE ", "DEBUG ")):
                break
            said = line
            if len(line) >= 1000:
                trouble.append(f"line of {len(line)} characters: {line[:80]!r}")
        ms = (self.brain.arrived - sent) * 1000
        self.used += ms
        after = usage(self.brain.process.pid)
        ran, waited = (b - a for a, b in zip(before, after, strict=True))
        return Timed(line, ms, cold, ran, waited, said)

    def _position(self, plan, stones):
        if not plan.always_board:
            if self.announced or (len(stones) == 1 and not plan.burst):
                return ["TURN {},{}".format(*stones[-1])]
            if not stones and not plan.burst:
                return ["BEGIN"]
        own = len(stones) % 2  # the parity of our stones' numbers
        rows = [
            f"{x},{y},{1 if i % 2 == own else 2}" for i, (x, y) in enumerate(stones)
        ]
        return ["BOARD", *rows, "DONE"]

    def _waiting(self):
        """A line that has come already, or None."""
        try:
            return self.brain.next(0)
        except AssertionError:
            return None

    def memory(self):
        """MB that the process has in memory."""
        with contextlib.suppress(psutil.Error):
            return round(psutil.Process(self.brain.process.pid).memory_info().rss / MB)
        return 0

    def new_errors(self):
        """Bytes on standard error since the last call."""
        before, self.stderr_seen = self.stderr_seen, len(self.brain._errors)
        return self.stderr_seen - before

    def leave(self, trouble):
        """Say END and see the process off."""
        process = self.brain.process
        if process.poll() is None:
            with contextlib.suppress(OSError):
                sent = self.send("END")
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(5)
                self.end_ms = (time.perf_counter() - sent) * 1000
        if process.poll() != 0:
            trouble.append(f"exit status {process.poll()}")
        try:
            self.brain.close()
        except AssertionError:
            trouble.append("a CR in the output")
        while (line := self._waiting()) is not None:
            trouble.append(f"line after the last move: {line!r}")
        if self.log:
            text = Path(self.log).read_text(encoding="utf-8", errors="replace")
            for line in text.splitlines():
                if line.partition(" ")[2].startswith("!"):
                    trouble.append(f"logged: {line}")
            self.logged = text
            os.unlink(self.log)

    def conversation(self):
        """All that was said, for whoever looks into a trouble."""
        wrote = "".join(f"{when:.4f} > {line}\n" for when, line in self.sent)
        parts = [wrote, self.brain.raw.decode("latin-1"), self.brain.errors()]
        if self.log:
            parts.append(getattr(self, "logged", ""))
        return "\n--- ".join(parts)
