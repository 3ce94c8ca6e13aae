"""What the long commands share: their options and their progress."""

import argparse
import errno
import io
import os
import sys
from pathlib import Path

import pytest

from gomoku_brain.match.run_options import (
    ProgressLine,
    Teller,
    add_cluster,
    add_workers,
    check_output,
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
    teller = Teller(out)
    teller.tell(lambda: "not yet")
    teller.tell(lambda: "a longer text", now=True)
    teller.tell(lambda: "short", now=True)
    teller.end()
    assert out.getvalue() == "\ra longer text\rshort        \n"


def test_a_file_gets_whole_lines():
    out = io.StringIO()
    teller = Teller(out)
    teller.tell(lambda: "one", now=True)
    teller.end()
    assert out.getvalue() == "one\n"


def test_a_file_that_is_needed_is_not_written_over(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check_output("new.sgf", ["games.jsonl", "h8"])
    for path in ("games.jsonl", tmp_path / "games.jsonl", "./games.jsonl"):
        with pytest.raises(ValueError, match="would be written over"):
            check_output(path, ["games.jsonl"])
    with pytest.raises(ValueError, match="is a folder"):
        check_output(tmp_path, [])
    with pytest.raises(ValueError, match=r"no/x.sgf cannot .* there is no folder no"):
        check_output("no/x.sgf", [])
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"


def test_a_file_that_may_not_be_written_is_told(tmp_path, monkeypatch):
    path = tmp_path / "games.sgf"
    path.write_bytes(b"(;)")

    def refuse(self, mode):
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(ValueError, match=r"games.sgf cannot be written: Permission"):
        check_output(path, [])
    monkeypatch.undo()
    check_output(path, [])
    assert path.read_bytes() == b"(;)"


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes there")
@pytest.mark.timeout(20)
def test_a_pipe_is_not_opened(tmp_path):
    """Opening it would wait until somebody reads from it."""
    os.mkfifo(tmp_path / "pipe")
    check_output(tmp_path / "pipe", [])
    check_output(os.devnull, [])
    ends = os.pipe()
    check_output(f"/dev/fd/{ends[1]}", [])  # a shell's >(command), or /dev/stdout
    for end in ends:
        os.close(end)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_that_leads_nowhere_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("here").symlink_to("there")
    Path("there").symlink_to("here")
    with pytest.raises(ValueError, match=r"^here cannot .* it is a link to it"):
        check_output("here", [])
    Path("far").symlink_to("no/target")
    with pytest.raises(ValueError, match=r"^far cannot .* there is no folder .*no$"):
        check_output("far", [])
    Path("new").symlink_to("target")
    check_output("new", [])
    assert not Path("target").exists()


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
