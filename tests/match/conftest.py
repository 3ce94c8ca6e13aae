import os
import sys
from pathlib import Path

import psutil
import pytest

from gomoku_brain.client import guard


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
