"""The scripted engine of fake_brain.py, as the tests name it."""

import sys
from pathlib import Path

from gomoku_brain.client.brain import EngineSpec

SCRIPT = Path(__file__).with_name("fake_brain.py")


def fake(*arguments, name="fake", infos=()):
    """An engine that misbehaves as told; see fake_brain.py."""
    # -I -S: it starts in 15 ms and reads nothing of this project.
    command = (sys.executable, "-I", "-S", str(SCRIPT), *arguments)
    return EngineSpec(name, command, infos=infos)
