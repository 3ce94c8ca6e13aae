"""The brain as a manager sees it: a process behind two pipes.

No verdict depends on who is faster. What must come is waited for until it comes, with
bounds that only tell that something hangs. How long the brain works for an answer is
measured in seconds of processor time: a machine that does other things as well gives it
less of that, never more.
"""

import os
import queue
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TIMEOUT = 300.0  # seconds; what has not come until then hangs
SLACK = 0.2  # seconds of processor time: its clock ticks, and the work after an answer


class Brain:
    """A running ``python pbrain.py``; lines with the time at which they came."""

    def __init__(self, *arguments, command=None, cwd=ROOT, env=None, stderr=False):
        clean = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("GOMOKU_") or name == "GOMOKU_CPU"
        }
        clean["PYTHONPATH"] = str(ROOT)
        # -S: it needs no other packages, and Python starts in half the time.
        command = command or [sys.executable, "-S", str(ROOT / "pbrain.py")]
        self.may_complain = stderr
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            [*command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=clean | (env or {}),
            bufsize=0,
        )
        self.raw = bytearray()
        self.arrived = self.started
        self._lines = queue.SimpleQueue()
        self._put_back = []
        self._errors = bytearray()
        self._threads = [
            threading.Thread(target=self._read, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def _read(self):
        rest = b""
        while chunk := os.read(self.process.stdout.fileno(), 1 << 16):
            now = time.perf_counter()
            self.raw += chunk
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self._lines.put((now, line.decode("ascii")))
        if rest:
            self._lines.put((time.perf_counter(), f"unfinished line {rest!r}"))
        self._lines.put((time.perf_counter(), None))

    def _read_errors(self):
        while chunk := os.read(self.process.stderr.fileno(), 1 << 16):
            self._errors += chunk

    # To the brain

    def write(self, data):
        self.process.stdin.write(data)

    def send(self, *lines, eol="\n", encoding="ascii"):
        """Send lines in a single write; the time before it."""
        now = time.perf_counter()
        self.write("".join(line + eol for line in lines).encode(encoding))
        return now

    def close_input(self):
        self.process.stdin.close()

    # From the brain

    def next(self, timeout=TIMEOUT):
        """The next line, None at the end of the output; fails when nothing comes."""
        if self._put_back:
            return self._put_back.pop()
        try:
            self.arrived, line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise AssertionError(f"no answer within {timeout} s") from None
        return line

    def put_back(self, line):
        """Let ``next`` return a line again."""
        self._put_back.append(line)

    def line(self, timeout=TIMEOUT):
        """The next line, which must be there."""
        line = self.next(timeout)
        assert line is not None, "the brain has left"
        return line

    def answer(self, timeout=TIMEOUT):
        """The next line that is not a MESSAGE or DEBUG."""
        while (line := self.line(timeout)).startswith(("MESSAGE ", "DEBUG ")):
            pass
        return line

    def move(self, timeout=TIMEOUT):
        """The next answer, which must be a move of the exact form "x,y"."""
        answer = self.answer(timeout)
        x, _, y = answer.partition(",")
        numbers = x.isdigit() and y.isdigit()
        assert numbers, f"not a move: {answer!r}"
        assert answer == f"{int(x)},{int(y)}"
        return int(x), int(y)

    def silence(self, seconds):
        """Fail when a line comes within the time; a slow machine passes."""
        try:
            _, line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return
        raise AssertionError(f"unexpected: {line!r}")

    def start(self, *lines, size=15):
        """START and further lines that want no answer."""
        self.send(f"START {size}")
        assert self.line() == "OK"
        if lines:
            self.send(*lines)
        return self

    @property
    def processor_seconds(self):
        """What all threads of the process have used so far."""
        psutil = pytest.importorskip("psutil")
        times = psutil.Process(self.process.pid).cpu_times()
        return times.user + times.system

    @contextmanager
    def works(self, seconds):
        """What is answered within takes so much processor time at most."""
        before = self.processor_seconds
        yield
        assert self.processor_seconds - before <= seconds + SLACK

    # The end

    def wait(self, timeout=TIMEOUT):
        """The exit status."""
        status = self.process.wait(timeout)
        for thread in self._threads:
            thread.join(TIMEOUT)
        return status

    def errors(self):
        """What came on standard error."""
        return self._errors.decode()

    def close(self):
        """Kill the process if need be; nothing may ever have come on stderr."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join(TIMEOUT)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()
        assert self.may_complain or self.errors() == ""
        assert b"\r" not in self.raw
