"""No engine survives the program that started it, also if that was killed."""

import signal
import subprocess
import sys
import time
from ctypes import sizeof

import pytest

from gomoku_brain.client.windows_job import ExtendedLimits, WindowsJob
from tests.match.engines import SCRIPT

psutil = pytest.importorskip("psutil")
PATIENCE = 60  # seconds

# Starts an engine that hangs, ignores signals and has a child, and prints its pid.
FROM_PYTHON = """
import sys
from gomoku_brain import Board, ExternalEngine, Limits
engine = ExternalEngine(sys.argv[1:])
engine.about()
print(engine.pid, flush=True)
engine.play(Board(), Limits(time=600))
"""


def runs(process):
    """Whether a process runs; one that ended may wait for its parent as a zombie."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wait_until(condition):
    until = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < until
        time.sleep(0.02)
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL"])
def test_an_engine_of_a_killed_program_is_ended(name):
    words = [sys.executable, "-I", "-S", str(SCRIPT), "child", "START", "deaf", "1"]
    with subprocess.Popen(
        [sys.executable, "-c", FROM_PYTHON, *words],
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        engine = psutil.Process(int(program.stdout.readline()))
        children = wait_until(engine.children)
        program.send_signal(getattr(signal, name))
        program.wait(PATIENCE)
        wait_until(lambda: not any(map(runs, [engine, *children])))


FORKING = """
import os, subprocess, sys, time
from gomoku_brain.client import guard
engine = subprocess.Popen(["sleep", "600"], start_new_session=True)
guard.watch(engine.pid)
if os.fork() == 0:
    os.setsid()
    time.sleep(600)
print(engine.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="fork")
def test_a_forked_process_does_not_hold_the_guard():
    with subprocess.Popen(
        [sys.executable, "-c", FORKING], stdout=subprocess.PIPE, text=True
    ) as program:
        engine = psutil.Process(int(program.stdout.readline()))
        forked = [c for c in psutil.Process(program.pid).children() if c != engine]
        program.kill()
        program.wait(PATIENCE)
        wait_until(lambda: not runs(engine))
        for process in forked:
            if runs(process):
                process.kill()


LEAVING = """
import os, sys
from gomoku_brain.client import guard
guard.start()
pid = os.fork()
if pid:
    sys.exit(os.waitpid(pid, 0)[1])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="fork")
def test_a_forked_process_ends_without_a_warning():
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", LEAVING], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


class Kernel:
    """The functions of Windows, which note their calls."""

    def __init__(self, **results):
        self.results = {"CreateJobObjectW": 7, "OpenProcess": 9} | results
        self.calls = []

    def __getattr__(self, name):
        def call(*arguments):
            self.calls.append((name, *arguments))
            if name == "SetInformationJobObject":
                limits = arguments[2]._obj
                assert limits.BasicLimitInformation.LimitFlags == 0x2000
            return self.results.get(name, 1)

        return call


def test_a_job_of_windows_gets_each_engine_and_ends_them_when_it_closes():
    kernel = Kernel()
    job = WindowsJob(kernel)
    assert kernel.calls[0] == ("CreateJobObjectW", None, None)
    name, handle, kind, _, size = kernel.calls[1]
    assert (name, handle, kind) == ("SetInformationJobObject", 7, 9)
    assert size == sizeof(ExtendedLimits)
    if sys.maxsize > 2**32:
        assert size == 144  # as winnt.h has it
    del kernel.calls[:]
    job.watch(4711)
    job.forget(4711)
    assert kernel.calls == [
        ("OpenProcess", 0x0101, False, 4711),
        ("AssignProcessToJobObject", 7, 9),
        ("CloseHandle", 9),
    ]
    del kernel.calls[:]
    job.close()
    job.close()
    assert kernel.calls == [("CloseHandle", 7)]


def test_a_process_that_has_ended_enters_no_job():
    kernel = Kernel(OpenProcess=None)
    WindowsJob(kernel).watch(4711)
    assert kernel.calls[-1][0] == "OpenProcess"


@pytest.mark.parametrize("name", ["CreateJobObjectW", "SetInformationJobObject"])
def test_without_job_objects_there_is_an_error(name):
    with pytest.raises(OSError, match="job object"):
        WindowsJob(Kernel(**{name: 0}))
    if sys.platform != "win32":
        with pytest.raises(OSError, match="no job objects"):
            WindowsJob()
