"""Tests run in the source tree, or beside an installed package without that tree."""

import gc
import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

# The arrays of these tests are small: with more threads BLAS only spins, here and in
# all programs that are started here.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Hundreds of programs are started here. Without caches of bytecode each one compiles
# the package anew, which takes as long as all the rest of its start.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell lets what it runs in the background ignore Ctrl-C, and so would all programs
# that are started here, some of them to see what it does.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# The same of SIGHUP, which ``nohup`` ignores.
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# A process of multiprocessing first runs the file of ``__main__``: that of ``pytest``
# would import pytest there.
vars(sys.modules["__main__"]).pop("__file__", None)

# For the makers of the engine: ``pytest tests/lab``, and ``.ci/run``.
collect_ignore = ["lab"]

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "gomoku_brain"

if find_spec("gomoku_brain.lab.train") is None:  # a wheel, which lacks it
    collect_ignore = ["lab", "stored", "eval/test_points.py"]


def pytest_configure():
    """Set the limits of Hypothesis, which is imported when its bytecode is cached.

    An example may take its time where the machine is busy; the test has its own limit.
    ``.ci/run`` requests more examples for each test.
    """
    from hypothesis import settings

    examples = int(os.environ.get("GOMOKU_EXAMPLES", "15"))
    settings.register_profile("patient", deadline=None, max_examples=examples)
    settings.load_profile("patient")


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


@pytest.fixture(scope="module", autouse=True)
def a_collection_of_garbage_is_short():
    """Collections exempt the tests and what those of other files have left behind."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def a_user_folder_of_the_tests(tmp_path_factory):
    """The tests neither read nor change the user's own folder."""
    os.environ["GOMOKU_BOARD_HOME"] = str(tmp_path_factory.mktemp("home"))


class Archives(NamedTuple):
    """Files of a release."""

    sdist: Path
    wheel: Path


@pytest.fixture(scope="session")
def archives(tmp_path_factory):
    """The source archive, and the wheel that pip builds of it without optimization."""
    folder = tmp_path_factory.mktemp("archives")

    def run(*command):
        done = subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env=os.environ | {"CFLAGS": "-O0"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    run("setup.py", "-q", "egg_info", f"--egg-base={folder}", "sdist", "-d", folder)
    (sdist,) = folder.glob("*.tar.gz")
    run(
        *("-m", "pip", "wheel", "--no-deps", "--no-build-isolation"),
        *("--wheel-dir", folder, sdist),
    )
    (wheel,) = folder.glob("*.whl")
    return Archives(sdist, wheel)
