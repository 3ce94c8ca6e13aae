"""What the brain imports before its first OK, which every game waits for."""

import subprocess
import sys
from pathlib import Path

import pytest

import gomoku_brain

ROOT = Path(gomoku_brain.__file__).parents[1]

# Modules of the standard library that cost a tenth of the start of a bare Python and
# more, most of them by what they import themselves.
HEAVY = {
    *("argparse", "ast", "asyncio", "dataclasses", "datetime", "fnmatch", "inspect"),
    *("importlib.metadata", "importlib.resources", "json", "logging", "numpy"),
    *("pathlib", "random", "re", "shutil", "socket", "sqlite3", "subprocess"),
    *("tempfile", "typing", "urllib.parse", "zlib"),
}
OURS = """
    __init__ __main__ cpu game game.notation game.rules protocol protocol.blocks
    protocol.commands protocol.dialogue protocol.options protocol.session
    protocol.start_settings protocol.states protocol.stdio player player.player control
    control.strength engine engine.time_manager variants version
"""

CODE = """
import os, sys
root, seen, *sys.argv = sys.argv[1:]
sys.path.insert(0, root)
output = os.open(seen, os.O_WRONLY)
write = os.write
def watched(descriptor, data):
    if data == b"OK\\n":
        write(output, " ".join(sys.modules).encode())
    return write(descriptor, data)
os.write = watched
from gomoku_brain.__main__ import main
main()
"""


def modules_before_ok(tmp_path, program):
    """The names of all modules in memory when the brain answers START."""
    seen = tmp_path / "modules"
    seen.touch()
    ended = subprocess.run(
        # Without site: what a virtual environment imports at its start is not ours.
        [sys.executable, "-S", "-c", CODE, ROOT, seen, program],
        input=b"START 15\nEND\n",
        capture_output=True,
        check=True,
    )
    assert ended.stdout == b"OK\n"
    return set(seen.read_text("utf-8").split())


@pytest.mark.parametrize(
    "program",
    ["pbrain-gomoku-brain", "pbrain-gomoku-brain-t4", "gomoku-brain", "pbrain.py"],
)
def test_little_is_imported_before_the_first_ok(tmp_path, program):
    names = modules_before_ok(tmp_path, str(tmp_path / program))
    package = "gomoku_brain"
    ours = {
        name.removeprefix(f"{package}.") if name != package else "__init__"
        for name in names
        if name.partition(".")[0] == package
    }
    assert ours == set(OURS.split())
    assert not names & HEAVY
