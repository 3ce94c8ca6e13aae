"""What the long commands share: their options and their progress."""

import argparse
import io

import pytest

from gomoku_brain.runs.run_options import (
    ProgressLine,
    ProgressWriter,
    add_cluster,
    add_workers,
    at_least,
    duration,
    number_within,
    seconds,
    seconds_or_zero,
)


def parser():
    made = argparse.ArgumentParser()
    add_workers(made, "games at once")
    add_cluster(made, "play on")
    return made


def test_workers_have_one_name():
    assert parser().parse_args([]).workers == 1
    assert parser().parse_args(["--workers", "3"]).workers == 3
    assert parser().parse_args(["--cluster", "tcp://a:1"]).cluster == "tcp://a:1"


@pytest.mark.parametrize("text", ["0", "-1", "x", "1.5"])
def test_a_number_of_workers_that_makes_no_sense_is_refused(text, capsys):
    with pytest.raises(SystemExit):
        parser().parse_args(["--workers", text])
    assert "--workers" in capsys.readouterr().err


def test_hours_are_shown():
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


def test_a_progress_line_shows_the_progress(monkeypatch, capsys):
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


def test_without_a_standard_error_nothing_is_reported(monkeypatch):
    """So Python begins when the caller has closed it."""
    monkeypatch.setattr("sys.stderr", None)
    progress_writer = ProgressWriter()
    progress_writer.write(lambda: "one", now=True)
    progress_writer.end()


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("12", 12), ("1e6", 1_000_000), ("2.50e3", 2500), ("1.5E+1", 15)],
)
def test_whole_numbers_have_two_forms(text, number):
    assert at_least(0)(text) == number


@pytest.mark.parametrize(
    "text", ["", "-1", "1.5", "1e", "2.55e1", "1e-3", "x", "\u0661"]
)
def test_other_texts_are_no_whole_numbers(text):
    with pytest.raises(argparse.ArgumentTypeError, match="is not a whole number of 0"):
        at_least(0)(text)


def test_a_number_out_of_its_limits_is_refused_with_them():
    with pytest.raises(argparse.ArgumentTypeError, match="number from 1 to 256"):
        at_least(1, 256)("999")
    with pytest.raises(argparse.ArgumentTypeError, match="a share from 0 to 1"):
        number_within(0, 1, "share")("1.5")
    for text in ("-1", "nan", "inf", "x"):
        with pytest.raises(argparse.ArgumentTypeError, match="number of 0 or more"):
            number_within(0)(text)
    assert number_within(0, 1)("0.25") == 0.25


def test_times_are_seconds():
    assert seconds("0.5") == 0.5
    assert seconds_or_zero("0") == 0
    for parse, text in ((seconds, "0"), (seconds_or_zero, "-1"), (seconds, "nan")):
        with pytest.raises(argparse.ArgumentTypeError, match="not a time in seconds"):
            parse(text)
