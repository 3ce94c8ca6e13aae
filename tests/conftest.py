"""Tests run in the source tree, or beside an installed package without that tree."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# The arrays of these tests are small: with more threads BLAS only spins, here and in
# all programs that are started here.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# An example may take its time where the machine is busy; the test has its own limit.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

# A shell lets what it runs in the background ignore Ctrl-C, and so would all programs
# that are started here, some of them to see what it does.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

SOURCE = Path(__file__).parents[1] / "gomoku_brain"


def pytest_collection_modifyitems(items):
    for item in items:
        for mark in item.iter_markers("slow"):
            if not mark.args:
                expected = 'say why it is slow, as pytest.mark.slow("builds a wheel")'
                raise pytest.UsageError(f"{item.nodeid}: {expected}")
    if SOURCE.exists():
        return
    for item in items:
        if item.get_closest_marker("source"):
            item.add_marker(pytest.mark.skip(reason="needs the source tree"))
