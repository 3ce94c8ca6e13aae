import pytest

from gomoku_brain.proofs import proved
from tests.protocol.brain import Brain


@pytest.fixture(autouse=True)
def no_proof(monkeypatch):
    """Sessions in this process ask their engine, also where a proof knows the move."""
    monkeypatch.setattr(proved, "book_for", lambda *_: None)


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
