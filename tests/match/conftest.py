import psutil
import pytest


@pytest.fixture(autouse=True)
def no_child_left():
    """Whatever an engine did, nothing of it is left when the test ends."""
    before = set(psutil.Process().children(recursive=True))
    yield
    left = set(psutil.Process().children(recursive=True)) - before
    assert not left, left
