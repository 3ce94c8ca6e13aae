"""What the long commands share: their options and their progress."""

import argparse
import io
from pathlib import Path

import pytest

from gomoku_brain.runs.run_options import (
    ProgressLine,
    ProgressWriter,
    add_cluster,
    add_workers,
    duration,
    error_line,
)


def parser():
    made = argparse.ArgumentParser()
    add_workers(made, "games at once", "--concurrency")
    add_cluster(made, "play on")
    return made


def test_workers_have_one_name_and_those_from_before():
    assert parser().parse_args([]).workers == 1
    assert parser().parse_args(["--workers", "3"]).workers == 3
    assert parser().parse_args(["--concurrency", "4"]).workers == 4
    assert parser().parse_args(["--cluster", "tcp://a:1"]).cluster == "tcp://a:1"


@pytest.mark.parametrize("text", ["0", "-1", "x", "1.5"])
def test_a_number_of_workers_that_makes_no_sense_is_refused(text, capsys):
    with pytest.raises(SystemExit):
        parser().parse_args(["--workers", text])
    assert "--workers" in capsys.readouterr().err


def test_hours_are_told():
    assert duration(3723.9) == "1:02:03"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_has_one_line_that_changes():
    out = Terminal()
    progress_writer = ProgressWriter(out)
    progress_writer.write(lambda: "not yet")
    progress_writer.write(lambda: "a longer text", now=True)
    progress_writer.write(lambda: "short", now=True)
    progress_writer.end()
    assert out.getvalue() == "\ra longer text\rshort        \n"


def test_a_file_gets_whole_lines():
    out = io.StringIO()
    progress_writer = ProgressWriter(out)
    progress_writer.write(lambda: "one", now=True)
    progress_writer.end()
    assert out.getvalue() == "one\n"


def test_a_line_may_be_for_a_screen_only_and_leaves_none():
    out = Terminal()
    progress_writer = ProgressWriter(out, in_files=False)
    progress_writer.write(lambda: "depth 3", now=True)
    progress_writer.clear()
    progress_writer.clear()
    progress_writer.end()
    assert out.getvalue() == "\rdepth 3\r       \r"
    file = io.StringIO()
    progress_writer = ProgressWriter(file, in_files=False)
    progress_writer.write(lambda: "depth 3", now=True)
    progress_writer.clear()
    assert not file.getvalue()


def test_an_error_of_a_file_is_told_by_its_name():
    with pytest.raises(OSError, match="nothing") as caught:
        Path("nothing").read_text()
    assert error_line(caught.value) == "nothing: No such file or directory"
    assert error_line(ValueError("two\nlines")) == "two lines"


def test_a_progress_line_says_how_far_it_is(monkeypatch, capsys):
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    with ProgressLine("games", 10, 2) as progress:
        now[0] += 1
        progress.show(3)  # too early for a file
        now[0] += 59
        progress.show(4, ", all well")
        progress.show(5)
        progress.show(10)
    assert capsys.readouterr().err.splitlines() == [
        "games: 4 of 10, 0:01:00, 0:03:00 left, all well",
        "games: 10 of 10, 0:01:00",
    ]


def test_without_a_standard_error_nothing_is_told(monkeypatch):
    """So Python begins when the caller has closed it."""
    monkeypatch.setattr("sys.stderr", None)
    progress_writer = ProgressWriter()
    progress_writer.write(lambda: "one", now=True)
    progress_writer.end()
