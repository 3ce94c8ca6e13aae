"""Limits that make no sense are refused when they are made; results read well."""

from dataclasses import fields, replace

import pytest

from gomoku_brain.control.limits import Limits, SearchInfo, SearchResult, SolveResult
from gomoku_brain.control.strength import FULL_STRENGTH, STRENGTHS
from gomoku_brain.engine.engine import Engine, at_position
from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.levels.ladder import LEVELS


@pytest.mark.parametrize(
    ("given", "expected"),
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
def test_a_value_out_of_range_is_refused(given, expected):
    with pytest.raises(ValueError, match=expected):
        Limits(**given)


@pytest.mark.parametrize(
    ("given", "expected"),
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
def test_what_is_no_number_is_refused(given, expected):
    with pytest.raises(TypeError, match=expected):
        Limits(**given)


def test_the_least_values_are_taken():
    limits = Limits(time=0, target=0, nodes=1, depth=1, multipv=1, strength=0)
    assert limits == Limits(0.0, 0.0, 1, 1, 1, (), 0)


def test_what_no_search_reaches_is_no_limit():
    board, huge = Board.from_moves("h8 h9"), 10**30
    limits = Limits(time=0.05, nodes=huge, depth=huge, multipv=huge)
    with Engine(hash_mb=1) as engine:
        engine.search(board, Limits(nodes=1))  # loads what the first search needs
        assert engine.search(board, limits).nodes > 0
        limits = Limits(time=0.05, nodes=huge)
        assert engine.find_win(board, limits=limits).status == "no win"


@pytest.mark.parametrize("kind", [Limits, SearchInfo, SearchResult, SolveResult])
def test_help_describes_every_value_that_has_a_unit(kind):
    named = {"time": "seconds", "depth": "plies", "score": "evaluation units"}
    for field in fields(kind):
        if field.name in named:
            assert f"``{field.name}``" in kind.__doc__
            assert named[field.name] in kind.__doc__


def test_excluded_moves_come_in_any_form():
    assert Limits(exclude=["h8", (1, 2)]).exclude == (Move(7, 7), Move(1, 2))


LINE = (Move(7, 7), Move(7, 8))
INFO = SearchInfo(
    multipv=1, score=35, win_in=-6, depth=12, seldepth=20, nodes=1234, time=0.5, pv=LINE
)


def test_a_line_reads_well():
    even = replace(INFO, win_in=None)
    assert str(even) == "score +35, depth 12-20, 1234 nodes, 0.50 s: h8 h9"
    lost = replace(INFO, multipv=2, pv=LINE[:1])
    assert str(lost) == "2. loss in 3 moves, depth 12-20, 1234 nodes, 0.50 s: h8"


def test_a_result_reads_well():
    figures = INFO.figures() | {"score": 29999, "win_in": 1}
    result = SearchResult(lines=(INFO,), **figures)
    assert result.move == Move(7, 7)
    assert str(result) == "h8, win in 1 move, depth 12-20, 1234 nodes, 0.50 s: h8 h9"


def test_a_solution_reads_well():
    line = (Move(7, 7), Move(7, 8), Move(9, 9))
    won = SolveResult("win", "vct", line, None, 77, 0.5)
    assert (
        str(won) == "win by fours and threes in 2 moves: h8 h9 j10 (77 nodes, 0.50 s)"
    )
    none = SolveResult("no win", "vcf", nodes=7)
    assert str(none) == "no win by fours: proved (7 nodes, 0.00 s)"
    unknown = SolveResult("unknown", "vct", nodes=7)
    assert str(unknown).startswith("no win by fours and threes found within the limits")


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"time": 3, "time_left": 1}, "a time of 3 s contradicts time_left of 1 s"),
        ({"time": 1, "target": 0.5, "time_left": 4}, "a target contradicts time_left"),
        ({"increment": 1}, "increment needs time_left"),
        ({"moves_to_go": 3}, "moves_to_go needs time_left"),
        ({"time_left": -1}, "time_left is 0 seconds or more"),
        ({"time_left": 1, "moves_to_go": 0}, "moves_to_go is a whole number"),
        ({"root_moves": ()}, "root_moves is empty"),
        ({"root_moves": ["h8"], "exclude": ["h8"]}, "h8 is in root_moves and in excl"),
    ],
)
def test_limits_that_contradict_each_other_are_refused(given, text):
    with pytest.raises(ValueError, match=text):
        Limits(**given)


def test_a_game_clock_gives_the_time_of_the_move():
    board = Board.from_moves("h8 h9 i10")
    one = at_position(board, Limits(time_left=60))
    assert 0 < one.target <= one.time < 60
    more = at_position(board, Limits(time_left=60, increment=5))
    assert more.target > one.target
    last = at_position(board, Limits(time_left=60, moves_to_go=1))
    assert last.target > more.target
    assert at_position(board, Limits(time_left=60, time=0.5)).time <= 0.5
    hurried = at_position(board, Limits(time_left=0))
    assert hurried.nodes
    assert hurried.time < 0.1


def test_root_moves_are_the_only_ones_searched():
    board = Board.from_moves("h8 h9 i10")
    result = Engine().search(board, Limits(nodes=3000, root_moves=("g7", (6, 8))))
    assert result.move in (Move(6, 6), Move(6, 8))
    with pytest.raises(ValueError, match="h8 is no empty cell"):
        Engine().search(board, Limits(nodes=10, root_moves=("h8",)))
    cross = Board.from_moves("h9 a1 h10 a15 i8 o1 j8 o15", rule="renju")
    with pytest.raises(ValueError, match="h8 is forbidden: double three"):
        Engine().search(cross, Limits(nodes=10, root_moves=("h8", "i9")))


def test_lines_print_as_notation_and_number_the_first_of_several():
    board = Board.from_moves("h8 h9 i10")
    result = Engine().search(board, Limits(nodes=3000, multipv=2))
    assert str(result.pv) == " ".join(map(str, result.pv))
    assert [str(line)[:3] for line in result.lines] == ["1. ", "2. "]
    assert result.lines[0].move == result.move
    assert result.pv == tuple(result.pv)
    found = Engine().find_win(Board.from_moves("h8 a1 i8 a2 j8 a3"))
    assert str(found.line) == " ".join(map(str, found.line))


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
def test_a_strength_is_the_name_of_a_level_or_its_number(level):
    for name in (level.name, level.name.upper(), f" {level.name} "):
        limits = Limits(strength=name)
        assert limits == Limits(strength=level.strength)
        assert type(limits.strength) is int
    assert replace(Limits(nodes=5), strength=level.name).strength == level.strength


def test_the_named_strengths_are_the_levels():
    assert {level.name: level.strength for level in LEVELS} == STRENGTHS
    assert STRENGTHS["full"] == FULL_STRENGTH


def test_a_wrong_name_of_a_level_gets_the_nearest_one():
    with pytest.raises(ValueError, match=r"no level 'esay'; .*; did you mean 'easy'\?"):
        Limits(strength="esay")
    with pytest.raises(ValueError, match="no level '50'; there are: beginner, novice,"):
        Limits(strength="50")
