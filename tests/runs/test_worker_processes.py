"""Processes that work for a long command."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool

import psutil
import pytest

from gomoku_brain.runs.worker_processes import as_finished

ASKING = """
import signal
from gomoku_brain.runs.worker_processes import WorkerProcesses
if __name__ == "__main__":
    with WorkerProcesses(2) as pool:
        asked = [pool.submit(signal.getsignal, signal.SIGINT) for _ in range(4)]
        print({each.result() for each in asked} == {signal.SIG_IGN}, end=" ")
    print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""
WAITING = """
import time
from gomoku_brain.runs.worker_processes import WorkerProcesses
if __name__ == "__main__":
    with WorkerProcesses(2) as pool:
        running = [pool.submit(time.sleep, 600) for _ in range(2)]
        time.sleep(1)
        print("ready", flush=True)
        time.sleep(600)
"""
ENDING = """
import time
from gomoku_brain.runs.worker_processes import WorkerProcesses
if __name__ == "__main__":
    with WorkerProcesses(1) as others, WorkerProcesses(1) as pool:
        kept = others.submit(time.sleep, 1)
        ended = pool.submit(time.sleep, 600)
        while not (kept.running() and ended.running()):
            time.sleep(0.01)
        pool.end_now()
        print(type(ended.exception()).__name__, kept.result())
"""


def printed_by(code, folder):
    """What a program prints; it is a file, as workers must be able to import it."""
    script = folder / "script.py"
    script.write_text(code)
    return subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=True
    ).stdout


def test_workers_ignore_ctrl_c_and_their_program_does_not(tmp_path):
    assert printed_by(ASKING, tmp_path) == "True True\n"


@pytest.mark.skipif(sys.platform == "win32", reason="its programs are ended otherwise")
@pytest.mark.timeout(60)
@pytest.mark.parametrize("how", ["SIGTERM", "SIGKILL"])
def test_workers_end_with_the_process_that_needs_them(tmp_path, how):
    """Even those that are at work, and however it ends."""
    script = tmp_path / "waiting.py"
    script.write_text(WAITING)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE) as process:
        while b"ready" not in process.stdout.readline():
            pass
        children = psutil.Process(process.pid).children(recursive=True)
        assert len(children) >= 2 + 1, "and what tracks their resources"
        os.kill(process.pid, getattr(signal, how))
        process.wait()
    _, alive = psutil.wait_procs(children, timeout=30)
    assert not alive


@pytest.mark.timeout(60)
def test_ending_them_ends_no_others(tmp_path):
    assert printed_by(ENDING, tmp_path) == "BrokenProcessPool None\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals there")
@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("presses", "pause"),
    [
        (1, 0),
        pytest.param(3, 0.1, marks=pytest.mark.slow("as with one press", ci=True)),
        pytest.param(9, 0.01, marks=pytest.mark.slow("as with one press", ci=True)),
    ],
)
def test_ctrl_c_ends_a_command_and_its_workers(presses, pause):
    """With one press, and quietly with more, which come while the first one acts."""
    command = [sys.executable, "-m", "gomoku_brain", "prove", "--empty"]
    with subprocess.Popen(
        [*command, "--workers", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        program = psutil.Process(process.pid)
        while len(program.children()) < 2 + 1:  # the workers, and what tracks resources
            time.sleep(0.02)
        time.sleep(0.1)
        children = program.children()
        for _ in range(presses):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)
                time.sleep(pause)
        expected = process.communicate(timeout=30)[1].decode()
    assert process.returncode == 130
    lines = expected.splitlines()
    starts = "stopped: ", "gomoku-brain prove: stopped"  # the second before any work
    assert all(line.startswith(starts) for line in lines), expected
    assert len(lines) == 1 or presses > 1, "the first one says what is known"
    _, alive = psutil.wait_procs(children, timeout=30)
    assert not alive


@pytest.mark.parametrize("lost", range(3))
def test_finished_work_is_returned_before_a_failure(lost):
    """Whatever comes first; a broken pool takes nothing more."""
    futures = []

    def begin(piece):
        assert not any(future.done() for future in futures), "it is broken"
        future = Future()
        futures.append(future)
        if len(futures) == 3:
            for number, each in enumerate(futures):
                if number == lost:
                    each.set_exception(BrokenProcessPool())
                else:
                    each.set_result(number)
        return future

    expected = []
    with pytest.raises(BrokenProcessPool):
        expected.extend(as_finished(begin, range(9), 3))
    assert set(expected) == {0, 1, 2} - {lost}
