"""Nothing is lost, and one line says why, when any call of the system fails."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.source,
    pytest.mark.skipif(
        sys.platform != "linux" or shutil.which("cc") is None,
        reason="preloads a library that is compiled here",
    ),
]
ROOT = Path(__file__).parents[2]
SOME = "write=9 rename=9"  # every 9th write and rename


def more(run, steps):
    """More calls of a run; ``GOMOKU_FAULTS=1``: each call in turn, in half an hour."""
    if "GOMOKU_FAULTS" in os.environ:
        steps = re.sub("=[0-9]+", "=1", steps)
    slow = pytest.mark.slow("hundreds of small runs", ci=True)
    return pytest.param(run, steps, id=f"{run}-more", marks=slow)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    path = tmp_path_factory.mktemp("library") / "faults.so"
    source = Path(__file__).with_name("faults.c")
    flags = ("-shared", "-fPIC", "-O1", "-D_GNU_SOURCE", "-Wall", "-Werror")
    subprocess.run(["cc", *flags, "-o", path, source, "-ldl"], check=True)
    return path


@pytest.mark.parametrize(
    ("run", "steps"),
    [
        *(("match", SOME), ("archive", SOME)),
        more("match", "write=1 fsync=1 rename=1 malloc=60"),
        more("prove", "write=9 fsync=1 rename=1 malloc=400"),
        more("archive", "write=1 fsync=1 rename=1 malloc=60"),
        more("rescue", "write=3 fsync=3 rename=1 malloc=100"),
        more("selfplay", "write=1 fsync=1 rename=1 malloc=30"),
        more("settings", "write=1 fsync=1 rename=1 malloc=3"),
    ],
)
def test_a_call_that_fails_is_reported_and_loses_nothing(library, tmp_path, run, steps):
    done = subprocess.run(
        [
            *(sys.executable, "-m", "tests.faults.small_runs"),
            *(library, tmp_path / "folder", run, steps),
        ],
        cwd=ROOT,
        env=os.environ | {"LD_PRELOAD": str(library)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len({row["kind"] for row in rows}) == len(steps.split())
    for row in rows:
        print(row)
        assert row["problems"] == []
    assert any(row["tried"] for row in rows)
