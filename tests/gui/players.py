"""Seats for the tests: fake programs, and our brain at a level that answers at once."""

import shlex
import sys

import pytest

from gomoku_brain.control.limits import PlayerLimits
from gomoku_brain.gui.model.game_players import PlayerConfig
from tests.match.engines import fake

QUICK = PlayerLimits(turn=2.0, margin=1.0)
HUMAN = PlayerConfig()
EASY = PlayerConfig("brain", strength=22)
posix = pytest.mark.skipif(
    sys.platform == "win32", reason="the commands are quoted for a POSIX shell"
)


def program(*arguments, name="fake"):
    """The engine of tests/match/fake_brain.py on a seat."""
    return PlayerConfig("program", name, command=shlex.join(fake(*arguments).command))
