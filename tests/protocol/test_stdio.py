import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import suppress
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


@pytest.mark.slow("an orphan is granted some seconds", ci=True)
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


# The manager's end

KILLED = """\
import os, subprocess, sys, time
brain = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
orders = b"START 15\\nINFO proof 0\\nINFO timeout_turn 600000\\nTURN 7,7\\n"
brain.stdin.write(orders)
brain.stdin.flush()
assert brain.stdout.readline() == b"OK\\n"
print(brain.pid, flush=True)
time.sleep(600)
"""


def cpu_seconds(process):
    times = process.cpu_times()
    return times.user + times.system


def test_a_manager_killed_in_mid_thought_leaves_no_brain_that_thinks():
    psutil = pytest.importorskip("psutil")
    manager = subprocess.Popen(
        [sys.executable, "-c", KILLED, sys.executable, str(ROOT / "pbrain.py")],
        stdout=subprocess.PIPE,
    )
    with manager:
        brain = psutil.Process(int(manager.stdout.readline()))
        while cpu_seconds(brain) < 0.5:  # it thinks
            time.sleep(0.02)
        manager.kill()
        manager.wait()
        used = 0.0
        with suppress(psutil.NoSuchProcess):
            before = cpu_seconds(brain)
            while brain.is_running() and brain.status() != psutil.STATUS_ZOMBIE:
                used = cpu_seconds(brain) - before
                assert used < 5, "it thinks on for ten minutes"
                time.sleep(0.02)


@pytest.mark.skipif(os.name == "nt", reason="hands file descriptors down")
def test_of_two_brains_that_hold_each_other_s_pipes_none_is_left():
    """The first one's input stays open until the second one has left."""
    first_in, to_first = os.pipe()
    second_in, to_second = os.pipe()
    from_brains, brains_out = os.pipe()
    command = [sys.executable, str(ROOT / "pbrain.py")]
    first = subprocess.Popen(command, stdin=first_in, stdout=brains_out)
    second = subprocess.Popen(
        command, stdin=second_in, stdout=brains_out, pass_fds=[to_first]
    )
    for pipe in (to_first, to_second):
        os.write(pipe, b"START 15\nINFO timeout_turn 600000\nTURN 7,7\n")
    for pipe in (first_in, second_in, brains_out):
        os.close(pipe)
    heard = b""
    while heard.count(b"OK\n") < 2:
        heard += os.read(from_brains, 100)
    for pipe in (to_first, to_second, from_brains):
        os.close(pipe)
    assert second.wait(TIMEOUT) == 0
    assert first.wait(TIMEOUT) == 0


OTHER_FOLDER = pytest.mark.slow("as with the other folder", ci=True)
SCRIPT = b"START 15\nINFO proof 0\nINFO max_node 3000\nBEGIN\nTURN 8,8\nTURN 1,1\n"


def replies(data):
    lines = data.decode("ascii").splitlines()
    return [line for line in lines if not line.startswith("MESSAGE ")]


def test_a_script_piped_whole_gets_all_its_answers(tmp_path):
    command = [sys.executable, str(ROOT / "pbrain.py")]
    ended = subprocess.run(command, input=SCRIPT, capture_output=True, check=True)
    assert [line.count(",") for line in replies(ended.stdout)] == [0, 1, 1, 1]
    depths = re.findall(rb"MESSAGE depth (\d+)", ended.stdout)
    assert min(map(int, depths)) > 1  # they are thought about
    with open(tmp_path / "answers", "w+b") as file:
        subprocess.run(command, input=SCRIPT, stdout=file, check=True)
        file.seek(0)
        assert len(replies(file.read())) == 4


@pytest.mark.parametrize("output", ["null", "terminal", "fifo"])
def test_any_output_that_is_open_is_written_to(tmp_path, output):
    log = tmp_path / "log"
    environment = {**os.environ, "GOMOKU_LOG": str(log)}
    if output == "null":
        ends = [os.open(os.devnull, os.O_WRONLY)]
    elif os.name == "nt":
        pytest.skip("there are none")
    elif output == "terminal":
        ends = [*reversed(os.openpty())]
    else:
        os.mkfifo(tmp_path / "fifo")
        reader = os.open(tmp_path / "fifo", os.O_RDONLY | os.O_NONBLOCK)
        ends = [os.open(tmp_path / "fifo", os.O_WRONLY), reader]
    subprocess.run(
        [sys.executable, str(ROOT / "pbrain.py")],
        input=SCRIPT,
        stdout=ends[0],
        env=environment,
        check=True,
    )
    for end in ends:
        os.close(end)
    said = [line.split(" ", 1)[1] for line in log.read_text("utf-8").splitlines()]
    moves = [line for line in said if re.fullmatch(r"< \d+,\d+", line)]
    assert len(moves) == 3
    assert "! nobody reads the answers" not in said


def test_an_end_with_the_commands_is_explained_once():
    ended = subprocess.run(
        [sys.executable, str(ROOT / "pbrain.py")],
        input=SCRIPT + b"END\n",
        capture_output=True,
        check=True,
    )
    lines = ended.stdout.decode("ascii").splitlines()
    (told,) = [n for n, line in enumerate(lines) if line.startswith("MESSAGE END ")]
    assert "leave END out" in lines[told]
    assert re.fullmatch(r"\d+,\d+", lines[told + 1])
    assert [line.count(",") for line in replies(ended.stdout)] == [0, 1, 1, 1]


def test_a_script_with_an_end_loses_no_answer_where_loading_takes_long():
    slow = (
        "import sys, time\n"
        "from gomoku_brain.player.player import Player\n"
        "load = Player.load\n"
        "Player.load = lambda self: (time.sleep(0.5), load(self))[1]\n"
        "from gomoku_brain.__main__ import main\n"
        "main([])\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", slow],
        input=SCRIPT + b"END\n",
        capture_output=True,
        check=True,
        cwd=ROOT,
    )
    assert [line.count(",") for line in replies(ended.stdout)] == [0, 1, 1, 1]


def test_an_end_in_the_middle_of_a_thought_is_not_explained(start_brain):
    brain = start_brain()
    brain.send("START 15", "INFO proof 0", "INFO timeout_turn 100000", "TURN 7,7")
    assert brain.line() == "OK"
    brain.silence(0.3)
    brain.send("END")
    assert brain.wait() == 0
    assert b"MESSAGE END" not in brain.raw


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


def test_an_old_python_is_reported():
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


@pytest.mark.parametrize(
    ("missing", "other"),
    [
        ("game", False),
        ("search", True),
        pytest.param("game", True, marks=OTHER_FOLDER),
        pytest.param("search", False, marks=OTHER_FOLDER),
    ],
)
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
