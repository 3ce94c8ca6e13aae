"""The search with an evaluation in Python finds what the compiled ones find."""

import re
from pathlib import Path

import pytest

from gomoku_brain.game.position import Board
from gomoku_brain.plain.own_search import OwnSearch, load_evaluation
from gomoku_brain.plain.plain_search import (
    Method,
    PlainSearch,
    SourceEvaluation,
    win_in,
)
from gomoku_brain.plain.studies import play_pair

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


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("moves", ["h8 h9 i9", "h8 a1 i8 a2 j8 a3", "g7 h8 i9 j10"])
def test_the_value_is_that_of_the_compiled_search(moves, depth):
    board = Board.from_moves(moves)
    compiled = PlainSearch(SourceEvaluation.STONES, Method.ALPHABETA)
    search = OwnSearch(compiled.evaluate)
    ours, theirs = search.search(board, depth), compiled.search(board, depth)
    assert ours.score == theirs.score
    assert ours.finished


def test_a_limit_of_nodes_ends_the_search():
    found = OwnSearch(lambda board: 0.0).search(Board.from_moves("h8 h9"), 3, 20)
    assert not found.finished
    assert found.nodes == 20


def test_a_win_is_found_before_the_evaluation():
    found = OwnSearch(lambda board: 10**9).search(
        Board.from_moves("h8 a1 i8 a2 j8 a3 k8 o15"), 2
    )
    assert str(found.move) in ("g8", "l8")
    assert win_in(found.score) == 1


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
