"""The end of every program: one line for an error, and its exit status."""

import threading
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from gomoku_brain.runs.program_end import Interruptible, error_line, run_reporting


def end_by(error):
    def work():
        raise error

    return run_reporting("program", work)


def test_the_status_of_the_work_is_the_end():
    assert run_reporting("program", lambda: None) == 0
    assert run_reporting("program", lambda: 3) == 3


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (ValueError("two\nlines"), 2, "two lines"),
        (FileNotFoundError(2, "No such file", "x.txt"), 2, "x.txt: No such file"),
        (MemoryError("no memory for the table"), 2, "no memory for the table: memory"),
        (MemoryError(), 2, "memory is short"),
        (BrokenProcessPool(), 2, "a worker was lost, perhaps for want of memory"),
        (KeyboardInterrupt(), 130, "stopped"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_error_of_the_user_is_one_line(error, status, line, capsys):
    assert end_by(error) == status
    text = capsys.readouterr().err
    assert text.startswith(f"program: {line}")
    assert text.count("\n") == 1


def test_an_interruptible_block_only_ends():
    with Interruptible() as run:
        pass
    assert run.status == 0
    with run:
        raise KeyboardInterrupt
    assert run.status == 130
    with pytest.raises(ValueError, match="x"), Interruptible():
        raise ValueError("x")


def test_notes_follow_the_error(capsys):
    error = KeyboardInterrupt()
    error.add_note("the same command goes on from here")
    assert end_by(error) == 130
    expected = "program: stopped; the same command goes on from here\n"
    assert capsys.readouterr().err == expected


def broken_by_interrupt(leave):
    def work():
        try:
            raise KeyboardInterrupt
        finally:
            leave()

    return run_reporting("program", work)


@pytest.mark.parametrize(
    "leave",
    [
        threading.Lock().release,
        threading.RLock().release,
        threading.Condition().notify,
        threading.Condition().wait,
    ],
)
def test_an_interrupt_inside_a_lock_is_an_interrupt(leave, capsys):
    assert broken_by_interrupt(leave) == 130
    assert capsys.readouterr().err == "program: stopped\n"


def test_a_fault_after_an_interrupt_is_not_hidden():
    with pytest.raises(RuntimeError, match="a bug"):
        broken_by_interrupt(lambda: end_by(RuntimeError("a bug")))


@pytest.mark.parametrize("error", [BrokenPipeError(), RuntimeError("a bug")])
def test_a_fault_of_the_program_is_not_hidden(error):
    with pytest.raises(type(error)):
        end_by(error)


def test_an_error_of_a_file_has_its_name():
    with pytest.raises(OSError, match="nothing") as caught:
        Path("nothing").read_text()
    assert error_line(caught.value) == "nothing: No such file or directory"
