"""The machine under a soak's games: its load, and what it does besides."""

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil

FLOOR_MS = 5.0  # pauses of a bare loop that are counted

# A child that spins until its parent is gone; it says a byte when it has begun.
_SPIN = """
import os
os.write(1, b"!")
parent = os.getppid()
while os.getppid() == parent:
    for _ in range(1000000):
        pass
"""


@contextlib.contextmanager
def spinning(number):
    """Keep so many processors busy; yields the processes' ids."""
    command = [sys.executable, "-S", "-c", _SPIN]
    children = [
        subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(number)
    ]
    try:
        for child in children:
            child.stdout.read(1)
        yield [child.pid for child in children]
    finally:
        for child in children:
            child.kill()
            child.wait()
            child.stdout.close()


class Meter:
    """How much of the processors went to others than ourselves and these processes."""

    def __init__(self, pids):
        self.processes = [psutil.Process(), *(psutil.Process(pid) for pid in pids)]
        self.start = self._now()

    def _now(self):
        times = psutil.cpu_times()
        total, ours = sum(times), 0.0
        # Guests are counted as user time already.
        total -= getattr(times, "guest", 0.0) + getattr(times, "guest_nice", 0.0)
        stolen = getattr(times, "steal", 0.0)
        idle = times.idle + getattr(times, "iowait", 0.0)
        for process in self.processes:
            with contextlib.suppress(psutil.Error):
                own = process.cpu_times()
                ours += own.user + own.system
        return time.perf_counter(), total - idle - stolen, stolen, ours

    def read(self):
        """Processors used by others, and taken away by the host, since the start."""
        pairs = zip(self.start, self._now(), strict=True)
        seconds, busy, stolen, ours = (after - before for before, after in pairs)
        return round(max(busy - ours, 0.0) / seconds, 3), round(stolen / seconds, 3)


def usage(pid):
    """Milliseconds that a process ran, and that it was kept waiting while it could.

    The kernel books by thread and at its own pace, so small values say little.
    """
    ran = waited = 0
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            numbers = Path(f"/proc/{pid}/task/{task}/schedstat").read_text().split()
            ran, waited = ran + int(numbers[0]), waited + int(numbers[1])
    return ran / 1e6, waited / 1e6


def floor(seconds):
    """What the machine does to a program that only looks at the clock.

    Neither run-queue delay nor stolen time shows a virtual machine that stood still:
    the kernel books the pause as time that the program ran.
    """
    pauses = []
    last = start = time.perf_counter()
    while last < start + seconds:
        now = time.perf_counter()
        if now - last > FLOOR_MS / 1000:
            pauses.append((now - last) * 1000)
        last = now
    return (
        f"a bare loop was held up for over {FLOOR_MS:g} ms {len(pauses)} times in "
        f"{seconds:g} s, for {max(pauses, default=0.0):.1f} ms at most"
    )
