import pytest

from tests.protocol.brain import Brain


@pytest.fixture
def start_brain():
    """Start brains that are gone when the test ends."""
    brains = []

    def start(*arguments, **options):
        brains.append(Brain(*arguments, **options))
        return brains[-1]

    yield start
    for brain in brains:
        brain.close()


@pytest.fixture
def brain(start_brain):
    """A brain just started."""
    return start_brain()
