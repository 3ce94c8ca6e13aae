"""Line classes of the compiled tables against the game's rules on whole lines.

The tables know a window of nine or eleven cells; the reference plays on lines of 25
and asks who wins. GOMOKU_ORACLE_LINES sets the number of lines for each rule and side.
"""

import os
import random

import pytest

from gomoku_brain.game.patterns import _py_line_class, _py_reply_set
from tests.reference import BLACK, RENJU, RULES, WHITE, line_class, random_line

LINES = int(os.environ.get("GOMOKU_ORACLE_LINES", "2000"))
BELOW_B3 = {"F2B", "F2A", "F2", "B2", "F1", "B1"}
SIDES = [(rule, side) for rule in RULES for side in (BLACK, WHITE)]


def lines(rule, side, count):
    for number in range(count):
        yield random_line(random.Random(f"{rule} {side} {number}"))


@pytest.mark.timeout(0)
@pytest.mark.parametrize(("rule", "side"), SIDES)
def test_line_classes_are_those_of_the_game(rule, side):
    seen = set()
    for line in lines(rule, side, LINES):
        expected, _ = line_class(rule, side, line)
        found = _py_line_class(rule, side, line)
        seen.add(expected)
        # "-" stands for all classes below B3 but DEAD.
        assert found == expected or (expected == "-" and found in BELOW_B3), line
    assert {"F5", "F4", "B4", "F3S", "F3", "B3", "DEAD", "-"} <= seen


@pytest.mark.timeout(0)
@pytest.mark.parametrize(("rule", "side"), SIDES)
def test_reply_sets_are_the_stones_that_stop_every_five(rule, side):
    sizes = {}
    for line in lines(rule, side, LINES):
        kind, replies = line_class(rule, side, line)
        if kind in ("F4", "B4"):
            assert sorted(_py_reply_set(rule, side, line)) == replies, line
            sizes[len(replies)] = sizes.get(len(replies), 0) + 1
    print(f"rule {rule}, side {side}, replies: {dict(sorted(sizes.items()))}")
    assert {0, 1} <= set(sizes)
    # Only caro's ends give more than one way.
    assert (2 in sizes) == (rule in (8, 9))


@pytest.mark.parametrize("rule", RULES)
def test_a_line_reads_the_same_backwards(rule):
    for side in (BLACK, WHITE):
        for line in lines(rule, side, 300):
            back = line[::-1]
            assert _py_line_class(rule, side, line) == _py_line_class(rule, side, back)
            assert sorted(_py_reply_set(rule, side, line)) == sorted(
                -offset for offset in _py_reply_set(rule, side, back)
            )


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule != RENJU])
def test_the_colours_are_alike_except_in_renju(rule):
    for line in lines(rule, BLACK, 300):
        assert _py_line_class(rule, BLACK, line) == _py_line_class(rule, WHITE, line)


def test_edge_and_opponent_differ_in_caro_only():
    for rule, side in SIDES:
        for line in lines(rule, side, 300):
            opponents = line.replace("#", "O")
            if rule not in (8, 9):
                assert _py_line_class(rule, side, line) == _py_line_class(
                    rule, side, opponents
                )
    assert _py_line_class(8, BLACK, "#XX.XX#") == "F5"
    assert _py_line_class(8, BLACK, "OXX.XXO") == "DEAD"


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (".XX.XX.", "F5"),
        ("..XX.X...", "F4"),
        (".OXX.X...", "B4"),
        ("....X.X....", "F3S"),
        ("#.XX...#.", "F3"),
        ("#XX......", "B3"),
        ("#..O....#", "DEAD"),
    ],
)
def test_one_line_of_each_class(line, kind):
    assert _py_line_class(0, BLACK, line) == kind
