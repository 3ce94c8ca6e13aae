"""Searches with an evaluation in Python: the same as with a compiled one."""

import math
import re
from pathlib import Path

import numpy
import pytest

from gomoku_brain.game.notation import Move
from gomoku_brain.game.position import Board
from gomoku_brain.game.rules import Rule
from gomoku_brain.plain.plain_search import (
    PlainSearch,
    SearchMethod,
    SourceEvaluation,
    win_in,
)
from gomoku_brain.plain.studies import load_evaluation, play_pair
from gomoku_brain.study.annotate import candidates

PAGE = Path(__file__).parents[2] / "docs" / "experiment.md"


@pytest.fixture
def own(tmp_path, monkeypatch):
    """The example of the page as a module of the current folder."""
    if not PAGE.exists():
        pytest.skip("the tests run without the pages")
    (text,) = re.findall(
        r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    (tmp_path / "my_module.py").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return "my_module:score"


COMPILED = PlainSearch(SourceEvaluation.PROVED)
BOARDS = [
    Board.from_moves(moves, size=9, rule=rule)
    for rule in Rule
    for moves in ("e5 a1 f5 a2 g5 a3", "e5 e6 f6", "d4 e5 f6 g7")
]


def evaluate_all(boards):
    return numpy.array([COMPILED.evaluate(board) for board in boards], float)


@pytest.mark.parametrize("method", SearchMethod)
def test_a_function_costs_the_nodes_of_the_compiled_evaluation(method):
    depth = 2 if method == SearchMethod.MINIMAX else 3
    for board in BOARDS[:: 3 if depth == 3 else 2]:
        before = board.copy()
        compiled = PlainSearch(SourceEvaluation.PROVED, method).search(board, depth)
        one = PlainSearch(COMPILED.evaluate, method).search(board, depth)
        many = PlainSearch(evaluate_all, method, batched=True).search(board, depth)
        assert one[:5] == compiled[:5]
        assert many[:3] == compiled[:3]
        assert many.cutoffs == compiled.cutoffs
        assert many.evaluations >= compiled.evaluations
        assert board == before


@pytest.mark.parametrize("batched", [False, True])
def test_the_values_of_all_candidates_are_those_of_the_function(batched):
    """Numbers of a network, between -1 and 1, stay what they are."""

    def value(board):
        return math.tanh(hash(board.position_key[4:20]) % 1000 / 500 - 1)

    function = (lambda boards: list(map(value, boards))) if batched else value
    board = Board.from_moves("h8 h9 i9")
    expected = {}
    for move in candidates(board):
        after = board.copy()
        after.play(move)
        expected[move] = -value(after)
    search = PlainSearch(function, batched=batched)
    assert search.values(board, 1) == expected
    assert search.evaluate(board) == value(board)


@pytest.mark.parametrize("batched", [False, True])
def test_a_function_sees_each_position_with_its_game_and_none_that_is_over(batched):
    root = Board.from_moves("a1 e5 b1 e4 c1 e3 d1", size=5)
    seen = set()

    def look(board):
        board.verify()
        assert board.moves[: root.ply] == root.moves
        assert board.ply - root.ply <= 3
        assert not board.is_over
        seen.add(board.position_key)
        board.play(board.legal_moves()[0])
        board.undo()
        return len(seen)

    function = (lambda boards: map(look, boards)) if batched else look
    PlainSearch(function, SearchMethod.ORDERED, batched=batched).search(root, 3)
    assert len(seen) > 20
    root = Board.from_picture("XXOOX\nOOXXO\nXXOOX\nOOXXO\nXXO..")
    found = PlainSearch(function, batched=batched).search(root, 2)
    assert (found.score, found.nodes) == (0, 4)


def test_a_value_is_limited_below_a_win_and_a_win_is_found_before_it():
    search = PlainSearch(lambda board: 10**9)
    board = Board.from_moves("h8 a1 i8 a2 j8 a3 k8 o15")
    found = search.search(board, 2)
    assert str(found.move) in ("g8", "l8")
    assert win_in(found.score) == 1
    assert search.evaluate(board) == 1_000_000


def test_a_limit_of_nodes_ends_the_search():
    found = PlainSearch(lambda board: 0.0).search(Board.from_moves("h8 h9"), 3, 20)
    assert not found.finished
    assert found.nodes == 20


@pytest.mark.parametrize("batched", [False, True])
def test_black_without_a_legal_move_has_the_static_value(batched):
    rows = "OXOXOX XXOXOX XXXOXX OXOOXX OOXX.. XOOXOX".split()
    board = Board.from_picture("\n".join(rows), rule="renju", turn="white")
    function = (lambda boards: [0.5] * len(boards)) if batched else lambda board: 0.5
    search = PlainSearch(function, batched=batched)
    assert search.values(board, 2)[Move(4, 4)] == -0.5
    board.play("e5")
    assert board.legal_moves() == []
    with pytest.raises(ValueError, match="no legal candidate"):
        search.search(board, 1)


@pytest.mark.parametrize(
    ("function", "batched", "error", "text"),
    [
        (lambda board: 1 / 0, False, ZeroDivisionError, "division"),
        (lambda boards: 1 / 0, True, ZeroDivisionError, "division"),
        (lambda board: math.nan, False, ValueError, "returned NaN"),
        (lambda boards: [math.nan] * len(boards), True, ValueError, "returned NaN"),
        (lambda board: "many", False, TypeError, "number"),
        (lambda b: 0 if b.undo() and b.undo() else 1, False, RuntimeError, "took back"),
        (lambda boards: [1.0, 2.0], True, ValueError, "2 values for 28 boards"),
    ],
)
def test_an_error_of_the_function_ends_the_search(function, batched, error, text):
    calls = []

    def checked(given):
        calls.append(given)
        return function(given)

    search = PlainSearch(checked, batched=batched)
    board = Board.from_moves("h8 h9")
    for depth in (1, 2):
        with pytest.raises(error, match=text):
            search.search(board, depth)
        assert len(calls) == 1
        calls.clear()


def test_a_function_cannot_use_its_own_search():
    search = PlainSearch(lambda board: search.search(board, 1).score)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="take another PlainSearch"):
            search.search(Board(), 1)


def test_only_a_function_takes_batches():
    with pytest.raises(ValueError, match="only a function"):
        PlainSearch(SourceEvaluation.OURS, batched=True)


@pytest.mark.slow("a pair of games of a slow evaluation", ci=True)
def test_the_example_of_the_page_plays(own):
    assert load_evaluation(own)(Board.from_moves("h8 h9 i9")) is not None
    result = play_pair([own, "stones"], "h8 i9 g8 j7", "depth", 1)
    assert [game["black"] for game in result["games"]] == [own, "stones"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nothing", "No module named"),
        ("no_such_module:f", "No module named"),
        ("my_module", "not MODULE:FUNCTION"),
        ("my_module:missing", "has no attribute 'missing'"),
        ("my_module:VALUES", "not MODULE:FUNCTION"),
    ],
)
def test_a_wrong_name_is_refused(own, name, text):
    with pytest.raises(ValueError, match=text):
        load_evaluation(name)
