"""How a command ends when its output or the user's patience does."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gomoku_brain import __main__ as command_line
from gomoku_brain.commands import levels

FULL = Path("/dev/full")


def start(*arguments, unbuffered="", **streams):
    """A command, its output buffered by Python as users have it, or not."""
    return subprocess.Popen(
        [sys.executable, "-m", "gomoku_brain", *arguments],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        **streams,
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["levels"],
        ["solve", "h8"],
        ["openings", "list"],
        ["analyze", "h8", "--nodes", "9"],
    ],
    ids=lambda arguments: arguments[0],
)
class TestOutput:
    @pytest.mark.skipif(not FULL.exists(), reason="a device of Linux")
    @pytest.mark.parametrize("unbuffered", ["", "1"])
    def test_a_full_disk_is_told_in_one_line(self, arguments, unbuffered):
        with (
            FULL.open("w") as full,
            start(*arguments, unbuffered=unbuffered, stdout=full) as process,
        ):
            _, told = process.communicate(timeout=60)
        assert process.returncode == 2
        assert told.startswith(f"gomoku-brain {arguments[0]}: ")
        assert told.count("\n") == 1
        assert "No space left" in told
        assert "None" not in told

    @pytest.mark.skipif(sys.platform == "win32", reason="it has no such error")
    def test_a_reader_that_leaves_early_is_no_error_to_tell(self, arguments):
        with start(*arguments, stdout=subprocess.PIPE) as process:
            process.stdout.close()
            told = process.stderr.read()
            process.wait(60)
        assert process.returncode == 1
        assert told == ""


def test_ctrl_c_in_any_command_shows_no_traceback(monkeypatch, capsys):
    def interrupted(arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(levels, "main", interrupted)
    assert command_line.main(["levels"]) == 130
    assert capsys.readouterr().err == ""
