import os
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import gomoku_brain
from gomoku_brain import variants
from gomoku_brain.protocol.stdio import LineSplitter
from tests.protocol.brain import ROOT, TIMEOUT

PACKAGE = Path(gomoku_brain.__file__).parent


def split(*chunks):
    splitter = LineSplitter()
    lines = [line for chunk in chunks for line in splitter.feed(chunk)]
    return lines + splitter.finish()


@pytest.mark.parametrize(
    "chunks",
    [
        [b"START 15\nBEGIN\n"],
        [b"START 15\r\nBEGIN\r\n"],
        [b"START 15\rBEGIN\r"],
        [b"START 15\nBEGIN"],
        [b"STA", b"RT 15\r", b"\nBEG", b"IN", b"\r", b"\n"],
        [b"\xef\xbb\xbfSTART 15\nBEGIN\n"],
        [b"\xef", b"\xbb\xbfSTA", b"RT 15\nBEGIN\n"],
    ],
)
def test_lines_end_at_lf_crlf_or_cr(chunks):
    assert [line for line in split(*chunks) if line] == ["START 15", "BEGIN"]


def test_a_cr_at_the_end_of_a_chunk_ends_the_line_at_once():
    splitter = LineSplitter()
    assert splitter.feed(b"BEGIN\r") == ["BEGIN"]
    assert splitter.feed(b"\n") == []
    assert splitter.feed(b"END\r") == ["END"]
    assert splitter.feed(b"\nTURN 1,1\n") == ["TURN 1,1"]
    assert splitter.feed(b"\n") == [""]


def test_no_byte_is_undecodable():
    assert split(bytes(range(14, 256))) == [bytes(range(14, 256)).decode("latin-1")]


def test_a_long_line_is_kept_and_an_endless_one_is_cut():
    assert split(b"x" * 100_000 + b"\nEND\n") == ["x" * 100_000, "END"]
    splitter = LineSplitter()
    for _ in range(100):
        assert splitter.feed(b"x" * 100_000) == []
    line, end = splitter.feed(b"\nEND\n")
    assert len(line) <= 1 << 20
    assert end == "END"


@given(st.binary(max_size=60), st.lists(st.integers(0, 60), max_size=6))
@example(b"\xef\xbb\xbf", [1])
def test_chunks_do_not_matter(data, cuts):
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    chunks = [data[a:b] for a, b in pairwise(edges)]
    whole = [line for line in split(data) if line]
    assert [line for line in split(*chunks) if line] == whole


def test_an_empty_chunk_changes_nothing():
    assert split(b"", b"A\r", b"", b"\nB\n") == ["A", "B"]


# The process


def test_the_brain_works_from_any_folder(start_brain, tmp_path):
    brain = start_brain(cwd=tmp_path)
    brain.send("START 15", "BEGIN")
    assert [brain.line(), brain.line()] == ["OK", "7,7"]


def test_python_m_gomoku_brain_is_the_same(start_brain):
    brain = start_brain(command=[sys.executable, "-m", "gomoku_brain"])
    brain.send("START 15")
    assert brain.line() == "OK"


def test_the_end_of_input_ends_the_process(start_brain):
    brain = start_brain()
    brain.send("START 15")
    assert brain.line() == "OK"
    brain.close_input()
    assert brain.wait() == 0


def test_a_last_line_without_its_end_is_executed(start_brain):
    brain = start_brain()
    brain.write(b"START 15")
    brain.close_input()
    assert brain.line() == "OK"
    assert brain.wait() == 0


def test_an_orphan_with_an_unlimited_search_ends(start_brain):
    brain = start_brain()
    brain.send("START 15", "INFO timeout_turn -1", "TURN 7,7")
    assert brain.line() == "OK"
    brain.silence(0.3)
    brain.close_input()
    assert brain.move()
    assert brain.wait() == 0


@pytest.mark.slow("an orphan is granted some seconds")
def test_an_orphan_with_a_huge_node_limit_ends(start_brain):
    brain = start_brain()
    brain.send("START 15", "INFO max_node 500000000000", "TURN 7,7")
    assert brain.line() == "OK"
    brain.close_input()
    assert brain.wait() == 0


def test_a_manager_that_no_longer_reads_is_left():
    # No thread reads here: the pipe is closed before the brain can write again.
    brain = subprocess.Popen(
        [sys.executable, str(ROOT / "pbrain.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
    )
    with brain:
        brain.stdin.write(b"START 15\n")
        assert brain.stdout.readline() == b"OK\n"
        brain.stdout.close()
        brain.stdin.write(b"INFO timeout_turn 100\nTURN 7,7\n")
        assert brain.wait(TIMEOUT) == 0


def test_the_log_has_the_conversation_when_asked_for(start_brain, tmp_path):
    path = tmp_path / "brain.log"
    brain = start_brain(env={"GOMOKU_LOG": str(path)})
    brain.send("START 15", "INFO folder C:\\\xe9\xff", encoding="latin-1")
    assert brain.line() == "OK"
    brain.close_input()  # no END: that leaves whatever is still to be written
    assert brain.wait() == 0
    notes = [line.split(" ", 1)[1] for line in path.read_text("utf-8").splitlines()]
    assert sorted(notes) == [
        "< OK",
        "> INFO folder C:\\\xe9\xff",
        "> START 15",
        f"variant {variants.name}",
    ]


def test_a_log_that_cannot_be_written_is_no_obstacle(start_brain, tmp_path):
    brain = start_brain(env={"GOMOKU_LOG": str(tmp_path / "no" / "such" / "folder")})
    brain.send("START 15")
    assert brain.line() == "OK"


def test_silence_by_the_environment(start_brain):
    brain = start_brain(env={"GOMOKU_QUIET": "1"})
    brain.send("START 15", "INFO timeout_turn 200", "TURN 7,7")
    assert brain.line() == "OK"
    assert "," in brain.line()


def test_one_line_of_play_by_default(start_brain):
    brain = start_brain()
    brain.send("START 15", "INFO timeout_turn 200", "TURN 7,7")
    assert brain.line() == "OK"
    assert brain.line().startswith("MESSAGE depth ")
    assert "," in brain.line()


def test_nothing_is_left_in_the_folder(start_brain, tmp_path):
    brain = start_brain(cwd=tmp_path)
    brain.send("START 15", f"INFO folder {tmp_path}", "BEGIN", "END")
    assert brain.wait() == 0
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_version(start_brain, option):
    brain = start_brain(option)
    assert brain.line().startswith("gomoku-brain ")
    assert brain.wait() == 0


def test_help_names_the_commands(start_brain):
    brain = start_brain("--help")
    assert brain.line().startswith("usage: ")
    assert brain.wait() == 0


def test_an_unknown_command_is_one_line_and_status_2(start_brain):
    brain = start_brain("no-such-command", stderr=True)
    assert brain.wait() == 2
    (line,) = brain.errors().splitlines()
    assert "no-such-command" in line


def test_an_old_python_is_told():
    code = (
        "import runpy, sys\n"
        "sys.version_info = (3, 8, 18, 'final', 0)\n"
        f"runpy.run_path({str(ROOT / 'pbrain.py')!r}, run_name='__main__')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert ended.stdout == ""
    (line,) = ended.stderr.splitlines()
    assert line.startswith("gomoku-brain needs Python 3.11 or later, and ")
    assert line.endswith(" is 3.8")


@pytest.mark.parametrize("missing", ["game", "search"])
@pytest.mark.parametrize("other", [False, True])
def test_a_brain_that_is_not_built_says_what_to_do(
    start_brain, tmp_path, missing, other
):
    """And a brain that is built for another Python."""

    def unbuilt(folder, names):
        built = [name for name in names if name.endswith((".so", ".pyd"))]
        return built if folder.endswith(missing) else []

    shutil.copytree(PACKAGE, tmp_path / "gomoku_brain", ignore=unbuilt)
    shutil.copy(ROOT / "pbrain.py", tmp_path)
    if other:
        for source in (tmp_path / "gomoku_brain" / missing).glob("*.pyx"):
            source.with_suffix(".cpython-27-none.so").touch()
    brain = start_brain(
        command=[sys.executable, "pbrain.py"],
        cwd=tmp_path,
        env={"PYTHONPATH": ""},
        stderr=True,
    )
    brain.send("START 15")
    assert brain.wait() == 1
    (line,) = brain.errors().splitlines()
    state = "built for another Python" if other else "not built"
    assert f" is {state}: run `{sys.executable} -m pip install .`" in line
