"""How fast the window is; slow, since they say nothing on a busy machine."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow("times that say nothing on a busy machine")


def measured(*arguments):
    done = subprocess.run(
        [sys.executable, ".ci/measure_board.py", *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        timeout=300,
        check=True,
    )
    return json.loads(done.stdout)


def test_the_window_is_there_within_a_second_with_10_000_games():
    found = measured("start", "--times", "3")  # the first one may have to compile
    assert found["games"] == 10_000
    assert min(found["painted"]) <= 1000


def test_events_wait_less_than_50_ms_while_all_cores_search():
    found = measured("events", "--seconds", "10")
    assert found["late"]["count"] > 300
    assert found["late"]["0.99"] < 50
    assert found["step"]["0.9"] < 50
