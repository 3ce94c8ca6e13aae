"""What a user gets: the ways to start the brain, and the files of a wheel."""

import re
import subprocess
import sys
import sysconfig
import tarfile
from importlib import metadata
from pathlib import Path

import pytest

import gomoku_brain
from gomoku_brain.__main__ import main
from gomoku_brain.control.limits import FULL_STRENGTH
from gomoku_brain.protocol import stdio

ROOT = Path(__file__).parents[1]
SCRIPTS = Path(sysconfig.get_path("scripts"))
EXE = ".exe" if sys.platform == "win32" else ""
PBRAIN = SCRIPTS / f"pbrain-gomoku-brain{EXE}"

installed = pytest.mark.skipif(not PBRAIN.exists(), reason="needs `pip install -e .`")
WAYS_TO_START = {
    "pbrain.py": [sys.executable, ROOT / "pbrain.py"],
    "module": pytest.param([sys.executable, "-m", "gomoku_brain"], marks=installed),
    "script": pytest.param([SCRIPTS / f"gomoku-brain{EXE}"], marks=installed),
    "pbrain script": pytest.param([PBRAIN], marks=installed),
}


@pytest.mark.parametrize("command", WAYS_TO_START.values(), ids=WAYS_TO_START.keys())
def test_brain_starts_in_any_folder(command, tmp_path):
    done = subprocess.run(
        command,
        input=b"START 15\nINFO timeout_turn 200\nBEGIN\n",
        capture_output=True,
        cwd=tmp_path,
        timeout=60,
    )
    lines = [
        line
        for line in done.stdout.decode("ascii").split("\n")
        if not line.startswith(("MESSAGE ", "DEBUG "))
    ]
    assert done.stderr == b""
    assert done.returncode == 0
    assert len(lines) == 3
    assert lines[0] == "OK"
    assert re.fullmatch(r"\d+,\d+", lines[1])
    assert lines[2] == ""
    assert not list(tmp_path.iterdir()), "the brain leaves no files behind"


@pytest.mark.parametrize(
    ("options", "served"),
    [
        ("--threads 3", (FULL_STRENGTH, 3, None)),
        ("--level beginner --threads=2", (0, 2, None)),
        ("--seed 4 --strength 33", (33, 1, 4)),
    ],
)
def test_the_brain_starts_with_its_options(options, served, monkeypatch):
    called = []

    def serve(settings, seed):
        called.append((settings.strength, settings.threads, seed))

    monkeypatch.setattr(stdio, "run_protocol", serve)
    assert main(options.split()) == 0
    assert called == [served]


@installed
def test_version_is_the_same_everywhere():
    assert metadata.version("gomoku-brain") == gomoku_brain.__version__


def test_type_checkers_find_the_types():
    assert Path(gomoku_brain.__file__).with_name("py.typed").is_file()


WATCHED = """
import sys
from pathlib import Path

HEAVY = {"numpy", "scipy", "matplotlib", "PySide6", "asyncio"}

class Watcher:
    def find_spec(self, name, path=None, target=None):
        if name in HEAVY or name == "gomoku_brain.engine.engine":
            with Path(sys.argv[1]).open("a") as seen:
                seen.write(name + " ")

sys.meta_path.insert(0, Watcher())
from gomoku_brain.__main__ import main
main([])
"""


def test_the_brain_plays_without_numpy_and_its_like(tmp_path):
    """A whole conversation, in a process that writes down what it imports."""
    seen = tmp_path / "seen.txt"
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, seen],
        input=b"START 15\nINFO timeout_turn 200\nINFO rule 4\nBEGIN\nTURN 1,1\n",
        capture_output=True,
        timeout=60,
    )
    assert len(re.findall(rb"^\d+,\d+\r?$", done.stdout, re.MULTILINE)) == 2
    assert seen.read_text().split() == ["gomoku_brain.engine.engine"]


@pytest.mark.source
@pytest.mark.slow("builds the source archive and a wheel of it", ci=True)
@pytest.mark.timeout(900)
def test_wheel_built_from_the_sdist_holds_the_package_and_nothing_else(archives):
    with tarfile.open(archives.sdist) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    assert not [name for name in packed if re.search(r"\.(c|so|pyd|pyc)$", name)]
    done = subprocess.run(
        [sys.executable, ".ci/release/check_wheel.py", archives.wheel],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
