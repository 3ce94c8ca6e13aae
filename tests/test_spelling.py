"""A misspelled name gets one suggestion."""

import pytest

from gomoku_brain.spelling import did_you_mean
from tests.commands.command import command


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("mtach --games 2", "match"),
        ("--levle easy", "--level"),
        ("match --gmaes 4", "--games"),
        ("match --gmaes=4", "--games"),
        ("openings list --cuont 3", "--count"),
        ("analyze h8 --rule renjuu", "renju"),
        ("solve h8 --kind vctt", "vct"),
        ("doctor --manager piskvrok", "piskvork"),
        ("match --engine ours nodse=5 --engine ours", "nodes"),
        ("match --engine ours info.pondring=1 --engine ours", "pondering"),
        ("match --engine ours levl=easy --engine ours", "level"),
        ("match --engine ours level=beginer --engine ours", "beginner"),
        ("--level beginer", "beginner"),
    ],
)
def test_a_misspelled_word_gets_the_most_similar_one(words, name, capsys):
    first, *rest = words.split()
    assert command(first)(rest) == 2
    told = capsys.readouterr().err
    assert told.endswith(f"; did you mean {name!r}?\n")
    assert told.count("\n") == 1


def test_a_word_that_is_like_none_gets_no_suggestion(capsys):
    assert did_you_mean("xyz", ["renju", "caro"]) == ""
    assert command("match")(["--zzz"]) == 2
    assert "did you mean" not in capsys.readouterr().err
