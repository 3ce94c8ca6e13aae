import psutil
import pytest

from gomoku_brain.client import guard


@pytest.fixture(autouse=True)
def children_left():
    """Whatever an engine did, nothing of it is left when the test ends.

    A call tells the children of this process that did not stand before the test, so
    that what other tests keep (such as a tracker of multiprocessing) does not count.
    """
    guard.start()  # it stays until the process ends
    before = set(psutil.Process().children(recursive=True))

    def left():
        return set(psutil.Process().children(recursive=True)) - before

    yield left
    assert not left()
