"""Limits that make no sense are refused when they are made; results read well."""

from dataclasses import fields

import pytest

from gomoku_brain.control.limits import Limits, SearchInfo, SearchResult, SolveResult
from gomoku_brain.engine.engine import Engine
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"time": -1}, "time is 0 seconds or more, not -1"),
        ({"time": float("nan")}, "time is 0 seconds or more, not nan"),
        ({"time": float("inf")}, "time is 0 seconds or more, not inf"),
        ({"time": 1, "target": -0.5}, "target is 0 seconds or more, not -0.5"),
        ({"target": 1}, "a target needs a time that it is part of"),
        ({"nodes": 0}, "nodes is a whole number of at least 1, not 0"),
        ({"nodes": -5}, "nodes is a whole number of at least 1, not -5"),
        ({"depth": 0}, "depth is a whole number of at least 1, not 0"),
        ({"multipv": 0}, "multipv is a whole number of at least 1, not 0"),
        ({"strength": 101}, "strength is a whole number from 0 to 100, not 101"),
        ({"strength": -1}, "strength is a whole number from 0 to 100, not -1"),
        ({"exclude": ("h0",)}, "not a move: 'h0'"),
    ],
)
def test_a_value_out_of_range_is_refused(given, told):
    with pytest.raises(ValueError, match=told):
        Limits(**given)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"time": "1"}, "time is a number of seconds, not '1'"),
        ({"time": 1, "target": []}, r"target is a number of seconds, not \[\]"),
        ({"nodes": 1e6}, r"nodes is a whole number of at least 1, not 1000000\.0"),
        ({"depth": "4"}, "depth is a whole number of at least 1, not '4'"),
        ({"multipv": None}, "multipv is a whole number of at least 1, not None"),
        ({"strength": None}, "strength is a whole number from 0 to 100, not None"),
        ({"time": True}, "time is a number of seconds, not True"),
        ({"time": 1, "started": "now"}, "started is a number of seconds, not 'now'"),
        ({"nodes": True}, "nodes is a whole number of at least 1, not True"),
        ({"exclude": "h8"}, "exclude is several moves, not 'h8'"),
        ({"exclude": 5}, "exclude is several moves, not 5"),
        ({"exclude": None}, "exclude is several moves, not None"),
        ({"exclude": ((1.5, 2),)}, "a move is"),
    ],
)
def test_what_is_no_number_is_refused(given, told):
    with pytest.raises(TypeError, match=told):
        Limits(**given)


def test_the_least_values_are_taken():
    limits = Limits(time=0, target=0, nodes=1, depth=1, multipv=1, strength=0)
    assert limits == Limits(0.0, 0.0, 1, 1, 1, (), 0)


def test_what_no_search_reaches_is_no_limit():
    board, huge = Board.from_moves("h8 h9"), 10**30
    limits = Limits(time=0.05, nodes=huge, depth=huge, multipv=huge)
    with Engine(hash_mb=1) as engine:
        assert engine.search(board, limits).nodes > 0
        assert engine.find_win(board, limits=limits).status == "no win"


@pytest.mark.parametrize("kind", [Limits, SearchInfo, SearchResult, SolveResult])
def test_help_tells_every_value_that_has_a_unit(kind):
    named = {"time": "seconds", "depth": "plies", "score": "evaluation units"}
    for field in fields(kind):
        if field.name in named:
            assert f"``{field.name}``" in kind.__doc__
            assert named[field.name] in kind.__doc__


def test_excluded_moves_come_in_any_form():
    assert Limits(exclude=["h8", (1, 2)]).exclude == (Move(7, 7), Move(1, 2))


INFO = SearchInfo(12, 20, 1, 35, None, 1234, 0.5, (Move(7, 7), Move(7, 8)))


def test_a_line_reads_well():
    assert str(INFO) == "score +35, depth 12-20, 1234 nodes, 0.50 s: h8 h9"
    lost = SearchInfo(9, 20, 2, -29994, -6, 1234, 0.5, (Move(7, 7),))
    assert str(lost) == "2. loss in 6, depth 9-20, 1234 nodes, 0.50 s: h8"


def test_a_result_reads_well():
    result = SearchResult(Move(7, 7), 29999, 1, 3, 4, 55, 0.25, (Move(7, 7),), (INFO,))
    assert str(result) == "h8, win in 1, depth 3-4, 55 nodes, 0.25 s: h8"


def test_a_solution_reads_well():
    line = (Move(7, 7), Move(7, 8), Move(9, 9))
    won = SolveResult("win", "vct", line, None, 77, 0.5)
    assert str(won) == "win by fours and threes in 3: h8 h9 j10 (77 nodes, 0.50 s)"
    none = SolveResult("no win", "vcf", nodes=7)
    assert str(none) == "no win by fours: proved (7 nodes, 0.00 s)"
    unknown = SolveResult("unknown", "vct", nodes=7)
    assert str(unknown).startswith("no win by fours and threes found within the limits")
