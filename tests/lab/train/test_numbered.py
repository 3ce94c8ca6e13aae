"""Files of lines by number: what is read, and what may be gone on with."""

import argparse
import multiprocessing
import os
import signal

import pytest

from gomoku_brain.lab.train.numbered import (
    LineTask,
    is_ours,
    journal_of,
    make_file,
    missing,
    numbered_lines,
)
from tests.lab.train.games import RECIPE, some_games


def test_lines_are_read_by_number_and_only_when_all_are_there(tmp_path):
    path = tmp_path / "games.txt"
    lines = some_games(4)
    path.write_text(lines[2] + lines[0] + lines[3] + lines[1] + "4 15")
    assert numbered_lines(path) == list(lines)  # though a fifth is being written
    assert numbered_lines(path, 2) == list(lines[:2])
    with pytest.raises(ValueError, match="number 4 is missing"):
        numbered_lines(path, 5)
    path.write_text(lines[0] + lines[0])
    with pytest.raises(ValueError, match="number 0 occurs twice"):
        numbered_lines(path)
    for data in (b"hello\n", b"\xff 15\n"):
        path.write_bytes(data)
        with pytest.raises(ValueError, match=r"games\.txt: a line without"):
            numbered_lines(path)


def test_a_file_is_gone_on_with_when_a_line_of_it_can_be_made_again(tmp_path):
    path = tmp_path / "games.txt"
    tasks = [LineTask(RECIPE, number) for number in range(3)]
    assert is_ours(journal_of(path), tasks)  # there is nothing yet
    lines = some_games(6)
    path.write_text(lines[5] + lines[1])
    assert is_ours(journal_of(path), tasks)
    assert missing(journal_of(path), tasks) == [tasks[0], tasks[2]]
    path.write_text(lines[5] + lines[1].replace("\n", "0\n"))
    assert not is_ours(journal_of(path), tasks)
    path.write_text(lines[5])
    with pytest.raises(ValueError, match="no line of it can be compared"):
        is_ours(journal_of(path), tasks)
    path.write_text(lines[5] * 2 + lines[1])
    # what is no task's does not count
    assert missing(journal_of(path), tasks) == [tasks[0], tasks[2]]
    path.write_text(lines[1] * 2)
    with pytest.raises(ValueError, match="number 1 occurs twice"):
        missing(journal_of(path), tasks)


class Saying:
    """A recipe whose lines say more of it the greater their number is, but for 0."""

    def __init__(self, word):
        self.word = word

    def line(self, number, source, engine):
        return " ".join([f"{number} {source}", *[self.word] * number])


def test_the_line_with_most_words_is_compared(tmp_path):
    path = tmp_path / "lines.txt"
    sources = ("a-bare-line-that-is-long", "b", "c")
    made, others = (
        [LineTask(Saying(word), n, source) for n, source in enumerate(sources)]
        for word in "xy"
    )
    for numbers in ((0,), (0, 1), (2, 0, 1), (1, 0)):
        lines = [made[n].recipe.line(n, made[n].source, None) for n in numbers]
        path.write_text("".join(f"{line}\n" for line in lines))
        assert is_ours(journal_of(path), made)
        # a bare line is the same by every recipe
        assert is_ours(journal_of(path), others) == (numbers == (0,))


class Losing(Saying):
    """A recipe whose fourth line ends the process that makes it, as want of memory can.

    In the first process there is Ctrl-C instead.
    """

    def line(self, number, source, engine):
        if number == 3:
            if multiprocessing.parent_process() is None:
                raise KeyboardInterrupt
            os.kill(os.getpid(), signal.SIGTERM)
        return super().line(number, source, engine)


@pytest.mark.parametrize(
    ("workers", "status", "expected"),
    [(1, 130, "trial: stopped; the same"), (2, 2, "trial: a worker was lost, perhaps")],
)
def test_lines_outlive_a_lost_worker_and_ctrl_c(
    workers, status, expected, tmp_path, capsys
):
    path = tmp_path / "lines.txt"
    options = argparse.Namespace(workers=workers, cluster=None)
    losing = [LineTask(Losing("x"), n) for n in range(20)]
    assert make_file("trial", path, losing, options) == status
    assert expected in capsys.readouterr().err
    left = missing(journal_of(path), losing)
    assert losing[3] in left
    if workers == 1:
        assert left == losing[3:]
    whole = [LineTask(Saying("x"), n) for n in range(20)]
    assert make_file("trial", path, whole, options) == 0
    assert len(numbered_lines(path, 20)) == 20
