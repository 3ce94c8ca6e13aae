"""Files of lines by number: what is read, and what may be gone on with."""

import pytest

from gomoku_brain.train.numbered import (
    Task,
    is_ours,
    journal_of,
    missing,
    numbered_lines,
)
from tests.train.games import RECIPE, some_games


def test_lines_are_read_by_number_and_only_when_all_are_there(tmp_path):
    path = tmp_path / "games.txt"
    lines = some_games(4)
    path.write_text(lines[2] + lines[0] + lines[3] + lines[1] + "4 15")
    assert numbered_lines(path) == list(lines)
    assert numbered_lines(path, 2) == list(lines[:2])
    with pytest.raises(ValueError, match="number 4 is not there"):
        numbered_lines(path, 5)
    path.write_text(lines[0] + lines[0])
    with pytest.raises(ValueError, match="number 0 is there twice"):
        numbered_lines(path)
    path.write_text("hello\n")
    with pytest.raises(ValueError, match="not a line of numbered data"):
        numbered_lines(path)


def test_a_file_is_gone_on_with_when_a_line_of_it_can_be_made_again(tmp_path):
    path = tmp_path / "games.txt"
    tasks = [Task(RECIPE, number) for number in range(3)]
    assert is_ours(journal_of(path), tasks)  # there is nothing yet
    lines = some_games(6)
    path.write_text(lines[5] + lines[1])
    assert is_ours(journal_of(path), tasks)
    assert missing(journal_of(path), 3) == [0, 2]
    path.write_text(lines[5] + lines[1].replace("\n", "0\n"))
    assert not is_ours(journal_of(path), tasks)
    path.write_text(lines[5])  # nothing to compare with
    assert not is_ours(journal_of(path), tasks)
