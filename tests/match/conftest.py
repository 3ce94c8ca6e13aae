import os
import sys
from pathlib import Path

import psutil
import pytest

from gomoku_brain.client import guard
from gomoku_brain.client.brain import Brain


def descendants(pid):
    """Numbers of the processes below one; psutil reads those of all others as well."""
    if sys.platform != "linux":
        return {each.pid for each in psutil.Process(pid).children(recursive=True)}
    while True:
        found = set()
        try:
            for path in Path(f"/proc/{pid}/task").glob("*/children"):
                for child in map(int, path.read_text().split()):
                    found |= {child} | descendants(child)
        except (FileNotFoundError, ProcessLookupError):
            continue  # a thread has ended, and another one has its children: again
        return found


@pytest.fixture(autouse=True)
def children_left():
    """Whatever an engine did, nothing of it is left when the test ends.

    A call tells the children of this process that did not stand before the test, so
    that what other tests keep (such as a tracker of multiprocessing) does not count.
    """
    guard.start()  # it stays until the process ends
    before = descendants(os.getpid())

    def left():
        return descendants(os.getpid()) - before

    yield left
    assert not left()


@pytest.fixture
def hurry(monkeypatch):
    """A call cuts short the wait for an answer that an engine never gives to START or
    RESTART. Other engines keep all the time that a busy machine may need.
    """
    whole = Brain.query_ok

    def cut_short(command, name, seconds=0.3):
        def query_ok(brain, line, *, deadline, stop=None):
            if brain.spec.name == name and line.split()[0] == command:
                deadline = seconds
            return whole(brain, line, deadline=deadline, stop=stop)

        monkeypatch.setattr(Brain, "query_ok", query_ok)

    return cut_short
