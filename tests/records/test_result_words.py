"""How games ended, as people and programs of many countries write it."""

import pytest

from gomoku_brain.records.result_words import result_named

BLACK = (
    *("B+", "B", "b+1", "1-0", "1:0", "Black wins", "Black", "黑胜", "黑勝", "黑方胜"),
    *("先手胜", "黒勝ち", "黑中盘胜", "победа чёрных", "Чёрные выиграли", "흑승"),
    *("White loses", "černý vyhrál", "Black won.", "白负"),
)
WHITE = (
    *("W+", "W", "W+0.5", "0-1", "White wins", "白胜", "白勝", "后手胜", "白番勝ち"),
    *("победа белых", "bílý vyhrál", "백승", "Black lost", "黑负"),
)
DRAWS = (
    "0",
    "Draw",
    "1/2-1/2",
    "½-½",
    "jigo",
    "和棋",
    "平局",
    "持碁",
    "ничья",
    "無勝負",
)
REASONS = [
    ("W+Resign", ("0-1", "resigned")),
    ("B+T", ("1-0", "time")),
    ("B+R", ("1-0", "resigned")),
    ("Black wins on time", ("1-0", "time")),
    ("White resigns", ("1-0", "resigned")),
    ("黒中押し勝ち", ("1-0", "resigned")),
    ("白超时负", ("1-0", "time")),
    ("黑禁手负", ("0-1", "foul")),
    ("흑불계승", ("1-0", "resigned")),
    ("黑方禁手 白方胜", ("0-1", "foul")),
    ("Black resigned. White wins", ("0-1", "resigned")),
    ("White time out, Black wins", ("1-0", "time")),
]


@pytest.mark.parametrize("text", BLACK)
def test_a_win_of_black(text):
    assert result_named(text)[0] == "1-0"


@pytest.mark.parametrize("text", WHITE)
def test_a_win_of_white(text):
    assert result_named(text)[0] == "0-1"


@pytest.mark.parametrize("text", DRAWS)
def test_a_draw(text):
    assert result_named(text) == ("1/2-1/2", "")


@pytest.mark.parametrize(("text", "end"), REASONS)
def test_how_it_was_won(text, end):
    assert result_named(text) == end


@pytest.mark.parametrize("text", ["", "?", "Void"])
def test_an_unfinished_game(text):
    assert result_named(text) == ("*", "")


@pytest.mark.parametrize("text", ["who knows", "see comment", "1500", "blackmail"])
def test_what_is_not_understood_is_none(text):
    assert result_named(text) is None
